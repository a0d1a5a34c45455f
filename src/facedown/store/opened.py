"""The database for those who look after it while a server serves it: as it is, neither made nor brought up to date."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import sqlalchemy as sa
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.engine import Engine
from sqlalchemy.exc import SQLAlchemyError

from facedown.store.engine import MIGRATIONS, open_engine
from facedown.store.locked import file_of
from facedown.store.places import StoreError
from facedown.store.turns import reading


def _scripts() -> ScriptDirectory:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    return ScriptDirectory.from_config(config)


def newest() -> str:
    """The schema of this program."""
    return str(_scripts().get_current_head())


def known() -> set[str]:
    """All schemas that this program can bring up to date, and its own."""
    return {script.revision for script in _scripts().walk_revisions()}


@contextmanager
def opened(url: str) -> Iterator[Engine]:
    """A database that there is, of this program's schema; `StoreError` says what else it is."""
    file = file_of(url)
    if file is not None and not file.is_file():
        raise StoreError(f"there is no database at {file}")
    try:
        engine = open_engine(url)
    except (SQLAlchemyError, OSError, ImportError) as wrong:
        raise StoreError(unusable(url, wrong)) from wrong
    try:
        try:
            with reading(engine) as connection:
                schema = MigrationContext.configure(connection).get_current_revision()
        except SQLAlchemyError as wrong:
            raise StoreError(unusable(url, wrong)) from wrong
        if schema is None:
            raise StoreError("this is no database of Facedown, or no server was started on it yet")
        if schema != newest():
            raise StoreError(
                f"the database has schema {schema}, this program {newest()}: use the program that serves it"
            )
        try:
            yield engine
        except SQLAlchemyError as wrong:
            raise StoreError(unusable(url, wrong)) from wrong
    finally:
        engine.dispose()


def unusable(url: str, wrong: Exception) -> str:
    """Why a database cannot be used, in one line and without its password."""
    text = (str(getattr(wrong, "orig", None) or wrong).strip().splitlines() or ["?"])[0]
    where = sa.engine.make_url(url)
    named = where.set(query={}).render_as_string(hide_password=True)
    return f"the database {named} cannot be used: {text}"
