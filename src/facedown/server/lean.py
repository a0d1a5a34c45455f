"""An event and a queue like asyncio's, but that take no room while nobody waits.

Each of asyncio's keeps a deque for those who wait, of 600 bytes; with six of them at each live line that was a tenth of
the memory of a table.
"""

from __future__ import annotations

import asyncio
from typing import Generic, TypeVar

T = TypeVar("T")


class Event:
    """Something that has happened, or not yet; `asyncio.Event`."""

    __slots__ = ("_happened", "_waiters")

    def __init__(self) -> None:
        self._happened = False
        self._waiters: list[asyncio.Future[None]] | None = None

    def is_set(self) -> bool:
        """Has it happened?"""
        return self._happened

    def set(self) -> None:
        """It happens."""
        self._happened = True
        waiters, self._waiters = self._waiters, None
        for waiter in waiters or ():
            if not waiter.done():
                waiter.set_result(None)

    def clear(self) -> None:
        """It has not happened."""
        self._happened = False

    async def wait(self) -> None:
        """Wait until it happens."""
        if self._happened:
            return
        waiter = asyncio.get_running_loop().create_future()
        if self._waiters is None:
            self._waiters = []
        waiters = self._waiters
        waiters.append(waiter)
        try:
            await waiter
        finally:
            waiters.remove(waiter)


class Queue(Generic[T]):
    """What comes is taken in its order; `asyncio.Queue` without a bound."""

    __slots__ = ("_items", "_waiters")

    def __init__(self) -> None:
        self._items: list[T] = []
        self._waiters: list[asyncio.Future[None]] | None = None

    def empty(self) -> bool:
        """Is there nothing?"""
        return not self._items

    def put_nowait(self, item: T) -> None:
        """Something comes."""
        self._items.append(item)
        waiters, self._waiters = self._waiters, None
        for waiter in waiters or ():
            if not waiter.done():
                waiter.set_result(None)

    async def get(self) -> T:
        """The next, as soon as there is one."""
        while not self._items:
            # Not by an `Event`, whose waiting would take room as well.
            waiter = asyncio.get_running_loop().create_future()
            if self._waiters is None:
                self._waiters = []
            waiters = self._waiters
            waiters.append(waiter)
            try:
                await waiter
            finally:
                waiters.remove(waiter)
        return self._items.pop(0)
