"""Fixtures of the browser tests: a browser and a server for each test process, and a server for a single test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from facedown.server.process.server_settings import BotCatalogue, ServerSettings
from tests.browser import players
from tests.browser.offline_pages import PHONE, Drawn
from tests.browser.players import COMPLAINTS
from tests.conftest import seed_for
from tests.server.http_server import Server, serving

#: Pause before each bot move on a server with default settings, in seconds.
PAUSE: float = ServerSettings.model_fields["bot_delay"].default


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A running server. Tables of other tests may be on it."""
    with serving(tmp_path_factory.mktemp("table"), usual_loop=True, bots=BotCatalogue()) as running:
        yield running


@pytest.fixture(scope="session")
def paced_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A running server whose bots pause for the usual time (`PAUSE`) before a move."""
    folder = tmp_path_factory.mktemp("paced")
    with serving(folder, usual_loop=True, bots=BotCatalogue(), bot_delay=PAUSE) as running:
        yield running


@pytest.fixture
def fresh_server(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[players.Server]:
    """A server in its own process with an empty database. The test may kill it."""
    running = players.Server(tmp_path)
    running.deals.write_text(str(seed_for(request.node.nodeid)))
    yield running.start()
    running.stop()


@pytest.fixture
def browser(chromium_once: Browser) -> Iterator[Browser]:
    """Chromium. After a test, its windows are closed and `players.COMPLAINTS` must be empty."""
    COMPLAINTS.clear()
    try:
        yield chromium_once
        assert not COMPLAINTS, COMPLAINTS
    finally:
        COMPLAINTS.clear()
        for context in chromium_once.contexts:
            context.close()


@pytest.fixture
def drawn(browser: Browser, request: pytest.FixtureRequest) -> Drawn:
    """A window for drawn positions, of the test's `size` or the size of a phone."""
    return Drawn(browser, *(request.getfixturevalue("size") if "size" in request.fixturenames else PHONE))
