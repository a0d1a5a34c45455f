"""Admission of WebSocket connections: only a few are opened at the same time, in order of arrival.

After a restart all pages reconnect at once. If the server opened all these connections at the same time, it would
switch between them, and nearly all would be ready before the first client receives its table.

So at first only `MAX_ADMITTED` connections are admitted. Whenever an admitted connection has sent the table to its
client, the next one is admitted.
"""

from __future__ import annotations

import asyncio

#: Maximum number of connections being admitted at the same time.
MAX_ADMITTED = 32
#: Seconds within which an open connection must send its `hello` message, which asks for the table. After that, the
#: connection no longer counts towards `MAX_ADMITTED`, so that another one can be opened.
HELLO_TIMEOUT = 0.3
#: Maximum number of seconds for which a connection counts towards `MAX_ADMITTED`. It is reached, for example, while the
#: database does not answer.
ADMISSION_TIMEOUT = 5.0


class Admission:
    """Permission to open one connection. At most `MAX_ADMITTED` connections have it at the same time.

    It ends when `close` is called, or after `ADMISSION_TIMEOUT` seconds.
    """

    def __init__(self, places: asyncio.Semaphore) -> None:
        """`places` is the semaphore that limits how many connections are opened at the same time.

        The caller has already acquired one place of the semaphore; `close` frees this place.
        """
        self._places = places
        self._timer = asyncio.get_running_loop().call_later(ADMISSION_TIMEOUT, self.close)

    def start_hello_timeout(self) -> None:
        """End the admission after `HELLO_TIMEOUT` seconds, if `close` is not called earlier.

        The connection calls this method when it is open, because the client must now send its `hello` message.
        """
        if not self._timer.cancelled():
            self._timer.cancel()
            self._timer = asyncio.get_running_loop().call_later(HELLO_TIMEOUT, self.close)

    def close(self) -> None:
        """End the admission, so that another connection may be opened. Repeated calls do nothing."""
        if not self._timer.cancelled():
            self._timer.cancel()
            self._places.release()


async def wait_for_admission(places: asyncio.Semaphore) -> Admission:
    """Wait until one more connection may be opened, and return its `Admission`.

    `places` is the semaphore that limits how many connections are opened at the same time.
    """
    await places.acquire()
    return Admission(places)
