"""Request log and request metrics: gives each request an id for log lines, counts it, and logs it if configured.

A URL may contain a table's code, which gives access to the table. So the log holds the route's pattern ("/t/{code}")
instead.
"""

from __future__ import annotations

import time

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from facedown.server.process import logs
from facedown.server.process.metrics import Metrics
from facedown.server.process.server_settings import ServerSettings

log = logs.logger("facedown.server.requests")

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


class RequestLogMiddleware:
    """Middleware that counts requests, gives each an id for the log, and logs them if `log_requests` is set."""

    def __init__(self, app: ASGIApp, settings: ServerSettings, metrics: Metrics) -> None:
        self.app = app
        self.settings = settings
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, then count it and, if `log_requests` is set, log it."""
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
                self.metrics.count_request(path_kind(scope["path"]), status)
                if self.settings.log_requests:
                    method = scope["method"] if scope["method"] in METHODS else "other"
                    answer = {"method": method, "route": route_of(scope), "status": status, "bytes": size}
                    log_client_event("request", scope["client"], begun, self.settings, **answer)


def log_client_event(
    event: str, client: tuple[str, int] | None, begun: float, settings: ServerSettings, **more: object
) -> None:
    """Log an event with the client's anonymized address and the milliseconds since `begun`.

    `client` is (IP address, port), `begun` a value of `time.perf_counter`, `more` are further fields of the log line.
    """
    address = logs.anonymize_address(client[0] if client else "", settings.log_addresses)
    log.info(event, ms=round((time.perf_counter() - begun) * 1000, 1), address=address, **more)


def path_kind(path: str) -> str:
    """Return the label of a URL path in the metrics: "api", "file" (static file) or "page"."""
    return "api" if path.startswith("/api/") else "file" if path.startswith("/static/") else "page"


def route_of(scope: Scope) -> str:
    """Return the path pattern of the route that handled a request, such as "/t/{code}"; "" if no route did."""
    return str(getattr(scope.get("route"), "path", "")) or ("/static" if path_kind(scope["path"]) == "file" else "")
