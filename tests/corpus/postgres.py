"""An SQLite database copied to PostgreSQL, with the schema that it has there."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa

from tests.corpus import database


def fill(url: str, folder: Path) -> None:
    """Copy the frozen database; `folder` is an empty folder for the SQLite file."""
    copy_to_postgres(database.unpack(folder), url)


def copy_to_postgres(file: Path, url: str) -> None:
    """Make the tables of an SQLite file in an empty PostgreSQL database, and copy all rows."""
    source, engine, tables = sa.create_engine(f"sqlite:///{file}"), sa.create_engine(url), sa.MetaData()

    @sa.event.listens_for(tables, "column_reflect")
    def to_generic(_inspector: object, _table: object, column: sa.engine.interfaces.ReflectedColumn) -> None:
        column["type"] = column["type"].as_generic()

    tables.reflect(source)
    with engine.begin() as target, source.connect() as reading:
        tables.create_all(target)
        for table in tables.sorted_tables:
            if not (rows := [row._asdict() for row in reading.execute(sa.select(table))]):
                continue
            target.execute(sa.insert(table), rows)
            if "id" in table.columns:
                # New rows are numbered from the last copied one on.
                sequence = sa.func.pg_get_serial_sequence(table.name, "id")
                target.execute(sa.select(sa.func.setval(sequence, max(row["id"] for row in rows))))
    engine.dispose()
    source.dispose()
