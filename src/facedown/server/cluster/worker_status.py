"""Decision whether this process leaves bot moves and reviews to worker processes."""

from __future__ import annotations

from facedown.server.process.settings import ServerSettings
from facedown.server.process.store_threads import StoreThreads


class WorkerStatus:
    """Whether workers are alive, for a process that the setting `think_here` may keep from long computations."""

    def __init__(self, settings: ServerSettings, store: StoreThreads) -> None:
        self._settings = settings
        self._store = store

    async def should_delegate(self) -> bool:
        """Return whether to leave long computations to workers: `think_here` is off and at least one worker is alive.

        If no worker is alive, this process does the computations, whatever the setting.
        """
        think = self._store.repository.processes.has_live_worker
        return not self._settings.think_here and await self._store.run(think)
