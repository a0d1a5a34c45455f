"""Trying again from a moment of a finished match: its person plays on from there, bots take all other seats."""

from __future__ import annotations

from dataclasses import replace

from facedown.play.bots import bot_name
from facedown.play.new_tables import opened
from facedown.play.records import Played, Refusal, Seat, Settings, TableRecord
from facedown.play.session import Session
from facedown.play.texts import _


def tried_again(
    session: Session, ply: int, seat: int, person: int, name: str, level: str, now: float
) -> tuple[TableRecord, tuple[Played, ...]]:
    """A new table that stands where this match stood after `ply` moves, and the moves that led there.

    The person takes the `seat`, bots of a level the others. `Refusal` while the match is running, for a seat or a move
    that it has not got, or where the match was over.
    """
    match = session.ended(_("it can be tried again from each of its moments"))
    if not 0 <= seat < match.seats:
        wrong = _("There is no seat {seat}: they go from 0 to {last}.", seat=seat, last=match.seats - 1)
        raise Refusal("malformed", wrong)
    if not 0 <= ply < match.ply:
        raise Refusal("malformed", _("You can play on after moves 0 to {last}.", last=match.ply - 1))
    names = [name if index == seat else "" for index in range(match.seats)]
    for index in range(match.seats):
        names[index] = names[index] or bot_name([other for other in names if other])
    seats = tuple(
        Seat("person", name, person, ready=True)
        if index == seat
        else Seat("bot", names[index], level=level, ready=True)
        for index in range(match.seats)
    )
    old = session.record
    settings = Settings(memory=old.settings.memory, spectators=False, hints=True)
    record = opened(old.game, old.options, settings, seats, person, now, old.seed)
    waiting = any(index != seat for index in match.at(ply).acting)
    record = replace(
        record, status="running", started=now, deal=old.deal, first=old.first, due=now if waiting else None
    )
    moves = [Played(at, move.seat, move.action, now, f"again:{at}") for at, move in enumerate(match.moves[:ply])]
    return record, tuple(moves)
