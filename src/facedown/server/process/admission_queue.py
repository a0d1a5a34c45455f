"""Whoever opens a line comes in through here, a few at a time, so that the first to come are shown their table first.

When a server is started again, all pages come back at once. If all were let in at once, each step of the way would be
done for everybody before anybody took the next one, and all would see their tables when the last one does. A line is
in the doorway until its first page is out; who has not said in a moment what their page shows makes room for the next.
"""

from __future__ import annotations

import asyncio
import heapq
from collections import Counter
from dataclasses import dataclass, field
from itertools import count, islice

#: So many lines are on their way in at once.
PLACES = 32
#: So long is it waited for what a page has to say first, in seconds.
PATIENCE = 0.3
#: So long is it waited for whatever a line itself waits for: a database that does not answer, say.
LONGEST = 5.0
#: So many lines of one table come in one after the other: as many as sit at the largest.
COMPANY = 8


class Passing:
    """A line on its way in."""

    def __init__(self, doorway: Doorway) -> None:
        self._doorway: Doorway | None = doorway
        self._timer = asyncio.get_running_loop().call_later(LONGEST, self.close)

    def soon(self) -> None:
        """It is inside in a moment, whatever it does."""
        self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(PATIENCE, self.close)

    def close(self) -> None:
        """It is inside, or gone; again is no harm."""
        self._timer.cancel()
        doorway, self._doorway = self._doorway, None
        if doorway is not None:
            doorway.next()


@dataclass(eq=False, slots=True)
class _Waiting:
    """A line that waits to be let in."""

    code: str
    place: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Doorway:
    """Lets lines in.

    Who has waited longest comes next, but a crowd from one address lets those of others go before it, and with the
    first of a table comes its company: whose table is open is played with at once, and their pages need not show the
    others as away.
    """

    def __init__(self, places: int = PLACES) -> None:
        self._free = places
        self._queue: list[tuple[int, int, _Waiting]] = []
        self._of_table: dict[str, dict[_Waiting, None]] = {}
        self._of_address: Counter[str] = Counter()
        self._numbers = count()

    async def come_in(self, address: str, code: str) -> Passing:
        """Wait for a place, for a line of the table of a code."""
        if self._free:
            self._free -= 1
            return Passing(self)
        waiting = _Waiting(code)
        self._put(self._of_address[address], waiting)
        self._of_address[address] += 1
        self._of_table.setdefault(code, {})[waiting] = None
        try:
            await waiting.place
        except asyncio.CancelledError:
            if waiting.place.done() and not waiting.place.cancelled():
                self.next()
            raise
        finally:
            self._gone(address, waiting)
        return Passing(self)

    def next(self) -> None:
        """A place is free: whoever is next takes it."""
        while self._queue:
            rank, _, waiting = heapq.heappop(self._queue)
            if not waiting.place.done():
                waiting.place.set_result(None)
                if rank >= 0:
                    self._bring_company(waiting)
                return
        self._free += 1

    def _put(self, rank: int, waiting: _Waiting) -> None:
        heapq.heappush(self._queue, (rank, next(self._numbers), waiting))

    def _bring_company(self, first: _Waiting) -> None:
        others = (waiting for waiting in self._of_table[first.code] if not waiting.place.done())
        for waiting in list(islice(others, COMPANY - 1)):
            self._put(-1, waiting)

    def _gone(self, address: str, waiting: _Waiting) -> None:
        self._of_address[address] -= 1
        if not self._of_address[address]:
            del self._of_address[address]
        at_table = self._of_table[waiting.code]
        del at_table[waiting]
        if not at_table:
            del self._of_table[waiting.code]
