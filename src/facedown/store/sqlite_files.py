"""Files of an SQLite database: private permissions, a lock for one server, and detection of replaced files.

The files are secret, because they contain the seeds of running matches, which determine every card.
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

#: Permission bits of a file that give access to all users of the machine.
EVERYBODY = stat.S_IRWXO
OWNER_ONLY = 0o600
#: Suffixes of the files that make up an SQLite database.
SQLITE_SUFFIXES = ("", "-wal", "-shm")


def make_private_folder(path: Path) -> None:
    """Create a folder that only its owner can access. An existing folder keeps its permissions."""
    if not path.is_dir():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.mkdir(mode=0o700, exist_ok=True)


def make_private_file(path: Path) -> None:
    """Create a file if it is missing, and withdraw access to it from other users.

    If all users can read a file, an older version of this program created it, so it is restricted to its owner. If only
    a group can read it, an operator has set that on purpose, so it stays as it is.
    """
    try:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, OWNER_ONLY))
    except PermissionError:
        # The file cannot be written to; the database itself reports that error later.
        return
    restrict_to_owner(path)


def restrict_to_owner(path: Path) -> None:
    """Restrict a file to its owner if all users have access to it. In that case log a warning, even if the restriction
    fails.
    """
    if os.name != "posix" or not path.exists() or not path.stat().st_mode & EVERYBODY:
        return
    try:
        path.chmod(OWNER_ONLY)
    except OSError as wrong:
        log.warning("everyone can read %s, which contains secrets: %s", path, wrong.strerror)
    else:
        log.warning("everyone could read %s, which contains secrets; now only its owner can", path)


def make_private_database(path: Path) -> None:
    """Create a database file if it is missing, and withdraw access by other users to it and to SQLite's files next to
    it.
    """
    make_private_folder(path.parent)
    make_private_file(path)
    for ending in SQLITE_SUFFIXES[1:]:
        restrict_to_owner(path.with_name(path.name + ending))


@contextmanager
def lock_database(url: str) -> Iterator[None]:
    """Lock an SQLite database for one server process. Raise `StoreError` if another process holds the lock.

    Other databases need no lock. The operating system releases the lock when the process ends for any reason.
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
        raise StoreError(f"another Facedown server uses this database{_lock_holder(path)}") from None
    except OSError as wrong:
        raise StoreError(f"the database cannot be locked with {path}: {wrong.strerror}") from wrong
    with held:
        with contextlib.suppress(OSError):
            path.write_text(f"{os.getpid()}\n", encoding="ascii")
        yield


def _lock_holder(path: Path) -> str:
    """Return a text for an error message about the process that holds a lock; empty if the process is unknown."""
    try:
        number = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""
    return f" (process {number})" if number.isdigit() else ""


class Files:
    """The open files of an SQLite database: the main file and its write-ahead log."""

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        # While a connection is open, SQLite does not delete the write-ahead log. So if the log is missing, a person or
        # another program has deleted it.
        self._anchor = sqlite3.connect(self.path, check_same_thread=False)
        self._anchor.execute("SELECT count(*) FROM sqlite_master").fetchone()
        self._paths = (self.path, self.path.with_name(self.path.name + "-wal"))
        self._known = [_identity(path) for path in self._paths]
        # Hold the files open, because the system could give a new file the inode number of a deleted one, and both
        # would look the same. Closing a normal file descriptor would drop SQLite's own locks, so `O_PATH` is used.
        held = getattr(os, "O_PATH", None)
        self._held = [] if held is None else [os.open(path, held) for path in self._paths if path.exists()]

    def check(self) -> None:
        """Raise `DatabaseFileReplaced` if a file was deleted or replaced."""
        for path, known in zip(self._paths, self._known, strict=True):
            if known is not None and _identity(path) != known:
                raise DatabaseFileReplaced("the database file was deleted or replaced while it was open")

    def close(self) -> None:
        """Release the open connection and file descriptors."""
        self._anchor.close()
        while self._held:
            os.close(self._held.pop())


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
