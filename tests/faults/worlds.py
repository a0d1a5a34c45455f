"""The two kinds of house in which things go wrong."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.faults.faults import World
from tests.faults.house import House, Served
from tests.faults.scene import Outcome, play_through
from tests.services import Postgres, Redis

#: About so many seconds lie between two faults.
PAUSE = 0.7


async def on_sqlite(
    folder: Path, *, tables: int, faults: int, seed: int, pause: float = PAUSE, tell: Callable[[str], None] = print
) -> Outcome:
    """One server on an SQLite file."""
    file = folder / "facedown.sqlite3"
    with House([Served(str(file), folder / "server.log")]) as house:
        make = partial(World, sqlite=file)
        return await play_through(make, house, tables=tables, faults=faults, pause=pause, seed=seed, tell=tell)


async def on_postgres(
    folder: Path,
    postgres: Postgres,
    redis: Redis | None,
    *,
    tables: int,
    faults: int,
    seed: int,
    pause: float = PAUSE,
    tell: Callable[[str], None] = print,
) -> Outcome:
    """Two servers on a PostgreSQL database, with Redis or with the database's own notices between them."""
    database = postgres.new_database("faults")
    bus = redis.url if redis is not None else ""
    with House([Served(database, folder / f"server-{number}.log", bus=bus) for number in range(2)]) as house:
        make = partial(World, postgres=postgres, database=database, redis=redis)
        return await play_through(make, house, tables=tables, faults=faults, pause=pause, seed=seed, tell=tell)
