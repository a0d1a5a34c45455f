"""Around every request: it is given a name for the log, it is counted, and, if the host wants that, noted down.

An address holds a table's code, so what is noted is the route that answered, as it stands in the program.
"""

from __future__ import annotations

import time
from collections.abc import Mapping

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from facedown.server.process import logs
from facedown.server.process.metrics import Metrics
from facedown.server.process.settings import ServerSettings

log = logs.logger("facedown.server.requests")


class Watched:
    """Counts and names requests; the outermost of all that handles them."""

    def __init__(self, app: ASGIApp, settings: ServerSettings, metrics: Metrics) -> None:
        self.app = app
        self.settings = settings
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        status, size, begun = 500, 0, time.perf_counter()

        async def send_noted(message: Message) -> None:
            nonlocal status, size
            if message["type"] == "http.response.start":
                status = message["status"]
            elif message["type"] == "http.response.body":
                size += len(message.get("body", b""))
            await send(message)

        with structlog.contextvars.bound_contextvars(request=logs.new_request()):
            try:
                await self.app(scope, receive, send_noted)
            finally:
                self.metrics.answered(kind_of(scope["path"]), status)
                if self.settings.log_requests:
                    answer = {"status": status, "bytes": size}
                    method = known_method(scope["method"])
                    _note("request", scope, begun, self.settings, method, route_of(scope), answer)


def note_line(scope: Scope, route: str, begun: float, settings: ServerSettings) -> None:
    """Note down that a live line was closed which began at a time of `time.perf_counter`."""
    _note("line_closed", scope, begun, settings, "", route, {})


def _note(
    event: str,
    scope: Scope,
    begun: float,
    settings: ServerSettings,
    method: str,
    route: str,
    answer: Mapping[str, int],
) -> None:
    client = (scope.get("client") or ("",))[0]
    log.info(
        event,
        method=method,
        route=route,
        ms=round((time.perf_counter() - begun) * 1000, 1),
        address=logs.address(client, settings.log_addresses),
        **answer,
    )


def kind_of(path: str) -> str:
    """What sort of thing is asked for."""
    return "api" if path.startswith("/api/") else "file" if path.startswith("/static/") else "page"


def known_method(method: str) -> str:
    """The method, if it is one that HTTP has."""
    return method if method in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS") else "other"


def route_of(scope: Scope) -> str:
    """The route that answered, without what was put into it; nothing where none did."""
    return str(getattr(scope.get("route"), "path", "")) or ("/static" if kind_of(scope["path"]) == "file" else "")
