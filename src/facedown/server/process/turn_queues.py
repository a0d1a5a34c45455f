"""Queues in which tasks wait for their turn: connections to be admitted, and pages to be rendered.

When a server restarts, all pages reconnect at once. If all were admitted at once, each step would be done for all of
them before any took the next one, and all would show their tables when the last one does. So a few are admitted at a
time; a connection counts until its first page is sent.

Rendering is the costliest part of a move, and none of it has to be done before the next move. So one page is rendered
in each turn of the event loop, and requests are read in between. A page that still waits when the table changes again
is rendered once, with the newest state.
"""

from __future__ import annotations

import asyncio
import heapq
from collections import Counter
from itertools import count, islice

#: Connections that are admitted at the same time.
MAX_ADMITTED = 32
#: Seconds that a connection may take to say what its page shows.
HELLO_TIMEOUT = 0.3
#: Seconds that a connection may take for anything else, for example while the database does not answer.
ADMISSION_TIMEOUT = 5.0
#: Connections of one table that are admitted one after the other: as many as the largest table has seats.
TABLE_GROUP = 8
#: Seconds that the page of a spectator may wait for those of players who are to act.
RENDER_PATIENCE = 0.1

Turn = asyncio.Future[None]


class TurnQueue:
    """Waiting turns by priority, the lowest first; equal ones in the order of their arrival."""

    def __init__(self) -> None:
        self._heap: list[tuple[float, int, Turn]] = []
        self._numbers = count()

    def put(self, priority: float, turn: Turn) -> None:
        """Add a turn, or add it once more to raise its priority."""
        heapq.heappush(self._heap, (priority, next(self._numbers), turn))

    def next(self) -> tuple[float, Turn] | None:
        """Begin the next turn that is still awaited; returns it with its priority, or None if the queue is empty."""
        while self._heap:
            priority, _number, turn = heapq.heappop(self._heap)
            if not turn.done():
                turn.set_result(None)
                return priority, turn
        return None


class Admission:
    """A connection that was admitted and has not been sent its first page."""

    def __init__(self, queue: AdmissionQueue) -> None:
        self._queue: AdmissionQueue | None = queue
        self._timer = asyncio.get_running_loop().call_later(ADMISSION_TIMEOUT, self.close)

    def expect_hello(self) -> None:
        """End the admission soon, whatever the connection does."""
        self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(HELLO_TIMEOUT, self.close)

    def close(self) -> None:
        """End the admission; again does nothing."""
        self._timer.cancel()
        queue, self._queue = self._queue, None
        if queue is not None:
            queue.next()


class AdmissionQueue:
    """Admits connections in the order of their arrival, with two exceptions.

    Connections from an address with many others let those from other addresses go first. After the first connection
    of a table the others of that table follow: then its players can go on at once, and no page shows them as away.
    """

    def __init__(self, places: int = MAX_ADMITTED) -> None:
        self._free = places
        self._queue = TurnQueue()
        self._of_table: dict[str, dict[Turn, None]] = {}
        self._table_of: dict[Turn, str] = {}
        self._of_address: Counter[str] = Counter()

    async def admit(self, address: str, code: str) -> Admission:
        """Wait for a place, for a connection to the table of a code."""
        if self._free:
            self._free -= 1
            return Admission(self)
        turn: Turn = asyncio.get_running_loop().create_future()
        self._queue.put(self._of_address[address], turn)
        self._of_address[address] += 1
        self._of_table.setdefault(code, {})[turn] = None
        self._table_of[turn] = code
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.next()
            raise
        finally:
            self._of_address[address] -= 1
            if not self._of_address[address]:
                del self._of_address[address]
            del self._of_table[code][turn], self._table_of[turn]
            if not self._of_table[code]:
                del self._of_table[code]
        return Admission(self)

    def next(self) -> None:
        """Give a free place to the next connection."""
        found = self._queue.next()
        if found is None:
            self._free += 1
            return
        rank, first = found
        if rank >= 0:
            others = (turn for turn in self._of_table[self._table_of[first]] if not turn.done())
            for turn in list(islice(others, TABLE_GROUP - 1)):
                self._queue.put(-1, turn)


class RenderQueue:
    """Pages that wait to be rendered: those of players who are to act first, then those that wait for longest."""

    def __init__(self, patience: float = RENDER_PATIENCE) -> None:
        self.patience = patience
        self._queue = TurnQueue()
        self._busy = False

    def turn(self, urgent: bool) -> Turn:
        """Return a future that is done when the page is to be rendered; it is due now, or after `patience`."""
        loop = asyncio.get_running_loop()
        turn: Turn = loop.create_future()
        self._queue.put(loop.time() + (0.0 if urgent else self.patience), turn)
        if not self._busy:
            self._busy = True
            loop.call_soon(self._next)
        return turn

    def hurry(self, turn: Turn) -> None:
        """Make a waiting page due now."""
        if not turn.done():
            self._queue.put(asyncio.get_running_loop().time(), turn)

    def _next(self) -> None:
        self._busy = self._queue.next() is not None
        if self._busy:
            # Called after the page has been rendered and after incoming requests have been read.
            asyncio.get_running_loop().call_soon(self._next)
