"""Who may see what of a table: the one place that decides it, for pages, pictures, files, the API and the live table.

A table that was opened without spectators is its sitters' own, while it is played and for ever after. To anybody else
it says no more than whether there is a seat: that is what an invitation is. They are told so in a sentence, and not
that there is no such table: whoever has the code was given it, for nobody guesses one.
"""

from __future__ import annotations

from facedown.core.state import SPECTATOR
from facedown.play import Refusal, Session
from facedown.play.records import removed_player_message
from facedown.server.i18n import _
from facedown.server.table.room import Room
from facedown.store import Person


def has_seat(session: Session, person: Person | None) -> bool:
    """Has this person a seat at the table, or had one when the match ended?"""
    return session.seat_of(person.id if person else None) is not None


def require_seat(session: Session, person: Person | None) -> None:
    """Raise `Refusal` for a person without a seat at the table."""
    if not has_seat(session, person):
        raise Refusal("forbidden", _("You are only watching at this table."))


def is_removed(session: Session, person: Person | None) -> bool:
    """Has the host of the table removed this person?"""
    return person is not None and session.record.has_removed(person.id)


def may_watch(session: Session, person: Person | None) -> bool:
    """May this person see what everybody sees of the match?"""
    return (session.record.settings.spectators and not is_removed(session, person)) or has_seat(session, person)


def require_table_access(session: Session, person: Person | None) -> None:
    """Raise `Refusal` for a person who may neither watch nor sit down, and so may not know who sits there."""
    record = session.record
    free = record.status == "lobby" and any(not seat.taken for seat in record.seats)
    if not (free and not is_removed(session, person)) and not may_watch(session, person):
        raise _access_refusal(session, person)


def require_replay_access(session: Session, person: Person | None) -> None:
    """Raise `Refusal` for a person who may not have the seed, the moves and all views of a finished match."""
    if not may_watch(session, person):
        raise _access_refusal(session, person)


def _access_refusal(session: Session, person: Person | None) -> Refusal:
    if is_removed(session, person):
        return Refusal("forbidden", removed_player_message())
    if session.record.status == "finished":
        why = _("This match was played without spectators: only its players can look back at it.")
    else:
        why = _("This table is full, and it is played without spectators.")
    return Refusal("forbidden", why)


async def viewer_of(room: Room, person: Person | None) -> int | None:
    """The seat of a person, `SPECTATOR` for one who sat down to watch, None for a stranger."""
    session, store = room.session, room.services.store
    if person is None or not may_watch(session, person):
        return None
    seat = session.seat_of(person.id)
    if seat is not None:
        return seat
    return SPECTATOR if await store.run(store.repository.is_spectator, session.code, person.id) else None
