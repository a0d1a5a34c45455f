"""What stands in a row of the database is looked at before it is believed.

A row may be broken: by a hand, by a disk, by a program that was newer. Then that table cannot be read, and says so;
every other goes on.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from facedown.play.records import Played, Said, Seat, SeatClock, Settings, TableRecord

log = logging.getLogger("facedown.store")

#: What reading a broken row may raise; not what the database itself has to say.
UNREADABLE = (ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError)
Row = TypeVar("Row", Played, Said, Seat, SeatClock, Settings, TableRecord)
#: The types that may stand in a number's place.
_NUMBERS = {float: (float, int)}
#: Of so many tables it is remembered that they were complained of.
MOST_COMPLAINTS = 10_000
_complained: dict[int, str] = {}


class Unreadable(Exception):
    """What is written of a table is broken."""

    def __init__(self, match_id: int, why: Exception) -> None:
        super().__init__(f"match {match_id} cannot be read: {type(why).__name__}: {str(why)[:200]}")
        self.match_id = match_id
        self.__cause__ = why


def complain(wrong: Unreadable) -> None:
    """Write to the log that a table cannot be read: once, and again only when something else is wrong with it."""
    if _complained.get(wrong.match_id) == str(wrong):
        return
    if len(_complained) >= MOST_COMPLAINTS:
        _complained.clear()
    _complained[wrong.match_id] = str(wrong)
    log.error("%s", wrong)


_HINTS: dict[type, Mapping[str, Any]] = {}


def checked(one: Row) -> Row:
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
