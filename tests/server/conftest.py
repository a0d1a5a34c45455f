"""A server for the tests of one file, and visitors."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from httpx import Client

from tests.server.http_server import (
    Live,
    Serve,
    Server,
    Visitor,
    code_of,
    finished,
    lobby,
    module_server,
    open_table,
    serving,
    shared_table,
)

#: A running server.
server = module_server()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Serve]:
    """Starts a server of the test's own, with some settings."""
    with ExitStack() as stack:
        yield lambda **settings: stack.enter_context(serving(tmp_path, **settings))


@pytest.fixture(scope="module")
def over(server: Server) -> str:
    """The code of a finished match, which no test changes."""
    with server.client() as visitor:
        return code_of(finished(server, visitor))


@pytest.fixture
def visitor(server: Server) -> Iterator[Visitor]:
    """Makes visitors, each with cookies of their own."""
    with ExitStack() as stack:
        yield lambda: stack.enter_context(server.client())


@pytest.fixture
def ada(visitor: Visitor) -> Client:
    return visitor()


@pytest.fixture
def ben(visitor: Visitor) -> Client:
    return visitor()


@pytest.fixture
def live(server: Server, ada: Client) -> Iterator[Live]:
    """Ada's page of a table of Detect with a bot."""
    with Live(server, ada, open_table(ada, "low")) as page:
        yield page


@pytest.fixture
def pair(server: Server, ada: Client, ben: Client) -> Iterator[list[Live]]:
    """The pages of Ada and Ben in the lobby of a table of Detect."""
    with lobby(server, shared_table(ada, ben), ada, ben) as pages:
        yield pages


@pytest.fixture
def quiet_log(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Nothing that a test does comes to a warning in the log."""
    yield
    # What was logged while the test itself ran, and at its end, where `caplog` has begun anew.
    records = [*caplog.get_records("call"), *caplog.records]
    assert [record.getMessage() for record in records if record.levelno >= logging.WARNING] == []
