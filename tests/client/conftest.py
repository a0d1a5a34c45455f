"""A server for the tests of one file, and two seats at a table of it."""

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
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is lost is tried again at once."""
    monkeypatch.setattr(requests, "WAITS", (0.01, 0.02, 0.05))


def link_to(server: Server, code: str) -> str:
    return f"{server.origin}/t/{code}"


@contextlib.contextmanager
def two(server: Server, game: str = "detect", **more: Any) -> Iterator[tuple[Seat, Seat]]:
    """Ada, who opened a table, and Ben, who came by its link."""
    with (
        open_table(server.origin, game, "Ada", patience=PATIENCE, **more) as ada,
        sit(link_to(server, ada.code), "Ben", patience=PATIENCE) as ben,
    ):
        yield ada, ben
