"""The queue of pages that wait to be rendered.

Rendering is the costliest part of a move, and none of it has to be done before the next move. So one page is rendered
in each turn of the event loop, and requests are read in between. A page that still waits when the table changes again
is rendered once, with the newest state: on a busy server this saves a third of the pages.
"""

from __future__ import annotations

import asyncio
import heapq
from itertools import count

#: Seconds that any other page may wait for those of players who are to act.
RENDER_PATIENCE = 0.1

Turn = asyncio.Future[None]


class RenderQueue:
    """Pages that wait to be rendered: those of players who are to act first, then those that wait for longest."""

    def __init__(self, patience: float = RENDER_PATIENCE) -> None:
        self.patience = patience
        self._waiting: list[tuple[float, int, Turn]] = []
        self._numbers = count()
        self._busy = False

    def enqueue(self, urgent: bool) -> Turn:
        """Return a future that is done when the page is to be rendered; it is due now, or after `patience`."""
        loop = asyncio.get_running_loop()
        turn: Turn = loop.create_future()
        self._put(loop.time() + (0.0 if urgent else self.patience), turn)
        if not self._busy:
            self._busy = True
            loop.call_soon(self._next)
        return turn

    def make_due(self, turn: Turn) -> None:
        """Make a waiting page due now."""
        self._put(asyncio.get_running_loop().time(), turn)

    def _put(self, due: float, turn: Turn) -> None:
        heapq.heappush(self._waiting, (due, next(self._numbers), turn))

    def _next(self) -> None:
        while self._waiting:
            _due, _number, turn = heapq.heappop(self._waiting)
            if not turn.done():
                turn.set_result(None)
                # Called after the page has been rendered and after incoming requests have been read.
                asyncio.get_running_loop().call_soon(self._next)
                return
        self._busy = False
