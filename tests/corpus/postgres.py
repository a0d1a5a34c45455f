"""The rows of the frozen database in PostgreSQL, under the schema of the frozen commit."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from tests.corpus import database, program


def fill(url: str, folder: Path) -> None:
    """Bring an empty PostgreSQL database to the frozen schema, and copy all frozen rows into it.

    `folder` is an empty folder for the SQLite file.
    """
    file = database.unpack(folder)
    with closing(sqlite3.connect(file)) as connection:
        ((revision,),) = connection.execute("SELECT version_num FROM alembic_version")
    source, engine = sa.create_engine(f"sqlite:///{file}"), sa.create_engine(url)
    config = Config()
    config.set_main_option("script_location", str(program.MIGRATIONS))
    with engine.begin() as target, source.connect() as reading:
        config.attributes["connection"] = target
        command.upgrade(config, revision)
        old, new = sa.MetaData(), sa.MetaData()
        old.reflect(source)
        new.reflect(target)
        for table in new.sorted_tables:
            rows = [_row(table, found._asdict()) for found in reading.execute(sa.select(old.tables[table.name]))]
            if rows and table.name != "alembic_version":
                target.execute(sa.insert(table), rows)
                _count_on(target, table, rows)
    engine.dispose()
    source.dispose()


def _row(table: sa.Table, values: dict[str, Any]) -> dict[str, Any]:
    """Return a row of SQLite as PostgreSQL takes it: truth values are no numbers there."""
    for column in table.columns:
        if isinstance(column.type, sa.Boolean) and values[column.name] is not None:
            values[column.name] = bool(values[column.name])
    return values


def _count_on(target: sa.Connection, table: sa.Table, rows: list[dict[str, Any]]) -> None:
    """Let new rows be numbered from the last copied one on."""
    if "id" in table.columns:
        sequence = sa.func.pg_get_serial_sequence(table.name, "id")
        target.execute(sa.select(sa.func.setval(sequence, max(row["id"] for row in rows))))
