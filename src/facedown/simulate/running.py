"""Where the chunks of an experiment are played: in threads, in processes, or on a cluster; their order stays the same.

Compiled bots let go of Python's lock, so they are played in threads. Other bots get processes of their own; one that
dies in mid-run is replaced, and what it was at is played again.
"""

from __future__ import annotations

import contextlib
import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path

from facedown.simulate.chunks import Columns, play_chunk
from facedown.simulate.measures import Sums, sums_of
from facedown.simulate.parts import Folder
from facedown.simulate.setup import Setup
from facedown.simulate.texts import _

#: Chunks that wait for each processor.
AHEAD = 3
#: A chunk is tried so often alone after processes died.
TRIES = 3


class WorkerDied(RuntimeError):
    """The process of a chunk died each time it was tried; the text says which one, in one line."""


@dataclass(frozen=True)
class Done:
    """A chunk that was played, or found on the disk."""

    chunk: int
    sums: Sums
    columns: Columns | None
    """Its rows, if they are to be kept in memory."""


@dataclass(frozen=True)
class Work:
    """What is done with a chunk; picklable."""

    setup: Setup
    folder: Path | None
    """Where parts are kept; None: nowhere."""
    keep: bool = False
    """Are the rows handed back?"""

    def __call__(self, chunk: int) -> Done:
        """Read a chunk that is there already, or play it and keep it; and sum it up."""
        folder = None if self.folder is None else Folder(self.setup, self.folder)
        columns = None if folder is None else folder.read(chunk)
        if columns is None:
            columns = play_chunk(self.setup, chunk)
            if folder is not None:
                folder.write(chunk, columns)
        return Done(chunk, sums_of(self.setup, columns), columns if self.keep else None)


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def here(work: Work, jobs: int) -> Iterator[Done]:
    """All chunks in their order, played on this machine by so many threads or processes.

    `WorkerDied` if a chunk cannot be played; what playing and writing raise is raised here.
    """
    chunks = range(work.setup.chunks)
    jobs = min(jobs, len(chunks))
    if work.setup.compiled:
        compile_all(work.setup)
    if jobs == 1:
        yield from map(work, chunks)
    elif work.setup.compiled:
        with _closed(ThreadPoolExecutor(jobs)) as pool:
            yield from _in_order(pool, work, deque(chunks), AHEAD * jobs)
    else:
        yield from _in_processes(work, deque(chunks), jobs)


def compile_all(setup: Setup) -> None:
    """Compile what the chunks run, once, before any thread needs it."""
    # One match, for that is the least.
    least = replace(setup, deals=1, repeats=1, rounds=min(setup.rounds, 1))
    sums_of(least, play_chunk(least, 0))


@contextlib.contextmanager
def _closed(pool: Executor) -> Iterator[Executor]:
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _in_order(pool: Executor, work: Callable[[int], Done], todo: deque[int], ahead: int) -> Iterator[Done]:
    """The results for the chunks in `todo`, which leave it one by one as they come in."""
    waiting: deque[Future[Done]] = deque()
    while todo:
        while len(waiting) < min(len(todo), ahead):
            waiting.append(pool.submit(work, todo[len(waiting)]))
        found = waiting.popleft().result()
        todo.popleft()
        yield found


def _in_processes(work: Work, todo: deque[int], jobs: int) -> Iterator[Done]:
    """The same in processes, which are replaced when one dies."""
    deaths = 0
    while todo:
        # Whoever dies takes all of a pool along. So then one chunk is tried alone: it is seen whether it is the one.
        width = jobs if deaths == 0 else 1
        # Spawned, not forked: a forked process would inherit the threads' locks of this one.
        with _closed(ProcessPoolExecutor(width, get_context("spawn"), _take_up, (work,))) as pool:
            try:
                for found in _in_order(pool, _do, todo, AHEAD * width if deaths == 0 else 1):
                    yield found
                    if deaths:
                        deaths = 0
                        break
            except BrokenProcessPool:
                deaths += 1
        if deaths > TRIES:
            deals = work.setup.deals_of(todo[0])
            said = _(
                "the process that played deals {first} to {last} died again when it was alone",
                first=deals[0],
                last=deals[-1],
            )
            raise WorkerDied(said)


_work: Work | None = None


def _take_up(work: Work) -> None:
    global _work  # noqa: PLW0603 - a process of the pool has one work
    _work = work


def _do(chunk: int) -> Done:
    assert _work is not None
    return _work(chunk)


def on_ray(work: Work, address: str | None = None) -> Iterator[Done]:
    """All chunks in their order, played on a Ray cluster; what is kept is written here, by this process.

    `ClusterError` when there is no Ray, or when a chunk's worker keeps dying.
    """
    from facedown.simulate.cluster import mapped

    setup = work.setup
    folder = None if work.folder is None else Folder(setup, work.folder)
    missing = [chunk for chunk in range(setup.chunks) if folder is None or folder.table(chunk) is None]
    away = Work(setup, None, keep=work.keep or folder is not None)
    results = mapped(away, missing, address=address)
    with contextlib.closing(results):  # type: ignore[type-var]
        for chunk in range(setup.chunks):
            if not missing or chunk != missing[0]:
                yield work(chunk)
                continue
            missing = missing[1:]
            found = next(results)
            if folder is not None:
                assert found.columns is not None
                folder.write(chunk, found.columns)
            yield replace(found, columns=found.columns if work.keep else None)
