"""A rematch with the same people, and playing on from a moment of a finished match.

Whoever asks opens the table of the next match at once, and who is ready there agrees. So the question outlives a
restart, a program answers it by being ready, and the deal comes by itself when all have agreed. A no opens the seat;
the host of the new table is who asked, and decides who takes it.
"""

from __future__ import annotations

import secrets
from dataclasses import replace
from typing import Literal

from facedown.bots.levels import Level
from facedown.play.announcements import SEAT_FREE
from facedown.play.bot_protocol import Bots, offered_levels
from facedown.play.i18n import _, translatable_text
from facedown.play.new_tables import new_seats, new_table_record
from facedown.play.records import Change, Seat, Settings, StoredMove, TableRecord, need
from facedown.play.session import Session

#: How long a question stands, in seconds.
OFFER_TIMEOUT = 3600.0

Answer = Literal["yes", "no", ""]


def rematch(old: TableRecord, person: int, now: float, level: str = "") -> TableRecord:
    """A new table with the same seats and rules: bots are ready, `person` asks, whoever has left is not asked.

    `level`: what all bots play at from now on, if it is not what they played at.
    """
    seats = tuple(
        replace(
            seat, ready=seat.kind == "bot", standin="", standin_name="", left=False, key_hash=placeholder_key_hash(seat)
        )
        if not seat.left or seat.person == person
        else Seat()
        for seat in old.seats
    )
    if level:
        seats = tuple(replace(seat, level=level) if seat.kind == "bot" else seat for seat in seats)
    # Those who are asked may still look at the finished match: nobody loses a seat by that.
    settings = replace(old.settings, free_away=False)
    new = new_table_record(old.game, dict(old.options), settings, seats, person, now)
    return replace(new, origin=old.origin)


def placeholder_key_hash(seat: Seat) -> str:
    """The key hash of a seat at the next table: a program's seat gets one that fits no key until it asks for one."""
    return secrets.token_hex(32) if seat.key_hash else ""


def stronger(session: Session, seat: int, bots: Bots) -> Level | None:
    """The level above that of the bots, for a person who has won against bots alone; None if there is no such level."""
    others = {(one.kind, one.level) for index, one in enumerate(session.record.seats) if index != seat}
    if len(others) != 1 or session.game.info.together or seat not in session.table(seat).winners:
        return None
    levels, ((kind, level),) = offered_levels(bots), others
    keys = [one.key for one in levels]
    if kind != "bot" or level not in keys[:-1]:
        return None
    return levels[keys.index(level) + 1]


def is_rematch_open(new: TableRecord, now: float) -> bool:
    """Is the question still there to be answered: is it young enough, and does anybody still ask?"""
    return now - new.created < OFFER_TIMEOUT and new.host is not None


def answers(old: TableRecord, new: TableRecord) -> tuple[Answer, ...]:
    """What each seat of the finished table says to the new one: bots agree, an empty word is no answer yet."""
    there = {place.person: place for place in new.seats if place.kind == "person"}

    def answer(seat: Seat) -> Answer:
        if seat.kind == "bot":
            return "yes"
        if seat.person not in there:
            return "no"
        return "yes" if there[seat.person].ready or new.status != "lobby" else ""

    return tuple(map(answer, old.seats))


def agree(session: Session, person: int, name: str, now: float, key_hash: str = "") -> Change | None:
    """A person agrees at the new table, also after a no; None if they have agreed."""
    index = session.seat_of(person)
    if index is None:
        return session.sit(person, name, key_hash=key_hash, ready=True, now=now)
    if session.match is not None or session.record.seats[index].ready:
        return None
    return session.ready(person, True, now)


def decline(session: Session, person: int) -> Change | None:
    """A person does not want to: the seat is open; None if they have said so. `Refusal` once the match has begun."""
    need(session.match is None, "conflict", _("The next match has begun."))
    return None if session.seat_of(person) is None else session.leave(person)


def open_seats_of_silent(session: Session, person: int) -> Change | None:
    """Whoever asked waits no longer: the seats of those who have not said are open. `Refusal` to anybody else."""
    record = session.record
    asked = session.match is None and person == record.host
    need(asked, "forbidden", _("Only the one who asked decides whether to wait."))
    silent = [seat for seat in record.seats if seat.kind == "person" and not seat.ready]
    if not silent:
        return None
    seats = tuple(Seat() if seat in silent else seat for seat in record.seats)
    tells = tuple(translatable_text(SEAT_FREE, name=seat.name) for seat in silent)
    return session.new_change(replace(record, seats=seats), tells=tells)


def new_table_from_ply(
    session: Session, ply: int, seat: int, person: int, name: str, level: str, now: float
) -> tuple[TableRecord, tuple[StoredMove, ...]]:
    """A new table that stands where this match stood after `ply` moves, and the moves that led there.

    The person takes the `seat`, bots of a level the others. `Refusal` while the match is running, for a seat or a move
    that it has not got, or where the match was over.
    """
    match = session.ended(_("it can be tried again from each of its moments"))
    session.place(seat)
    need(0 <= ply < match.ply, "malformed", _("You can play on after moves 0 to {last}.", last=match.ply - 1))
    seats = ["me" if index == seat else level for index in range(match.seats)]
    old = session.record
    settings = Settings(memory=old.settings.memory, spectators=False, hints=True)
    made = new_seats(seats, person, name, ready=True)
    record = new_table_record(old.game, old.options, settings, made, person, now, old.seed)
    waiting = any(index != seat for index in match.at(ply).acting)
    record = replace(
        record, status="running", started=now, deal=old.deal, first=old.first, due=now if waiting else None
    )
    moves = [StoredMove(at, move.seat, move.action, now, f"again:{at}") for at, move in enumerate(match.moves[:ply])]
    return record, tuple(moves)
