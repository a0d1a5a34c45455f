"""The connection to SQLite or PostgreSQL, and the migrations that run at every start."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.engine import Engine

from facedown.store.health import PATIENCE, Patience, begin_sqlite
from facedown.store.modes import private_database
from facedown.store.places import StoreError

log = logging.getLogger("facedown.store")

MIGRATIONS = Path(__file__).parent / "migrations"
#: Connections that are kept open: one for each thread that reads or writes (`Rooms`), and some to spare.
KEPT = 10
#: How a connection to PostgreSQL notices that there is nobody any more, in seconds and milliseconds.
LIVELY = {"connect_timeout": 2, "keepalives_idle": 5, "keepalives_interval": 2, "tcp_user_timeout": 5000}
#: The number under which one process at a time migrates a PostgreSQL database ("facedown" in ASCII).
MIGRATION_LOCK = 0x66616365646F776E


def open_engine(url: str) -> Engine:
    """An engine for an address; an SQLite file and its folder are made, for its owner only."""
    where = sa.engine.make_url(url)
    # What is written is nobody's business but the database's: it stands in no error, and so in no log.
    if where.get_backend_name() != "sqlite":
        engine = sa.create_engine(url, pool_pre_ping=True, hide_parameters=True, connect_args=_lively(where))
        if where.drivername == "postgresql+psycopg":
            sa.event.listen(engine, "connect", _prepare_postgres)
        return engine
    pool: dict[str, int] = {}
    if where.database and where.database != ":memory:":
        private_database(Path(where.database))
        pool = {"pool_size": KEPT}
    engine = sa.create_engine(url, connect_args={"timeout": PATIENCE}, hide_parameters=True, **pool)
    sa.event.listen(engine, "connect", _prepare_sqlite)
    sa.event.listen(engine, "begin", begin_sqlite(Patience()))
    return engine


def _lively(where: sa.engine.URL) -> dict[str, int]:
    """What a connection is to notice by itself; what the address says of it comes first."""
    if where.drivername != "postgresql+psycopg":
        return {}
    return {name: value for name, value in LIVELY.items() if name not in where.query}


def _prepare_postgres(connection: Any, _record: Any) -> None:
    # As on SQLite: who waits for a lock is told before people give up.
    connection.execute(f"SET lock_timeout = {round(PATIENCE * 1000)}")
    connection.commit()


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    # The driver must not begin transactions by itself: `begin_sqlite` does, in the mode that fits.
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()


def migrate(engine: Engine) -> None:
    """Bring the database to the newest schema; `StoreError` if a newer program wrote it."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    scripts = ScriptDirectory.from_config(config)
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            # Whoever starts at the same time waits until it is done, however long that takes.
            connection.execute(sa.text("SET LOCAL lock_timeout = 0"))
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(MIGRATION_LOCK)))
        current = MigrationContext.configure(connection).get_current_revision()
        if current == scripts.get_current_head():
            return
        if current is not None and current not in {script.revision for script in scripts.walk_revisions()}:
            raise StoreError(f"the database was written by a newer facedown (its schema is {current})")
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        log.info("the schema went from %s to %s", current, scripts.get_current_head())
