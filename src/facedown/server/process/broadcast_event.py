"""Event that wakes all tasks waiting for it, and that can be used again and again."""

from __future__ import annotations

import asyncio
import contextlib


class BroadcastEvent:
    """Event whose notification wakes all tasks that wait at that moment. Unlike `asyncio.Event`, it does not stay set.

    A task that starts to wait after a notification is woken by the next notification.
    """

    def __init__(self) -> None:
        self._event = asyncio.Event()

    def notify_all(self) -> None:
        """Wake all waiting tasks."""
        self._event.set()
        self._event = asyncio.Event()

    async def wait(self, seconds: float | None = None) -> None:
        """Wait for the next notification, or until `seconds` have passed."""
        # Use `asyncio.timeout` and not `asyncio.wait_for`: before Python 3.12, `wait_for` loses a cancellation that
        # arrives together with the notification.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._event.wait()
