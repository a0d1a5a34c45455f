"""An event and a queue like asyncio's, but that take no room while nobody waits.

Each of asyncio's keeps a deque for those who wait, of 600 bytes; with six of them at each live line that was a tenth of
the memory of a table.
"""

from __future__ import annotations

import asyncio
from typing import Generic, TypeVar

T = TypeVar("T")


class _Waited:
    """Something that tasks wait for."""

    __slots__ = ("_waiters",)

    def __init__(self) -> None:
        self._waiters: list[asyncio.Future[None]] | None = None

    def _next(self) -> asyncio.Future[None]:
        """Done when it happens next. Not a function to be awaited: that would take room as well."""
        waiter = asyncio.get_running_loop().create_future()
        # Those who do not wait any more were cancelled.
        self._waiters = [*(other for other in self._waiters or () if not other.done()), waiter]
        return waiter

    def _happens(self) -> None:
        waiters, self._waiters = self._waiters, None
        for waiter in waiters or ():
            if not waiter.done():
                waiter.set_result(None)


class Event(_Waited):
    """Something that has happened, or not yet; `asyncio.Event`."""

    __slots__ = ("_happened",)

    def __init__(self) -> None:
        super().__init__()
        self._happened = False

    def is_set(self) -> bool:
        """Has it happened?"""
        return self._happened

    def set(self) -> None:
        """It happens."""
        self._happened = True
        self._happens()

    def clear(self) -> None:
        """It has not happened."""
        self._happened = False

    async def wait(self) -> None:
        """Wait until it happens."""
        if not self._happened:
            await self._next()


class Queue(_Waited, Generic[T]):
    """What comes is taken in its order; `asyncio.Queue` without a bound."""

    __slots__ = ("_items",)

    def __init__(self) -> None:
        super().__init__()
        self._items: list[T] = []

    def empty(self) -> bool:
        """Is there nothing?"""
        return not self._items

    def put_nowait(self, item: T) -> None:
        """Something comes."""
        self._items.append(item)
        self._happens()

    async def get(self) -> T:
        """The next, as soon as there is one."""
        while not self._items:
            await self._next()
        return self._items.pop(0)
