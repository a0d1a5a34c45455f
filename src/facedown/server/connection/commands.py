"""Functions for the requests of clients at a table: take the text from a WebSocket message, compute the change that a
request makes to the session, and word the error if the change could not be saved.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from facedown.core.match_actions import AGREED_END, TAKE_BACK
from facedown.play import (
    Bots,
    Change,
    Refusal,
    Session,
    agreements,
    chat,
    default_level,
    lobby_host_actions,
    open_tables,
)
from facedown.server.connection import messages
from facedown.server.i18n import _
from facedown.server.process import refusal_counts
from facedown.server.table.room import Room
from facedown.server.table.room_registry import Rooms
from facedown.store import Person
from facedown.store.errors import CommitUnknown

#: Actions that a player can propose, by their names in requests.
PROPOSALS = {"take-back": TAKE_BACK, "end": AGREED_END}


def action_of_proposal(what: str) -> int:
    """Return the action with this name in `PROPOSALS`. Raise `Refusal` for any other name."""
    if what not in PROPOSALS:
        raise Refusal("malformed", _("A proposal must be one of these: {words}.", words=", ".join(PROPOSALS)))
    return PROPOSALS[what]


def require_text_within_limit(received: Mapping[str, Any], limit: int) -> str:
    """Return the text of a WebSocket message. Raise `Refusal` if it is binary or has more than `limit` characters."""
    text = received.get("text")
    if not isinstance(text, str):
        refusal_counts.count_refusals("binary")
        raise Refusal("malformed", _("A message must be text."))
    if len(text) > limit:
        refusal_counts.count_refusals("message-too-long")
        raise Refusal("malformed", _("A message can have at most {most} characters.", most=limit))
    return text


def session_change_for_move(session: Session, person: int, move: messages.Move, now: float) -> Change | None:
    """Return the change to the session that a person's move makes; None if the same move was made already.

    Raise `Refusal` if the person has no seat or the move is not allowed.
    """
    seat = session.seat_of(person)
    if seat is None:
        raise Refusal("forbidden", _("You have no seat at this table."))
    return session.move(seat, move.action, move.version, now=now)


def save_error_text(wrong: Exception) -> str:
    """Return the error text for a request whose change was not saved because of the database error `wrong`.

    If `wrong` is a `CommitUnknown`, the change may have been saved. The text then says that this is not known yet.
    """
    if isinstance(wrong, CommitUnknown):
        return _(
            "The server has just lost its connection to the database. Once the connection is back, you’ll see "
            "whether your action counted."
        )
    return _("Your action could not be saved, so it doesn’t count. Try again.")


def session_change_for_request(
    session: Session, person: Person | None, message: messages.TableRequest, bots: Bots, now: float
) -> Change | None:
    """Return the change to the session that a person's request makes: a chat message, a change in the lobby, a
    stand-in bot, a proposal or an answer to it. Return None if it changes nothing. Raise `Refusal` if the request is
    not allowed.
    """
    if isinstance(message, messages.Say):
        if person is None:
            raise Refusal("forbidden", _("To chat, take a seat or start watching the table first."))
        return session.say(chat.validate_message(session, person.id, message.text, now, person.name))
    if person is None or session.seat_of(person.id) is None:
        raise Refusal("forbidden", _("You’re only watching this table."))
    match message:
        case messages.Ready():
            return session.ready(person.id, message.ready, now)
        case messages.SeatBot():
            return lobby_host_actions.seat_bot(session, person.id, message.seat, message.level, bots, now)
        case messages.OpenSeat():
            return lobby_host_actions.open_seat(session, person.id, message.seat, now)
        case messages.Remove():
            return lobby_host_actions.remove_player(session, person.id, message.seat)
        case messages.Admit():
            return lobby_host_actions.readmit_player(session, person.id, message.name)
        case messages.Swap():
            return lobby_host_actions.swap_players(session, person.id, message.seat, message.other)
        case messages.CloseSeat():
            return lobby_host_actions.remove_seat(session, person.id, message.seat, now)
        case messages.AddSeat():
            return lobby_host_actions.add_seat(session, person.id)
        case messages.StandIn():
            return session.stand_in(person.id, message.seat, message.level or default_level(bots), bots, now)
        case messages.Propose() | messages.Answer() | messages.Resign():
            return _session_change_for_agreement(session, person.id, message, bots, now)


async def handle_open_table_request(
    rooms: Rooms, room: Room, person: Person | None, message: messages.OpenTableRequest
) -> None:
    """Handle a client's request to list a table, or to take over a bot's seat. Raise `Refusal` if it is not allowed."""
    if isinstance(message, messages.ListTable):
        await rooms.open_tables.list_table(room, person, message.listed)
    elif person is None:
        raise Refusal("forbidden", _("To take a seat, watch the table first."))
    elif message.take:
        await rooms.open_tables.take_seat(room, person, person.name)
    else:
        await room.request_change(lambda session: open_tables.cancel_take_over(session, person.id))


def _session_change_for_agreement(
    session: Session, person: int, message: messages.AgreementRequest, bots: Bots, now: float
) -> Change | None:
    match message:
        case messages.Propose():
            return agreements.propose(session, person, action_of_proposal(message.what), now)
        case messages.Answer():
            return agreements.answer(session, person, message.proposal, message.agree, now)
        case messages.Resign():
            return agreements.resign(session, person, default_level(bots), now)
