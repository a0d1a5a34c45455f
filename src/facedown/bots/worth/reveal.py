"""What a hand of Reveal is worth: how likely its end leaves a seat to win the match."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from facedown.core.rule import rule, wide
from facedown.core.state import RUNNING
from facedown.games.reveal.rules import SCORING, SEATS

#: Between equals, the points of one hand differ by about this much (standard deviation).
SPREAD = 4.0
#: Points that a good column brings: so many hands are left until a goal is reached.
USUAL = 6.0
#: The hand itself counts this much beside the match, so that far from the match's end differences still show.
HAND = 0.5
#: A hand won by so many points is worth everything.
WIDE = 10.0


@rule
def settled(s: Any) -> bool:
    """A hand is decided when it is scored."""
    return bool(s.phase == SCORING)


@rule
def hands_left(s: Any) -> float:
    """How many hands the match still has, about."""
    if s.to_goal == 1:
        return max(0.0, (wide(s.end_at) - max(wide(s.total[0]), wide(s.total[1]))) / USUAL)
    return max(0.0, float(wide(s.end_at) - wide(s.hand_number)))


@rule
def worth(s: Any, out: NDArray[np.float64]) -> None:
    """Half for nobody ahead; the lead in the hand counts, and the lead in the match by how much is still to come."""
    for seat in range(SEATS):
        lead = float(wide(s.total[seat]) - wide(s.total[1 - seat]))
        if s.over != RUNNING:
            match = 0.5 if lead == 0.0 else 1.0 if lead > 0.0 else 0.0
        else:
            # The logistic curve that comes closest to the normal one.
            match = 1.0 / (1.0 + np.exp(-1.7 * lead / (SPREAD * np.sqrt(hands_left(s) + 0.25))))
        hand = 0.5 + (wide(s.score[seat]) - wide(s.score[1 - seat])) / (2.0 * WIDE)
        out[seat] = (1.0 - HAND) * match + HAND * min(1.0, max(0.0, hand))
