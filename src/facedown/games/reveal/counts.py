"""What experiments count of Reveal. Rulings: ``docs/rules/reveal.md``."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facedown.core.counting import COUNT, POINTS, Counter, Counts
from facedown.core.rule import rule
from facedown.games.reveal.cards import WILD
from facedown.games.reveal.rules import COLUMNS, ROWS, SEATS, RevealPosition, base_slot, matches, side
from facedown.games.reveal.texts import N_

COUNTERS = (
    Counter("hands", recorded=True),
    Counter("below", N_("Below the minimum"), N_("of the players’ hands"), per="hands"),
    Counter("points", N_("Points of a hand"), N_("a player"), per="hands", unit=POINTS),
    Counter("closed", N_("Scored without own cards"), N_("of the players’ hands"), per="hands"),
    Counter("level", N_("Both score the same"), N_("of the hands")),
    Counter("same_column", N_("Both at the same column"), N_("of the hands")),
    Counter("swaps", N_("Cards swapped"), N_("a hand, of both"), unit=COUNT),
    Counter("second_thoughts", N_("Column changed"), N_("a hand, of both"), unit=COUNT),
    Counter("wild_bases", N_("Wild cards in the base"), N_("a hand"), unit=COUNT),
)
#: The places of the counters.
HANDS, BELOW, POINTS_OF, CLOSED, LEVEL, SAME, SWAPS, ANEW, WILDS = range(len(COUNTERS))


@rule
def round_over(s: RevealPosition, out: NDArray[np.int64]) -> None:
    """Add what a scored hand shows."""
    for seat in range(SEATS):
        own = 0
        for row in range(ROWS):
            own += matches(s.card[side(seat, row, s.choice[seat])], s.colour[seat])
        out[HANDS] += 1
        out[BELOW] += s.score[seat] == 0
        out[POINTS_OF] += s.score[seat]
        out[ANEW] += s.changes[seat] - 1
        out[CLOSED] += s.colour[seat] >= 0 and own == 0
    out[LEVEL] += s.score[0] == s.score[1]
    out[SAME] += s.choice[0] == s.choice[1]
    out[SWAPS] += s.drawn
    for row in range(ROWS):
        for column in range(COLUMNS):
            out[WILDS] += s.card[base_slot(row, column)] == WILD


COUNTS = Counts(COUNTERS, round_over)
