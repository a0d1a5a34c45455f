"""Rows of the database as the plain values of `facedown.play.records`, each looked at before it is believed.

A row may be broken: by a hand, by a disk, by a program that was newer. Then that table cannot be read, and says so;
every other goes on.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from sqlalchemy.engine import RowMapping

from facedown.play.records import Played, Said, Seat, SeatClock, Settings, TableRecord

log = logging.getLogger("facedown.store")

#: What reading a broken row may raise; not what the database itself has to say.
UNREADABLE = (ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError)
Row = TypeVar("Row", Played, Said, Seat, SeatClock, Settings, TableRecord)
#: The types that may stand in a number's place.
_NUMBERS = {float: (float, int)}
#: A database counts no further.
MOST_CHANGES = 2**31 - 1
#: Of so many tables it is remembered that they were complained of.
MOST_COMPLAINTS = 10_000
_complained: dict[int, str] = {}


class Unreadable(Exception):
    """What is written of a table is broken."""

    def __init__(self, match_id: int, why: Exception) -> None:
        super().__init__(f"match {match_id} cannot be read: {type(why).__name__}: {str(why)[:200]}")
        self.match_id = match_id


def complain(wrong: Unreadable) -> None:
    """Write to the log that a table cannot be read: once, and again only when something else is wrong with it."""
    if _complained.get(wrong.match_id) == str(wrong):
        return
    if len(_complained) >= MOST_COMPLAINTS:
        _complained.clear()
    _complained[wrong.match_id] = str(wrong)
    log.error("%s", wrong)


def record_of(row: RowMapping, seats: Sequence[RowMapping]) -> TableRecord:
    """A table; `ValueError`, `TypeError` or `KeyError` if its rows are broken."""
    if [seat["seat"] for seat in seats] != list(range(len(seats))):
        raise ValueError("its seats are not numbered from 0 on")
    options = json.loads(row["options"])
    if not isinstance(options, dict) or not all(isinstance(text, str) for text in options.values()):
        raise ValueError("its options are no texts by name")
    known = {field.name for field in fields(TableRecord)} - {"options", "settings", "seats", "clocks", "deal", "first"}
    record = TableRecord(
        **{name: row[name] for name in known},
        options=options,
        settings=_checked(Settings(**json.loads(row["settings"]))),
        seats=tuple(map(_seat_of, seats)),
        clocks=tuple(_checked(SeatClock(**clock)) for clock in json.loads(row["clocks"])),
    )
    if row["zero"] is not None and not isinstance(row["zero"], (int, float)):
        raise TypeError("zero is no time")
    if not 0 <= record.revision < MOST_CHANGES:
        raise ValueError(f"its revision is {record.revision}")
    if record.clocks and len(record.clocks) != len(record.seats):
        raise ValueError("it has not one clock for each seat")
    return _checked(record)


def moves_of(rows: Iterable[RowMapping]) -> tuple[Played, ...]:
    """The moves of a table; `ValueError` if one is missing."""
    moves = tuple(_checked(Played(m["ply"], m["seat"], m["action"], m["at"], m["token"])) for m in rows)
    if [move.ply for move in moves] != list(range(len(moves))):
        raise ValueError("a move is missing")
    return moves


def said_of(rows: Iterable[RowMapping]) -> tuple[Said, ...]:
    """What was said at a table."""
    return tuple(_checked(Said(c["name"], c["text"], c["at"], c["seat"])) for c in rows)


def _seat_of(row: RowMapping) -> Seat:
    same = {name: row[name] for name in ("kind", "name", "person", "level", "ready", "standin", "standin_name")}
    return _checked(Seat(**same, key_hash=row["key_hash"] or "", left=row["left_table"]))


_HINTS: dict[type, Mapping[str, Any]] = {}


def _checked(one: Row) -> Row:
    """The same, if every plain field of it holds what it should; else `TypeError` or `ValueError`."""
    hints = _HINTS.get(type(one))
    if hints is None:
        hints = _HINTS[type(one)] = get_type_hints(type(one))
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
