"""Queue of pages that wait to be rendered.

Rendering pages is the most expensive part of handling a move, but the next move need not wait for it. Therefore one
page is rendered per iteration of the event loop, and requests are read in between.

If the table changes again while a page waits, the page is rendered only once, with the newest state. On a busy server
this saves a third of all renderings.
"""

from __future__ import annotations

import asyncio
import heapq
from itertools import count

#: Longest time, in seconds, that other pages wait while pages of players who are to act are rendered first.
RENDER_PATIENCE = 0.1

Turn = asyncio.Future[None]


class RenderQueue:
    """Pages that wait to be rendered: first those of players who are to act, then those that have waited longest."""

    def __init__(self, patience: float = RENDER_PATIENCE) -> None:
        self.patience = patience
        self._waiting: list[tuple[float, int, Turn]] = []
        self._numbers = count()
        self._busy = False

    def enqueue(self, urgent: bool) -> Turn:
        """Add a page to the queue. Return a future that completes when the caller is to render the page.

        An `urgent` page is due at once. Any other page is due `patience` seconds from now (an argument of the
        constructor). Of all waiting pages, the one with the earliest due time is rendered first.
        """
        loop = asyncio.get_running_loop()
        turn: Turn = loop.create_future()
        self._put(loop.time() + (0.0 if urgent else self.patience), turn)
        if not self._busy:
            self._busy = True
            loop.call_soon(self._complete_next_turn)
        return turn

    def make_due(self, turn: Turn) -> None:
        """Make a waiting page due at once, as if it had been added as `urgent`.

        `turn` is the future that `enqueue` returned for this page.
        """
        self._put(asyncio.get_running_loop().time(), turn)

    def _put(self, due: float, turn: Turn) -> None:
        heapq.heappush(self._waiting, (due, next(self._numbers), turn))

    def _complete_next_turn(self) -> None:
        while self._waiting:
            _due, _number, turn = heapq.heappop(self._waiting)
            if not turn.done():
                turn.set_result(None)
                # The task that renders this page is now queued in the event loop. `call_soon` queues this method behind
                # it. The next page is rendered only in the following iteration of the loop, after requests were read.
                asyncio.get_running_loop().call_soon(self._complete_next_turn)
                return
        self._busy = False
