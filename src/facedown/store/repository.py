"""`Repository`: people, tables, moves and what was said, written down."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, fields, replace
from itertools import groupby
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine, RowMapping
from sqlalchemy.exc import DataError, IntegrityError, SQLAlchemyError

from facedown.play.clock import next_zero, rested
from facedown.play.records import Change, Played, Said, Seat, TableRecord
from facedown.store import schema
from facedown.store.engine import READ_ONLY, migrate, open_engine
from facedown.store.places import StoreError
from facedown.store.rows import UNREADABLE, Unreadable, complain, moves_of, record_of, said_of


class Conflict(Exception):
    """Somebody else changed this table first: read it again."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who was given a token."""

    id: int
    name: str


@dataclass(frozen=True, slots=True)
class Loaded:
    """A table as it is written down."""

    record: TableRecord
    moves: tuple[Played, ...]
    chat: tuple[Said, ...]


@dataclass(frozen=True, slots=True)
class OwnTable:
    """A table at which a person sits, for lists."""

    record: TableRecord
    seat: int


def new_token() -> str:
    """A credential: 256 random bits as text."""
    return secrets.token_urlsafe(32)


def hash_token(token: str) -> str:
    """What is kept of a credential. It is random and long, so that a plain hash tells nothing about it."""
    return hashlib.sha256(token.encode()).hexdigest()


class Repository:
    """The database. Every method is one transaction and may be called from any thread."""

    def __init__(self, url: str) -> None:
        self.url = url
        with ExitStack() as undone:
            try:
                self._engine: Engine = open_engine(url)
                undone.callback(self._engine.dispose)
                migrate(self._engine)
            except (SQLAlchemyError, OSError, ImportError) as wrong:
                raise _unusable(url, wrong) from wrong
            undone.pop_all()

    def close(self) -> None:
        """Close all connections to the database."""
        self._engine.dispose()

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with self._engine.connect().execution_options(**{READ_ONLY: True}) as connection, connection.begin():
            yield connection

    @property
    def engine(self) -> Engine:
        """For the other parts of the store: bans, retention."""
        return self._engine

    def alive(self) -> bool:
        """Does the database answer?"""
        with self._reading() as connection:
            return bool(connection.scalar(sa.select(sa.literal(1))) == 1)

    # --- people -----------------------------------------------------------------------------------------------------

    def new_person(self, name: str, token: str | None, now: float) -> Person:
        """Somebody new; `token` is a browser's credential, None for one who only has a seat's token."""
        with self._engine.begin() as connection:
            found = connection.execute(
                sa.insert(schema.people)
                .values(name=name, token_hash=hash_token(token) if token else None, created=now)
                .returning(schema.people.c.id)
            )
            return Person(int(found.scalar_one()), name)

    def person(self, token: str) -> Person | None:
        """Who has this browser's token."""
        return self._person(schema.people.c.token_hash == hash_token(token))

    def person_of_key(self, token: str) -> Person | None:
        """Who was given this seat token."""
        key = schema.seats.c.key_hash == hash_token(token)
        return self._person(schema.people.c.id == sa.select(schema.seats.c.person).where(key).scalar_subquery())

    def _person(self, where: sa.ColumnElement[bool]) -> Person | None:
        with self._reading() as connection:
            row = connection.execute(sa.select(schema.people.c.id, schema.people.c.name).where(where)).one_or_none()
        return Person(int(row.id), str(row.name)) if row else None

    def rename(self, person: int, name: str) -> None:
        """Somebody goes by another name from now on."""
        with self._engine.begin() as connection:
            connection.execute(sa.update(schema.people).where(schema.people.c.id == person).values(name=name))

    # --- tables -----------------------------------------------------------------------------------------------------

    def create(self, record: TableRecord, moves: Sequence[Played] = ()) -> None:
        """Write a new table down, with the moves that it begins with; `Conflict` if its code is taken."""
        try:
            with self._engine.begin() as connection:
                found = connection.execute(
                    sa.insert(schema.matches).values(_match_values(record)).returning(schema.matches.c.id)
                )
                match_id = int(found.scalar_one())
                connection.execute(
                    sa.insert(schema.seats),
                    [{"match_id": match_id, "seat": i} | _seat_values(s) for i, s in enumerate(record.seats)],
                )
                if moves:
                    connection.execute(_PLAYED, [_values(move) | {"of_table": record.code} for move in moves])
        except IntegrityError as wrong:
            raise Conflict(f"there is a table {record.code} already") from wrong

    def load(self, code: str) -> Loaded | None:
        """A table with its moves and what was said, or None; `Unreadable` if what is written of it is broken."""
        with self._reading() as connection:
            match_id = connection.scalar(sa.select(schema.matches.c.id).where(schema.matches.c.code == code))
            if match_id is None:
                return None
            record = self._record(connection, match_id)
            moves = connection.execute(
                sa.select(schema.moves).where(schema.moves.c.match_id == match_id).order_by(schema.moves.c.ply)
            ).mappings()
            said = connection.execute(
                sa.select(schema.chat).where(schema.chat.c.match_id == match_id).order_by(schema.chat.c.id)
            ).mappings()
            try:
                return Loaded(record, moves_of(moves), said_of(said))
            except UNREADABLE as wrong:
                raise Unreadable(match_id, wrong) from wrong

    def write(self, change: Change) -> None:
        """Write a change down: all of it or, raising `Conflict`, nothing. On return it is on disk."""
        try:
            with self._engine.begin() as connection:
                _write(connection, change)
        except IntegrityError as wrong:
            raise Conflict(f"table {change.record.code} has this move already") from wrong

    def write_all(self, changes: Sequence[Change]) -> list[Conflict | None]:
        """Write changes of different tables down, each all or nothing; those that hold are on disk on return.

        They wait for the disk together. The answer has a `Conflict` in the place of each that does not hold.
        """
        try:
            with self._engine.begin() as connection:
                # In the order of their codes: two processes that write the same tables never wait for each other.
                for moved, some in groupby(sorted(changes, key=lambda change: change.record.code), _only_moves):
                    if moved:
                        _write_moves(connection, [(change.record, change.move) for change in some if change.move])
                    else:
                        for change in some:
                            _write(connection, change)
        except (Conflict, IntegrityError, DataError):
            # One of them does not hold and took the others with it: each by itself.
            return [self._conflict_of(change) for change in changes]
        return [None] * len(changes)

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
        with self._reading() as connection:
            return connection.scalar(sa.select(schema.matches.c.revision).where(schema.matches.c.code == code))

    def due(self) -> list[str]:
        """The codes of all tables where a bot is to act, the longest waiting first."""
        return self._running(schema.matches.c.due.is_not(None), schema.matches.c.due)

    def zeros(self, until: float) -> list[str]:
        """The codes of all tables where a clock stands at zero before a time, the longest past first."""
        return self._running(schema.matches.c.zero <= until, schema.matches.c.zero)

    def _running(self, where: sa.ColumnElement[bool], first: sa.ColumnElement[Any]) -> list[str]:
        running = schema.matches.c.status == "running"
        with self._reading() as connection:
            codes = connection.scalars(sa.select(schema.matches.c.code).where(where, running).order_by(first))
            return [str(code) for code in codes]

    def pulse(self, now: float) -> None:
        """Write down that a server is alive, if any clock runs."""
        with self._reading() as connection:
            runs = sa.select(schema.matches.c.id).where(schema.matches.c.zero.is_not(None)).limit(1)
            if connection.scalar(runs) is None:
                return
        with self._engine.begin() as connection:
            _pulse(connection, now)

    def rest_clocks(self, now: float, last: float | None = None) -> list[str]:
        """Put all clocks that run later by the time for which no server was alive; the codes of their tables.

        `last` is when this server was last alive; without it, when any was. A table whose clocks began after that is
        given the whole time back.
        """
        with self._engine.begin() as connection:
            if last is None:
                last = float(connection.scalar(sa.select(schema.pulse.c.at)) or 0.0)
            timed = self._records(connection, schema.matches.c.zero.is_not(None), None)
            found = [record for _, record in timed if record.status == "running"]
            for record in found:
                later = replace(record, clocks=rested(record.clocks, last, now), revision=record.revision + 1)
                connection.execute(
                    sa.update(schema.matches)
                    .where(schema.matches.c.code == record.code, schema.matches.c.revision == record.revision)
                    .values(_running_values(later))
                )
            _pulse(connection, now)
            return [record.code for record in found]

    def tables_of(self, person: int, limit: int | None = 50) -> list[OwnTable]:
        """The tables at which a person has a seat, newest first."""
        mine = sa.select(schema.seats.c.match_id).where(schema.seats.c.person == person)
        with self._reading() as connection:
            found = self._records(connection, schema.matches.c.id.in_(mine), limit)
        return [
            OwnTable(record, next(i for i, seat in enumerate(record.seats) if seat.person == person))
            for _, record in found
        ]

    def watch(self, code: str, person: int) -> None:
        """A person sits down to watch; again is no harm."""
        try:
            with self._engine.begin() as connection:
                match_id = sa.select(schema.matches.c.id).where(schema.matches.c.code == code).scalar_subquery()
                connection.execute(sa.insert(schema.watchers).values(match_id=match_id, person=person))
        except IntegrityError:
            if not self.watches(code, person):
                raise

    def watches(self, code: str, person: int) -> bool:
        """Did this person sit down to watch?"""
        with self._reading() as connection:
            there = sa.select(schema.watchers.join(schema.matches)).where(
                schema.matches.c.code == code, schema.watchers.c.person == person
            )
            return bool(connection.scalar(sa.select(there.exists())))

    def _records(
        self, connection: Connection, where: sa.ColumnElement[bool], limit: int | None = 1
    ) -> list[tuple[int, TableRecord]]:
        """The tables that can be read, newest first. One that cannot breaks nothing but itself: it is left out."""
        newest = sa.select(schema.matches).where(where).order_by(schema.matches.c.id.desc()).limit(limit)
        try:
            rows = list(connection.execute(newest).mappings())
            seats: dict[int, list[RowMapping]] = {row["id"]: [] for row in rows}
            theirs = sa.select(schema.seats).where(schema.seats.c.match_id.in_(list(seats)))
            for seat in connection.execute(theirs.order_by(schema.seats.c.seat)).mappings():
                seats[seat["match_id"]].append(seat)
            return [(row["id"], record_of(row, seats[row["id"]])) for row in rows]
        except UNREADABLE:
            found = []
            for match_id in connection.scalars(newest.with_only_columns(schema.matches.c.id)).all():
                try:
                    found.append((match_id, self._record(connection, match_id)))
                except Unreadable as wrong:
                    complain(wrong)
            return found

    def _record(self, connection: Connection, match_id: int) -> TableRecord:
        """One table; `Unreadable` if its rows are broken."""
        matches, seats = schema.matches, schema.seats
        try:
            row = connection.execute(sa.select(matches).where(matches.c.id == match_id)).mappings().one()
            theirs = sa.select(seats).where(seats.c.match_id == match_id).order_by(seats.c.seat)
            return record_of(row, connection.execute(theirs).mappings().all())
        except UNREADABLE as wrong:
            raise Unreadable(match_id, wrong) from wrong


def _unusable(url: str, wrong: Exception) -> StoreError:
    """Why a database cannot be used, in one line and without its password."""
    text = str(getattr(wrong, "orig", None) or wrong).strip().splitlines()[0]
    where = sa.engine.make_url(url).render_as_string(hide_password=True)
    return StoreError(f"the database {where} cannot be used: {text}")


def _pulse(connection: Connection, now: float) -> None:
    found = connection.execute(sa.update(schema.pulse).values(at=now))
    if not found.rowcount:
        connection.execute(sa.insert(schema.pulse).values(id=1, at=now))


#: The columns that are a record's fields as they are: those that stay once a match runs, and those that change with it.
_MATCH_COLUMNS = ("code", "game", "rules_version", "seed", "commitment", "host", "created", "started", "successor")
_RUNNING_COLUMNS = ("status", "finished", "due", "revision")
#: What a move or a word changes of a table's record; built once, for it is run for every move.
_MOVED = (
    sa.update(schema.matches)
    .where(schema.matches.c.code == sa.bindparam("of_table"), schema.matches.c.revision == sa.bindparam("before"))
    .values({name: sa.bindparam(name) for name in (*_RUNNING_COLUMNS, "clocks", "zero")})
)
_ITS_ID = sa.select(schema.matches.c.id).where(schema.matches.c.code == sa.bindparam("of_table")).scalar_subquery()
_PLAYED = sa.insert(schema.moves).values(match_id=_ITS_ID)
_SAID = sa.insert(schema.chat).values(match_id=_ITS_ID)


def _only_moves(change: Change) -> bool:
    return change.move is not None and change.said is None


def _write(connection: Connection, change: Change) -> None:
    """Write a change down within a transaction; `Conflict` or `IntegrityError` if it does not hold."""
    record = change.record
    if change.move is None and change.said is None:
        _write_record(connection, record)
        return
    if change.move is not None:
        _write_moves(connection, [(record, change.move)])
    else:
        _write_running(connection, [record])
    if change.said is not None:
        connection.execute(_SAID, _values(change.said) | {"of_table": record.code})


def _write_moves(connection: Connection, moves: Sequence[tuple[TableRecord, Played]]) -> None:
    """Write moves at different tables down, with what changed of the tables' records."""
    _write_running(connection, [record for record, _ in moves])
    connection.execute(_PLAYED, [_values(move) | {"of_table": record.code} for record, move in moves])


def _write_running(connection: Connection, records: Sequence[TableRecord]) -> None:
    known = [_running_values(record) | {"of_table": record.code, "before": record.revision - 1} for record in records]
    if connection.execute(_MOVED, known).rowcount != len(records):
        raise Conflict(f"table {' or '.join(record.code for record in records)} has changed")


def _write_record(connection: Connection, record: TableRecord) -> None:
    match_id = connection.scalar(
        sa.update(schema.matches)
        .where(schema.matches.c.code == record.code, schema.matches.c.revision == record.revision - 1)
        .values(_match_values(record))
        .returning(schema.matches.c.id)
    )
    if match_id is None:
        raise Conflict(f"table {record.code} has changed")
    for index, seat in enumerate(record.seats):
        connection.execute(
            sa.update(schema.seats)
            .where(schema.seats.c.match_id == match_id, schema.seats.c.seat == index)
            .values(_seat_values(seat))
        )


def _values(row: Played | Said | Seat) -> dict[str, Any]:
    """A move, a word or a seat by the names of its columns, which are those of its fields."""
    return {field.name: getattr(row, field.name) for field in fields(row)}


def _running_values(record: TableRecord) -> dict[str, Any]:
    """What changes of a table while it is played."""
    return {name: getattr(record, name) for name in _RUNNING_COLUMNS} | {
        "clocks": json.dumps([asdict(clock) for clock in record.clocks]),
        "zero": next_zero(record.clocks) if record.status == "running" else None,
    }


def _match_values(record: TableRecord) -> dict[str, Any]:
    same = {name: getattr(record, name) for name in _MATCH_COLUMNS}
    options, settings = json.dumps(dict(record.options)), json.dumps(asdict(record.settings))
    return same | {"options": options, "settings": settings} | _running_values(record)


def _seat_values(seat: Seat) -> dict[str, Any]:
    values = _values(seat)
    return values | {"left_table": values.pop("left"), "key_hash": seat.key_hash or None}
