"""The JSON API for bot authors and other programs, under ``/api/v1``.

A program takes a seat and gets the token of that seat, which it sends as ``Authorization: Bearer …``. Cookies are
ignored here, so that a page of another site cannot act for a visitor.
"""

from __future__ import annotations

import asyncio
from dataclasses import asdict, fields, replace
from functools import partial
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel

from facedown.core import game_registry as registry
from facedown.core.match_actions import action_words
from facedown.core.state import SPECTATOR
from facedown.play import (
    Level,
    Refusal,
    Session,
    Settings,
    TableRecord,
    agreements,
    clean_name,
    default_level,
    lobby_host_actions,
    new_table,
)
from facedown.play.bot_interface import level_name_and_description
from facedown.play.rematch import answers
from facedown.server.connection import clock_text
from facedown.server.connection.commands import action_of_proposal
from facedown.server.connection.program_view import known_fields, open_proposal
from facedown.server.http import api_models as m
from facedown.server.http.access import is_player_or_allowed_spectator, require_replay_access, require_table_access
from facedown.server.http.per_client_limits import limits_of
from facedown.server.http.visitors import (
    check_person_ban_and_record_visit,
    client_limit_key_of,
    count_creation_and_check_limit,
    origin_hash_of,
    person_of_seat_token,
    refuse_if_too_many_bot_only_matches,
    room_of,
    rooms_of,
    table_link_of,
)
from facedown.server.i18n import _
from facedown.server.table import rematch
from facedown.server.table.room import Room
from facedown.server.table.room_registry import Rooms
from facedown.store import Person, hash_token, new_token
from facedown.study import move_comments

#: Longest time that a request may wait for a change of the table, in seconds.
LONGEST_WAIT = 25.0

Out = TypeVar("Out", bound=BaseModel)
bearer = HTTPBearer(auto_error=False, description="A seat token, issued when the seat was taken.")
Credentials = Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]
Code = Annotated[str, Path(description="A table’s code.", max_length=16, examples=["K7QM4XPN"])]
Beyond = Annotated[
    int | None, Query(description="Wait until the version is greater than this one.", ge=-1, le=2**31 - 1)
]
WaitSeconds = Annotated[float, Query(description="Maximum number of seconds to wait.", ge=0, le=LONGEST_WAIT)]


#: OpenAPI descriptions of the error responses that requests about one table can get.
CHANGED = m.error_responses(401, 403, 404, 409, 410, 422, 503)
router = APIRouter(prefix="/api/v1", tags=["tables"])


class Unauthorized(Exception):
    """Error: a required seat token is missing, or the given token is unknown. The response has status 401."""


async def person_of_bearer_token(request: Request, credentials: Credentials) -> Person | None:
    """Return the person whose seat token came with the request; None if the request has no token.

    Raise `Unauthorized` for an unknown token or for another kind of `Authorization` header.
    """
    if credentials is None:
        if request.headers.get("authorization"):
            raise Unauthorized(_("The Authorization header must be `Bearer` followed by a seat token."))
        return None
    person = await person_of_seat_token(request, credentials.credentials)
    if person is None:
        raise Unauthorized(_("This token is not valid."))
    check_person_ban_and_record_visit(request, person)
    return person


OptionalPerson = Annotated[Person | None, Depends(person_of_bearer_token)]


def require_person(who: OptionalPerson) -> Person:
    """Return `who`, the person to whom the seat token in the request belongs.

    Raise `Unauthorized` if the request has no token.
    """
    if who is None:
        raise Unauthorized(_("A seat token is required: send it in the header `Authorization: Bearer TOKEN`."))
    return who


RequiredPerson = Annotated[Person, Depends(require_person)]


def mark_present_and_get_seat(room: Room, person: Person | None) -> int | None:
    """Return a person's seat at this table and record that the player is present. Return None if they have no seat."""
    seat = room.session.seat_of(person.id if person else None)
    if seat is not None:
        room.session.presence.note_request(seat, room.services.now())
    return seat


async def room_by_code(request: Request, who: OptionalPerson, code: Code) -> Room:
    """Return the table with this code. Raise `Refusal` if no table has it.

    `who` is a parameter only so that a request with an unknown token is refused before the table is looked up.
    """
    return await room_of(request, code)


RoomByCode = Annotated[Room, Depends(room_by_code)]


async def accessible_room(room: RoomByCode, who: OptionalPerson) -> Room:
    """Return `room`, the table with the code in the URL. Raise `Refusal` if the person may not see who plays there."""
    require_table_access(room.session, who)
    return room


AccessibleRoom = Annotated[Room, Depends(accessible_room)]


def seat_number(seat: Annotated[int, Path(ge=0, le=15)]) -> int:
    """Return the seat number in the path.

    This is a FastAPI dependency only so that the OpenAPI schema lists the seat after the table's code.
    """
    return seat


SeatNumber = Annotated[int, Depends(seat_number)]


async def create_person(rooms: Rooms, name: str) -> Person:
    """Store and return a new person without a cookie, for a program that authenticates by a seat token only."""
    return await rooms.store.run(rooms.repository.store_new_person, name, None, rooms.now())


async def return_to_seat(room: Room, person: Person) -> None:
    """Give a returning player their seat back if a stand-in bot plays for them."""
    await room.request_change(lambda session: session.reclaim_seat(person.id, room.services.now()))


def model_from_attributes(model: type[Out], one: Any, **own: Any) -> Out:
    """Return a model whose fields are the attributes of `one` with the same names, except the fields given as `own`."""
    return model(**{name: getattr(one, name) for name in model.model_fields if name not in own}, **own)


def table_info(request: Request, record: TableRecord) -> m.TableInfo:
    """Return what everyone may know of a table: its settings, its seats with their players, and its link."""
    seats = [
        model_from_attributes(m.SeatInfo, s, seat=i, standin=s.standin_name, program=bool(s.key_hash))
        for i, s in enumerate(record.seats)
    ]
    return model_from_attributes(
        m.TableInfo, record, url=table_link_of(request, record.code), seats=seats, **asdict(record.settings)
    )


def session_seen_from(room: Room, seat: int | None) -> Session:
    """Return the session as a seat (None: a spectator) may see it now."""
    return room.session_seen_by(SPECTATOR if seat is None else seat)


def view_of(session: Session, seat: int | None, now: float) -> m.View:
    """Return what a seat (None: a spectator) sees of the match, with its legal actions and all clocks at time `now`.

    `now` is Unix time in seconds.
    """
    viewer = SPECTATOR if seat is None else seat
    table = session.table(viewer)
    words = session.game.words.words
    legal = [] if seat is None else session.legal(seat)
    return m.View(
        code=session.code,
        status=session.record.status,
        seat=seat,
        version=session.version(viewer),
        acting=[] if session.dealt_match.over else session.dealt_match.acting,
        legal=[m.LegalAction(action=action, words=words(action)) for action in legal],
        clocks=[
            m.SeatTime(seat=at, left=round(chip.left, 1), runs=chip.runs, up=chip.up)
            for at, chip in clock_text.seat_clocks(session, viewer, now).items()
        ],
        proposal=open_proposal(session),
        table=table.to_json(),
    )


def require_seat_and_mark_present(room: Room, person: Person) -> int:
    """Return the person's seat at this table and record their presence. Raise `Refusal` if they have no seat."""
    seat = mark_present_and_get_seat(room, person)
    if seat is None:
        raise Refusal("forbidden", _("Your token is for a seat at another table."))
    return seat


def require_viewer_and_mark_present(room: Room, person: Person | None) -> int | None:
    """Return the person's seat at this table and record their presence; return None for a spectator.

    Raise `Refusal` if the person has no seat and the table does not allow spectators. Without a token (`person` None),
    raise `Unauthorized` instead.
    """
    seat = mark_present_and_get_seat(room, person)
    if not is_player_or_allowed_spectator(room.session, person):
        if person is None:
            raise Unauthorized(_("Spectators are not allowed at this table: a seat token is required."))
        raise Refusal("forbidden", _("Your token is for a seat at another table."))
    return seat


@router.get("/games", responses=m.error_responses())
async def games(request: Request) -> m.Games:
    """List the games, their options, and the bot levels."""
    for name in registry.catalogue():
        # Only import the game's rules, which is quick. They are compiled when the first table of the game is opened.
        await rooms_of(request).thinking.run_preparation(registry.game, name)
    games = [
        model_from_attributes(
            m.GameInfo,
            info,
            rules_version=info.version,
            actions=registry.game(info.name).actions,
            options=[
                model_from_attributes(
                    m.OptionInfo,
                    option,
                    default=option.default_text,
                    values=[m.OptionValue(value=v.notation_with_argument_names, says=v.says) for v in option.values],
                )
                for option in info.options
            ],
        )
        for info in registry.catalogue().values()
    ]
    return m.Games(games=games, bots=[_level_info(level) for level in rooms_of(request).settings.bots.levels])


def _level_info(level: Level) -> m.LevelInfo:
    label, plays = level_name_and_description(level)
    return model_from_attributes(m.LevelInfo, level, label=label, says=plays)


@router.post("/tables", status_code=201, responses=m.error_responses(401, 404, 409, 422, 429, 503))
async def create_table(request: Request, wanted: m.NewTable, who: OptionalPerson) -> m.Joined:
    """Open a table. Its host is the player whose seat token you send. Without a token, a new player is created and
    becomes the host.
    """
    count_creation_and_check_limit(request)
    rooms = rooms_of(request)
    name = clean_name(wanted.name)
    seats = wanted.seats
    settings = Settings(**{field.name: getattr(wanted, field.name) for field in fields(Settings)})
    bots, options = rooms.settings.bots, wanted.options
    make = partial(new_table, wanted.game, seats, bots, rooms.now(), host_name=name, options=options, settings=settings)
    await rooms.preparations.load_rules(wanted.game)
    make(host=None)
    if {"me", "open"}.isdisjoint(seats):
        await refuse_if_too_many_bot_only_matches(request)
    seat = seats.index("me") if "me" in seats else None
    token = new_token() if seat is not None else None
    person = who or await create_person(rooms, name)
    record = make(host=person.id, key_hash=hash_token(token) if token else "")
    room = await rooms.store_new_table(replace(record, origin=origin_hash_of(request)))
    if seat is not None:
        await room.request_change(lambda session: session.ready(person.id, True, rooms.now()))
    if wanted.listed:
        await rooms.open_tables.list_table(room, person, True)
    if seat is None and "open" not in seats:
        await room.request_change(lambda session: session.begin_match_of_bots_only(rooms.now()))
    return m.Joined(table=table_info(request, room.session.record), seat=seat, token=token)


@router.get("/tables", responses=m.error_responses(401, 422))
async def list_tables(request: Request, person: RequiredPerson) -> m.Tables:
    """List the tables where you (the person with this token) have a seat, newest first."""
    rooms = rooms_of(request)
    found = await rooms.store.run(rooms.repository.tables_of, person.id)
    return m.Tables(tables=[m.Joined(table=table_info(request, s.record), seat=s.seat, token=None) for s in found])


@router.get("/open-tables", responses=m.error_responses(422))
async def list_open_tables(
    request: Request, game: Annotated[str, Query(description="Only tables of this game.", max_length=32)] = ""
) -> m.OpenTableList:
    """List the open tables: those that their hosts have listed, at most 100. A table is private until then."""
    rooms = rooms_of(request)
    tables = [
        m.OpenTable(
            table=table_info(request, one.record),
            free=one.free,
            joins=("now" if one.record.status == "lobby" else "next-round") if one.free else "no",
        )
        for one in await rooms.open_tables.listed()
        if game in ("", one.record.game)
    ]
    return m.OpenTableList(tables=tables, seekers=await rooms.open_tables.count_seekers())


@router.put("/tables/{code}/listing", responses=CHANGED)
async def list_table(request: Request, room: AccessibleRoom, wanted: m.Listing, person: RequiredPerson) -> m.TableInfo:
    """As the host: list the table among the open tables, or remove it from the list. It stays in the list while you are
    present; with a clock of an hour or more, for three days.
    """
    mark_present_and_get_seat(room, person)
    await rooms_of(request).open_tables.list_table(room, person, wanted.listed)
    return table_info(request, room.session.record)


@router.get("/tables/{code}", responses=m.error_responses(401, 403, 404, 410, 422))
async def show_table(request: Request, room: AccessibleRoom, who: OptionalPerson) -> m.TableInfo:
    """Show the public data of a table. If the table neither allows spectators nor has an open seat, only its players
    may see these data.
    """
    # Record that the player is present, because a program that waits for the deal sends no other requests.
    seat = mark_present_and_get_seat(room, who)
    return table_info(request, session_seen_from(room, seat).record)


@router.post(
    "/tables/{code}/seats", status_code=201, responses=m.error_responses(401, 403, 404, 409, 410, 422, 429, 503)
)
async def join_table(request: Request, room: AccessibleRoom, wanted: m.NewSeat, who: OptionalPerson) -> m.Joined:
    """Take the first open seat and get its token."""
    count_creation_and_check_limit(request)
    rooms = rooms_of(request)
    name = clean_name(wanted.name)
    if all(seat.taken for seat in room.session.record.seats):
        raise Refusal("full", _("Every seat at this table is taken."))
    token = new_token()
    person = who or await create_person(rooms, name)
    await rooms.open_tables.take_seat(room, person, name, key_hash=hash_token(token), ready=wanted.ready)
    return m.Joined(
        table=table_info(request, room.session.record), seat=mark_present_and_get_seat(room, person), token=token
    )


@router.delete("/tables/{code}/seats/me", responses=CHANGED)
async def leave_table(request: Request, room: AccessibleRoom, person: RequiredPerson) -> m.TableInfo:
    """Leave the table. Before the deal, your seat becomes open. During a match, you may come back, but the other
    players may let a bot play for you.
    """
    await room.request_change(lambda session: session.leave(person.id))
    return table_info(request, room.session.record)


@router.post(
    "/tables/{code}/seats/me/token",
    status_code=201,
    responses=m.error_responses(401, 403, 404, 409, 410, 422, 429, 503),
)
async def new_seat_token(request: Request, room: AccessibleRoom, person: RequiredPerson) -> m.Joined:
    """Get a new token for your seat. The old token is refused from now on, even in requests that are already waiting
    for a change of the table.
    """
    count_creation_and_check_limit(request)
    token = new_token()
    await room.request_change(lambda session: session.set_program_token_hash(person.id, hash_token(token)))
    return m.Joined(
        table=table_info(request, room.session.record), seat=mark_present_and_get_seat(room, person), token=token
    )


@router.put("/tables/{code}/seats/me/ready", responses=CHANGED)
async def get_ready(request: Request, room: AccessibleRoom, wanted: m.Ready, person: RequiredPerson) -> m.TableInfo:
    """Set whether you (the player with this token) are ready.

    The deal begins when every seat is taken and everyone is ready.
    """
    await room.request_change(lambda session: session.ready(person.id, wanted.ready, room.services.now()))
    return table_info(request, room.session.record)


@router.put("/tables/{code}/seats/{seat}/bot", responses=CHANGED)
async def seat_bot(
    request: Request, room: AccessibleRoom, seat: SeatNumber, wanted: m.SeatChange, person: RequiredPerson
) -> m.TableInfo:
    """As the host, before the deal: give a seat to a bot, or free a seat for a new player.

    A bot can take an open seat, or the seat of another bot. You can free the seat of a bot, or that of a guest who has
    been away for at least three minutes. A guest is a player other than the host.
    """
    rooms = rooms_of(request)
    if wanted.bot is None:
        await room.request_change(lambda session: lobby_host_actions.open_seat(session, person.id, seat, rooms.now()))
    else:
        level = wanted.bot
        await room.request_change(
            lambda session: lobby_host_actions.seat_bot(
                session, person.id, seat, level, rooms.settings.bots, rooms.now()
            )
        )
    return table_info(request, room.session.record)


@router.get("/tables/{code}/again", responses=m.error_responses(401, 403, 404, 410, 422))
async def who_plays_again(room: AccessibleRoom) -> m.Again:
    """Show who wants a rematch after a finished match. A player's request for a rematch stays open for an hour."""
    return rematch_status(room, await rematch.pending_rematch(room))


@router.post("/tables/{code}/again", responses=m.error_responses(401, 403, 404, 409, 410, 422, 429, 503))
async def play_again(request: Request, room: AccessibleRoom, wanted: m.PlayAgain, person: RequiredPerson) -> m.Again:
    """Ask for a rematch with the same players, or answer another player's request for one. Your token is valid for your
    seat at the next table, too.

    The first request opens the table of the next match, and the player who made this request is the host there. The
    cards are dealt as soon as everyone has agreed. If a player declines, this player's seat at the next table becomes
    open, so that another player or a bot can take it.
    """
    return rematch_status(room, await rematch.handle_rematch_answer(rooms_of(request), room, person, wanted.answer))


def rematch_status(room: Room, following: Room | None) -> m.Again:
    """Return each player's answer to the request for a rematch.

    `room` is the table of the finished match. `following` is the table of the next match, None if no player has asked.
    """
    if following is None:
        return m.Again(table="", dealt=False, answers=["" for _ in room.session.record.seats])
    record = following.session.record
    said = list(answers(room.session.record, record))
    return m.Again(table=record.code, dealt=record.status != "lobby", answers=said)


@router.get("/tables/{code}/view", responses=CHANGED)
async def view(
    request: Request, room: RoomByCode, who: OptionalPerson, beyond: Beyond = None, wait: WaitSeconds = LONGEST_WAIT
) -> m.View:
    """Get what your seat can see of the match, and your legal moves. Without a token, get a spectator's view.

    With `beyond`, the response is sent when the version of your view is greater than `beyond`, a proposal is made or
    answered, or the match is over, but after `wait` seconds at the latest. Without `beyond`, it is sent at once.
    """
    seat = require_viewer_and_mark_present(room, who)
    await _return_to_seat_and_await_version(request, room, who, seat, beyond, wait)
    return view_of(session_seen_from(room, seat), seat, room.services.now())


@router.get("/tables/{code}/known", responses=CHANGED)
async def known(
    request: Request, room: RoomByCode, person: RequiredPerson, beyond: Beyond = None, wait: WaitSeconds = LONGEST_WAIT
) -> m.Known:
    """Get everything that your seat knows of the match, in numbers (see docs/records), and your legal moves.

    With `beyond`, the response is sent when the version of your view is greater than `beyond`, a proposal is made or
    answered, or the match is over, but after `wait` seconds at the latest. Without `beyond`, it is sent at once.
    """
    seat = require_seat_and_mark_present(room, person)
    await _return_to_seat_and_await_version(request, room, person, seat, beyond, wait)
    session = room.session
    return m.Known(code=session.code, status=session.record.status, **known_fields(session, seat, room.services.now()))


async def _return_to_seat_and_await_version(
    request: Request, room: Room, who: Person | None, seat: int | None, beyond: int | None, wait: float
) -> None:
    """Give a returning player their seat back from a bot, then wait until the match's version exceeds `beyond`.

    The version is the number of changes that the viewer (`seat`, None for a spectator) could see. The wait also ends
    when a proposal is made or answered, when the match is over, when the server shuts down, and after `wait` seconds.
    If `beyond` is None, do not wait.

    Raise `Unauthorized` if the seat's token is replaced while the request waits.
    """
    if who is not None and seat is not None:
        await return_to_seat(room, who)
    if beyond is None:
        return
    loop = asyncio.get_running_loop()
    until = loop.time() + wait
    key, proposal = _seat_key_hash(room.session, seat), open_proposal(session_seen_from(room, seat))
    with limits_of(request).poll_permit(client_limit_key_of(request), who.id if who else None):
        while (
            not (_is_match_over_or_version_beyond(seen := session_seen_from(room, seat), seat, beyond))
            and not room.services.closing
            and open_proposal(seen) == proposal
            and (left := until - loop.time()) > 0
        ):
            await room.wait_for_change(left)
            if _seat_key_hash(room.session, seat) != key:
                raise Unauthorized(_("This token is not valid."))
            mark_present_and_get_seat(room, who)


def _seat_key_hash(session: Session, seat: int | None) -> str:
    return "" if seat is None else session.record.seats[seat].key_hash


def _is_match_over_or_version_beyond(session: Session, seat: int | None, version: int) -> bool:
    if session.match is None:
        return False
    return session.match.over or session.version(SPECTATOR if seat is None else seat) > version


@router.post("/tables/{code}/moves", responses=CHANGED)
async def move(room: RoomByCode, wanted: m.MoveRequest, person: RequiredPerson) -> m.View:
    """Play an action. The response is sent after the move is saved. A move that is sent twice counts only once."""
    seat = require_seat_and_mark_present(room, person)
    action = action_of(room.session, wanted)
    await return_to_seat(room, person)
    await room.request_change(
        lambda session: session.move(seat, action, wanted.version, token=wanted.token or "", now=room.services.now())
    )
    return view_of(room.session, seat, room.services.now())


def action_of(session: Session, wanted: m.MoveRequest) -> int:
    """Return the action number of a requested move.

    A request gives the move either as a number or in words. Raise `Refusal` if it gives both or neither, or if its
    words name no action of the game.
    """
    if (wanted.action is None) == (wanted.words is None):
        raise Refusal("malformed", _("Give the move either as an action number or in words."))
    if wanted.words is None:
        return int(wanted.action or 0)
    try:
        return session.game.words.parse(wanted.words)
    except ValueError as wrong:
        raise Refusal("malformed", _("That is not a valid move: {why}.", why=wrong)) from None


@router.post("/tables/{code}/proposals", responses=CHANGED)
async def propose(room: RoomByCode, wanted: m.ProposalRequest, person: RequiredPerson) -> m.View:
    """Propose to take your last move back, or to end the match. All other persons whom it concerns must agree; bots
    agree at once. While a proposal is open, no one can move. It counts as declined after 30 seconds, or after a day if
    the time limit of a turn is an hour or more.
    """
    seat = require_seat_and_mark_present(room, person)
    action = action_of_proposal(wanted.what)
    await return_to_seat(room, person)
    await room.request_change(lambda session: agreements.propose(session, person.id, action, room.services.now()))
    return view_of(room.session, seat, room.services.now())


@router.post("/tables/{code}/answers", responses=CHANGED)
async def answer_proposal(room: RoomByCode, wanted: m.ProposalAnswer, person: RequiredPerson) -> m.View:
    """Answer the open proposal of another player, or withdraw your own by declining it. The number of the proposal is
    in the field `proposal` of `view` and `known`. An answer to a proposal that is no longer open is refused as `stale`.
    """
    seat = require_seat_and_mark_present(room, person)
    await return_to_seat(room, person)
    await room.request_change(
        lambda session: agreements.answer(session, person.id, wanted.proposal, wanted.agree, room.services.now())
    )
    return view_of(room.session, seat, room.services.now())


@router.post("/tables/{code}/resignation", responses=CHANGED)
async def resign(room: RoomByCode, person: RequiredPerson) -> m.View:
    """Resign. With two seats, the match is over and the other player wins. With more seats, a bot plays on for you to
    the end of the match.
    """
    seat = require_seat_and_mark_present(room, person)
    level = default_level(room.services.settings.bots)
    await room.request_change(lambda session: agreements.resign(session, person.id, level, room.services.now()))
    return view_of(room.session, seat, room.services.now())


@router.get("/matches/{code}", responses=m.error_responses(401, 403, 404, 409, 410, 422))
async def finished_match(room: RoomByCode, who: OptionalPerson) -> m.FinishedMatch:
    """Get a finished match with its seed and every action. A running match is refused.

    If the table did not allow spectators, only its players can get the match, with any of their seat tokens.
    """
    session, record = room.session, room.session.record
    require_replay_access(session, who)
    match = session.require_ended_match(
        _("This match is not over yet. All hidden information will be published when it ends.")
    )
    return model_from_attributes(
        m.FinishedMatch,
        record,
        seats=[seat.name for seat in record.seats],
        seed=record.seed.hex(),
        returns=session.game.returns(match.state),
        result=session.table(SPECTATOR).result.replace("**", ""),
        moves=[
            model_from_attributes(m.PlayedMove, played, words=action_words(session.game, played.action))
            for played in session.moves
        ],
    )


@router.get("/matches/{code}/review", responses=m.error_responses(401, 403, 404, 409, 410, 422, 429))
async def match_review(
    request: Request,
    room: RoomByCode,
    who: OptionalPerson,
    seat: Annotated[int, Query(description="The seat to review, counted from 0.", ge=0, le=15)] = 0,
    wait: Annotated[
        float, Query(description="Maximum number of seconds to wait for the review.", ge=0, le=LONGEST_WAIT)
    ] = 0.0,
) -> m.MatchReview:
    """Get the coach's review of one seat's decisions in a finished match. The first request starts the review. A
    running match is refused.
    """
    rooms = rooms_of(request)
    session = room.session
    require_replay_access(session, who)
    if not rooms.coach.has_request(session, seat):
        count_creation_and_check_limit(request)
    job = rooms.coach.request_review(session, seat, again=True)
    with limits_of(request).poll_permit(client_limit_key_of(request), None):
        await rooms.coach.wait_for_review_end(job, wait)
    if job.failed:
        raise Refusal("conflict", _("The coach can’t review this match right now."))
    found, names = job.found, [seat.name for seat in session.record.seats]
    return m.MatchReview(
        code=session.code,
        game=session.record.game,
        seat=job.seat,
        ready=found is not None,
        done=job.sofar.done,
        of=job.of,
        unit="turns" if session.game.info.together else "chance",
        line=list(found.line) if found else [],
        moves=[
            model_from_attributes(
                m.JudgedMove,
                one,
                move=one.ply,
                played=one.played[one.seat].imperative,
                better=one.better[one.seat].imperative if one.better else "",
            )
            for one in (found.judged if found else ())
        ],
        moments=[
            model_from_attributes(
                m.ReviewMoment,
                one,
                move=one.ply,
                text=move_comments.played_move_text(one, names[one.seat], SPECTATOR),
                better=move_comments.better_move_gain_text(one, SPECTATOR).replace("**", ""),
                change=-one.cost,
            )
            for one in (found.moments if found else ())
        ],
    )
