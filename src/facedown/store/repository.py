"""`Repository`: people, tables, moves and what was said, written down."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from itertools import groupby

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import DataError, IntegrityError, SQLAlchemyError

from facedown.play.clock import rested
from facedown.play.records import Change, Played, TableRecord
from facedown.store import schema
from facedown.store.checked import Unreadable
from facedown.store.engine import migrate, open_engine
from facedown.store.health import Health
from facedown.store.jobs import Jobs
from facedown.store.keys import key_of
from facedown.store.loading import Loaded, loaded
from facedown.store.news import Known, Newer, newer_than
from facedown.store.places import StoreError
from facedown.store.processes import Processes, somebody
from facedown.store.reviews import Reviews
from facedown.store.rows import (
    RUNNING_COLUMNS,
    columns_of,
    match_values,
    records,
    running_values,
    seat_values,
)
from facedown.store.standing import read_back, stand
from facedown.store.turns import reading, writing
from facedown.store.writers import writes


class Conflict(Exception):
    """Somebody else changed this table first: read it again."""


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
        with ExitStack() as undone:
            try:
                self._engine: Engine = open_engine(url)
                undone.callback(self._engine.dispose)
                migrate(self._engine)
                self.health = Health(self._engine)
            except (SQLAlchemyError, OSError, ImportError) as wrong:
                raise _unusable(url, wrong) from wrong
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
        self.health.begin()
        with writing(self._engine) as connection:
            yield connection
        self.health.sound()

    @property
    def engine(self) -> Engine:
        """For the other parts of the store: bans, retention."""
        return self._engine

    @writes
    def key(self, name: str) -> bytes:
        """A key that all processes on this database share."""
        return key_of(self._engine, name)

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
        with reading(self._engine) as connection:
            rows = connection.execute(theirs).all()
        return {tokens_of[row.token_hash]: Person(int(row.id), str(row.name)) for row in rows}

    def person_of_key(self, token: str) -> Person | None:
        """Who was given this seat token."""
        sits = sa.select(schema.seats.c.person).where(schema.seats.c.key_hash == hash_token(token))
        there = sa.select(schema.people.c.id, schema.people.c.name).where(schema.people.c.id == sits.scalar_subquery())
        with reading(self._engine) as connection:
            row = connection.execute(there).one_or_none()
        return Person(int(row.id), str(row.name)) if row else None

    @writes
    def rename(self, person: int, name: str) -> None:
        """Somebody goes by another name from now on."""
        with self._writing() as connection:
            connection.execute(sa.update(schema.people).where(schema.people.c.id == person).values(name=name))

    # --- tables -----------------------------------------------------------------------------------------------------

    @writes
    def create(self, record: TableRecord, moves: Sequence[Played] = ()) -> None:
        """Write a new table down, with the moves that it begins with; `Conflict` if its code is taken."""
        try:
            with self._writing() as connection:
                found = connection.execute(
                    sa.insert(schema.matches).values(match_values(record)).returning(schema.matches.c.id)
                )
                match_id = int(found.scalar_one())
                _insert_seats(connection, match_id, record)
                if moves:
                    connection.execute(_PLAYED, [columns_of(move) | {"of_table": record.code} for move in moves])
        except IntegrityError as wrong:
            raise Conflict(f"there is a table {record.code} already") from wrong

    def load(self, code: str) -> Loaded | None:
        """A table with its moves and what was said, or None; `Unreadable` if what is written of it is broken."""
        found = self.load_all([code]).get(code)
        if isinstance(found, Unreadable):
            raise found
        return found

    def load_all(self, codes: Sequence[str]) -> dict[str, Loaded | Unreadable]:
        """Tables by their codes, those that there are; in the place of one that is broken, what is wrong with it."""
        with reading(self._engine) as connection:
            return loaded(connection, codes)

    def newer(self, known: Sequence[Known]) -> list[Newer | None]:
        """What happened at tables since they were known so far; None in the place of one that is gone."""
        if not known:
            return []
        with reading(self._engine) as connection:
            return newer_than(connection, known)

    def revisions(self, numbers: Sequence[int]) -> dict[int, int]:
        """The revisions of tables by their numbers; those that are gone are missing."""
        there = sa.select(schema.matches.c.id, schema.matches.c.revision).where(schema.matches.c.id.in_(list(numbers)))
        with reading(self._engine) as connection:
            return {int(row.id): int(row.revision) for row in connection.execute(there)}

    def names(self, people: Sequence[int]) -> dict[int, str]:
        """The names of people by their numbers."""
        there = sa.select(schema.people.c.id, schema.people.c.name).where(schema.people.c.id.in_(list(people)))
        with reading(self._engine) as connection:
            return {int(row.id): str(row.name) for row in connection.execute(there)}

    @writes
    def write(self, change: Change) -> None:
        """Write a change down: all of it or, raising `Conflict`, nothing. On return it is on disk."""
        try:
            with self._writing() as connection:
                _write(connection, change, self.processes.id)
        except IntegrityError as wrong:
            raise Conflict(f"table {change.record.code} has this move already") from wrong
        except SQLAlchemyError:
            if not self._stand([change]):
                raise

    @writes
    def write_all(self, changes: Sequence[Change]) -> list[Conflict | None]:
        """Write changes of different tables down, each all or nothing; those that hold are on disk on return.

        They wait for the disk together. The answer has a `Conflict` in the place of each that does not hold.
        """
        try:
            with self._writing() as connection:
                # In the order of their codes: two processes that write the same tables never wait for each other.
                for moved, some in groupby(sorted(changes, key=lambda change: change.record.code), _only_moves):
                    if moved:
                        made = [(change.record, change.move) for change in some if change.move]
                        _write_moves(connection, made, self.processes.id)
                    else:
                        for change in some:
                            _write(connection, change, self.processes.id)
        except (Conflict, IntegrityError, DataError):
            # One of them does not hold and took the others with it: each by itself.
            return [self._conflict_of(change) for change in changes]
        except SQLAlchemyError:
            if not self._stand(changes):
                raise
        return [None] * len(changes)

    def _stand(self, changes: Sequence[Change]) -> bool:
        """After the database broke off: do these changes stand all the same? `Unsettled` if it does not say."""
        if not self.health.committing:
            return False

        def stand_now() -> bool:
            with reading(self._engine) as connection:
                found = stand(connection, changes)
            self.health.sound()
            return found

        return read_back(stand_now)

    def _conflict_of(self, change: Change) -> Conflict | None:
        try:
            self.write(change)
        except Conflict as conflict:
            return conflict
        except DataError as wrong:
            # A number that was broken before: it must not take the others with it.
            return Conflict(f"table {change.record.code} cannot be written: {wrong.orig}")
        return None

    def revision(self, code: str) -> int | None:
        """The revision of a table, or None if there is no such table."""
        with reading(self._engine) as connection:
            return connection.scalar(sa.select(schema.matches.c.revision).where(schema.matches.c.code == code))

    def commitment(self, code: str) -> str:
        """The commitment of a table's seed, by which logs name it; empty if there is no such table."""
        with reading(self._engine) as connection:
            its = sa.select(schema.matches.c.commitment).where(schema.matches.c.code == code)
            return str(connection.scalar(its) or "")

    @writes
    def pulse(self, now: float) -> None:
        """Write down that a server is alive, if any clock runs."""
        with reading(self._engine) as connection:
            runs = sa.select(schema.matches.c.id).where(schema.matches.c.zero.is_not(None)).limit(1)
            if connection.scalar(runs) is None:
                return
        with self._writing() as connection:
            _pulse(connection, now)

    @writes
    def beat(self, now: float) -> None:
        """Write down that a server is alive, as a move would be written; what the database raises if it cannot."""
        with self._writing() as connection:
            _pulse(connection, now)

    @writes
    def rest_clocks(self, now: float, last: float | None = None) -> list[str]:
        """Put all clocks that run later by the time for which no server was alive; the codes of their tables.

        `last` is when this server was last alive; without it, when any was. A table whose clocks began after that is
        given the whole time back.
        """
        with self._writing() as connection:
            if last is None:
                last = float(connection.scalar(sa.select(schema.pulse.c.at)) or 0.0)
            timed = records(connection, schema.matches.c.zero.is_not(None), None)
            found = [record for _, record in timed if record.status == "running"]
            for record in found:
                later = replace(record, clocks=rested(record.clocks, last, now), revision=record.revision + 1)
                connection.execute(
                    sa.update(schema.matches)
                    .where(schema.matches.c.code == record.code, schema.matches.c.revision == record.revision)
                    .values(running_values(later) | {"driver": self.processes.id})
                )
            _pulse(connection, now)
            return [record.code for record in found]

    def tables_of(self, person: int, limit: int | None = 50) -> list[OwnTable]:
        """The tables at which a person has a seat, newest first."""
        mine = sa.select(schema.seats.c.match_id).where(schema.seats.c.person == person)
        with reading(self._engine) as connection:
            found = records(connection, schema.matches.c.id.in_(mine), limit)
        return [
            OwnTable(record, next(i for i, seat in enumerate(record.seats) if seat.person == person))
            for _, record in found
        ]

    def bots_alone(self, origin: str) -> int:
        """How many matches run that come from an origin and at which only bots play."""
        matches = schema.matches.c
        with reading(self._engine) as connection:
            of_origin = (matches.origin == origin) & (matches.status == "running") & ~somebody()
            return connection.scalar(sa.select(sa.func.count()).select_from(schema.matches).where(of_origin)) or 0

    def number(self, code: str) -> int | None:
        """The number of a table, by which jobs and looks back name it."""
        with reading(self._engine) as connection:
            return connection.scalar(sa.select(schema.matches.c.id).where(schema.matches.c.code == code))

    def load_numbered(self, number: int) -> Loaded | None:
        """The table of a number, or None."""
        with reading(self._engine) as connection:
            code = connection.scalar(sa.select(schema.matches.c.code).where(schema.matches.c.id == number))
        return None if code is None else self.load(code)

    def belongs(self, code: str, person: int) -> bool:
        """Has this person a seat at a table, or watches there?"""
        mine = schema.matches.c.code == code, schema.seats.c.person == person
        seat = sa.select(schema.seats.join(schema.matches)).where(*mine).exists()
        with reading(self._engine) as connection:
            seated = bool(connection.scalar(sa.select(seat)))
        return seated or self.watches(code, person)

    @writes
    def watch(self, code: str, person: int) -> None:
        """A person sits down to watch; again is no harm."""
        try:
            with self._writing() as connection:
                match_id = sa.select(schema.matches.c.id).where(schema.matches.c.code == code).scalar_subquery()
                connection.execute(sa.insert(schema.watchers).values(match_id=match_id, person=person))
        except IntegrityError:
            if not self.watches(code, person):
                raise

    def watches(self, code: str, person: int) -> bool:
        """Did this person sit down to watch?"""
        with reading(self._engine) as connection:
            there = sa.select(schema.watchers.join(schema.matches)).where(
                schema.matches.c.code == code, schema.watchers.c.person == person
            )
            return bool(connection.scalar(sa.select(there.exists())))


def _unusable(url: str, wrong: Exception) -> StoreError:
    """Why a database cannot be used, in one line and without its password."""
    text = str(getattr(wrong, "orig", None) or wrong).strip().splitlines()[0]
    where = sa.engine.make_url(url).render_as_string(hide_password=True)
    return StoreError(f"the database {where} cannot be used: {text}")


def _pulse(connection: Connection, now: float) -> None:
    found = connection.execute(sa.update(schema.pulse).values(at=now))
    if not found.rowcount:
        connection.execute(sa.insert(schema.pulse).values(id=1, at=now))


#: What a move or a word changes of a table's record; built once, for it is run for every move.
_MOVED = (
    sa.update(schema.matches)
    .where(schema.matches.c.code == sa.bindparam("of_table"), schema.matches.c.revision == sa.bindparam("before"))
    .values({name: sa.bindparam(name) for name in (*RUNNING_COLUMNS, "clocks", "zero", "driver")})
)
_ITS_ID = sa.select(schema.matches.c.id).where(schema.matches.c.code == sa.bindparam("of_table")).scalar_subquery()
_PLAYED = sa.insert(schema.moves).values(match_id=_ITS_ID)
_SAID = sa.insert(schema.chat).values(match_id=_ITS_ID)


def _only_moves(change: Change) -> bool:
    return change.move is not None and change.said is None


def _write(connection: Connection, change: Change, driver: int) -> None:
    """Write a change down within a transaction; `Conflict` or `IntegrityError` if it does not hold.

    Whoever changes a table drives it from then on.
    """
    record = change.record
    if change.move is None and change.said is None:
        _write_record(connection, record, driver)
        return
    if change.move is not None:
        _write_moves(connection, [(record, change.move)], driver)
    else:
        _write_running(connection, [record], driver)
    if change.said is not None:
        connection.execute(_SAID, columns_of(change.said) | {"of_table": record.code})


def _write_moves(connection: Connection, moves: Sequence[tuple[TableRecord, Played]], driver: int) -> None:
    """Write moves at different tables down, with what changed of the tables' records."""
    _write_running(connection, [record for record, _ in moves], driver)
    connection.execute(_PLAYED, [columns_of(move) | {"of_table": record.code} for record, move in moves])


def _write_running(connection: Connection, changed: Sequence[TableRecord], driver: int) -> None:
    known = [
        running_values(record) | {"of_table": record.code, "before": record.revision - 1, "driver": driver}
        for record in changed
    ]
    if connection.execute(_MOVED, known).rowcount != len(changed):
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
    _insert_seats(connection, match_id, record)


def _insert_seats(connection: Connection, match_id: int, record: TableRecord) -> None:
    rows = [{"match_id": match_id, "seat": i} | seat_values(s) for i, s in enumerate(record.seats)]
    connection.execute(sa.insert(schema.seats), rows)
