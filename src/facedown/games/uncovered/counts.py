"""What experiments count of Uncovered!. Rulings: ``docs/rules/uncovered.md``."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facedown.core.counting import A_MATCH, COUNT, Counter, Counts
from facedown.core.rule import rule
from facedown.core.state import ABANDONED, DECIDED
from facedown.games.uncovered.rules import SLOTS, UncoveredPosition
from facedown.games.uncovered.texts import N_

COUNTERS = (
    Counter("turns", N_("Swaps"), N_("a game"), per=A_MATCH, unit=COUNT),
    Counter("won", recorded=True),
    Counter("turns_won", N_("Swaps in a game that was won"), N_("a game"), per="won", unit=COUNT),
    Counter("too_early", N_("Uncovered too early"), N_("of the games"), per=A_MATCH),
    Counter("given_up", N_("Stopped after 200 swaps"), N_("of the games"), per=A_MATCH),
    Counter("turned", N_("Cards turned at the end"), N_("a game"), per=A_MATCH, unit=COUNT),
)
#: The places of the counters.
TURNS, WON, TURNS_WON, TOO_EARLY, GIVEN_UP, TURNED = range(len(COUNTERS))


@rule
def round_over(s: UncoveredPosition, out: NDArray[np.int64]) -> None:
    """Add how the game ended."""
    out[TURNS] += s.turn
    out[WON] += s.won
    out[TURNS_WON] += s.won * s.turn
    out[TOO_EARLY] += s.over == DECIDED and s.won == 0
    out[GIVEN_UP] += s.over == ABANDONED
    for slot in range(SLOTS):
        out[TURNED] += s.turned[slot]


@rule
def first(s: UncoveredPosition) -> int:
    """The seat that has turn 0."""
    return s.start


COUNTS = Counts(COUNTERS, round_over, first=first)
