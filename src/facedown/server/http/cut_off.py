"""A server that stops does not wait for ever: who is not answered by then is told so, as of any other refusal."""

from __future__ import annotations

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from facedown.server.http.refusing import AGAIN_IN, refuse
from facedown.server.process import refusal_counts
from facedown.server.texts import _


class CutOff:
    """Answers requests that are cut off; innermost, so that what others add to answers is added to this one, too."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun = False

        async def send_seen(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self.app(scope, receive, send_seen)
        except asyncio.CancelledError:
            # Only a server that ends does this to a request: whoever goes away in the middle is found out otherwise.
            task = asyncio.current_task()
            if begun or task is None:
                raise
            task.uncancel()
            refusal_counts.count("stopping")
            reason = _("The server stopped before it could answer. Try again as soon as it is back.")
            await refuse(scope, send, 503, "unavailable", reason, {"retry-after": AGAIN_IN})
