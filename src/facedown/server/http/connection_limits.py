"""Limits on the number of connections, on the size of requests, and on the time that clients may take to send or read.

They are implemented in subclasses of uvicorn's HTTP and WebSocket protocols.
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
from facedown.server.http.per_client_limits import ConnectionLimits
from facedown.server.http.refusal_response import raw_refusal
from facedown.server.process import refusal_counts
from facedown.server.process.clocks import SYSTEM_CLOCK, Clock
from facedown.server.process.rate_limit import Buckets
from facedown.server.process.server_settings import ServerSettings

#: Compression of WebSocket messages. Each message is compressed separately. With a shared compression context, the
#: length of a message would depend on secrets in earlier ones, and each connection would need 40 kB of memory.
#:
#: * Level 1 takes half the time of level 6 and makes the message of a move 7 per cent longer.
#: * Memory level 6 takes half the time of memory level 8.
COMPRESSION = ServerPerMessageDeflateFactory(
    server_no_context_takeover=True, client_no_context_takeover=True, compress_settings={"level": 1, "memLevel": 6}
)
#: Number of received bytes of WebSocket frames that are parsed at a time, so that a flood of tiny frames is noticed
#: early.
CHUNK = 2048


class LimitedConfig(uvicorn.Config):
    """uvicorn configuration whose HTTP and WebSocket protocols enforce the limits in the server's settings."""

    def __init__(self, app: Any, settings: ServerSettings, clock: Clock = SYSTEM_CLOCK, **more: Any) -> None:
        super().__init__(
            app,
            http=LimitedHttpProtocol,
            ws=LimitedWebSocketProtocol,
            access_log=False,
            # Malformed requests are counted (`refusal_counts`), so uvicorn must not log a warning for each of them.
            log_level="error",
            server_header=False,
            # uvicorn must not read forwarded headers: `http.client_address` does, and trusts only those of configured
            # proxies.
            proxy_headers=False,
            timeout_keep_alive=settings.keep_alive,
            # `message_limit` is in characters, `ws_max_size` in bytes. A character has up to four bytes in UTF-8.
            ws_max_size=4 * settings.message_limit,
            **more,
        )
        self.settings = settings
        self.limits = ConnectionLimits(settings, clock)


class _Limited(asyncio.Protocol):
    """Base class of the HTTP and WebSocket protocols: timeouts for slow clients, and the count of open connections."""

    transport: Any
    loop: asyncio.AbstractEventLoop
    handle_timeout: Callable[[str], None]
    write_timer = "take"

    def __init__(self, config: LimitedConfig, *about: Any, **more: Any) -> None:
        super().__init__(config, *about, **more)  # type: ignore[call-arg]
        self.limits, self.settings = config.limits, config.settings
        self.timers: dict[str, asyncio.TimerHandle] = {}
        """Running timeouts, by the name of what the client must do in time: "head", "body", "take" or "send".

        See `start_timer` for the meaning of the names.
        """

    def start_timer(self, owed: str) -> None:
        """Start a timeout, unless it is already running. When it expires, `handle_timeout(owed)` is called.

        `owed` names what the client must do in time:

        * "head": send the head of a request (URL and headers)
        * "body": send the body of a request
        * "take": read the HTTP response that was sent to it
        * "send": read the WebSocket messages that were sent to it

        The time limit is the setting ``{owed}_timeout``.
        """
        if owed not in self.timers:
            self.timers[owed] = self.loop.call_later(
                getattr(self.settings, f"{owed}_timeout"), self.handle_timeout, owed
            )

    def stop_timers(self, *owed: str) -> None:
        """Stop the timeouts with the names `owed` (see `start_timer`). A timeout that is not running is ignored."""
        for timer in [self.timers.pop(name) for name in owed if name in self.timers]:
            timer.cancel()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop all timeouts, and stop counting the connection towards the limits on open connections."""
        self.limits.release(self)
        self.stop_timers(*self.timers)
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Start the timeout within which the client must read the data that the server has sent to it.

        asyncio calls this method when sent data has to wait in memory, because the client reads too slowly.
        """
        super().pause_writing()
        self.start_timer(self.write_timer)

    def resume_writing(self) -> None:
        """Stop the timeout within which the client must read the data that the server has sent to it.

        asyncio calls this method when no more sent data waits in memory.
        """
        super().resume_writing()
        self.stop_timers(self.write_timer)


class LimitedHttpProtocol(_Limited, HttpToolsProtocol):
    """HTTP connection that is refused if too many are open, in total or from the client's address.

    An accepted connection is closed if the head of a request (URL and headers) is too large or has too many headers. It
    is also closed if the client sends requests or reads responses too slowly.
    """

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
        """Accept the connection. If too many are open, mark it, so that it is refused when the client sends data."""
        super().connection_made(transport)
        # `pause_writing` starts the timeout for a client that does not read sent data. With limit 0, asyncio calls it
        # as soon as one byte has to wait. So the timeout also applies to a client that does not read the last bytes
        # before the connection is closed.
        transport.set_write_buffer_limits(0)
        self.start_timer("head")
        self._refused = self.limits.admit_or_refusal_kind(self, self.client[0] if self.client else "")

    def handle_timeout(self, owed: str) -> None:
        """Close the connection of a client that was too slow.

        `owed` names what the client has not done in time:

        * "head": send the head of a request (URL and headers). If part of it has arrived, send an error response.
        * "body": send the body of a request. Send an error response.
        * "take": read the response. Send no error response.

        If the server itself has stopped reading from the connection, a late head or body is not the client's fault. In
        this case, only start the timeout again.
        """
        if owed == "take":
            refusal_counts.count_refusals("answer-not-taken")
            self.transport.abort()
        elif self.flow.read_paused:
            self.stop_timers(owed)
            self.start_timer(owed)
        elif owed == "head" and not self._head_bytes:
            refusal_counts.count_refusals("silent")
            self.transport.close()
        else:
            self._refuse_and_close(f"slow-{owed}")

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection over to the WebSocket protocol, or refuse the upgrade and close the connection.

        The upgrade is refused if an earlier request on the connection is not answered yet, if the client has not read
        all data sent to it, if the URL has non-ASCII characters, or if the WebSocket handshake is invalid.
        """
        if self.is_busy or self.flow.write_paused or not self.url.isascii():
            self._refuse_and_close("no-request")
            return
        self.stop_timers(*self.timers)
        super().handle_websocket_upgrade()
        # Break the reference cycle between this object and its parser. uvicorn breaks it only when a connection is
        # lost.
        self.parser = None  # type: ignore[assignment]
        successor = self.transport.get_protocol()
        self.limits.open[successor] = self.limits.open.pop(self)
        if not successor.handshake_initiated:
            self._refuse_and_close("no-request")

    def data_received(self, data: bytes) -> None:
        """Parse received data, and refuse a request whose head (URL and headers) is too large."""
        if self._refused:
            self._refuse_and_close(self._refused)
            return
        if "body" not in self.timers:
            self._head_bytes += len(data)
            self.start_timer("head")
        super().data_received(data)
        if "head" in self.timers and self._head_bytes > self.settings.head_limit:
            self._refuse_and_close("head-too-large")

    def on_headers_complete(self) -> None:
        """Check the size and number of headers before the request is handled.

        If a limit is exceeded, refuse the request and raise `ValueError`, which stops the parser.
        """
        size = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        if len(self.headers) > self.settings.headers_limit or size > self.settings.head_limit:
            self._refuse_and_close("head-too-large" if size > self.settings.head_limit else "too-many-headers")
            raise ValueError
        self._head_bytes = 0
        self.stop_timers("head")
        self.start_timer("body")
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Stop the timeout for the body, and move this connection to the end of `limits.open`.

        `limits.open` is ordered by the time of each connection's last request.
        """
        self.stop_timers("body")
        self.limits.open[self] = self.limits.open.pop(self)
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Refuse data that are not a valid request, with a response of this server instead of uvicorn's."""
        self._refuse_and_close("no-request")

    def _refuse_and_close(self, kind: str) -> None:
        """Send an error response, unless the response to the current request has begun, and close the connection.

        `kind` is a key of `CONNECTION_REFUSALS`.
        """
        if self.transport.is_closing():
            return
        refusal_counts.count_refusals(kind)
        if self._answered is None or not self._answered.response_started or not (self.is_busy or "body" in self.timers):
            self.transport.write(raw_refusal(kind, self.settings.language))
        self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell the application that the client disconnected while its request was being handled.

        uvicorn itself does this only for the request received last. An earlier one may still be unanswered.
        """
        if self._answered is not None:
            self._answered.disconnected = True
            self._answered.message_event.set()
        super().connection_lost(exc)


class LimitedWebSocketProtocol(_Limited, WebSocketsSansIOProtocol):
    """WebSocket connection that is closed if the client sends too fast, sends too much at once, or reads too slowly."""

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
        """Parse received data in chunks of `CHUNK` bytes, so that a flood of tiny frames is noticed early.

        The first call gets the HTTP request of the handshake, complete, from `LimitedHttpProtocol`. All later calls get
        WebSocket frames.
        """
        for start in range(0, len(data), CHUNK):
            if not self.transport.is_closing():
                super().data_received(data[start : start + CHUNK])

    def handle_events(self) -> None:
        """Handle the received frames, or close with code 1008 (policy violation) if they exceed the rate limit."""
        if all(self._frames.take_token() for _event in self.conn.events):
            super().handle_events()
        else:
            self.handle_parser_exception(1008, "frames")

    def send_receive_event_to_app(self) -> None:
        """Pass a received message to the application, or close with code 1007 if its text is not UTF-8.

        Without this check, uvicorn would log an error.
        """
        try:
            if self.curr_msg_data_type == "text" and not self.close_sent:
                b"".join(self.frames).decode()
            super().send_receive_event_to_app()
        except UnicodeDecodeError:
            self.handle_parser_exception(1007, "not-utf8")

    def handle_parser_exception(self, code: int = 0, kind: str = "frame-malformed") -> None:
        """Close the connection and count it in `refusal_counts` under `kind`.

        Send the close code `code`, unless it is 0 or a close code was sent already.
        """
        if code and self.conn.close_sent is None:
            self.conn.fail(code)
        refusal_counts.count_refusals(kind)
        super().handle_parser_exception()

    def handle_timeout(self, owed: str) -> None:
        """Abort the connection of a client that was too slow to read the messages sent to it.

        `owed` is always "send", the only timeout of WebSocket connections. The application receives the close code
        1013, which tells it that the client was too slow.
        """
        self.queue.put_nowait({"type": "websocket.disconnect", "code": CLOSE_TRY_AGAIN_LATER})
        refusal_counts.count_refusals("message-not-taken")
        self.transport.abort()
