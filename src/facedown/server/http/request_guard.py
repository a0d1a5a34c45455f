"""Checks before every request (size, origin) and security headers of every response."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from facedown.server.http.refusal_response import API, send_refusal
from facedown.server.i18n import _
from facedown.server.process.breach_padding import random_padding

#: The `Content-Security-Policy` header: it allows what the pages of this server need and nothing else. The WebSocket
#: URLs of the host take the place of `{live}`.
CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self';"
    " connect-src 'self'{live}; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
SECURITY_HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    # Not "no-referrer": browsers would then send "Origin: null" with the forms of this server's own pages.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


def is_same_origin(headers: Headers, scheme: str, allowed: Iterable[str] = ()) -> bool:
    """Return whether a request comes from a page of this server, by its `Origin` or `Sec-Fetch-Site` header.

    * `scheme`: the scheme of the request. If it is https, a page of this server that was loaded by http counts as a
      page of another site. If it is http, pages loaded by http and by https are accepted: the server may be behind a
      proxy that is not configured, and then every request seems to be http.
    * `allowed`: further origins ("https://cards.example") whose pages are accepted.

    A request with neither header is treated as one from another site.
    """
    origin = headers.get("origin")
    if origin is None:
        return headers.get("sec-fetch-site") in ("same-origin", "none")
    if origin in allowed:
        return True
    host, page = headers.get("host"), urlsplit(origin)
    if scheme in ("https", "wss") and page.scheme != "https":
        return False
    return bool(host) and page.netloc.lower() == str(host).lower()


class RequestGuardMiddleware:
    """Middleware that refuses requests whose body is too large, and forms sent by pages of other sites.

    The middleware also adds security headers to every response.
    """

    def __init__(self, app: ASGIApp, body_limit: int, origins: tuple[str, ...] = ()) -> None:
        self.app = app
        self.body_limit = body_limit
        self.origins = origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it with status 403 (wrong origin) or 413 (body larger than `body_limit` bytes).

        The origin is not checked for API requests, nor for the methods in `SAFE_METHODS`. Security headers are added to
        every response, also to a refusal.
        """
        headers = Headers(scope=scope)
        if scope["method"] == "HEAD":
            # A HEAD request gets the response to the same GET request, without its body.
            scope, send = {**scope, "method": "GET"}, _without_body(send)

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                out = MutableHeaders(scope=message)
                for name, value in SECURITY_HEADERS.items():
                    out.setdefault(name, value)
                # In old versions of Safari 'self' does not include WebSockets of the same host, so list their URLs.
                host = headers.get("host", "")
                live = f" ws://{host} wss://{host}" if host and not set(host) & set(" ;,'\"") else ""
                out.setdefault("content-security-policy", CONTENT_POLICY.format(live=live))
                if not scope["path"].startswith("/static/"):
                    out.setdefault("cache-control", "no-store")
                    out.setdefault("x-filler", random_padding())
                if message["status"] == 429:
                    out.setdefault("retry-after", "60")
            await send(message)

        changes = scope["method"] not in SAFE_METHODS and not scope["path"].startswith(API)
        if changes and not is_same_origin(headers, scope["scheme"], self.origins):
            reason = _("This form must be sent from a page on this site.")
            await send_refusal(scope, send_guarded, 403, "forbidden", reason)
            return
        length = headers.get("content-length", "")
        if length.isdigit() and int(length) > self.body_limit:
            reason = _("The request is too large: at most {most} bytes are allowed.", most=self.body_limit)
            await send_refusal(scope, send_guarded, 413, "malformed", reason)
            return
        await self.app(scope, _limit_body_size(receive, self.body_limit), send_guarded)


def _without_body(send: Send) -> Send:
    """Return an ASGI `send` function that drops the body of the response."""

    async def send_head(message: Message) -> None:
        await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

    return send_head


def _limit_body_size(receive: Receive, limit: int) -> Receive:
    """Return an ASGI `receive` function that raises `HTTPException` 413 once a body exceeds `limit` bytes.

    Use this for bodies whose length is not announced in a header.
    """
    taken = 0

    async def receive_limited() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > limit:
            raise HTTPException(413, _("The request is too large"))
        return message

    return receive_limited
