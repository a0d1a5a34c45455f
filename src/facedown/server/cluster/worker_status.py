"""Whether other processes think for this one."""

from __future__ import annotations

from facedown.server.process.settings import ServerSettings
from facedown.server.process.store_threads import StoreThreads


class WorkerStatus:
    """What a process that is not to think (`think_here`) knows of those that do."""

    def __init__(self, settings: ServerSettings, store: StoreThreads) -> None:
        self._settings = settings
        self._store = store

    async def should_delegate(self) -> bool:
        """Is this process to leave the thinking to others, and are there any? Without one it thinks itself."""
        think = self._store.repository.processes.has_live_worker
        return not self._settings.think_here and await self._store.run(think)
