"""Fixtures: a server for the tests of one file, and its visitors."""

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
def start_server(tmp_path: Path) -> Iterator[Serve]:
    """Return a function that starts a server of its own for the test, with given settings."""
    with ExitStack() as stack:
        yield lambda **settings: stack.enter_context(serving(tmp_path, **settings))


@pytest.fixture(scope="module")
def finished_code(server: Server) -> str:
    """The code of a finished match that no test changes."""
    with server.client() as visitor:
        return code_of(finished(server, visitor))


@pytest.fixture
def visitor(server: Server) -> Iterator[Visitor]:
    """Return a function that makes visitors with separate cookies."""
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
    """The WebSocket of Ada at a table of Detect with a bot."""
    with Live(server, ada, open_table(ada, "low")) as page:
        yield page


@pytest.fixture
def pair(server: Server, ada: Client, ben: Client) -> Iterator[list[Live]]:
    """The WebSockets of Ada and Ben in the lobby of a table of Detect."""
    with lobby(server, shared_table(ada, ben), ada, ben) as pages:
        yield pages


@pytest.fixture
def quiet_log(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Check that the test logs no warning or error."""
    yield
    # Records of the test itself, and of its teardown, for which `caplog` starts with an empty list.
    records = [*caplog.get_records("call"), *caplog.records]
    assert [record.getMessage() for record in records if record.levelno >= logging.WARNING] == []
