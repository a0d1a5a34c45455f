"""SQL statements that write changes to game tables. A *game table* is a table at which people play.

If the connection to the database is lost during a commit, it is unknown whether the changes were saved. `are_committed`
checks this afterwards, over a new connection.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import sqlalchemy as sa
from sqlalchemy.engine import Connection
from sqlalchemy.exc import SQLAlchemyError

from facedown.play.records import Change, ChatMessage, StoredMove, TableRecord
from facedown.store import schema
from facedown.store.errors import CommitUnknown, DatabaseFileReplaced
from facedown.store.row_conversion import (
    RUNNING_COLUMNS,
    match_row_values,
    seat_row_values,
    values_by_column,
    values_changed_by_moves,
)


class Conflict(Exception):
    """Error: a change to a game table was not saved, because it conflicts with the data in the database.

    * Usually, another process has changed the table since the caller read it. The caller must read the table again.
    * When a new table is created, another table already has the same code.
    * In rare cases, the stored data of the table is damaged.
    """


#: SQL statement that updates the row of a game table after a move or a chat message. It is built only once, because it
#: runs for every move.
_UPDATE_MATCH = (
    sa.update(schema.matches)
    .where(schema.matches.c.code == sa.bindparam("of_table"), schema.matches.c.revision == sa.bindparam("before"))
    .values({name: sa.bindparam(name) for name in (*RUNNING_COLUMNS, "clocks", "zero", "agreements", "driver")})
)
_ITS_ID = sa.select(schema.matches.c.id).where(schema.matches.c.code == sa.bindparam("of_table")).scalar_subquery()
INSERT_MOVE = sa.insert(schema.moves).values(match_id=_ITS_ID)
_INSERT_CHAT = sa.insert(schema.chat).values(match_id=_ITS_ID)


def is_plain_move(change: Change) -> bool:
    """Return whether a change consists of one move, without a chat message and without a change of the seats."""
    return change.move is not None and change.said is None and not change.changes_seats


def write_change(connection: Connection, change: Change, driver: int) -> None:
    """Write one change to a game table within the transaction of `connection`.

    The process with the id `driver` becomes responsible for the table's bots and clocks.

    Raises:
        Conflict: The table has changed since the caller read it: its stored revision is not the one before the change.
        IntegrityError: A constraint of the database is violated. Example: a stored move has the same number, or the
            same seat and client token.
    """
    record = change.record
    if change.changes_seats or (change.move is None and change.said is None):
        _update_table_row_and_seats(connection, record, driver)
        if change.move is not None:
            connection.execute(INSERT_MOVE, [values_by_column(change.move) | {"of_table": record.code}])
        return
    if change.move is not None:
        write_moves(connection, [(record, change.move)], driver)
    else:
        _update_table_rows_after_moves(connection, [record], driver)
    if change.said is not None:
        connection.execute(_INSERT_CHAT, values_by_column(change.said) | {"of_table": record.code})


def write_moves(connection: Connection, moves: Sequence[tuple[TableRecord, StoredMove]], driver: int) -> None:
    """Write one move for each of several matches, and update the database row of each match.

    The process with the id `driver` becomes responsible for the tables' bots and clocks. Raise `Conflict` if one of
    these tables has changed since the caller read it, and `IntegrityError` in the cases listed at `write_change`.
    """
    _update_table_rows_after_moves(connection, [record for record, _ in moves], driver)
    connection.execute(INSERT_MOVE, [values_by_column(move) | {"of_table": record.code} for record, move in moves])


def _update_table_rows_after_moves(connection: Connection, changed: Sequence[TableRecord], new_driver: int) -> None:
    known = [
        values_changed_by_moves(record) | {"of_table": record.code, "before": record.revision - 1, "driver": new_driver}
        for record in changed
    ]
    if connection.execute(_UPDATE_MATCH, known).rowcount != len(changed):
        raise Conflict(f"table {' or '.join(record.code for record in changed)} has changed")


def _update_table_row_and_seats(connection: Connection, record: TableRecord, new_driver: int) -> None:
    match_id = connection.scalar(
        sa.update(schema.matches)
        .where(schema.matches.c.code == record.code, schema.matches.c.revision == record.revision - 1)
        .values(match_row_values(record) | {"driver": new_driver})
        .returning(schema.matches.c.id)
    )
    if match_id is None:
        raise Conflict(f"table {record.code} has changed")
    # Delete all seats and insert them again. If swapped seats were updated one after the other, two of them would have
    # the same key hash for a moment, which the database does not allow.
    connection.execute(sa.delete(schema.seats).where(schema.seats.c.match_id == match_id))
    insert_seats(connection, match_id, record)


def insert_table(connection: Connection, record: TableRecord) -> int:
    """Insert the rows of a new game table and of its seats. Return the database id of the table.

    Raise `IntegrityError` if another table has the same code.
    """
    made = sa.insert(schema.matches).values(match_row_values(record)).returning(schema.matches.c.id)
    match_id = int(connection.execute(made).scalar_one())
    insert_seats(connection, match_id, record)
    return match_id


def insert_seats(connection: Connection, match_id: int, record: TableRecord) -> None:
    """Insert a row for each seat of a game table."""
    rows = [{"match_id": match_id, "seat": i} | seat_row_values(s) for i, s in enumerate(record.seats)]
    connection.execute(sa.insert(schema.seats), rows)


# --- commit check after a lost connection -----------------------------------------------------------------------------

#: Seconds for which the commit check is retried after a failure.
PATIENCE = 3.0
#: Seconds between two attempts of the commit check.
COMMIT_CHECK_INTERVAL = 0.2


def are_committed(connection: Connection, changes: Sequence[Change]) -> bool:
    """Return whether these changes, which were written in one transaction, were committed.

    Call this if an error was raised during the commit, for example because the connection was lost. The database is
    searched for the moves, chat messages and other values of the changes. If the transaction is still being committed,
    wait for its end first.
    """
    return all(_is_committed(connection, change) for change in changes)


def _is_committed(connection: Connection, change: Change) -> bool:
    record = change.record
    of = schema.matches.c
    its = sa.select(of.id, of.revision, of.status, of.due, of.agreements).where(of.code == record.code)
    # PostgreSQL may still be executing the commit whose answer was lost. This query locks the table's row, so it waits
    # until that transaction has ended.
    found = connection.execute(its.with_for_update()).one_or_none()
    if found is None or found.revision < record.revision:
        return False
    if change.move is not None:
        return _is_written(connection, schema.moves, found.id, change.move)
    if change.said is not None:
        return _is_written(connection, schema.chat, found.id, change.said)
    # The revision alone does not prove that this change was committed: another writer may have saved a different change
    # with the same revision. Therefore also compare the seats, the status, the time since which it has been a bot's
    # turn (`due`), and the proposals of the players.
    seats = connection.execute(
        sa.select(schema.seats.c.kind, schema.seats.c.name, schema.seats.c.ready, schema.seats.c.standin)
        .where(schema.seats.c.match_id == found.id)
        .order_by(schema.seats.c.seat)
    ).all()
    mine = (record.revision, record.status, record.due, values_changed_by_moves(record)["agreements"])
    same = (found.revision, found.status, found.due, found.agreements) == mine
    return same and [tuple(seat) for seat in seats] == [(s.kind, s.name, s.ready, s.standin) for s in record.seats]


def _is_written(connection: Connection, table: sa.Table, match_id: int, one: StoredMove | ChatMessage) -> bool:
    """Return whether the database has a row for this move or chat message of a match, with the same values in all
    columns.
    """
    same = [table.c[name].is_not_distinct_from(value) for name, value in values_by_column(one).items()]
    return bool(connection.scalar(sa.select(sa.exists().where(table.c.match_id == match_id, *same))))


def retry_commit_check(stand_now: Callable[[], bool], clock: Callable[[], float] = time.monotonic) -> bool:
    """Call `stand_now` repeatedly until the database answers, and return the result of that call.

    `stand_now` checks whether changes were committed. Return False if the database file was deleted or replaced,
    because the changes are then lost. Raise `CommitUnknown` if the database does not answer within `PATIENCE` seconds.
    `clock` returns the time in seconds.
    """
    until = clock() + PATIENCE
    while True:
        try:
            return stand_now()
        except DatabaseFileReplaced:
            # The changes were written to a file that is no longer at the database's path, so they are lost.
            return False
        except SQLAlchemyError as wrong:
            if clock() >= until:
                raise CommitUnknown("the database was lost during a write") from wrong
        time.sleep(COMMIT_CHECK_INTERVAL)
