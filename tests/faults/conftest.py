"""A PostgreSQL server that only one test kills."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.services import Postgres


@pytest.fixture
def own_postgres(postgres_programs: Path) -> Iterator[Postgres]:
    """A PostgreSQL server of the test's own."""
    with tempfile.TemporaryDirectory(prefix="facedown-postgres-", ignore_cleanup_errors=True) as name:
        server = Postgres(postgres_programs, Path(name))
        yield server
        server.stop()
