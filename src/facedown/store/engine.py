"""The connection to SQLite or PostgreSQL, and the migrations that run at every start."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.engine import Connection, Engine

from facedown.store.modes import private_database
from facedown.store.places import StoreError

MIGRATIONS = Path(__file__).parent / "migrations"
#: An execution option: this transaction only reads, so that on SQLite it does not wait for a writer.
READ_ONLY = "facedown_reads"
#: How long a transaction waits for another writer, in seconds.
PATIENCE = 10
#: The number under which one process at a time migrates a PostgreSQL database ("facedown" in ASCII).
MIGRATION_LOCK = 0x66616365646F776E


def open_engine(url: str) -> Engine:
    """An engine for an address; an SQLite file and its folder are made, for its owner only."""
    where = sa.engine.make_url(url)
    if where.get_backend_name() != "sqlite":
        return sa.create_engine(url, pool_pre_ping=True)
    if where.database and where.database != ":memory:":
        private_database(Path(where.database))
    engine = sa.create_engine(url, connect_args={"timeout": PATIENCE})
    sa.event.listen(engine, "connect", _prepare_sqlite)
    sa.event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    # The driver must not begin transactions by itself: `_begin_sqlite` does, in the mode that fits.
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    reads = connection.get_execution_options().get(READ_ONLY)
    # A writer takes its lock at once: one that reads first and writes later could be refused in the middle.
    connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")


def migrate(engine: Engine) -> None:
    """Bring the database to the newest schema; `StoreError` if a newer program wrote it."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    scripts = ScriptDirectory.from_config(config)
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(MIGRATION_LOCK)))
        current = MigrationContext.configure(connection).get_current_revision()
        if current == scripts.get_current_head():
            return
        if current is not None and current not in {script.revision for script in scripts.walk_revisions()}:
            raise StoreError(f"the database was written by a newer facedown (its schema is {current})")
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
