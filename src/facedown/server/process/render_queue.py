"""Whose page is drawn next: first those of people who are to act, and nobody's twice where once is enough.

Drawing is the costliest thing that a move brings about, and none of it has to be done before the next move. So pages
wait here, and one is drawn in each turn of the event loop: what comes in meanwhile is heard in between. A page that
still waits when the table changes again is drawn once, as the table stands then.
"""

from __future__ import annotations

import asyncio
import heapq
from itertools import count

#: A busy server lets the page of somebody who only looks on wait so long for those who are to act, in seconds.
PATIENCE = 0.1


class Painter:
    """The pages of a process that wait to be drawn, whichever is due first."""

    def __init__(self, patience: float = PATIENCE) -> None:
        self.patience = patience
        self._waiting: list[tuple[float, int, asyncio.Future[None]]] = []
        self._numbers = count()
        self._busy = False

    def turn(self, urgent: bool) -> asyncio.Future[None]:
        """Done when it is this page's turn; it is due at once, or when `patience` is over."""
        loop = asyncio.get_running_loop()
        turn: asyncio.Future[None] = loop.create_future()
        self._push(turn, loop.time() + (0.0 if urgent else self.patience))
        if not self._busy:
            self._busy = True
            loop.call_soon(self._next)
        return turn

    def hurry(self, turn: asyncio.Future[None]) -> None:
        """A page that waits is due at once."""
        if not turn.done():
            self._push(turn, asyncio.get_running_loop().time())

    def _push(self, turn: asyncio.Future[None], due: float) -> None:
        heapq.heappush(self._waiting, (due, next(self._numbers), turn))

    def _next(self) -> None:
        while self._waiting:
            _, _, turn = heapq.heappop(self._waiting)
            if not turn.done():
                turn.set_result(None)
                # After the page has been drawn, and after what has come in.
                asyncio.get_running_loop().call_soon(self._next)
                return
        self._busy = False
