"""Shutdown without making clients wait."""

from __future__ import annotations

import asyncio
import socket

import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from facedown.server.http.refusal_response import RETRY_AFTER, refuse
from facedown.server.i18n import _
from facedown.server.process import refusal_counts


class GracefulServer(uvicorn.Server):
    """A server that first answers requests which wait for changes of a table: they would delay the shutdown.

    WebSockets are closed with code 1012 (service restart): their pages connect to another server, or to this one when
    it is back.
    """

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Answer waiting requests, then close."""
        rooms = getattr(getattr(self.config.app, "state", None), "rooms", None)
        if rooms is not None:
            rooms.begin_shutdown()
        await super().shutdown(sockets)


class ShutdownResponseMiddleware:
    """Answer requests that a shutdown cancels with 503; the innermost layer, so that the others add their headers."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        begun = False

        async def send_seen(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self.app(scope, receive, send_seen)
        except asyncio.CancelledError:
            # Only a shutdown cancels a request; a client that disconnects is noticed in another way.
            task = asyncio.current_task()
            if begun or task is None:
                raise
            task.uncancel()
            refusal_counts.count("stopping")
            reason = _("The server stopped before it could answer. Try again as soon as it is back.")
            await refuse(scope, send, 503, "unavailable", reason, {"retry-after": RETRY_AFTER})
