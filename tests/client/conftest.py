"""A server for the tests of one file, and two seats at a table of it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import pytest

from facedown.client import Seat, open_table, sit
from facedown.client import asking as requests
from tests.server.serving import PATIENCE, Server, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A running server."""
    with serving(tmp_path_factory.mktemp("data")) as running:
        yield running


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is lost is tried again at once."""
    monkeypatch.setattr(requests, "WAITS", (0.01, 0.02, 0.05))


def link_to(server: Server, seat: Seat) -> str:
    return f"{server.origin}/t/{seat.code}"


@contextlib.contextmanager
def two(server: Server, game: str = "detect", **more: Any) -> Iterator[tuple[Seat, Seat]]:
    """Ada, who opened a table, and Ben, who came by its link."""
    with (
        open_table(server.origin, game, "Ada", patience=PATIENCE, **more) as ada,
        sit(link_to(server, ada), "Ben", patience=PATIENCE) as ben,
    ):
        yield ada, ben
