"""Seats and blocks: two persons of whom one has blocked the other do not get seats at the same table.

A seat that a person has is not changed by a block.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from facedown.play import Change, Refusal, Session, TableRecord
from facedown.play.records import Seat
from facedown.play.seat_search import people_at
from facedown.server.i18n import _
from facedown.server.table.room import ChangeFactory, Room
from facedown.store import blocks


async def request_seat(room: Room, person: int, make: ChangeFactory) -> Change | None:
    """Request a change by which a person gets a seat, as `Room.request_change` does.

    Raise `Refusal` if a block keeps the person apart from a person at the table. The refusal does not say which one.
    """
    apart = await persons_apart_from(room, person)

    def make_if_allowed(session: Session) -> Change | None:
        require_not_kept_apart(session, apart)
        return make(session)

    return await room.request_change(make_if_allowed)


async def persons_apart_from(room: Room, person: int) -> frozenset[int]:
    """Return the persons who must not be seated together with this person at any table."""
    store = room.services.store
    return await store.run(blocks.persons_kept_apart, store.repository.engine, person)


def require_not_kept_apart(session: Session, apart: Collection[int]) -> None:
    """Raise `Refusal` if one of the persons `apart` has a seat at the table, or will have one."""
    if not people_at(session.record).isdisjoint(apart):
        raise Refusal("forbidden", _("You can’t take a seat at this table."))


def without_seats_of(record: TableRecord, people: Collection[int]) -> TableRecord:
    """Return the record of a table before the deal, with the seats of these persons open."""
    seats = (Seat() if seat.kind == "person" and seat.person in people else seat for seat in record.seats)
    return replace(record, seats=tuple(seats))
