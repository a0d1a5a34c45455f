"""Conversion between database rows and the records of `play.records`, with checks for damaged rows.

A *game table* is a table at which people play, not a table of the database.

A row can be damaged by manual edits, disk errors or a newer program. The game table to which the row belongs then
counts as unreadable, which is logged. All other game tables are read normally.

All rows are fetched before any is converted. An exception between two fetches would leave a cursor open. On SQLite an
open cursor keeps an old snapshot, and later writes on that connection fail.
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

from facedown.core.match_actions import AGREED_END, TAKE_BACK
from facedown.play.records import (
    Agreements,
    ChatMessage,
    Proposal,
    Seat,
    SeatClock,
    Settings,
    StoredMove,
    TableRecord,
)
from facedown.play.seat_clocks import next_deadline
from facedown.store import schema

log = logging.getLogger("facedown.store")

#: Exceptions that the conversion of a damaged row can raise. Errors of the database itself are not among them.
UNREADABLE = (ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError)
Row = TypeVar("Row", StoredMove, ChatMessage, Seat, SeatClock, Settings, Proposal, Agreements, TableRecord)
#: Declared type of a field → types of the values that the field accepts. If a declared type is not a key here, only
#: values of that type are accepted. A float field also accepts an integer, because a database may return 2 for 2.0.
_ACCEPTED_TYPES = {float: (float, int)}


class Unreadable(Exception):
    """Error: the stored data of a game table is damaged."""

    def __init__(self, match_id: int, why: Exception) -> None:
        super().__init__(f"match {match_id} cannot be read: {type(why).__name__}: {str(why)[:200]}")
        self.match_id = match_id
        self.__cause__ = why


@lru_cache(10_000)
def _log_unreadable_table_once(wrong: str) -> None:
    """Log the text `wrong` of an `Unreadable` error, unless this process has already logged the same text.

    The text names the table and the reason. Only the 10,000 texts used most recently are remembered.
    """
    log.error("%s", wrong)


_HINTS: dict[type, Mapping[str, Any]] = {}


def check_field_types(one: Row) -> Row:
    """Return the record unchanged if the values of its fields have the declared types.

    Numbers, text, bytes, booleans and values from a fixed set are checked. Raise `ValueError` for a value outside the
    set and for NaN or infinity, and `TypeError` for any other wrong value.
    """
    hints = _HINTS.get(type(one)) or _HINTS.setdefault(type(one), get_type_hints(type(one)))
    for name, hint in hints.items():
        origin, value = get_origin(hint), getattr(one, name)
        allowed = get_args(hint) if origin in (Literal, Union, UnionType) else (hint,)
        if origin is Literal:
            if value not in allowed:
                raise ValueError(f"{name} is {str(value)[:40]!r}")
        elif set(allowed) <= {int, float, str, bytes, bool, type(None)}:
            # In Python `bool` is a subclass of `int`. Here a boolean is not accepted in place of a number.
            wanted = tuple(kind for one_of in allowed for kind in _ACCEPTED_TYPES.get(one_of, (one_of,)))
            if not isinstance(value, wanted) or (isinstance(value, bool) and bool not in wanted):
                raise TypeError(f"{name} is {type(value).__name__}")
            if isinstance(value, float) and value - value != 0:
                raise ValueError(f"{name} is {value}")
    return one


# --- records and rows -------------------------------------------------------------------------------------------------

#: Columns of a game table's row that hold fields of a `TableRecord` without conversion. Moves never change the columns
#: in `MATCH_COLUMNS`, but can change those in `RUNNING_COLUMNS`.
MATCH_COLUMNS = (
    "code", "game", "rules_version", "seed", "commitment", "host", "created", "started", "successor", "origin",
    "listed",
)  # fmt: skip
#: Columns of a seat's row that hold fields of a `Seat` without conversion.
SEAT_COLUMNS = (
    "kind", "name", "person", "level", "ready", "standin", "standin_name", "since", "bot_name", "next_person",
    "next_name",
)  # fmt: skip
RUNNING_COLUMNS = ("status", "finished", "due", "revision")
#: Upper limit of a table's revision: the largest value of the integer column in the database.
MOST_CHANGES = 2**31 - 1


def values_by_column(row: StoredMove | ChatMessage | Seat) -> dict[str, Any]:
    """Return the fields of a move, message or seat by column name, which is the same as the field's name."""
    return {field.name: getattr(row, field.name) for field in fields(row)}


def values_changed_by_moves(record: TableRecord) -> dict[str, Any]:
    """Return, by column name, the values that a move can change in a game table's row in the database.

    Examples are the status, the revision and the clocks. The move itself has a row of its own.
    """
    return {name: getattr(record, name) for name in RUNNING_COLUMNS} | {
        "clocks": json.dumps([asdict(clock) for clock in record.clocks]),
        "zero": next_deadline(record),
        "agreements": json.dumps(asdict(record.agreements)),
    }


def match_row_values(record: TableRecord) -> dict[str, Any]:
    """Return, by column name, the values of a game table's row in the database, without the columns `id` and `driver`.

    Seats are stored in rows of their own.
    """
    same = {name: getattr(record, name) for name in MATCH_COLUMNS}
    options, settings = json.dumps(dict(record.options)), json.dumps(asdict(record.settings))
    removed = json.dumps(record.removed)
    return same | {"options": options, "settings": settings, "removed": removed} | values_changed_by_moves(record)


def seat_row_values(seat: Seat) -> dict[str, Any]:
    """Return, by column name, the values of a seat's row in the database, without the columns `match_id` and `seat`."""
    values = values_by_column(seat)
    return values | {"left_table": values.pop("left"), "key_hash": seat.key_hash or None}


def record_from_rows(row: RowMapping, seats: Sequence[RowMapping]) -> TableRecord:
    """Build the record of a game table from its row and the rows of its seats.

    Raise `ValueError`, `TypeError` or another of the `UNREADABLE` exceptions if the rows are damaged.
    """
    if [seat["seat"] for seat in seats] != list(range(len(seats))):
        raise ValueError("its seats are not numbered from 0")
    options = json.loads(row["options"])
    if not isinstance(options, dict) or not all(isinstance(text, str) for text in options.values()):
        raise ValueError("its options are not strings by name")
    record = TableRecord(
        **{name: row[name] for name in (*MATCH_COLUMNS, *RUNNING_COLUMNS)},
        options=options,
        settings=check_field_types(Settings(**json.loads(row["settings"]))),
        seats=tuple(map(seat_from_row, seats)),
        clocks=clocks_from_json(row["clocks"]),
        removed=tuple((int(person), str(name)) for person, name in json.loads(row["removed"])),
        agreements=agreements_from_json(row["agreements"], len(seats)),
    )
    if row["zero"] is not None and not isinstance(row["zero"], (int, float)):
        raise TypeError("zero is not a time")
    if not 0 <= record.revision < MOST_CHANGES:
        raise ValueError(f"its revision is {record.revision}")
    if record.clocks and len(record.clocks) != len(record.seats):
        raise ValueError("it does not have one clock for each seat")
    return check_field_types(record)


def clocks_from_json(text: str) -> tuple[SeatClock, ...]:
    """Return the clocks of a game table, one per seat, from their JSON text in the database.

    The tuple is empty if the match is played without clocks. If the text is damaged, raise one of the `UNREADABLE`
    exceptions.
    """
    return tuple(check_field_types(SeatClock(**clock)) for clock in json.loads(text))


def agreements_from_json(text: str, seats: int) -> Agreements:
    """Return the agreements at a game table with this number of seats, from their JSON text in the database.

    If the text is damaged, raise `ValueError` or another of the `UNREADABLE` exceptions.
    """
    given = json.loads(text, object_hook=_with_tuples)
    if given.get("proposal") is not None:
        given["proposal"] = check_field_types(Proposal(**given["proposal"]))
    found = check_field_types(Agreements(**given))
    proposal, named = found.proposal, [*found.declined, *found.declines, *found.resigned]
    if proposal is not None:
        named += [proposal.seat, *proposal.asked, *proposal.agreed]
        if proposal.action not in (TAKE_BACK, AGREED_END):
            raise ValueError(f"action {proposal.action} is proposed")
    if not set(named) <= set(range(seats)):
        raise ValueError("its agreements name seats that do not exist")
    return found


def _with_tuples(given: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}


def seat_from_row(row: RowMapping) -> Seat:
    """Return the `Seat` that a row of the SQL table `seats` describes.

    Raise `TypeError` or `ValueError` if the row is damaged: a field has a value of the wrong type or an unknown kind.
    """
    same = {name: row[name] for name in SEAT_COLUMNS}
    return check_field_types(Seat(**same, key_hash=row["key_hash"] or "", left=row["left_table"]))


def moves_from_rows(rows: Sequence[RowMapping], first: int = 0) -> tuple[StoredMove, ...]:
    """Return the moves of a match from their rows, which must be in the order of play.

    `first` is the ply (number of earlier moves) of the first row. Raise `ValueError` if a move is missing or a value is
    invalid, and `TypeError` if a value has the wrong type.
    """
    moves = tuple(
        check_field_types(StoredMove(row["ply"], row["seat"], row["action"], row["at"], row["token"])) for row in rows
    )
    if [move.ply for move in moves] != list(range(first, first + len(moves))):
        raise ValueError("a move is missing")
    return moves


def chat_message_from_row(row: RowMapping) -> ChatMessage:
    """Return the chat message stored in a row of the SQL table `chat`.

    Raise `TypeError` or `ValueError` if the row is damaged.
    """
    return check_field_types(ChatMessage(row["name"], row["text"], row["at"], row["seat"]))


# --- loading tables ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A game table as stored: its record, moves and chat."""

    record: TableRecord
    moves: tuple[StoredMove, ...]
    chat: tuple[ChatMessage, ...]
    number: int = 0
    """Database id of the table. Processes use it in messages to each other, and not the table's code, because anyone
    who knows the code can open the table."""
    driver: int = 0
    """Id of the process that runs the table's bots and clocks; 0 for none."""


def load_tables_where(
    connection: Connection,
    where: sa.ColumnElement[bool],
    limit: int | None = None,
    history: bool = True,
    since: Mapping[int, int] | None = None,
) -> dict[int, StoredTable | Unreadable]:
    """Load the game tables that fulfil an SQL condition, newest first, and return them by database id.

    Without `history`, moves and chat are left out. `since` maps the database ids of some tables to the ply (number of
    earlier moves) of the first move to load. A damaged table is returned as `Unreadable` and does not affect the other
    tables.
    """
    since = since or {}
    heads = sa.select(schema.matches).where(where).order_by(schema.matches.c.id.desc()).limit(limit)
    try:
        return _load_selected_tables(connection, heads, history, since)
    except UNREADABLE:
        # If a row is so damaged that it cannot be fetched, the whole query fails. In that case, load each table
        # separately.
        found: dict[int, StoredTable | Unreadable] = {}
        for number in connection.scalars(heads.with_only_columns(schema.matches.c.id)).all():
            try:
                one = sa.select(schema.matches).where(schema.matches.c.id == number)
                found |= _load_selected_tables(connection, one, history, since)
            except UNREADABLE as wrong:
                found[number] = Unreadable(number, wrong)
        return found


def _load_selected_tables(
    connection: Connection, heads: sa.Select[Any], history: bool, since: Mapping[int, int]
) -> dict[int, StoredTable | Unreadable]:
    rows = connection.execute(heads).mappings().all()
    numbers = [row["id"] for row in rows]
    later = [schema.moves.c.ply >= sa.case(since, value=schema.moves.c.match_id, else_=0)] if since else []
    seats = _rows_by_table_id(connection, schema.seats, schema.seats.c.seat, numbers)
    moves = _rows_by_table_id(connection, schema.moves, schema.moves.c.ply, numbers if history else [], *later)
    chat = _rows_by_table_id(connection, schema.chat, schema.chat.c.id, numbers if history else [])
    found: dict[int, StoredTable | Unreadable] = {}
    for row in rows:
        number = row["id"]
        try:
            record, driver = record_from_rows(row, seats[number]), row["driver"] or 0
            played, said = (
                moves_from_rows(moves[number], since.get(number, 0)),
                tuple(map(chat_message_from_row, chat[number])),
            )
            found[number] = StoredTable(record, played, said, number, driver)
        except UNREADABLE as wrong:
            found[number] = Unreadable(number, wrong)
    return found


def _rows_by_table_id(
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
    """Return the game tables that could be read, and log the unreadable ones."""
    for one in found.values():
        if isinstance(one, Unreadable):
            _log_unreadable_table_once(str(one))
    return [one for one in found.values() if isinstance(one, StoredTable)]


@dataclass(frozen=True, slots=True)
class TableCursor:
    """The part of a game table that a process has loaded so far. Everything newer is still to be loaded."""

    number: int
    """Database id of the table."""
    record: TableRecord
    """Record of the table as the process last loaded it."""
    ply: int
    """Number of moves that the process has loaded."""
    chat_count: int
    """Number of chat messages that the process has loaded."""


#: A stored table that contains only the moves and chat messages newer than a `TableCursor`.
Newer: TypeAlias = StoredTable


def load_changes_since(connection: Connection, known: Sequence[TableCursor]) -> list[Newer | None]:
    """Return what has changed at some game tables since a process last loaded them.

    `known` has one cursor per table. The cursor says how much of the table the process has loaded. The result is a list
    with one item per cursor, in the same order. The item is the table, with only the moves and chat messages that the
    process has not loaded. It is None if the table is deleted or unreadable.
    """
    plies = {one.number: one.ply for one in known}
    found = {
        one.number: one
        for one in readable_tables(load_tables_where(connection, schema.matches.c.id.in_(plies), since=plies))
    }
    return [replace(now, chat=now.chat[one.chat_count :]) if (now := found.get(one.number)) else None for one in known]
