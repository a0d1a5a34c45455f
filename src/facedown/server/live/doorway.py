"""Whoever opens a line comes in through here, a few at a time, so that the first to come are shown their table first.

When a server is started again, all pages come back at once. If all were let in at once, each step of the way would be
done for everybody before anybody took the next one, and all would see their tables when the last one does. A line is
in the doorway until its first page is out; who has not said in a moment what their page shows makes room for the next.
"""

from __future__ import annotations

import asyncio
import heapq
from collections import Counter
from itertools import count

#: So many lines are on their way in at once.
PLACES = 32
#: So long is it waited for what a page has to say first, in seconds.
PATIENCE = 0.3


class Passing:
    """A line on its way in."""

    def __init__(self, doorway: Doorway) -> None:
        self._doorway: Doorway | None = doorway

    def soon(self) -> None:
        """It is inside in a moment, whatever it does."""
        asyncio.get_running_loop().call_later(PATIENCE, self.close)

    def close(self) -> None:
        """It is inside, or gone; again is no harm."""
        doorway, self._doorway = self._doorway, None
        if doorway is not None:
            doorway.next()


class Doorway:
    """Lets lines in."""

    def __init__(self, places: int = PLACES) -> None:
        self._free = places
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._of_address: Counter[str] = Counter()
        """How many wait, by where they come from."""
        self._numbers = count()

    async def come_in(self, address: str) -> Passing:
        """Wait for a place. A crowd from one address lets those of others go before it."""
        if self._free:
            self._free -= 1
            return Passing(self)
        place = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (self._of_address[address], next(self._numbers), place))
        self._of_address[address] += 1
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                self.next()
            raise
        finally:
            self._of_address[address] -= 1
            if not self._of_address[address]:
                del self._of_address[address]
        return Passing(self)

    def next(self) -> None:
        """A place is free: whoever is next takes it."""
        while self._waiting:
            _, _, place = heapq.heappop(self._waiting)
            if not place.done():
                place.set_result(None)
                return
        self._free += 1
