"""Endpoints for monitoring: `/health` (the process answers), `/ready` (it can save a move), `/metrics` (Prometheus)."""

from __future__ import annotations

import asyncio
import hmac
from typing import cast

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from prometheus_client import CONTENT_TYPE_LATEST
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException

from facedown.server.http.client_address import client_ip, is_in_networks, parse_networks
from facedown.server.http.visitors import rooms_of
from facedown.server.process import logs
from facedown.server.process.server_settings import ServerSettings
from facedown.server.table.room_registry import Rooms
from facedown.store.errors import error_class_word

log = logs.logger()
router = APIRouter(include_in_schema=False)

#: Seconds for which the result of a readiness check is reused.
READINESS_TTL = 1.0
#: Seconds that a test write may take before the server counts as not ready.
READINESS_TIMEOUT = 3.0
#: Headers that proxies add to the requests they forward.
FORWARDING_HEADERS = (
    "forwarded",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-proto",
    "x-real-ip",
    "via",
    "cf-ray",
)
#: Host names in requests from programs on this machine.
LOCAL_HOST_NAMES = ("localhost", "127.0.0.1", "[::1]")
READY = "ready"
LOOPBACK = parse_networks(("127.0.0.0/8", "::1"))


class Readiness:
    """Readiness check: a test write to the database shows whether the server can save a move.

    At most one test write runs at a time. Its result is reused for one second (`READINESS_TTL`).
    """

    def __init__(self, rooms: Rooms) -> None:
        self.rooms = rooms
        self.ttl = READINESS_TTL
        self._word = READY
        self._found = float("-inf")
        self._asking: asyncio.Task[None] | None = None
        rooms.metrics.ready.set(1)

    async def status(self) -> str:
        """Return "ready", or one word for why the server cannot save a move.

        The words are "stopping", "slow" (the test write takes too long), and those that `error_class_word` returns for
        database errors.
        """
        if self.rooms.closing:
            return "stopping"
        if self.rooms.clock.monotonic() - self._found >= self.ttl:
            if self._asking is None or self._asking.done():
                self._asking = asyncio.ensure_future(self._check_write())
            done, _ = await asyncio.wait((self._asking,), timeout=READINESS_TIMEOUT)
            if not done:
                # The test write still runs; the next call waits for it instead of starting another one.
                self._set_status("slow")
        return self._word

    async def _check_write(self) -> None:
        try:
            await self.rooms.store.run(self.rooms.repository.save_alive_time, self.rooms.now())
        except SQLAlchemyError as wrong:
            self._set_status(error_class_word(wrong))
        except RuntimeError:
            # The server is stopping: the thread pools for the database have been shut down, so calls raise this error.
            self._set_status("stopping")
        else:
            self._set_status(READY)

    def _set_status(self, word: str) -> None:
        if word != self._word:
            (log.info if word == READY else log.error)("readiness", word=word)
        self._word, self._found = word, self.rooms.clock.monotonic()
        self.rooms.metrics.ready.set(word == READY)


@router.get("/health")
async def health() -> JSONResponse:
    """Report that the process and its event loop run. The database is not checked."""
    return JSONResponse({"status": "ok"})


@router.get("/ready")
async def ready(request: Request) -> JSONResponse:
    """Report whether the server can save a move: status 200, or 503 with the reason."""
    word = await cast(Readiness, request.app.state.readiness).status()
    return JSONResponse({"status": word}, 200 if word == READY else 503)


@router.get("/metrics")
async def metrics(request: Request) -> Response:
    """Return the metrics for Prometheus, or 404 to a client that may not read them."""
    rooms = rooms_of(request)
    if not may_read_metrics(request, rooms.settings):
        raise HTTPException(404)
    return Response(rooms.metrics.prometheus_text(), media_type=CONTENT_TYPE_LATEST)


def may_read_metrics(request: Request, settings: ServerSettings) -> bool:
    """Return whether a request may read the metrics, according to the settings `metrics` and `metrics_token`.

    It may if it contains the token, or if it comes directly from this machine and the settings allow that.
    """
    token = settings.metrics_token.get_secret_value()
    sent = request.headers.get("authorization", "")
    if settings.metrics == "off":
        return False
    if token and hmac.compare_digest(sent.encode(), f"Bearer {token}".encode()):
        return True
    return settings.metrics == "local" and not sent and _is_from_this_machine(request)


def _is_from_this_machine(request: Request) -> bool:
    """Return whether a request was sent from this machine and not forwarded by a proxy on it.

    A proxy is recognized by the headers that it adds, by the public host name that it keeps, or by HTTP/1.0, which
    nginx uses in its default configuration.
    """
    local = is_in_networks(client_ip(request.scope), LOOPBACK)
    host = request.headers.get("host", "").lower()
    name = host if host.endswith("]") else host.rpartition(":")[0] or host
    direct = request.scope.get("http_version") != "1.0" and not any(
        header in request.headers for header in FORWARDING_HEADERS
    )
    return local and direct and name in LOCAL_HOST_NAMES
