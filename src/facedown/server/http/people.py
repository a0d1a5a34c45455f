"""The page on which a visitor blocks a player of a table, or reports their name or words to the server's operator.

Visitors who have a seat at the table or watch it may do so. The player is not notified of either.
"""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from facedown.play import Refusal
from facedown.play.records import Seat, require
from facedown.play.unicode_safety import strip_invisible
from facedown.play.user_input import LONGEST_TYPED
from facedown.server.http.access import viewer_of
from facedown.server.http.page_and_form_handlers import form_fields
from facedown.server.http.per_client_limits import build_and_count_rate_limit_refusal
from facedown.server.http.visitors import (
    STATUS,
    AtTable,
    Visitor,
    count_creation_and_check_limit,
    origin_hash_of,
    page_shell_data_of,
    parse_bounded_number,
    rooms_of,
)
from facedown.server.i18n import _
from facedown.server.rendering.templates import render
from facedown.server.table.room import Room
from facedown.store import Person, blocks

router = APIRouter(include_in_schema=False)

#: Maximum number of characters of a report.
REPORT_LENGTH = 200
#: Number of the player's last chat messages that are stored with a report.
MESSAGES_IN_REPORT = 5


@router.get("/t/{code}/people/{seat}")
async def person_page(request: Request, room: AtTable, person: Visitor, seat: str, done: str = "") -> Response:
    """Return the page with the forms to block and to report the player at a seat.

    `done` is "reported" if the visitor has just sent a report, else "".
    """
    visitor, other = await _visitor_and_other_player(room, person, seat)
    return await _page(request, room, visitor, other, seat, reported=done == "reported")


@router.post("/t/{code}/people/{seat}/block")
async def block_player(request: Request, room: AtTable, person: Visitor, seat: str) -> Response:
    """Block the player at a seat: the visitor and this player will never be seated together again."""
    visitor, other = await _visitor_and_other_player(room, person, seat, await form_fields(request, 10))
    count_creation_and_check_limit(request)
    rooms = rooms_of(request)
    await rooms.store.run(blocks.block, rooms.repository.engine, visitor.id, other.person, other.name, rooms.now())
    return RedirectResponse(f"/t/{room.session.code}/people/{seat}", 303)


@router.post("/t/{code}/people/{seat}/report")
async def report_player(request: Request, room: AtTable, person: Visitor, seat: str) -> Response:
    """Store a report of the name or the words of the player at a seat. If it is refused, return the page with why."""
    fields = await form_fields(request, 10)
    visitor, other = await _visitor_and_other_player(room, person, seat, fields)
    try:
        count_creation_and_check_limit(request)
        await _store_report(request, room, visitor, other, fields)
    except Refusal as refusal:
        return await _page(request, room, visitor, other, seat, fields=fields, refusal=refusal)
    return RedirectResponse(f"/t/{room.session.code}/people/{seat}?done=reported", 303)


async def _store_report(request: Request, room: Room, visitor: Person, other: Seat, fields: Mapping[str, str]) -> None:
    kind = next((known for known in blocks.REPORT_KINDS if known == fields.get("kind")), None)
    if kind is None:
        raise Refusal("malformed", _("Choose what you want to report."))
    text = strip_invisible(fields.get("text", "")[:LONGEST_TYPED])
    wrong = _("A report can have at most {most} characters; this one has {count}.", most=REPORT_LENGTH, count=len(text))
    require(len(text) <= REPORT_LENGTH, "malformed", wrong)
    # Messages are found by the player's name and not by seat, because players may have swapped seats since.
    said = [one.text for one in room.session.chat if one.seat is not None and one.name == other.name]
    rooms, origin = rooms_of(request), origin_hash_of(request)
    is_stored = await rooms.store.run(
        blocks.store_report,
        *(rooms.repository.engine, visitor.id, other.person, other.name, kind, text),
        *(said[-MESSAGES_IN_REPORT:], origin, rooms.now()),
    )
    if not is_stored:
        wrong = _("That’s enough reports for one day. Please try again tomorrow.")
        raise build_and_count_rate_limit_refusal("reports", wrong)


async def _visitor_and_other_player(
    room: Room, visitor: Person | None, seat: str, fields: Mapping[str, str] | None = None
) -> tuple[Person, Seat]:
    """Return the visitor, and the other player whose seat has the number `seat`.

    `fields` are those of a form; their `name` must be the player's name, because another player may have got the seat
    meanwhile. Raise `Refusal` if the visitor is not at the table, or if there is no such player.
    """
    if visitor is None or await viewer_of(room, visitor) is None:
        raise Refusal("forbidden", _("Only people at this table can block or report its players."))
    seats = room.session.record.seats
    index = parse_bounded_number(seat, len(seats) - 1)
    other = None if index is None else seats[index]
    if other is None or other.kind != "person" or other.person is None:
        raise Refusal("unknown", _("This player is no longer at the table."))
    if fields is not None and fields.get("name") != other.name:
        raise Refusal("conflict", _("Another player has this seat now."))
    if other.person == visitor.id:
        raise Refusal("conflict", _("You can’t block or report yourself."))
    return visitor, other


async def _page(
    request: Request,
    room: Room,
    visitor: Person,
    other: Seat,
    seat: str,
    *,
    reported: bool = False,
    fields: Mapping[str, str] | None = None,
    refusal: Refusal | None = None,
) -> Response:
    rooms = rooms_of(request)
    blocked = await rooms.store.run(blocks.blocked_by, rooms.repository.engine, visitor.id)
    html = render(
        "people.html",
        shell=page_shell_data_of(request, visitor),
        game=room.session.record.game,
        table=f"/t/{room.session.code}",
        seat=seat,
        name=other.name,
        is_blocked=other.person in blocked,
        reported=reported,
        fields=fields or {},
        most=REPORT_LENGTH,
        error=refusal.reason if refusal else "",
    )
    return HTMLResponse(html, STATUS[refusal.code] if refusal else 200)
