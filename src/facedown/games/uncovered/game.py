"""Uncovered!, assembled: its parts, how much its bots think, and what no match exceeds."""

from __future__ import annotations

from facedown.core.bot import Bot, Levels
from facedown.core.game import GameModule, Scorekeeper, Tables, Words
from facedown.core.limits import Limits
from facedown.games.uncovered.counts import COUNTS
from facedown.games.uncovered.evaluation import EVALUATION
from facedown.games.uncovered.info import INFO, UncoveredOptions
from facedown.games.uncovered.log import tell
from facedown.games.uncovered.partner_bot import LOOKS, PartnerBot
from facedown.games.uncovered.policy import POLICY
from facedown.games.uncovered.reasons import refusal
from facedown.games.uncovered.rules import LOST, RULES, TURN_CAP
from facedown.games.uncovered.score import EXAMPLE, score
from facedown.games.uncovered.sheet import sheet
from facedown.games.uncovered.solver import SOLVER
from facedown.games.uncovered.table import PHASES, table
from facedown.games.uncovered.words import SEAT_AT, TYPING, card_kind, card_word, parse, say, words


def thinking(simulations: int) -> Bot:
    """The partner bot with so many looks, at most those that help; 0: all of them."""
    return PartnerBot(min(simulations or LOOKS, LOOKS))


#: How much the bots think (`docs/strength.md`): the looks that the partner bot takes at the swaps in question.
LEVELS = Levels(strong=1, thinking=thinking)

#: A swap, and after it two cards that may be turned.
TURN_ACTIONS = 3


def limits(seats: int, options: UncoveredOptions, one_round: bool) -> Limits:
    """The limits of a game; it has but one round."""
    return Limits(TURN_ACTIONS * TURN_CAP + 1, LOST, 0)


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
