"""How the server fares, for programs that watch it: `/health` (it lives), `/ready` (it can save a move), `/metrics`."""

from __future__ import annotations

import asyncio
import hmac
from typing import cast

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from prometheus_client import CONTENT_TYPE_LATEST
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException

from facedown.server.http.client_address import client_ip, inside, networks
from facedown.server.http.visitors import rooms_of
from facedown.server.process import logs
from facedown.server.process.settings import ServerSettings
from facedown.server.table.room_registry import Rooms
from facedown.store.errors import word_of

log = logs.logger()
router = APIRouter(include_in_schema=False)

#: What was found holds for so long, however often somebody asks, in seconds.
READINESS_TTL = 1.0
#: So long may it take to write something down before the server counts as not ready, in seconds.
READINESS_TIMEOUT = 3.0
#: What proxies add to a request that they pass on.
FORWARDING_HEADERS = (
    "forwarded",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-proto",
    "x-real-ip",
    "via",
    "cf-ray",
)
#: By these names a program on this machine asks.
LOCAL_HOST_NAMES = ("localhost", "127.0.0.1", "[::1]")
READY = "ready"
LOOPBACK = networks(("127.0.0.0/8", "::1"))


class Readiness:
    """Can a move be saved? Found out by writing something down, at most once at a time and once a second."""

    def __init__(self, rooms: Rooms) -> None:
        self.rooms = rooms
        self.ttl = READINESS_TTL
        self._word = READY
        self._found = float("-inf")
        self._asking: asyncio.Task[None] | None = None
        rooms.metrics.ready.set(1)

    async def status(self) -> str:
        """ "ready", or in a word why not."""
        if self.rooms.closing:
            return "stopping"
        if self.rooms.clock.monotonic() - self._found >= self.ttl:
            if self._asking is None or self._asking.done():
                self._asking = asyncio.ensure_future(self._check_write())
            done, _ = await asyncio.wait((self._asking,), timeout=READINESS_TIMEOUT)
            if not done:
                # It is still being tried: nobody begins another one meanwhile.
                self._set_status("slow")
        return self._word

    async def _check_write(self) -> None:
        try:
            await self.rooms.store.run(self.rooms.repository.write_pulse, self.rooms.now())
        except SQLAlchemyError as wrong:
            self._set_status(word_of(wrong))
        except RuntimeError:
            # Its threads have been told to stop.
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
    """The server lives: its event loop comes round. Of the database this says nothing."""
    return JSONResponse({"status": "ok"})


@router.get("/ready")
async def ready(request: Request) -> JSONResponse:
    """The server can save a move."""
    word = await cast(Readiness, request.app.state.readiness).status()
    return JSONResponse({"status": word}, 200 if word == READY else 503)


@router.get("/metrics")
async def metrics(request: Request) -> Response:
    """What is counted, for Prometheus; to everybody else there is nothing here."""
    rooms = rooms_of(request)
    if not may_read_metrics(request, rooms.settings):
        raise HTTPException(404)
    return Response(rooms.metrics.text(), media_type=CONTENT_TYPE_LATEST)


def may_read_metrics(request: Request, settings: ServerSettings) -> bool:
    """Does this request have the token, or does it come from a program on this machine?"""
    token = settings.metrics_token.get_secret_value()
    sent = request.headers.get("authorization", "")
    if settings.metrics == "off":
        return False
    if token and hmac.compare_digest(sent.encode(), f"Bearer {token}".encode()):
        return True
    return settings.metrics == "local" and not sent and _is_from_here(request)


def _is_from_here(request: Request) -> bool:
    """Was this sent on this machine, and not passed on for somebody else?

    A proxy on this machine asks from here as well. It says for whom, or at least by which name it was asked; nginx,
    told nothing, does neither, but asks by HTTP/1.0.
    """
    local = inside(client_ip(request.scope), LOOPBACK)
    host = request.headers.get("host", "").lower()
    name = host if host.endswith("]") else host.rpartition(":")[0] or host
    direct = request.scope.get("http_version") != "1.0" and not any(
        header in request.headers for header in FORWARDING_HEADERS
    )
    return local and direct and name in LOCAL_HOST_NAMES
