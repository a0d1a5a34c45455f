"""Database engine for SQLite or PostgreSQL: transactions, health checks, and migrations at startup.

If an SQLite file is deleted or replaced, SQLite keeps writing to the old file without an error. Those writes are lost
when the process ends. Therefore the files at the database's path are compared with the opened ones before and after
every commit. Each comparison costs two file system calls.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from facedown.store.database_url import sqlite_file_of
from facedown.store.errors import DatabaseFileReplaced, StoreError, error_class_word, unusable_database_message
from facedown.store.sqlite_files import Files, make_private_database

log = logging.getLogger("facedown.store")

MIGRATIONS = Path(__file__).parent / "migrations"
#: Number of connections kept open: one for each thread that reads or writes, and a few spare ones.
POOL_SIZE = 10
#: PostgreSQL connection options by which this program notices a dead connection. The first three are in seconds, the
#: last is in milliseconds.
KEEPALIVE_OPTIONS = {"connect_timeout": 2, "keepalives_idle": 5, "keepalives_interval": 2, "tcp_user_timeout": 5000}
#: Id of the PostgreSQL advisory lock that lets one process at a time migrate the database ("facedown" in ASCII).
MIGRATION_LOCK = 0x66616365646F776E
#: Seconds after which a writer that waits for SQLite's write lock, or for a lock in PostgreSQL, fails.
PATIENCE = 2.0
#: Two time limits, in seconds, that apply after a writer has failed to get SQLite's write lock:
#:
#: * Until this time has passed, other writers do not wait: they fail at once if the lock is not free.
#: * Later, a writer waits for the lock for at most this time, instead of `PATIENCE`.
LOCK_PROBE_TIME = 0.1
#: Execution option of SQLAlchemy that marks a transaction as read-only. On SQLite such a transaction does not wait for
#: writers.
READ_ONLY = "facedown_reads"


class LockWait:
    """Time limits for the SQLite writers of this process, which wait while another process holds the write lock.

    Writers wait one after the other, so their waiting times add up. The time limit of a writer therefore depends on the
    writer before it:

    * `full` seconds, if that writer got the lock, or if no writer came before.
    * 0, if that writer failed to get the lock less than `LOCK_PROBE_TIME` seconds ago.
    * `LOCK_PROBE_TIME` seconds, if that writer failed to get the lock longer ago.
    """

    def __init__(self, full: float = PATIENCE) -> None:
        self.full = full
        self._failed: float | None = None
        """Monotonic time at which a writer last failed to get the lock; None if a writer has got it since."""

    def next_timeout(self) -> float:
        """Return how many seconds the next writer may wait for the write lock before it fails.

        The limit is short or 0 if the previous writer failed to get the lock (see `LockWait`).
        """
        failed = self._failed
        if failed is None:
            return self.full
        return LOCK_PROBE_TIME if time.monotonic() - failed > LOCK_PROBE_TIME else 0.0

    def begin_transaction(self, connection: Connection) -> None:
        """Begin a transaction on a connection. A writer takes SQLite's write lock at once; a reader takes no lock."""
        if connection.get_execution_options().get(READ_ONLY):
            connection.exec_driver_sql("BEGIN")
            return
        if connection.info.get("waits") != (seconds := self.next_timeout()):
            connection.exec_driver_sql(f"PRAGMA busy_timeout={round(seconds * 1000)}")
            connection.info["waits"] = seconds
        try:
            # Take the write lock at the start. Otherwise the transaction could fail later, when it first writes.
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        except OperationalError as wrong:
            if error_class_word(wrong) == "locked":
                self._failed = time.monotonic()
            raise
        self._failed = None


# --- transactions -----------------------------------------------------------------------------------------------------


#: One lock for each SQLite engine, by which the writers of this process take turns. Without it they would wait for
#: SQLite's own lock. SQLite only polls that lock, so an unlucky writer among many could find it taken at every poll and
#: time out, although the lock was free in between.
_WRITER_LOCKS: WeakKeyDictionary[Engine, threading.Lock] = WeakKeyDictionary()


@contextmanager
def write_transaction(engine: Engine) -> Iterator[Connection]:
    """Open a write transaction for a ``with`` block. It is committed at the end, or rolled back after an exception.

    On SQLite, wait first until no other thread of this process has a write transaction open.
    """
    with _WRITER_LOCKS.get(engine, nullcontext()), engine.begin() as connection:
        yield connection


@contextmanager
def read_transaction(engine: Engine) -> Iterator[Connection]:
    """Open a read-only transaction for a ``with`` block. Other connections can write at the same time."""
    with engine.connect().execution_options(**{READ_ONLY: True}) as connection, connection.begin():
        yield connection


def fetch_all(engine: Engine, query: sa.Select[Any]) -> Sequence[Any]:
    """Run a query in its own transaction and return the rows."""
    with read_transaction(engine) as connection:
        return connection.execute(query).all()


def fetch_value(engine: Engine, query: sa.Select[Any]) -> Any:
    """Run a query in its own transaction. Return the first column of the first row; None if there is no row."""
    with read_transaction(engine) as connection:
        return connection.scalar(query)


def execute(engine: Engine, statement: sa.Update | sa.Delete) -> int:
    """Run a statement in its own transaction. Return the number of rows that it matched."""
    with write_transaction(engine) as connection:
        return connection.execute(statement).rowcount


def upsert(
    connection: Connection, table: sa.Table, keys: Mapping[str, Any], values: Mapping[str, Any], *, over: bool = True
) -> None:
    """Insert a row with the columns `keys` and `values`.

    If a row with the same `keys` exists, update its `values`; if `over` is false, leave that row unchanged.
    """
    dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
    row = dialect.insert(table).values(**keys, **values)
    if over:
        connection.execute(row.on_conflict_do_update(index_elements=list(keys), set_=values))
    else:
        connection.execute(row.on_conflict_do_nothing(index_elements=list(keys)))


Method = TypeVar("Method", bound=Callable[..., Any])


def mark_as_writer(method: Method) -> Method:
    """Decorator: mark a repository method as a writer. Calls of writers are queued separately from those that only
    read.
    """
    method.writes = True  # type: ignore[attr-defined]
    return method


def is_writer(work: Callable[..., Any]) -> bool:
    """Return whether `work` is a repository method that the decorator `mark_as_writer` has marked."""
    return bool(getattr(work, "writes", False))


# --- connections ------------------------------------------------------------------------------------------------------


def open_engine(url: str) -> Engine:
    """Return an engine for a database URL, without connecting to the database yet.

    If the URL names an SQLite file that does not exist, the file and its folder are created, and only their owner can
    access them. An existing file to which all users of the machine have access is restricted to its owner.
    """
    where = sa.engine.make_url(url)
    # The values of SQL parameters must not appear in error messages, because these are logged.
    if where.get_backend_name() != "sqlite":
        psycopg = where.drivername == "postgresql+psycopg"
        # Options given in the URL take precedence.
        lively = {name: value for name, value in KEEPALIVE_OPTIONS.items() if psycopg and name not in where.query}
        engine = sa.create_engine(url, pool_pre_ping=True, hide_parameters=True, connect_args=lively)
        if psycopg:
            sa.event.listen(engine, "connect", _prepare_postgres)
        return engine
    pool: dict[str, int] = {}
    if where.database and where.database != ":memory:":
        make_private_database(Path(where.database))
        pool = {"pool_size": POOL_SIZE}
    engine = sa.create_engine(url, connect_args={"timeout": PATIENCE}, hide_parameters=True, **pool)
    sa.event.listen(engine, "connect", _prepare_sqlite)
    sa.event.listen(engine, "begin", LockWait().begin_transaction)
    _WRITER_LOCKS[engine] = threading.Lock()
    return engine


def _prepare_postgres(connection: Any, _record: Any) -> None:
    # As on SQLite, a writer that waits for a lock fails after a few seconds, before the user gives up.
    connection.execute(f"SET lock_timeout = {round(PATIENCE * 1000)}")
    connection.commit()


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    # Keep the driver from beginning transactions by itself. `LockWait.begin_transaction` does that, in a mode for
    # readers or for writers.
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()


class Health:
    """Monitor of a database: counts database errors, and checks whether SQLite files were deleted or replaced.

    For each thread, the monitor also records whether the commit of the thread's last write transaction was started. If
    an error was raised after that, the transaction may be committed nevertheless.
    """

    def __init__(self, engine: Engine) -> None:
        self.errors: Counter[str] = Counter()
        """Number of database errors, by the word that classifies the error (`errors.error_class_word`)."""
        self._thread = threading.local()
        self.files: Files | None = None
        path = sqlite_file_of(str(engine.url)) if not str(engine.url.database).startswith("file:") else None
        if path is not None:
            self.files = Files(path)
            # Check the files at each new connection. SQLite would create an empty file if the file is missing, or open
            # a file that has replaced it.
            for event in ("do_connect", "connect"):
                sa.event.listen(engine, event, lambda *_: self.check_files())
        sa.event.listen(engine, "commit", self._check_files_before_commit)
        sa.event.listen(engine, "handle_error", self._count_error)

    def close_files(self) -> None:
        """Close the SQLite files that this object keeps open for its checks (`check_files`).

        The caller must first close all connections of the engine. For databases without files this method does nothing.
        """
        if self.files is not None:
            self.files.close()

    def check_files(self) -> None:
        """Raise `DatabaseFileReplaced`, and count the error, if an SQLite file was deleted or replaced.

        Further writes would go to the old file and be lost. Databases without files are not checked.
        """
        if self.files is None:
            return
        try:
            self.files.check_not_replaced()
        except DatabaseFileReplaced:
            self.errors["lost"] += 1
            raise

    @property
    def has_reached_commit(self) -> bool:
        """Whether the commit of this thread's last write transaction was started.

        If it was started and an error was raised, the transaction may be committed nevertheless. If it was not started,
        nothing was committed.
        """
        return bool(getattr(self._thread, "committing", False))

    def reset_commit_flag(self) -> None:
        """Set `has_reached_commit` to False for this thread. Call this when the thread begins a write transaction."""
        self._thread.committing = False

    def _check_files_before_commit(self, connection: Connection) -> None:
        if not connection.get_execution_options().get(READ_ONLY):
            self.check_files()
            self._thread.committing = True

    def _count_error(self, context: Any) -> None:
        self.errors[error_class_word(context.sqlalchemy_exception or context.original_exception)] += 1


# --- migrations -------------------------------------------------------------------------------------------------------


def _migration_config_and_scripts() -> tuple[Config, ScriptDirectory]:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    return config, ScriptDirectory.from_config(config)


def newest_schema_version() -> str:
    """Return the version of the database schema that this program uses."""
    return str(_migration_config_and_scripts()[1].get_current_head())


def known_schema_versions() -> set[str]:
    """Return this program's schema version and all older versions, whose databases it can migrate."""
    return {script.revision for script in _migration_config_and_scripts()[1].walk_revisions()}


def migrate(engine: Engine) -> None:
    """Migrate the database to the newest schema. Raise `StoreError` if a newer program has written it.

    The migrations also create the tables of a new database. If SQLAlchemy created them from `schema`, constraints would
    have other names.
    """
    config, scripts = _migration_config_and_scripts()
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            # Wait for the lock without a time limit (`lock_timeout` = 0). Another process that started at the same time
            # may be migrating the database.
            connection.execute(sa.text("SET LOCAL lock_timeout = 0"))
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(MIGRATION_LOCK)))
        current = MigrationContext.configure(connection).get_current_revision()
        if current == scripts.get_current_head():
            return
        if current is not None and current not in known_schema_versions():
            raise StoreError(f"the database was written by a newer version of Facedown (schema {current})")
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        log.info("schema upgraded from %s to %s", current, scripts.get_current_head())


@contextmanager
def wrap_store_errors(url: str, *errors: type[Exception]) -> Iterator[None]:
    """Convert exceptions of the types `errors` in the ``with`` block into a `StoreError` that says why the database
    cannot be used.
    """
    try:
        yield
    except errors as wrong:
        raise StoreError(unusable_database_message(url, wrong)) from wrong


@contextmanager
def open_existing_engine(url: str) -> Iterator[Engine]:
    """Open an existing database for a ``with`` block. This is possible even while a server is using the database.

    Raise `StoreError` with the reason if the database is missing, cannot be used, or does not have this program's
    schema. Database errors in the ``with`` block are raised as `StoreError`, too.
    """
    file = sqlite_file_of(url)
    if file is not None and not file.is_file():
        raise StoreError(f"no database found at {file}")
    with wrap_store_errors(url, SQLAlchemyError, OSError, ImportError):
        engine = open_engine(url)
    with wrap_store_errors(url, SQLAlchemyError):
        try:
            with read_transaction(engine) as connection:
                schema = MigrationContext.configure(connection).get_current_revision()
            if schema is None:
                raise StoreError("this is not a Facedown database, or no server has been started on it yet")
            if schema != newest_schema_version():
                raise StoreError(
                    f"the database has schema {schema}, this program has {newest_schema_version()}: "
                    "use the version that serves it"
                )
            yield engine
        finally:
            engine.dispose()
