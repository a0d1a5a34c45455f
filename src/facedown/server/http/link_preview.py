"""What others are shown of a link: preview pictures, and what search engines may know.

A picture says no more than whoever follows its link is shown: of a table that waits who invites, of a running one who
plays, of a finished match its result, or a moment as one seat saw it; and of a table that is played without spectators
nothing, but to those who sit there.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import PlainTextResponse, Response

from facedown.core import game_registry as registry
from facedown.core.language import languages, listed
from facedown.core.state import SPECTATOR
from facedown.core.table import Table
from facedown.play import Refusal, Session
from facedown.play.lessons import has_lesson
from facedown.server import rendering
from facedown.server.http.access import need_to_know, need_to_look_back
from facedown.server.http.request_limits import too_fast
from facedown.server.http.request_locale import VARY
from facedown.server.http.visitors import AtTable, Visitor, address_of, info_of, number_in, root_of
from facedown.server.i18n import _, in_thread
from facedown.server.rendering.replay import Replay, replay_of

router = APIRouter(include_in_schema=False)

#: How long others may keep a picture, in seconds: of a match that is over, of one that goes on, of a game.
KEPT_OVER, KEPT_RUNNING, KEPT_GAME = 86400, 60, 86400


def need_time(request: Request) -> None:
    """`Refusal` when too many pictures are asked for from this address."""
    if not request.app.state.pictures.take(address_of(request)):
        raise too_fast("pictures", _("Not so fast: too many pictures from your address. Wait a minute."))


Patient = Annotated[None, Depends(need_time)]


async def _picture(request: Request, preview: rendering.Preview, kept: int) -> Response:
    """A preview as PNG, drawn beside the event loop; `kept` 0: by nobody."""
    # One at a time: the rest of the server goes on meanwhile.
    async with request.app.state.drawing:
        png = await in_thread(rendering.preview_png, preview)
    how = f"public, max-age={kept}" if kept else "no-store"
    return Response(png, media_type="image/png", headers={"cache-control": how, "vary": VARY})


@router.get("/preview/{game}.png")
async def of_game(request: Request, game: str, patient: Patient) -> Response:
    """The picture of a game: of its guide and its lesson."""
    info = info_of(game)
    return await _picture(request, rendering.Preview(game, info.tagline), KEPT_GAME)


@router.get("/preview.png")
async def of_house(request: Request, patient: Patient) -> Response:
    """The picture of the house."""
    titles = listed([info.title for info in registry.catalogue().values()])
    return await _picture(request, rendering.Preview("", _("Games of what you don’t know."), line=titles), KEPT_GAME)


@router.get("/t/{code}/preview.png")
async def of_table(request: Request, room: AtTable, patient: Patient, person: Visitor) -> Response:
    """The picture of an invitation, or of a match that goes on."""
    record = room.session.record
    need_to_know(room.session, person)
    if record.status == "finished":
        return await _picture(request, result_of(room.session), _kept(room.session, KEPT_OVER))
    heading, says = rendering.join_words(join_of(room.session))
    return await _picture(
        request, rendering.Preview(record.game, heading, line=says), _kept(room.session, KEPT_RUNNING)
    )


def _kept(session: Session, seconds: int) -> int:
    """How long others may keep a picture of a table: not at all where they may not see it."""
    return seconds if session.record.settings.spectators else 0


@router.get("/m/{code}/preview.png")
async def of_match(
    request: Request, room: AtTable, patient: Patient, person: Visitor, ply: str = "", eyes: str = ""
) -> Response:
    """The picture of a finished match: its result, or a moment as a seat (or everybody) saw it."""
    session = room.session
    need_to_look_back(session, person)
    kept = _kept(session, KEPT_OVER)
    if not ply:
        session.ended(_("it can be shown"))
        return await _picture(request, result_of(session), kept)
    _replay, viewer, at = await replayed(session, ply, eyes, SPECTATOR)
    return await _picture(request, await in_thread(moment_of, session, viewer, at), kept)


async def replayed(session: Session, ply: str, eyes: str, usual: int) -> tuple[Replay, int, int]:
    """The replay of a finished match for some eyes (at first `usual`), these, and a move of it, at first the deal.

    Raises:
        Refusal: The match has no such eyes, or no such move.
    """
    last_seat = len(session.record.seats) - 1
    viewer = SPECTATOR if eyes == rendering.ALL_EYES else number_in(eyes, last_seat) if eyes else usual
    if viewer is None:
        wrong = _(
            "There is no view {given!r}: views are 0 to {last}, or “{all}”.",
            given=eyes[:20],
            last=last_seat,
            all=rendering.ALL_EYES,
        )
        raise Refusal("malformed", wrong)
    found = await replay_of(session, viewer)
    at = number_in(ply, found.last) if ply else 0
    if at is None:
        wrong = _("This match has moves 0 to {last}, not {given!r}.", last=found.last, given=ply[:20])
        raise Refusal("malformed", wrong)
    return found, viewer, at


def join_of(session: Session) -> rendering.Join:
    """What a stranger is told of a table: who plays, whether there is a seat, whether one may watch."""
    record = session.record
    over = record.status == "finished"
    host = next((seat.name for seat in record.seats if seat.kind == "person" and seat.person == record.host), "")
    return rendering.Join(
        game=record.game,
        title=registry.info(record.game).title,
        code=record.code,
        host=host or next((seat.name for seat in record.seats if seat.name), _("Somebody")),
        open_seats=sum(not seat.taken for seat in record.seats) if record.status == "lobby" else 0,
        watch=record.settings.spectators,
        status=record.status,
        players=tuple(seat.name for seat in record.seats if seat.name),
        result=rendering.plain(session.table(SPECTATOR).result) if over else "",
        replay_url=f"/m/{record.code}" if over else "",
    )


def result_of(session: Session) -> rendering.Preview:
    """A finished match: who won, and what lay on the table in the end."""
    table = session.table(SPECTATOR)
    names = listed([seat.name for seat in session.record.seats])
    return rendering.Preview(table.game, rendering.plain(table.result), line=names, table=table)


def moment_of(session: Session, viewer: int, ply: int) -> rendering.Preview:
    """A moment of a finished match as a seat saw it: what it was asked, and what it could touch."""
    table: Table = session.running.at(ply).table(viewer, session.sitters, session.record.settings.memory)
    names = [seat.name for seat in session.record.seats]
    if viewer == SPECTATOR:
        line = _("{names}, as everyone could see it.", names=listed(names))
    else:
        line = _("{names}, as {name} saw it.", names=listed(names), name=names[viewer])
    where = ", ".join(part for part in table.where if part)
    return rendering.Preview(table.game, rendering.plain(table.step.prompt), where, line, table)


# --- search engines ---------------------------------------------------------------------------------------------------


@router.get("/robots.txt")
async def robots(request: Request) -> PlainTextResponse:
    """What search engines may read."""
    # Tables and matches say so themselves: whoever draws a preview of a link has to read its page.
    lines = ["User-agent: *", "Disallow: /api/"]
    return PlainTextResponse("\n".join([*lines, f"Sitemap: {root_of(request)}/sitemap.xml", ""]))


@router.get("/sitemap.xml")
async def sitemap(request: Request) -> Response:
    """The public pages, in every language."""
    root = root_of(request)
    pages = ["/", "/learn", "/score", "/privacy"]
    for game in registry.catalogue():
        pages += [f"/guide/{game}", *([f"/learn/{game}"] if has_lesson(game) else [])]
    parts = ['<?xml version="1.0" encoding="UTF-8"?>', '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">']
    parts += [f"<url><loc>{root}{page}?lang={code}</loc></url>" for page in pages for code in languages()]
    return Response("\n".join([*parts, "</urlset>", ""]), media_type="application/xml")
