"""Batches of requests to the database: those that arrive while one batch runs are run together, next.

Of a request to the database nearly all is the transaction, and the way to another thread and back; a disk takes some
milliseconds to confirm a write, however large it is. Under load, and when all pages reconnect after a restart, a
transaction for each request would take most of the time until it is answered.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Generic, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
#: Largest number of items in a batch: the next ones need not wait for all of a crowd.
MAX_BATCH = 64
#: After a batch of writes the writer rests for this multiple of the time that the batch took.
REST = 3
#: Longest rest, in seconds.
MAX_REST = 0.01


class _Batch(Generic[Item, Result]):
    """Items that run together."""

    def __init__(self) -> None:
        self.items: list[Item] = []
        self.urgent = False
        self.results: asyncio.Task[Sequence[Result | Exception]]


class Batcher(Generic[Item, Result]):
    """Runs one batch at a time; the next one holds all items that arrived meanwhile."""

    def __init__(
        self,
        run: Callable[[Sequence[Item]], Awaitable[Sequence[Result | Exception]]],
        rest: float = 0.0,
    ) -> None:
        """`run` returns one result for each item, in their order; `rest` is a factor as in `REST`."""
        self._run = run
        self._rest = rest
        self._open: _Batch[Item, Result] | None = None
        """The batch that still takes items: it runs when the one before it has ended."""
        self._last: asyncio.Task[Sequence[Result | Exception]] | None = None
        self._rests_until = 0.0

    async def submit(self, item: Item, *, urgent: bool = False) -> Result:
        """Return the result for an item, from a batch that begins after this call.

        Args:
            urgent: Do not rest before the batch of this item.

        Raises:
            Exception: The item's own result if that is an exception, or what `run` raises for its whole batch.
        """
        batch = self._open
        if batch is None or len(batch.items) >= MAX_BATCH:
            batch = self._open = _Batch()
            batch.results = asyncio.get_running_loop().create_task(self._process(batch, self._last))
            self._last = batch.results
        at = len(batch.items)
        batch.items.append(item)
        batch.urgent |= urgent
        # A caller that is cancelled does not cancel the batch for the others.
        result = (await asyncio.shield(batch.results))[at]
        if isinstance(result, Exception):
            raise result
        return result

    async def drain(self) -> None:
        """Wait until all items submitted so far have succeeded or failed."""
        if self._last is not None:
            await asyncio.wait((self._last,))

    async def _process(
        self, batch: _Batch[Item, Result], before: asyncio.Task[Sequence[Result | Exception]] | None
    ) -> Sequence[Result | Exception]:
        if before is not None:
            await asyncio.wait((before,))
        loop = asyncio.get_running_loop()
        if loop.time() < self._rests_until and not batch.urgent:
            await asyncio.sleep(self._rests_until - loop.time())
        if self._open is batch:
            self._open = None
        begun = loop.time()
        try:
            return await self._run(batch.items)
        finally:
            self._rests_until = loop.time() + min(self._rest * (loop.time() - begun), MAX_REST)
            if self._last is batch.results:
                self._last = None


def lookup(
    find: Callable[[Sequence[Item]], Awaitable[Mapping[Item, Result | Exception]]],
) -> Batcher[Item, Result | None]:
    """Return a batcher that looks up values by their keys: the value, or None if the key is unknown.

    A value that is an exception is raised.
    """

    async def run(keys: Sequence[Item]) -> Sequence[Result | Exception | None]:
        found = await find(list(dict.fromkeys(keys)))
        return [found.get(key) for key in keys]

    return Batcher(run)
