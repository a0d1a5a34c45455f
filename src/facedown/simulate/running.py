"""Where the chunks of an experiment are played: in threads, in processes, or on a cluster; their order stays the same.

Compiled bots let go of Python's lock, so they are played in threads. Other bots get processes of their own; one that
dies in mid-run is replaced, and what it was at is played again.
"""

from __future__ import annotations

import contextlib
import os
from collections import deque
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from pathlib import Path

from facedown.simulate.chunks import Columns, play_chunk
from facedown.simulate.measures import Sums, sums_of
from facedown.simulate.parts import Folder
from facedown.simulate.pool import in_processes, in_threads
from facedown.simulate.setup import Setup
from facedown.simulate.texts import _


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
    todo = deque(chunks)
    if jobs == 1:
        yield from map(work, chunks)
    elif work.setup.compiled:
        yield from in_threads(work, todo, jobs)
    else:
        try:
            yield from in_processes(work, todo, jobs)
        except BrokenProcessPool:
            deals = work.setup.deals_of(todo[0])
            said = _(
                "the process that played deals {first} to {last} died again when it was alone",
                first=deals[0],
                last=deals[-1],
            )
            raise WorkerDied(said) from None


def compile_all(setup: Setup) -> None:
    """Compile what the chunks run, once, before any thread needs it."""
    # One match, for that is the least.
    least = replace(setup, deals=1, repeats=1, rounds=min(setup.rounds, 1))
    sums_of(least, play_chunk(least, 0))


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
