"""Admission of WebSocket connections: only a few are opened at the same time, in order of arrival.

After a restart all pages reconnect at once. If the server opened all these connections at the same time, it would
switch between them, and nearly all would be ready before the first client receives its table. So a connection waits for
one of a few places, and keeps the place until the table has been sent to its client.
"""

from __future__ import annotations

import asyncio

#: Maximum number of connections being admitted at the same time.
MAX_ADMITTED = 32
#: Seconds within which an open connection must send its `hello` message, which asks for the table. Otherwise the next
#: connection gets its place among the `MAX_ADMITTED`.
HELLO_TIMEOUT = 0.3
#: Maximum seconds for which a connection keeps its place among the `MAX_ADMITTED`, for example while the database does
#: not answer.
ADMISSION_TIMEOUT = 5.0


class Admission:
    """Place of a connection that is being opened, among the limited number that are opened at the same time.

    The place is freed by `close`, or after `ADMISSION_TIMEOUT` seconds.
    """

    def __init__(self, places: asyncio.Semaphore) -> None:
        """`places` limits how many connections are opened at the same time. The caller has acquired it."""
        self._places = places
        self._timer = asyncio.get_running_loop().call_later(ADMISSION_TIMEOUT, self.close)

    def expect_hello(self) -> None:
        """Free the place after `HELLO_TIMEOUT` seconds, unless it is freed earlier.

        The connection calls this when it is open, because the client must now send its `hello` message.
        """
        if not self._timer.cancelled():
            self._timer.cancel()
            self._timer = asyncio.get_running_loop().call_later(HELLO_TIMEOUT, self.close)

    def close(self) -> None:
        """Free the place, so that another connection may be opened. Repeated calls do nothing."""
        if not self._timer.cancelled():
            self._timer.cancel()
            self._places.release()


async def admit(places: asyncio.Semaphore) -> Admission:
    """Wait until one more connection may be opened, and return its `Admission`.

    `places` limits how many connections are opened at the same time.
    """
    await places.acquire()
    return Admission(places)
