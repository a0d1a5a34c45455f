"""Questions to the database: those that come while others are being answered are asked together, next."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Generic, TypeVar

Key = TypeVar("Key")
Answer = TypeVar("Answer")
#: So many are asked at once at most: whoever comes next need not wait for all of a crowd.
TOGETHER = 50


class _Batch(Generic[Key, Answer]):
    """Keys that are looked up together."""

    def __init__(self) -> None:
        self.keys: dict[Key, None] = {}
        self.answered: asyncio.Task[Mapping[Key, Answer]]


class Asking(Generic[Key, Answer]):
    """Looks things up by their keys.

    Of a question to the database nearly all is the transaction, and the way to another thread and back. When a server
    is started again, everybody's page comes back within a moment and asks who it belongs to and what its table is;
    each with a transaction of its own, that took most of the time until they were shown their tables.
    """

    def __init__(self, look_up: Callable[[Sequence[Key]], Awaitable[Mapping[Key, Answer]]]) -> None:
        self._look_up = look_up
        self._open: _Batch[Key, Answer] | None = None
        """What still takes keys: it is looked up when the one before it is answered."""
        self._last: asyncio.Task[Mapping[Key, Answer]] | None = None

    async def ask(self, key: Key) -> Answer | None:
        """What there is under a key, not older than the question; None if there is nothing."""
        batch = self._open
        if batch is None or len(batch.keys) >= TOGETHER:
            batch = self._open = _Batch()
            batch.answered = asyncio.get_running_loop().create_task(self._answer(batch, self._last))
            self._last = batch.answered
        batch.keys[key] = None
        # Whoever waits may be gone before it is answered; the others are not.
        return (await asyncio.shield(batch.answered)).get(key)

    async def _answer(
        self, batch: _Batch[Key, Answer], before: asyncio.Task[Mapping[Key, Answer]] | None
    ) -> Mapping[Key, Answer]:
        if before is not None:
            await asyncio.wait((before,))
        if self._open is batch:
            self._open = None
        try:
            return await self._look_up(list(batch.keys))
        finally:
            if self._last is batch.answered:
                self._last = None
