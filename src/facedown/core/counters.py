"""Counters of game events for experiments, such as how often a special case of the rules occurs.

A game with counters provides a `CounterSet`: the names of the counters and two compiled functions that add to them. One
function runs before every action, the other at the end of every round. Both may read the full state, because no player
and no bot gets their results.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from facedown.core.rule import rule
from facedown.core.state import Position

P = TypeVar("P", bound=Position)

#: Values of `Counter.per`: a count is divided by the number of matches, or of rounds, to give its rate.
PER_MATCH, PER_ROUND = "match", "round"
#: Units in which the rate of a counter is reported (`simulate.findings`): a share from 0 to 1, a count, or points.
SHARE, COUNT, POINTS = "share", "count", "points"


@dataclass(frozen=True, slots=True)
class Counter:
    """Description of one counter of game events: its key and label, and how its count becomes a rate for reports.

    The rate is the count divided by a number of rounds, of matches or of other events (`per`). The counts themselves
    are kept in an array, which the functions of `CounterSet` update.
    """

    key: str
    """Column name in the results and key of the statistic: lower-case letters and underscores."""
    label: str = ""
    """Short description; empty for a counter that is only recorded."""
    note: str = ""
    """Unit of the rate in words: "a round", "of the rounds"."""
    per: str = PER_ROUND
    """Number by which the count is divided: `PER_ROUND`, `PER_MATCH`, or the key of another counter."""
    unit: str = SHARE
    """`SHARE` for an event that happens at most once in each unit of `per` (such as a round), `COUNT` for one that may
    happen more often, `POINTS` for a sum of points."""
    answer: bool = False
    """Whether the counter answers a research question that applies to this game only."""
    recorded: bool = False
    """Whether the counter is only stored in the results and not reported as a statistic."""


@rule
def count_nothing_at_step(s: Position, seat: int, action: int, out: NDArray[np.int64]) -> None:
    """Count nothing before an action: `out` stays unchanged.

    Default of `CounterSet.step`, for games whose counters need only the end of a round.
    """


@rule
def count_nothing_at_round_end(s: Position, out: NDArray[np.int64]) -> None:
    """Count nothing at the end of a round: `out` stays unchanged.

    Default of `CounterSet.count_round`, for games without counters.
    """


@rule
def seat_zero_first(s: Position) -> int:
    """Return seat 0. Default of `CounterSet.first`, for games without turns, in which no seat goes first."""
    return 0


@dataclass(frozen=True)
class CounterSet(Generic[P]):
    """All counters of one game: their descriptions, and the compiled functions that do the counting.

    Experiments use them to count events in matches of bots, such as swapped cards or special cases of the rules.
    """

    counters: tuple[Counter, ...] = ()
    count_round: Callable[[P, NDArray[np.int64]], None] = count_nothing_at_round_end
    """Compiled function (s, out), called when a round has ended and its cards are still on the table; in a match
    without rounds, when the match has ended. It adds to `out`, which has one number for each counter, in the order of
    `counters`."""
    step: Callable[[P, int, int, NDArray[np.int64]], None] = count_nothing_at_step
    """Compiled function (s, seat, action, out), called just before the action is played. It adds to `out`, which has
    one number for each counter, in the order of `counters`."""
    first: Callable[[P], int] = seat_zero_first
    """Compiled function (s) → the seat that goes first in the match, or -1 while that is undecided. Statistics number
    the seats from this one, because chance decides which seat goes first."""


#: No counters; the default of `GameModule.counts`.
NO_COUNTERS: CounterSet[Any] = CounterSet()
