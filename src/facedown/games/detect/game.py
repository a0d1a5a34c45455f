"""Detect, assembled."""

from facedown.core.game import GameModule, Scorekeeper, Tables, Words
from facedown.games.detect.counts import COUNTS
from facedown.games.detect.evaluation import EVALUATION
from facedown.games.detect.features import FEATURES
from facedown.games.detect.info import INFO
from facedown.games.detect.levels import LEVELS
from facedown.games.detect.limits import limits
from facedown.games.detect.log import open_to, tell
from facedown.games.detect.policy import POLICY
from facedown.games.detect.reasons import refusal
from facedown.games.detect.rules import RULES
from facedown.games.detect.score import EXAMPLE, score
from facedown.games.detect.sheet import sheet
from facedown.games.detect.table import GOES_ON, PHASES, table
from facedown.games.detect.words import TYPING, card_kind, card_word, parse, say, words

GAME = GameModule(
    info=INFO,
    rules=RULES,
    words=Words(words, parse, card_word, card_kind, say, why_not=refusal, typing=TYPING),
    tables=Tables(table, tell, open_to, GOES_ON, phases=PHASES),
    policy=POLICY,
    evaluation=EVALUATION,
    levels=LEVELS,
    features=FEATURES,
    limits=limits,
    scorekeeper=Scorekeeper(score, EXAMPLE, sheet),
    counts=COUNTS,
)
