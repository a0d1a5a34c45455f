"""What no match of SCOUT exceeds."""

from __future__ import annotations

from facedown.core.limits import Limits
from facedown.games.scout.cards import KINDS, ROUNDS
from facedown.games.scout.info import Hands, ScoutOptions
from facedown.games.scout.rules import TURN_CAP
from facedown.games.scout.state import MAX_HAND

#: A Scout, and a Show after it.
TURN_ACTIONS = 2


def limits(seats: int, options: ScoutOptions, one_round: bool) -> Limits:
    """The limits of a match, or of its first round."""
    # Everybody keeps or flips the hand first. All cards may be won, and a coin in every turn.
    actions, most = seats + TURN_ACTIONS * TURN_CAP, KINDS + TURN_CAP
    if one_round:
        return Limits(actions, -MAX_HAND, most)
    rounds = ROUNDS[seats] if options.hands == Hands.FULL else 1
    return Limits(rounds * (actions + seats), -rounds * MAX_HAND, rounds * most)
