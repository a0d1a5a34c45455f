"""Routes of the page *Open tables*: tables that wait for players, tables to watch, and the search for a seat."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from facedown.core import game_registry as registry
from facedown.core.grammar import capital, in_words
from facedown.core.translation import join_names
from facedown.play import Refusal
from facedown.play.seat_search import PACES, Pace, SearchKind, free_seats
from facedown.play.spectator_view import public_record
from facedown.server import rendering
from facedown.server.connection import viewer_page_data
from facedown.server.http.cookie_check import COOKIES_NEEDED
from facedown.server.http.open_table_rows import open_table_row, pace_text
from facedown.server.http.page_and_form_handlers import form_fields, name_from_form, redirect_to_table
from facedown.server.http.request_locale import with_cookie
from facedown.server.http.visitors import (
    STATUS,
    Visitor,
    count_creation_and_check_limit,
    get_or_create_guest,
    origin_hash_of,
    page_shell_data_of,
    rooms_of,
)
from facedown.server.i18n import N_, _, n_
from facedown.server.rendering.base_path import cookie_path
from facedown.server.rendering.open_tables import OpenTables, SeatOffer, SeatSearch
from facedown.store import Person
from facedown.store.open_tables import OFFER_TIME, Search

router = APIRouter(include_in_schema=False)

#: Cookie that makes the pages of a browser ask whether a seat was found. Its value is "1"; scripts can read it.
SEEKING_COOKIE = "facedown-seeking"
#: Seconds for which the browser keeps this cookie.
SEEKING_COOKIE_AGE = 3 * 86_400
#: Pace of a running search, in words.
PACE_TEXTS = {"minute": N_("a minute per turn"), "day": N_("a day per turn"), "any": N_("any pace")}


@router.get("/open")
async def open_tables_page(request: Request, person: Visitor, game: str = "", gone: str = "") -> Response:
    """Return the page *Open tables*. With `game`, list only the tables of this game.

    `gone` is not empty if the seat that the visitor wanted has been taken.
    """
    message = _("That seat has just been taken. Here is what is free now.") if gone else ""
    return await open_tables_response(request, person, game, message=message)


async def open_tables_response(
    request: Request, person: Person | None, game: str, message: str = "", refusal: Refusal | None = None
) -> Response:
    """Return the page *Open tables* with a message, or with the error of a refused search."""
    shown = await open_tables_of(request, person, game)
    shown = shown._replace(message=message)
    if refusal is not None:
        shown = shown._replace(search=shown.search._replace(error=refusal.reason))
    html = rendering.open_tables_page(page_shell_data_of(request, person), _games(), shown)
    return HTMLResponse(html, STATUS[refusal.code] if refusal else 200)


@router.get("/open/list")
async def open_tables_list(request: Request, person: Visitor, game: str = "") -> Response:
    """Return the part of the page *Open tables* that changes by itself."""
    return HTMLResponse(rendering.open_tables_list(_games(), await open_tables_of(request, person, game)))


@router.get("/open/offer")
async def offered_seat(request: Request, person: Visitor) -> Response:
    """Return the sheet that offers a seat to the visitor; status 204 without an offer.

    If the visitor does not look for a seat any more, delete the cookie that makes pages ask.
    """
    searches = {} if person is None else await rooms_of(request).open_tables.searches_of(person)
    offer = await seat_offer_of(request, searches)
    answer = Response(status_code=204) if offer is None else HTMLResponse(rendering.seat_offer(offer))
    if not searches:
        answer.delete_cookie(SEEKING_COOKIE, path=cookie_path())
    return answer


@router.post("/open/search", dependencies=COOKIES_NEEDED)
async def start_search(request: Request, person: Visitor) -> Response:
    """Start to look for a seat, or for a notice of a free seat, and redirect to the page *Open tables*."""
    fields = await form_fields(request)
    kind: SearchKind = "notice" if fields.get("kind") == "notice" else "seat"
    try:
        count_creation_and_check_limit(request)
        pace = _pace_of(fields.get("pace", "any"))
        games = [name.removeprefix("game-") for name in fields if name.startswith("game-")]
        if "name" in fields:
            name_from_form(fields, person)
        guest = await get_or_create_guest(request, fields.get("name"))
        await rooms_of(request).open_tables.search(guest.person, kind, games, pace, origin_hash_of(request))
    except Refusal as refusal:
        return await open_tables_response(request, person, "", refusal=refusal)
    answer = guest.add_cookie_if_new(request, RedirectResponse("/open", 303))
    return with_cookie(request, answer, SEEKING_COOKIE, "1", SEEKING_COOKIE_AGE, scripts=True)


@router.post("/open/stop")
async def stop_search(request: Request, person: Visitor) -> Response:
    """Stop to look for a seat, or for a notice, and redirect to the page *Open tables*."""
    kind: SearchKind = "notice" if (await form_fields(request, 10)).get("kind") == "notice" else "seat"
    if person is not None:
        await rooms_of(request).open_tables.stop(person, kind)
    return RedirectResponse("/open", 303)


@router.post("/open/answer")
async def answer_offer(request: Request, person: Visitor) -> Response:
    """Take the seat that is kept for the visitor, and redirect to its table; or give it up, and stop looking.

    If the seat cannot be had any more, redirect to the page *Open tables*.
    """
    rooms, agrees = rooms_of(request), (await form_fields(request, 10)).get("answer") == "yes"
    searches = {} if person is None else await rooms.open_tables.searches_of(person)
    found = searches.get("seat")
    if person is None or found is None:
        return RedirectResponse("/open", 303)
    if not agrees:
        await rooms.open_tables.stop(person, "seat")
        return RedirectResponse("/open", 303)
    try:
        room = await rooms.room(found.offer)
        await rooms.open_tables.take_seat(room, person, person.name, ready=True)
    except Refusal:
        return RedirectResponse("/open?gone=1", 303)
    await rooms.store.run(rooms.repository.add_spectator, room.session.code, person.id)
    return redirect_to_table(room)


def _pace_of(text: str) -> Pace:
    for pace in PACES:
        if pace == text:
            return pace
    raise Refusal("malformed", _("The pace must be one of these: {words}.", words=", ".join(PACES)))


def _games() -> list[registry.Info]:
    return list(registry.catalogue().values())


# --- what the page shows ----------------------------------------------------------------------------------------------


async def open_tables_of(request: Request, person: Person | None, game: str = "") -> OpenTables:
    """Return what the page *Open tables* shows a visitor. With `game`, only the tables of this game."""
    rooms = rooms_of(request)
    only = game if game in registry.catalogue() else ""
    listed = [one for one in await rooms.open_tables.listed_for(person) if only in ("", one.record.game)]
    searches = {} if person is None else await rooms.open_tables.searches_of(person)
    seekers = await rooms.open_tables.count_seekers()
    return OpenTables(
        waiting=tuple(open_table_row(one) for one in listed if one.free),
        watchable=tuple(open_table_row(one) for one in listed if not one.free),
        seekers=seekers,
        search=_search_panel(searches, seekers),
        offer=await seat_offer_of(request, searches),
        only=only,
    )


def _search_panel(searches: dict[SearchKind, Search], seekers: int) -> SeatSearch:
    seat, notice = searches.get("seat"), searches.get("notice")
    panel = SeatSearch(games=tuple(registry.catalogue()))
    if seat is not None:
        others = seekers - 1
        line = f"{_titles(seat.games)} · {_(PACE_TEXTS[seat.pace])}."
        if others > 0:
            line += " " + n_("One other person is looking, too.", "{count} other people are looking, too.", others)
        panel = panel._replace(running=True, line=line, games=seat.games, pace=seat.pace)
    if notice is not None:
        line = _("{games}, for the next 12 hours", games=_titles(notice.games))
        panel = panel._replace(notice=True, notice_line=line)
    return panel


def _titles(games: Sequence[str]) -> str:
    return join_names([registry.info(game).title for game in games if game in registry.catalogue()])


async def seat_offer_of(request: Request, searches: dict[SearchKind, Search]) -> SeatOffer | None:
    """Return the seat that is kept for a visitor with these searches, or the free seat of which they get a notice."""
    rooms = rooms_of(request)
    found = next((one for kind in ("seat", "notice") if (one := searches.get(kind)) is not None and one.offer), None)
    if found is None or found.offer_until is None:
        return None
    try:
        record = public_record((await rooms.room(found.offer)).session.record)
    except Refusal:
        return None
    if not free_seats(record):
        return None
    info, people = registry.info(record.game), sum(seat.kind == "person" for seat in record.seats)
    bots = sum(seat.kind == "bot" for seat in record.seats)
    said = [n_("one person", "{count} people", people)] if people else []
    said += [n_("one bot", "{count} bots", bots)] if bots else []
    lasts = _("about {count} minutes", count=info.minutes) if info.minutes else ""
    labels = viewer_page_data.bot_level_labels(rooms.settings.bots)
    return SeatOffer(
        game=record.game,
        title=_("{game} for {number}", game=info.title, number=in_words(len(record.seats))),
        line=capital(", ".join(filter(None, [*said, pace_text(record), lasts]))) + ".",
        people=tuple(
            (
                seat.name,
                seat.kind == "bot",
                rendering.mid_sentence_label(labels.get(seat.level, seat.level)) if seat.kind == "bot" else "",
            )
            for seat in record.seats
            if seat.taken
        ),
        code=record.code,
        left=max(0, round(found.offer_until - rooms.now())),
        of=int(OFFER_TIME),
        takes_over=record.status == "running",
        notice=found.kind == "notice",
    )
