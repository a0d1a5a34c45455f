"""Preview pictures of links, and the files for search engines (robots.txt, sitemap.xml).

A person who loads a preview sees nothing in it that the linked page would not show them. If a table does not allow
spectators, only its players can load its preview. A preview shows one of these:

* the host of a waiting table;
* the players of a running match;
* the result of a finished match;
* one position as a seat saw it.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import PlainTextResponse, Response

from facedown.core import game_registry as registry
from facedown.core.state import SPECTATOR
from facedown.core.table import Table
from facedown.core.translation import join_names, languages
from facedown.play import Refusal, Session
from facedown.play.lessons import has_lesson
from facedown.play.seat_search import free_seats
from facedown.server import rendering
from facedown.server.http.access import require_replay_access, require_table_access
from facedown.server.http.per_client_limits import build_and_count_rate_limit_refusal
from facedown.server.http.request_locale import VARY
from facedown.server.http.visitors import (
    AtTable,
    Visitor,
    base_url_of,
    client_limit_key_of,
    info_of,
    parse_bounded_number,
)
from facedown.server.i18n import _, run_in_thread
from facedown.server.rendering.replay import Replay, replay_of

router = APIRouter(include_in_schema=False)

#: Seconds that caches may keep a preview: of a finished match, of a table before or during its match, of a game.
MAX_AGE_FINISHED, MAX_AGE_RUNNING, MAX_AGE_GAME = 86400, 60, 86400


def limit_picture_requests(request: Request) -> None:
    """Count a request for a preview picture. Raise `Refusal` if the client has requested too many in a short time.

    The limit is `pictures_a_minute` in the server's settings. All clients with the same IP address (IPv6: in the same
    /64 network) share it.
    """
    if not request.app.state.pictures.take_token(client_limit_key_of(request)):
        raise build_and_count_rate_limit_refusal(
            "pictures", _("Not so fast: too many picture requests from your IP address. Wait a minute.")
        )


PictureLimit = Annotated[None, Depends(limit_picture_requests)]
"""Dependency that limits the number of requests to a route (`limit_picture_requests`); its value is None."""


async def _picture(request: Request, preview: rendering.Preview, kept: int) -> Response:
    """Return a preview as PNG, drawn in a thread. Caches may keep it for `kept` seconds; 0 forbids caching."""
    # Draw one picture at a time, so that the other requests to the server are not slowed down.
    async with request.app.state.drawing:
        png = await run_in_thread(rendering.preview_png, preview)
    how = f"public, max-age={kept}" if kept else "no-store"
    return Response(png, media_type="image/png", headers={"cache-control": how, "vary": VARY})


@router.get("/preview/{game}.png")
async def game_preview(request: Request, game: str, patient: PictureLimit) -> Response:
    """Return the preview picture of a game, for links to its guide and to its lesson.

    `patient` is a dependency that limits the number of requests (`limit_picture_requests`).
    """
    info = info_of(game)
    return await _picture(request, rendering.Preview(game, info.tagline), MAX_AGE_GAME)


@router.get("/preview.png")
async def site_preview(request: Request, patient: PictureLimit) -> Response:
    """Return the preview picture of the home page, which names all games.

    `patient` is a dependency that limits the number of requests (`limit_picture_requests`).
    """
    titles = join_names([info.title for info in registry.catalogue().values()])
    return await _picture(request, rendering.Preview("", _("Games of hidden information."), line=titles), MAX_AGE_GAME)


@router.get("/t/{code}/preview.png")
async def table_preview(request: Request, room: AtTable, patient: PictureLimit, person: Visitor) -> Response:
    """Return the preview picture of a table: an invitation, a running match, or a result.

    `patient` is a dependency that limits the number of requests (`limit_picture_requests`).
    """
    record = room.session.record
    require_table_access(room.session, person)
    if record.status == "finished":
        return await _picture(request, result_preview(room.session), _cache_seconds(room.session, MAX_AGE_FINISHED))
    heading, says = rendering.invitation_heading_and_text(invitation_of(room.session_seen_by(SPECTATOR)))
    return await _picture(
        request, rendering.Preview(record.game, heading, line=says), _cache_seconds(room.session, MAX_AGE_RUNNING)
    )


def _cache_seconds(session: Session, seconds: int) -> int:
    """Return how many seconds caches may keep a preview: `seconds` if the table allows spectators, else 0.

    If spectators are not allowed, only the players may see the preview, but a shared cache could show it to others.
    """
    return seconds if session.record.settings.spectators else 0


@router.get("/m/{code}/preview.png")
async def match_preview(
    request: Request, room: AtTable, patient: PictureLimit, person: Visitor, ply: str = "", eyes: str = ""
) -> Response:
    """Return the preview picture of a finished match: its result or, if `ply` is given, the position after `ply` moves.

    `eyes` selects whose view of the position is shown: a seat number, or "all" or "" for the view of a spectator.
    `patient` is a dependency that limits the number of requests (`limit_picture_requests`).
    """
    session = room.session
    require_replay_access(session, person)
    kept = _cache_seconds(session, MAX_AGE_FINISHED)
    if not ply:
        session.require_ended_match(_("This match is not over yet. Its picture will be available when it ends."))
        return await _picture(request, result_preview(session), kept)
    _replay, viewer, at = await load_replay_viewer_and_ply(session, ply, eyes, SPECTATOR)
    return await _picture(request, await run_in_thread(moment_preview, session, viewer, at), kept)


async def load_replay_viewer_and_ply(session: Session, ply: str, eyes: str, usual: int) -> tuple[Replay, int, int]:
    """Return what a URL asks for: the replay of a finished match, the viewer, and the ply (number of moves made).

    `ply` and `eyes` are parameters of the URL:

    * `ply`: the number of moves made before the position. An empty string means 0, the position after the deal.
    * `eyes`: whose view the replay shows: a seat number, or `SPECTATOR_PARAM` for the view of a spectator. An empty
      string means the view of `usual` (a seat or `SPECTATOR`).

    Raises:
        Refusal: The match is not finished, or it has no such seat or ply.
    """
    last_seat = len(session.record.seats) - 1
    viewer = (
        SPECTATOR if eyes == rendering.SPECTATOR_PARAM else parse_bounded_number(eyes, last_seat) if eyes else usual
    )
    if viewer is None:
        wrong = _(
            "View {given!r} does not exist: expected 0 to {last}, or “{all}”.",
            given=eyes[:20],
            last=last_seat,
            all=rendering.SPECTATOR_PARAM,
        )
        raise Refusal("malformed", wrong)
    found = await replay_of(session, viewer)
    at = parse_bounded_number(ply, found.last_ply) if ply else 0
    if at is None:
        wrong = _("Move {given!r} does not exist: expected 0 to {last}.", last=found.last_ply, given=ply[:20])
        raise Refusal("malformed", wrong)
    return found, viewer, at


def invitation_of(session: Session) -> rendering.Invitation:
    """Return the data of a table that a visitor without a seat may see.

    These data are the game, the table's code and status, the players' names, the number of open seats, whether
    spectators are allowed, and the result of a finished match.
    """
    record = session.record
    over = record.status == "finished"
    host = next((seat.name for seat in record.seats if seat.kind == "person" and seat.person == record.host), "")
    return rendering.Invitation(
        game=record.game,
        title=registry.info(record.game).title,
        code=record.code,
        host=host or next((seat.name for seat in record.seats if seat.name), _("Somebody")),
        open_seats=free_seats(record),
        watch=record.settings.spectators,
        status=record.status,
        players=tuple(seat.name for seat in record.seats if seat.name),
        result=rendering.strip_bold_marks(session.table(SPECTATOR).result) if over else "",
        replay_url=f"/m/{record.code}" if over else "",
    )


def result_preview(session: Session) -> rendering.Preview:
    """Return the preview of a finished match: the result and the final table as spectators see it."""
    table = session.table(SPECTATOR)
    names = join_names([seat.name for seat in session.record.seats])
    return rendering.Preview(table.game, rendering.strip_bold_marks(table.result), line=names, table=table)


def moment_preview(session: Session, viewer: int, ply: int) -> rendering.Preview:
    """Return the preview of a finished match after `ply` moves. It shows only what `viewer` could see then.

    `viewer` is a seat or `SPECTATOR`.
    """
    table: Table = session.dealt_match.at(ply).table(viewer, session.sitters, session.record.settings.memory)
    names = [seat.name for seat in session.record.seats]
    if viewer == SPECTATOR:
        line = _("{names}: what everyone could see.", names=join_names(names))
    else:
        line = _("{names}: what {name} saw.", names=join_names(names), name=names[viewer])
    where = ", ".join(part for part in table.where if part)
    return rendering.Preview(table.game, rendering.strip_bold_marks(table.step.prompt), where, line, table)


# --- search engines ---------------------------------------------------------------------------------------------------


@router.get("/robots.txt")
async def robots(request: Request) -> PlainTextResponse:
    """Return robots.txt: search engines may read everything but the API."""
    # Pages of tables and matches are not disallowed here, because programs that draw link previews must be able to
    # fetch them. These pages themselves ask not to be indexed.
    lines = ["User-agent: *", "Disallow: /api/"]
    return PlainTextResponse("\n".join([*lines, f"Sitemap: {base_url_of(request)}/sitemap.xml", ""]))


@router.get("/sitemap.xml")
async def sitemap(request: Request) -> Response:
    """Return sitemap.xml: the public pages in every language."""
    root = base_url_of(request)
    pages = ["/", "/learn", "/score", "/privacy"]
    for game in registry.catalogue():
        pages += [f"/guide/{game}", *([f"/learn/{game}"] if has_lesson(game) else [])]
    parts = ['<?xml version="1.0" encoding="UTF-8"?>', '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">']
    parts += [f"<url><loc>{root}{page}?lang={code}</loc></url>" for page in pages for code in languages()]
    return Response("\n".join([*parts, "</urlset>", ""]), media_type="application/xml")
