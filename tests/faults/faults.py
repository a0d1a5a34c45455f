"""Faults. Each lasts for a moment and leaves everything such that it can recover."""

from __future__ import annotations

import asyncio
import contextlib
import random
import signal
import sqlite3
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import sqlalchemy as sa

from facedown.store import url_of
from tests.database_servers import Postgres, Redis
from tests.faults.players import Table
from tests.faults.server_group import ServerGroup, sleep_through, sleep_through_async
from tests.waiting import wait_until_async

#: Time after a fault within which everything must work again, in seconds.
RECOVERY = 60.0
#: Ends all connections to the database except this one.
CUT = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
    " AND pid <> pg_backend_pid()"
)
#: Mean time between two faults, in seconds.
PAUSE = 0.7


@dataclass
class FaultTarget:
    group: ServerGroup
    tables: list[Table]
    lot: random.Random
    sqlite: Path | None = None
    postgres: Postgres | None = None
    database: str = ""
    redis: Redis | None = None

    async def moves_on(self, more: int, seconds: float) -> None:
        """Wait until a number of further moves were acknowledged, but not longer than `seconds`."""
        seen = self.tables[0].seen
        enough = len(seen.acknowledged) + more
        with contextlib.suppress(AssertionError):
            await wait_until_async(lambda: len(seen.acknowledged) >= enough, seconds)

    def faults(self) -> dict[str, Callable[[], None]]:
        found: dict[str, Callable[[], None]] = {
            # SIGKILL leaves the server no time. After SIGTERM it shuts down.
            "server killed": partial(self._server, signal.SIGKILL),
            "server stopped": partial(self._server, signal.SIGTERM),
            "server frozen": self.freeze_server,
            "lines cut": self.cut_lines,
        }
        if self.sqlite is not None:
            found |= {"disk full": self.fill_disk, "database locked": self.lock_sqlite}
        if self.postgres is not None:
            found |= {
                "PostgreSQL killed": self.kill_postgres,
                "PostgreSQL restarted": self.restart_postgres,
                "connections cut": partial(self._in_postgres, CUT),
                "rows locked": partial(self._in_postgres, "LOCK TABLE matches IN ACCESS EXCLUSIVE MODE", 3.0),
            }
        if self.redis is not None:
            found |= {"Redis killed": self.kill_redis}
        return found

    def mend(self) -> None:
        if self.redis is not None and self.redis.process is None:
            self.redis.start()

    def _server(self, how: signal.Signals) -> None:
        server = self.lot.choice(self.group.servers)
        server.end(how)
        sleep_through(self.lot.uniform(0, 0.5))
        server.start()
        server.wait()

    def freeze_server(self) -> None:
        self.lot.choice(self.group.servers).freeze(self.lot.uniform(0.3, 3.0))

    def cut_lines(self) -> None:
        for table in self.tables:
            if table.page is not None and self.lot.random() < 0.5:
                table.page.cut()

    def fill_disk(self) -> None:
        self.lot.choice(self.group.servers).fill_disk(self.lot.uniform(0.2, 2.0))

    def lock_sqlite(self) -> None:
        assert self.sqlite is not None
        foreign = sqlite3.connect(self.sqlite, timeout=30, isolation_level=None)
        foreign.execute("BEGIN IMMEDIATE")
        sleep_through(self.lot.uniform(0.2, 4.0))
        foreign.execute("ROLLBACK")
        foreign.close()

    def kill_postgres(self) -> None:
        assert self.postgres is not None
        self.postgres.kill()
        sleep_through(self.lot.uniform(0, 1.0))
        self.postgres.recover()

    def restart_postgres(self) -> None:
        assert self.postgres is not None
        self.postgres.stop("fast")
        self.postgres.start()

    def _in_postgres(self, statement: str, most: float = 0.0) -> None:
        engine = sa.create_engine(url_of(self.database))
        with engine.begin() as connection:
            connection.execute(sa.text(statement))
            sleep_through(self.lot.uniform(most / 15, most))
        engine.dispose()

    def kill_redis(self) -> None:
        assert self.redis is not None
        self.redis.kill()
        sleep_through(self.lot.uniform(0, 3.0))
        self.redis.start()


async def inject_faults(world: FaultTarget, count: int) -> Counter[str]:
    """Inject faults at random moments, all kinds in turn. Returns the number of faults of each kind."""
    faults = world.faults()
    names: list[str] = []
    done: Counter[str] = Counter()
    for number in range(count):
        names = names or world.lot.sample(list(faults), len(faults))
        name = names.pop()
        await sleep_through_async(world.lot.uniform(0, 2 * PAUSE))
        # Wait for moves between two faults. Otherwise the number of moves would depend on the machine.
        await world.moves_on(2, RECOVERY)
        print(f"{number + 1}/{count} {name}")
        await asyncio.to_thread(faults[name])
        done[name] += 1
    return done
