"""Transactions. Writers of one process take turns: on SQLite, where one writes at a time, they wait in our own lock.

SQLite's waiting is a sleep and a look, again and again, and who comes looks first: among many that write, one may find
the lock taken each time until its patience is over, though nobody held it for long.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager
from weakref import WeakKeyDictionary

from sqlalchemy.engine import Connection, Engine

from facedown.store.health import READ_ONLY

_LOCKS: WeakKeyDictionary[Engine, threading.Lock] = WeakKeyDictionary()
_MAKING = threading.Lock()


def _turn(engine: Engine) -> AbstractContextManager[object]:
    if engine.dialect.name != "sqlite":
        return contextlib.nullcontext()
    with _MAKING:
        return _LOCKS.setdefault(engine, threading.Lock())


@contextlib.contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """A transaction that writes, when it is its turn."""
    with _turn(engine), engine.begin() as connection:
        yield connection


@contextlib.contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A transaction that only reads, and keeps no writer waiting."""
    with engine.connect().execution_options(**{READ_ONLY: True}) as connection, connection.begin():
        yield connection
