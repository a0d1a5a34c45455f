"""Conversion of a data folder, a file or a URL to the form of database URL that SQLAlchemy needs."""

from __future__ import annotations

from pathlib import Path

import platformdirs
import sqlalchemy as sa


def default_url() -> str:
    """Return the URL of the SQLite file in the user's data folder."""
    return url_of(Path(platformdirs.user_data_dir("facedown")))


def url_of(data: str | Path | None) -> str:
    """Return the database URL for a URL, an SQLite file, or a folder that holds ``facedown.sqlite3``.

    None stands for the user's data folder.

    >>> url_of("/srv/cards")
    'sqlite:////srv/cards/facedown.sqlite3'
    >>> url_of("postgresql://cards@db/cards")
    'postgresql+psycopg://cards@db/cards'
    """
    if data is None:
        return default_url()
    text = str(data)
    if "://" in text:
        scheme, rest = text.split("://", 1)
        # The usual URLs of PostgreSQL name no Python driver, so add the one that this program uses.
        return f"postgresql+psycopg://{rest}" if scheme in ("postgres", "postgresql") else text
    path = Path(text).expanduser().absolute()
    file = path if path.suffix in (".sqlite3", ".sqlite", ".db") else path / "facedown.sqlite3"
    return f"sqlite:///{file}"


def sqlite_file_of(url: str) -> Path | None:
    """Return the path of an SQLite database; None for a database in memory and for PostgreSQL.

    >>> sqlite_file_of("sqlite:////srv/cards.db"), sqlite_file_of("sqlite://"), sqlite_file_of("postgresql+psycopg://cards@db/cards")
    (PosixPath('/srv/cards.db'), None, None)
    """
    where = sa.engine.make_url(url)
    named = where.get_backend_name() == "sqlite" and where.database not in (None, "", ":memory:")
    return Path(str(where.database)) if named else None
