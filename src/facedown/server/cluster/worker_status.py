"""Decision whether this process leaves bot moves and reviews to worker processes."""

from __future__ import annotations

from facedown.server.process.settings import ServerSettings
from facedown.server.process.store_threads import StoreThreads


class WorkerStatus:
    """Status of the workers, for a process whose setting `think_here` may forbid long computations."""

    def __init__(self, settings: ServerSettings, store: StoreThreads) -> None:
        self._settings = settings
        self._store = store

    async def should_delegate(self) -> bool:
        """Return whether to leave computations to workers: `think_here` is off and a worker is alive.

        If no worker is alive, this process computes itself.
        """
        think = self._store.repository.processes.has_live_worker
        return not self._settings.think_here and await self._store.run(think)
