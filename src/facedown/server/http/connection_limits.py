"""Limits on connections, as thin subclasses of uvicorn's protocols: how many, how slow, how large.

uvicorn alone waits without end for the rest of a request's head, and keeps whatever is sent of it.
WebSocket messages are compressed each by itself. A shared context would let the length of one message depend on the
secrets in the one before it, and would take 40 kB for each connection.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from typing import Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory

from facedown.core.language import speaking
from facedown.server.connection.messages import TOO_SLOW
from facedown.server.http.addresses import inside, network_of, networks
from facedown.server.process import refusal_counts
from facedown.server.process.clock import SYSTEM_CLOCK, Clock
from facedown.server.process.rate_limit import Bucket, Turnstile
from facedown.server.process.settings import ServerSettings
from facedown.server.texts import N_, _

#: Level 1 takes half the time of level 6, for 7 per cent more bytes of a move; memory level 6 takes half the time of 8.
COMPRESSION = ServerPerMessageDeflateFactory(
    server_no_context_takeover=True, client_no_context_takeover=True, compress_settings={"level": 1, "memLevel": 6}
)
#: File descriptors that are kept for the database, files and other servers.
RESERVE = 128
#: Refused connections that get an answer at the same time; more are closed without one.
MAX_REFUSED = 64
#: Seconds after which a connection without a request may be closed in favour of a new one.
HALF_OPEN = 2.0
#: Seconds to take what was sent before a connection was closed.
CLOSE_TIMEOUT = 5.0
#: Bytes of WebSocket frames that are parsed at a time, so that a flood of tiny frames is noticed early.
CHUNK = 2048
#: Bytes of the longest letter: a frame has at most so many times the length of the longest message.
MAX_LETTER = 4
_SLOW = (408, N_("The request took too long to come."))
_LARGE = (431, N_("The headers of this request are too large or too many."))
REFUSALS = {
    "connections": (503, N_("There is no room for another connection now. Try again in a moment.")),
    "connections-of-address": (
        429,
        N_("Too many connections are open from your address. Close some, then try again."),
    ),
    "no-request": (400, N_("That is no request.")),
    "head-too-large": _LARGE,
    "too-many-headers": _LARGE,
    "slow-head": _SLOW,
    "slow-body": _SLOW,
}
#: uvicorn warns of each malformed request; these are counted instead.
log = logging.getLogger("uvicorn.error.edge")
log.setLevel(logging.ERROR)


class ConnectionLimits:
    """Open connections of a process, counted by address and in all."""

    def __init__(self, settings: ServerSettings, clock: Clock = SYSTEM_CLOCK) -> None:
        self.clock = clock
        self.max_open = min(settings.connections, max_connections())
        self.proxies = networks(settings.proxies)
        self.open: dict[Any, str] = {}
        """Admitted connections with their addresses; a proxy's is empty, as it may open as many as it likes."""
        self.addresses = Turnstile(settings.connections_of_address)
        self.refused: set[Any] = set()

    def admit(self, connection: Any, host: str) -> str:
        """Count a new connection; returns why it is refused (a key of `REFUSALS`), or an empty text."""
        address = "" if not host or inside(host, self.proxies) else network_of(host)
        why = ""
        if address and not self.addresses.enter(address):
            why = "connections-of-address"
        elif len(self.open) >= self.max_open and not self._make_room():
            why = "connections"
            if address:
                self.addresses.leave(address)
        if why:
            refusal_counts.count(why)
            self.refused.add(connection)
        else:
            self.open[connection] = address
        return why

    def _make_room(self) -> bool:
        """Close the connection that has been idle for longest, or one that has not sent its first request."""
        waiting = [(one.waits_since, at, one) for at, one in enumerate(self.open) if one.waits_since is not None]
        (first, since), _at, oldest = min(waiting, default=((True, float("inf")), 0, None))
        if oldest is None or (first and self.clock.monotonic() - since < HALF_OPEN):
            return False
        refusal_counts.count("made-room")
        self.release(oldest)
        oldest.transport.abort()
        return True

    def release(self, connection: Any) -> None:
        """Stop counting a connection; again does nothing."""
        self.refused.discard(connection)
        if address := self.open.pop(connection, ""):
            self.addresses.leave(address)


class LimitedConfig(uvicorn.Config):
    """Configuration with which uvicorn serves an application within the limits of the settings."""

    def __init__(self, app: Any, settings: ServerSettings, clock: Clock = SYSTEM_CLOCK, **more: Any) -> None:
        usual: dict[str, Any] = {
            "http": HttpConnection,
            "ws": WebSocketConnection,
            "access_log": False,
            "log_level": "warning",
            "server_header": False,
            # `http.addresses` does this, for the proxies alone that the host names.
            "proxy_headers": False,
            "timeout_keep_alive": settings.keep_alive,
            "ws_max_size": settings.message_limit * MAX_LETTER,
        }
        super().__init__(app, **(usual | more))
        self.settings = settings
        self.limits = ConnectionLimits(settings, clock)


class _Transport:
    """A transport that is aborted if its client does not take the rest of what was sent before it was closed."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self.timer: asyncio.TimerHandle | None = None
        self.is_held = False
        """Whether reading stays paused, also when uvicorn resumes it."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def close(self) -> None:
        """Close when all was taken, or after `CLOSE_TIMEOUT`."""
        if not self._transport.is_closing():
            self.timer = asyncio.get_running_loop().call_later(CLOSE_TIMEOUT, self._transport.abort)
        self._transport.close()

    def resume_reading(self) -> None:
        """Read on, unless the transport is held."""
        if not self.is_held and not self._transport.is_closing():
            self._transport.resume_reading()


class _Limited(asyncio.Protocol):
    """What both protocols share: a place in the counts, timers by name, and a client that takes what it is sent."""

    transport: Any
    not_taken = "answer-not-taken"

    def __init__(self, config: LimitedConfig, *about: Any, **more: Any) -> None:
        super().__init__(config, *about, **more)  # type: ignore[call-arg]
        self.limits, self.settings, self.logger = config.limits, config.settings, log
        self.take_timeout = config.settings.take_timeout
        self.waits_since: tuple[bool, float] | None = None
        """While no request is answered: whether it would be the first one, and since when (see `Clock.monotonic`)."""
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def start(self, name: str, seconds: float, action: Callable[[], None]) -> None:
        """Call `action` in so many seconds, unless a timer of this name runs already."""
        if name not in self._timers:
            self._timers[name] = asyncio.get_running_loop().call_later(seconds, action)

    def stop(self, *names: str) -> None:
        """Stop timers by their names."""
        for name in names:
            if (timer := self._timers.pop(name, None)) is not None:
                timer.cancel()

    def connection_lost(self, exc: Exception | None) -> None:
        """Free the place."""
        self.limits.release(self)
        self.stop(*self._timers)
        if self.transport.timer is not None:
            self.transport.timer.cancel()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Give the client some time to take what was sent."""
        super().pause_writing()
        self.start("take", self.take_timeout, self._drop)

    def resume_writing(self) -> None:
        """Stop that timer."""
        super().resume_writing()
        self.stop("take")

    def _drop(self) -> None:
        refusal_counts.count(self.not_taken)
        self.transport.abort()


class HttpConnection(_Limited, HttpToolsProtocol):
    """A connection for requests."""

    def __init__(self, config: LimitedConfig, *about: Any, **more: Any) -> None:
        super().__init__(config, *about, **more)
        self._refused = self._wrong = ""
        self._in_body = False
        self._head_bytes = 0
        """Bytes received of the current head."""
        self._open: deque[RequestResponseCycle] = deque()
        """Unanswered requests: the first is being answered, `cycle` is the last."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Admit the connection or note why not."""
        super().connection_made(_Transport(transport))  # type: ignore[arg-type]
        self.waits_since = (True, self.limits.clock.monotonic())
        self._refused = self.limits.admit(self, self.client[0] if self.client else "")
        if len(self.limits.refused) > MAX_REFUSED:
            transport.abort()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel what was asked for."""
        self._cancel_requests()
        super().connection_lost(exc)

    def _cancel_requests(self) -> None:
        for cycle in self._open:
            cycle.disconnected = True
            cycle.message_event.set()
        self._open.clear()

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection over, unless an earlier request is not answered yet."""
        if self._open:
            self._refuse("no-request")
            return
        self.stop(*self._timers)
        super().handle_websocket_upgrade()
        # The parser and this object refer to each other; uvicorn breaks the cycle only when a connection is lost.
        self.parser = None  # type: ignore[assignment]

    def data_received(self, data: bytes) -> None:
        """Parse on, within the limits."""
        if self.transport.is_closing():
            return
        if self._refused:
            self._answer(self._refused)
            return
        if self.waits_since is not None and not self.waits_since[0]:
            self.waits_since = (True, self.limits.clock.monotonic())
        if not self._in_body:
            self._head_bytes += len(data)
        super().data_received(data)
        if not self._in_body and self._head_bytes > self.settings.head_limit:
            self._refuse("head-too-large")
        if self.parser is not None:
            self._watch()

    def on_message_begin(self) -> None:
        """Begin a request."""
        self._head_bytes = max(1, self._head_bytes)
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Check the size of the head before the request is handled."""
        if len(self.headers) > self.settings.headers_limit:
            self._wrong = "too-many-headers"
        elif len(self.url) + sum(len(name) + len(value) for name, value in self.headers) > self.settings.head_limit:
            self._wrong = "head-too-large"
        if self._wrong:
            # The parser stops, and `data_received` asks for a 400.
            raise ValueError(self._wrong)
        self._head_bytes, self.waits_since = 0, None
        before = self.cycle
        super().on_headers_complete()
        self._in_body = True
        if self.cycle is not before:
            self._open.append(self.cycle)

    def on_message_complete(self) -> None:
        """End a request."""
        self._in_body = False
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not a request, or one with too large a head."""
        self._refuse(self._wrong or "no-request")

    def _refuse(self, kind: str) -> None:
        if not self.transport.is_closing():
            refusal_counts.count(kind)
            self._answer(kind)

    def _answer(self, kind: str) -> None:
        """Send why a request is refused, unless an answer is under way or complete, and close."""
        status, reason = REFUSALS[kind]
        answered = self._open[0].response_started if self._open else self._in_body and self.cycle.response_complete
        if not answered:
            with speaking(self.settings.language):
                body = _(reason).encode()
            head = b"content-type: text/plain; charset=utf-8\r\nconnection: close\r\ncontent-length: %d\r\n"
            retry = b"retry-after: 10\r\n" if status in (429, 503) else b""
            self.transport.write(STATUS_LINE[status] + head % len(body) + retry + b"\r\n" + body)
        self._cancel_requests()
        self.transport.close()
        self._watch()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        if self._open:
            self._open.popleft()
        super().on_response_complete()
        if not self._open and not self._head_bytes:
            self.waits_since = (False, self.limits.clock.monotonic())
        self._watch()

    def _watch(self) -> None:
        """Start the timer of what is awaited now: the rest of a body, or that of a head if one has begun."""
        waits = "body" if self._in_body else "head" if self._head_bytes or self.cycle is None else ""
        if self.transport.is_closing():
            waits = ""
        self.stop(*{"head", "body"} - {waits})
        if waits:
            seconds = self.settings.body_timeout if waits == "body" else self.settings.head_timeout
            self.start(waits, seconds, partial(self._late, waits))

    def _late(self, waits: str) -> None:
        self.stop(waits)
        if self.flow.read_paused:
            # The server itself has paused reading.
            self._watch()
        elif self._refused or (waits == "head" and not self._head_bytes):
            refusal_counts.count("silent")
            self.transport.close()
        else:
            self._refuse(f"slow-{waits}")


class WebSocketConnection(_Limited, WebSocketsSansIOProtocol):
    """A connection for messages."""

    not_taken = "message-not-taken"

    def __init__(self, config: LimitedConfig, *about: Any, **more: Any) -> None:
        super().__init__(config, *about, **more)
        self.take_timeout = config.settings.send_timeout
        self.close_timeout = CLOSE_TIMEOUT
        if config.ws_per_message_deflate:
            self.conn.available_extensions = [COMPRESSION]
        self._frames = Bucket(self.settings.frames_at_once, self.settings.frames_a_second, self.limits.clock)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take over the place of the request."""
        super().connection_made(transport)
        if (before := transport.get_protocol()) in self.limits.open:
            self.limits.open[self] = self.limits.open.pop(before)

    def shutdown(self) -> None:
        """Close, or refuse a connection that is not accepted yet as a request is refused."""
        if self.handshake_complete or self.close_sent:
            super().shutdown()
            return
        self.conn.send_response(self.conn.reject(HTTPStatus.SERVICE_UNAVAILABLE, ""))
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.transport.close()

    def data_received(self, data: bytes) -> None:
        """Parse on by chunks; the first one is the whole request."""
        # The address and headers of the request may have letters that are not allowed.
        with suppress(UnicodeError):
            for start in range(0, len(data), CHUNK):
                if self.transport.is_closing():
                    break
                super().data_received(data[start : start + CHUNK])
        if not self.handshake_initiated and not self.transport.is_closing():
            refusal_counts.count("no-request")
            self.transport.write(STATUS_LINE[400] + b"content-length: 0\r\nconnection: close\r\n\r\n")
            self.transport.close()

    def handle_events(self) -> None:
        """Handle frames up to their rate limit."""
        if self.handshake_initiated and not all(self._frames.take() for _event in self.conn.events):
            self._fail(1008, "frames")
        else:
            super().handle_events()

    def send_receive_event_to_app(self) -> None:
        """Pass a message on, if its text is valid; uvicorn would log an error."""
        try:
            if self.curr_msg_data_type == "text":
                b"".join(self.frames).decode()
        except UnicodeDecodeError:
            self._fail(1007, "not-utf8")
        else:
            super().send_receive_event_to_app()

    def _fail(self, code: int, kind: str) -> None:
        """Close with a code and drop what else was received."""
        self.frames = []
        if self.conn.close_sent is None:
            self.conn.fail(code)
        self.conn.events.clear()
        self.handle_parser_exception(kind)

    def handle_parser_exception(self, kind: str = "frame-malformed") -> None:
        """Count why the connection is closed."""
        refusal_counts.count(kind)
        super().handle_parser_exception()

    def pause_writing(self) -> None:
        """Read nothing that would have to be answered while the client takes nothing."""
        super().pause_writing()
        self.transport.is_held = True
        self.transport.pause_reading()

    def resume_writing(self) -> None:
        """Read on."""
        super().resume_writing()
        self.transport.is_held = False
        if not self.read_paused:
            self.transport.resume_reading()

    def _drop(self) -> None:
        self.queue.put_nowait({"type": "websocket.disconnect", "code": TOO_SLOW})
        super()._drop()

    async def send(self, message: Any) -> None:
        """Send a message; uvicorn would log an error after an ordinary response."""
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and self.close_sent:
            self.handshake_complete = True


def max_connections() -> int:
    """Raise the limit on open files as far as the system allows; returns how many connections that leaves."""
    try:
        import resource
    except ImportError:  # Windows has no such limit.
        return 1 << 30
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    # Some systems name more than they give.
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        soft = hard
    return 1 << 30 if soft == resource.RLIM_INFINITY else max(16, soft - RESERVE)
