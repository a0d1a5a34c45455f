"""A server and a browser for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.people import Server, chromium


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A running server with an empty database."""
    running = Server(tmp_path)
    try:
        yield running.start()
    finally:
        running.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium, once for all tests."""
    with chromium() as found:
        yield found
