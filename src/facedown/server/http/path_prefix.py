"""Path prefix of the server ("/cards"): removed from the paths of requests, added to redirects."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from facedown.server.rendering.base_path import use_root


class PathPrefixMiddleware:
    """Middleware that lets the application run below a path prefix.

    Requests with and without the prefix are accepted, because a proxy may remove the prefix, and because requests that
    bypass the proxy (``/ready``) have none. The application itself sees paths without the prefix.
    """

    def __init__(self, app: ASGIApp, root: str) -> None:
        self.app = app
        self.root = root

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on with the prefix removed from its path, and add the prefix to a redirect in the response."""
        if not self.root:
            await self.app(scope, receive, send)
            return
        if scope["path"] == self.root:
            query = scope.get("query_string", b"").decode("latin-1")
            await RedirectResponse(f"{self.root}/{'?' + query if query else ''}", 308)(scope, receive, send)
            return

        async def send_below(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if "location" in headers:
                    headers["location"] = self._add_prefix(headers["location"], Headers(scope=scope).get("host", ""))
            await send(message)

        with use_root(self.root):
            await self.app(strip_prefix(scope, self.root), receive, send_below)

    def _add_prefix(self, location: str, host: str) -> str:
        """Return the URL of a redirect with the prefix added; a URL of another host is returned unchanged."""
        to = urlsplit(location)
        if to.netloc not in ("", host) or not to.path.startswith("/"):
            return location
        return to._replace(path=self.root + to.path).geturl()


def strip_prefix(scope: Scope, root: str) -> Scope:
    """Return the scope of a request or WebSocket with the prefix removed from its path, if the path has it."""
    if not root or not scope["path"].startswith(f"{root}/"):
        return scope
    raw, taken = scope.get("raw_path"), {**scope, "path": scope["path"][len(root) :]}
    if raw is not None and raw.startswith(f"{root}/".encode()):
        taken["raw_path"] = raw[len(root) :]
    return taken
