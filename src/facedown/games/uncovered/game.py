"""Uncovered!, assembled."""

from facedown.core.game import GameModule, Scorekeeper, Tables, Words
from facedown.games.uncovered.counts import COUNTS
from facedown.games.uncovered.evaluation import EVALUATION
from facedown.games.uncovered.info import INFO
from facedown.games.uncovered.levels import LEVELS
from facedown.games.uncovered.limits import limits
from facedown.games.uncovered.log import tell
from facedown.games.uncovered.policy import POLICY
from facedown.games.uncovered.reasons import refusal
from facedown.games.uncovered.rules import RULES
from facedown.games.uncovered.score import EXAMPLE, score
from facedown.games.uncovered.sheet import sheet
from facedown.games.uncovered.solver import SOLVER
from facedown.games.uncovered.table import PHASES, table
from facedown.games.uncovered.words import SEAT_AT, TYPING, card_kind, card_word, parse, say, words

GAME = GameModule(
    info=INFO,
    rules=RULES,
    words=Words(words, parse, card_word, card_kind, say, why_not=refusal, typing=TYPING, seat_at=SEAT_AT),
    tables=Tables(table, tell, phases=PHASES),
    policy=POLICY,
    evaluation=EVALUATION,
    levels=LEVELS,
    limits=limits,
    solver=SOLVER,
    scorekeeper=Scorekeeper(score, EXAMPLE, sheet),
    counts=COUNTS,
)
