"""The files of an SQLite database: readable by their owner only, locked by one server, watched for replacement.

They hold secrets: the seed of a running match shows every card.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from facedown.store.database_url import file_of
from facedown.store.errors import DatabaseFileReplaced, StoreError

log = logging.getLogger("facedown.store")

#: What everybody may do with a file or a folder.
EVERYBODY = stat.S_IRWXO
OWNER_ONLY = 0o600
#: The files that SQLite puts beside a database.
SQLITE_SUFFIXES = ("", "-wal", "-shm")


def make_private_folder(path: Path) -> None:
    """Make a folder, if there is none, that only its owner may look into; one that there is stays as it was chosen."""
    if not path.is_dir():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.mkdir(mode=0o700, exist_ok=True)


def make_private_file(path: Path) -> None:
    """See to it that a file, which may not be there yet, is not for everybody.

    One that everybody may read came so by an older program's carelessness: it becomes its owner's. One that only a
    group may read was made so by somebody who wanted it, and is left alone.
    """
    try:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, OWNER_ONLY))
    except PermissionError:
        # Whoever may only read it is told so by the database.
        return
    restrict_to_owner(path)


def restrict_to_owner(path: Path) -> None:
    """Take a file that everybody may touch back to its owner; what cannot be changed is warned about."""
    if os.name != "posix" or not path.exists() or not path.stat().st_mode & EVERYBODY:
        return
    try:
        path.chmod(OWNER_ONLY)
    except OSError as wrong:
        log.warning("everybody may read %s, and it holds secrets: %s", path, wrong.strerror)
    else:
        log.warning("everybody could read %s, which holds secrets: now only its owner can", path)


def make_private_database(path: Path) -> None:
    """The same for a database's file, which is made if it is not there, and for those beside it."""
    make_private_folder(path.parent)
    make_private_file(path)
    for ending in SQLITE_SUFFIXES[1:]:
        restrict_to_owner(path.with_name(path.name + ending))


@contextmanager
def lock_database(url: str) -> Iterator[None]:
    """Serve an SQLite database as the only one; `StoreError` if another process does. Others need no lock.

    The lock is the operating system's: it ends with the process that holds it, however that ends.
    """
    file = file_of(url)
    if file is None:
        yield
        return
    path = file.with_name(file.name + ".lock")
    try:
        make_private_folder(file.parent)
        held = FileLock(path, timeout=0, mode=OWNER_ONLY).acquire()
    except Timeout:
        raise StoreError(f"another Facedown serves this database{_lock_holder(path)}") from None
    except OSError as wrong:
        raise StoreError(f"the database cannot be locked: {path}: {wrong.strerror}") from wrong
    with held:
        with contextlib.suppress(OSError):
            path.write_text(f"{os.getpid()}\n", encoding="ascii")
        yield


def _lock_holder(path: Path) -> str:
    """Which process holds a lock, as far as it has said so."""
    try:
        number = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""
    return f" (process {number})" if number.isdigit() else ""


class Files:
    """The files of an SQLite database as they were opened: the database and its log of what was written last."""

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        # While a connection is open nobody deletes the log of writes but by mistake, so that it can be told.
        self._anchor = sqlite3.connect(self.path, check_same_thread=False)
        self._anchor.execute("SELECT count(*) FROM sqlite_master").fetchone()
        self._paths = (self.path, self.path.with_name(self.path.name + "-wal"))
        self._known = [_identity(path) for path in self._paths]
        # A new file may be given the number of a deleted one, unless somebody still holds that. (Closing a file in the
        # ordinary way would drop SQLite's own locks on it.)
        held = getattr(os, "O_PATH", None)
        self._held = [] if held is None else [os.open(path, held) for path in self._paths if path.exists()]

    def check(self) -> None:
        """`DatabaseFileReplaced` if another file, or none, lies at the path now."""
        for path, known in zip(self._paths, self._known, strict=True):
            if known is not None and _identity(path) != known:
                raise DatabaseFileReplaced("the database's file was deleted or replaced while it was open")

    def close(self) -> None:
        """Let go of them."""
        self._anchor.close()
        while self._held:
            os.close(self._held.pop())


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
