"""One serving process at a time for an SQLite database, held by a lock on a file beside it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa
from filelock import FileLock, Timeout

from facedown.store.modes import OWNER_ONLY, private_folder
from facedown.store.places import StoreError


def file_of(url: str) -> Path | None:
    """The file of an SQLite database; None for any other.

    >>> file_of("sqlite:////srv/cards.db"), file_of("sqlite://"), file_of("postgresql+psycopg://cards@db/cards")
    (PosixPath('/srv/cards.db'), None, None)
    """
    where = sa.engine.make_url(url)
    named = where.get_backend_name() == "sqlite" and where.database not in (None, "", ":memory:")
    return Path(str(where.database)) if named else None


@contextmanager
def hold(url: str) -> Iterator[None]:
    """Serve an SQLite database as the only one; `StoreError` if another process does. Others need no lock.

    The lock is the operating system's: it ends with the process that holds it, however that ends.
    """
    file = file_of(url)
    if file is None:
        yield
        return
    path = file.with_name(file.name + ".lock")
    try:
        private_folder(file.parent)
        held = FileLock(path, timeout=0, mode=OWNER_ONLY)
        held.acquire()
    except Timeout:
        raise StoreError(f"another Facedown serves this database{_whose(path)}") from None
    except OSError as wrong:
        raise StoreError(f"the database cannot be locked: {path}: {wrong.strerror}") from wrong
    try:
        with contextlib.suppress(OSError):
            path.write_text(f"{os.getpid()}\n", encoding="ascii")
        yield
    finally:
        held.release()


def _whose(path: Path) -> str:
    """Which process holds a lock, as far as it has said so."""
    try:
        number = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""
    return f" (process {number})" if number.isdigit() else ""
