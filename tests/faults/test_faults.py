"""Faults of every kind at random moments while players play. Afterwards everything is compared."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from tests.conftest import SERVER_TIMES
from tests.database_servers import Postgres, Redis
from tests.faults.fault_run import Outcome, run_with_faults
from tests.faults.faults import FaultTarget
from tests.faults.server_group import ServerGroup, ServerProcess
from tests.server.http_server import run_with_manual_clock

pytestmark = [pytest.mark.nightly, pytest.mark.timeout(1200)]


def check(outcome: Outcome) -> None:
    """Check that nothing was lost, doubled or shown wrongly, and that enough was played."""
    print(outcome)
    assert not outcome.wrong, outcome.wrong
    assert outcome.acknowledged > 20
    assert outcome.taken_back
    assert outcome.answered
    assert outcome.pages_compared


def test_one_server_on_sqlite_loses_no_acknowledged_move_under_random_faults(tmp_path: Path, seed: int) -> None:
    file = tmp_path / "facedown.sqlite3"
    with ServerGroup([ServerProcess(str(file), tmp_path / "server.log")]) as group:
        make = partial(FaultTarget, sqlite=file)
        check(run_with_manual_clock(run_with_faults(make, group, tables=6, faults=12 * SERVER_TIMES, seed=seed)))


@pytest.mark.postgres
@pytest.mark.redis
def test_two_servers_on_postgres_and_redis_lose_no_acknowledged_move_under_random_faults(
    tmp_path: Path, own_postgres: Postgres, redis_server: Redis, seed: int
) -> None:
    database = own_postgres.new_database("faults")
    served = [ServerProcess(database, tmp_path / f"server-{number}.log", bus=redis_server.url) for number in range(2)]
    with ServerGroup(served) as group:
        make = partial(FaultTarget, postgres=own_postgres, database=database, redis=redis_server)
        check(run_with_manual_clock(run_with_faults(make, group, tables=6, faults=14 * SERVER_TIMES, seed=seed)))
