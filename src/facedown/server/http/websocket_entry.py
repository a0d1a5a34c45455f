"""Handling of new WebSockets: checks of address, origin, limits, bans and access before a `Connection` runs.

WebSockets bypass the middleware of HTTP requests. If a WebSocket passed through the middleware, the coroutine of each
middleware would stay in memory until that WebSocket closes, which may take hours. One third of all the memory of a
running table would then be for these coroutines.
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

from facedown.core.state import SPECTATOR
from facedown.core.translation import set_language
from facedown.play import Refusal
from facedown.play.records import RefusalCode
from facedown.play.user_input import clean_code
from facedown.server.connection import messages
from facedown.server.connection.connection_counts import connection_counts_of
from facedown.server.connection.messages import CLOSE_POLICY_VIOLATION, CLOSE_TRY_AGAIN_LATER
from facedown.server.connection.websocket_connection import Connection
from facedown.server.http import request_locale
from facedown.server.http.access import viewer_of
from facedown.server.http.ban_list import ban_list_of
from facedown.server.http.client_address import ClientAddressMiddleware, client_ip
from facedown.server.http.path_prefix import strip_prefix
from facedown.server.http.request_guard import is_same_origin
from facedown.server.http.request_log import log_client_event
from facedown.server.http.visitors import (
    check_person_ban_and_record_visit,
    client_limit_key_of,
    cookie_token_of,
    person_of_cookie,
    person_of_seat_token,
    room_of,
    rooms_of,
    seat_token_of,
    table_link_of,
)
from facedown.server.i18n import _
from facedown.server.process import logs
from facedown.server.process.admission_queue import wait_for_admission
from facedown.server.process.server_settings import ServerSettings
from facedown.server.rendering.base_path import set_root
from facedown.store import Person

log = logs.logger()

#: Path of a table's WebSocket.
PATH = "/t/{code}/live"
_PATH = re.compile(PATH.replace("{code}", "(?P<code>[^/]+)"))


class WebSocketEntry:
    """ASGI handler of all WebSocket connections."""

    def __init__(self, settings: ServerSettings, addresses: ClientAddressMiddleware) -> None:
        self.settings = settings
        self.addresses = addresses

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one WebSocket connection until it is closed."""
        asked, begun = await self.addresses.resolve_or_refuse(scope, send), time.perf_counter()
        if asked is None:
            # The refusal is sent already, and no connection was opened. Raise this exception, because uvicorn would log
            # an error if the method returned normally without opening a connection.
            raise ClientDisconnected
        asked = {**strip_prefix(asked, self.settings.root)}
        # Each connection has its own task, so these context variables last exactly as long as the connection.
        set_root(self.settings.root)
        set_language(request_locale.language_of(asked, self.settings.language))
        structlog.contextvars.bind_contextvars(request=logs.new_request_id())
        found, client = _PATH.fullmatch(asked["path"]), asked["client"]
        socket = WebSocket(asked, receive, send)
        try:
            if found is None:
                await socket.close()
            elif (
                line := await _open_connection(socket, _socket_without_request(receive, send), found["code"])
            ) is not None:
                # The connection may last for hours, so the data of its request are dropped from memory.
                socket, asked = line.socket, None
                scope.clear()
                await line.run()
        except Refusal as refusal:
            # A rate limit is temporary, so the client may reconnect; every other refusal is final.
            told: RefusalCode = "too-fast" if refusal.code == "too-fast" else "closed"
            with contextlib.suppress(RuntimeError, WebSocketDisconnect):
                if socket.application_state is WebSocketState.CONNECTING:
                    await socket.accept()
                await socket.send_text(messages.Refused(code=told, reason=refusal.reason).wire())
                await socket.close(CLOSE_TRY_AGAIN_LATER if told == "too-fast" else CLOSE_POLICY_VIOLATION)
        except SQLAlchemyError:
            # The page reconnects by itself, and waits longer after each failed attempt.
            log.exception("line_not_opened")
            await socket.close(CLOSE_TRY_AGAIN_LATER)
        except asyncio.CancelledError:
            # Only a stopping server cancels this task, and it has closed the connection already.
            raise ClientDisconnected from None
        finally:
            if self.settings.log_requests:
                log_client_event("line_closed", client, begun, self.settings, method="", route=PATH if found else "")


def _socket_without_request(receive: Receive, send: Send) -> WebSocket:
    """Return a WebSocket object without the headers and URL of its request, to save memory.

    A WebSocket may stay open for hours. This object can only receive, send and close. Use it only after the WebSocket
    has been accepted, because its state is "connected" from the beginning.
    """
    socket = WebSocket({"type": "websocket"}, receive, send)
    socket.client_state = socket.application_state = WebSocketState.CONNECTED
    return socket


async def _open_connection(socket: WebSocket, accepted: WebSocket, code: str) -> Connection | None:
    """Check a client and return its open connection to the table with this code.

    Two objects stand for the same WebSocket:

    * `socket` has the headers and the URL of the request, which are checked here.
    * `accepted` has neither (see `_socket_without_request`). To save memory, the connection keeps this object and not
      `socket`.

    Return None if a page of another site sent the request. A request with a seat's token in a header may come from any
    site, because the client is a program and not a browser page. Raise `Refusal` if the client may not connect.
    """
    rooms, token = rooms_of(socket), seat_token_of(socket)
    if not token and not is_same_origin(socket.headers, socket.scope["scheme"], rooms.settings.origins):
        log.warning("foreign_page")
        await socket.close(CLOSE_POLICY_VIOLATION)
        return None
    address, meant = client_limit_key_of(socket), clean_code(code)
    with contextlib.ExitStack() as ends:
        line = ends.enter_context(
            contextlib.closing(
                connection_counts_of(socket).issue_permit(address, token or cookie_token_of(socket), meant)
            )
        )
        admission = ends.enter_context(contextlib.closing(await wait_for_admission(rooms.admissions)))
        ban_list_of(socket).refuse_banned_address(client_ip(socket.scope))
        if asked := socket.query_params.get(request_locale.LANGUAGE_PARAMETER):
            request_locale.validate_language(asked)
        dismissals, person = rooms.dismissals, await _authenticate(socket, token)
        room = await room_of(socket, code)
        viewer = await viewer_of(room, person)
        if viewer is None:
            raise Refusal("closed", _("You have no seat at this table."))
        if viewer == SPECTATOR:
            line.acquire_as_spectator()
        link = table_link_of(socket, room.session.code)
        await socket.accept()
        # From here on the `Connection` is responsible for releasing the permit and the admission when it ends.
        ends.pop_all()

    async def still() -> bool:
        if token:
            return await person_of_seat_token(socket, token) is not None
        known = person is None or rooms.dismissals == dismissals
        return known or await person_of_cookie(socket) is not None

    return Connection(accepted, rooms, room, person, link, line, admission, still, by_key=bool(token))


async def _authenticate(socket: WebSocket, token: str) -> Person | None:
    """Return the person with the seat token `token`. Raise `Refusal` if this token is unknown.

    If `token` is "", return the person identified by the cookie; None if the cookie is missing or unknown.
    """
    if not token:
        return await person_of_cookie(socket)
    person = await person_of_seat_token(socket, token)
    if person is None:
        raise Refusal("closed", _("This token is not valid."))
    check_person_ban_and_record_visit(socket, person)
    return person
