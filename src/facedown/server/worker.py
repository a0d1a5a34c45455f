"""Worker process: it serves no clients and computes for the servers on the same database, on this or another machine.

A worker reviews finished matches. It also plays the bots at tables that have a searching bot (one that thinks ahead).

If a worker dies, its claims on review jobs expire. Other processes then take over these jobs, and the tables where the
dead worker played the bots.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys

from sqlalchemy.exc import SQLAlchemyError

from facedown.server.cluster.bus import Bus
from facedown.server.cluster.bus_backends import bus_of
from facedown.server.i18n import _
from facedown.server.process import logs
from facedown.server.process.clocks import SYSTEM_CLOCK, Clock
from facedown.server.process.server_settings import ServerSettings
from facedown.server.table.room_registry import Rooms
from facedown.store import Repository, StoreError

log = logs.logger()

#: Seconds between two checks for tables to take over (`Worker.take_over_searching_bot_tables`).
POLL_INTERVAL = 0.25


class Worker:
    """Worker process: it claims review jobs, takes over tables that have a searching bot, and plays their bots.

    A searching bot is one that thinks ahead.
    """

    def __init__(
        self, repository: Repository, settings: ServerSettings, bus: Bus | None = None, clock: Clock = SYSTEM_CLOCK
    ) -> None:
        repository.processes.is_worker = True
        bus = bus or bus_of(settings.bus, settings.database)
        self.rooms = Rooms(repository, settings.model_copy(update={"think_here": True}), bus, clock)
        self._slow = [level.key for level in settings.bots.levels if level.slow]

    async def run(self, ends: asyncio.Event) -> None:
        """Review finished matches, and play the bots at tables with a searching bot, until `ends` is set.

        A searching bot is one that thinks ahead.

        At the start, the worker enters itself in the database's list of running processes. Raise `StoreError` if
        another running process on this database uses another message bus, because all of them must use the same one.
        """
        await self.rooms.start()
        try:
            while not ends.is_set():
                await self.take_over_searching_bot_tables()
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(POLL_INTERVAL):
                        await ends.wait()
        finally:
            await self.rooms.stop()

    async def take_over_searching_bot_tables(self) -> None:
        """Take over, from the servers, tables where a bot is to move, and start the bots there.

        Take over only tables that have a searching bot (one that thinks ahead) and at least one person who plays, and
        that no other living worker has taken. Database errors are logged, not raised.
        """
        rooms = self.rooms
        try:
            codes = await rooms.store.run(rooms.repository.processes.take_over_bot_tables_from_servers, self._slow)
        except SQLAlchemyError as wrong:
            log.warning("not_looked_for_bots", why=logs.safe_error_text(wrong))
            return
        for code in codes:
            rooms.errand(self._take_over_table(code))

    async def _take_over_table(self, code: str) -> None:
        try:
            # The table's data in memory may be outdated, and name another process as the driver of the table (the
            # process that plays its bots). `refresh` loads the newest data from the database, which name this process.
            await (await self.rooms.room(code)).refresh()
        except Exception:
            log.exception("not_taken_over")


def run_worker(settings: ServerSettings) -> int:
    """Run this process as a worker until it is stopped. Return the exit code: 0, or 1 if the database cannot be used.

    A worker serves no clients. For the servers on the same database, it reviews finished matches, and plays the bots at
    tables that have a searching bot (one that thinks ahead). An SQLite database cannot be used, because only one
    process can use it.
    """
    logs.configure_logging(settings.log_form, settings.log_level)
    try:
        if settings.database.startswith("sqlite"):
            raise StoreError(_("only one process can use an SQLite file: worker processes need PostgreSQL"))
        asyncio.run(_run_worker(settings))
    except StoreError as wrong:
        print(f"facedown: {wrong}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        pass
    return 0


async def _run_worker(settings: ServerSettings) -> None:
    repository = Repository(settings.database)
    ends = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(name, ends.set)
    try:
        print(
            _("The Facedown worker is running: it does the computing for all servers that use this database."),
            flush=True,
        )
        await Worker(repository, settings.model_copy(update={"warm_up": True})).run(ends)
    finally:
        repository.close()
