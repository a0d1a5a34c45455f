"""Batching of database requests: those that arrive while a batch is processed form the next batch.

A database request spends most of its time on starting a transaction, switching threads, and waiting for the disk. The
disk takes a few milliseconds to confirm a write, however small the write is. A batch spends this time only once for all
its requests. That matters under load, and when all pages reconnect after a restart of the server.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Generic, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
#: Maximum number of items in a batch, so that a batch stays short even if many requests arrive at once.
MAX_BATCH = 64
#: Pause after a batch of writes, as a multiple of the time that the batch took.
REST = 3
#: Maximum pause after a batch, in seconds.
MAX_REST = 0.01


class Batcher(Generic[Item, Result]):
    """Collector of requests (items), which passes them to a function in batches, one batch at a time.

    Items that arrive while a batch is processed form the next batch. A batch has at most `MAX_BATCH` items.
    """

    def __init__(
        self,
        run: Callable[[Sequence[Item]], Awaitable[Sequence[Result | Exception]]],
        rest: float = 0.0,
    ) -> None:
        """`run` processes a batch and returns one result per item, in the same order.

        After each batch there is a pause, `rest` times as long as the batch took, but at most `MAX_REST` seconds.
        """
        self._run = run
        self._rest = rest
        self._waiting: list[tuple[Item, asyncio.Future[Result]]] = []
        self._last: asyncio.Future[Result] | None = None
        """Future of the item submitted last."""
        self._worker: asyncio.Task[None] | None = None
        """Task that runs batches as long as items are waiting."""

    async def submit(self, item: Item) -> Result:
        """Process an item in a batch that begins after this call. Wait for the result and return it.

        Raises:
            Exception: The item's result if that is an exception, or the exception that `run` raised for the batch.
        """
        result = self._last = asyncio.get_running_loop().create_future()
        self._waiting.append((item, result))
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._run_batches())
        # If the caller is cancelled, its item stays in the batch, and `drain` waits for it.
        return await asyncio.shield(result)

    async def drain(self) -> None:
        """Wait until all items submitted so far have succeeded or failed."""
        if self._last is not None:
            await asyncio.wait((self._last,))

    async def _run_batches(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            batch, self._waiting = self._waiting[:MAX_BATCH], self._waiting[MAX_BATCH:]
            begun = loop.time()
            try:
                results: Sequence[Result | Exception] = await self._run([item for item, _result in batch])
            except Exception as wrong:  # noqa: BLE001 (every caller of the batch gets the error)
                results = [wrong] * len(batch)
            for (_item, future), result in zip(batch, results, strict=True):
                if isinstance(result, Exception):
                    future.set_exception(result)
                    # Mark the exception as retrieved, or asyncio would log it if the caller was cancelled.
                    future.exception()
                else:
                    future.set_result(result)
            await asyncio.sleep(min(self._rest * (loop.time() - begun), MAX_REST))


def lookup_batcher(
    find: Callable[[Sequence[Item]], Awaitable[Mapping[Item, Result | Exception]]],
) -> Batcher[Item, Result | None]:
    """Return a batcher that looks up values by key. The result for an unknown key is None.

    `find` receives several different keys at once and returns their values by key; it leaves out unknown keys. If the
    value of a key is an exception, the lookup of this key raises that exception.
    """

    async def run(keys: Sequence[Item]) -> Sequence[Result | Exception | None]:
        found = await find(list(dict.fromkeys(keys)))
        return [found.get(key) for key in keys]

    return Batcher(run)
