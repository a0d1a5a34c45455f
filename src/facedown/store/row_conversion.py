"""Rows of the database as records, and records as rows.

A row may be broken: by hand, by a disk, by a newer program. Then its table cannot be read, which is logged, and every
other table is read as usual. Rows are fetched before anything is made of them: a broken one would leave the others in
an open cursor, which on SQLite holds the database as it was, and later writes over that connection are refused.
"""

from __future__ import annotations

import json
import logging
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import lru_cache
from types import UnionType
from typing import Any, Literal, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

import sqlalchemy as sa
from sqlalchemy.engine import Connection, RowMapping

from facedown.play.records import ChatMessage, Seat, SeatClock, Settings, StoredMove, TableRecord
from facedown.play.seat_clocks import next_zero
from facedown.store import schema

log = logging.getLogger("facedown.store")

#: What reading a broken row may raise; not what the database itself has to say.
UNREADABLE = (ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError)
Row = TypeVar("Row", StoredMove, ChatMessage, Seat, SeatClock, Settings, TableRecord)
#: The types that may stand in a number's place.
_NUMBERS = {float: (float, int)}


class Unreadable(Exception):
    """What is written of a table is broken."""

    def __init__(self, match_id: int, why: Exception) -> None:
        super().__init__(f"match {match_id} cannot be read: {type(why).__name__}: {str(why)[:200]}")
        self.match_id = match_id
        self.__cause__ = why


@lru_cache(10_000)
def _log_once(wrong: str) -> None:
    """Log that a table cannot be read, once for each table and reason."""
    log.error("%s", wrong)


_HINTS: dict[type, Mapping[str, Any]] = {}


def check_field_types(one: Row) -> Row:
    """The same, if every plain field of it holds what it should; else `TypeError` or `ValueError`."""
    hints = _HINTS.get(type(one)) or _HINTS.setdefault(type(one), get_type_hints(type(one)))
    for name, hint in hints.items():
        origin, value = get_origin(hint), getattr(one, name)
        allowed = get_args(hint) if origin in (Literal, Union, UnionType) else (hint,)
        if origin is Literal:
            if value not in allowed:
                raise ValueError(f"{name} is {str(value)[:40]!r}")
        elif set(allowed) <= {int, float, str, bytes, bool, type(None)}:
            # A yes or no is a number to Python, but none of ours.
            wanted = tuple(kind for one_of in allowed for kind in _NUMBERS.get(one_of, (one_of,)))
            if not isinstance(value, wanted) or (isinstance(value, bool) and bool not in wanted):
                raise TypeError(f"{name} is {type(value).__name__}")
            if isinstance(value, float) and value - value != 0:
                raise ValueError(f"{name} is {value}")
    return one


# --- records and rows -------------------------------------------------------------------------------------------------

#: The columns that are a record's fields as they are: those that stay once a match runs, and those that change with it.
MATCH_COLUMNS = (
    "code", "game", "rules_version", "seed", "commitment", "host", "created", "started", "successor", "origin",
)  # fmt: skip
RUNNING_COLUMNS = ("status", "finished", "due", "revision")
#: A database counts no further.
MOST_CHANGES = 2**31 - 1


def columns_of(row: StoredMove | ChatMessage | Seat) -> dict[str, Any]:
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
        settings=check_field_types(Settings(**json.loads(row["settings"]))),
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
    return check_field_types(record)


def clocks_in(text: str) -> tuple[SeatClock, ...]:
    """The clocks of a table from the text of their column."""
    return tuple(check_field_types(SeatClock(**clock)) for clock in json.loads(text))


def seat_in(row: RowMapping) -> Seat:
    """The seat that a row stands for."""
    same = {name: row[name] for name in ("kind", "name", "person", "level", "ready", "standin", "standin_name")}
    return check_field_types(Seat(**same, key_hash=row["key_hash"] or "", left=row["left_table"]))


def moves_in(rows: Sequence[RowMapping], first: int = 0) -> tuple[StoredMove, ...]:
    """The moves of a match from a ply on, from their rows; `ValueError` if one is missing."""
    moves = tuple(
        check_field_types(StoredMove(row["ply"], row["seat"], row["action"], row["at"], row["token"])) for row in rows
    )
    if [move.ply for move in moves] != list(range(first, first + len(moves))):
        raise ValueError("a move is missing")
    return moves


def chat_message_in(row: RowMapping) -> ChatMessage:
    """What was said, as a row has it."""
    return check_field_types(ChatMessage(row["name"], row["text"], row["at"], row["seat"]))


# --- whole tables -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table as it is written down."""

    record: TableRecord
    moves: tuple[StoredMove, ...]
    chat: tuple[ChatMessage, ...]
    number: int = 0
    """By which processes speak of it: unlike the code it lets nobody in."""
    driver: int = 0
    """The process that sees to its bots and clocks."""


def load_where(
    connection: Connection,
    where: sa.ColumnElement[bool],
    limit: int | None = None,
    history: bool = True,
    since: Mapping[int, int] | None = None,
) -> dict[int, StoredTable | Unreadable]:
    """Tables that fulfil a condition by their numbers, newest first.

    Without `history` they have neither moves nor chat; `since` maps some numbers to the first ply that is read. A
    broken table breaks nothing but itself: in its place is what is wrong with it.
    """
    since = since or {}
    heads = sa.select(schema.matches).where(where).order_by(schema.matches.c.id.desc()).limit(limit)
    try:
        return _load(connection, heads, history, since)
    except UNREADABLE:
        # A row that cannot even be fetched: each table by itself.
        found: dict[int, StoredTable | Unreadable] = {}
        for number in connection.scalars(heads.with_only_columns(schema.matches.c.id)).all():
            try:
                one = sa.select(schema.matches).where(schema.matches.c.id == number)
                found |= _load(connection, one, history, since)
            except UNREADABLE as wrong:
                found[number] = Unreadable(number, wrong)
        return found


def _load(
    connection: Connection, heads: sa.Select[Any], history: bool, since: Mapping[int, int]
) -> dict[int, StoredTable | Unreadable]:
    rows = connection.execute(heads).mappings().all()
    numbers = [row["id"] for row in rows]
    later = [schema.moves.c.ply >= sa.case(since, value=schema.moves.c.match_id, else_=0)] if since else []
    seats = _by_table(connection, schema.seats, schema.seats.c.seat, numbers)
    moves = _by_table(connection, schema.moves, schema.moves.c.ply, numbers if history else [], *later)
    chat = _by_table(connection, schema.chat, schema.chat.c.id, numbers if history else [])
    found: dict[int, StoredTable | Unreadable] = {}
    for row in rows:
        number = row["id"]
        try:
            record, driver = record_in(row, seats[number]), row["driver"] or 0
            played, said = moves_in(moves[number], since.get(number, 0)), tuple(map(chat_message_in, chat[number]))
            found[number] = StoredTable(record, played, said, number, driver)
        except UNREADABLE as wrong:
            found[number] = Unreadable(number, wrong)
    return found


def _by_table(
    connection: Connection,
    table: sa.Table,
    order: sa.ColumnElement[Any],
    numbers: Sequence[int],
    *conditions: sa.ColumnElement[bool],
) -> defaultdict[int, list[RowMapping]]:
    found = defaultdict(list)
    if numbers:
        query = sa.select(table).where(table.c.match_id.in_(numbers), *conditions).order_by(order)
        for row in connection.execute(query).mappings().all():
            found[row["match_id"]].append(row)
    return found


def readable_tables(found: Mapping[int, StoredTable | Unreadable]) -> list[StoredTable]:
    """The tables that could be read; the others are logged."""
    for one in found.values():
        if isinstance(one, Unreadable):
            _log_once(str(one))
    return [one for one in found.values() if isinstance(one, StoredTable)]


@dataclass(frozen=True, slots=True)
class TableCursor:
    """How far a process knows a table."""

    number: int
    record: TableRecord
    ply: int
    chat_count: int
    """How many words were said at it."""


#: A table with the moves and words that came since it was `TableCursor`.
Newer: TypeAlias = StoredTable


def newer_than(connection: Connection, known: Sequence[TableCursor]) -> list[Newer | None]:
    """What happened at tables since they were known so far; None in the place of one that is gone."""
    plies = {one.number: one.ply for one in known}
    found = {
        one.number: one for one in readable_tables(load_where(connection, schema.matches.c.id.in_(plies), since=plies))
    }
    return [replace(now, chat=now.chat[one.chat_count :]) if (now := found.get(one.number)) else None for one in known]
