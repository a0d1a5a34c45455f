"""A server for the tests of one file, and visitors."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import httpx
import pytest

from facedown.server.live.connection import Connection
from tests.server.serving import Server, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A running server."""
    with serving(tmp_path_factory.mktemp("data")) as running:
        yield running


@pytest.fixture
def visitor(server: Server) -> Iterator[Callable[[], httpx.Client]]:
    """Makes visitors, each with cookies of their own."""
    with ExitStack() as stack:
        yield lambda: stack.enter_context(server.client())


@pytest.fixture
def ada(visitor: Callable[[], httpx.Client]) -> httpx.Client:
    """A visitor."""
    return visitor()


@pytest.fixture
def ben(visitor: Callable[[], httpx.Client]) -> httpx.Client:
    """Another visitor."""
    return visitor()


@pytest.fixture
def greeted(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Set, when a line has said hello, for which a busy machine may take long: a silent one is closed only then."""
    greeted, listen = threading.Event(), Connection.listen
    monkeypatch.setattr(Connection, "listen", lambda line, now: greeted.is_set() and listen(line, now))
    return greeted
