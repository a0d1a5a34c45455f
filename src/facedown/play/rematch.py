"""Rematches with the same players, and new tables that start from a position of a finished match.

The first player to ask for a rematch opens a new table and becomes its host. The other players accept by getting ready
there. So the offer is stored like any table and survives a restart. A program (a player that uses the API) can also
accept with the API request that marks the program as ready at the new table.

The cards are dealt as soon as all are ready. If a player declines, that seat becomes open, and the host may fill it.
"""

from __future__ import annotations

import secrets
from dataclasses import replace
from typing import Literal

from facedown.bots.levels import Level
from facedown.core.grammar import PlayerPhrase
from facedown.play.bot_interface import Bots, offered_levels
from facedown.play.i18n import _, translatable_text
from facedown.play.new_tables import new_seats, new_table_record
from facedown.play.records import Change, Seat, Settings, StoredMove, TableRecord, require
from facedown.play.seat_announcements import SEAT_FREE
from facedown.play.session import Session

#: Seconds during which a rematch offer can be accepted.
OFFER_TIMEOUT = 3600.0

Answer = Literal["yes", "no", ""]


def rematch(old: TableRecord, person: int, now: float, level: str = "") -> TableRecord:
    """Return the record of a table for a rematch, created at the Unix time `now`, with the rules of the table `old`.

    `person` is the player who asks for the rematch and becomes the host. The seats are those of the table `old`:

    * Players keep their seats, but they are not ready. A player accepts the rematch by getting ready.
    * The seat of a player who left the old table becomes open, unless this player is `person`.
    * Bots keep their seats and are ready at once. A `level` that is not empty replaces the level of all bots.
    """
    seats = tuple(
        replace(
            Seat(seat.kind, seat.name, seat.person, seat.level),
            ready=seat.kind == "bot",
            key_hash=placeholder_key_hash(seat),
        )
        if not seat.left or seat.person == person
        else Seat()
        for seat in old.seats
    )
    if level:
        seats = tuple(replace(seat, level=level) if seat.kind == "bot" else seat for seat in seats)
    # Players may still be looking at the finished match, so their absence from the new table must not open their
    # seats.
    settings = replace(old.settings, free_away=False)
    new = new_table_record(old.game, dict(old.options), settings, seats, person, now)
    return replace(new, origin=old.origin)


def placeholder_key_hash(seat: Seat) -> str:
    """Return a placeholder for the token hash of a player's seat at the table of the rematch.

    `seat` is the player's seat at the old table. If no program (API client) plays it, the placeholder is empty.

    If a program plays it, the placeholder is a random text. This text marks the new seat as a program's. It is not the
    hash of any token. The program can use its token for the old table at the new table, too, or ask for a new token.
    """
    return secrets.token_hex(32) if seat.key_hash else ""


def stronger_level_after_win(session: Session, seat: int, bots: Bots) -> Level | None:
    """Return the next stronger level for a person who beat bots of one level. `seat` is the person's seat.

    Return None if the person did not win or has resigned, if other persons or bots of several levels played, or if
    there is no stronger level.
    """
    others = {(one.kind, one.level) for index, one in enumerate(session.record.seats) if index != seat}
    if len(others) != 1 or session.game.info.together or seat not in session.table(seat).winners:
        return None
    if seat in session.record.agreements.resigned:
        return None
    levels, ((kind, level),) = offered_levels(bots), others
    keys = [one.key for one in levels]
    if kind != "bot" or level not in keys[:-1]:
        return None
    return levels[keys.index(level) + 1]


def is_rematch_open(new: TableRecord, now: float) -> bool:
    """Return whether the table `new`, opened for a rematch, is still recent and has a host.

    Recent means opened less than `OFFER_TIMEOUT` seconds before the time `now`. A table loses its host when the last
    person leaves it.
    """
    return now - new.created < OFFER_TIMEOUT and new.host is not None


def answers(old: TableRecord, new: TableRecord) -> tuple[Answer, ...]:
    """Return the answer of each seat of the table `old` to the offer of a rematch: "yes", "no", or an empty string if
    there is no answer yet.

    Bots answer "yes". `new` is the table of the rematch.
    """
    there = {place.person: place for place in new.seats if place.kind == "person"}

    def answer(seat: Seat) -> Answer:
        if seat.kind == "bot":
            return "yes"
        if seat.person not in there:
            return "no"
        return "yes" if there[seat.person].ready or new.status != "lobby" else ""

    return tuple(map(answer, old.seats))


def agree(session: Session, person: int, name: str, now: float, key_hash: str = "") -> Change | None:
    """Return the change by which a person accepts the rematch; None if they have accepted before.

    `session` is the table of the rematch. A person who has a seat there keeps it and becomes ready. A person without a
    seat, for example after declining, takes the first open seat and is ready at once. Raise `Refusal` if this person
    cannot take a seat, for example because no seat is open or the match has begun.

    `name` and `key_hash` are used only for a seat that the person takes now. `name` is the player's name. `key_hash` is
    the result of `placeholder_key_hash`: a random text if a program plays for the person, else empty.
    """
    index = session.seat_of(person)
    if index is None:
        return session.sit(person, name, key_hash=key_hash, ready=True, now=now)
    if session.match is not None or session.record.seats[index].ready:
        return None
    return session.ready(person, True, now)


def decline(session: Session, person: int) -> Change | None:
    """Return the change by which a person declines the rematch, so that their seat becomes open; None if they have no
    seat.

    `session` is the table of the rematch. Raise `Refusal` once its match has begun.
    """
    require(session.match is None, "conflict", _("The next match has already begun."))
    return None if session.seat_of(person) is None else session.leave(person)


def open_unanswered_seats(session: Session, person: int) -> Change | None:
    """Return the change that opens the seats of players who have not answered the offer of a rematch.

    Return None if all have answered. `session` is the table of the rematch. Raise `Refusal` if the requesting `person`
    is not the host.
    """
    record = session.record
    asked = session.match is None and person == record.host
    require(asked, "forbidden", _("Only the player who asked for the rematch can go ahead without the others."))
    silent = [seat for seat in record.seats if seat.kind == "person" and not seat.ready]
    if not silent:
        return None
    seats = tuple(Seat() if seat in silent else seat for seat in record.seats)
    tells = tuple(translatable_text(SEAT_FREE, who=PlayerPhrase((seat.name,))) for seat in silent)
    return session.new_change(replace(record, seats=seats), tells=tells)


def new_table_from_ply(
    session: Session, ply: int, seat: int, person: int, name: str, level: str, now: float
) -> tuple[TableRecord, tuple[StoredMove, ...]]:
    """Return the record of a new table that starts from a position of a finished match, and the moves up to that
    position.

    * `ply`: the number of moves made before the position.
    * `seat`: the seat that the person takes.
    * `level`: the level of the bots at all other seats.

    Raise `Refusal` if the match is still running or if it has no such seat or ply.
    """
    match = session.require_ended_match(_("This match is not over yet. Once it ends, you can play on from any move."))
    session.seat_at(seat)
    require(
        0 <= ply < match.ply,
        "malformed",
        _("To play on, give a move number from 0 (right after the deal) to {last}.", last=match.ply - 1),
    )
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
