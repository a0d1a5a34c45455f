"""What no match of Detect exceeds."""

from __future__ import annotations

from facedown.core.limits import Limits
from facedown.games.detect.cards import number_of
from facedown.games.detect.info import DetectOptions, Tie
from facedown.games.detect.rules import CELLS, GOAL, ROUND_CAP, TURN_CAP

#: In a turn: draw, do something with the card, decide about a column.
TURN_ACTIONS = 3


def limits(seats: int, options: DetectOptions, one_round: bool) -> Limits:
    """The limits of a match, or of its first round."""
    # Everybody opens; the others have one more turn after the ender's.
    actions = seats * (1 + TURN_ACTIONS * (TURN_CAP + 1))
    numbers = [number_of(kind) for kind, copies in enumerate(options.copies) if copies]
    # Columns that go count nothing; the ender may be doubled.
    fewest, most = min(0, CELLS * min(numbers)), max(0, 2 * CELLS * max(numbers))
    if one_round:
        return Limits(actions, -most, -fewest)
    # Who has fewer than the goal goes on; a tie is played off however many points that takes.
    highest = ROUND_CAP * most if options.tie == Tie.EXTRA_ROUND else GOAL - 1 + most
    return Limits(ROUND_CAP * (actions + seats), -highest, -ROUND_CAP * fewest)
