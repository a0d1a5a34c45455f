"""What others have written down about tables since a process looked."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from facedown.play.records import Played, Said, TableRecord
from facedown.store import schema
from facedown.store.checked import UNREADABLE, Unreadable, complain
from facedown.store.rows import RUNNING_COLUMNS, clocks_in, moves_of, played, record_of, words_of

#: So many moves of one table are read together with those of others; who is further behind reads it by itself.
MOST_AT_ONCE = 8


@dataclass(frozen=True, slots=True)
class Known:
    """How far a process knows a table."""

    number: int
    record: TableRecord
    ply: int
    said: int
    """How many words were said at it."""


@dataclass(frozen=True, slots=True)
class Newer:
    """What happened at a table since it was `Known`."""

    number: int
    record: TableRecord
    moves: tuple[Played, ...]
    chat: tuple[Said, ...]
    driver: int


def newer_than(connection: Connection, known: Sequence[Known]) -> list[Newer | None]:
    """What happened at tables since they were known so far; None in the place of one that is gone.

    Two statements for all of them where there was nothing but moves: a table's revision counts its changes, so where
    as many moves are found as changes, there was nothing else.
    """
    matches, moves = schema.matches.c, schema.moves.c
    columns = (matches.id, *(matches[name] for name in RUNNING_COLUMNS), matches.clocks, matches.driver)
    heads = {
        row.id: row
        for row in connection.execute(sa.select(*columns).where(matches.id.in_([k.number for k in known]))).all()
    }
    wanted = [
        (one.number, one.ply + further)
        for one in known
        if one.number in heads
        for further in range(min(heads[one.number].revision - one.record.revision, MOST_AT_ONCE))
    ]
    later: dict[int, list[Played]] = {one.number: [] for one in known}
    if wanted:
        found = sa.select(schema.moves).where(sa.tuple_(moves.match_id, moves.ply).in_(wanted)).order_by(moves.ply)
        for row in connection.execute(found).mappings().all():
            with suppress(*UNREADABLE):
                # One that is broken is missing, and then that table is read by itself.
                later[row["match_id"]].append(played(row))
    return [
        _newer(connection, one, heads[one.number], later[one.number]) if one.number in heads else None for one in known
    ]


def _newer(connection: Connection, known: Known, head: Any, moves: list[Played]) -> Newer | None:
    if head.revision - known.record.revision == len(moves):
        running = {name: getattr(head, name) for name in RUNNING_COLUMNS}
        record = replace(known.record, **running, clocks=clocks_in(head.clocks))
        return Newer(known.number, record, tuple(moves), (), head.driver)
    try:
        record = record_of(connection, known.number)
        unknown = tuple(move for move in moves_of(connection, known.number) if move.ply >= known.ply)
        words = words_of(connection, known.number, known.said)
    except (Unreadable, *UNREADABLE) as wrong:
        complain(wrong if isinstance(wrong, Unreadable) else Unreadable(known.number, wrong))
        return None
    return Newer(known.number, record, unknown, words, head.driver)
