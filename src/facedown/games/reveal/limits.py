"""What no match of Reveal exceeds."""

from __future__ import annotations

from facedown.core.limits import Limits
from facedown.games.reveal.info import End, RevealOptions, Tie
from facedown.games.reveal.rules import HAND_CAP, ROWS, SEATS

#: In a row a seat swaps as many cards as the row's number at most, and one by one in as many actions, and lays it.
ROW_ACTIONS = sum(row + 2 for row in range(ROWS))
#: Three cards each of the base, of both sides, and the Final Card.
MOST_POINTS = 3 * ROWS + 1


def limits(seats: int, options: RevealOptions, one_round: bool) -> Limits:
    """The limits of a match, or of its first hand."""
    # The choice after the last that leaves the next one open is final, and so is a confirmation.
    hand = SEATS * (ROW_ACTIONS + options.most_changes + 1)
    if one_round:
        return Limits(hand, 0, MOST_POINTS)
    counted = options.end == End.HANDS and options.tie == Tie.DRAW
    hands = min(HAND_CAP, options.end_at) if counted else HAND_CAP
    return Limits(hands * (hand + SEATS), 0, hands * MOST_POINTS)
