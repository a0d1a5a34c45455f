"""What no game of Uncovered! exceeds."""

from __future__ import annotations

from facedown.core.limits import Limits
from facedown.games.uncovered.info import UncoveredOptions
from facedown.games.uncovered.rules import LOST, TURN_CAP

#: A swap, and after it two cards that may be turned.
TURN_ACTIONS = 3


def limits(seats: int, options: UncoveredOptions, one_round: bool) -> Limits:
    """The limits of a game; it has but one round."""
    return Limits(TURN_ACTIONS * TURN_CAP + 1, LOST, 0)
