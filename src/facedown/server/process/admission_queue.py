"""Admission of connections: a few at a time, in the order of their arrival.

When a server restarts, all pages reconnect at once. If all were admitted at once, each step would be done for all of
them before any took the next one, and all would show their tables when the last one does. So a connection waits for
one of a few places, and keeps it until its first page is sent.
"""

from __future__ import annotations

import asyncio

#: Connections that are admitted at the same time.
MAX_ADMITTED = 32
#: Seconds that a connection may take to say what its page shows.
HELLO_TIMEOUT = 0.3
#: Seconds that a connection may take for anything else, for example while the database does not answer.
ADMISSION_TIMEOUT = 5.0


class Admission:
    """A place that is taken by a connection; it is free again when it is closed, or some seconds later."""

    def __init__(self, places: asyncio.Semaphore) -> None:
        """`places`: one of them was acquired by the caller."""
        self._places = places
        self._timer = asyncio.get_running_loop().call_later(ADMISSION_TIMEOUT, self.close)

    def expect_hello(self) -> None:
        """End the admission soon, whatever the connection does."""
        if not self._timer.cancelled():
            self._timer.cancel()
            self._timer = asyncio.get_running_loop().call_later(HELLO_TIMEOUT, self.close)

    def close(self) -> None:
        """Free the place; again does nothing."""
        if not self._timer.cancelled():
            self._timer.cancel()
            self._places.release()


async def admit(places: asyncio.Semaphore) -> Admission:
    """Wait for one of the places."""
    await places.acquire()
    return Admission(places)
