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
        self._waiting: list[tuple[Item, asyncio.Future[Result]]] = []
        self._last: asyncio.Future[Result] | None = None
        """The result of the item that was submitted last."""
        self._worker: asyncio.Task[None] | None = None
        """Runs batches as long as items wait."""

    async def submit(self, item: Item) -> Result:
        """Return the result for an item, from a batch that begins after this call.

        Raises:
            Exception: The item's own result if that is an exception, or what `run` raises for its whole batch.
        """
        result = self._last = asyncio.get_running_loop().create_future()
        self._waiting.append((item, result))
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._work())
        # A caller that is cancelled leaves the item in its batch; `drain` waits for it.
        return await asyncio.shield(result)

    async def drain(self) -> None:
        """Wait until all items submitted so far have succeeded or failed."""
        if self._last is not None:
            await asyncio.wait((self._last,))

    async def _work(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            batch, self._waiting = self._waiting[:MAX_BATCH], self._waiting[MAX_BATCH:]
            begun = loop.time()
            try:
                results: Sequence[Result | Exception] = await self._run([item for item, _result in batch])
            except Exception as wrong:  # noqa: BLE001 (every caller gets it)
                results = [wrong] * len(batch)
            for (_item, future), result in zip(batch, results, strict=True):
                if isinstance(result, Exception):
                    future.set_exception(result)
                    # Marked as retrieved: asyncio would log what a caller that was cancelled does not ask for.
                    future.exception()
                else:
                    future.set_result(result)
            await asyncio.sleep(min(self._rest * (loop.time() - begun), MAX_REST))


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
