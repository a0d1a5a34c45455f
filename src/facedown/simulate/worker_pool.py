"""Parallel calls of a function, one call for each number in a queue, in threads or processes.

The caller decides what a number stands for: a range of deals in an experiment, a single deal in a contest. The results
are yielded in the order of the queue.
"""

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
    """Yield the results of a function for the numbers in `todo`, in the order of `todo`, computed in `jobs` threads.

    Each number is removed from `todo` when its result is ready.
    """
    with _shut_down_after_block(ThreadPoolExecutor(jobs)) as pool:
        yield from _results_in_order(pool, function, todo, AHEAD * jobs)


def map_in_processes(
    function: Callable[[int], R], todo: deque[int], jobs: int, tries: int | None = None
) -> Iterator[R]:
    """Yield the results of a function for the numbers in `todo`, in the order of `todo`, computed in `jobs` processes.

    Each number is removed from `todo` when its result is ready.

    If a process dies, all processes are ended. Then the first number left in `todo` is retried alone, each time in a
    new process, up to `tries` times (None means `TRIES` times):

    * If a retry succeeds, `jobs` new processes compute the other numbers.
    * If the process dies in every retry, raise `BrokenProcessPool`. That number is then still the first in `todo`.

    If `tries` is 0, nothing is retried: raise `BrokenProcessPool` as soon as a process dies.
    """
    deaths = 0
    while todo:
        # When one process dies, the whole pool breaks. Then run the tasks one at a time, to find the one that kills its
        # process.
        width = jobs if deaths == 0 else 1
        # New processes are spawned and not forked, because a forked process would inherit locks held by this process's
        # threads.
        with _shut_down_after_block(ProcessPoolExecutor(width, get_context("spawn"))) as pool:
            try:
                for found in _results_in_order(pool, function, todo, AHEAD * width if deaths == 0 else 1):
                    yield found
                    if deaths:
                        deaths = 0
                        break
            except BrokenProcessPool:
                deaths += 1
                if deaths > (TRIES if tries is None else tries):
                    raise


@contextlib.contextmanager
def _shut_down_after_block(pool: Executor) -> Iterator[Executor]:
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _results_in_order(pool: Executor, function: Callable[[int], R], todo: deque[int], ahead: int) -> Iterator[R]:
    waiting: deque[Future[R]] = deque()
    while todo:
        while len(waiting) < min(len(todo), ahead):
            waiting.append(pool.submit(function, todo[len(waiting)]))
        found = waiting.popleft().result()
        todo.popleft()
        yield found
