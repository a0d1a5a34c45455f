"""Routes of the pages and forms of the web server (docs/protocol.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import cast

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response

from facedown.core import game_registry as registry
from facedown.core.match_file import write
from facedown.core.state import SPECTATOR
from facedown.play import (
    Refusal,
    Session,
    Settings,
    clean_name,
    default_level,
    lobby_host_actions,
    new_table,
    offered_levels,
    open_tables,
)
from facedown.play.bot_interface import level_name_and_description
from facedown.play.records import DELAY_BY_ROUND, AtZero, TakeBacks
from facedown.play.rematch import new_table_from_ply
from facedown.play.user_input import clean_code
from facedown.server import rendering
from facedown.server.connection import coach_panel, messages, viewer_page_data
from facedown.server.connection.commands import handle_open_table_request, session_change_for_request
from facedown.server.http import request_locale
from facedown.server.http.access import require_replay_access, require_seat, require_table_access, viewer_of
from facedown.server.http.cookie_check import COOKIES_NEEDED
from facedown.server.http.guides import back_link, figure_json_after_moves, guide_of
from facedown.server.http.home import home_of
from facedown.server.http.lessons import lesson_of, seats_with_easiest_bots
from facedown.server.http.link_preview import invitation_of, load_replay_viewer_and_ply
from facedown.server.http.match_defaults import default_mode_by_seat_count, lesson_mode_option, quick_match
from facedown.server.http.visitors import (
    NAMELESS,
    STATUS,
    AtTable,
    Guest,
    Visitor,
    count_creation_and_check_limit,
    get_or_create_guest,
    info_of,
    origin_hash_of,
    page_shell_data_of,
    parse_bounded_number,
    person_of_cookie,
    room_of,
    rooms_of,
    table_link_of,
)
from facedown.server.i18n import _, run_in_thread
from facedown.server.process import logs
from facedown.server.table import rematch
from facedown.server.table.room import Room
from facedown.store import Person

log = logs.logger()
router = APIRouter(include_in_schema=False)

#: House rules that are checkboxes. In a form their names have hyphens instead of underscores.
SWITCHES = ("memory", "spectators", "hints", "watchers_talk", "free_away")
#: Largest number of seconds that the parser of clocks accepts. A larger number is refused as malformed.
MAX_SECONDS = 10**9 - 1


async def form_fields(request: Request, most: int = 200) -> dict[str, str]:
    """Return the text fields of a submitted form, by name. A form with more than `most` fields is refused."""
    async with request.form(max_files=0, max_fields=most) as form:
        return {name: value for name, value in form.multi_items() if isinstance(value, str)}


# --- home -----------------------------------------------------------------------------------------------------------


@router.get("/")
async def home(request: Request, person: Visitor) -> Response:
    """Return the home page, with the games, quick play, and this visitor's tables, last results and lesson."""
    games = list(registry.catalogue().values())
    return HTMLResponse(rendering.home_page(page_shell_data_of(request, person), games, await home_of(request, person)))


@router.get("/new/{game}")
async def new(request: Request, game: str) -> Response:
    """Return the home page with the form for a new table of a game."""
    return await new_table_response(request, game, {})


async def new_table_response(
    request: Request,
    game: str,
    chosen: Mapping[str, str],
    refusal: Refusal | None = None,
    at: str = "",
    table: str = "",
) -> Response:
    """Return the home page with the form for a new table.

    * `chosen`: the values already filled in, by field name.
    * `refusal`: the error to show.
    * `at`: the name of the field with the error.
    * `table`: the code of an existing table whose settings and game options are edited, "" for a new table.
    """
    info, person, bots = info_of(game), await person_of_cookie(request), rooms_of(request).settings.bots
    levels = tuple((level.key, *level_name_and_description(level)) for level in offered_levels(bots))
    modes = await default_mode_by_seat_count(request, info, person)
    sheet = rendering.NewTableForm(levels, default_level(bots), chosen, table=table, modes=modes)
    if refusal is not None:
        at = f"option-{refusal.option}" if refusal.option else at
        sheet = sheet._replace(error=refusal.reason, error_at=at)
    games, shown = list(registry.catalogue().values()), await home_of(request, person)
    html = rendering.new_table_page(page_shell_data_of(request, person), info, sheet, games=games, home=shown)
    return HTMLResponse(html, STATUS[refusal.code] if refusal else 200)


@router.post("/tables", dependencies=COOKIES_NEEDED)
async def open_table(request: Request, person: Visitor) -> Response:
    """Create a table from the form for a new table, and redirect to it."""
    fields = await form_fields(request)
    game, at = fields.get("game", ""), ""
    try:
        count_creation_and_check_limit(request)
        info = info_of(game)
        # The form has a name field only if the visitor has no name yet; then the name is required.
        if "name" in fields:
            at = "name"
            name_from_form(fields, person)
            at = ""
        options = rendering.options_from_form(info, fields)
        seats = seats_from_form(fields, info.seats[1])
        listed = "listed" in fields
        return await create_table_and_redirect(
            request, game, seats, fields.get("name"), options, settings_from_form(fields), listed
        )
    except Refusal as refusal:
        if refusal.code not in ("malformed", "too-fast"):
            raise
        return await new_table_response(request, game, fields, refusal, at)


def settings_from_form(fields: Mapping[str, str]) -> Settings:
    """Return the settings of a table (clock, timeouts, house rules) from a form's values by field name."""
    clock, increment = clock_from_form(fields)
    at_zero = cast(AtZero, fields.get("at-zero", "bot"))
    take_backs = cast(TakeBacks, fields.get("take-backs", "slow"))
    ticked = {name: name.replace("_", "-") in fields for name in SWITCHES}
    delay = spectator_delay_from_form(fields) if ticked["spectators"] else 0
    return Settings(clock, increment=increment, at_zero=at_zero, take_backs=take_backs, spectator_delay=delay, **ticked)


def spectator_delay_from_form(fields: Mapping[str, str]) -> int:
    """Return the delay of spectators that a form asks for (`Settings.spectator_delay`).

    Raise `Refusal` if the form's field `spectator-delay` is malformed.
    """
    given = fields.get("spectator-delay", "0")
    seconds = DELAY_BY_ROUND if given == "round" else parse_bounded_number(given, MAX_SECONDS, 9)
    if seconds is None:
        raise Refusal("malformed", _("The delay of spectators must be a number of seconds (0 for none) or “round”."))
    return seconds


def name_from_form(fields: Mapping[str, str], person: Person | None) -> str:
    """Return the name entered in a form; if none was entered, the person's current name.

    Raise `Refusal` if both are missing or the name is invalid.
    """
    given = fields.get("name", "").strip()
    known = person.name if person is not None and person.name != NAMELESS else ""
    if not given and not known:
        raise Refusal("malformed", _("Please enter a name. The others at the table will see it."))
    return clean_name(given or known)


def clock_from_form(fields: Mapping[str, str]) -> tuple[int, int]:
    """Return the time limit and the increment per turn that a form asks for, in seconds; limit 0 means no limit.

    Raise `Refusal` if the form's field `clock` is malformed.
    """
    clock, plus, increment = fields.get("clock", "0").partition("+")
    seconds = parse_bounded_number(clock, MAX_SECONDS, 9)
    more = parse_bounded_number(increment, MAX_SECONDS, 9) if plus else 0
    if seconds is None or more is None:
        wrong = _(
            "The clock setting must be a number of seconds per turn (0 for no limit), or two numbers such as "
            "300+10: seconds for the round and seconds added per turn."
        )
        raise Refusal("malformed", wrong)
    return seconds, more


def seats_from_form(fields: Mapping[str, str], most: int) -> list[str]:
    """Return who takes each seat according to a form: "me" (the visitor), "open" or the key of a bot level.

    Closed seats are left out. `most` is the largest number of seats that the game allows. Raise `Refusal` if the form
    has a field for a seat beyond that, or if none of the seats is the visitor's.
    """
    named = sorted((n for n in fields if n.startswith("seat-")), key=lambda n: (len(n), n))
    wanted = {f"seat-{index}" for index in range(most)}
    strange = [name for name in named if name not in wanted]
    if strange:
        wrong = _("{seat} does not exist: the seats are seat-0 to seat-{last}.", seat=strange[0], last=most - 1)
        raise Refusal("malformed", wrong)
    seats = ["me" if fields[name] == "you" else fields[name] for name in named if fields[name] != "closed"]
    if "me" not in seats:
        raise Refusal("malformed", _("One of the seats must be yours."))
    return seats


async def create_table_and_redirect(
    request: Request,
    game: str,
    seats: Sequence[str],
    name: str | None,
    options: Mapping[str, str],
    settings: Settings,
    listed: bool = False,
) -> Response:
    """Create a table, and redirect its host there. If no seat is open, start the match at once.

    * `seats`: for each seat "me", "open" or the key of a bot level.
    * `name`: the host's new name, None to keep the old one.
    * `options`: the rule variants, by option name.
    * `listed`: whether the table is listed among the open tables.
    """
    rooms = rooms_of(request)
    if name and name.strip():
        clean_name(name)
    await rooms.preparations.load_rules(game)
    make = partial(new_table, game, seats, rooms.settings.bots, rooms.now(), options=options, settings=settings)
    # Check that the table is valid before a new guest is stored.
    make(host=None)
    guest = await get_or_create_guest(request, name)
    record = make(host=guest.person.id, host_name=guest.person.name)
    room = await rooms.store_new_table(replace(record, origin=origin_hash_of(request)))
    if listed:
        await rooms.open_tables.list_table(room, guest.person, True)
    if "open" not in seats:
        await room.request_change(lambda session: session.ready(guest.person.id, True, rooms.now()))
    return guest.add_cookie_if_new(request, redirect_to_table(room))


@router.post("/quick", dependencies=COOKIES_NEEDED)
async def quick(request: Request) -> Response:
    """Create a table with bots and start the match at once."""
    fields = await form_fields(request)
    count_creation_and_check_limit(request)
    info = info_of(fields.get("game") or next(iter(registry.catalogue())))
    match = await quick_match(request, info, await person_of_cookie(request))
    return await create_table_and_redirect(
        request, info.name, match.seats, fields.get("name"), match.options, match.settings
    )


@router.post("/learn/{game}/play", dependencies=COOKIES_NEEDED)
async def play_after_lesson(request: Request, game: str) -> Response:
    """Start the match that a lesson offers at its end: with the easiest bots, and the options that the lesson names."""
    rooms = rooms_of(request)
    lesson = await lesson_of(rooms, game)
    count_creation_and_check_limit(request)
    seats, info = seats_with_easiest_bots(lesson, rooms), info_of(game)
    options = lesson_mode_option(info, lesson) | dict(lesson.play)
    return await create_table_and_redirect(request, game, seats, None, options, Settings(hints=True, memory=info.aided))


@router.get("/join")
async def join(request: Request, code: str = "") -> Response:
    """Redirect to the table whose code the visitor entered. Raise `Refusal` if there is no such table."""
    if not clean_code(code):
        raise Refusal("malformed", _("Please enter a table’s code: eight letters or digits."))
    return redirect_to_table(await room_of(request, code))


@router.post("/language")
async def choose_language(request: Request) -> Response:
    """Save the language chosen in the menu, and redirect back to the page."""
    return request_locale.switch_language(request, (await form_fields(request)).get("language", ""))


# --- a table --------------------------------------------------------------------------------------------------------


def redirect_to_table(room: Room) -> RedirectResponse:
    """Return a redirect to a table's page. Its status 303 makes the browser use GET, even after a form sent by POST."""
    return RedirectResponse(f"/t/{room.session.code}", 303)


@router.get("/t/{code}")
async def table(request: Request, code: str, room: AtTable, person: Visitor) -> Response:
    """Return the page of a table for this visitor: lobby, match, or an invitation to a visitor without a seat."""
    shell = page_shell_data_of(request, person)
    rooms = rooms_of(request)
    if room.session.code != code:
        return redirect_to_table(room)
    viewer = await viewer_of(room, person)
    if viewer is None:
        return join_page_response(room, shell, person)
    if person is not None and viewer != SPECTATOR:
        await room.request_change(lambda session: session.reclaim_seat(person.id, rooms.now()))
    session = room.session
    hints = session.record.settings.hints and viewer != SPECTATOR
    coach = wanted = None
    if session.match is None:
        seat, number = None if viewer == SPECTATOR else viewer, person.id if person else None
        link = table_link_of(request, session.code)
        shown = viewer_page_data.lobby(
            session, seat, number, link, rooms.settings.bots, rooms.now(), room.spectator_names
        )
        message = rendering.lobby_message(shown, version=session.record.revision)
    else:
        if session.match.over:
            await room.load_successor()
            wanted = rematch.rematch_panel(room, viewer)
            seat = coach_panel.own_or_winners_seat_to_review(session, viewer)
            job = coach_panel.get_or_start_review(rooms.coach, session, seat, again=True)
            if job is not None:
                await rooms.coach.wait_for_review_end(job)
            coach = coach_panel.build_panel(session, viewer, seat, job)
            hints = False
        version = room.session_seen_by(viewer).version(viewer)
        number = person.id if person else None
        page = viewer_page_data.page(room, viewer, coach, wanted, person=number)
        message = page.whole_page_message(version=version)
    return HTMLResponse(rendering.table_page(shell, message, game=session.record.game, code=session.code, hints=hints))


def join_page_response(
    room: Room, shell: rendering.Shell, person: Person | None, refusal: Refusal | None = None
) -> Response:
    """Return the page for a visitor without a seat, who may take one or watch. `refusal` is the error to show.

    Raise `Refusal` if the visitor may do neither.
    """
    require_table_access(room.session, person)
    shown = invitation_of(room.session_seen_by(SPECTATOR))
    if refusal is not None:
        shown = shown._replace(error=refusal.reason, error_at="name" if refusal.code == "malformed" else "")
    return HTMLResponse(rendering.join_page(shell, shown), STATUS[refusal.code] if refusal else 200)


@router.post("/t/{code}/sit", dependencies=COOKIES_NEEDED)
async def sit(request: Request, room: AtTable, person: Visitor) -> Response:
    """Take the first open seat of a table under a nickname; during a match, a bot's seat from the next round on."""
    fields = await form_fields(request)
    try:
        count_creation_and_check_limit(request)
        name = name_from_form(fields, person)
        if person is None or room.session.seat_of(person.id) is None:
            guest = await get_or_create_guest(request, name)
            rooms = rooms_of(request)
            await rooms.open_tables.take_seat(room, guest.person, name)
            if room.session.record.status == "running":
                await rooms.store.run(rooms.repository.add_spectator, room.session.code, guest.person.id)
        else:
            guest = Guest(person)
    except Refusal as refusal:
        return join_page_response(room, page_shell_data_of(request, person), person, refusal)
    return guest.add_cookie_if_new(request, redirect_to_table(room))


@router.post("/t/{code}/watch", dependencies=COOKIES_NEEDED)
async def watch(request: Request, room: AtTable, person: Visitor) -> Response:
    """Make the visitor a spectator of a table, and redirect to it. Raise `Refusal` if it does not allow spectators."""
    require_table_access(room.session, person)
    if not room.session.record.settings.spectators:
        raise Refusal("forbidden", _("Spectators are not allowed at this table."))
    count_creation_and_check_limit(request)
    guest = await get_or_create_guest(request, None)
    await rooms_of(request).store.run(rooms_of(request).repository.add_spectator, room.session.code, guest.person.id)
    return guest.add_cookie_if_new(request, redirect_to_table(room))


@router.post("/t/{code}/leave")
async def leave(room: AtTable, person: Visitor) -> Response:
    """Leave a table, and redirect to the home page.

    Before the deal the visitor's seat becomes open. During a match the visitor may come back, but the other players may
    let a bot play in that seat. After the match, and for a visitor without a seat, only redirect.
    """
    seated = person is not None and room.session.seat_of(person.id) is not None
    if person is not None and room.session.record.status != "finished":
        await room.request_change(
            lambda session: session.leave(person.id) if seated else open_tables.cancel_take_over(session, person.id)
        )
    return RedirectResponse("/", 303)


@router.post("/t/{code}/request")
async def post_table_request(request: Request, room: AtTable, person: Visitor) -> Response:
    """Handle a message that pages normally send over the WebSocket, for browsers without scripts.

    The form field `request` holds the message as JSON.
    """
    require_table_access(room.session, person)
    message = messages.parse_client_message((await form_fields(request)).get("request", ""))
    if isinstance(message, messages.OpenTableRequest):
        await handle_open_table_request(rooms_of(request), room, person, message)
        return redirect_to_table(room)
    require_seat(room.session, person)
    if not isinstance(message, messages.TableRequest):
        raise Refusal("malformed", _("This request can’t be sent with a form."))
    bots, now = room.services.settings.bots, room.services.now()
    await room.request_change(lambda session: session_change_for_request(session, person, message, bots, now))
    return redirect_to_table(room)


@router.get("/t/{code}/rules")
async def house_rules(request: Request, room: AtTable, person: Visitor) -> Response:
    """Return the form in which the host changes the settings and game options of a table before the deal.

    The form shows the present values. Raise `Refusal` if the visitor is not the host, or if the deal has begun.
    """
    require_seat(room.session, person)
    record = room.session.record
    room.session.require_host_in_lobby(person.id if person else None)
    clock = f"{record.settings.clock}+{record.settings.increment}" if record.settings.increment else ""
    chosen = {"clock": clock or str(record.settings.clock), "at-zero": record.settings.at_zero}
    chosen |= {"take-backs": record.settings.take_backs}
    delay = record.settings.spectator_delay
    chosen |= {"spectator-delay": "round" if delay == DELAY_BY_ROUND else str(delay)}
    chosen |= {name.replace("_", "-"): "on" for name in SWITCHES if getattr(record.settings, name)}
    chosen |= rendering.options_to_form(info_of(record.game), len(record.seats), record.options)
    return await new_table_response(request, record.game, chosen, table=room.session.code)


@router.post("/t/{code}/rules")
async def change_house_rules(request: Request, room: AtTable, person: Visitor) -> Response:
    """Change the settings and game options of a table, and redirect to it. Only the host may do so, before the deal.

    If a value is malformed, return the form again, with the error.
    """
    require_seat(room.session, person)
    fields, record = await form_fields(request), room.session.record
    try:
        settings, options = settings_from_form(fields), rendering.options_from_form(info_of(record.game), fields)
        number = person.id if person else None
        await room.request_change(lambda session: lobby_host_actions.change_rules(session, number, options, settings))
    except Refusal as refusal:
        if refusal.code != "malformed":
            raise
        return await new_table_response(request, record.game, fields, refusal, table=room.session.code)
    return redirect_to_table(room)


@router.post("/t/{code}/again")
async def play_again(request: Request, room: AtTable, person: Visitor) -> Response:
    """Ask for a rematch or answer a request for one, then redirect.

    If the rematch has begun and the visitor has a seat in it, redirect to its table; otherwise back to this table.
    """
    if person is None:
        raise Refusal("forbidden", _("You had no seat at this table."))
    fields = await form_fields(request)
    following = await rematch.handle_rematch_answer(
        rooms_of(request), room, person, fields.get("answer", "yes"), fields.get("level", "")
    )
    dealt = following is not None and following.session.match is not None
    return redirect_to_table(
        following if dealt and following and following.session.seat_of(person.id) is not None else room
    )


# --- match files, rules ---------------------------------------------------------------------------------------------


@router.get("/m/{code}.facedown")
async def match_file(room: AtTable, person: Visitor) -> Response:
    """Return a finished match as a match file: a text with the players, the options, the seed and the moves."""
    session = room.session
    require_replay_access(session, person)
    record = session.record
    match = session.require_ended_match(
        _("This match is not over yet. Its file contains the seed, so the file is only available once the match ends.")
    )
    names = [seat.name for seat in record.seats]
    levels = {index: seat.level for index, seat in enumerate(record.seats) if seat.kind == "bot"}
    day = datetime.fromtimestamp(record.started, UTC).date().isoformat()
    named = {"content-disposition": f'attachment; filename="{record.game}-{record.code}.facedown"'}
    return PlainTextResponse(write(match, names, levels, day, f"Table {record.code}."), headers=named)


@router.post("/m/{code}/from", dependencies=COOKIES_NEEDED)
async def play_from_moment(request: Request, room: AtTable, person: Visitor) -> Response:
    """Create a table that continues a finished match from one of its positions, against bots."""
    require_replay_access(room.session, person)
    fields = await form_fields(request)
    count_creation_and_check_limit(request)
    rooms, seats = rooms_of(request), len(room.session.record.seats)
    ply, seat = (
        parse_bounded_number(fields.get("ply", ""), 10**6),
        parse_bounded_number(fields.get("seat", ""), seats - 1),
    )
    if ply is None or seat is None:
        raise Refusal("malformed", _("To play on from a move, give its number and a seat number."))
    make = partial(
        new_table_from_ply, room.session, ply, seat, level=default_level(rooms.settings.bots), now=rooms.now()
    )
    # Create the table once with placeholders for the host's id and name. If the position is invalid, this raises an
    # error before a new guest is stored.
    make(0, "")
    guest = await get_or_create_guest(request, fields.get("name"))
    record, moves = make(guest.person.id, guest.person.name)
    return guest.add_cookie_if_new(
        request, redirect_to_table(await rooms.store_new_table(replace(record, origin=origin_hash_of(request)), moves))
    )


@router.get("/m/{code}")
async def replay(request: Request, room: AtTable, person: Visitor, ply: str = "", eyes: str = "") -> Response:
    """Return the replay page of a finished match at the position after `ply` moves; "" means 0, after the deal.

    `eyes` selects whose view of the match is shown: a seat number, or "all" for the view of a spectator. If it is "",
    the visitor sees the view of their own seat, or of a spectator if they had no seat.
    """
    message = await replay_moment_message(room.session, ply, eyes, person)
    return HTMLResponse(
        rendering.replay_page(
            page_shell_data_of(request, person), message, game=room.session.record.game, code=room.session.code
        )
    )


@router.get("/m/{code}/moment", response_class=JSONResponse)
async def replay_moment_json(room: AtTable, person: Visitor, ply: str = "", eyes: str = "") -> Response:
    """Return a position of a replay as JSON, for a page that already shows the replay.

    * `ply`: the number of moves made before the position; "" means 0, after the deal.
    * `eyes`: whose view of the position is shown: a seat number, or "all" for the view of a spectator. If it is "", the
      visitor sees the view of their own seat, or of a spectator if they had no seat.
    """
    return JSONResponse(await replay_moment_message(room.session, ply, eyes, person))


async def replay_moment_message(session: Session, ply: str, eyes: str, person: Person | None) -> dict[str, object]:
    """Return a position of a finished match's replay as a message for the client.

    * `ply`: the number of moves made before the position; "" means 0, after the deal.
    * `eyes`: whose view of the position is shown: a seat number, or "all" for the view of a spectator. If it is "",
      `person` sees the view of their own seat, or of a spectator if they had no seat.

    Raise `Refusal` for an unknown ply or seat.
    """
    require_replay_access(session, person)
    own = session.seat_of(person.id if person else None)
    found, _viewer, at = await load_replay_viewer_and_ply(session, ply, eyes, SPECTATOR if own is None else own)
    return rendering.replay_message(found.static_table_after(at), found.moment_at(at, session.code, own))


@router.get("/guide/{game}")
async def guide(request: Request, game: str, person: Visitor) -> Response:
    """Return the page with a game's guide, which explains its rules."""
    title = info_of(game).title
    await rooms_of(request).preparations.load_rules(game)
    found = await run_in_thread(guide_of, game)
    if found is None:
        raise Refusal("unknown", _("{game} has no guide yet.", game=title))
    back, words = back_link(request.headers.get("referer", ""), request.url.netloc)
    shell = page_shell_data_of(request, person)
    return HTMLResponse(rendering.guide_page(shell, game=game, title=title, guide=found, back=back, back_words=words))


@router.get("/guide/{game}/figure/{number}", response_class=JSONResponse)
async def figure(request: Request, game: str, number: str, moves: str = "") -> Response:
    """Return a figure of a game's guide (a position of a match) after the reader's moves, as JSON.

    * `number`: the index of the figure in the guide, from 0.
    * `moves`: the ids of the actions that the reader has played, separated by full stops ("12.5.3"); "" for none.

    The JSON has the HTML of the figure and the next moves that the reader can choose. Raise `Refusal` for an unknown
    figure or an illegal move.
    """
    info_of(game)
    await rooms_of(request).preparations.load_rules(game)
    return JSONResponse(await run_in_thread(figure_json_after_moves, game, number, moves))


@router.get("/rules/{game}")
async def redirect_to_guide(game: str) -> Response:
    """Redirect ``/rules/{game}`` to the guide of the game."""
    # Only names of known games are put into the URL, so that a request cannot choose the redirect's target.
    known = game if game in registry.catalogue() else "unknown"
    return RedirectResponse(f"/guide/{known}", 308)
