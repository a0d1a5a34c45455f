"""A server for the tests of one file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.server.serving import Server, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A running server."""
    with serving(tmp_path_factory.mktemp("data")) as running:
        yield running
