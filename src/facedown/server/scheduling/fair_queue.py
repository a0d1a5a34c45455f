"""A queue that shares out time by origin, then by table, however much of each waits.

This is start-time fair queueing (Goyal, Vin and Cheng 1996) on two levels. The clock of each origin advances by the
seconds it was served. The origin whose clock is furthest behind comes next, and within it the table whose clock is.
A newcomer begins at the clock of the one served last, so no origin saves up time while it is idle.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from enum import IntEnum
from typing import Generic, TypeVar

T = TypeVar("T")
#: An origin, or a table of an origin.
Key = tuple[str, ...]

#: Every so many turns the last in rank come first: they wait longer, not for ever.
LOW_RANK_INTERVAL = 8
#: Number of origins and tables whose clocks are kept, at most.
REMEMBERED = 16384


class Rank(IntEnum):
    """Who comes first within a lane."""

    WATCHED = 0
    """Somebody looks at this table, or asked, and waits."""
    LATER = 1
    """Somebody will come back for it: looks back at finished matches."""
    UNSEEN = 2
    """Nobody looks."""


@dataclass(frozen=True, slots=True)
class Share:
    """Whose time it is."""

    origin: str = ""
    table: str = ""
    rank: Rank = Rank.WATCHED

    @property
    def keys(self) -> tuple[Key, Key]:
        """The origin and the table."""
        return (self.origin,), (self.origin, self.table)


class FairQueue(Generic[T]):
    """Items in the order in which they are served. Not thread-safe: the owner holds a lock."""

    def __init__(self, expected: float) -> None:
        """`expected`: seconds that an item is taken to need until it was served."""
        self._expected = expected
        self._waiting: list[tuple[Share, T]] = []
        self._clocks: dict[Key, float] = {}
        self._now: defaultdict[Key, float] = defaultdict(float)
        """Where a newcomer begins: an origin (under the empty key), or a table (under its origin)."""
        self._turn = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def waiting(self, rank: Rank) -> int:
        """Return the number of items that wait in a rank."""
        return sum(share.rank == rank for share, _item in self._waiting)

    def count_origin(self, origin: str) -> int:
        """Return the number of items of an origin that wait."""
        return sum(share.origin == origin for share, _item in self._waiting)

    def put(self, share: Share, item: T) -> None:
        """Add an item."""
        if len(self._clocks) > REMEMBERED:
            # All clocks start again, also those of items that wait.
            self._clocks.clear()
            self._now.clear()
        for key in share.keys:
            self._clocks[key] = max(self._clock(key), self._now[key[:-1]])
        self._waiting.append((share, item))

    def remove(self, share: Share, item: T) -> None:
        """Remove an item; does nothing if it was served or removed already."""
        if (share, item) in self._waiting:
            self._waiting.remove((share, item))

    def next(self) -> T | None:
        """Remove and return the next item, or None. Its cost is `expected` seconds until `record_time` corrects it."""
        ranks = sorted({share.rank for share, _item in self._waiting})
        if not ranks:
            return None
        rank = ranks[0]
        self._turn += 1
        if len(ranks) > 1 and self._turn % LOW_RANK_INTERVAL == 0:
            rank = ranks[1 + self._turn // LOW_RANK_INTERVAL % (len(ranks) - 1)]
        waiting = [(share, item) for share, item in self._waiting if share.rank == rank]
        for level in range(2):
            # Of the items of the first origin whose clock is furthest behind, those of the first such table.
            first = min((share.keys[level] for share, _item in waiting), key=self._clock)
            waiting = [(share, item) for share, item in waiting if share.keys[level] == first]
        share, item = waiting[0]
        self.remove(share, item)
        for key in share.keys:
            self._now[key[:-1]] = max(self._now[key[:-1]], self._clock(key))
            self._clocks[key] = self._clock(key) + self._expected
        return item

    def record_time(self, share: Share, seconds: float) -> None:
        """Note how many seconds an item took that `next` returned."""
        for key in share.keys:
            self._clocks[key] = self._clock(key) + seconds - self._expected

    def _clock(self, key: Key) -> float:
        return self._clocks.get(key, self._now[key[:-1]])
