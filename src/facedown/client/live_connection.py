"""WebSocket connection of a seat, which receives the table's messages and reconnects automatically."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Mapping

from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException
from websockets.sync.client import ClientConnection, connect

from facedown.client import messages as m
from facedown.client.errors import BadAnswer, NoAnswer, Refused, TooFast, error_for_code
from facedown.client.http_requests import Backoff

#: Seconds between two ping messages. The server closes a connection on which nothing arrives for 75 seconds.
PING = 20.0
#: Minimum timeout in seconds for opening a connection, even if `patience` is shorter.
SHORTEST = 5.0
#: HTTP status codes of an overloaded server or proxy, after which connecting is retried.
BUSY = (408, 425, 429)
#: Maximum size of a received message in bytes. A view has a few thousand bytes.
LONGEST = 2**20


class LiveConnection:
    """WebSocket connection to a table. `next` returns the chat messages and the views of the match one at a time.

    The first call of `next` connects. If the connection is lost, `next` tries to reconnect for up to `patience`
    seconds, and then raises an exception. After a reconnection the server first sends the newest view of the match.
    """

    def __init__(self, address: str, headers: Mapping[str, str], patience: float) -> None:
        self.address = address
        self.headers = headers
        self.patience = patience
        self.version = 0
        """Version (number of changes that the seat has seen) of the last view received. It is sent after a
        reconnection, so that the server knows what this client has missed."""
        self.opened = 0
        """Number of times that a WebSocket connection was opened, reconnections included."""
        self._line: ClientConnection | None = None
        self._open_lines = contextlib.ExitStack()
        self._closed = threading.Event()
        self._beats = threading.Thread(target=self._send_pings, name="facedown-client-ping", daemon=True)
        self._beats.start()

    def close(self) -> None:
        """Close the connection permanently."""
        self._closed.set()
        self._drop()

    def next(self, timeout: float | None = None) -> m.Known | m.Chat:
        """Wait for the next chat message or view and return it. Other messages are skipped, and a lost connection is
        reopened.

        Raises:
            TimeoutError: No message came within `timeout` seconds, although the connection is open.
            NoAnswer, TooFast: The connection could not be opened, or reopened after a loss, within `patience` seconds.
            TableClosed, Refused: The server ended the connection for good, with its reason.
            BadAnswer: A message violates the protocol.
        """
        until = None if timeout is None else time.monotonic() + timeout
        patience: Backoff | None = None
        while not self._closed.is_set():
            try:
                line = self._line or self._open()
                message = m.parse(line.recv(None if until is None else max(0.0, until - time.monotonic())))
            except TimeoutError:
                if self._line is not None:
                    raise
                lost: Exception = NoAnswer("the connection was not opened in time")
            except (OSError, EOFError, WebSocketException) as wrong:
                lost = wrong
            else:
                if isinstance(message, m.Error):
                    lost = error_for_code(message.code, message.reason)
                    if not isinstance(lost, TooFast):
                        raise lost
                    # After a too-fast error the server closes the connection, but this client may connect again later.
                else:
                    patience = None
                    if isinstance(message, m.Known):
                        self.version = message.version
                    if message is not None:
                        return message
                    continue
            self._drop()
            patience = patience or Backoff(self.patience)
            if not patience.wait():
                if isinstance(lost, Refused):
                    raise lost
                raise NoAnswer(f"{self.address}: {type(lost).__name__} {lost}".strip()) from lost
        raise NoAnswer("the seat was closed by this program")

    def _open(self) -> ClientConnection:
        try:
            self._line = self._open_lines.enter_context(
                connect(
                    self.address,
                    additional_headers=dict(self.headers),
                    max_size=LONGEST,
                    open_timeout=max(self.patience, SHORTEST),
                )
            )
        except InvalidStatus as wrong:
            if 400 <= wrong.response.status_code < 500 and wrong.response.status_code not in BUSY:
                raise BadAnswer(f"{self.address}: status {wrong.response.status_code}, not a live table") from None
            raise
        if self._closed.is_set():
            # Another thread called `close` while the connection was being opened.
            self._drop()
            raise EOFError
        self.opened += 1
        # If the server has already closed the connection, sending fails. The server's reason can still be received
        # afterwards.
        with contextlib.suppress(ConnectionClosed):
            self._line.send(json.dumps({"type": "hello", "version": self.version, "known": True}))
        return self._line

    def _drop(self) -> None:
        self._line = None
        with contextlib.suppress(OSError, WebSocketException):
            self._open_lines.close()

    def _send_pings(self) -> None:
        """Send a ping every `PING` seconds until the connection is closed, even while the program computes a move."""
        while not self._closed.wait(PING):
            if (line := self._line) is not None:
                with contextlib.suppress(OSError, WebSocketException):
                    line.send('{"type": "ping"}')
