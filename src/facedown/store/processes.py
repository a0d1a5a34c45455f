"""The processes on one database: who is alive, and who drives which table.

A process that serves writes down every few seconds that it is alive. Whoever changes a table drives it from then on:
sees to its bots and its clocks. What a dead process drove is taken over by whoever finds it first.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Sequence

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from facedown.store import schema
from facedown.store.engine import execute, fetch_all, fetch_value, reading, writes, writing
from facedown.store.errors import StoreError

#: A process that was not seen for so long is dead, in seconds; it says that it is alive several times in between.
LEASE = 20.0
#: So many tables are taken over at a time.
TAKEN_AT_ONCE = 200
#: How the name of a process ends that thinks for the others.
WORKER_NAME_SUFFIX = " thinks"
#: Rows of processes that died are kept so long, for whoever wants to know, in seconds.
REMEMBERED = 3600.0


def now_of(engine: Engine, wall: Callable[[], float]) -> sa.ColumnElement[float]:
    """Return the time of leases: the clock of PostgreSQL, which several machines share, or `wall` for SQLite."""
    if engine.dialect.name == "postgresql":
        return sa.func.date_part("epoch", sa.func.statement_timestamp())
    return sa.literal(wall())


def has_active_person() -> sa.ColumnElement[bool]:
    """A condition on matches: has anybody a seat who may still come and play it? Else only bots do."""
    seats = schema.seats.c
    its = (seats.match_id == schema.matches.c.id) & (seats.kind == "person")
    return sa.exists().where(its & (seats.standin == "") & ~seats.left_table).correlate(schema.matches)


class Processes:
    """This process among all that share a database. Every method is one transaction."""

    def __init__(self, engine: Engine, wall: Callable[[], float]) -> None:
        self._engine = engine
        self._wall = wall
        self.is_worker = False
        """Does this process serve nobody, but think for the others?"""
        self.id = 0
        """The number of this process; 0 before it has registered, and of one that only looks."""

    @property
    def is_single_process(self) -> bool:
        """Can the database serve one process only?"""
        return self._engine.dialect.name == "sqlite"

    @writes
    def register(self, bus: str, *, alone: bool = False) -> int:
        """Become a process with a number of its own; `StoreError` if others hear their news by another bus.

        `is_single_process`: there cannot be any other, so whatever is still written down has died.
        """
        with writing(self._engine) as connection:
            if connection.dialect.name == "postgresql":
                # One after the other: two that start at once must see each other.
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
        """`StoreError` if other processes on this database hear their news by another bus."""
        if not self.is_single_process:
            with reading(self._engine) as connection:
                self._check_same_bus(connection, bus)

    def _check_same_bus(self, connection: Connection, bus: str) -> None:
        others = sa.select(schema.processes).where(self._alive(), schema.processes.c.id != self.id)
        for other in connection.execute(others):
            if other.bus != bus:
                raise StoreError(
                    f"process {other.name} serves this database and hears its news by {other.bus or 'nothing'}, this"
                    f" one would by {bus or 'nothing'}: give all of them the same bus"
                )

    @writes
    def renew_lease(self) -> bool:
        """Say that this process is alive; False if it was taken for dead and forgotten: then it is to register anew."""
        mine = sa.update(schema.processes).where(schema.processes.c.id == self.id)
        return bool(execute(self._engine, mine.values(seen=self._now())))

    @writes
    def unregister(self) -> None:
        """This process ends: what it drove is anybody's at once."""
        execute(self._engine, sa.delete(schema.processes).where(schema.processes.c.id == self.id))

    def _now(self) -> sa.ColumnElement[float]:
        return now_of(self._engine, self._wall)

    def _alive(self) -> sa.ColumnElement[bool]:
        return schema.processes.c.seen > self._now() - LEASE

    def _has_no_live_driver(self) -> sa.ColumnElement[bool]:
        """A condition on matches: has its process died, or has it none?"""
        return schema.matches.c.driver.not_in(sa.select(schema.processes.c.id).where(self._alive()))

    def _is_live_worker(self) -> sa.ColumnElement[bool]:
        return self._alive() & schema.processes.c.name.endswith(WORKER_NAME_SUFFIX)

    def others(self) -> list[int]:
        """The numbers of the other processes that are alive."""
        alive = sa.select(schema.processes.c.id).where(self._alive(), schema.processes.c.id != self.id)
        return [row.id for row in fetch_all(self._engine, alive)]

    def has_live_worker(self) -> bool:
        """Is a process alive that thinks for the others?"""
        return bool(fetch_value(self._engine, sa.select(sa.exists().where(self._is_live_worker()))))

    @writes
    def take_over_bot_tables(self, levels: Sequence[str], most: int = TAKEN_AT_ONCE) -> list[str]:
        """Take over tables where a bot is to act and one of some levels sits, from processes that do not think; codes.

        Whoever took them plays for all bots there, until somebody else writes at the table.
        """
        matches, seats = schema.matches.c, schema.seats.c
        bots = (seats.match_id == matches.id) & (seats.level.in_(levels) | seats.standin.in_(levels))
        due = (matches.status == "running") & matches.due.is_not(None)
        thinkers = sa.select(schema.processes.c.id).where(self._is_live_worker())
        theirs = due & has_active_person() & sa.exists().where(bots) & matches.driver.not_in(thinkers)
        first = sa.select(matches.id).where(theirs).order_by(matches.due).limit(most)
        with writing(self._engine) as connection:
            numbers = list(connection.scalars(first.with_for_update(skip_locked=True)))
            taken = sa.update(schema.matches).where(matches.id.in_(numbers)).values(driver=self.id)
            return list(connection.scalars(taken.returning(matches.code)))

    @writes
    def take_over_due_tables(self, until: float, most: int = TAKEN_AT_ONCE) -> list[str]:
        """Take over tables where something is to happen by itself and whose process is dead, or that have none.

        A bot is to act there (bots among themselves wait until somebody looks), or a clock stands at zero before
        `until` (in the time of clocks). Answers with the codes of these and of all such tables that this process drives
        already, the longest waiting first.
        """
        matches = schema.matches.c
        waiting = (matches.status == "running") & (
            (matches.due.is_not(None) & has_active_person()) | (matches.zero <= until)
        )
        first = sa.func.coalesce(matches.due, matches.zero)
        found = sa.select(matches.id).where(waiting, self._has_no_live_driver()).order_by(first).limit(most)
        mine = sa.select(matches.code).where(waiting, matches.driver == self.id).order_by(first)
        with writing(self._engine) as connection:
            # Two processes never wait for each other, nor take the same table: whatever one has locked is passed over.
            if numbers := list(connection.scalars(found.with_for_update(skip_locked=True))):
                connection.execute(sa.update(schema.matches).where(matches.id.in_(numbers)).values(driver=self.id))
            return list(connection.scalars(mine))

    @writes
    def take_over_undriven(self, numbers: Sequence[int]) -> list[int]:
        """Take over those of some tables whose process is dead or that have none; their numbers."""
        if not numbers:
            return []
        theirs = sa.update(schema.matches).where(schema.matches.c.id.in_(numbers), self._has_no_live_driver())
        with writing(self._engine) as connection:
            return list(connection.scalars(theirs.values(driver=self.id).returning(schema.matches.c.id)))
