"""Admission of WebSocket connections: only a few are opened at the same time, in order of arrival.

After a restart of the server, all pages reconnect at once. If the server opened all these connections concurrently, it
would finish all of them at nearly the same time. Even the first client would then wait almost as long as the last one.

So only the first `MAX_ADMITTED` connections are admitted at once, and the others wait. As soon as the server has sent
the table to the client of an admitted connection, it admits the next connection.
"""

from __future__ import annotations

import asyncio

#: Maximum number of connections that are being opened at the same time.
MAX_ADMITTED = 32
#: Maximum number of seconds for which an open connection counts towards `MAX_ADMITTED`. In this time, the client is to
#: send its `hello` message, which asks for the table, and the server is to send the table.
HELLO_TIMEOUT = 0.3
#: Maximum number of seconds for which a connection that is not open yet counts towards `MAX_ADMITTED`. This maximum is
#: reached, for example, while the database does not answer.
ADMISSION_TIMEOUT = 5.0


class Admission:
    """Permission to open one connection. At most `MAX_ADMITTED` connections have a permission at the same time.

    The permission ends when `close` is called, or after `ADMISSION_TIMEOUT` seconds, or `HELLO_TIMEOUT` seconds after a
    call of `start_hello_timeout`. The connection then stays open, but no longer counts towards `MAX_ADMITTED`.
    """

    def __init__(self, places: asyncio.Semaphore) -> None:
        """`places` is the semaphore that limits how many connections are opened at the same time.

        The caller has already acquired one place of the semaphore; `close` frees this place.
        """
        self._places = places
        self._timer = asyncio.get_running_loop().call_later(ADMISSION_TIMEOUT, self.close)

    def start_hello_timeout(self) -> None:
        """Make this permission end `HELLO_TIMEOUT` seconds from now, unless `close` ends it earlier.

        Call this as soon as the connection is open. The client must then send its `hello` message, which asks for the
        table. If the table has not been sent after the timeout, another connection may be opened nevertheless, and this
        one stays open. If the permission has ended already, this call does nothing.
        """
        if not self._timer.cancelled():
            self._timer.cancel()
            self._timer = asyncio.get_running_loop().call_later(HELLO_TIMEOUT, self.close)

    def close(self) -> None:
        """End this permission, so that another connection may be opened. Repeated calls do nothing.

        Call this when the table has been sent to the client, or when the connection has ended.
        """
        if not self._timer.cancelled():
            self._timer.cancel()
            self._places.release()


async def wait_for_admission(places: asyncio.Semaphore) -> Admission:
    """Wait until one more connection may be opened, and return its `Admission`.

    `places` is the semaphore that limits how many connections are opened at the same time.
    """
    await places.acquire()
    return Admission(places)
