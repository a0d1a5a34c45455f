"""How a request is answered that is refused before the application sees it: in one sentence, to programs as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping

from starlette.types import Scope, Send

#: Where programs ask.
API = "/api/"
#: What whoever watches over the server asks, by whatever name and as often as they like.
PROBES = ("/health", "/ready")
#: What could not be done now (503) can be in a moment, here or at another server, in seconds.
AGAIN_IN = "2"


async def refuse(
    scope: Scope, send: Send, status: int, code: str, reason: str, headers: Mapping[str, str] | None = None
) -> None:
    """Answer a request, or one for a live line, with a status and why; nothing stands in it of what was sent."""
    if scope["path"].startswith(API):
        kind, body = "application/json", json.dumps({"code": code, "reason": reason}).encode()
    else:
        kind, body = "text/plain; charset=utf-8", reason.encode()
    told = {**(headers or {}), "content-type": kind, "content-length": str(len(body))}
    start = "websocket.http.response" if scope["type"] == "websocket" else "http.response"
    listed = [(name.encode(), value.encode()) for name, value in told.items()]
    await send({"type": f"{start}.start", "status": status, "headers": listed})
    await send({"type": f"{start}.body", "body": b"" if scope.get("method") == "HEAD" else body})
