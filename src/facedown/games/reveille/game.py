"""Reveille, assembled: its parts, how much its bots think, and what no match exceeds."""

from __future__ import annotations

from facedown.core.bot import Levels
from facedown.core.game import GameModule, Scorekeeper, Tables, Words
from facedown.core.limits import Limits
from facedown.games.reveille.cards import bone_name
from facedown.games.reveille.counts import COUNTS
from facedown.games.reveille.endgame_bot import SOLVER, EndgameBot
from facedown.games.reveille.evaluation import EVALUATION
from facedown.games.reveille.info import INFO, ReveilleOptions
from facedown.games.reveille.log import tell
from facedown.games.reveille.policy import POLICY
from facedown.games.reveille.reasons import refusal
from facedown.games.reveille.rules import RULES
from facedown.games.reveille.score import EXAMPLE, score
from facedown.games.reveille.sheet import sheet
from facedown.games.reveille.state import GOAL, MOST_CALLS, PLAYERS, THROW_IN_CAP, TRICKS
from facedown.games.reveille.table import PHASES, table
from facedown.games.reveille.words import TYPING, card_kind, parse, say, words

#: How much the bots think (`docs/strength.md`).
LEVELS = Levels(strong=40, master=1600, expert=EndgameBot)

#: A bone is picked to be turned up, and one by the loser of each trick; then come the calls, the contract, a claim.
HAND_ACTIONS = 1 + TRICKS * (PLAYERS + 1) + MOST_CALLS + 1 + TRICKS * PLAYERS + 1
#: Both are one short of winning, and every hand that was won came after as many thrown in as may be.
MOST_HANDS = (PLAYERS * (GOAL - 1) + 1) * THROW_IN_CAP


def limits(seats: int, options: ReveilleOptions, one_round: bool) -> Limits:
    """The limits of a match, or of its first hand."""
    if one_round:
        return Limits(HAND_ACTIONS, 0, 1)
    return Limits(MOST_HANDS * (HAND_ACTIONS + PLAYERS), 0, GOAL)


GAME = GameModule(
    info=INFO,
    rules=RULES,
    words=Words(words, parse, bone_name, card_kind, say, why_not=refusal, typing=TYPING),
    # A false claim is never offered by touch.
    tables=Tables(table, tell, untouched=frozenset({"stage two"}), phases=PHASES),
    policy=POLICY,
    evaluation=EVALUATION,
    levels=LEVELS,
    limits=limits,
    solver=SOLVER,
    scorekeeper=Scorekeeper(score, EXAMPLE, sheet),
    counts=COUNTS,
)
"""Reveille: win good bones, then bid on winning tricks with them. Rules and rulings: ``docs/rules/reveille.md``."""
