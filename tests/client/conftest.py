"""Fixtures: a server for the tests of one file, and two seats at one of its tables."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import pytest

from facedown.client import Seat, open_table, sit
from facedown.client import http_requests as requests
from tests.server.http_server import PATIENCE, Server, module_server

#: A running server.
server = module_server()


@pytest.fixture
def fast_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retry lost requests after a very short time."""
    monkeypatch.setattr(requests, "WAITS", (0.01, 0.02, 0.05))


def link_to(server: Server, code: str) -> str:
    return f"{server.origin}/t/{code}"


@contextlib.contextmanager
def two_seats(server: Server, game: str = "detect", **more: Any) -> Iterator[tuple[Seat, Seat]]:
    """Open a table as Ada and sit down as Ben by its link. Yields both seats."""
    with (
        open_table(server.origin, game, "Ada", patience=PATIENCE, **more) as ada,
        sit(link_to(server, ada.code), "Ben", patience=PATIENCE) as ben,
    ):
        yield ada, ben
