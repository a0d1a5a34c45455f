"""The processes on one database: who is alive, and who drives which table.

A process that serves writes down every few seconds that it is alive. Whoever changes a table drives it from then on:
sees to its bots and its clocks. What a dead process drove is taken over by whoever finds it first.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from facedown.store import schema
from facedown.store.engine import reading, writes, writing
from facedown.store.errors import StoreError

#: A process that was not seen for so long is dead, in seconds; it says that it is alive several times in between.
LEASE = 20.0
#: So many tables are taken over at a time.
TAKEN_AT_ONCE = 200
#: How the name of a process ends that thinks for the others.
THINKS = " thinks"
#: Rows of processes that died are kept so long, for whoever wants to know, in seconds.
REMEMBERED = 3600.0


def now_of(connection: Connection, wall: Callable[[], float]) -> float:
    """Return the time of leases: the clock of PostgreSQL, which several machines share, or `wall` for SQLite."""
    if connection.dialect.name == "postgresql":
        return float(connection.scalar(sa.select(sa.func.date_part("epoch", sa.func.clock_timestamp()))) or 0.0)
    return wall()


def somebody() -> sa.ColumnElement[bool]:
    """A condition on matches: has anybody a seat who may still come and play it? Else only bots do."""
    seats = schema.seats.c
    its = (seats.match_id == schema.matches.c.id) & (seats.kind == "person")
    return sa.exists().where(its & (seats.standin == "") & ~seats.left_table).correlate(schema.matches)


class Processes:
    """This process among all that share a database. Every method is one transaction."""

    def __init__(self, engine: Engine, wall: Callable[[], float]) -> None:
        self._engine = engine
        self._wall = wall
        self.thinks = False
        """Does this process serve nobody, but think for the others?"""
        self.id = 0
        """The number of this process; 0 before it has registered, and of one that only looks."""

    @property
    def alone(self) -> bool:
        """Can the database serve one process only?"""
        return self._engine.dialect.name == "sqlite"

    @writes
    def register(self, bus: str, *, alone: bool = False) -> int:
        """Become a process with a number of its own; `StoreError` if others hear their news by another bus.

        `alone`: there cannot be any other, so whatever is still written down has died.
        """
        with writing(self._engine) as connection:
            if connection.dialect.name == "postgresql":
                # One after the other: two that start at once must see each other.
                connection.execute(sa.text("LOCK TABLE processes IN SHARE ROW EXCLUSIVE MODE"))
            now = self._now(connection)
            old = sa.delete(schema.processes)
            connection.execute(old if alone else old.where(schema.processes.c.seen < now - REMEMBERED))
            self._compare(connection, bus)
            name = f"{socket.gethostname()[:60]}:{os.getpid()}{THINKS if self.thinks else ''}"
            made = connection.execute(
                sa.insert(schema.processes)
                .values(name=name, bus=bus, started=now, seen=now)
                .returning(schema.processes.c.id)
            )
            self.id = int(made.scalar_one())
        return self.id

    def compare(self, bus: str) -> None:
        """`StoreError` if other processes on this database hear their news by another bus."""
        if not self.alone:
            with reading(self._engine) as connection:
                self._compare(connection, bus)

    def _compare(self, connection: Connection, bus: str) -> None:
        alive = self._alive(connection)
        for other in connection.execute(sa.select(schema.processes).where(alive, schema.processes.c.id != self.id)):
            if other.bus != bus:
                raise StoreError(
                    f"process {other.name} serves this database and hears its news by {other.bus or 'nothing'}, this"
                    f" one would by {bus or 'nothing'}: give all of them the same bus"
                )

    @writes
    def beat(self) -> bool:
        """Say that this process is alive; False if it was taken for dead and forgotten: then it is to register anew."""
        with writing(self._engine) as connection:
            found = connection.execute(
                sa.update(schema.processes).where(schema.processes.c.id == self.id).values(seen=self._now(connection))
            )
            return bool(found.rowcount)

    @writes
    def leave(self) -> None:
        """This process ends: what it drove is anybody's at once."""
        with writing(self._engine) as connection:
            connection.execute(sa.delete(schema.processes).where(schema.processes.c.id == self.id))

    def _now(self, connection: Connection) -> float:
        return now_of(connection, self._wall)

    def _alive(self, connection: Connection) -> sa.ColumnElement[bool]:
        return schema.processes.c.seen > self._now(connection) - LEASE

    def _thinkers(self, connection: Connection) -> sa.ColumnElement[bool]:
        return self._alive(connection) & schema.processes.c.name.endswith(THINKS)

    def others(self) -> list[int]:
        """The numbers of the other processes that are alive."""
        with reading(self._engine) as connection:
            alive = self._alive(connection)
            return [
                int(found)
                for found in connection.scalars(sa.select(schema.processes.c.id).where(alive))
                if found != self.id
            ]

    def somebody_thinks(self) -> bool:
        """Is a process alive that thinks for the others?"""
        with reading(self._engine) as connection:
            return bool(connection.scalar(sa.select(sa.exists().where(self._thinkers(connection)))))

    @writes
    def take_thinking(self, levels: Sequence[str], most: int = TAKEN_AT_ONCE) -> list[str]:
        """Take over tables where a bot is to act and one of some levels sits, from processes that do not think; codes.

        Whoever took them plays for all bots there, until somebody else writes at the table.
        """
        matches, seats = schema.matches.c, schema.seats.c
        bots = (seats.match_id == matches.id) & (seats.level.in_(levels) | seats.standin.in_(levels))
        due = (matches.status == "running") & matches.due.is_not(None)
        with writing(self._engine) as connection:
            thinkers = sa.select(schema.processes.c.id).where(self._thinkers(connection))
            theirs = due & somebody() & sa.exists().where(bots) & matches.driver.not_in(thinkers)
            first = sa.select(matches.id).where(theirs).order_by(matches.due).limit(most)
            numbers = list(connection.scalars(first.with_for_update(skip_locked=True)))
            if not numbers:
                return []
            taken = sa.update(schema.matches).where(matches.id.in_(numbers)).values(driver=self.id)
            return [str(code) for code in connection.scalars(taken.returning(matches.code))]

    @writes
    def adopt(self, until: float, most: int = TAKEN_AT_ONCE) -> list[str]:
        """Take over tables where something is to happen by itself and whose process is dead, or that have none.

        A bot is to act there (bots among themselves wait until somebody looks), or a clock stands at zero before
        `until` (in the time of clocks). Answers with the codes of these and of all such tables that this process drives
        already, the longest waiting first.
        """
        matches = schema.matches.c
        waiting = (matches.status == "running") & ((matches.due.is_not(None) & somebody()) | (matches.zero <= until))
        first = sa.func.coalesce(matches.due, matches.zero)
        with writing(self._engine) as connection:
            alive = sa.select(schema.processes.c.id).where(self._alive(connection))
            theirs = matches.driver.not_in(alive)
            # Two processes never wait for each other, nor take the same table: whatever one has locked is passed over.
            found = (
                sa.select(matches.id).where(waiting, theirs).order_by(first).limit(most)
                .with_for_update(skip_locked=True)
            )  # fmt: skip
            numbers = list(connection.scalars(found))
            if numbers:
                connection.execute(sa.update(schema.matches).where(matches.id.in_(numbers)).values(driver=self.id))
            mine = sa.select(matches.code).where(waiting, matches.driver == self.id).order_by(first)
            return [str(code) for code in connection.scalars(mine)]

    @writes
    def take(self, numbers: Sequence[int]) -> list[int]:
        """Take over those of some tables whose process is dead or that have none; their numbers."""
        if not numbers:
            return []
        matches = schema.matches.c
        with writing(self._engine) as connection:
            alive = sa.select(schema.processes.c.id).where(self._alive(connection))
            taken: Any = connection.scalars(
                sa.update(schema.matches)
                .where(matches.id.in_(list(numbers)), matches.driver.not_in(alive))
                .values(driver=self.id)
                .returning(matches.id)
            )
            return [int(number) for number in taken]
