"""Around every request: it is given a name for the log, it is counted, and, if the host wants that, noted down.

An address holds a table's code, so what is noted is the route that answered, as it stands in the program.
"""

from __future__ import annotations

import time

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from facedown.server.process import logs
from facedown.server.process.metrics import Metrics
from facedown.server.process.settings import ServerSettings

log = logs.logger("facedown.server.requests")

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


class RequestLogMiddleware:
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

        with structlog.contextvars.bound_contextvars(request=logs.new_request_id()):
            try:
                await self.app(scope, receive, send_noted)
            finally:
                self.metrics.count_request(kind_of(scope["path"]), status)
                if self.settings.log_requests:
                    method = scope["method"] if scope["method"] in METHODS else "other"
                    answer = {"method": method, "route": route_of(scope), "status": status, "bytes": size}
                    log_client_event("request", scope["client"], begun, self.settings, **answer)


def log_client_event(
    event: str, client: tuple[str, int] | None, begun: float, settings: ServerSettings, **more: object
) -> None:
    """Log something that a client's address began, at a time of `time.perf_counter`."""
    address = logs.anonymize_address(client[0] if client else "", settings.log_addresses)
    log.info(event, ms=round((time.perf_counter() - begun) * 1000, 1), address=address, **more)


def kind_of(path: str) -> str:
    """What sort of thing is asked for."""
    return "api" if path.startswith("/api/") else "file" if path.startswith("/static/") else "page"


def route_of(scope: Scope) -> str:
    """The route that answered, without what was put into it; nothing where none did."""
    return str(getattr(scope.get("route"), "path", "")) or ("/static" if kind_of(scope["path"]) == "file" else "")
