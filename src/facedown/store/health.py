"""Is the database still the one that was opened, and can it be written to? Looked at before and after every commit.

SQLite writes on without a word when its file was deleted or another was put in its place: what is acknowledged then is
gone with the process. So the files at the path are compared with those that were opened. All of it costs two calls to
the file system a transaction.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import OperationalError

from facedown.store.trouble import Unsound, word_of

#: How long a writer waits for SQLite's one lock, in seconds.
PATIENCE = 2.0
#: After one has waited in vain, the others are refused at once, but for one that tries so long, so often.
PROBE = 0.1
#: An execution option: this transaction only reads, so that on SQLite it does not wait for a writer.
READ_ONLY = "facedown_reads"


class Patience:
    """How long the writers of a process wait for a lock that somebody else holds.

    The first one waits as long as it may. Those that come behind it would wait as long again, each after the other:
    once somebody has waited in vain they are told so at once, until the lock can be had again.
    """

    def __init__(self, full: float = PATIENCE, clock: Callable[[], float] = time.monotonic) -> None:
        self.full = full
        self._clock = clock
        self._failed: float | None = None

    def left(self) -> float:
        """How long the next writer waits, in seconds."""
        failed = self._failed
        if failed is None:
            return self.full
        return PROBE if self._clock() - failed > PROBE else 0.0

    def had(self) -> None:
        """The lock was had."""
        self._failed = None

    def in_vain(self) -> None:
        """Somebody has waited in vain."""
        self._failed = self._clock()


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
        """`Unsound` if another file, or none, lies at the path now."""
        for path, known in zip(self._paths, self._known, strict=True):
            if known is not None and _identity(path) != known:
                raise Unsound("the database's file was deleted or replaced while it was open")

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


class Health:
    """What is known of how an engine's database fares."""

    def __init__(self, engine: Engine) -> None:
        self.errors: Counter[str] = Counter()
        """How often the database refused, by `trouble.word_of`."""
        self._thread = threading.local()
        self.files: Files | None = None
        path = _file_of(engine)
        if path is not None:
            self.files = Files(path)
            # SQLite would make an empty file where there is none, or open another that lies there now.
            sa.event.listen(engine, "do_connect", self._connecting)
            sa.event.listen(engine, "connect", self._connecting)
        sa.event.listen(engine, "commit", self._committing)
        sa.event.listen(engine, "handle_error", self._failed)

    def close(self) -> None:
        """Let go of the files; all connections are closed already."""
        if self.files is not None:
            self.files.close()

    def sound(self) -> None:
        """`Unsound` if what is written now would be lost."""
        if self.files is None:
            return
        try:
            self.files.check()
        except Unsound:
            self.errors["lost"] += 1
            raise

    def _connecting(self, *_: object) -> None:
        self.sound()

    @property
    def committing(self) -> bool:
        """Had the last transaction of this thread come to its commit? Then it may stand, whatever came afterwards."""
        return bool(getattr(self._thread, "committing", False))

    def begin(self) -> None:
        """A transaction that writes begins in this thread."""
        self._thread.committing = False

    def _committing(self, connection: Connection) -> None:
        if not connection.get_execution_options().get(READ_ONLY):
            self.sound()
            self._thread.committing = True

    def _failed(self, context: Any) -> None:
        self.errors[word_of(context.sqlalchemy_exception or context.original_exception)] += 1


def _file_of(engine: Engine) -> Path | None:
    """The file of an SQLite database, if it has one."""
    named = engine.url.database
    if engine.dialect.name != "sqlite" or not named or named == ":memory:" or named.startswith("file:"):
        return None
    return Path(named)


def begin_sqlite(patience: Patience) -> Callable[[Connection], None]:
    """Begins transactions on SQLite: a reader waits for nobody, a writer takes its lock at once."""

    def begin(connection: Connection) -> None:
        if connection.get_execution_options().get(READ_ONLY):
            connection.exec_driver_sql("BEGIN")
            return
        _wait_at_most(connection, patience.left())
        try:
            # One that reads first and writes later could be refused in the middle.
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        except OperationalError as wrong:
            if word_of(wrong) == "locked":
                patience.in_vain()
            raise
        patience.had()

    return begin


def _wait_at_most(connection: Connection, seconds: float) -> None:
    if connection.info.get("waits") != seconds:
        connection.exec_driver_sql(f"PRAGMA busy_timeout={round(seconds * 1000)}")
        connection.info["waits"] = seconds
