"""Registry of the server and worker processes that share a database, and of the process that drives each game table.

A process renews its lease every few seconds. A process whose lease has expired counts as dead.

To drive a table means to run its bots and clocks. The process that last changed a table drives the table. If that
process dies, another process takes the table over.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Sequence

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from facedown.store import schema
from facedown.store.engine import execute, fetch_all, fetch_value, mark_as_writer, read_transaction, write_transaction
from facedown.store.errors import StoreError

#: A process counts as dead if it has not renewed its lease for this number of seconds. A living process renews it
#: several times within that time.
LEASE = 20.0
#: Maximum number of game tables that a process takes over from other processes in one transaction.
TAKEN_AT_ONCE = 200
#: Suffix that marks the name of a worker process (which computes bot moves for the servers).
WORKER_NAME_SUFFIX = " thinks"
#: Seconds for which the rows of dead processes are kept, for diagnosis.
REMEMBERED = 3600.0


def current_time_expression(engine: Engine, wall: Callable[[], float]) -> sa.ColumnElement[float]:
    """Return an SQL expression for the current Unix time, with which leases are compared.

    On PostgreSQL it is the time of the database's clock, which is the same for all machines. On SQLite it is the result
    of `wall`.
    """
    if engine.dialect.name == "postgresql":
        return sa.func.date_part("epoch", sa.func.statement_timestamp())
    return sa.literal(wall())


def has_active_person() -> sa.ColumnElement[bool]:
    """Return an SQL condition on matches: at least one person is playing.

    Such a person has a seat, has not left it, and is not replaced by a stand-in (bot that plays for an absent person).

    Only bots play in matches that do not fulfil the condition.
    """
    seats = schema.seats.c
    its = (seats.match_id == schema.matches.c.id) & (seats.kind == "person")
    return sa.exists().where(its & (seats.standin == "") & ~seats.left_table).correlate(schema.matches)


class Processes:
    """Interface of one process to the registry of all processes that share its database.

    Each method runs one transaction.

    `wall` is a function that returns the current Unix time in seconds. On SQLite it decides when leases expire; on
    PostgreSQL the clock of the database does.
    """

    def __init__(self, engine: Engine, wall: Callable[[], float]) -> None:
        self._engine = engine
        self._wall = wall
        self.is_worker = False
        """Whether this process is a worker, which serves no clients and computes bot moves for the servers."""
        self.id = 0
        """Id of this process in the registry; 0 before it has registered, and for a process that only reads."""

    @property
    def database_allows_only_one_process(self) -> bool:
        """Whether the database supports only one server process (SQLite)."""
        return self._engine.dialect.name == "sqlite"

    @mark_as_writer
    def register(self, bus: str, *, alone: bool = False) -> int:
        """Add this process to the registry, and return its new id.

        `bus` names the channel over which processes notify each other of changes. Raise `StoreError` if another living
        process uses a different channel.

        `alone` says that no other process can be alive. Then all existing entries of the registry are deleted, because
        they are left over from earlier runs. Otherwise only the entries of processes that have not renewed their lease
        for an hour (`REMEMBERED`) are deleted.
        """
        with write_transaction(self._engine) as connection:
            if connection.dialect.name == "postgresql":
                # The lock makes registrations run one after the other, so that two processes that start at the same
                # time see each other.
                connection.execute(sa.text("LOCK TABLE processes IN SHARE ROW EXCLUSIVE MODE"))
            now = self._now()
            old = sa.delete(schema.processes)
            connection.execute(old if alone else old.where(schema.processes.c.seen < now - REMEMBERED))
            self._check_same_bus(connection, bus)
            name = f"{socket.gethostname()[:60]}:{os.getpid()}{WORKER_NAME_SUFFIX if self.is_worker else ''}"
            made = connection.execute(
                sa.insert(schema.processes)
                .values(name=name, bus=bus, started=now, seen=now)
                .returning(schema.processes.c.id)
            )
            self.id = int(made.scalar_one())
        return self.id

    def check_same_bus(self, bus: str) -> None:
        """Raise `StoreError` if another process that shares this database uses a bus other than `bus`.

        A bus is a channel over which processes notify each other of changes.
        """
        if not self.database_allows_only_one_process:
            with read_transaction(self._engine) as connection:
                self._check_same_bus(connection, bus)

    def _check_same_bus(self, connection: Connection, bus: str) -> None:
        others = sa.select(schema.processes).where(self._alive(), schema.processes.c.id != self.id)
        for other in connection.execute(others):
            if other.bus != bus:
                raise StoreError(
                    f"process {other.name} on this database uses the bus {other.bus or 'none'}, this one would use"
                    f" {bus or 'none'}: give all of them the same bus"
                )

    @mark_as_writer
    def renew_lease(self) -> bool:
        """Renew the lease by which this process counts as alive.

        Return False if the process is no longer in the registry. Then the process must register again.
        """
        mine = sa.update(schema.processes).where(schema.processes.c.id == self.id)
        return bool(execute(self._engine, mine.values(seen=self._now())))

    @mark_as_writer
    def unregister(self) -> None:
        """Remove this process from the registry, so that others can take over its tables at once."""
        execute(self._engine, sa.delete(schema.processes).where(schema.processes.c.id == self.id))

    def _now(self) -> sa.ColumnElement[float]:
        return current_time_expression(self._engine, self._wall)

    def _alive(self) -> sa.ColumnElement[bool]:
        return schema.processes.c.seen > self._now() - LEASE

    def _has_no_live_driver(self) -> sa.ColumnElement[bool]:
        """Return an SQL condition on matches: no living process runs the bots and clocks of the table."""
        return schema.matches.c.driver.not_in(sa.select(schema.processes.c.id).where(self._alive()))

    def _is_live_worker(self) -> sa.ColumnElement[bool]:
        return self._alive() & schema.processes.c.name.endswith(WORKER_NAME_SUFFIX)

    def other_live_ids(self) -> list[int]:
        """Return the ids of all other processes in the registry whose leases have not expired.

        Worker processes, which compute bot moves for the servers, are included.
        """
        alive = sa.select(schema.processes.c.id).where(self._alive(), schema.processes.c.id != self.id)
        return [row.id for row in fetch_all(self._engine, alive)]

    def has_live_worker(self) -> bool:
        """Return whether a worker process (which computes bot moves for the servers) is alive."""
        return bool(fetch_value(self._engine, sa.select(sa.exists().where(self._is_live_worker()))))

    @mark_as_writer
    def take_over_bot_tables_from_servers(self, levels: Sequence[str], most: int = TAKEN_AT_ONCE) -> list[str]:
        """Take over tables from servers, at most `most`, and return their codes. This worker process then plays for all
        bots at these tables, until another process writes to them.

        A table is taken over only if it is a bot's turn, a person plays there, and at least one bot at the table has
        one of the levels in `levels`.
        """
        matches, seats = schema.matches.c, schema.seats.c
        bots = (seats.match_id == matches.id) & (seats.level.in_(levels) | seats.standin.in_(levels))
        due = (matches.status == "running") & matches.due.is_not(None)
        thinkers = sa.select(schema.processes.c.id).where(self._is_live_worker())
        theirs = due & has_active_person() & sa.exists().where(bots) & matches.driver.not_in(thinkers)
        first = sa.select(matches.id).where(theirs).order_by(matches.due).limit(most)
        with write_transaction(self._engine) as connection:
            numbers = list(connection.scalars(first.with_for_update(skip_locked=True)))
            taken = sa.update(schema.matches).where(matches.id.in_(numbers)).values(driver=self.id)
            return list(connection.scalars(taken.returning(matches.code)))

    @mark_as_writer
    def take_over_due_tables(self, until: float, most: int = TAKEN_AT_ONCE) -> list[str]:
        """Take over at most `most` due tables that no living process drives. To drive a table is to run its bots and
        clocks.

        A table is due if it is a bot's turn and a person plays there, or if a clock expires by the Unix time `until`.
        (If only bots play, they move only while a page shows the table.)

        Return the codes of all due tables that this process now drives: the tables just taken over, and all due tables
        that it already drove. `most` does not limit the number of the latter. Tables that have been due for the longest
        time are first.
        """
        matches = schema.matches.c
        waiting = (matches.status == "running") & (
            (matches.due.is_not(None) & has_active_person()) | (matches.zero <= until)
        )
        first = sa.func.coalesce(matches.due, matches.zero)
        found = sa.select(matches.id).where(waiting, self._has_no_live_driver()).order_by(first).limit(most)
        mine = sa.select(matches.code).where(waiting, matches.driver == self.id).order_by(first)
        with write_transaction(self._engine) as connection:
            # Locked rows are skipped, so that two processes neither wait for each other nor take over the same table.
            if numbers := list(connection.scalars(found.with_for_update(skip_locked=True))):
                connection.execute(sa.update(schema.matches).where(matches.id.in_(numbers)).values(driver=self.id))
            return list(connection.scalars(mine))

    @mark_as_writer
    def take_over_undriven(self, numbers: Sequence[int]) -> list[int]:
        """Of the tables with these database ids, take over those that no living process drives.

        To drive a table means to run its bots and clocks. Return the database ids of the tables taken over.
        """
        if not numbers:
            return []
        theirs = sa.update(schema.matches).where(schema.matches.c.id.in_(numbers), self._has_no_live_driver())
        with write_transaction(self._engine) as connection:
            return list(connection.scalars(theirs.values(driver=self.id).returning(schema.matches.c.id)))
