"""What experiments count of a game: how often its rules apply.

A game that wants to be counted has a module ``counts.py`` in its room. It names its counters and brings two small rules
that add to them: one is called before every action, one at the end of every round. Both are told the true state, for
they decide nothing.
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

#: What a counter is divided by, if not by another one: matches, or rounds.
PER_MATCH, PER_ROUND = "match", "round"
#: How what comes out is read (`simulate.findings`).
SHARE, COUNT, POINTS = "share", "count", "points"


@dataclass(frozen=True, slots=True)
class Counter:
    """Something that is counted, and what it is divided by."""

    key: str
    """A column of the results, and the key of a figure: a word in small letters, with low lines."""
    label: str = ""
    """What it is, in a few words; of one that is only recorded nothing is said."""
    note: str = ""
    """What it is counted in: "a round", "of the rounds"."""
    per: str = PER_ROUND
    """`PER_ROUND`, `PER_MATCH`, or the key of another counter."""
    unit: str = SHARE
    """`SHARE` of something that happens at most once each time, `COUNT` of what may happen more often, or `POINTS`."""
    answer: bool = False
    """Is it the answer to a question that only this game can be asked?"""
    recorded: bool = False
    """Is it only kept in the results, and no figure of its own?"""


@rule
def count_nothing_at_step(s: Position, seat: int, action: int, out: NDArray[np.int64]) -> None:
    """Most counters can be read off the end of a round: nothing is written into `out`."""


@rule
def count_nothing_at_end(s: Position, out: NDArray[np.int64]) -> None:
    """Nothing is counted of a game that says nothing: `out` stays as it is."""


@rule
def seat_zero_first(s: Position) -> int:
    """In a game without turns nobody begins: its seats are told apart by their numbers."""
    return 0


@dataclass(frozen=True)
class CounterSet(Generic[P]):
    """The counters of a game, and the rules that add to them."""

    counters: tuple[Counter, ...] = ()
    count_round: Callable[[P, NDArray[np.int64]], None] = count_nothing_at_end
    """A rule (s, out): a round (of a match without rounds: the match) has ended, and its cards still lie there. Adds to
    the counters in `out`, in their order."""
    step: Callable[[P, int, int, NDArray[np.int64]], None] = count_nothing_at_step
    """A rule (s, seat, action, out): this action is about to be played."""
    first: Callable[[P], int] = seat_zero_first
    """A rule: which seat begins the match, or -1 as long as that is open. Seats are told apart by their places from
    there on, for which number a seat has is chance."""


#: Nothing is counted.
NO_COUNTERS: CounterSet[Any] = CounterSet()
