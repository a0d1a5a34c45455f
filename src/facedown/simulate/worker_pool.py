"""Parallel maps over numbers, in threads or processes. They yield the results in the order of the numbers."""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import TypeVar

#: Number of tasks per worker that may be submitted at the same time, so that no worker has to wait for the next task.
AHEAD = 3
#: Number of attempts to run one task alone, in a single process, after a pool of several processes broke.
TRIES = 3

R = TypeVar("R")


def map_in_threads(function: Callable[[int], R], todo: deque[int], jobs: int) -> Iterator[R]:
    """Yield the results of a function for the numbers in `todo`, in their order, computed in `jobs` threads.

    Each number is removed from `todo` when its result is ready.
    """
    with _shutdown_at_exit(ThreadPoolExecutor(jobs)) as pool:
        yield from _in_order(pool, function, todo, AHEAD * jobs)


def map_in_processes(
    function: Callable[[int], R], todo: deque[int], jobs: int, tries: int | None = None
) -> Iterator[R]:
    """Yield the results of a function for the numbers in `todo`, in their order, computed in `jobs` processes.

    Each number is removed from `todo` when its result is ready.

    When a process dies, a single new process replaces all processes and computes the next number alone. After it has
    returned its result, there are `jobs` processes again. If the single process dies, another one replaces it. After
    `tries` deaths of single processes in a row (None: `TRIES`), raise `BrokenProcessPool`; the first number left in
    `todo` is the one at which they died. If `tries` is 0, raise `BrokenProcessPool` at the first death of any process.
    """
    deaths = 0
    while todo:
        # When one process dies, the whole pool breaks. Then run the tasks one at a time, to find the one that kills its
        # process.
        width = jobs if deaths == 0 else 1
        # New processes are spawned and not forked, because a forked process would inherit locks held by this process's
        # threads.
        with _shutdown_at_exit(ProcessPoolExecutor(width, get_context("spawn"))) as pool:
            try:
                for found in _in_order(pool, function, todo, AHEAD * width if deaths == 0 else 1):
                    yield found
                    if deaths:
                        deaths = 0
                        break
            except BrokenProcessPool:
                deaths += 1
                if deaths > (TRIES if tries is None else tries):
                    raise


@contextlib.contextmanager
def _shutdown_at_exit(pool: Executor) -> Iterator[Executor]:
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _in_order(pool: Executor, function: Callable[[int], R], todo: deque[int], ahead: int) -> Iterator[R]:
    waiting: deque[Future[R]] = deque()
    while todo:
        while len(waiting) < min(len(todo), ahead):
            waiting.append(pool.submit(function, todo[len(waiting)]))
        found = waiting.popleft().result()
        todo.popleft()
        yield found
