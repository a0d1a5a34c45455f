"""Fixtures: a database as an SQLite file or in PostgreSQL."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from facedown.store import Repository, engine, url_of
from facedown.store.engine import LockWait
from tests.not_none import given


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return url_of(tmp_path)
    found: str = request.getfixturevalue("postgres_url")
    return found


@pytest.fixture
def open_repository(url: str) -> Iterator[Callable[[], Repository]]:
    """Return a function that opens the database. All are closed at the end."""
    opened: list[Repository] = []

    def make() -> Repository:
        opened.append(Repository(url))
        return opened[-1]

    yield make
    for repository in opened:
        repository.close()


@contextmanager
def served_elsewhere(url: str) -> Iterator[subprocess.Popen[str]]:
    """Run another process that serves the database until the block ends."""
    script = (
        "from facedown.store.sqlite_files import lock_database\n"
        f"with lock_database({url!r}): print(flush=True); input()"
    )
    command = [sys.executable, "-c", script]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert given(holder.stdout).readline() == "\n"
        yield holder


@pytest.fixture
def long_lock_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    """Raise the lock timeout: on a busy machine another writer may take longer than two seconds."""
    monkeypatch.setattr(engine, "PATIENCE", 180.0)
    monkeypatch.setattr(engine, "LockWait", lambda: LockWait(180.0))


@pytest.fixture
def repository(open_repository: Callable[[], Repository]) -> Repository:
    return open_repository()
