"""A browser and a server for the tests of one process; a server of its own for a test that needs one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.drawn import OPENED
from tests.browser.people import Server
from tests.conftest import seed_for

#: The servers that run now.
SERVERS: list[Server] = []


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A running server, which other tests have left tables on."""
    yield from _served(tmp_path_factory.mktemp("table"))


@pytest.fixture(scope="session")
def paced_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A running server whose bots pause as long as they do for everybody."""
    yield from _served(tmp_path_factory.mktemp("paced"), None)


@pytest.fixture
def fresh_server(tmp_path: Path) -> Iterator[Server]:
    """A server of one's own with an empty database: it may be killed, and nothing else keeps it busy."""
    yield from _served(tmp_path)


def _served(folder: Path, pace: float | None = 0) -> Iterator[Server]:
    running = Server(folder, pace)
    SERVERS.append(running)
    try:
        yield running.start()
    finally:
        SERVERS.remove(running)
        running.stop()


@pytest.fixture(autouse=True)
def fixed_deals_of_servers(request: pytest.FixtureRequest) -> None:
    """Let every server of these tests deal by the seed of the test that runs."""
    for running in SERVERS:
        running.deals.write_text(str(seed_for(request.node.nodeid)))


@pytest.fixture
def browser(chromium_once: Browser) -> Iterator[Browser]:
    """Chromium; after a test its windows are closed, and no script of a drawn page may have failed."""
    try:
        yield chromium_once
        assert not (wrong := [drawn.complaints for drawn in OPENED if drawn.complaints]), wrong
    finally:
        OPENED.clear()
        for context in chromium_once.contexts:
            context.close()
