"""Answers to the requests that are still open when the server shuts down.

Requests that wait for changes of a table are answered at once. Any other request that the shutdown cancels before its
response has begun is answered with status 503.
"""

from __future__ import annotations

import asyncio
import socket

import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from facedown.server.http.refusal_response import RETRY_AFTER, send_refusal
from facedown.server.i18n import _
from facedown.server.process import refusal_counts


class GracefulServer(uvicorn.Server):
    """uvicorn server that begins a shutdown by answering all requests that wait for changes of a table.

    Otherwise these requests would delay the shutdown. WebSockets are closed with code 1012 (service restart). Their
    pages then reconnect, to another server or to this one after its restart.
    """

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Answer the requests that wait for changes of a table, then shut down as uvicorn does."""
        rooms = getattr(getattr(self.config.app, "state", None), "rooms", None)
        if rooms is not None:
            rooms.begin_shutdown()
        await super().shutdown(sockets)


class ShutdownResponseMiddleware:
    """Middleware that answers requests with status 503 if a shutdown cancels them.

    This is the innermost middleware, so all other middleware adds its headers to the responses.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on. If a shutdown cancels it before its response has begun, answer with status 503."""
        begun = False

        async def send_seen(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self.app(scope, receive, send_seen)
        except asyncio.CancelledError:
            # Only a shutdown cancels a request. A client that disconnects does not.
            task = asyncio.current_task()
            if begun or task is None:
                raise
            task.uncancel()
            refusal_counts.count_refusals("stopping")
            reason = _("The server stopped before it could answer. Try again once it’s back.")
            await send_refusal(scope, send, 503, "unavailable", reason, {"retry-after": RETRY_AFTER})
