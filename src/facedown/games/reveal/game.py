"""Reveal, assembled."""

from facedown.core.game import GameModule, Scorekeeper, Tables, Words
from facedown.games.reveal.counts import COUNTS
from facedown.games.reveal.evaluation import EVALUATION
from facedown.games.reveal.info import INFO
from facedown.games.reveal.levels import LEVELS
from facedown.games.reveal.limits import limits
from facedown.games.reveal.log import open_to, tell
from facedown.games.reveal.policy import POLICY
from facedown.games.reveal.reasons import refusal
from facedown.games.reveal.rules import RULES
from facedown.games.reveal.score import EXAMPLE, score
from facedown.games.reveal.sheet import sheet
from facedown.games.reveal.table import GOES_ON, PHASES, table
from facedown.games.reveal.words import card_kind, card_word, parse, say, words

GAME = GameModule(
    info=INFO,
    rules=RULES,
    words=Words(words, parse, card_word, card_kind, say, why_not=refusal),
    # The final round does not light the column that the Final Card lies at already.
    tables=Tables(table, tell, open_to, GOES_ON, frozenset({"final"}), PHASES),
    policy=POLICY,
    evaluation=EVALUATION,
    levels=LEVELS,
    limits=limits,
    scorekeeper=Scorekeeper(score, EXAMPLE, sheet),
    counts=COUNTS,
)
