"""Thread pools that run the repository's methods, so that the event loop never waits for the database."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from facedown.core.translation import language
from facedown.server.i18n import run_in_language
from facedown.store import Repository
from facedown.store.engine import is_writer

Result = TypeVar("Result")


class StoreThreads:
    """The repository (database access) of a process, with one thread pool for reading and one for writing.

    So a call that reads never waits for calls that write.
    """

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        self._pools = {
            "read": ThreadPoolExecutor(4, "facedown-read"),
            "write": ThreadPoolExecutor(3, "facedown-write"),
        }

    async def run(self, work: Callable[..., Result], *arguments: Any) -> Result:
        """Call `work`, usually a repository method, in a thread, and return its result.

        In the thread, texts are translated into the same language as in the caller. A method marked by
        `store.engine.mark_as_writer` runs in the pool for writing methods; anything else runs in the pool for reading
        methods.
        """
        pool = self._pools["write" if is_writer(work) else "read"]
        return await asyncio.get_running_loop().run_in_executor(pool, run_in_language, language(), work, *arguments)

    def waiting_counts_by_pool(self) -> dict[str, int]:
        """Return the number of calls that wait for a thread, by pool ("read" or "write")."""
        return {name: pool._work_queue.qsize() for name, pool in self._pools.items()}

    async def close(self) -> None:
        """Wait for the running calls, then end the threads."""
        for pool in self._pools.values():
            await asyncio.get_running_loop().run_in_executor(None, pool.shutdown)
