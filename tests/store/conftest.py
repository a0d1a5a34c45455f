"""A database to write into: an SQLite file, and a PostgreSQL server of the test run's own."""

from __future__ import annotations

import os
import pwd
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from facedown.store import Repository, url_of


def _programs_user() -> int | None:
    """PostgreSQL refuses to run as root: the number of the user it runs as then."""
    return pwd.getpwnam("postgres").pw_uid if os.geteuid() == 0 else None


@pytest.fixture(scope="session")
def postgres(postgres_programs: Path) -> Iterator[str]:
    """The address of a PostgreSQL server that lives as long as the test run, with ``{}`` for a database's name.

    Its folder is its own: pytest's are shared between runs, closed to PostgreSQL's user, and cleared by later runs.
    """
    with tempfile.TemporaryDirectory(prefix="facedown-postgres-", ignore_cleanup_errors=True) as name:
        yield from _serve_postgres(postgres_programs, Path(name))


def _serve_postgres(programs: Path, folder: Path) -> Iterator[str]:
    user = _programs_user()
    data = folder / "data"
    data.mkdir()
    if user is not None:
        for path in (folder, data):
            os.chown(path, user, -1)
    binaries = programs
    real = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not (binaries / "initdb").exists() and real:
        binaries = real[-1].parent

    def call(*command: str) -> None:
        subprocess.run(command, check=True, user=user, cwd=folder, capture_output=True, timeout=120)

    call(str(binaries / "initdb"), "-D", str(data), "-U", "facedown", "-A", "trust", "-E", "UTF8", "--no-sync")
    # A socket in its folder instead of a port that somebody else might take.
    options = f"-h '' -k {folder} -F"
    log = str(folder / "log")
    call(str(binaries / "pg_ctl"), "-D", str(data), "-o", options, "-l", log, "-w", "-t", "60", "start")
    try:
        yield f"postgresql://facedown@/{{}}?host={folder}"
    finally:
        call(str(binaries / "pg_ctl"), "-D", str(data), "-m", "immediate", "stop")


@pytest.fixture
def postgres_url(postgres: str, request: pytest.FixtureRequest) -> str:
    """The address of an empty PostgreSQL database."""
    name = f"t{abs(hash(request.node.nodeid)):x}"
    server = sa.create_engine(url_of(postgres.format("postgres")), isolation_level="AUTOCOMMIT")
    with server.connect() as connection:
        connection.execute(sa.text(f'DROP DATABASE IF EXISTS "{name}"'))
        connection.execute(sa.text(f'CREATE DATABASE "{name}"'))
    server.dispose()
    return url_of(postgres.format(name))


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database, of either kind."""
    if request.param == "sqlite":
        return url_of(tmp_path)
    found: str = request.getfixturevalue("postgres_url")
    return found


@pytest.fixture
def open_repository(url: str) -> Iterator[Callable[[], Repository]]:
    """Open the database, as often as is wanted; all are closed at the end."""
    opened: list[Repository] = []

    def make() -> Repository:
        opened.append(Repository(url))
        return opened[-1]

    yield make
    for repository in opened:
        repository.close()


@pytest.fixture
def repository(open_repository: Callable[[], Repository]) -> Repository:
    """An open database with nothing in it."""
    return open_repository()
