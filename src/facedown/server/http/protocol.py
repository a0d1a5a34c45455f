"""HTTP and WebSocket as uvicorn speaks them, within limits: whoever is slow, too large or too many is let go of.

`configured` makes the configuration with which the application is served.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from http import HTTPStatus
from typing import Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from facedown.core.language import speaking
from facedown.server import lean
from facedown.server.connection.messages import TOO_SLOW
from facedown.server.http.door import Door
from facedown.server.http.packing import PACKING
from facedown.server.process import refusal_counts
from facedown.server.process.clock import SYSTEM_CLOCK, Clock
from facedown.server.process.rate_limit import Bucket
from facedown.server.process.settings import ServerSettings
from facedown.server.texts import N_, _

#: Who is closed gets so many seconds to take what was sent before.
FAREWELL = 5.0
#: So much is read at a time of what a live line has sent: in between it is seen whether it is too much.
BITE = 2048
#: One frame is at most so many times the longest message: of four bytes each are the longest letters.
WIDEST = 4
#: What is said over a connection before a request of it is understood.
_NO_REQUEST = N_("That is no request.")
_TOO_MUCH = N_("The headers of this request are too large or too many.")
_SLOW = N_("The request took too long to come.")
_FULL = N_("There is no room for another connection now. Try again in a moment.")
_CROWDED = N_("Too many connections are open from your address. Close some, then try again.")
#: What is wrong with requests that are no requests is counted, not written down line by line.
log = logging.getLogger("uvicorn.error.edge")
log.setLevel(logging.ERROR)


class Configured(uvicorn.Config):
    """What uvicorn is told, and who stands at the door."""

    def __init__(self, app: Any, settings: ServerSettings, clock: Clock = SYSTEM_CLOCK, **more: Any) -> None:
        usual: dict[str, Any] = {
            "http": Http,
            "ws": Live,
            "access_log": False,
            "log_level": "warning",
            "server_header": False,
            # Our own middleware does it, for those proxies alone that the host names.
            "proxy_headers": False,
            "timeout_keep_alive": settings.keep_alive,
            "ws_max_size": settings.message_limit * WIDEST,
        }
        super().__init__(app, **(usual | more))
        self.settings = settings
        self.clock = clock
        self.door = Door(settings, clock)


def configured(app: Any, settings: ServerSettings, clock: Clock = SYSTEM_CLOCK, **more: Any) -> Configured:
    """How an application is served; `more` as in `uvicorn.Config`."""
    return Configured(app, settings, clock, **more)


class TooMuch(Exception):
    """A request's headers are too large or too many."""


class Http(HttpToolsProtocol):
    """One connection over which pages and answers are asked for."""

    config: Configured

    def __init__(self, config: Configured, *about: Any, **more: Any) -> None:
        super().__init__(config, *about, **more)
        self.door = config.door
        self.settings = config.settings
        self.logger = log
        self._heads = True
        """The headers of a request are awaited, or come in."""
        self._bodies = False
        """What follows the headers comes in."""
        self._head_bytes = 0
        """What has come of the headers since the parser was last told of one."""
        self._head_size = 0
        """The headers that the parser knows."""
        self._open: deque[RequestResponseCycle] = deque()
        """The requests that are not wholly answered yet: the first is being answered, `cycle` is the last."""
        self._passed_on = False
        self._turned_away = ""
        self._wrong = ""
        """Why these headers are not read on."""
        self._timer: asyncio.TimerHandle | None = None
        self._timed = ""
        self._stuck: asyncio.TimerHandle | None = None

    # --- coming and going ---------------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A connection was opened."""
        super().connection_made(transport)
        slot = self.door.enter(self, self.client[0] if self.client else "")
        if slot is None:
            transport.abort()
            return
        self._turned_away = slot.turned_away
        self._time()

    def connection_lost(self, exc: Exception | None) -> None:
        """It was closed."""
        self.door.leave(self)
        self._cancel()
        self._give_up()
        super().connection_lost(exc)

    def _give_up(self) -> None:
        """Whatever was asked for is not waited for any more."""
        for cycle in self._open:
            cycle.disconnected = True
            cycle.message_event.set()
        self._open.clear()

    def make_room(self) -> None:
        """Somebody else needs the room."""
        self.transport.abort()

    def handle_websocket_upgrade(self) -> None:
        """From now on this is a live line, unless something else that was asked for over it is not answered yet."""
        if self._open:
            self.send_400_response("")
            return
        self._cancel()
        self._passed_on = True
        super().handle_websocket_upgrade()
        # It calls back, so that each holds the other: with all that belongs to them they would stay until circles are
        # looked for. When a connection is lost uvicorn does the same.
        self.parser = None  # type: ignore[assignment]

    # --- what comes in ------------------------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Read on."""
        if self.transport.is_closing():
            return
        if self._turned_away:
            full = self._turned_away == "connections"
            self.answer(503 if full else 429, _FULL if full else _CROWDED)
            return
        self.door.begins(self)
        if self._heads:
            self._head_bytes += len(data)
        super().data_received(data)
        if self._heads and self._head_bytes > self.settings.head_limit and not self.transport.is_closing():
            self._too_much("head-too-large")
        if not self._passed_on:
            self._settle()

    def on_message_begin(self) -> None:
        """A request begins."""
        self._heads, self._head_bytes, self._head_size = True, max(1, self._head_bytes), 0
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        """Its address, or a part of it."""
        super().on_url(url)
        self._need_room(len(url))

    def on_header(self, name: bytes, value: bytes) -> None:
        """One of its headers."""
        super().on_header(name, value)
        if len(self.headers) > self.settings.headers_limit:
            self._wrong = "too-many-headers"
            raise TooMuch
        self._need_room(len(name) + len(value))

    def _need_room(self, more: int) -> None:
        self._head_size += more
        if self._head_size > self.settings.head_limit:
            self._wrong = "head-too-large"
            raise TooMuch

    def on_headers_complete(self) -> None:
        """All of its headers are there."""
        self._heads, self._bodies, self._head_bytes = False, True, 0
        self.door.asks(self)
        before = self.cycle
        super().on_headers_complete()
        if self.cycle is not before:
            self._open.append(self.cycle)

    def on_message_complete(self) -> None:
        """All of it is there."""
        self._bodies = False
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """What came is no request, or more than one may ask at once."""
        if self._wrong:
            self._too_much(self._wrong)
            return
        refusal_counts.count("no-request")
        self.answer(400, _NO_REQUEST)

    def _too_much(self, kind: str) -> None:
        refusal_counts.count(kind)
        self.answer(431, _TOO_MUCH)

    # --- what goes out ------------------------------------------------------------------------------------------------

    def answer(self, status: int, reason: str) -> None:
        """Say why nothing comes, and close; nothing is said in the middle of an answer."""
        if not self._open or not self._open[0].response_started:
            with speaking(self.settings.language):
                body = _(reason).encode()
            lines = [
                b"content-type: text/plain; charset=utf-8",
                b"content-length: %d" % len(body),
                b"connection: close",
            ]
            if status in (429, 503):
                lines.append(b"retry-after: 10")
            self.transport.write(STATUS_LINE[status] + b"\r\n".join([*lines, b"", body]))
        self._give_up()
        self.transport.close()
        self._settle()

    def on_response_complete(self) -> None:
        """An answer is out."""
        if self._open:
            self._open.popleft()
        super().on_response_complete()
        if not self._open and not self._head_bytes:
            self.door.rests(self)
            self._heads = not self._bodies
        self._settle()

    def pause_writing(self) -> None:
        """What was sent is not taken as fast as it comes."""
        super().pause_writing()
        self._stuck = self._stuck or self.loop.call_later(self.settings.take_timeout, self._never_taken)

    def resume_writing(self) -> None:
        """It is taken again."""
        super().resume_writing()
        if self._stuck is not None:
            self._stuck.cancel()
            self._stuck = None

    def _never_taken(self) -> None:
        refusal_counts.count("answer-not-taken")
        self.transport.abort()

    # --- time ---------------------------------------------------------------------------------------------------------

    def _settle(self) -> None:
        """See what is waited for now, and for how long."""
        if self.transport.is_closing():
            awaited = "farewell"
        elif self._bodies:
            awaited = "body"
        elif self._heads and (self._head_bytes or self.cycle is None):
            awaited = "head"
        else:
            awaited = ""
        if awaited != self._timed:
            self._time(awaited)

    def _time(self, awaited: str = "head") -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._timed = awaited
        seconds = {"head": self.settings.head_timeout, "body": self.settings.body_timeout, "farewell": FAREWELL}
        if awaited:
            self._timer = self.loop.call_later(seconds[awaited], self._too_late)

    def _too_late(self) -> None:
        self._timer = None
        awaited, self._timed = self._timed, ""
        if awaited == "farewell":
            self.transport.abort()
        elif self.flow.read_paused:
            # It is we who do not read on.
            self._time(awaited)
        elif self._turned_away or (awaited == "head" and not self._head_bytes):
            # Nothing was asked, so nothing is answered.
            self._close("silent")
        elif awaited == "body" and self.cycle.response_complete:
            # The answer is out already.
            self._close("slow-body")
        else:
            refusal_counts.count(f"slow-{awaited}")
            self.answer(408, _SLOW)

    def _close(self, kind: str) -> None:
        refusal_counts.count(kind)
        self.transport.close()
        self._settle()

    def _cancel(self) -> None:
        for timer in (self._timer, self._stuck):
            if timer is not None:
                timer.cancel()
        self._timer = self._stuck = None


class Live(WebSocketsSansIOProtocol):
    """One live line."""

    config: Configured

    def __init__(self, config: Configured, *about: Any, **more: Any) -> None:
        super().__init__(config, *about, **more)
        self.queue = lean.Queue()  # type: ignore[assignment]
        self.writable = lean.Event()  # type: ignore[assignment]
        self.writable.set()
        self.door = config.door
        self.settings = config.settings
        self.logger = log
        self.close_timeout = FAREWELL
        if config.ws_per_message_deflate:
            self.conn.available_extensions = [PACKING]
        self._frames = Bucket(self.settings.frames_at_once, self.settings.frames_a_second, config.clock)
        self._stuck: asyncio.TimerHandle | None = None
        self._end: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A connection that was opened for something else becomes a live line."""
        before = transport.get_protocol()
        super().connection_made(transport)
        if isinstance(before, Http):
            self.door.pass_on(before, self)

    def connection_lost(self, exc: Exception | None) -> None:
        """It was closed."""
        self.door.leave(self)
        for timer in (self._stuck, self._end):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """The server stops. A line that is not open yet is refused as what it still is, a request."""
        if self.handshake_complete or self.close_sent:
            super().shutdown()
            return
        self.conn.send_response(self.conn.reject(HTTPStatus.SERVICE_UNAVAILABLE, ""))
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.transport.close()

    def make_room(self) -> None:
        """A live line is never the one that makes room."""
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Read on, by bites: a flood of tiny frames must not hold up the others before it is noticed."""
        for start in range(0, len(data), BITE):
            if self.transport.is_closing():
                break
            try:
                super().data_received(data[start : start + BITE])
            except UnicodeError:
                # Of the request itself: an address that is none.
                break
        if not self.handshake_initiated and not self.transport.is_closing():
            # The first that comes is the whole request for a live line, and this is none.
            refusal_counts.count("no-request")
            self.transport.write(STATUS_LINE[400] + b"content-length: 0\r\nconnection: close\r\n\r\n")
            self.transport.close()
        if self.transport.is_closing():
            self._go()

    def handle_events(self) -> None:
        """What has come, frame by frame, as long as it is not too much."""
        events = self.conn.events
        if self.handshake_initiated and not all(self._frames.take() for _event in events):
            refusal_counts.count("frames")
            self._fail(1008)
            return
        super().handle_events()

    def handle_parser_exception(self) -> None:
        """What has come is no frame, or too large a one."""
        refusal_counts.count("frame-malformed")
        super().handle_parser_exception()

    def send_receive_event_to_app(self) -> None:
        """A whole message has come."""
        if self.curr_msg_data_type == "text":
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self.frames = []
                refusal_counts.count("not-utf8")
                self._fail(1007)
                return
        super().send_receive_event_to_app()

    def _fail(self, code: int) -> None:
        """Say why, and close; what else has come is not looked at."""
        if self.conn.close_sent is None:
            self.conn.fail(code)
        self.conn.events.clear()
        if not self.close_sent:
            self.queue.put_nowait({"type": "websocket.disconnect", "code": code})
        self.close_sent = True
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.transport.close()

    def pause_writing(self) -> None:
        """What was sent is not taken: then nothing is read either, that would have to be answered."""
        super().pause_writing()
        self.transport.pause_reading()
        self._stuck = self._stuck or self.loop.call_later(self.settings.send_timeout, self._never_taken)

    def resume_writing(self) -> None:
        """It is taken again."""
        super().resume_writing()
        if not self.read_paused and not self.transport.is_closing():
            self.transport.resume_reading()
        if self._stuck is not None:
            self._stuck.cancel()
            self._stuck = None

    def _never_taken(self) -> None:
        refusal_counts.count("message-not-taken")
        # Whoever serves the line learns why it ends.
        self.queue.put_nowait({"type": "websocket.disconnect", "code": TOO_SLOW})
        self.transport.abort()

    async def receive(self) -> Any:
        """The next that has come; nothing more is read while the other side takes nothing."""
        message = await self.queue.get()
        if self.read_paused and self.queue.empty():
            self.read_paused = False
            if self.writable.is_set() and not self.transport.is_closing():
                self.transport.resume_reading()
        return message

    async def send(self, message: Any) -> None:
        """Send something; a request for a live line that was answered otherwise is done with."""
        await super().send(message)
        if message["type"] == "websocket.accept":
            # Of no more use, and there as long as the line is; what is asked of the request stands in its scope.
            self.request.headers.clear()
            self.request = self.response = None  # type: ignore[assignment]
        if message["type"] == "websocket.http.response.body" and self.close_sent:
            self.handshake_complete = True

    def keepalive_timeout(self) -> None:
        """The other side has not answered for too long."""
        super().keepalive_timeout()
        self._go()

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        """Nobody is left who would send anything."""
        super().on_task_complete(task)
        self._go()

    def _go(self) -> None:
        """Who does not take the rest, or does not say goodbye, is cut off."""
        if self._end is None and not self.disconnected:
            self._end = self.loop.call_later(FAREWELL, self.transport.abort)
