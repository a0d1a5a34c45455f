"""A bell: wakes every task that waits for news, and may be rung again."""

from __future__ import annotations

import asyncio
import contextlib


class BroadcastEvent:
    """Unlike `asyncio.Event` it stays unset: a task that begins to wait later waits for the next ring."""

    def __init__(self) -> None:
        self._event = asyncio.Event()

    def notify_all(self) -> None:
        """Wake all tasks that wait."""
        self._event.set()
        self._event = asyncio.Event()

    async def wait(self, seconds: float | None = None) -> None:
        """Wait for the next ring, for at most so many seconds."""
        # Not `wait_for`: before Python 3.12 that forgets to be cancelled when the bell rings at the same moment.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._event.wait()
