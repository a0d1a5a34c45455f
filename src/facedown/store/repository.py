"""`Repository`: people, tables, moves and what was said, written down."""

from __future__ import annotations

import base64
import hashlib
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, cast

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import DataError, IntegrityError, SQLAlchemyError

from facedown.play.records import Change, StoredMove, TableRecord
from facedown.play.seat_clocks import shift_by_downtime
from facedown.store import schema
from facedown.store.engine import (
    Health,
    fetch_all,
    fetch_value,
    migrate,
    open_engine,
    reading,
    upsert,
    wrap_store_errors,
    writes,
    writing,
)
from facedown.store.jobs import Jobs, Reviews
from facedown.store.processes import Processes, has_active_person
from facedown.store.row_conversion import (
    Newer,
    StoredTable,
    TableCursor,
    Unreadable,
    columns_of,
    load_where,
    match_values,
    newer_than,
    readable_tables,
    running_values,
)
from facedown.store.table_writes import (
    INSERT_MOVE,
    Conflict,
    are_committed,
    insert_seats,
    is_plain_move,
    retry_commit_check,
    write_change,
    write_moves,
)


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who was given a token."""

    id: int
    name: str


@dataclass(frozen=True, slots=True)
class OwnTable:
    """A table at which a person sits, for lists."""

    record: TableRecord
    seat: int


def new_token() -> str:
    """A credential: 256 random bits as text that begins with no hyphen, so that a command takes it for no option."""
    while (token := secrets.token_urlsafe(32)).startswith("-"):
        pass
    return token


def hash_token(token: str) -> str:
    """What is kept of a credential. It is random and long, so that a plain hash tells nothing about it."""
    return hashlib.sha256(token.encode()).hexdigest()


class Repository:
    """The database. Every method is one transaction and may be called from any thread."""

    def __init__(self, url: str, wall: Callable[[], float] = time.time) -> None:
        """`wall`: Unix time, by which leases in SQLite end; PostgreSQL has a clock of its own."""
        self.url = url
        with wrap_store_errors(url, SQLAlchemyError, OSError, ImportError), ExitStack() as undone:
            self._engine: Engine = open_engine(url)
            undone.callback(self._engine.dispose)
            migrate(self._engine)
            self.health = Health(self._engine)
            undone.pop_all()
        self.processes = Processes(self._engine, wall)
        self.jobs = Jobs(self._engine, wall)
        self.reviews = Reviews(self._engine)

    def close(self) -> None:
        """Close all connections to the database."""
        self._engine.dispose()
        self.health.close()

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """A transaction that writes: on leaving it, it is on disk, in the file that is at the database's path."""
        self.health.reset_commit_flag()
        with writing(self._engine) as connection:
            yield connection
        self.health.check_files()

    @property
    def engine(self) -> Engine:
        """For the other parts of the store: bans, retention."""
        return self._engine

    @writes
    def key(self, name: str) -> bytes:
        """A key that all processes on this database share: 256 random bits, made when first asked for."""
        kept = sa.select(schema.keys.c.value).where(schema.keys.c.name == name)
        if (found := fetch_value(self._engine, kept)) is None:
            made = base64.b64encode(secrets.token_bytes(32)).decode()
            with writing(self._engine) as connection:
                # Another process may be quicker.
                upsert(connection, schema.keys, {"name": name}, {"value": made}, over=False)
                found = connection.scalar(kept)
        return base64.b64decode(found)

    # --- people -----------------------------------------------------------------------------------------------------

    @writes
    def new_person(self, name: str, token: str | None, now: float) -> Person:
        """Somebody new; `token` is a browser's credential, None for one who only has a seat's token."""
        with self._writing() as connection:
            found = connection.execute(
                sa.insert(schema.people)
                .values(name=name, token_hash=hash_token(token) if token else None, created=now)
                .returning(schema.people.c.id)
            )
            return Person(int(found.scalar_one()), name)

    def person(self, token: str) -> Person | None:
        """Who has this browser's token."""
        return self.people([token]).get(token)

    def people(self, tokens: Sequence[str]) -> dict[str, Person]:
        """Who has which of these browsers' tokens; what nobody has is missing."""
        tokens_of = {hash_token(token): token for token in tokens}
        people = schema.people.c
        theirs = sa.select(people.id, people.name, people.token_hash).where(people.token_hash.in_(list(tokens_of)))
        return {tokens_of[row.token_hash]: Person(row.id, row.name) for row in fetch_all(self._engine, theirs)}

    def person_by_seat_token(self, token: str) -> Person | None:
        """Who was given this seat token."""
        sits = sa.select(schema.seats.c.person).where(schema.seats.c.key_hash == hash_token(token))
        there = sa.select(schema.people.c.id, schema.people.c.name).where(schema.people.c.id == sits.scalar_subquery())
        return next((Person(*row) for row in fetch_all(self._engine, there)), None)

    @writes
    def rename(self, person: int, name: str) -> None:
        """Somebody goes by another name from now on."""
        with self._writing() as connection:
            connection.execute(sa.update(schema.people).where(schema.people.c.id == person).values(name=name))

    # --- tables -----------------------------------------------------------------------------------------------------

    @writes
    def create(self, record: TableRecord, moves: Sequence[StoredMove] = ()) -> None:
        """Write a new table down, with the moves that it begins with; `Conflict` if its code is taken."""
        try:
            with self._writing() as connection:
                found = connection.execute(
                    sa.insert(schema.matches).values(match_values(record)).returning(schema.matches.c.id)
                )
                match_id = int(found.scalar_one())
                insert_seats(connection, match_id, record)
                if moves:
                    connection.execute(INSERT_MOVE, [columns_of(move) | {"of_table": record.code} for move in moves])
        except IntegrityError as wrong:
            raise Conflict(f"there is a table {record.code} already") from wrong

    def load(self, code: str) -> StoredTable | None:
        """A table with its moves and what was said, or None; `Unreadable` if what is written of it is broken."""
        found = self.load_all([code]).get(code)
        if isinstance(found, Unreadable):
            raise found
        return found

    def load_all(self, codes: Sequence[str]) -> dict[str, StoredTable | Unreadable]:
        """Tables by their codes, those that there are; in the place of one that is broken, what is wrong with it."""
        matches = schema.matches.c
        with reading(self._engine) as connection:
            numbers = connection.execute(sa.select(matches.id, matches.code).where(matches.code.in_(list(codes)))).all()
            found = load_where(connection, matches.id.in_([row.id for row in numbers]))
            return {row.code: found[row.id] for row in numbers if row.id in found}

    def load_newer(self, known: Sequence[TableCursor]) -> list[Newer | None]:
        """What happened at tables since they were known so far; None in the place of one that is gone."""
        if not known:
            return []
        with reading(self._engine) as connection:
            return newer_than(connection, known)

    def revisions(self, numbers: Sequence[int]) -> dict[int, int]:
        """The revisions of tables by their numbers; those that are gone are missing."""
        there = sa.select(schema.matches.c.id, schema.matches.c.revision).where(schema.matches.c.id.in_(list(numbers)))
        return {row.id: row.revision for row in fetch_all(self._engine, there)}

    def names(self, people: Sequence[int]) -> dict[int, str]:
        """The names of people by their numbers."""
        there = sa.select(schema.people.c.id, schema.people.c.name).where(schema.people.c.id.in_(list(people)))
        return {row.id: row.name for row in fetch_all(self._engine, there)}

    def write(self, change: Change) -> None:
        """Write a change down: all of it or, raising `Conflict`, nothing. On return it is on disk."""
        if (conflict := self.write_all([change])[0]) is not None:
            raise conflict

    @writes
    def write_all(self, changes: Sequence[Change]) -> list[Conflict | None]:
        """Write changes of different tables down, each all or nothing; those that hold are on disk on return.

        They wait for the disk together. The answer has a `Conflict` in the place of each that does not hold.
        """
        try:
            with self._writing() as connection:
                # In the order of their codes: two processes that write the same tables never wait for each other.
                for moved, some in groupby(sorted(changes, key=lambda change: change.record.code), is_plain_move):
                    if moved:
                        made = [(change.record, change.move) for change in some if change.move]
                        write_moves(connection, made, self.processes.id)
                    else:
                        for change in some:
                            write_change(connection, change, self.processes.id)
        except (Conflict, IntegrityError, DataError) as wrong:
            if len(changes) > 1:
                # One of them does not hold and took the others with it: each by itself.
                return [self.write_all([change])[0] for change in changes]
            if isinstance(wrong, Conflict):
                return [wrong]
            # A number that was broken before is an error of its data.
            why = f"cannot be written: {wrong.orig}" if isinstance(wrong, DataError) else "has this move already"
            return [Conflict(f"table {changes[0].record.code} {why}")]
        except SQLAlchemyError:
            if not self._were_committed(changes):
                raise
        return [None] * len(changes)

    def _were_committed(self, changes: Sequence[Change]) -> bool:
        """After the database broke off: do these changes stand all the same? `Unsettled` if it does not say."""
        if not self.health.has_reached_commit:
            return False

        def stand_now() -> bool:
            with reading(self._engine) as connection:
                found = are_committed(connection, changes)
            self.health.check_files()
            return found

        return retry_commit_check(stand_now)

    def _value_of(self, code: str, column: str) -> Any:
        """A column of a table, or None if there is no such table."""
        return fetch_value(self._engine, sa.select(schema.matches.c[column]).where(schema.matches.c.code == code))

    def revision(self, code: str) -> int | None:
        """The revision of a table, or None if there is no such table."""
        return cast("int | None", self._value_of(code, "revision"))

    def commitment(self, code: str) -> str:
        """The commitment of a table's seed, by which logs name it; empty if there is no such table."""
        # Of a row that is broken it may be anything.
        return str(self._value_of(code, "commitment") or "")

    @writes
    def write_pulse_if_clocks_run(self, now: float) -> None:
        """Write down that a server is alive, if any clock runs."""
        runs = sa.select(schema.matches.c.id).where(schema.matches.c.zero.is_not(None)).limit(1)
        if fetch_value(self._engine, runs) is not None:
            self.write_pulse(now)

    @writes
    def write_pulse(self, now: float) -> None:
        """Write down that a server is alive, as a move would be written; what the database raises if it cannot."""
        with self._writing() as connection:
            upsert(connection, schema.pulse, {"id": 1}, {"at": now})

    @writes
    def shift_clocks_by_downtime(self, now: float, last: float | None = None) -> list[str]:
        """Put all clocks that run later by the time for which no server was alive; the codes of their tables.

        `last` is when this server was last alive; without it, when any was. A table whose clocks began after that is
        given the whole time back.
        """
        with self._writing() as connection:
            if last is None:
                last = float(connection.scalar(sa.select(schema.pulse.c.at)) or 0.0)
            timed = readable_tables(load_where(connection, schema.matches.c.zero.is_not(None), history=False))
            found = [one.record for one in timed if one.record.status == "running"]
            for record in found:
                later = replace(
                    record, clocks=shift_by_downtime(record.clocks, last, now), revision=record.revision + 1
                )
                connection.execute(
                    sa.update(schema.matches)
                    .where(schema.matches.c.code == record.code, schema.matches.c.revision == record.revision)
                    .values(running_values(later) | {"driver": self.processes.id})
                )
            upsert(connection, schema.pulse, {"id": 1}, {"at": now})
            return [record.code for record in found]

    def tables_of(self, person: int, limit: int | None = 50) -> list[OwnTable]:
        """The tables at which a person has a seat, newest first."""
        mine = sa.select(schema.seats.c.match_id).where(schema.seats.c.person == person)
        with reading(self._engine) as connection:
            found = readable_tables(load_where(connection, schema.matches.c.id.in_(mine), limit, history=False))
        return [
            OwnTable(one.record, next(i for i, seat in enumerate(one.record.seats) if seat.person == person))
            for one in found
        ]

    def count_bot_matches(self, origin: str) -> int:
        """How many matches run that come from an origin and at which only bots play."""
        matches = schema.matches.c
        of_origin = (matches.origin == origin) & (matches.status == "running") & ~has_active_person()
        return int(fetch_value(self._engine, sa.select(sa.func.count()).select_from(schema.matches).where(of_origin)))

    def number(self, code: str) -> int | None:
        """The number of a table, by which jobs and looks back name it."""
        return cast("int | None", self._value_of(code, "id"))

    def load_numbered(self, number: int) -> StoredTable | None:
        """The table of a number, or None."""
        code = fetch_value(self._engine, sa.select(schema.matches.c.code).where(schema.matches.c.id == number))
        return None if code is None else self.load(code)

    def is_player_or_spectator(self, code: str, person: int) -> bool:
        """Has this person a seat at a table, or watches there?"""
        mine = schema.matches.c.code == code, schema.seats.c.person == person
        seat = sa.select(schema.seats.join(schema.matches)).where(*mine).exists()
        return bool(fetch_value(self._engine, sa.select(seat))) or self.is_spectator(code, person)

    @writes
    def add_spectator(self, code: str, person: int) -> None:
        """A person sits down to watch; again is no harm."""
        match_id = sa.select(schema.matches.c.id).where(schema.matches.c.code == code).scalar_subquery()
        with self._writing() as connection:
            upsert(connection, schema.watchers, {"match_id": match_id, "person": person}, {}, over=False)

    def is_spectator(self, code: str, person: int) -> bool:
        """Did this person sit down to watch?"""
        mine = schema.matches.c.code == code, schema.watchers.c.person == person
        there = sa.select(schema.watchers.join(schema.matches)).where(*mine).exists()
        return bool(fetch_value(self._engine, sa.select(there)))
