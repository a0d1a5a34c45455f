"""Whole tables as they are written down, many of them with a statement for each kind of row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.engine import Connection, RowMapping

from facedown.play.records import Played, Said, TableRecord
from facedown.store import schema
from facedown.store.checked import UNREADABLE, Unreadable
from facedown.store.rows import moves_in, record_in, word_in


@dataclass(frozen=True, slots=True)
class Loaded:
    """A table as it is written down."""

    record: TableRecord
    moves: tuple[Played, ...]
    chat: tuple[Said, ...]
    number: int = 0
    """By which processes speak of it: unlike the code it lets nobody in."""
    driver: int = 0
    """The process that sees to its bots and clocks."""


def loaded(connection: Connection, codes: Sequence[str]) -> dict[str, Loaded | Unreadable]:
    """The tables of these codes, as far as there are any; in the place of one that is broken, what is wrong with it."""
    numbers = sa.select(schema.matches.c.id, schema.matches.c.code).where(schema.matches.c.code.in_(list(codes)))
    there = {int(row.id): str(row.code) for row in connection.execute(numbers).all()}
    try:
        found = _read(connection, list(there))
    except UNREADABLE:
        # A row that cannot even be fetched breaks nothing but its own table.
        found = {}
        for number in there:
            found |= _alone(connection, number)
    return {there[number]: one for number, one in found.items()}


def _alone(connection: Connection, number: int) -> dict[int, Loaded | Unreadable]:
    try:
        return _read(connection, [number])
    except UNREADABLE as wrong:
        return {number: Unreadable(number, wrong)}


def _read(connection: Connection, numbers: Sequence[int]) -> dict[int, Loaded | Unreadable]:
    matches, seats, moves, chat = schema.matches.c, schema.seats.c, schema.moves.c, schema.chat.c
    heads = connection.execute(sa.select(schema.matches).where(matches.id.in_(numbers))).mappings().all()
    theirs = _by_table(connection, sa.select(schema.seats).order_by(seats.seat), seats.match_id, numbers)
    played = _by_table(connection, sa.select(schema.moves).order_by(moves.ply), moves.match_id, numbers)
    said = _by_table(connection, sa.select(schema.chat).order_by(chat.id), chat.match_id, numbers)
    found: dict[int, Loaded | Unreadable] = {}
    for head in heads:
        number = head["id"]
        try:
            found[number] = Loaded(
                record_in(head, theirs[number]),
                moves_in(played[number]),
                tuple(map(word_in, said[number])),
                number,
                head["driver"] or 0,
            )
        except UNREADABLE as wrong:
            found[number] = Unreadable(number, wrong)
    return found


def _by_table(
    connection: Connection, rows: sa.Select[tuple[object]], of: sa.ColumnElement[int], numbers: Sequence[int]
) -> dict[int, list[RowMapping]]:
    found: dict[int, list[RowMapping]] = {number: [] for number in numbers}
    for row in connection.execute(rows.where(of.in_(numbers))).mappings().all():
        found[row["match_id"]].append(row)
    return found
