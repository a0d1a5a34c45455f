"""Responses to requests that are refused before the application runs: JSON for the API, plain text elsewhere."""

from __future__ import annotations

import json
from collections.abc import Mapping

from starlette.types import Scope, Send
from uvicorn.protocols.http.httptools_impl import STATUS_LINE

from facedown.core.translation import use_language
from facedown.server.i18n import N_, _

#: Path prefix of the JSON API.
API = "/api/"
#: Paths of health checks. They are exempt from rate limits, bans and the check of the host name.
PROBES = ("/health", "/ready")
#: Seconds after which a client should repeat a request answered with 503, here or at another server.
RETRY_AFTER = "2"
_SLOW = (408, N_("The request took too long to arrive."))
_LARGE = (431, N_("This request has too many headers, or they are too large."))
#: HTTP status and reason for refusing a connection, or data that are not a valid request, by kind of refusal.
CONNECTION_REFUSALS = {
    "connections": (503, N_("The server has too many connections right now. Try again in a moment.")),
    "connections-of-address": (
        429,
        N_("Too many connections are open from your IP address. Close some, then try again."),
    ),
    "no-request": (400, N_("This is not a valid request.")),
    "head-too-large": _LARGE,
    "too-many-headers": _LARGE,
    "slow-head": _SLOW,
    "slow-body": _SLOW,
}


async def send_refusal(
    scope: Scope, send: Send, status: int, code: str, reason: str, headers: Mapping[str, str] | None = None
) -> None:
    """Answer an HTTP request or a WebSocket handshake with an HTTP status and the sentence `reason`.

    `code` is the short name of the error. Only responses to API requests contain it.
    """
    if scope["path"].startswith(API):
        kind, body = "application/json", json.dumps({"code": code, "reason": reason}).encode()
    else:
        kind, body = "text/plain; charset=utf-8", reason.encode()
    told = {**(headers or {}), "content-type": kind, "content-length": str(len(body))}
    start = "websocket.http.response" if scope["type"] == "websocket" else "http.response"
    listed = [(name.encode(), value.encode()) for name, value in told.items()]
    await send({"type": f"{start}.start", "status": status, "headers": listed})
    await send({"type": f"{start}.body", "body": b"" if scope.get("method") == "HEAD" else body})


def raw_refusal(kind: str, language: str) -> bytes:
    """Return a complete HTTP error response as bytes, to be sent before the connection is closed.

    The response answers data that cannot be parsed as a request, or a connection above the limits. `kind` is a key of
    `CONNECTION_REFUSALS`, `language` the language code of the text.
    """
    status, reason = CONNECTION_REFUSALS[kind]
    with use_language(language):
        body = _(reason).encode()
    head = b"content-type: text/plain; charset=utf-8\r\nconnection: close\r\ncontent-length: %d\r\n" % len(body)
    retry = b"retry-after: 10\r\n" if status in (429, 503) else b""
    return STATUS_LINE[status] + head + retry + b"\r\n" + body
