"""What experiments count of Detect. Rulings: ``docs/rules/detect.md``."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facedown.core.counting import COUNT, POINTS, Counter, Counts
from facedown.core.masks import count_bits
from facedown.core.rule import rule
from facedown.games.detect.rules import FAR, ROWS, DetectPosition, Phase, ender_fails
from facedown.games.detect.texts import N_

COUNTERS = (
    Counter("turns", N_("Turns in a round"), N_("of all players"), unit=COUNT),
    Counter("columns", N_("Columns removed"), N_("a round, of all players"), unit=COUNT),
    Counter("column_fell", N_("Rounds with a column removed"), N_("of the rounds")),
    Counter("ended", N_("Rounds that somebody ended"), N_("of the rounds")),
    Counter("doubled", N_("Ender doubled"), N_("of the rounds that somebody ended"), per="ended"),
    Counter(
        "tied", N_("Ender level with the lowest of the others"), N_("of the rounds that somebody ended"), per="ended"
    ),
    Counter("lowest", N_("Ender lowest alone"), N_("of the rounds that somebody ended"), per="ended"),
    Counter("penalty", N_("Points that doubling costs"), N_("a round"), unit=POINTS),
    Counter("points", N_("Points of all players"), N_("a round, before doubling"), unit=POINTS),
    Counter("rebuilt", N_("Draw pile rebuilt"), N_("of the rounds")),
    Counter("ender_seat", recorded=True),
)
#: The places of the counters.
TURNS, COLUMNS_REMOVED, FELL, ENDED, DOUBLED, TIED, LOWEST, PENALTY, POINTS_OF_ALL, REBUILT, ENDER = range(
    len(COUNTERS)
)


@rule
def round_over(s: DetectPosition, out: NDArray[np.int64]) -> None:
    """Add what a scored round shows; the seat of the ender is that of the last round."""
    cells = 0
    for seat in range(s.seats):
        out[POINTS_OF_ALL] += s.raw[seat]
        cells += count_bits(s.gone[seat])
    out[TURNS] += s.turns
    out[COLUMNS_REMOVED] += cells // ROWS
    out[FELL] += cells > 0
    out[REBUILT] += s.rebuilt
    out[ENDER] = s.ender
    if s.ender >= 0:
        others = FAR
        for seat in range(s.seats):
            if seat != s.ender:
                others = min(others, s.raw[seat])
        out[ENDED] += 1
        out[DOUBLED] += ender_fails(s)
        out[TIED] += s.raw[s.ender] == others
        out[LOWEST] += s.raw[s.ender] < others
        out[PENALTY] += s.score[s.ender] - s.raw[s.ender]


@rule
def first(s: DetectPosition) -> int:
    """Who has the first turn: open until all have turned up their two cards (DET-4)."""
    return s.turn if s.phase == Phase.TURN else -1


COUNTS = Counts(COUNTERS, round_over, first=first)
