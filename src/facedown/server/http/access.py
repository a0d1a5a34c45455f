"""Access rules of a table (a game with seats), for its pages, pictures, files, API requests and WebSocket connections.

If a table does not allow spectators, only its players can see it, during the match and after it. Another visitor who
knows the table's code can see at most the invitation to an open seat.

A visitor without access gets status 403 with the reason, not 404. Table codes cannot be guessed, so a visitor who has a
code knows that the table exists.
"""

from __future__ import annotations

from facedown.core.state import SPECTATOR
from facedown.play import Refusal, Session
from facedown.play.records import removed_player_message
from facedown.server.i18n import _
from facedown.server.table.room import Room
from facedown.store import Person


def has_seat(session: Session, person: Person | None) -> bool:
    """Return whether a person has a seat at the table; after the match, whether they had one when it ended.

    `person` is None for a visitor whom the server does not know. Such a visitor has no seat.
    """
    return session.seat_of(person.id if person else None) is not None


def require_seat(session: Session, person: Person | None) -> None:
    """Raise `Refusal` if the person has no seat at the table."""
    if not has_seat(session, person):
        raise Refusal("forbidden", _("You’re only watching this table."))


def is_removed(session: Session, person: Person | None) -> bool:
    """Return whether the host has removed this person from the table."""
    return person is not None and session.record.has_removed(person.id)


def is_player_or_allowed_spectator(session: Session, person: Person | None) -> bool:
    """Return whether a person may see the public part of the match.

    Players always may. Others may if the table allows spectators and the host has not removed them.
    """
    return (session.record.settings.spectators and not is_removed(session, person)) or has_seat(session, person)


def require_table_access(session: Session, person: Person | None) -> None:
    """Raise `Refusal` if the person may neither watch the table nor take an open seat there.

    Such a person must not even see the players' names.
    """
    record = session.record
    free = record.status == "lobby" and any(not seat.taken for seat in record.seats)
    if not (free and not is_removed(session, person)) and not is_player_or_allowed_spectator(session, person):
        raise _access_refusal(session, person)


def require_replay_access(session: Session, person: Person | None) -> None:
    """Raise `Refusal` if the person may not see a finished match with its seed, its moves and all hidden cards."""
    if not is_player_or_allowed_spectator(session, person):
        raise _access_refusal(session, person)


def _access_refusal(session: Session, person: Person | None) -> Refusal:
    if is_removed(session, person):
        return Refusal("forbidden", removed_player_message())
    if session.record.status == "finished":
        why = _("Spectators were not allowed at this table, so only its players can see the match.")
    else:
        why = _("This table is full, and spectators are not allowed.")
    return Refusal("forbidden", why)


async def viewer_of(room: Room, person: Person | None) -> int | None:
    """Return the seat from which a person sees the table, `SPECTATOR` if they chose to watch it, None otherwise."""
    session, store = room.session, room.services.store
    if person is None or not is_player_or_allowed_spectator(session, person):
        return None
    seat = session.seat_of(person.id)
    if seat is not None:
        return seat
    return SPECTATOR if await store.run(store.repository.is_spectator, session.code, person.id) else None
