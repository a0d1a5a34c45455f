"""What somebody at a live table asks for beside a move, and what it changes."""

from __future__ import annotations

from facedown.play import Bots, Change, Refusal, Session, chat, lobby, usual
from facedown.server.connection import messages
from facedown.server.texts import _
from facedown.store import Person


def change_of(
    session: Session, person: Person | None, message: messages.TableRequest, bots: Bots, now: float
) -> Change:
    """What a request of a person changes; `Refusal` where it changes nothing."""
    if isinstance(message, messages.Say):
        if person is None:
            raise Refusal("forbidden", _("Sit down or watch first, then you can say something."))
        return session.say(chat.check(session, person.id, message.text, now, person.name))
    if person is None or session.seat_of(person.id) is None:
        raise Refusal("forbidden", _("You are only watching at this table."))
    match message:
        case messages.Ready():
            return session.ready(person.id, message.ready, now)
        case messages.SeatBot():
            return lobby.seat_bot(session, person.id, message.seat, message.level, bots, now)
        case messages.OpenSeat():
            return lobby.open_seat(session, person.id, message.seat, now)
        case messages.Remove():
            return lobby.remove(session, person.id, message.seat)
        case messages.Admit():
            return lobby.admit(session, person.id, message.name)
        case messages.Swap():
            return lobby.swap(session, person.id, message.seat, message.other)
        case messages.CloseSeat():
            return lobby.close(session, person.id, message.seat, now)
        case messages.AddSeat():
            return lobby.add(session, person.id)
        case messages.StandIn():
            return session.stand_in(person.id, message.seat, message.level or usual(bots), bots, now)
