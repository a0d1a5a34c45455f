"""SCOUT, assembled."""

from facedown.core.game import GameModule, Scorekeeper, Tables, Words
from facedown.games.scout.cards import card_kind, card_word
from facedown.games.scout.counts import COUNTS
from facedown.games.scout.evaluation import EVALUATION
from facedown.games.scout.features import FEATURES
from facedown.games.scout.info import INFO
from facedown.games.scout.levels import LEVELS
from facedown.games.scout.limits import limits
from facedown.games.scout.log import open_to, tell
from facedown.games.scout.policy import POLICY
from facedown.games.scout.reasons import refusal
from facedown.games.scout.rules import RULES
from facedown.games.scout.score import EXAMPLE, score
from facedown.games.scout.sheet import sheet
from facedown.games.scout.table import GOES_ON, PHASES, table
from facedown.games.scout.words import TYPING, offered, parse, parse_turn, say, words

GAME = GameModule(
    info=INFO,
    rules=RULES,
    words=Words(
        words,
        parse,
        card_word,
        card_kind,
        say,
        parse_turn=parse_turn,
        why_not=refusal,
        typing=TYPING,
        offered=offered,
    ),
    tables=Tables(table, tell, open_to, GOES_ON, phases=PHASES),
    policy=POLICY,
    evaluation=EVALUATION,
    levels=LEVELS,
    features=FEATURES,
    limits=limits,
    scorekeeper=Scorekeeper(score, EXAMPLE, sheet),
    counts=COUNTS,
)
