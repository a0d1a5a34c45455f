"""Writers of one process take turns: on SQLite, where one writes at a time, they wait for each other in our own lock.

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
