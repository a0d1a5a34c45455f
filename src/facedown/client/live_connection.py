"""The live line of a seat: what the table tells, over a connection that comes back by itself."""

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

#: So often, in seconds, a line says that somebody is there: one that says nothing for 75 s is closed.
PING = 20.0
#: A line may take so long to open, in seconds, where there is less patience.
SHORTEST = 5.0
#: The status of a server that has no time, or of whoever stands before it.
BUSY = (408, 425, 429)
#: No message is longer, in bytes; a view has some thousands.
LONGEST = 2**20


class LiveConnection:
    """Messages of a live table, one after the other. A lost line is opened again, and is sent the newest view first."""

    def __init__(self, address: str, headers: Mapping[str, str], patience: float) -> None:
        self.address = address
        self.headers = headers
        self.patience = patience
        self.version = 0
        """What the seat has seen: after a lost line it is told what happened since."""
        self.opened = 0
        """How often a line was opened."""
        self._line: ClientConnection | None = None
        self._open_lines = contextlib.ExitStack()
        self._closed = threading.Event()
        self._beats = threading.Thread(target=self._send_pings, name="facedown-client-ping", daemon=True)
        self._beats.start()

    def close(self) -> None:
        """Close the line for good."""
        self._closed.set()
        self._drop()

    def next(self, timeout: float | None = None) -> m.Known | m.Chat:
        """The next message that is known here.

        Raises:
            TimeoutError: none came in so many seconds, and the line stands.
            NoAnswer, TooFast: the line was lost, and none could be opened again within the patience.
            TableClosed, Refused: the server ends the line for good, and says why.
            BadAnswer: what came is no message.
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
                lost: Exception = NoAnswer("the line was not opened in time")
            except (OSError, EOFError, WebSocketException) as wrong:
                lost = wrong
            else:
                if isinstance(message, m.Error):
                    lost = error_for_code(message.code, message.reason)
                    if not isinstance(lost, TooFast):
                        raise lost
                    # The line is closed, and may be opened again later.
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
        raise NoAnswer("the seat was closed here")

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
                raise BadAnswer(f"{self.address}: status {wrong.response.status_code}, no live table") from None
            raise
        if self._closed.is_set():
            # Whoever has the seat closed it meanwhile.
            self._drop()
            raise EOFError
        self.opened += 1
        # It may be closed already, with a reason that is still to be read.
        with contextlib.suppress(ConnectionClosed):
            self._line.send(json.dumps({"type": "hello", "version": self.version, "known": True}))
        return self._line

    def _drop(self) -> None:
        self._line = None
        with contextlib.suppress(OSError, WebSocketException):
            self._open_lines.close()

    def _send_pings(self) -> None:
        """Say now and then that somebody is there, also while they think."""
        while not self._closed.wait(PING):
            if (line := self._line) is not None:
                with contextlib.suppress(OSError, WebSocketException):
                    line.send('{"type": "ping"}')
