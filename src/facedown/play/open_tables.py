"""Open tables: the host lists a table for everyone, and a person takes a bot's seat over during the match.

A person who takes a bot's seat over gets it when the next round is dealt. From then on they see what the seat sees; of
all earlier moves they see only what spectators see. Until then they watch the match as a spectator.

A function here does not modify the session. It returns a `Change`, which the caller saves and then applies.
"""

from __future__ import annotations

from dataclasses import replace

from facedown.play.i18n import _
from facedown.play.records import Change, Refusal, removed_player_message, require
from facedown.play.seat_takeover import seats_to_take_over
from facedown.play.session import Session
from facedown.play.user_input import clean_name, unique_name


def list_table(session: Session, person: int | None, listed: bool) -> Change | None:
    """Return the change by which the host lists the table among the open tables, or removes it from the list.

    Return None if nothing changes. Raise `Refusal` if `person` is not the host or the match is over.
    """
    is_host = person is not None and person == session.record.host
    require(is_host, "forbidden", _("Only the host of this table can do that."))
    require(session.record.status != "finished", "conflict", _("The match is over."))
    return None if session.record.listed == listed else session.new_change(replace(session.record, listed=listed))


def take_over(session: Session, person: int, name: str, seat: int | None = None) -> Change:
    """Return the change by which a person gets a bot's seat when the next round is dealt.

    `seat` is the seat; None for the first possible one. Raise `Refusal` if the person has a seat, or may not take this
    one over.
    """
    record = session.record
    require(session.seat_of(person) is None, "conflict", _("You already have a seat at this table."))
    require(person not in record.coming_persons, "conflict", _("You already take over a seat in the next round."))
    require(not record.has_removed(person), "forbidden", removed_player_message())
    free = seats_to_take_over(record)
    if not free or (seat is not None and seat not in free):
        raise Refusal("full", _("There’s no bot at this table whose seat you can take over."))
    index = free[0] if seat is None else seat
    taken = [name for one in record.seats for name in (one.name, one.next_name) if name]
    coming = replace(record.seats[index], next_person=person, next_name=unique_name(clean_name(name), taken))
    return session.new_change(record.with_seat(index, coming))


def cancel_take_over(session: Session, person: int) -> Change | None:
    """Return the change that cancels a person's takeover of a bot's seat; None if the person takes over no seat."""
    index = session.record.coming_persons.get(person)
    if index is None:
        return None
    stays = replace(session.record.seats[index], next_person=None, next_name="")
    return session.new_change(session.record.with_seat(index, stays))
