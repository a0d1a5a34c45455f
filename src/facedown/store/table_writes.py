"""Writing changes of tables, and checking after a lost connection whether they were committed."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import sqlalchemy as sa
from sqlalchemy.engine import Connection
from sqlalchemy.exc import SQLAlchemyError

from facedown.play.records import Change, ChatMessage, StoredMove, TableRecord
from facedown.store import schema
from facedown.store.errors import CommitUnknown, DatabaseFileReplaced
from facedown.store.row_conversion import RUNNING_COLUMNS, columns_of, match_values, running_values, seat_values


class Conflict(Exception):
    """Somebody else changed this table first: read it again."""


#: What a move or a word changes of a table's record; built once, for it is run for every move.
_UPDATE_MATCH = (
    sa.update(schema.matches)
    .where(schema.matches.c.code == sa.bindparam("of_table"), schema.matches.c.revision == sa.bindparam("before"))
    .values({name: sa.bindparam(name) for name in (*RUNNING_COLUMNS, "clocks", "zero", "driver")})
)
_ITS_ID = sa.select(schema.matches.c.id).where(schema.matches.c.code == sa.bindparam("of_table")).scalar_subquery()
INSERT_MOVE = sa.insert(schema.moves).values(match_id=_ITS_ID)
_INSERT_CHAT = sa.insert(schema.chat).values(match_id=_ITS_ID)


def is_plain_move(change: Change) -> bool:
    """Is this a move and nothing else?"""
    return change.move is not None and change.said is None


def write_change(connection: Connection, change: Change, driver: int) -> None:
    """Write a change down within a transaction; `Conflict` or `IntegrityError` if it does not hold.

    Whoever changes a table drives it from then on.
    """
    record = change.record
    if change.move is None and change.said is None:
        _write_record(connection, record, driver)
        return
    if change.move is not None:
        write_moves(connection, [(record, change.move)], driver)
    else:
        _write_running(connection, [record], driver)
    if change.said is not None:
        connection.execute(_INSERT_CHAT, columns_of(change.said) | {"of_table": record.code})


def write_moves(connection: Connection, moves: Sequence[tuple[TableRecord, StoredMove]], driver: int) -> None:
    """Write moves at different tables down, with what changed of the tables' records."""
    _write_running(connection, [record for record, _ in moves], driver)
    connection.execute(INSERT_MOVE, [columns_of(move) | {"of_table": record.code} for record, move in moves])


def _write_running(connection: Connection, changed: Sequence[TableRecord], driver: int) -> None:
    known = [
        running_values(record) | {"of_table": record.code, "before": record.revision - 1, "driver": driver}
        for record in changed
    ]
    if connection.execute(_UPDATE_MATCH, known).rowcount != len(changed):
        raise Conflict(f"table {' or '.join(record.code for record in changed)} has changed")


def _write_record(connection: Connection, record: TableRecord, driver: int) -> None:
    match_id = connection.scalar(
        sa.update(schema.matches)
        .where(schema.matches.c.code == record.code, schema.matches.c.revision == record.revision - 1)
        .values(match_values(record) | {"driver": driver})
        .returning(schema.matches.c.id)
    )
    if match_id is None:
        raise Conflict(f"table {record.code} has changed")
    # Seats may have changed places, and no two may have one key in between.
    connection.execute(sa.delete(schema.seats).where(schema.seats.c.match_id == match_id))
    insert_seats(connection, match_id, record)


def insert_seats(connection: Connection, match_id: int, record: TableRecord) -> None:
    """Write the seats of a table."""
    rows = [{"match_id": match_id, "seat": i} | seat_values(s) for i, s in enumerate(record.seats)]
    connection.execute(sa.insert(schema.seats), rows)


# --- after a lost connection ------------------------------------------------------------------------------------------

#: How long it is tried to read back, and how often, in seconds.
PATIENCE = 3.0
COMMIT_CHECK_INTERVAL = 0.2


def are_committed(connection: Connection, changes: Sequence[Change]) -> bool:
    """Are these changes, which were written in one transaction, written down?"""
    return all(_is_committed(connection, change) for change in changes)


def _is_committed(connection: Connection, change: Change) -> bool:
    record = change.record
    of = schema.matches.c
    its = sa.select(of.id, of.revision, of.status, of.due).where(of.code == record.code)
    # PostgreSQL may still be about to write it: to lock the table's row is to wait until that has come to an end.
    found = connection.execute(its.with_for_update()).one_or_none()
    if found is None or found.revision < record.revision:
        return False
    if change.move is not None:
        return _is_written(connection, schema.moves, found.id, change.move)
    if change.said is not None:
        return _is_written(connection, schema.chat, found.id, change.said)
    # Had somebody else written this revision, they would have written something else.
    seats = connection.execute(
        sa.select(schema.seats.c.kind, schema.seats.c.name, schema.seats.c.ready, schema.seats.c.standin)
        .where(schema.seats.c.match_id == found.id)
        .order_by(schema.seats.c.seat)
    ).all()
    same = (found.revision, found.status, found.due) == (record.revision, record.status, record.due)
    return same and [tuple(seat) for seat in seats] == [(s.kind, s.name, s.ready, s.standin) for s in record.seats]


def _is_written(connection: Connection, table: sa.Table, match_id: int, one: StoredMove | ChatMessage) -> bool:
    """Is there a row of a match with all values of a move or a word?"""
    same = [table.c[name].is_not_distinct_from(value) for name, value in columns_of(one).items()]
    return bool(connection.scalar(sa.select(sa.exists().where(table.c.match_id == match_id, *same))))


def retry_commit_check(stand_now: Callable[[], bool], clock: Callable[[], float] = time.monotonic) -> bool:
    """Whether changes stand, as soon as the database tells; `CommitUnknown` if it is not back in time."""
    until = clock() + PATIENCE
    while True:
        try:
            return stand_now()
        except DatabaseFileReplaced:
            # Wherever it was written, nobody will find it there.
            return False
        except SQLAlchemyError as wrong:
            if clock() >= until:
                raise CommitUnknown("the database was lost while it wrote") from wrong
        time.sleep(COMMIT_CHECK_INTERVAL)
