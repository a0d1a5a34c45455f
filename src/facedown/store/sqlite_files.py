"""Files of an SQLite database: private permissions, a lock against a second server, detection of replaced files.

The lock prevents two servers from using the same database at the same time.

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
    """Create the file if it is missing. A new file can be read and written only by its owner.

    What is done with an existing file depends on who has access to the file:

    * All users of the machine: an older version of this program created the file. Restrict the file to its owner.
    * Only the owner and a group: an operator has set that on purpose. Leave the file as it is.
    """
    try:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, OWNER_ONLY))
    except PermissionError:
        # The file cannot be written to; the database itself reports that error later.
        return
    restrict_to_owner(path)


def restrict_to_owner(path: Path) -> None:
    """Restrict a file to its owner if all users of the machine can read, write or execute it.

    In this case log a warning, whether or not the restriction succeeds. Leave the file as it is if only its owner and
    its group have access. Do nothing if the file is missing, or if the system has no POSIX permissions.
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
    """Create the file of an SQLite database if it is missing. A new file is accessible only to its owner.

    If all users of the machine have access to an existing database file, restrict it to its owner. Do the same for the
    files that SQLite adds next to it.
    """
    make_private_folder(path.parent)
    make_private_file(path)
    for ending in SQLITE_SUFFIXES[1:]:
        restrict_to_owner(path.with_name(path.name + ending))


@contextmanager
def lock_database(url: str) -> Iterator[None]:
    """Lock an SQLite database during the ``with`` block, so that no other server can use the database.

    Raise `StoreError` if another process holds the lock. The operating system releases the lock when the process ends
    for any reason. If `url` is not that of an SQLite file, nothing is done.
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
    """Return the number of the process that holds the lock file `path`, as the end of an error message.

    An example is " (process 4711)". The text is empty if the file does not have the number of a process.
    """
    try:
        number = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""
    return f" (process {number})" if number.isdigit() else ""


class Files:
    """Record of which files an open SQLite database has: the main file and its write-ahead log.

    With this record, `check_not_replaced` detects that a file was deleted, or replaced by another file of the same
    name. The record keeps a connection to the database open until `close` is called.
    """

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
