"""The ASGI application of the web server: middleware, routers for pages, API and health checks, and error handlers."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, Response
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

from facedown.core.translation import use_language
from facedown.play import Refusal
from facedown.server import rendering
from facedown.server.cluster.bus import Bus
from facedown.server.cluster.bus_backends import bus_of
from facedown.server.connection.commands import save_error_text
from facedown.server.connection.connection_counts import ConnectionCounts
from facedown.server.http import (
    account,
    api,
    devices,
    health,
    invitations,
    lessons,
    licences,
    link_preview,
    open_tables,
    page_and_form_handlers,
    people,
    privacy_page,
    push,
    pwa,
    record,
    scorekeeper,
)
from facedown.server.http.api_docs import docs_page
from facedown.server.http.ban_list import BanList, BannedRefusal, require_unbanned_address
from facedown.server.http.client_address import ClientAddressMiddleware
from facedown.server.http.cookie_check import NoCookies, set_cookie_and_retry
from facedown.server.http.error_page import problem_page
from facedown.server.http.path_prefix import PathPrefixMiddleware
from facedown.server.http.per_client_limits import Limits, RateLimitMiddleware
from facedown.server.http.refusal_response import API, RETRY_AFTER
from facedown.server.http.request_guard import RequestGuardMiddleware
from facedown.server.http.request_locale import LocaleMiddleware, language_of, require_known_language_parameter
from facedown.server.http.request_log import RequestLogMiddleware
from facedown.server.http.shutdown_response import ShutdownResponseMiddleware
from facedown.server.http.visitors import STATUS, LastSeenRecorder, page_shell_data_of, person_of_cookie
from facedown.server.http.websocket_entry import WebSocketEntry
from facedown.server.i18n import _
from facedown.server.process import logs, refusal_counts
from facedown.server.process.clocks import SYSTEM_CLOCK, Clock
from facedown.server.process.metrics import Metrics
from facedown.server.process.rate_limit import Buckets
from facedown.server.process.server_settings import ServerSettings
from facedown.server.rendering.base_path import use_root
from facedown.server.table.room_registry import Rooms
from facedown.store import Person, Repository, StoreError
from facedown.store.errors import error_class_word

log = logs.logger()

ABOUT = """\
Five tabletop games of hidden information. Take a seat, look at your view, play.

Send your seat's token as `Authorization: Bearer …`. You only get what your seat may know. Errors have the form
`{"code": …, "reason": …}` and change nothing.
"""


def create_app(settings: ServerSettings, bus: Bus | None = None, clock: Clock = SYSTEM_CLOCK) -> FastAPI:
    """Return the web server as an ASGI application. Raise `StoreError` if the database cannot be used.

    `bus` carries messages between server processes; None means the bus that the settings name. Tests replace `clock`.
    """
    repository = Repository(settings.database, clock.wall)
    metrics = Metrics()
    bus = bus or bus_of(settings.bus, settings.database)
    try:
        repository.processes.check_same_bus(bus.name)
    except StoreError:
        repository.close()
        raise

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        rooms = Rooms(repository, settings, bus, clock, metrics)
        app.state.rooms = rooms
        app.state.banned = banned = BanList(rooms)
        app.state.seen_today = LastSeenRecorder(rooms)
        app.state.readiness = health.Readiness(rooms)
        # Bots' moves and timeouts also cause pages to be rendered, outside of any request. The URLs in these pages need
        # the path prefix, too.
        with use_root(settings.root):
            try:
                await rooms.start()
            except Exception:
                # uvicorn would log this error with its message, which may contain values of settings. So it is logged
                # here, without its message.
                log.exception("not_started")
                raise
            await banned.reload()
            rooms.errand(banned.reload_forever())
            log.info("started")
            try:
                yield
            finally:
                log.info("stopping")
                await rooms.stop()
                repository.close()
                log.info("stopped")

    app = Application(
        title="Facedown",
        version="1",
        description=ABOUT,
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        dependencies=[Depends(require_known_language_parameter), Depends(require_unbanned_address)],
    )
    app.state.settings = settings
    app.state.limits = Limits(settings, clock)
    app.state.crowd = ConnectionCounts(settings, clock)
    app.state.drawing = asyncio.Semaphore(1)
    app.state.pictures = Buckets(settings.pictures_a_minute, settings.pictures_a_minute / 60, clock=clock)
    app.add_middleware(ShutdownResponseMiddleware)
    app.add_middleware(RequestGuardMiddleware, body_limit=settings.body_limit, origins=settings.origins)
    # The length of a compressed page could disclose a secret in it (the BREACH attack). `RequestGuardMiddleware` adds
    # random padding to every page.
    app.add_middleware(GZipMiddleware, minimum_size=MIN_COMPRESSED_BYTES, compresslevel=COMPRESSION)
    app.add_middleware(RateLimitMiddleware, limits=app.state.limits)
    app.add_middleware(LocaleMiddleware, usual=settings.language)
    app.add_middleware(RequestLogMiddleware, settings=settings, metrics=metrics)
    app.add_middleware(PathPrefixMiddleware, root=settings.root)
    # Added last, so it runs first: all other layers use the client address and host that it sets.
    app.add_middleware(ClientAddressMiddleware, proxies=settings.proxies, hosts=settings.hosts, usual=settings.language)
    app.websocket_entry = WebSocketEntry(
        settings, ClientAddressMiddleware(app, settings.proxies, settings.hosts, settings.language)
    )
    app.include_router(api.router)
    app.include_router(scorekeeper.api)
    for part in (
        link_preview,
        page_and_form_handlers,
        lessons,
        open_tables,
        scorekeeper,
        account,
        devices,
        record,
        people,
        invitations,
        privacy_page,
        push,
        pwa,
        licences,
        health,
    ):
        app.include_router(part.router)
    app.mount("/static", CachedStaticFiles(directory=rendering.STATIC), name="static")
    app.add_api_route("/docs", _docs, include_in_schema=False)
    _add_exception_handlers(app, settings)
    _customize_openapi(app, settings.root)
    return app


class Application(FastAPI):
    """FastAPI application whose middleware handles HTTP requests only.

    WebSockets bypass the middleware and go to `websocket_entry` directly. If they passed through the middleware, the
    call of each middleware would stay in memory for as long as the WebSocket is open.
    """

    websocket_entry: WebSocketEntry

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one HTTP request, one WebSocket connection, or the lifespan of the server."""
        scope["app"] = self
        if scope["type"] == "websocket":
            await self.websocket_entry(scope, receive, send)
        elif scope["type"] == "lifespan":
            await self.router(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)


#: Smallest size of a response that is compressed, in bytes. A shorter one fits into one network packet anyway.
MIN_COMPRESSED_BYTES = 1000
#: Level of gzip compression. Higher levels take twice the time for one per cent less data.
COMPRESSION = 6
#: Suffix that the build adds to the names of fonts and pictures: a hash of their contents.
CONTENT_HASH_SUFFIX = re.compile(r"-[A-Z0-9]{8}\.\w+$")


class CachedStaticFiles(StaticFiles):
    """Static files with cache headers. The headers differ between two kinds of files.

    * Files whose URL contains a hash of their content: a browser keeps such a file and does not ask the server again.
    * All other files: a browser asks the server each time whether the file has changed.
    """

    async def get_response(self, path: str, scope: Any) -> Response:
        """Return the response for a file. Its `Cache-Control` header says how long a browser may keep the file.

        A browser may keep the file for a year if the URL contains a hash of the content: at the end of the file's name,
        or as the query string. Otherwise the browser must ask the server each time whether the file has changed.
        """
        made = rendering.generated_file(path)
        response = Response(made) if made else await super().get_response(path, scope)
        if response.status_code == 200:
            response.headers["content-type"] = rendering.media_type(path)
        marked = scope.get("query_string") or CONTENT_HASH_SUFFIX.search(path)
        kept = "public, max-age=31536000, immutable" if marked else "no-cache"
        response.headers["cache-control"] = kept
        return response


async def _docs(request: Request) -> HTMLResponse:
    """Return the HTML page at ``/docs``, which documents the JSON API for programs."""
    return HTMLResponse(docs_page(page_shell_data_of(request, None), request.app.openapi()))


def _add_exception_handlers(app: FastAPI, settings: ServerSettings) -> None:
    """Register handlers that answer errors: with JSON for the API and other JSON routes, else with an error page."""

    def asks_for_json(request: Request) -> bool:
        route = request.scope.get("route")
        return request.url.path.startswith(API) or getattr(route, "response_class", None) is JSONResponse

    def answer(
        request: Request,
        status: int,
        code: str,
        reason: str,
        headers: dict[str, str] | None = None,
        person: Person | None = None,
    ) -> Response:
        if asks_for_json(request):
            return JSONResponse({"code": code, "reason": reason}, status, headers)
        return HTMLResponse(problem_page(request, page_shell_data_of(request, person), status, reason), status, headers)

    @app.exception_handler(Refusal)
    async def refusal(request: Request, wrong: Refusal) -> Response:
        # An error page in HTML shows the visitor's name, which is in the database. Do not look it up for an answer in
        # JSON, for a request that exceeded a rate limit, or for a banned visitor.
        is_known = not (asks_for_json(request) or wrong.code == "too-fast" or isinstance(wrong, BannedRefusal))
        person = await person_of_cookie(request) if is_known else None
        return answer(request, STATUS[wrong.code], wrong.code, wrong.reason, person=person)

    @app.exception_handler(NoCookies)
    async def cookies(request: Request, wrong: NoCookies) -> Response:
        return set_cookie_and_retry(request, wrong)

    @app.exception_handler(ClientDisconnect)
    async def gone(request: Request, wrong: ClientDisconnect) -> Response:
        # The client disconnected while it sent the request body, so nobody reads this answer.
        refusal_counts.count_refusals("gone-while-sending")
        return answer(request, 400, "malformed", _("The request could not be read."))

    @app.exception_handler(api.Unauthorized)
    async def unknown(request: Request, wrong: api.Unauthorized) -> Response:
        return answer(request, 401, "unauthorized", str(wrong), {"www-authenticate": "Bearer"})

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, wrong: RequestValidationError) -> Response:
        return answer(request, 422, "malformed", _first_error(wrong))

    @app.exception_handler(HTTPException)
    async def http(request: Request, wrong: HTTPException) -> Response:
        # The framework's error texts have no full stop, so one is added.
        known = {404: _("There is nothing at this address."), 405: _("Method Not Allowed") + "."}
        reason = known.get(wrong.status_code, f"{wrong.detail}.")
        return answer(request, wrong.status_code, "malformed", reason, dict(wrong.headers or {}))

    @app.exception_handler(SQLAlchemyError)
    async def database(request: Request, wrong: SQLAlchemyError) -> Response:
        log.error("database_refused", why=error_class_word(wrong), exc_info=wrong)
        return answer(request, 503, "unavailable", save_error_text(wrong), {"retry-after": RETRY_AFTER})

    @app.exception_handler(Exception)
    async def broken(request: Request, wrong: Exception) -> Response:
        # Don't log the error: it is raised again after this, and uvicorn logs it. The handler runs outside of all
        # middleware, so it must set the language and the path prefix itself.
        with use_language(language_of(request.scope, settings.language)), use_root(settings.root):
            reason = _("The server ran into an error. Your match is saved. Try again in a moment.")
            return answer(request, 500, "broken", reason)


def _first_error(wrong: RequestValidationError) -> str:
    """Return the first validation error as one sentence."""
    error = next(iter(wrong.errors()), None)
    if error is None:
        return _("The request could not be read.")
    if error["type"] == "json_invalid":
        return _("The request body is not valid JSON.")
    where = ".".join(str(part) for part in error["loc"] if part not in ("body", "query", "path"))
    return f"{where}: {error['msg']}." if where else f"{error['msg']}."


def _customize_openapi(app: FastAPI, root: str) -> None:
    """Change the OpenAPI schema: remove FastAPI's own error models, add an example of a score sheet, and add the path
    prefix `root` to the server's URL.
    """
    made = app.openapi

    def schema() -> dict[str, Any]:
        if app.openapi_schema is None:
            spec = made()
            for name in ("HTTPValidationError", "ValidationError"):
                spec.get("components", {}).get("schemas", {}).pop(name, None)
            scorekeeper.add_openapi_example(spec)
            if root:
                spec["servers"] = [{"url": root}]
            app.openapi_schema = spec
        return app.openapi_schema

    app.openapi = schema  # type: ignore[method-assign]
