"""Whether other processes think for this one."""

from __future__ import annotations

import asyncio

from facedown.server.process.settings import ServerSettings
from facedown.server.process.store_threads import StoreThreads

#: An answer is believed for so many seconds.
BELIEVED = 5.0


class Elsewhere:
    """What a process that is not to think (`think_here`) knows of those that do."""

    def __init__(self, settings: ServerSettings, store: StoreThreads) -> None:
        self._settings = settings
        self._store = store
        self._known: bool | None = None
        self._until = 0.0

    async def thinks(self) -> bool:
        """Is this process to leave the thinking to others, and are there any? Without one it thinks itself."""
        if self._settings.think_here:
            return False
        now = asyncio.get_running_loop().time()
        if self._known is None or now >= self._until:
            self._known = await self._store.run(self._store.repository.processes.somebody_thinks)
            self._until = now + BELIEVED
        return self._known
