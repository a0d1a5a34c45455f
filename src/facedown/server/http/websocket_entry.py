"""Live lines come in here, past what only requests need.

Every layer that a request passes through stands in memory as long as the request lasts, and a line lasts for hours:
with all of them, a third of the memory of a table that is played at was what had let its lines in.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import time

import structlog
from sqlalchemy.exc import SQLAlchemyError
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState
from uvicorn.protocols.utils import ClientDisconnected

from facedown.core.language import speak
from facedown.core.state import SPECTATOR
from facedown.play import Refusal
from facedown.play.records import Reason
from facedown.play.typed_text import clean_code
from facedown.server.connection import messages
from facedown.server.connection.connection_counts import crowd_of
from facedown.server.connection.messages import POLICY, TOO_SLOW
from facedown.server.connection.websocket_connection import Connection
from facedown.server.http import request_locale
from facedown.server.http.access import viewer_of
from facedown.server.http.ban_list import banned_of
from facedown.server.http.client_address import Addresses, host_of
from facedown.server.http.path_prefix import taken_off
from facedown.server.http.request_guard import same_origin
from facedown.server.http.request_log import note
from facedown.server.http.visitors import (
    address_of,
    bearer_of,
    cookie_of,
    link_of,
    person_of,
    room_of,
    rooms_of,
    seated_by,
    welcome,
)
from facedown.server.i18n import _
from facedown.server.process import logs
from facedown.server.process.admission_queue import admit
from facedown.server.process.settings import ServerSettings
from facedown.server.rendering.base_path import live_at
from facedown.store import Person

log = logs.logger()

#: Where the live line of a table is.
PATH = "/t/{code}/live"
_PATH = re.compile(PATH.replace("{code}", "(?P<code>[^/]+)"))


class Lines:
    """Serves live lines."""

    def __init__(self, settings: ServerSettings, addresses: Addresses) -> None:
        self.settings = settings
        self.addresses = addresses

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one line."""
        asked, begun = await self.addresses.admitted(scope, send), time.perf_counter()
        if asked is None:
            # It is answered; uvicorn would log an error for a plain return.
            raise ClientDisconnected
        asked = {**taken_off(asked, self.settings.root)}
        # A line has a task of its own: what is said here holds as long as it lasts.
        live_at(self.settings.root)
        speak(request_locale.language_of(asked, self.settings.language))
        structlog.contextvars.bind_contextvars(request=logs.new_request())
        found, client = _PATH.fullmatch(asked["path"]), asked["client"]
        socket = WebSocket(asked, receive, send)
        try:
            if found is None:
                await socket.close()
            elif (line := await _opened(socket, _accepted(receive, send), found["code"])) is not None:
                # The line may last for hours: nothing is kept of how it was asked for.
                socket, asked = line.socket, None
                scope.clear()
                await line.run()
        except Refusal as refusal:
            # What is too much now may be fine later; all else stays as it is.
            told: Reason = "too-fast" if refusal.code == "too-fast" else "closed"
            with contextlib.suppress(RuntimeError, WebSocketDisconnect):
                if socket.application_state is WebSocketState.CONNECTING:
                    await socket.accept()
                await socket.send_text(messages.Refused(code=told, reason=refusal.reason).wire())
                await socket.close(TOO_SLOW if told == "too-fast" else POLICY)
        except SQLAlchemyError:
            # The page comes back by itself, and waits longer each time.
            log.exception("line_not_opened")
            await socket.close(TOO_SLOW)
        except asyncio.CancelledError:
            # The server ends, and has closed this line.
            raise ClientDisconnected from None
        finally:
            if self.settings.log_requests:
                note("line_closed", client, begun, self.settings, method="", route=PATH if found else "")


def _accepted(receive: Receive, send: Send) -> WebSocket:
    """A line that is open already."""
    socket = WebSocket({"type": "websocket"}, receive, send)
    socket.client_state = socket.application_state = WebSocketState.CONNECTED
    return socket


async def _opened(socket: WebSocket, accepted: WebSocket, code: str) -> Connection | None:
    """The live line of a table that is asked for at one `socket` and goes on at another, which knows nothing of that.

    None, and it is closed, where a foreign page asks for it. `Refusal` if there is none for whoever asks. A program
    shows its seat's token, which no page of a browser can send along.
    """
    rooms, token = rooms_of(socket), bearer_of(socket)
    if not token and not same_origin(socket.headers, socket.scope["scheme"], rooms.settings.origins):
        log.warning("foreign_page")
        await socket.close(POLICY)
        return None
    address, meant = address_of(socket), clean_code(code)
    with contextlib.ExitStack() as ends:
        line = ends.enter_context(contextlib.closing(crowd_of(socket).line(address, token or cookie_of(socket), meant)))
        admission = ends.enter_context(contextlib.closing(await admit(rooms.admissions)))
        banned_of(socket).refuse_address(host_of(socket.scope))
        if asked := socket.query_params.get(request_locale.ASKED):
            request_locale.known(asked)
        dismissals, person = rooms.dismissals, await _who(socket, token)
        room = await room_of(socket, code)
        viewer = await viewer_of(room, person)
        if viewer is None:
            raise Refusal("closed", _("You have no seat at this table."))
        if viewer == SPECTATOR:
            line.watch()
        link = link_of(socket, room.session.code)
        await socket.accept()
        # From now on it is the connection that ends them.
        ends.pop_all()

    async def still() -> bool:
        if token:
            return await seated_by(socket, token) is not None
        known = person is None or rooms.dismissals == dismissals
        return known or await person_of(socket) is not None

    return Connection(accepted, rooms, room, person, link, line, admission, still, by_key=bool(token))


async def _who(socket: WebSocket, token: str) -> Person | None:
    """Who asks for a line: by a seat's token, or by a cookie."""
    if not token:
        return await person_of(socket)
    person = await seated_by(socket, token)
    if person is None:
        raise Refusal("closed", _("This token is unknown."))
    welcome(socket, person)
    return person
