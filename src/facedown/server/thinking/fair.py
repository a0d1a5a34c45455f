"""A queue that shares out time: by whose work it is, then by table, never by how much of it waits.

This is start-time fair queueing (Goyal, Vin and Cheng 1996) on two levels. Each origin has a clock that goes on by the
seconds it was served; the one whose clock is furthest behind comes next, and within it the table whose own is. Whoever
comes anew begins where the others stand: nobody saves time up by being silent, and a hundred waiting tasks of one
origin are worth no more than one of another.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Generic, TypeVar

T = TypeVar("T")

#: Every so many turns the last in rank come first: they wait longer, not for ever.
TURN_OF_THE_LAST = 8
#: Clocks of this many origins (and tables of each) are remembered while they have nothing waiting.
REMEMBERED = 4096


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


@dataclass(slots=True)
class _Clock:
    """How many seconds somebody was given, as it counts against others."""

    at: float = 0.0


@dataclass(slots=True)
class _Clocks:
    """The clocks of all who share something."""

    now: float = 0.0
    """Where whoever comes anew begins: where the one served last stood."""
    known: OrderedDict[str, _Clock] = field(default_factory=OrderedDict)

    def of(self, who: str) -> _Clock:
        clock = self.known.pop(who, None) or _Clock(self.now)
        self.known[who] = clock
        while len(self.known) > REMEMBERED:
            self.known.popitem(last=False)
        return clock


@dataclass(slots=True)
class _Waiting(Generic[T]):
    """What waits in one rank: by origin, then by table, each in its order."""

    origins: dict[str, dict[str, deque[T]]] = field(default_factory=dict)
    count: int = 0

    def put(self, share: Share, item: T) -> None:
        self.origins.setdefault(share.origin, {}).setdefault(share.table, deque()).append(item)
        self.count += 1

    def take(self, origin: str, table: str) -> T:
        tables = self.origins[origin]
        item = tables[table].popleft()
        self._tidy(origin, table)
        return item

    def remove(self, share: Share, item: T) -> bool:
        waiting = self.origins.get(share.origin, {}).get(share.table)
        if waiting is None or item not in waiting:
            return False
        waiting.remove(item)
        self._tidy(share.origin, share.table)
        return True

    def _tidy(self, origin: str, table: str) -> None:
        self.count -= 1
        tables = self.origins[origin]
        if not tables[table]:
            del tables[table]
        if not tables:
            del self.origins[origin]


class FairQueue(Generic[T]):
    """What waits, and who is next. Not for several threads at once: whoever has it holds a lock."""

    def __init__(self, expected: float) -> None:
        self._expected = expected
        self._origins = _Clocks()
        self._tables: OrderedDict[str, _Clocks] = OrderedDict()
        self._ranks: dict[Rank, _Waiting[T]] = {rank: _Waiting() for rank in Rank}
        self._turn = 0

    def __len__(self) -> int:
        return sum(waiting.count for waiting in self._ranks.values())

    def waiting(self, rank: Rank) -> int:
        """How much waits in a rank."""
        return self._ranks[rank].count

    def of_origin(self, origin: str) -> int:
        """How much of an origin waits."""
        return sum(len(items) for waiting in self._ranks.values() for items in waiting.origins.get(origin, {}).values())

    def put(self, share: Share, item: T) -> None:
        """Something waits from now on."""
        waits = any(share.origin in waiting.origins for waiting in self._ranks.values())
        origin = self._origins.of(share.origin)
        if not waits:
            origin.at = max(origin.at, self._origins.now)
        tables = self._tables_of(share.origin)
        table = tables.of(share.table)
        if not any(share.table in waiting.origins.get(share.origin, {}) for waiting in self._ranks.values()):
            table.at = max(table.at, tables.now)
        self._ranks[share.rank].put(share, item)

    def remove(self, share: Share, item: T) -> bool:
        """Nobody waits for this any more; False if its turn has come already."""
        return self._ranks[share.rank].remove(share, item)

    def next(self) -> T | None:
        """Whose turn it is, or nothing. Until `served` tells the truth, it counts as much as is expected."""
        rank = self._rank()
        if rank is None:
            return None
        waiting = self._ranks[rank]
        origin = min(waiting.origins, key=lambda one: self._origins.of(one).at)
        tables = self._tables_of(origin)
        table = min(waiting.origins[origin], key=lambda one: tables.of(one).at)
        for clocks, who in ((self._origins, origin), (tables, table)):
            clock = clocks.of(who)
            clocks.now = max(clocks.now, clock.at)
            clock.at += self._expected
        return waiting.take(origin, table)

    def served(self, share: Share, seconds: float) -> None:
        """What `next` gave out took so many seconds."""
        for clocks, who in ((self._origins, share.origin), (self._tables_of(share.origin), share.table)):
            clocks.of(who).at += seconds - self._expected

    def _tables_of(self, origin: str) -> _Clocks:
        tables = self._tables.pop(origin, None) or _Clocks()
        self._tables[origin] = tables
        while len(self._tables) > REMEMBERED:
            self._tables.popitem(last=False)
        return tables

    def _rank(self) -> Rank | None:
        there = [rank for rank in Rank if self._ranks[rank].count]
        if not there:
            return None
        if len(there) > 1:
            self._turn += 1
            if self._turn % TURN_OF_THE_LAST == 0:
                return there[1 + (self._turn // TURN_OF_THE_LAST) % (len(there) - 1)]
        return there[0]
