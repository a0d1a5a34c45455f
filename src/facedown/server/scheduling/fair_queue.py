"""Fair queue that divides computing time equally among origins (hashed client addresses), then among their tables.

This is start-time fair queueing (Goyal, Vin and Cheng 1996) on two levels. Each origin and each table has a clock.
The clock advances by the seconds of computing time that the origin or table receives. The origin whose clock is
furthest behind is served next. Of the tables of this origin, the one whose clock is furthest behind is served.

Idle time gives no credit. When an item is added, the clocks of its origin and its table are set forward, if they are
behind, to the clock value of the origin or table served last.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from enum import IntEnum
from typing import Generic, TypeVar

T = TypeVar("T")
#: Key of a clock in the queue: (origin,) for an origin (hashed client address), (origin, table) for one of its tables.
Key = tuple[str, ...]

#: One item in this many served items is taken from a lower priority (`Rank`), even if items of a higher priority wait.
#: So items of low priority wait longer, but not forever.
LOW_RANK_INTERVAL = 8
#: Maximum number of origins (hashed client addresses) and tables whose clocks are kept.
REMEMBERED = 16384


class Rank(IntEnum):
    """Priority of a computation in its lane (pool of threads). Lower values are served first."""

    WATCHED = 0
    """A viewer or a client is waiting for the result."""
    LATER = 1
    """The result is for later, such as the review of a finished match."""
    UNSEEN = 2
    """No viewer is watching."""


@dataclass(frozen=True, slots=True)
class Share:
    """Accounts to which the time of a computation is charged, and the priority of the computation.

    There are two accounts: an origin (hashed client address), and a table of this origin. The queue divides computing
    time equally among origins, then among the tables of each origin.
    """

    origin: str = ""
    """Hashed address of the client that asked for the computation. For a bot or a review: hashed address of the client
    that opened the table."""
    table: str = ""
    """Code of the table, or a name for other work of this origin ("score")."""
    rank: Rank = Rank.WATCHED
    """Priority of the computation."""

    @property
    def queue_keys(self) -> tuple[Key, Key]:
        """Keys of two clocks in a `FairQueue`: the clock of the origin (hashed client address), and that of the table.

        A clock advances by the computing time that is charged to its origin or table. The queue serves the origin and
        the table whose clocks are furthest behind.
        """
        return (self.origin,), (self.origin, self.table)


class FairQueue(Generic[T]):
    """Queue of waiting computations, which divides computing time equally among origins (hashed client addresses).

    The time of an origin is divided equally among its tables. An item is one waiting computation. Items of a higher
    priority (`Rank`) are served first. But at regular intervals (`LOW_RANK_INTERVAL`) an item of a lower priority is
    served, so that none waits forever.

    The queue is not thread-safe: the caller must hold a lock during each call.
    """

    def __init__(self, expected: float) -> None:
        """`expected` is the number of seconds that are charged for an item until its real computing time is known."""
        self._expected = expected
        self._waiting: list[tuple[Share, T]] = []
        self._clocks: dict[Key, float] = {}
        self._now: defaultdict[Key, float] = defaultdict(float)
        """Start value, in seconds, of the clocks of new origins (empty key) and of new tables (key of their origin)."""
        self._turn = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def waiting(self, rank: Rank) -> int:
        """Return the number of waiting items with the priority `rank`."""
        return sum(share.rank == rank for share, _item in self._waiting)

    def waiting_count_of_origin(self, origin: str) -> int:
        """Return the number of waiting items of an origin (hashed client address)."""
        return sum(share.origin == origin for share, _item in self._waiting)

    def put(self, share: Share, item: T) -> None:
        """Add a waiting item with the priority in `share`.

        The computing time of the item will be charged to two accounts named in `share`: an origin (hashed client
        address) and a table.
        """
        if len(self._clocks) > REMEMBERED:
            # Limit the memory that the clocks use: reset all of them, even those of waiting items.
            self._clocks.clear()
            self._now.clear()
        for key in share.queue_keys:
            self._clocks[key] = max(self._virtual_time_of(key), self._now[key[:-1]])
        self._waiting.append((share, item))

    def remove(self, share: Share, item: T) -> None:
        """Remove a waiting item. Do nothing if the item is not waiting, because it was served or removed before.

        `share` must be equal to the `Share` with which the item was added (`put`). A `Share` contains the priority of
        an item, and names the accounts to which the computing time of the item is charged.
        """
        if (share, item) in self._waiting:
            self._waiting.remove((share, item))

    def next(self) -> T | None:
        """Remove and return the next item to serve; return None if no item is waiting.

        The real computing time of the item is not known yet. So the expected time (an argument of the constructor) is
        charged to the item's origin (hashed client address) and table. After the computation, call `record_time` to
        correct this charge.
        """
        ranks = sorted({share.rank for share, _item in self._waiting})
        if not ranks:
            return None
        rank = ranks[0]
        self._turn += 1
        if len(ranks) > 1 and self._turn % LOW_RANK_INTERVAL == 0:
            rank = ranks[1 + self._turn // LOW_RANK_INTERVAL % (len(ranks) - 1)]
        waiting = [(share, item) for share, item in self._waiting if share.rank == rank]
        for level in range(2):
            # First keep the items of the origin whose clock is furthest behind, then, of those, the items of the table
            # whose clock is furthest behind.
            first = min((share.queue_keys[level] for share, _item in waiting), key=self._virtual_time_of)
            waiting = [(share, item) for share, item in waiting if share.queue_keys[level] == first]
        share, item = waiting[0]
        self.remove(share, item)
        for key in share.queue_keys:
            self._now[key[:-1]] = max(self._now[key[:-1]], self._virtual_time_of(key))
            self._clocks[key] = self._virtual_time_of(key) + self._expected
        return item

    def record_time(self, share: Share, seconds: float) -> None:
        """Record that the computation of an item is over and took `seconds`.

        `share` names the origin (hashed client address) and the table to which the item's time is charged. When `next`
        returned the item, the expected computing time was charged to both. Replace this charge by `seconds`.
        """
        for key in share.queue_keys:
            self._clocks[key] = self._virtual_time_of(key) + seconds - self._expected

    def _virtual_time_of(self, key: Key) -> float:
        return self._clocks.get(key, self._now[key[:-1]])
