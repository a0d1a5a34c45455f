"""Work in several threads or processes, with the results in the order of the work."""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import TypeVar

#: Numbers that wait for each worker.
AHEAD = 3
#: A number is tried so often alone after processes died.
TRIES = 3

R = TypeVar("R")


def map_in_threads(function: Callable[[int], R], todo: deque[int], jobs: int) -> Iterator[R]:
    """The results of a function for the numbers in `todo`, which leave it one by one, worked out in threads."""
    with _shutdown_at_exit(ThreadPoolExecutor(jobs)) as pool:
        yield from _in_order(pool, function, todo, AHEAD * jobs)


def map_in_processes(
    function: Callable[[int], R], todo: deque[int], jobs: int, tries: int | None = None
) -> Iterator[R]:
    """The same in processes, which are replaced when one dies.

    `BrokenProcessPool` if one died `tries` times more (`TRIES` by default) when it was alone: the first number in
    `todo` is the one.
    """
    deaths = 0
    while todo:
        # A process that dies takes all of a pool along. Then one number is tried alone to find the one that kills.
        width = jobs if deaths == 0 else 1
        # Spawned, not forked: a forked process would inherit the threads' locks of this one.
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
