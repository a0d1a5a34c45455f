"""Live lines come in here, past what only requests need.

Every layer that a request passes through stands in memory as long as the request lasts, and a line lasts for hours:
with all of them, a third of the memory of a table that is played at was what had let its lines in.
"""

from __future__ import annotations

import contextlib
import re
import time

import structlog
from sqlalchemy.exc import SQLAlchemyError
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from facedown.core.language import speak
from facedown.core.state import SPECTATOR
from facedown.play import Refusal
from facedown.play.names import clean_code
from facedown.play.records import Reason
from facedown.server import logs
from facedown.server.http import speech
from facedown.server.http.addresses import host_of
from facedown.server.http.banned import banned_of
from facedown.server.http.below import taken_off
from facedown.server.http.doors import viewer_of
from facedown.server.http.guard import same_origin
from facedown.server.http.protocol import TOO_SLOW
from facedown.server.http.visitors import address_of, cookie_of, link_of, person_of, room_of, rooms_of
from facedown.server.http.watched import note_line
from facedown.server.live import messages
from facedown.server.live.connection import POLICY, Connection
from facedown.server.live.crowd import crowd_of
from facedown.server.look.root import live_at
from facedown.server.settings import ServerSettings
from facedown.server.texts import _

log = logs.logger()

#: Where the live line of a table is.
PATH = "/t/{code}/live"
_PATH = re.compile(PATH.replace("{code}", "(?P<code>[^/]+)"))


class Lines:
    """Serves live lines; requests go on to the application."""

    def __init__(self, app: ASGIApp, settings: ServerSettings) -> None:
        self.app = app
        self.settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one line, or hand a request on."""
        if scope["type"] != "websocket":
            await self.app(scope, receive, send)
            return
        scope, begun = taken_off(scope, self.settings.root), time.perf_counter()
        # A line has a task of its own: what is said here holds as long as it lasts.
        live_at(self.settings.root)
        speak(speech.language_of(scope, self.settings.language))
        structlog.contextvars.bind_contextvars(request=logs.new_request())
        found = _PATH.fullmatch(scope["path"])
        socket = WebSocket(scope, receive, send)
        try:
            if found is None:
                await socket.close()
            else:
                await live(socket, found["code"])
        finally:
            if self.settings.log_requests:
                note_line(scope, PATH if found else "", begun, self.settings)


async def live(socket: WebSocket, code: str) -> None:
    """The live line of a table."""
    rooms = rooms_of(socket)
    if not same_origin(socket.headers, rooms.settings.origins):
        log.warning("foreign_page")
        await socket.close(1008)
        return
    address, meant = address_of(socket), clean_code(code)
    try:
        with (
            contextlib.closing(crowd_of(socket).line(address, cookie_of(socket), meant)) as line,
            contextlib.closing(await rooms.doorway.come_in(address, meant)) as passing,
        ):
            await banned_of(socket).look()
            banned_of(socket).refuse_address(host_of(socket.scope))
            if asked := socket.query_params.get(speech.ASKED):
                speech.known(asked)
            dismissals, person = rooms.dismissals, await person_of(socket)
            room = await room_of(socket, code)
            viewer = await viewer_of(room, person)
            if viewer is None:
                raise Refusal("closed", _("You have no seat at this table."))
            if viewer == SPECTATOR:
                line.watch()
            link = link_of(socket, room.session.code)
            await Connection(socket, room, person, link, line, passing, dismissals).run()
    except Refusal as refusal:
        # What is too much now may be fine later; all else stays as it is.
        told: Reason = "too-fast" if refusal.code == "too-fast" else "closed"
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await socket.accept()
            await socket.send_text(messages.Refused(code=told, reason=refusal.reason).wire())
            await socket.close(TOO_SLOW if told == "too-fast" else POLICY)
    except SQLAlchemyError:
        # The page comes back by itself, and waits longer each time.
        log.exception("line_not_opened")
        await socket.close(TOO_SLOW)
