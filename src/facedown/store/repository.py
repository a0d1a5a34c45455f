"""The repository: reads and writes persons, game tables, moves and chat messages in the database."""

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
from facedown.play.seat_clocks import shift_record_by_downtime
from facedown.store import schema
from facedown.store.engine import (
    Health,
    fetch_all,
    fetch_value,
    mark_as_writer,
    migrate,
    open_engine,
    read_transaction,
    upsert,
    wrap_store_errors,
    write_transaction,
)
from facedown.store.jobs import Jobs, Reviews
from facedown.store.notices import NoticeQueue
from facedown.store.processes import Processes, has_active_person
from facedown.store.row_conversion import (
    Newer,
    StoredTable,
    TableCursor,
    Unreadable,
    load_changes_since,
    load_tables_where,
    readable_tables,
    values_by_column,
    values_changed_by_moves,
)
from facedown.store.table_writes import (
    INSERT_MOVE,
    Conflict,
    are_committed,
    insert_table,
    is_plain_move,
    retry_commit_check,
    write_change,
    write_moves,
)


@dataclass(frozen=True, slots=True)
class Person:
    """A person known to the server. The server recognises them by a token that their browser or program holds."""

    id: int
    name: str


@dataclass(frozen=True, slots=True)
class OwnTable:
    """A game table at which a person sits, for a list of the person's tables. `seat` is the index of their seat."""

    record: TableRecord
    seat: int


def new_token() -> str:
    """Return a new credential: 256 random bits as text.

    It never starts with a hyphen, so command lines don't take it for an option.
    """
    while (token := secrets.token_urlsafe(32)).startswith("-"):
        pass
    return token


def hash_token(token: str) -> str:
    """Return the hash under which a credential is stored.

    A plain SHA-256 is enough, because credentials are long and random.
    """
    return hashlib.sha256(token.encode()).hexdigest()


class Repository:
    """The database of a server, or of several servers that share it.

    Each method runs one transaction and may be called from any thread.
    """

    def __init__(self, url: str, wall: Callable[[], float] = time.time) -> None:
        """Open the database at `url` and migrate it to the newest schema.

        `wall` is a function that returns the current Unix time in seconds. On SQLite it decides when leases of
        processes expire; on PostgreSQL the clock of the database does.
        """
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
        self.notices = NoticeQueue(self._engine, wall)

    def close(self) -> None:
        """Close all connections to the database."""
        self._engine.dispose()
        self.health.close_files()

    @contextmanager
    def _write_transaction(self) -> Iterator[Connection]:
        """Open a write transaction. After the ``with`` block its data is on disk.

        Raise `DatabaseFileReplaced` if an SQLite file was deleted or replaced since this repository opened it, because
        the data is then lost.
        """
        self.health.reset_commit_flag()
        with write_transaction(self._engine) as connection:
            yield connection
        self.health.check_files()

    @property
    def engine(self) -> Engine:
        """The SQLAlchemy engine, for other modules of this package such as bans and retention."""
        return self._engine

    @mark_as_writer
    def shared_secret_key(self, name: str) -> bytes:
        """Return the secret key of this name, which all processes on this database share. It is created at the first
        call.

        A key has 256 bits.
        """
        kept = sa.select(schema.keys.c.value).where(schema.keys.c.name == name)
        if (found := fetch_value(self._engine, kept)) is None:
            made = base64.b64encode(secrets.token_bytes(32)).decode()
            with write_transaction(self._engine) as connection:
                # If another process has inserted a key meanwhile, this statement leaves it unchanged.
                upsert(connection, schema.keys, {"name": name}, {"value": made}, over=False)
                found = connection.scalar(kept)
        return base64.b64decode(found)

    # --- persons ----------------------------------------------------------------------------------------------------

    @mark_as_writer
    def store_new_person(self, name: str, token: str | None, now: float) -> Person:
        """Create a person. `token` is the credential of the person's browser. Only its hash is stored.

        `token` is None for a person who plays through a program instead of a browser. The program signs in with the
        token of the person's seat.
        """
        with self._write_transaction() as connection:
            found = connection.execute(
                sa.insert(schema.people)
                .values(name=name, token_hash=hash_token(token) if token else None, created=now)
                .returning(schema.people.c.id)
            )
            return Person(int(found.scalar_one()), name)

    def person_by_browser_token(self, token: str) -> Person | None:
        """Return the person with this browser token, or None if the token is unknown."""
        return self.people_by_browser_token([token]).get(token)

    def people_by_browser_token(self, tokens: Sequence[str]) -> dict[str, Person]:
        """Return the persons with these browser tokens, by token. Unknown tokens are left out."""
        tokens_of = {hash_token(token): token for token in tokens}
        people, devices = schema.people.c, schema.device_tokens.c
        first = sa.select(people.id, people.name, people.token_hash)
        further = sa.select(people.id, people.name, devices.token_hash).join(schema.device_tokens)
        hashes = list(tokens_of)
        theirs = first.where(people.token_hash.in_(hashes)).union_all(further.where(devices.token_hash.in_(hashes)))
        with read_transaction(self._engine) as connection:
            found = connection.execute(theirs).all()
        return {tokens_of[row.token_hash]: Person(row.id, row.name) for row in found}

    def person_by_seat_token(self, token: str) -> Person | None:
        """Return the person at the seat with this token, or None if no seat has this token.

        A seat token is a credential that the server issues when a program takes a seat, such as a bot that uses the
        API. The program sends the token with its requests. A program that plays is stored as a person, too.
        """
        sits = sa.select(schema.seats.c.person).where(schema.seats.c.key_hash == hash_token(token))
        there = sa.select(schema.people.c.id, schema.people.c.name).where(schema.people.c.id == sits.scalar_subquery())
        return next((Person(*row) for row in fetch_all(self._engine, there)), None)

    @mark_as_writer
    def rename(self, person: int, name: str) -> None:
        """Change the name of the person with this id."""
        with self._write_transaction() as connection:
            connection.execute(sa.update(schema.people).where(schema.people.c.id == person).values(name=name))

    # --- tables -----------------------------------------------------------------------------------------------------

    @mark_as_writer
    def create(self, record: TableRecord, moves: Sequence[StoredMove] = ()) -> None:
        """Store a new table, with the moves that have already been played. Raise `Conflict` if its code is taken."""
        try:
            with self._write_transaction() as connection:
                insert_table(connection, record)
                if moves:
                    connection.execute(
                        INSERT_MOVE, [values_by_column(move) | {"of_table": record.code} for move in moves]
                    )
        except IntegrityError as wrong:
            raise Conflict(f"table {record.code} already exists") from wrong

    def load(self, code: str) -> StoredTable | None:
        """Return the table with this code, with its moves and chat; None if there is no such table.

        Raise `Unreadable` if the stored data of the table is damaged.
        """
        found = self.load_all([code]).get(code)
        if isinstance(found, Unreadable):
            raise found
        return found

    def load_all(self, codes: Sequence[str]) -> dict[str, StoredTable | Unreadable]:
        """Return the tables with these codes, by code. Unknown codes are left out.

        The value for a damaged table is an `Unreadable` exception.
        """
        matches = schema.matches.c
        with read_transaction(self._engine) as connection:
            numbers = connection.execute(sa.select(matches.id, matches.code).where(matches.code.in_(list(codes)))).all()
            found = load_tables_where(connection, matches.id.in_([row.id for row in numbers]))
            return {row.code: found[row.id] for row in numbers if row.id in found}

    def load_newer(self, known: Sequence[TableCursor]) -> list[Newer | None]:
        """Return what has changed at some tables since a process last loaded them.

        `known` has one cursor per table. The cursor says how much of the table the process has loaded. The result is a
        list with one item per cursor, in the same order. The item is the table, with only the moves and chat messages
        that the process has not loaded. It is None if the table is deleted or unreadable.
        """
        if not known:
            return []
        with read_transaction(self._engine) as connection:
            return load_changes_since(connection, known)

    def revisions(self, numbers: Sequence[int]) -> dict[int, int]:
        """Return the revision of each table whose database id is in `numbers`, by that id.

        The revision of a table is the number of its changes that have been saved so far. Deleted tables are left out.
        """
        there = sa.select(schema.matches.c.id, schema.matches.c.revision).where(schema.matches.c.id.in_(list(numbers)))
        return {row.id: row.revision for row in fetch_all(self._engine, there)}

    def person_names(self, people: Sequence[int]) -> dict[int, str]:
        """Return the names of the persons with these ids, by id."""
        there = sa.select(schema.people.c.id, schema.people.c.name).where(schema.people.c.id.in_(list(people)))
        return {row.id: row.name for row in fetch_all(self._engine, there)}

    def write(self, change: Change) -> None:
        """Save one change. When the method returns, the change is on disk.

        If the change is based on an outdated revision of the table, raise `Conflict` and save nothing.
        """
        if (conflict := self.write_all([change])[0]) is not None:
            raise conflict

    @mark_as_writer
    def write_all(self, changes: Sequence[Change]) -> list[Conflict | None]:
        """Save changes to different tables, if possible in one transaction. Each change is saved completely or not at
        all.

        Return a list with one item per change, in the same order. The item is None if the change was saved, or a
        `Conflict` if it was not. When the method returns, all saved changes are on disk.
        """
        try:
            with self._write_transaction() as connection:
                # Update the game tables in the order of their codes. Each update locks a row, so all processes lock
                # rows in the same order and cannot deadlock.
                for moved, some in groupby(sorted(changes, key=lambda change: change.record.code), is_plain_move):
                    if moved:
                        made = [(change.record, change.move) for change in some if change.move]
                        write_moves(connection, made, self.processes.id)
                    else:
                        for change in some:
                            write_change(connection, change, self.processes.id)
        except (Conflict, IntegrityError, DataError) as wrong:
            if len(changes) > 1:
                # The conflict of one change has rolled back the others as well, so save each change in its own
                # transaction.
                return [self.write_all([change])[0] for change in changes]
            if isinstance(wrong, Conflict):
                return [wrong]
            # A DataError means that a new value does not fit its column. New values are computed from the stored row,
            # so that row is damaged.
            why = f"cannot be written: {wrong.orig}" if isinstance(wrong, DataError) else "already has this move"
            return [Conflict(f"table {changes[0].record.code} {why}")]
        except SQLAlchemyError:
            if not self._were_committed(changes):
                raise
        return [None] * len(changes)

    def _were_committed(self, changes: Sequence[Change]) -> bool:
        """After a database error, return whether these changes were committed nevertheless.

        Raise `CommitUnknown` if the database does not answer in time.
        """
        if not self.health.has_reached_commit:
            return False

        def stand_now() -> bool:
            with read_transaction(self._engine) as connection:
                found = are_committed(connection, changes)
            self.health.check_files()
            return found

        return retry_commit_check(stand_now)

    def _value_of(self, code: str, column: str) -> Any:
        """Return the value that the database stores in `column` for the game table with this code.

        A game table is a table at which people play; `column` is a column of the SQL table `matches`. Return None if no
        game table has this code.
        """
        return fetch_value(self._engine, sa.select(schema.matches.c[column]).where(schema.matches.c.code == code))

    def revision(self, code: str) -> int | None:
        """Return the revision of the game table with this code; None if no table has this code.

        The revision of a table is the number of its changes that have been saved so far.
        """
        return cast("int | None", self._value_of(code, "revision"))

    def commitment(self, code: str) -> str:
        """Return the commitment of a table, the published hash of its seed; empty if there is no such table.

        Logs name a table by its commitment and not by its code, because anyone who knows the code can open the table.
        """
        # A damaged row may hold a value of another type.
        return str(self._value_of(code, "commitment") or "")

    @mark_as_writer
    def save_alive_time_if_clocks_run(self, now: float) -> None:
        """Store `now` (Unix time) as the time at which a server was last alive, if the clock of any seat is running.

        If no clock is running, store nothing, because the time is used only to correct running clocks. After a stop of
        the server, `shift_clocks_by_downtime` credits these clocks with the time during which no server was alive.
        """
        runs = sa.select(schema.matches.c.id).where(schema.matches.c.zero.is_not(None)).limit(1)
        if fetch_value(self._engine, runs) is not None:
            self.save_alive_time(now)

    @mark_as_writer
    def save_alive_time(self, now: float) -> None:
        """Store `now` (Unix time in seconds) as the time at which a server was last alive.

        This also tests whether moves can be saved. The time is stored in the same kind of transaction as a move. So if
        moves cannot be saved, this call fails with the same database errors.
        """
        with self._write_transaction() as connection:
            upsert(connection, schema.pulse, {"id": 1}, {"at": now})

    @mark_as_writer
    def shift_clocks_by_downtime(self, now: float, last: float | None = None) -> list[str]:
        """Credit all running clocks with the downtime: the time during which no server was alive.

        The downtime is from `last` to `now` (Unix times in seconds). By default, `last` is the most recent time that
        `save_alive_time` stored. A clock that was started after `last` is credited with all the time since its start.
        If `now` is before `last`, the system clock was set back. Then the clocks are set back by the same amount.

        Store `now` as the time at which a server was last alive. Make this process the one that runs the bots and
        clocks of the tables whose clocks it changed. Return the codes of these tables.
        """
        with self._write_transaction() as connection:
            if last is None:
                last = float(connection.scalar(sa.select(schema.pulse.c.at)) or 0.0)
            timed = readable_tables(load_tables_where(connection, schema.matches.c.zero.is_not(None), history=False))
            found = [one.record for one in timed if one.record.status == "running"]
            for record in found:
                later = replace(shift_record_by_downtime(record, last, now), revision=record.revision + 1)
                connection.execute(
                    sa.update(schema.matches)
                    .where(schema.matches.c.code == record.code, schema.matches.c.revision == record.revision)
                    .values(values_changed_by_moves(later) | {"driver": self.processes.id})
                )
            upsert(connection, schema.pulse, {"id": 1}, {"at": now})
            return [record.code for record in found]

    def tables_of(self, person: int, limit: int | None = 50, finished: bool | None = None) -> list[OwnTable]:
        """Return the tables at which the person with this id has a seat, newest first, at most `limit`.

        `finished` selects finished or unfinished matches; None selects both.
        """
        mine: sa.ColumnElement[bool] = schema.matches.c.id.in_(
            sa.select(schema.seats.c.match_id).where(schema.seats.c.person == person)
        )
        if finished is not None:
            mine &= (schema.matches.c.status == "finished") == finished
        with read_transaction(self._engine) as connection:
            found = readable_tables(load_tables_where(connection, mine, limit, history=False))
        return [
            OwnTable(one.record, next(i for i, seat in enumerate(one.record.seats) if seat.person == person))
            for one in found
        ]

    def count_running_bot_only_matches(self, origin: str) -> int:
        """Return the number of running matches that only bots play and that were opened from an `origin` (hashed client
        address).
        """
        matches = schema.matches.c
        of_origin = (matches.origin == origin) & (matches.status == "running") & ~has_active_person()
        return int(fetch_value(self._engine, sa.select(sa.func.count()).select_from(schema.matches).where(of_origin)))

    def table_id(self, code: str) -> int | None:
        """Return the database id of the table with this code; None if no table has this code.

        Jobs and reviews refer to tables by this id.
        """
        return cast("int | None", self._value_of(code, "id"))

    def load_by_table_id(self, number: int) -> StoredTable | None:
        """Return the table with this database id, or None."""
        code = fetch_value(self._engine, sa.select(schema.matches.c.code).where(schema.matches.c.id == number))
        return None if code is None else self.load(code)

    def is_player_or_spectator(self, code: str, person: int) -> bool:
        """Return whether the person with this id has a seat at a table or has been recorded as a spectator there."""
        mine = schema.matches.c.code == code, schema.seats.c.person == person
        seat = sa.select(schema.seats.join(schema.matches)).where(*mine).exists()
        return bool(fetch_value(self._engine, sa.select(seat))) or self.is_spectator(code, person)

    @mark_as_writer
    def add_spectator(self, code: str, person: int) -> None:
        """Record that the person with this id watches a table. Repeated calls have no further effect."""
        match_id = sa.select(schema.matches.c.id).where(schema.matches.c.code == code).scalar_subquery()
        with self._write_transaction() as connection:
            upsert(connection, schema.watchers, {"match_id": match_id, "person": person}, {}, over=False)

    def is_spectator(self, code: str, person: int) -> bool:
        """Return whether the person with this id has been recorded as a spectator of a table."""
        mine = schema.matches.c.code == code, schema.watchers.c.person == person
        there = sa.select(schema.watchers.join(schema.matches)).where(*mine).exists()
        return bool(fetch_value(self._engine, sa.select(there)))
