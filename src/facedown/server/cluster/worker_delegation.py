"""Decision whether this process hands long computations (bot moves, reviews) over to worker processes."""

from __future__ import annotations

from facedown.server.process.server_settings import ServerSettings
from facedown.server.process.store_threads import StoreThreads


class WorkerStatus:
    """Status of the worker processes, to which a server process can hand over long computations.

    Such computations are the moves of bots that search, and reviews of finished matches.
    """

    def __init__(self, settings: ServerSettings, store: StoreThreads) -> None:
        self._settings = settings
        self._store = store

    async def should_delegate(self) -> bool:
        """Return whether this process is to hand long computations over to worker processes.

        The result is True if the setting `think_here` is off and at least one worker process is alive.
        """
        think = self._store.repository.processes.has_live_worker
        return not self._settings.think_here and await self._store.run(think)
