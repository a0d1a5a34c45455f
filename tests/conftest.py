"""What all tests share: seeds that are printed and can be given again, and the programs that some tests need."""

from __future__ import annotations

import gc
import hashlib
import logging
import os
import secrets
import shutil
import signal
import tempfile
from collections.abc import Container, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hypothesis
import numpy as np
import pytest
from structlog.stdlib import ProcessorFormatter

from facedown.check.chromium import find_chromium
from facedown.store import url_of
from tests.services import Postgres, Redis, redis_program

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).resolve().parent.parent
#: In continuous integration nothing may be left out for want of a program.
STRICT = os.environ.get("CI", "") not in ("", "0", "false")
#: How many times as long the slow tests look as in continuous integration: before a release, 20.
TIMES = int(os.environ.get("FACEDOWN_TEST_TIMES") or 1)
SEED = int(os.environ.get("FACEDOWN_TEST_SEED") or secrets.randbits(48))

hypothesis.settings.register_profile("everyday", deadline=None, print_blob=True, derandomize=False)
hypothesis.settings.register_profile("long", parent=hypothesis.settings.get_profile("everyday"), max_examples=1000)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "everyday"))


if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell that runs the tests in the background leaves them deaf to Ctrl-C, and so every program that they start.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_report_header() -> str:
    """Say how to draw the same random cases again."""
    return f"random seed: {SEED} (again with FACEDOWN_TEST_SEED={SEED})"


def seed_for(name: str) -> int:
    """The seed of a test in this run."""
    return int.from_bytes(hashlib.sha256(f"{SEED} {name}".encode()).digest()[:8], "little")


def mostly(values: Iterable[Any], daily: Container[Any], one: bool = False) -> list[Any]:
    """Parameters of a test of which only the `daily` are looked at every day, the others in the long run.

    A tuple holds several parameters, unless it is `one`.
    """
    return [
        value
        if value in daily
        else pytest.param(*(value if isinstance(value, tuple) and not one else (value,)), marks=pytest.mark.slow)
        for value in values
    ]


@pytest.fixture(autouse=True)
def logging_as_before() -> Iterator[None]:
    """How a command lets its whole process log ends with the test: its stream is closed then."""
    loggers = [logging.getLogger(name) for name in ("", "facedown")]
    levels = [logger.level for logger in loggers]
    yield
    for logger, level in zip(loggers, levels, strict=True):
        logger.setLevel(level)
    for handler in logging.getLogger().handlers[:]:
        if isinstance(handler.formatter, ProcessorFormatter):
            logging.getLogger().removeHandler(handler)


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> int:
    """A random seed of the test's own; printed, so that a failure shows it."""
    found = seed_for(request.node.nodeid)
    print(f"seed of this test: {found} (run: FACEDOWN_TEST_SEED={SEED})")
    return found


@pytest.fixture
def rng(seed: int) -> np.random.Generator:
    """A random generator of the test's own, from `seed`."""
    return np.random.default_rng(seed)


def find_postgres() -> Path | None:
    """The folder of PostgreSQL's programs, the newest version first."""
    on_path = shutil.which("postgres")
    if on_path:
        return Path(on_path).parent
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda p: -int(p.parent.parent.name))
    return folders[0].parent if folders else None


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of Chromium, for tests marked ``browser``."""
    found = find_chromium()
    assert found is not None, "Chromium is not installed (or name it in FACEDOWN_CHROMIUM)"
    return found


@pytest.fixture(scope="session")
def chromium_once() -> Iterator[Browser]:
    """Chromium, started once for all tests of a process: a second one would meet the loop of the first."""
    from tests.browser.people import chromium

    with chromium() as found:
        yield found


@pytest.fixture(scope="session")
def postgres_programs() -> Path:
    """The folder with ``initdb`` and ``postgres``, for tests marked ``postgres``."""
    found = find_postgres()
    assert found is not None, "PostgreSQL is not installed"
    return found


@pytest.fixture(scope="session")
def postgres_server(postgres_programs: Path) -> Iterator[Postgres]:
    """A PostgreSQL server that lives as long as the test run.

    Its folder is its own: pytest's are shared between runs, closed to PostgreSQL's user, and cleared by later runs.
    """
    with tempfile.TemporaryDirectory(prefix="facedown-postgres-", ignore_cleanup_errors=True) as name:
        server = Postgres(postgres_programs, Path(name))
        yield server
        server.stop()


@pytest.fixture
def postgres_url(postgres_server: Postgres, request: pytest.FixtureRequest) -> str:
    """The address of an empty PostgreSQL database."""
    return url_of(postgres_server.new_database(f"t{seed_for(request.node.nodeid):x}"))


@pytest.fixture
def redis_server(tmp_path: Path) -> Iterator[Redis]:
    """A Redis or Valkey server of the test's own."""
    program = redis_program()
    assert program is not None, "neither Redis nor Valkey is installed"
    server = Redis(program, tmp_path)
    yield server
    server.end()


def at_length(item: pytest.Item) -> str:
    """The name that a test's longer sister would have."""
    name, bracket, parameters = item.nodeid.partition("[")
    return f"{name}_at_length{bracket}{parameters}"


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Collect without looking for garbage: what is collected lives to the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
    """The longest first; leave out what this machine cannot run, and say so (in continuous integration let it fail)."""
    yield
    # What is tested at length is not tested shortly, too.
    names = {item.nodeid for item in items}
    short = [item for item in items if at_length(item) in names]
    if short:
        config.hook.pytest_deselected(items=short)
        items[:] = [item for item in items if item not in short]
    # Whatever may take long says so by its timeout: begun last, it would keep everything waiting.
    items.sort(key=lambda item: -(mark.args[0] if (mark := item.get_closest_marker("timeout")) else 0))
    if STRICT:
        return
    missing = {
        "browser": None if find_chromium() else "Chromium is not installed",
        "postgres": None if find_postgres() else "PostgreSQL is not installed",
        "redis": None if redis_program() else "neither Redis nor Valkey is installed",
    }
    for item in items:
        for marker, reason in missing.items():
            if reason and item.get_closest_marker(marker):
                item.add_marker(pytest.mark.skip(reason=reason))
