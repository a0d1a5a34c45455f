"""Some faults of every kind under load; ``python -m tests.faults`` lets many more go wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import SERVER_TIMES
from tests.faults.worlds import on_postgres, on_sqlite
from tests.server.serving import awaited
from tests.services import Postgres, Redis

pytestmark = [pytest.mark.nightly, pytest.mark.timeout(1200)]


def test_one_server_on_sqlite(tmp_path: Path, seed: int) -> None:
    outcome = awaited(on_sqlite(tmp_path, tables=6, faults=12 * SERVER_TIMES, seed=seed))
    print(outcome)
    assert not outcome.wrong, outcome.wrong
    assert outcome.acknowledged > 20
    assert outcome.pages_compared


@pytest.mark.postgres
@pytest.mark.redis
def test_two_servers_on_postgres_and_redis(
    tmp_path: Path, own_postgres: Postgres, redis_server: Redis, seed: int
) -> None:
    outcome = awaited(on_postgres(tmp_path, own_postgres, redis_server, tables=6, faults=14 * SERVER_TIMES, seed=seed))
    print(outcome)
    assert not outcome.wrong, outcome.wrong
    assert outcome.acknowledged > 20
    assert outcome.pages_compared
