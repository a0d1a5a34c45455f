"""Faults of every kind at random moments while people play; afterwards everything is compared."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from tests.conftest import SERVER_TIMES
from tests.database_servers import Postgres, Redis
from tests.faults.fault_run import Outcome, play_through
from tests.faults.faults import World
from tests.faults.server_group import House, Served
from tests.server.http_server import run_with_manual_clock

pytestmark = [pytest.mark.nightly, pytest.mark.timeout(1200)]


def check(outcome: Outcome) -> None:
    """Nothing was lost, doubled or shown wrongly, and there was something to lose."""
    print(outcome)
    assert not outcome.wrong, outcome.wrong
    assert outcome.acknowledged > 20
    assert outcome.pages_compared


def test_one_server_on_sqlite(tmp_path: Path, seed: int) -> None:
    file = tmp_path / "facedown.sqlite3"
    with House([Served(str(file), tmp_path / "server.log")]) as house:
        make = partial(World, sqlite=file)
        check(run_with_manual_clock(play_through(make, house, tables=6, faults=12 * SERVER_TIMES, seed=seed)))


@pytest.mark.postgres
@pytest.mark.redis
def test_two_servers_on_postgres_and_redis(
    tmp_path: Path, own_postgres: Postgres, redis_server: Redis, seed: int
) -> None:
    database = own_postgres.new_database("faults")
    served = [Served(database, tmp_path / f"server-{number}.log", bus=redis_server.url) for number in range(2)]
    with House(served) as house:
        make = partial(World, postgres=own_postgres, database=database, redis=redis_server)
        check(run_with_manual_clock(play_through(make, house, tables=6, faults=14 * SERVER_TIMES, seed=seed)))
