"""The connection to SQLite or PostgreSQL: transactions, checks of its health, and migrations at every start.

SQLite keeps writing without an error when its file was deleted or replaced: what it acknowledges then is lost when the
process ends. So the files at the path are compared with those that were opened before and after every commit, by two
calls to the file system each.
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

from facedown.store.database_url import file_of
from facedown.store.errors import DatabaseFileReplaced, StoreError, unusable, word_of
from facedown.store.sqlite_files import Files, make_private_database

log = logging.getLogger("facedown.store")

MIGRATIONS = Path(__file__).parent / "migrations"
#: Connections that are kept open: one for each thread that reads or writes (`Rooms`), and some to spare.
POOL_SIZE = 10
#: How a connection to PostgreSQL notices that there is nobody any more, in seconds and milliseconds.
KEEPALIVE_OPTIONS = {"connect_timeout": 2, "keepalives_idle": 5, "keepalives_interval": 2, "tcp_user_timeout": 5000}
#: The number under which one process at a time migrates a PostgreSQL database ("facedown" in ASCII).
MIGRATION_LOCK = 0x66616365646F776E
#: How long a writer waits for SQLite's one lock, in seconds.
PATIENCE = 2.0
#: After one has waited in vain, the others are refused at once, but for one that tries so long, so often.
LOCK_PROBE_TIME = 0.1
#: An execution option: this transaction only reads, so that on SQLite it does not wait for a writer.
READ_ONLY = "facedown_reads"


class LockWait:
    """How long the writers of a process wait for a lock on SQLite that somebody else holds.

    The first one waits as long as it may. Those that come behind it would wait as long again, each after the other:
    once somebody has waited in vain they are told so at once, until the lock can be had again.
    """

    def __init__(self, full: float = PATIENCE) -> None:
        self.full = full
        self._failed: float | None = None
        """When a writer last waited in vain; None once a writer got the lock."""

    def next_timeout(self) -> float:
        """How long the next writer waits, in seconds."""
        failed = self._failed
        if failed is None:
            return self.full
        return LOCK_PROBE_TIME if time.monotonic() - failed > LOCK_PROBE_TIME else 0.0

    def begin(self, connection: Connection) -> None:
        """Begin a transaction: a reader waits for no lock, a writer takes its lock at once."""
        if connection.get_execution_options().get(READ_ONLY):
            connection.exec_driver_sql("BEGIN")
            return
        if connection.info.get("waits") != (seconds := self.next_timeout()):
            connection.exec_driver_sql(f"PRAGMA busy_timeout={round(seconds * 1000)}")
            connection.info["waits"] = seconds
        try:
            # One that reads first and writes later could be refused in the middle.
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        except OperationalError as wrong:
            if word_of(wrong) == "locked":
                self._failed = time.monotonic()
            raise
        self._failed = None


# --- transactions -----------------------------------------------------------------------------------------------------


#: A lock for each SQLite engine. Writers of one process take turns here: SQLite's own waiting is a sleep and a look, by
#: which one of many may find the lock taken each time until its patience is over.
_WRITER_LOCKS: WeakKeyDictionary[Engine, threading.Lock] = WeakKeyDictionary()


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """A transaction that writes, when it is its turn."""
    with _WRITER_LOCKS.get(engine, nullcontext()), engine.begin() as connection:
        yield connection


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A transaction that only reads, and keeps no writer waiting."""
    with engine.connect().execution_options(**{READ_ONLY: True}) as connection, connection.begin():
        yield connection


def fetch_all(engine: Engine, query: sa.Select[Any]) -> Sequence[Any]:
    """Return the rows of a query, read in a transaction of its own."""
    with reading(engine) as connection:
        return connection.execute(query).all()


def fetch_value(engine: Engine, query: sa.Select[Any]) -> Any:
    """Return the first column of a query's first row, or None without a row."""
    with reading(engine) as connection:
        return connection.scalar(query)


def execute(engine: Engine, statement: sa.Update | sa.Delete) -> int:
    """Run a statement in a transaction of its own; returns the number of rows that it matched."""
    with writing(engine) as connection:
        return connection.execute(statement).rowcount


def upsert(
    connection: Connection, table: sa.Table, keys: Mapping[str, Any], values: Mapping[str, Any], *, over: bool = True
) -> None:
    """Insert a row. One that is there with the same keys takes these values, or without `over` keeps its own."""
    dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
    row = dialect.insert(table).values(**keys, **values)
    if over:
        connection.execute(row.on_conflict_do_update(index_elements=list(keys), set_=values))
    else:
        connection.execute(row.on_conflict_do_nothing(index_elements=list(keys)))


Method = TypeVar("Method", bound=Callable[..., Any])


def writes(method: Method) -> Method:
    """Mark a method of the repository that writes: these wait for each other apart from those that only read."""
    method.writes = True  # type: ignore[attr-defined]
    return method


def is_writer(work: Callable[..., Any]) -> bool:
    """Does this method of the repository write?"""
    return bool(getattr(work, "writes", False))


# --- connections ------------------------------------------------------------------------------------------------------


def open_engine(url: str) -> Engine:
    """An engine for an address; an SQLite file and its folder are made, for its owner only."""
    where = sa.engine.make_url(url)
    # What is written is nobody's business but the database's: it stands in no error, and so in no log.
    if where.get_backend_name() != "sqlite":
        psycopg = where.drivername == "postgresql+psycopg"
        # What the address says of it comes first.
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
    sa.event.listen(engine, "begin", LockWait().begin)
    _WRITER_LOCKS[engine] = threading.Lock()
    return engine


def _prepare_postgres(connection: Any, _record: Any) -> None:
    # As on SQLite: who waits for a lock is told before people give up.
    connection.execute(f"SET lock_timeout = {round(PATIENCE * 1000)}")
    connection.commit()


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    # The driver must not begin transactions by itself: `LockWait.begin` does, in the mode that fits.
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()


class Health:
    """What is known of how an engine's database fares."""

    def __init__(self, engine: Engine) -> None:
        self.errors: Counter[str] = Counter()
        """How often the database refused, by `errors.word_of`."""
        self._thread = threading.local()
        self.files: Files | None = None
        path = file_of(str(engine.url)) if not str(engine.url.database).startswith("file:") else None
        if path is not None:
            self.files = Files(path)
            # SQLite would make an empty file where there is none, or open another that lies there now.
            for event in ("do_connect", "connect"):
                sa.event.listen(engine, event, lambda *_: self.check_files())
        sa.event.listen(engine, "commit", self._committing)
        sa.event.listen(engine, "handle_error", self._failed)

    def close(self) -> None:
        """Let go of the files; all connections are closed already."""
        if self.files is not None:
            self.files.close()

    def check_files(self) -> None:
        """`DatabaseFileReplaced` if what is written now would be lost."""
        if self.files is None:
            return
        try:
            self.files.check()
        except DatabaseFileReplaced:
            self.errors["lost"] += 1
            raise

    @property
    def has_reached_commit(self) -> bool:
        """Had the last transaction of this thread come to its commit? Then it may stand, whatever came afterwards."""
        return bool(getattr(self._thread, "committing", False))

    def reset_commit_flag(self) -> None:
        """A transaction that writes begins in this thread."""
        self._thread.committing = False

    def _committing(self, connection: Connection) -> None:
        if not connection.get_execution_options().get(READ_ONLY):
            self.check_files()
            self._thread.committing = True

    def _failed(self, context: Any) -> None:
        self.errors[word_of(context.sqlalchemy_exception or context.original_exception)] += 1


# --- migrations -------------------------------------------------------------------------------------------------------


def _migrations() -> tuple[Config, ScriptDirectory]:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    return config, ScriptDirectory.from_config(config)


def newest_schema_version() -> str:
    """The schema of this program."""
    return str(_migrations()[1].get_current_head())


def known_schema_versions() -> set[str]:
    """All schemas that this program can bring up to date, and its own."""
    return {script.revision for script in _migrations()[1].walk_revisions()}


def migrate(engine: Engine) -> None:
    """Bring the database to the newest schema; `StoreError` if a newer program wrote it.

    New databases are made by the migrations, too: made from `schema` their constraints would have other names.
    """
    config, scripts = _migrations()
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            # Whoever starts at the same time waits until it is done, however long that takes.
            connection.execute(sa.text("SET LOCAL lock_timeout = 0"))
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(MIGRATION_LOCK)))
        current = MigrationContext.configure(connection).get_current_revision()
        if current == scripts.get_current_head():
            return
        if current is not None and current not in known_schema_versions():
            raise StoreError(f"the database was written by a newer facedown (its schema is {current})")
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        log.info("the schema went from %s to %s", current, scripts.get_current_head())


@contextmanager
def wrap_store_errors(url: str, *errors: type[Exception]) -> Iterator[None]:
    """Raise `StoreError` in place of errors which say that a database cannot be used."""
    try:
        yield
    except errors as wrong:
        raise StoreError(unusable(url, wrong)) from wrong


@contextmanager
def open_existing_engine(url: str) -> Iterator[Engine]:
    """An existing database of this program's schema, also while a server serves it; else `StoreError` says why."""
    file = file_of(url)
    if file is not None and not file.is_file():
        raise StoreError(f"there is no database at {file}")
    with wrap_store_errors(url, SQLAlchemyError, OSError, ImportError):
        engine = open_engine(url)
    with wrap_store_errors(url, SQLAlchemyError):
        try:
            with reading(engine) as connection:
                schema = MigrationContext.configure(connection).get_current_revision()
            if schema is None:
                raise StoreError("this is no database of Facedown, or no server was started on it yet")
            if schema != newest_schema_version():
                raise StoreError(
                    f"the database has schema {schema}, this program {newest_schema_version()}: "
                    "use the program that serves it"
                )
            yield engine
        finally:
            engine.dispose()
