"""The pages and forms of the web table (docs/protocol.md)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import cast

from fastapi import APIRouter, Request, WebSocket
from fastapi.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response

from facedown.core import game as registry
from facedown.core.state import SPECTATOR
from facedown.play import NewSeat, Refusal, Settings, clean_name, new_table, offered, usual
from facedown.play.names import clean_code
from facedown.play.records import AtZero
from facedown.server import look
from facedown.server.http import matchfile
from facedown.server.http.guard import same_origin
from facedown.server.http.guides import guide_of, way_back
from facedown.server.http.visitors import (
    NAMELESS,
    STATUS,
    Guest,
    guest_of,
    need_patience,
    person_of,
    rooms_of,
    shell_of,
)
from facedown.server.http.ways import problem_page
from facedown.server.live import again, messages, presenter
from facedown.server.live.connection import Connection
from facedown.server.live.rooms import Room, Rooms
from facedown.server.study import coaching
from facedown.store import Person

log = logging.getLogger("facedown.server")
router = APIRouter(include_in_schema=False)

#: How many of a person's tables the home page lists.
TABLES_LISTED = 8
QUICK_SEATS = 3
TITLES = {403: "Not for you", 404: "Nothing here", 409: "Not now", 410: "Gone", 422: "That does not work", 429: "Wait"}


def page(html: str, status: int = 200) -> HTMLResponse:
    """A whole page."""
    return HTMLResponse(html, status)


async def refused(request: Request, refusal: Refusal) -> HTMLResponse:
    """The page for something that was refused."""
    status = STATUS[refusal.code]
    shell = shell_of(request, await person_of(request))
    return page(problem_page(request, shell, status, TITLES[status], refusal.reason), status)


async def fields_of(request: Request) -> dict[str, str]:
    """The text fields of a form."""
    async with request.form(max_files=0, max_fields=200) as form:
        return {name: value for name, value in form.multi_items() if isinstance(value, str)}


def fresh_sheet(
    rooms: Rooms, chosen: Mapping[str, str] | None = None, error: str = "", error_at: str = ""
) -> look.NewTable:
    """The new-table sheet with the bots that can be seated."""
    bots = rooms.settings.bots
    levels = tuple((level.key, level.label, level.says) for level in offered(bots))
    return look.NewTable(levels, usual(bots), chosen or {}, error, error_at)


# --- home -----------------------------------------------------------------------------------------------------------


@router.get("/")
async def home(request: Request) -> Response:
    """Your tables, the games, a code, quick play."""
    person = await person_of(request)
    tables = await tables_of(rooms_of(request), person)
    return page(look.home_page(shell_of(request, person), list(registry.catalogue().values()), tables))


async def tables_of(rooms: Rooms, person: Person | None) -> list[look.TableLink]:
    """The rows under *Your tables*: those that wait for you first."""
    if person is None:
        return []
    links = []
    for seated in await rooms.in_store(rooms.repository.tables_of, person.id, TABLES_LISTED):
        record = seated.record
        others = [s.name for i, s in enumerate(record.seats) if i != seated.seat and s.name]
        title = registry.info(record.game).title
        title += (
            f" with {' and '.join((', '.join(others[:-1]), others[-1])) if others[1:] else others[0]}" if others else ""
        )
        line, yours, state = f"Table {record.code}", False, "finished"
        if record.status == "lobby":
            state = "not begun"
        elif record.status == "running":
            try:
                session = (await rooms.room(record.code)).session
            except Refusal as refusal:
                line, state = refusal.reason, "closed"
            else:
                step = session.table(seated.seat).step
                line, yours, state = step.prompt.replace("**", ""), bool(step.choices), "waiting"
        links.append(look.TableLink(record.game, title, line, f"/t/{record.code}", yours, state))
    return sorted(links, key=lambda link: (not link.yours, link.state == "finished"))


@router.get("/new/{game}")
async def new(request: Request, game: str) -> Response:
    """The new-table sheet of a game."""
    return await new_sheet(request, game, fresh_sheet(rooms_of(request)))


async def new_sheet(request: Request, game: str, sheet: look.NewTable, status: int = 200) -> Response:
    """Home with the sheet in front."""
    try:
        info = registry.info(game)
    except registry.UnknownGame as wrong:
        return await refused(request, Refusal("unknown", f"{str(wrong).capitalize()}."))
    person = await person_of(request)
    tables = await tables_of(rooms_of(request), person)
    games = list(registry.catalogue().values())
    return page(look.new_table_page(shell_of(request, person), info, sheet, games=games, tables=tables), status)


@router.post("/tables")
async def open_table(request: Request) -> Response:
    """Make a table from the sheet's form."""
    rooms = rooms_of(request)
    fields = await fields_of(request)
    try:
        need_patience(request)
        game = fields.get("game", "")
        try:
            info = registry.info(game)
        except registry.UnknownGame as wrong:
            raise Refusal("unknown", f"{str(wrong).capitalize()}.") from None
        # A form that asks for a name wants one; who has one already is not asked.
        if "name" in fields:
            try:
                named(fields, await person_of(request))
            except Refusal as refusal:
                return await new_sheet(request, game, fresh_sheet(rooms, fields, refusal.reason, "name"), 422)
        guest, room = await make_table(
            request,
            game,
            seats_of(fields, info.seats[1]),
            fields.get("name"),
            look.options_from_form(info, fields),
            settings_of(fields),
        )
    except Refusal as refusal:
        if refusal.code in ("malformed", "too-fast"):
            at = f"option-{refusal.option}" if refusal.option else ""
            sheet = fresh_sheet(rooms, fields, refusal.reason, at)
            return await new_sheet(request, fields.get("game", ""), sheet, STATUS[refusal.code])
        return await refused(request, refusal)
    return guest.remember(request, RedirectResponse(f"/t/{room.session.code}", 303))


def settings_of(fields: Mapping[str, str]) -> Settings:
    """How a form wants the table to be played."""
    clock, increment = clock_of(fields)
    return Settings(
        clock,
        "memory" in fields,
        "spectators" in fields,
        "hints" in fields,
        increment,
        cast(AtZero, fields.get("at-zero", "bot")),
        "watchers-talk" in fields,
    )


def named(fields: Mapping[str, str], person: Person | None) -> str:
    """The name in a form, or the one that a person has; `Refusal` says what is wrong with it."""
    given = fields.get("name", "").strip()
    known = person.name if person is not None and person.name != NAMELESS else ""
    if not given and not known:
        raise Refusal("malformed", "Please type a name: the others at the table see it.")
    name = clean_name(given or known)
    if name.casefold() == "you":
        raise Refusal("malformed", "At a table everybody is “you” to themselves. Please choose another name.")
    return name


def clock_of(fields: Mapping[str, str]) -> tuple[int, int]:
    """The clock that a form asks for, with its increment; none given is no limit."""
    parts = fields.get("clock", "0").split("+")
    if len(parts) > 2 or not all(part.isascii() and part.isdigit() and len(part) <= 9 for part in parts):
        raise Refusal("malformed", "The clock is a number of seconds, 0 for no limit, or two numbers: 300+10.")
    return int(parts[0]), int(parts[1]) if len(parts) == 2 else 0


def seats_of(fields: Mapping[str, str], most: int) -> list[NewSeat]:
    """The seats that a form asks for."""
    named = sorted((n for n in fields if n.startswith("seat-")), key=lambda n: (len(n), n))
    wanted = {f"seat-{index}" for index in range(most)}
    strange = [name for name in named if name not in wanted]
    if strange:
        raise Refusal("malformed", f"There is no {strange[0]}: seats go from seat-0 to seat-{most - 1}.")
    seats = []
    for name in named:
        kind = fields[name]
        if kind == "you":
            seats.append(NewSeat("me"))
        elif kind == "open":
            seats.append(NewSeat("open"))
        elif kind != "closed":
            seats.append(NewSeat("bot", kind))
    if not any(seat.kind == "me" for seat in seats):
        raise Refusal("malformed", "One of the seats must be yours.")
    return seats


async def make_table(
    request: Request,
    game: str,
    seats: list[NewSeat],
    name: str | None,
    options: Mapping[str, str],
    settings: Settings,
) -> tuple[Guest, Room]:
    """A new table with its host seated; without an open seat the deal begins at once."""
    rooms = rooms_of(request)
    if name and name.strip():
        clean_name(name)
    await rooms.warm(game)
    # First see whether such a table can be, then write a new guest down.
    new_table(game, seats, rooms.settings.bots, rooms.now(), host=None, options=options, settings=settings)
    guest = await guest_of(request, name)
    record = new_table(
        game,
        seats,
        rooms.settings.bots,
        rooms.now(),
        host=guest.person.id,
        host_name=guest.person.name,
        options=options,
        settings=settings,
    )
    room = await rooms.add(record)
    if not any(seat.kind == "open" for seat in seats):
        await room.request(lambda session: session.ready(guest.person.id, True, rooms.now()))
    return guest, room


@router.post("/quick")
async def quick(request: Request) -> Response:
    """A table with bots that begins at once."""
    rooms = rooms_of(request)
    fields = await fields_of(request)
    try:
        need_patience(request)
        game = fields.get("game") or next(iter(registry.catalogue()))
        try:
            low, high = registry.info(game).seats
        except registry.UnknownGame as wrong:
            raise Refusal("unknown", f"{str(wrong).capitalize()}.") from None
        a_bot = NewSeat("bot", usual(rooms.settings.bots))
        seats = [NewSeat("me")] + [a_bot] * (min(high, max(low, QUICK_SEATS)) - 1)
        guest, room = await make_table(request, game, seats, fields.get("name"), {}, Settings(hints=True))
    except Refusal as refusal:
        return await refused(request, refusal)
    return guest.remember(request, RedirectResponse(f"/t/{room.session.code}", 303))


@router.get("/join")
async def join(request: Request, code: str = "") -> Response:
    """To the table of a code."""
    try:
        if not clean_code(code):
            raise Refusal("malformed", "Please type a table’s code: four letters or digits.")
        room = await rooms_of(request).room(clean_code(code))
    except Refusal as refusal:
        return await refused(request, refusal)
    return RedirectResponse(f"/t/{room.session.code}", 303)


# --- a table --------------------------------------------------------------------------------------------------------


def link_of(request: Request | WebSocket, code: str) -> str:
    """The whole address of a table, to be shared."""
    scheme = {"ws": "http", "wss": "https"}.get(request.url.scheme, request.url.scheme)
    return f"{scheme}://{request.url.netloc}/t/{code}"


@router.get("/t/{code}")
async def table(request: Request, code: str) -> Response:
    """The table as it is for this visitor."""
    rooms = rooms_of(request)
    person = await person_of(request)
    shell = shell_of(request, person)
    try:
        room = await rooms.room(clean_code(code))
        if room.session.code != code:
            return RedirectResponse(f"/t/{room.session.code}", 303)
        viewer = await viewer_of(room, person)
        if viewer is None:
            return join_or_refuse(room, shell)
        if person is not None and viewer != SPECTATOR:
            await room.request(lambda session: session.come_back(person.id, rooms.now()))
    except Refusal as refusal:
        return await refused(request, refusal)
    session = room.session
    game = session.record.game
    if session.match is None:
        seat = None if viewer == SPECTATOR else viewer
        lobby = presenter.lobby(
            session, seat, person.id if person else None, link_of(request, session.code), rooms.settings.bots
        )
        message = look.lobby_message(lobby, version=session.record.revision)
        hints = session.record.settings.hints and viewer != SPECTATOR
        return page(look.lobby_page(shell, message, game=game, code=session.code, hints=hints))
    coach = wanted = None
    if session.match.over:
        await room.catch_up()
        wanted = again.shown(room, viewer)
        seat = coaching.first_seat(session, viewer)
        coach = coaching.told(session, viewer, seat, coaching.begun(rooms.coach, session, seat))
    message = room.page(viewer, coach, wanted).message(version=session.version(viewer))
    hints = session.record.settings.hints and viewer != SPECTATOR and not session.match.over
    return page(look.table_page(shell, message, game=game, code=session.code, hints=hints))


async def viewer_of(room: Room, person: Person | None) -> int | None:
    """The seat of a person, `SPECTATOR` for one who watches, None for a stranger."""
    if person is None:
        return None
    seat = room.session.seat_of(person.id)
    if seat is not None:
        return seat
    rooms = room.rooms
    if room.session.record.settings.spectators and await rooms.in_store(
        rooms.repository.watches, room.session.code, person.id
    ):
        return SPECTATOR
    return None


def join_or_refuse(room: Room, shell: look.Shell, error: str = "", status: int = 200, error_at: str = "") -> Response:
    """What a stranger sees: a seat, a place to watch, or a closed door."""
    record = room.session.record
    free = sum(not seat.taken for seat in record.seats) if record.status == "lobby" else 0
    over = record.status == "finished"
    if not free and not record.settings.spectators and not over:
        raise Refusal("forbidden", "This table is full, and it is played without spectators.")
    host = next((s.name for s in record.seats if s.kind == "person" and s.person == record.host), "")
    host = host or next((s.name for s in record.seats if s.name), "Somebody")
    shown = look.Join(
        game=record.game,
        title=registry.info(record.game).title,
        code=record.code,
        host=host,
        open_seats=free,
        watch=record.settings.spectators,
        error=error,
        error_at=error_at,
        status="finished" if over else "running" if record.status == "running" else "lobby",
        players=tuple(seat.name for seat in record.seats if seat.name),
        result=room.session.table(SPECTATOR).result.replace("**", "") if over else "",
        replay_url=f"/m/{record.code}" if over else "",
    )
    return page(look.join_page(shell, shown), status)


@router.post("/t/{code}/sit")
async def sit(request: Request, code: str) -> Response:
    """Take the first open seat under a nickname."""
    rooms = rooms_of(request)
    fields = await fields_of(request)
    person = await person_of(request)
    try:
        room = await rooms.room(clean_code(code))
        try:
            need_patience(request)
            name = named(fields, person)
            if person is None or room.session.seat_of(person.id) is None:
                guest = await guest_of(request, name)
                await room.request(lambda session: session.sit(guest.person.id, name, now=rooms.now()))
            else:
                guest = Guest(person, None)
        except Refusal as refusal:
            at = "name" if refusal.code == "malformed" else ""
            return join_or_refuse(room, shell_of(request, person), refusal.reason, STATUS[refusal.code], at)
    except Refusal as refusal:
        return await refused(request, refusal)
    return guest.remember(request, RedirectResponse(f"/t/{room.session.code}", 303))


@router.post("/t/{code}/watch")
async def watch(request: Request, code: str) -> Response:
    """Become a spectator, where they are welcome."""
    rooms = rooms_of(request)
    try:
        room = await rooms.room(clean_code(code))
        if not room.session.record.settings.spectators:
            raise Refusal("forbidden", "This table is played without spectators.")
        need_patience(request)
        guest = await guest_of(request, None)
        await rooms.in_store(rooms.repository.watch, room.session.code, guest.person.id)
    except Refusal as refusal:
        return await refused(request, refusal)
    return guest.remember(request, RedirectResponse(f"/t/{room.session.code}", 303))


@router.post("/t/{code}/leave")
async def leave(request: Request, code: str) -> Response:
    """Give a seat up, or leave it to the others; somebody without a seat just goes."""
    rooms = rooms_of(request)
    person = await person_of(request)
    try:
        room = await rooms.room(clean_code(code))
        seated = person is not None and room.session.seat_of(person.id) is not None
        if person is not None and seated and room.session.record.status != "finished":
            await room.request(lambda session: session.leave(person.id, rooms.now()))
    except Refusal as refusal:
        return await refused(request, refusal)
    return RedirectResponse("/", 303)


@router.post("/t/{code}/again")
async def play_again(request: Request, code: str) -> Response:
    """Ask for another match with the same people, or answer; to the next table when it is dealt, else back."""
    rooms = rooms_of(request)
    person = await person_of(request)
    try:
        room = await rooms.room(clean_code(code))
        if person is None:
            raise Refusal("forbidden", "You had no seat at this table.")
        following = await again.say(room, person, (await fields_of(request)).get("answer", "yes"))
    except Refusal as refusal:
        return await refused(request, refusal)
    dealt = following is not None and following.session.match is not None
    there = following if dealt and following and following.session.seat_of(person.id) is not None else room
    return RedirectResponse(f"/t/{there.session.code}", 303)


@router.websocket("/t/{code}/live")
async def live(socket: WebSocket, code: str) -> None:
    """The live table."""
    rooms = rooms_of(socket)
    if not same_origin(socket.headers, rooms.settings.origins):
        log.warning("a live table was asked for by a page of another origin")
        await socket.close(1008)
        return
    person = await person_of(socket)
    try:
        room = await rooms.room(clean_code(code))
        if await viewer_of(room, person) is None:
            raise Refusal("closed", "You have no seat at this table.")
    except Refusal as refusal:
        await socket.accept()
        await socket.send_text(messages.Refused(code="closed", reason=refusal.reason).wire())
        await socket.close(1008)
        return
    await Connection(socket, room, person, link_of(socket, room.session.code)).run()


# --- match files, rules, health -------------------------------------------------------------------------------------


@router.get("/m/{code}.facedown")
async def match_file(request: Request, code: str) -> Response:
    """The file of a finished match, with its seed."""
    try:
        room = await rooms_of(request).room(clean_code(code))
        text = matchfile.text_of(room.session)
    except Refusal as refusal:
        return await refused(request, refusal)
    name = f"{room.session.record.game}-{room.session.code}.facedown"
    return PlainTextResponse(text, headers={"content-disposition": f'attachment; filename="{name}"'})


@router.get("/guide/{game}")
async def guide(request: Request, game: str) -> Response:
    """A game's rules."""
    shell = shell_of(request, await person_of(request))
    try:
        info = registry.info(game)
    except registry.UnknownGame as wrong:
        return await refused(request, Refusal("unknown", f"{str(wrong).capitalize()}."))
    await rooms_of(request).warm(game)
    found = await asyncio.to_thread(guide_of, game)
    if found is None:
        return await refused(request, Refusal("unknown", f"{info.title} has no guide yet."))
    back, words = way_back(request.headers.get("referer", ""), request.url.netloc)
    shown = look.guide_page(shell, game=game, title=info.title, guide=found, back=back, back_words=words)
    return page(shown)


@router.get("/rules/{game}")
async def rules(game: str) -> Response:
    """The other name of the guide."""
    # Only a name of the registry is put into an address.
    known = game if game in registry.catalogue() else "unknown"
    return RedirectResponse(f"/guide/{known}", 308)
