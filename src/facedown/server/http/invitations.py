"""Invitations to a table: the page on which the host invites persons they have played with, and the answers to them."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from facedown.core import game_registry as registry
from facedown.core.translation import formatting_locale
from facedown.play import Refusal
from facedown.play.records import require
from facedown.play.seat_search import free_seats, people_at
from facedown.play.user_input import clean_code, is_ascii_letters_and_digits
from facedown.server.http.page_and_form_handlers import form_fields
from facedown.server.http.per_client_limits import build_and_count_rate_limit_refusal
from facedown.server.http.visitors import (
    STATUS,
    AtTable,
    Visitor,
    count_creation_and_check_limit,
    page_shell_data_of,
    parse_bounded_number,
    rooms_of,
)
from facedown.server.i18n import _
from facedown.server.rendering.templates import render
from facedown.server.table.blocks import persons_apart_from
from facedown.server.table.room import Room
from facedown.store import Person, invitations

router = APIRouter(include_in_schema=False)


@router.get("/t/{code}/invite")
async def invite_page(request: Request, room: AtTable, person: Visitor) -> Response:
    """Return the page on which the host of a table invites persons they have played with, before the deal."""
    return await _page(request, room, _require_host_with_free_seat(room, person))


@router.post("/t/{code}/invite")
async def invite(request: Request, room: AtTable, person: Visitor) -> Response:
    """Invite the person who had a certain seat at another table of the visitor. If it is refused, return the page.

    The form fields `table` and `seat` are the code of that table and the number of the seat.
    """
    host, fields, rooms = _require_host_with_free_seat(room, person), await form_fields(request, 10), rooms_of(request)
    seat = parse_bounded_number(fields.get("seat", ""), 2**31 - 1, 10)
    code, other = clean_code(fields.get("table", "")), None
    if seat is not None and is_ascii_letters_and_digits(code):
        other = await rooms.store.run(invitations.find_played_with, rooms.repository.engine, host.id, code, seat)
    if other is None:
        raise Refusal("unknown", _("You can only invite people you’ve played with."))
    try:
        count_creation_and_check_limit(request)
        await _store(room, host, other)
    except Refusal as refusal:
        return await _page(request, room, host, refusal)
    return RedirectResponse(f"/t/{room.session.code}/invite", 303)


async def _store(room: Room, host: Person, other: int) -> None:
    """Store an invitation. It is stored even if a block or a mute hides it, so that the host does not notice these."""
    record, services = room.session.record, room.services
    is_stored = await services.store.run(
        invitations.store_invitation,
        *(services.store.repository.engine, room.number, other),
        *(host.id, record.seats[room.session.require_seat_of(host.id)].name, record.origin, services.now()),
    )
    if not is_stored:
        wrong = _("That’s enough invitations for one day. Please try again tomorrow, or share the link.")
        raise build_and_count_rate_limit_refusal("invitations", wrong)


@router.post("/t/{code}/invitation")
async def answer_invitation(request: Request, room: AtTable, person: Visitor) -> Response:
    """Decline the visitor's invitation to a table, or mute the person who has sent it.

    The form field `answer` is "no" or "mute".
    """
    answer, rooms = (await form_fields(request, 10)).get("answer", ""), rooms_of(request)
    require(answer in ("no", "mute"), "malformed", _("The request could not be read."))
    if person is not None:
        engine = rooms.repository.engine
        if answer == "mute":
            await rooms.store.run(invitations.mute_inviter, engine, person.id, room.number, rooms.now())
        else:
            await rooms.store.run(invitations.decline, engine, person.id, room.number)
    return RedirectResponse("/", 303)


def _require_host_with_free_seat(room: Room, person: Person | None) -> Person:
    """Return the visitor. Raise `Refusal` unless they host the table, it is before the deal, and a seat is open."""
    if person is None or person.id != room.session.record.host:
        raise Refusal("forbidden", _("Only the host of this table can invite others."))
    room.session.require_host_in_lobby(person.id)
    require(free_seats(room.session.record) > 0, "full", _("All seats at this table are taken."))
    return person


async def _page(request: Request, room: Room, host: Person, refusal: Refusal | None = None) -> Response:
    rooms, record = rooms_of(request), room.session.record
    apart = await persons_apart_from(room, host.id) | people_at(record) | {number for number, _name in record.removed}
    found = await rooms.store.run(
        invitations.people_played_with, rooms.repository.engine, host.id, room.number, apart, rooms.now()
    )
    html = render(
        "invite.html",
        shell=page_shell_data_of(request, host),
        game=record.game,
        title=registry.info(record.game).title,
        table=f"/t/{record.code}",
        people=[(one, _last_match_text(one, rooms.now())) for one in found],
        error=refusal.reason if refusal else "",
    )
    return HTMLResponse(html, STATUS[refusal.code] if refusal else 200)


def _last_match_text(one: invitations.PlayedWith, now: float) -> str:
    """Return the game of the last match with a person, and how long ago it began ("Whist · 3 days ago")."""
    # Babel takes long to import, and most processes never need this part of it.
    from babel.dates import format_timedelta

    info = registry.catalogue().get(one.game)
    ago = format_timedelta(
        min(-1, round(one.started - now)), granularity="minute", add_direction=True, locale=formatting_locale()
    )
    return f"{info.title if info else one.game} · {ago}"
