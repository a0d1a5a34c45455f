"""Availability of worker processes: whether this process hands long computations (bot moves, reviews) over to them."""

from __future__ import annotations

from facedown.server.process.server_settings import ServerSettings
from facedown.server.process.store_threads import StoreThreads


class WorkerStatus:
    """Decision whether this process hands long computations (searching bots, reviews) over to worker processes."""

    def __init__(self, settings: ServerSettings, store: StoreThreads) -> None:
        self._settings = settings
        self._store = store

    async def should_delegate(self) -> bool:
        """Return whether to hand long computations over to workers.

        This is so if the setting `think_here` is off and at least one worker is alive.
        """
        think = self._store.repository.processes.has_live_worker
        return not self._settings.think_here and await self._store.run(think)
