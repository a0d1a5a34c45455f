"""What no match of Reveille exceeds."""

from __future__ import annotations

from facedown.core.limits import Limits
from facedown.games.reveille.info import ReveilleOptions
from facedown.games.reveille.state import GOAL, MOST_CALLS, PLAYERS, THROW_IN_CAP, TRICKS

#: A bone is picked to be turned up, and one by the loser of each trick; then come the calls, the contract, a claim.
HAND_ACTIONS = 1 + TRICKS * (PLAYERS + 1) + MOST_CALLS + 1 + TRICKS * PLAYERS + 1
#: Both are one short of winning, and every hand that was won came after as many thrown in as may be.
MOST_HANDS = (PLAYERS * (GOAL - 1) + 1) * THROW_IN_CAP


def limits(seats: int, options: ReveilleOptions, one_round: bool) -> Limits:
    """The limits of a match, or of its first hand."""
    if one_round:
        return Limits(HAND_ACTIONS, 0, 1)
    return Limits(MOST_HANDS * (HAND_ACTIONS + PLAYERS), 0, GOAL)
