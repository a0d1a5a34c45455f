"""Event that wakes all tasks waiting for it, and can be notified repeatedly."""

from __future__ import annotations

import asyncio
import contextlib


class BroadcastEvent:
    """Event that does not stay set, unlike `asyncio.Event`: a task that waits later waits for the next notification."""

    def __init__(self) -> None:
        self._event = asyncio.Event()

    def notify_all(self) -> None:
        """Wake all waiting tasks."""
        self._event.set()
        self._event = asyncio.Event()

    async def wait(self, seconds: float | None = None) -> None:
        """Wait for the next notification, or until `seconds` have passed."""
        # Before Python 3.12, `asyncio.wait_for` loses a cancellation that arrives together with the notification.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._event.wait()
