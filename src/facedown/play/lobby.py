"""What the host decides before the deal: who sits where, how many seats there are, by which rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from facedown.core.language import Later
from facedown.play.clock import check_clock
from facedown.play.new_tables import complete_options
from facedown.play.presence import FREE
from facedown.play.records import Change, Refusal, Seat, Settings, TableRecord
from facedown.play.texts import N_, Tell, _

if TYPE_CHECKING:
    from facedown.play.session import Session

#: Announcements to all at the table.
LEAVES = N_("{name} left the table.")
NOW_HOST = N_("{name} is host now.")
SEAT_FREE = N_("The seat of {name} is open.")
SWAPPED = N_("{name} swapped seats with {other}.")
NEW_RULES = N_("The host has changed the house rules.")
SEAT_CLOSED, SEAT_ADDED = N_("A seat was closed."), N_("A seat was added.")
#: Most removed people that a table remembers: the last ones.
MOST_REMOVED = 50


def removed_words() -> str:
    """The sentence that a removed person reads."""
    return _("The host has given the seat to somebody else.")


def need_not_removed(record: TableRecord, person: int) -> None:
    """Raise `Refusal` for a person whom the host has removed."""
    if record.has_removed(person):
        raise Refusal("forbidden", removed_words())


def remove(session: Session, person: int | None, index: int) -> Change:
    """The host removes a person, who does not get in again before the host admits them; `Refusal` without one."""
    session.need_host(person)
    seat = session.place(index)
    if seat.kind != "person" or seat.person is None:
        raise Refusal("conflict", _("Nobody you could remove sits there."))
    if seat.person == person:
        raise Refusal("forbidden", _("You cannot remove yourself. Leave the table instead."))
    removed = (*session.record.removed, (seat.person, seat.name))[-MOST_REMOVED:]
    record = replace(session.record.with_seat(index, Seat()), removed=removed)
    return session.change(record, tells=(_told(LEAVES, seat),))


def admit(session: Session, person: int | None, name: str) -> Change:
    """The host lets removed people of this name in again; `Refusal` if no one of that name was removed."""
    session.need_host(person)
    left = tuple(one for one in session.record.removed if one[1] != name)
    if left == session.record.removed:
        raise Refusal("conflict", _("Nobody called {name} was removed.", name=name[:40]))
    return session.change(replace(session.record, removed=left))


def swap(session: Session, person: int | None, index: int, other: int) -> Change:
    """The host lets two places change who has them, and with them the turn order; `Refusal` if there are none such."""
    session.need_host(person)
    one, two = session.place(index), session.place(other)
    if index == other:
        raise Refusal("malformed", _("That is the same seat."))
    record = session.record.with_seat(index, two).with_seat(other, one)
    return session.change(record, tells=swap_words(one, two))


def swap_words(one: Seat, two: Seat) -> tuple[Tell, ...]:
    """The announcement of two places that were swapped."""
    return (Later(_, SWAPPED, {"name": one.name, "other": two.name}),) if one.taken and two.taken else ()


def close(session: Session, person: int | None, index: int, now: float) -> Change:
    """The host takes a seat away; the deal begins if all others are ready. `Refusal` where a person sits."""
    session.need_host(person)
    seat, seats = session.place(index), session.record.seats
    if seat.kind == "person":
        raise Refusal("forbidden", _("{name} sits there; only they can give up the seat.", name=seat.name))
    record = _resized(session, (*seats[:index], *seats[index + 1 :]))
    return session.lobby_change(record, Later(_, SEAT_CLOSED, {}), now)


def add(session: Session, person: int | None) -> Change:
    """The host adds an open seat."""
    session.need_host(person)
    return session.change(_resized(session, (*session.record.seats, Seat())), tells=(Later(_, SEAT_ADDED, {}),))


def _resized(session: Session, seats: tuple[Seat, ...]) -> TableRecord:
    """The table with other seats; `Refusal` if the game cannot be played by that number."""
    return replace(session.record, seats=seats, options=options_for(session, len(seats)))


def options_for(session: Session, seats: int) -> Mapping[str, str]:
    """The table's options for another number of seats: what was usual for the old one is usual for the new one."""
    record = session.record
    usual = session.game.info.complete(len(record.seats), {})
    chosen = {name: text for name, text in record.options.items() if text != usual.get(name)}
    return complete_options(record.game, seats, chosen)


def change_rules(session: Session, person: int | None, options: Mapping[str, str], settings: Settings) -> Change | None:
    """The host changes the house rules: other people are asked again whether they are ready. None if all stays."""
    session.need_host(person)
    check_clock(settings)
    record = session.record
    complete = complete_options(record.game, len(record.seats), options)
    if complete == dict(record.options) and settings == record.settings:
        return None
    asked = (seat.kind == "person" and seat.person != person and not seat.key_hash for seat in record.seats)
    seats = tuple(replace(seat, ready=seat.ready and not ask) for seat, ask in zip(record.seats, asked, strict=True))
    new = replace(record, seats=seats, options=complete, settings=settings)
    return session.change(new, tells=(Later(_, NEW_RULES, {}),))


def may_free(session: Session, index: int, now: float) -> bool:
    """Has a guest been away for so long that the seat may be given free?"""
    seat = session.record.seats[index]
    guest = seat.kind == "person" and seat.person != session.record.host and session.record.status == "lobby"
    return guest and session.presence.away_for(index, now) >= FREE


def free_seats(session: Session, now: float) -> Change | None:
    """Where the host wishes it, give the seats free of guests who have been away for too long; None if there are none.

    They may sit down again.
    """
    record = session.record
    gone = [i for i in range(len(record.seats)) if record.settings.free_away and may_free(session, i, now)]
    for index in gone:
        record = record.with_seat(index, Seat())
    tells = tuple(_told(SEAT_FREE, session.record.seats[index]) for index in gone)
    return session.change(record, tells=tells) if gone else None


def handed_on(record: TableRecord, left: int) -> tuple[TableRecord, tuple[Tell, ...]]:
    """The table after its host has left a seat: the next person round it is host."""
    round_it = (*record.seats[left + 1 :], *record.seats[:left])
    heir = next((seat for seat in round_it if seat.kind == "person"), None)
    return replace(record, host=heir.person if heir else None), (_told(NOW_HOST, heir),) if heir else ()


def _told(message: str, seat: Seat) -> Later:
    return Later(_, message, {"name": seat.name})
