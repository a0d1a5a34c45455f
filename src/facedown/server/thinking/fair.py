"""A queue that shares out time by origin, then by table, however much of each waits.

This is start-time fair queueing (Goyal, Vin and Cheng 1996) on two levels. The clock of each origin advances by the
seconds it was served. The origin whose clock is furthest behind comes next, and within it the table whose clock is.
A newcomer begins at the clock of the one served last, so no origin saves up time while it is idle.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from dataclasses import dataclass
from enum import IntEnum
from typing import Generic, TypeVar

T = TypeVar("T")
#: An origin, or a table of an origin.
Key = tuple[str, ...]

#: Every so many turns the last in rank come first: they wait longer, not for ever.
TURN_OF_THE_LAST = 8
#: Number of origins and tables whose clocks are kept while nothing of theirs waits, at least.
REMEMBERED = 8192


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
        self._waiting: dict[Rank, list[tuple[Share, T]]] = {rank: [] for rank in Rank}
        self._count: Counter[Key] = Counter()
        """The number of items that wait, by origin and by table."""
        self._clocks: OrderedDict[Key, float] = OrderedDict()
        self._now: defaultdict[Key, float] = defaultdict(float)
        """Where a newcomer begins: an origin (under the empty key), or a table (under its origin)."""
        self._turn = 0

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def waiting(self, rank: Rank) -> int:
        """Return the number of items that wait in a rank."""
        return len(self._waiting[rank])

    def of_origin(self, origin: str) -> int:
        """Return the number of items of an origin that wait."""
        return self._count[origin,]

    def put(self, share: Share, item: T) -> None:
        """Add an item."""
        for key in share.keys:
            now = self._now[key[:-1]]
            clock = self._clocks.pop(key, now)
            self._clocks[key] = clock if self._count[key] else max(clock, now)
            self._count[key] += 1
        self._waiting[share.rank].append((share, item))
        self._forget()

    def remove(self, share: Share, item: T) -> bool:
        """Remove an item; False if it was served or removed already."""
        waiting = self._waiting[share.rank]
        if (share, item) not in waiting:
            return False
        waiting.remove((share, item))
        self._count.subtract(share.keys)
        return True

    def next(self) -> T | None:
        """Remove and return the next item, or None. It counts as `expected` seconds until `served` corrects that."""
        if (rank := self._rank()) is None:
            return None
        waiting = self._waiting[rank]
        first, _item = min(waiting, key=lambda waits: self._clocks[waits[0].keys[0]])
        theirs = (waits for waits in waiting if waits[0].origin == first.origin)
        share, item = min(theirs, key=lambda waits: self._clocks[waits[0].keys[1]])
        self.remove(share, item)
        for key in share.keys:
            self._now[key[:-1]] = max(self._now[key[:-1]], self._clocks[key])
            self._clocks[key] += self._expected
        return item

    def served(self, share: Share, seconds: float) -> None:
        """Note how many seconds an item took that `next` returned."""
        for key in share.keys:
            self._clocks[key] = self._clocks.get(key, self._now[key[:-1]]) + seconds - self._expected

    def _forget(self) -> None:
        """Forget the oldest clocks of which nothing waits."""
        if len(self._clocks) > 2 * REMEMBERED:
            for key in [key for key in self._clocks if not self._count[key]][:REMEMBERED]:
                del self._clocks[key], self._count[key]
                self._now.pop(key, None)

    def _rank(self) -> Rank | None:
        there = [rank for rank in Rank if self._waiting[rank]]
        if not there:
            return None
        if len(there) > 1:
            self._turn += 1
            if self._turn % TURN_OF_THE_LAST == 0:
                return there[1 + (self._turn // TURN_OF_THE_LAST) % (len(there) - 1)]
        return there[0]
