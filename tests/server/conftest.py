"""A server for the tests of one file, and visitors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import httpx
import pytest

from tests.server.serving import Server, finished, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A running server."""
    with serving(tmp_path_factory.mktemp("data")) as running:
        yield running


@pytest.fixture(scope="module")
def over(server: Server) -> str:
    """The code of a finished match, which no test changes."""
    with server.client() as visitor:
        return finished(server, visitor).rsplit("/", 1)[1]


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
