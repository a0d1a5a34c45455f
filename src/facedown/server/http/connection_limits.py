"""Limits on connections, as thin subclasses of uvicorn's protocols: their number, the size of the data that clients
send, and the time that clients take.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory

from facedown.server.connection.messages import CLOSE_TRY_AGAIN_LATER
from facedown.server.http.refusal_response import raw_refusal
from facedown.server.http.request_limits import ConnectionLimits
from facedown.server.process import refusal_counts
from facedown.server.process.clocks import SYSTEM_CLOCK, Clock
from facedown.server.process.rate_limit import Buckets
from facedown.server.process.settings import ServerSettings

#: Compression of WebSocket messages, each on its own. If messages shared one compression context, the length of a
#: message would depend on secrets in earlier ones, and each connection would take 40 kB. Level 1 takes half the time of
#: level 6 and makes the message of a move 7 per cent longer. Memory level 6 takes half the time of memory level 8.
COMPRESSION = ServerPerMessageDeflateFactory(
    server_no_context_takeover=True, client_no_context_takeover=True, compress_settings={"level": 1, "memLevel": 6}
)
#: Bytes of WebSocket frames that are parsed at a time, so that a flood of tiny frames is noticed early.
CHUNK = 2048


class LimitedConfig(uvicorn.Config):
    """uvicorn configuration that applies the limits of the settings."""

    def __init__(self, app: Any, settings: ServerSettings, clock: Clock = SYSTEM_CLOCK, **more: Any) -> None:
        super().__init__(
            app,
            http=LimitedHttpProtocol,
            ws=LimitedWebSocketProtocol,
            access_log=False,
            # uvicorn would log a warning for each malformed request; these are counted instead.
            log_level="error",
            server_header=False,
            # uvicorn must not read forwarded headers: `http.client_address` does, and trusts only those of configured
            # proxies.
            proxy_headers=False,
            timeout_keep_alive=settings.keep_alive,
            # The limit is in characters, and a character has up to four bytes in UTF-8.
            ws_max_size=4 * settings.message_limit,
            **more,
        )
        self.settings = settings
        self.limits = ConnectionLimits(settings, clock)


class _Limited(asyncio.Protocol):
    """Base class of the HTTP and the WebSocket protocol: counts the connection, and limits the time for what the client
    must do.
    """

    transport: Any
    loop: asyncio.AbstractEventLoop
    handle_timeout: Callable[[str], None]
    write_timer = "take"

    def __init__(self, config: LimitedConfig, *about: Any, **more: Any) -> None:
        super().__init__(config, *about, **more)  # type: ignore[call-arg]
        self.limits, self.settings = config.limits, config.settings
        self.timers: dict[str, asyncio.TimerHandle] = {}
        """Timers by what the client must do: accept sent data ("take", "send"), or complete a request's "head" or
        "body".
        """

    def start_timer(self, owed: str) -> None:
        """Start the timer for something that the client must do ("head": send the head of a request), unless it runs.

        The time limit is the setting ``{owed}_timeout``.
        """
        if owed not in self.timers:
            self.timers[owed] = self.loop.call_later(
                getattr(self.settings, f"{owed}_timeout"), self.handle_timeout, owed
            )

    def stop_timers(self, *owed: str) -> None:
        """Stop the timers of these names."""
        for timer in [self.timers.pop(name) for name in owed if name in self.timers]:
            timer.cancel()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection, and stop all timers."""
        self.limits.release(self)
        self.stop_timers(*self.timers)
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Start the timer for accepting data: the client has not accepted all that was sent."""
        super().pause_writing()
        self.start_timer(self.write_timer)

    def resume_writing(self) -> None:
        """Stop the timer for accepting data."""
        super().resume_writing()
        self.stop_timers(self.write_timer)


class LimitedHttpProtocol(_Limited, HttpToolsProtocol):
    """HTTP connection within the limits."""

    _refused = ""
    _head_bytes = 0
    _answered: RequestResponseCycle | None = None

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._answered = cycle
        super()._start_asgi_task(cycle, app)

    @property
    def is_busy(self) -> bool:
        """Whether a request is being answered."""
        return self._answered is not None and not self._answered.response_complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept the connection, or mark it to be refused once its request arrives."""
        super().connection_made(transport)
        # With limit 0, asyncio calls `pause_writing`, which starts the timer, as soon as one byte has to wait, even
        # just before the connection is closed.
        transport.set_write_buffer_limits(0)
        self.start_timer("head")
        self._refused = self.limits.admit(self, self.client[0] if self.client else "")

    def handle_timeout(self, owed: str) -> None:
        """Close the connection, with a response if a request has begun to arrive.

        A client that does not accept sent data gets no response. If the server itself has paused reading, the client is
        not too slow, so its timer starts again.
        """
        if owed == "take":
            refusal_counts.count("answer-not-taken")
            self.transport.abort()
        elif self.flow.read_paused:
            self.stop_timers(owed)
            self.start_timer(owed)
        elif owed == "head" and not self._head_bytes:
            refusal_counts.count("silent")
            self.transport.close()
        else:
            self._refuse(f"slow-{owed}")

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection over to the WebSocket protocol; refuse if an earlier request is not answered yet."""
        if self.is_busy or self.flow.write_paused or not self.url.isascii():
            self._refuse("no-request")
            return
        self.stop_timers(*self.timers)
        super().handle_websocket_upgrade()
        # Breaks a reference cycle of the parser and this object; uvicorn breaks it only when a connection is lost.
        self.parser = None  # type: ignore[assignment]
        successor = self.transport.get_protocol()
        self.limits.open[successor] = self.limits.open.pop(self)
        if not successor.handshake_initiated:
            self._refuse("no-request")

    def data_received(self, data: bytes) -> None:
        """Parse received data, and refuse a request whose head is too large."""
        if self._refused:
            self._refuse(self._refused)
            return
        if "body" not in self.timers:
            self._head_bytes += len(data)
            self.start_timer("head")
        super().data_received(data)
        if "head" in self.timers and self._head_bytes > self.settings.head_limit:
            self._refuse("head-too-large")

    def on_headers_complete(self) -> None:
        """Check the size and number of headers before the request is handled. The `ValueError` stops the parser."""
        size = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        if len(self.headers) > self.settings.headers_limit or size > self.settings.head_limit:
            self._refuse("head-too-large" if size > self.settings.head_limit else "too-many-headers")
            raise ValueError
        self._head_bytes = 0
        self.stop_timers("head")
        self.start_timer("body")
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Stop the timer for the body, and note that this connection had the latest request of all."""
        self.stop_timers("body")
        self.limits.open[self] = self.limits.open.pop(self)
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Refuse data that are not a valid request, with an answer of this server instead of uvicorn's."""
        self._refuse("no-request")

    def _refuse(self, kind: str) -> None:
        """Send the response of a refusal, unless another one was begun or sent, and close the connection."""
        if self.transport.is_closing():
            return
        refusal_counts.count(kind)
        if self._answered is None or not self._answered.response_started or not (self.is_busy or "body" in self.timers):
            self.transport.write(raw_refusal(kind, self.settings.language))
        self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell the application that the client disconnected; uvicorn itself does this only for the last request."""
        if self._answered is not None:
            self._answered.disconnected = True
            self._answered.message_event.set()
        super().connection_lost(exc)


class LimitedWebSocketProtocol(_Limited, WebSocketsSansIOProtocol):
    """WebSocket connection within the limits."""

    is_busy = True
    write_timer = "send"

    def __init__(self, config: LimitedConfig, *about: Any, **more: Any) -> None:
        super().__init__(config, *about, **more)
        self.conn.available_extensions = [COMPRESSION]
        self._frames = Buckets(self.settings.frames_at_once, self.settings.frames_a_second, clock=self.limits.clock)

    def shutdown(self) -> None:
        """Close the connection. If the handshake is not complete, answer it with 503."""
        if not self.handshake_complete and not self.close_sent:
            self.conn.send_response(self.conn.reject(503, ""))
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
        super().shutdown()

    def data_received(self, data: bytes) -> None:
        """Parse received data in chunks. The first call gets the whole handshake request."""
        for start in range(0, len(data), CHUNK):
            if not self.transport.is_closing():
                super().data_received(data[start : start + CHUNK])

    def handle_events(self) -> None:
        """Handle frames, or close with code 1008 if they exceed the rate limit."""
        if all(self._frames.take() for _event in self.conn.events):
            super().handle_events()
        else:
            self.handle_parser_exception(1008, "frames")

    def send_receive_event_to_app(self) -> None:
        """Pass a message to the application, or close with code 1007 if its text is no UTF-8. uvicorn would log an
        error.
        """
        try:
            if self.curr_msg_data_type == "text" and not self.close_sent:
                b"".join(self.frames).decode()
            super().send_receive_event_to_app()
        except UnicodeDecodeError:
            self.handle_parser_exception(1007, "not-utf8")

    def handle_parser_exception(self, code: int = 0, kind: str = "frame-malformed") -> None:
        """Close the connection and count `kind` as the reason. Send close code `code`, unless it is 0 or one was sent
        already.
        """
        if code and self.conn.close_sent is None:
            self.conn.fail(code)
        refusal_counts.count(kind)
        super().handle_parser_exception()

    def handle_timeout(self, owed: str) -> None:
        """Abort the connection, and tell the application by the close code that the client was too slow."""
        self.queue.put_nowait({"type": "websocket.disconnect", "code": CLOSE_TRY_AGAIN_LATER})
        refusal_counts.count("message-not-taken")
        self.transport.abort()
