"""Whether other processes think for this one."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from facedown.server.live.rooms import Rooms

#: An answer is believed for so many seconds.
BELIEVED = 5.0


class Elsewhere:
    """What a process that is not to think (`think_here`) knows of those that do."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._known: bool | None = None
        self._until = 0.0

    async def thinks(self) -> bool:
        """Is this process to leave the thinking to others, and are there any? Without one it thinks itself."""
        if self._rooms.settings.think_here:
            return False
        now = asyncio.get_running_loop().time()
        if self._known is None or now >= self._until:
            self._known = await self._rooms.in_store(self._rooms.repository.processes.somebody_thinks)
            self._until = now + BELIEVED
        return self._known
