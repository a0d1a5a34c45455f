"""Rows of the database as what they stand for, and the other way round.

Rows are fetched before anything is made of them: a broken one would leave the others in an open cursor, which on SQLite
holds the database as it was, and whoever writes over the same connection later is refused.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, fields
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, RowMapping

from facedown.play.clock import next_zero
from facedown.play.records import Played, Said, Seat, SeatClock, Settings, TableRecord
from facedown.store import schema
from facedown.store.checked import UNREADABLE, Unreadable, checked, complain

#: The columns that are a record's fields as they are: those that stay once a match runs, and those that change with it.
MATCH_COLUMNS = (
    "code", "game", "rules_version", "seed", "commitment", "host", "created", "started", "successor", "origin",
)  # fmt: skip
RUNNING_COLUMNS = ("status", "finished", "due", "revision")
#: A database counts no further.
MOST_CHANGES = 2**31 - 1


def records(
    connection: Connection, where: sa.ColumnElement[bool], limit: int | None = 1
) -> list[tuple[int, TableRecord]]:
    """Tables that fulfil a condition with their numbers, the newest first; None: all of them.

    One that cannot be read breaks nothing but itself: it is left out.
    """
    newest = sa.select(schema.matches).where(where).order_by(schema.matches.c.id.desc()).limit(limit)
    try:
        rows = list(connection.execute(newest).mappings())
        seats: dict[int, list[RowMapping]] = {row["id"]: [] for row in rows}
        theirs = sa.select(schema.seats).where(schema.seats.c.match_id.in_(list(seats)))
        for seat in connection.execute(theirs.order_by(schema.seats.c.seat)).mappings().all():
            seats[seat["match_id"]].append(seat)
        return [(row["id"], record_in(row, seats[row["id"]])) for row in rows]
    except UNREADABLE:
        found = []
        for match_id in connection.scalars(newest.with_only_columns(schema.matches.c.id)).all():
            try:
                found.append((match_id, record_of(connection, match_id)))
            except Unreadable as wrong:
                complain(wrong)
        return found


def record_of(connection: Connection, match_id: int) -> TableRecord:
    """One table; `Unreadable` if its rows are broken."""
    matches, seats = schema.matches, schema.seats
    try:
        row = connection.execute(sa.select(matches).where(matches.c.id == match_id)).mappings().one()
        theirs = sa.select(seats).where(seats.c.match_id == match_id).order_by(seats.c.seat)
        return record_in(row, connection.execute(theirs).mappings().all())
    except UNREADABLE as wrong:
        raise Unreadable(match_id, wrong) from wrong


def columns_of(row: Played | Said | Seat) -> dict[str, Any]:
    """A move, a word or a seat by the names of its columns, which are those of its fields."""
    return {field.name: getattr(row, field.name) for field in fields(row)}


def running_values(record: TableRecord) -> dict[str, Any]:
    """What changes of a table while it is played."""
    return {name: getattr(record, name) for name in RUNNING_COLUMNS} | {
        "clocks": json.dumps([asdict(clock) for clock in record.clocks]),
        "zero": next_zero(record.clocks) if record.status == "running" else None,
    }


def match_values(record: TableRecord) -> dict[str, Any]:
    """A table's record by the names of its columns, without its seats."""
    same = {name: getattr(record, name) for name in MATCH_COLUMNS}
    options, settings = json.dumps(dict(record.options)), json.dumps(asdict(record.settings))
    removed = json.dumps(record.removed)
    return same | {"options": options, "settings": settings, "removed": removed} | running_values(record)


def seat_values(seat: Seat) -> dict[str, Any]:
    """A seat by the names of its columns."""
    values = columns_of(seat)
    return values | {"left_table": values.pop("left"), "key_hash": seat.key_hash or None}


def record_in(row: RowMapping, seats: Sequence[RowMapping]) -> TableRecord:
    """The record of a table's row and its seats; `ValueError`, `TypeError` or `KeyError` if they are broken."""
    if [seat["seat"] for seat in seats] != list(range(len(seats))):
        raise ValueError("its seats are not numbered from 0 on")
    options = json.loads(row["options"])
    if not isinstance(options, dict) or not all(isinstance(text, str) for text in options.values()):
        raise ValueError("its options are no texts by name")
    record = TableRecord(
        **{name: row[name] for name in (*MATCH_COLUMNS, *RUNNING_COLUMNS)},
        options=options,
        settings=checked(Settings(**json.loads(row["settings"]))),
        seats=tuple(map(seat_in, seats)),
        clocks=clocks_in(row["clocks"]),
        removed=tuple((int(person), str(name)) for person, name in json.loads(row["removed"])),
    )
    if row["zero"] is not None and not isinstance(row["zero"], (int, float)):
        raise TypeError("zero is no time")
    if not 0 <= record.revision < MOST_CHANGES:
        raise ValueError(f"its revision is {record.revision}")
    if record.clocks and len(record.clocks) != len(record.seats):
        raise ValueError("it has not one clock for each seat")
    return checked(record)


def clocks_in(text: str) -> tuple[SeatClock, ...]:
    """The clocks of a table from the text of their column."""
    return tuple(checked(SeatClock(**clock)) for clock in json.loads(text))


def seat_in(row: RowMapping) -> Seat:
    """The seat that a row stands for."""
    same = {name: row[name] for name in ("kind", "name", "person", "level", "ready", "standin", "standin_name")}
    return checked(Seat(**same, key_hash=row["key_hash"] or "", left=row["left_table"]))


def moves_of(connection: Connection, match_id: int) -> tuple[Played, ...]:
    """All moves of a match, in their order; `ValueError` if one is missing."""
    its = sa.select(schema.moves).where(schema.moves.c.match_id == match_id).order_by(schema.moves.c.ply)
    return moves_in(connection.execute(its).mappings().all())


def moves_in(rows: Sequence[RowMapping]) -> tuple[Played, ...]:
    """The moves of a match from its rows; `ValueError` if one is missing."""
    moves = tuple(map(played, rows))
    if [move.ply for move in moves] != list(range(len(moves))):
        raise ValueError("a move is missing")
    return moves


def played(row: RowMapping) -> Played:
    """The move that a row stands for."""
    return checked(Played(row["ply"], row["seat"], row["action"], row["at"], row["token"]))


def words_of(connection: Connection, match_id: int, after: int = 0) -> tuple[Said, ...]:
    """What was said at a table after the first words, in its order."""
    its = sa.select(schema.chat).where(schema.chat.c.match_id == match_id).order_by(schema.chat.c.id).offset(after)
    return tuple(map(word_in, connection.execute(its).mappings().all()))


def word_in(row: RowMapping) -> Said:
    """What was said, as a row has it."""
    return checked(Said(row["name"], row["text"], row["at"], row["seat"]))
