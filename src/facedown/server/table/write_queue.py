"""Changes on their way to the disk: those that come while others are being written go there together, next."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from facedown.play import Change
from facedown.store import Conflict

#: Writes changes down apart from the event loop; the answer has a `Conflict` in the place of each that does not hold.
WriteAll = Callable[[Sequence[Change]], Awaitable[list[Conflict | None]]]
#: So many changes wait for the disk together at most.
TOGETHER = 64
#: The writer rests so many times as long as it has written, but no longer than this, in seconds.
REST = 3
LONGEST_REST = 0.01


class _Batch:
    """Changes that are written together."""

    def __init__(self) -> None:
        self.changes: list[Change] = []
        self.urgent = False
        self.written: asyncio.Task[list[Conflict | None]]


class WriteQueue:
    """The one writer of a process.

    A disk takes some milliseconds to say that something is written, however much it is. So there is one transaction
    at a time, and it holds all that came during the one before, and while the writer rested after it: of a transaction
    with one move nearly all is the transaction, and under load what it costs is missing elsewhere.
    """

    def __init__(self, write_all: WriteAll) -> None:
        self._write_all = write_all
        self._open: _Batch | None = None
        """What still takes changes: it is written when the one before it is."""
        self._last: asyncio.Task[list[Conflict | None]] | None = None
        self._rests = 0.0
        """Until when."""

    async def write(self, change: Change, *, at_once: bool = False) -> None:
        """Write a change down; on return it is on disk. `Conflict` if it does not hold, else what the store raises.

        `at_once`: the writer does not rest before it, as another process was faster a moment ago.
        """
        batch = self._open
        if batch is None or len(batch.changes) >= TOGETHER:
            batch = self._open = _Batch()
            batch.written = asyncio.get_running_loop().create_task(self._flush(batch, self._last))
            self._last = batch.written
        at = len(batch.changes)
        batch.changes.append(change)
        batch.urgent |= at_once
        # Whoever waits may be gone before it is written; the others are not.
        conflict = (await asyncio.shield(batch.written))[at]
        if conflict is not None:
            raise conflict

    async def settled(self) -> None:
        """Wait until all that is on its way now has come to an end, whichever."""
        if self._last is not None:
            await asyncio.wait((self._last,))

    async def _flush(self, batch: _Batch, before: asyncio.Task[list[Conflict | None]] | None) -> list[Conflict | None]:
        if before is not None:
            await asyncio.wait((before,))
        loop = asyncio.get_running_loop()
        if loop.time() < self._rests and not batch.urgent:
            await asyncio.sleep(self._rests - loop.time())
        if self._open is batch:
            self._open = None
        begun = loop.time()
        try:
            return await self._write_all(batch.changes)
        finally:
            self._rests = loop.time() + min(REST * (loop.time() - begun), LONGEST_REST)
