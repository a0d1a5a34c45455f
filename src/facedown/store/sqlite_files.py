"""Files of an SQLite database: private permissions, a lock for one server, and detection of replaced files.

The files must be kept secret, because they contain the seeds of running matches. A seed determines every card.
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

from facedown.store.database_url import sqlite_file_of
from facedown.store.errors import DatabaseFileReplaced, StoreError

log = logging.getLogger("facedown.store")

#: Permission bits of a file that give access to users of the machine who are neither its owner nor in its group.
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

    If all users have access to an existing file, an older version of this program created it, so it is restricted to
    its owner. If only a group has access, an operator has set that on purpose, so the file stays as it is.
    """
    try:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, OWNER_ONLY))
    except PermissionError:
        # The file cannot be written to; the database itself reports that error later.
        return
    restrict_to_owner(path)


def restrict_to_owner(path: Path) -> None:
    """If all users have access to a file, restrict it to its owner and log a warning, even if the restriction fails."""
    if os.name != "posix" or not path.exists() or not path.stat().st_mode & EVERYBODY:
        return
    try:
        path.chmod(OWNER_ONLY)
    except OSError as wrong:
        log.warning("everyone can read %s, which contains secrets: %s", path, wrong.strerror)
    else:
        log.warning("everyone could read %s, which contains secrets; now only its owner can", path)


def make_private_database(path: Path) -> None:
    """Create the file of an SQLite database if it is missing, and withdraw access to it from other users.

    Access to the files that SQLite adds next to it is withdrawn too.
    """
    make_private_folder(path.parent)
    make_private_file(path)
    for ending in SQLITE_SUFFIXES[1:]:
        restrict_to_owner(path.with_name(path.name + ending))


@contextmanager
def lock_database(url: str) -> Iterator[None]:
    """Lock an SQLite database for one server process during the ``with`` block. Raise `StoreError` if another process
    holds the lock.

    For other databases nothing is done. The operating system releases the lock when the process ends for any reason.
    """
    file = sqlite_file_of(url)
    if file is None:
        yield
        return
    path = file.with_name(file.name + ".lock")
    try:
        make_private_folder(file.parent)
        held = FileLock(path, timeout=0, mode=OWNER_ONLY).acquire()
    except Timeout:
        raise StoreError(f"another Facedown server uses this database{_lock_holder_text(path)}") from None
    except OSError as wrong:
        raise StoreError(f"the database cannot be locked with {path}: {wrong.strerror}") from wrong
    with held:
        with contextlib.suppress(OSError):
            path.write_text(f"{os.getpid()}\n", encoding="ascii")
        yield


def _lock_holder_text(path: Path) -> str:
    """Return a text about the process that holds a lock, to be appended to an error message; empty if the process is
    unknown.
    """
    try:
        number = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""
    return f" (process {number})" if number.isdigit() else ""


class Files:
    """The files of an open SQLite database (the main file and its write-ahead log), to notice if one is replaced."""

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        # This connection stays open, because then SQLite does not delete the write-ahead log. So if the log is missing,
        # a person or another program has deleted it.
        self._anchor = sqlite3.connect(self.path, check_same_thread=False)
        self._anchor.execute("SELECT count(*) FROM sqlite_master").fetchone()
        self._paths = (self.path, self.path.with_name(self.path.name + "-wal"))
        self._known = [_device_and_inode(path) for path in self._paths]
        # Hold the files open, because the system could give a new file the inode number of a deleted one, and both
        # would look the same. Closing a normal file descriptor would drop SQLite's own locks, so `O_PATH` is used.
        held = getattr(os, "O_PATH", None)
        self._held = [] if held is None else [os.open(path, held) for path in self._paths if path.exists()]

    def check_not_replaced(self) -> None:
        """Raise `DatabaseFileReplaced` if a file was deleted or replaced since this object was created."""
        for path, known in zip(self._paths, self._known, strict=True):
            if known is not None and _device_and_inode(path) != known:
                raise DatabaseFileReplaced("the database file was deleted or replaced while it was open")

    def close(self) -> None:
        """Release the open connection and file descriptors."""
        self._anchor.close()
        while self._held:
            os.close(self._held.pop())


def _device_and_inode(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
