"""Fixtures of all tests: seeds, browsers, and database servers."""

from __future__ import annotations

import gc
import hashlib
import logging
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis
import numpy as np
import pytest
from filelock import FileLock
from structlog.stdlib import ProcessorFormatter

from facedown.check.launch_chromium import find_chromium
from facedown.core import seeds
from facedown.store import url_of
from tests import folder_time_report
from tests.database_servers import Postgres, Redis, find_postgres, redis_program
from tests.nightly_selection import (
    missing_line,
    pytest_addoption,
    pytest_collection_modifyitems,
)
from tests.seeds_by_test_name import FixedDeals

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["pytest_addoption", "pytest_collection_modifyitems"]

ROOT = Path(__file__).resolve().parent.parent
#: Factor for the number of cases in long tests; `check.py --nightly` sets it.
TIMES = int(os.environ.get("FACEDOWN_TEST_TIMES") or 1)
#: The factor for long tests of servers, each case of which takes seconds.
SERVER_TIMES = min(TIMES, 3)
#: The seed of all random choices in tests: fixed, except in `check.py --nightly`, which draws one.
SEED = int(os.environ.get("FACEDOWN_TEST_SEED") or 1)
#: Whether this process runs tests for another pytest process.
WORKER = "PYTEST_XDIST_WORKER" in os.environ

hypothesis.settings.register_profile("fixed", deadline=None, print_blob=True, derandomize=True)
hypothesis.settings.register_profile("random", deadline=None, print_blob=True, derandomize=False)
hypothesis.settings.load_profile("random" if os.environ.get("FACEDOWN_TEST_SEED") else "fixed")


if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell that runs the tests in the background makes them, and all programs that they start, ignore Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_report_header() -> str:
    """Print the seed with which the same cases are drawn again."""
    return f"seed: {SEED} (the same cases again: FACEDOWN_TEST_SEED={SEED})"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the time of each folder with its budget, and the tests that this machine could not run."""
    reports = [r for found in terminalreporter.stats.values() for r in found if isinstance(r, pytest.TestReport)]
    lines = folder_time_report.table(reports, config.getoption("tier"))
    if len(lines) > folder_time_report.LEAST_LINES:
        terminalreporter.section("time by folder")
        terminalreporter.write("\n".join(lines) + "\n")
    skipped = [str(report.longrepr[2]) for report in reports if report.skipped and isinstance(report.longrepr, tuple)]
    if line := missing_line(skipped):
        terminalreporter.write_line(line, yellow=True)


def seed_for(name: str) -> int:
    """Return the seed of a test in this run."""
    return int.from_bytes(hashlib.sha256(f"{SEED} {name}".encode()).digest()[:8], "little")


@pytest.fixture(autouse=True)
def restore_logging() -> Iterator[None]:
    """Undo logging settings of commands, because their stream is closed after the test."""
    loggers = [logging.getLogger(name) for name in ("", "facedown")]
    levels = [logger.level for logger in loggers]
    yield
    for logger, level in zip(loggers, levels, strict=True):
        logger.setLevel(level)
    for handler in logging.getLogger().handlers[:]:
        if isinstance(handler.formatter, ProcessorFormatter):
            logging.getLogger().removeHandler(handler)


@pytest.fixture(autouse=True)
def fixed_deals(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw the seeds of new matches from the test's own seed instead of the operating system."""
    text = str(seed_for(request.node.nodeid))
    monkeypatch.setattr(seeds, "secrets", FixedDeals(lambda: text))


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> int:
    """A seed for this test; it is printed, so that a failure shows it."""
    found = seed_for(request.node.nodeid)
    print(f"seed of this test: {found} (run: FACEDOWN_TEST_SEED={SEED})")
    return found


@pytest.fixture
def rng(seed: int) -> np.random.Generator:
    """A random generator for this test, from `seed`."""
    return np.random.default_rng(seed)


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of Chromium, for tests marked ``browser``."""
    found = find_chromium()
    assert found is not None, "Chromium is not installed (or name it in FACEDOWN_CHROMIUM)"
    return found


@pytest.fixture(scope="session")
def chromium_once() -> Iterator[Browser]:
    """Chromium, started once per process, because a second one would use the event loop of the first."""
    from tests.browser.players import chromium

    with chromium() as found:
        yield found


@pytest.fixture(scope="session")
def postgres_programs() -> Path:
    """The folder with ``initdb`` and ``postgres``, for tests marked ``postgres``."""
    found = find_postgres()
    assert found is not None, "PostgreSQL is not installed"
    return found


@pytest.fixture(scope="session")
def postgres_server(postgres_programs: Path, tmp_path_factory: pytest.TempPathFactory) -> Postgres:
    """One PostgreSQL server for all processes of a test run; `pytest_sessionfinish` stops it.

    Its folder is not one of pytest's, because PostgreSQL's user cannot enter those, and later runs delete them.
    """
    note = shared_folder(tmp_path_factory) / "postgres"
    with FileLock(f"{note}.lock"):
        if note.exists():
            return Postgres(postgres_programs, Path(note.read_text()), made=True)
        server = Postgres(postgres_programs, Path(tempfile.mkdtemp(prefix="facedown-postgres-")))
        note.write_text(str(server.folder))
    return server


@pytest.fixture
def own_postgres(postgres_programs: Path) -> Iterator[Postgres]:
    """A PostgreSQL server that a single test may stop and kill."""
    with tempfile.TemporaryDirectory(prefix="facedown-own-", ignore_cleanup_errors=True) as name:
        server = Postgres(postgres_programs, Path(name))
        yield server
        server.stop()


def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that all processes of this test run share."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if WORKER else base


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Stop the PostgreSQL server of this run, if a test started it."""
    factory: pytest.TempPathFactory = session.config._tmp_path_factory  # type: ignore[attr-defined]
    programs = find_postgres()
    if WORKER or programs is None or not (note := factory.getbasetemp() / "postgres").exists():
        return
    server = Postgres(programs, Path(note.read_text()), made=True)
    server.stop()
    shutil.rmtree(server.folder)


@pytest.fixture
def postgres_url(postgres_server: Postgres, request: pytest.FixtureRequest) -> str:
    """The URL of an empty PostgreSQL database."""
    return url_of(postgres_server.new_database(f"t{seed_for(request.node.nodeid):x}"))


@pytest.fixture
def redis_server(tmp_path: Path) -> Iterator[Redis]:
    """A Redis or Valkey server for one test."""
    program = redis_program()
    assert program is not None, "neither Redis nor Valkey is installed"
    server = Redis(program, tmp_path)
    yield server
    server.end()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Exclude collected tests from garbage collection: they live to the end, and outnumber the objects of a test."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()
