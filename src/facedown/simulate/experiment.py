"""Experiments: what a rule does, how long a game is, whose seat is better, how much of it is luck.

`simulate` plays one rule set, `compare` two on the same deals. Both give the finished `Run`: its findings, and the
rows that they were made of. The same arguments give the same figures to the last bit, whatever the number of
processors, wherever it was played, and however often it was cut off and taken up again.

>>> from facedown.core.game_registry import catalogue
>>> found = simulate(next(iter(catalogue())), ["casual"], deals=20, rounds=1, seed="an example", jobs=1)
>>> found.findings.deals, found.findings.a.matches, [len(part) for part in found.parts()]
(20, 20, [20])
"""

from __future__ import annotations

import contextlib
import datetime as dt
import os
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, TypedDict, Unpack

from facedown.bots import Bot
from facedown.simulate import ray_cluster
from facedown.simulate.deal_series import HERE, RAY
from facedown.simulate.estimates import findings_of
from facedown.simulate.experiment_chunks import Columns, play_chunk
from facedown.simulate.experiment_setup import BadExperiment, Setup
from facedown.simulate.findings import Findings
from facedown.simulate.i18n import _
from facedown.simulate.measures import Sums, sums_of
from facedown.simulate.result_files import Folder, import_parquet, table_of
from facedown.simulate.worker_pool import map_in_processes, map_in_threads


class WorkerDied(RuntimeError):
    """The process of a chunk died each time it was tried; the text says which one, in one line."""


@dataclass(frozen=True)
class ChunkResult:
    """A chunk that was played, or found on the disk."""

    chunk: int
    sums: Sums
    columns: Columns | None
    """Its rows, if they are to be kept."""


def play_and_sum_chunk(setup: Setup, keep: bool, chunk: int) -> ChunkResult:
    """Play a chunk and sum it up, in any process or machine; its rows are returned if they are to be kept."""
    columns = play_chunk(setup, chunk)
    return ChunkResult(chunk, sums_of(setup, columns), columns if keep else None)


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass
class Run:
    """An experiment under way; iterate over it to play it: it grows with each chunk, which it hands out."""

    setup: Setup
    out: Path | None = None
    """The folder of its results; None: none."""
    jobs: int = 0
    """Processors on this machine; 0: all."""
    on: str = HERE
    address: str | None = None
    """Of a Ray cluster; None: one is started on this machine."""
    keep: bool = False
    """Are the rows kept in memory, where there is no folder?"""
    question: str = ""
    sums: Sums | None = None
    columns: list[Columns] = field(default_factory=list)
    seconds: float = 0.0

    def check(self) -> None:
        """Make its folder, or see that it is its own; `BadExperiment` says in a line what is wrong (`Setup.check`)."""
        self.setup.check_backend(self.on, self.address)
        self.setup.refuse_if(self.jobs < 0, _("{count} jobs: at least one is needed", count=self.jobs))
        self.setup.check()
        if self.on == RAY:
            ray_cluster.import_ray()
        if self.out is not None:
            Folder(self.setup, self.out).create_or_check()

    @property
    def deals_played(self) -> int:
        """How many deals were played so far."""
        return 0 if self.sums is None else self.sums.moments.deals

    def __iter__(self) -> Iterator[ChunkResult]:
        """Play it, chunk by chunk; `BotFailed`, `WorkerDied`, `ClusterError` or `NotWritten` if that fails."""
        self.check()
        started = time.monotonic()
        self.sums, self.columns = None, []
        for done in self._chunks():
            self.sums = done.sums if self.sums is None else self.sums + done.sums
            if done.columns is not None:
                self.columns.append(done.columns)
            self.seconds = time.monotonic() - started
            yield done

    def _chunks(self) -> Iterator[ChunkResult]:
        """All chunks in their order: those that were kept are read, the others are played, and written here."""
        setup, folder = self.setup, None if self.out is None else Folder(self.setup, self.out)
        kept = folder.complete_chunks() if folder is not None else set[int]()
        keep = self.keep or folder is not None
        with contextlib.closing(self._play_chunks(deque(sorted(set(range(setup.chunks)) - kept)), keep)) as played:
            for chunk in range(setup.chunks):
                columns = folder.read(chunk) if folder is not None and chunk in kept else None
                if columns is not None:
                    yield ChunkResult(chunk, sums_of(setup, columns), None)
                    continue
                done = next(played) if chunk not in kept else play_and_sum_chunk(setup, keep, chunk)
                if folder is not None:
                    assert done.columns is not None
                    folder.write(chunk, done.columns)
                    done = replace(done, columns=None)
                yield done
        if folder is not None:
            folder.remove_unfinished_files()

    def _play_chunks(self, todo: deque[int], keep: bool) -> Generator[ChunkResult, None, None]:
        """Chunks in their order, played on a cluster, or by threads or processes of this machine.

        Compiled bots let go of Python's lock, so they are played in threads. Other bots get processes of their own; one
        that dies is replaced, and what it was at is played again. `WorkerDied` if a chunk cannot be played.
        """
        setup, work, jobs = (
            self.setup,
            partial(play_and_sum_chunk, self.setup, keep),
            min(self.jobs or processors(), len(todo)),
        )
        if self.on == RAY:
            yield from ray_cluster.map_on_cluster(work, list(todo), address=self.address)
        elif jobs <= 1:
            yield from map(work, todo)
        elif setup.compiled:
            # Compiled once, by the smallest of all experiments, before any thread needs it.
            play_and_sum_chunk(replace(setup, deals=1, repeats=1, rounds=min(setup.rounds, 1)), False, 0)
            yield from map_in_threads(work, todo, jobs)
        else:
            try:
                yield from map_in_processes(work, todo, jobs)
            except BrokenProcessPool:
                deals = setup.deals_of(todo[0])
                said = _(
                    "the process that played deals {first} to {last} died again when it was alone",
                    first=deals[0],
                    last=deals[-1],
                )
                raise WorkerDied(said) from None

    @property
    def findings(self) -> Findings:
        """What was found so far; `ValueError` before the first chunk."""
        if self.sums is None:
            raise ValueError("nothing was played yet")
        today = dt.datetime.now(dt.UTC).date().isoformat()
        return replace(findings_of(self.setup, self.sums, self.question), seconds=self.seconds, made=today)

    def to_arrow_tables(self) -> Iterator[Any]:
        """Yield the rows as Arrow tables, one per chunk (columns: `experiment_chunks`). Needs the extra ``lab``.

        Raises `BadExperiment` if a file of the experiment is missing or cut short.
        """
        import_parquet()
        if self.out is None:
            yield from (table_of(self.setup, chunk, columns) for chunk, columns in enumerate(self.columns))
            return
        folder = Folder(self.setup, self.out)
        for chunk in range(self.setup.chunks):
            found = folder.table(chunk)
            if found is None:
                raise BadExperiment(_("{file} is missing or not whole", file=folder.chunk_file(chunk)))
            yield found


class Settings(TypedDict, total=False):
    """What `simulate` and `compare` take besides, with the meaning and the defaults of `Setup` and `Run`."""

    seats: int
    deals: int
    rounds: int
    repeats: int
    seed: str
    makers: Mapping[str, Callable[[], Bot]]
    folder: str
    jobs: int
    out: str | Path | None
    on: str
    address: str | None
    question: str
    progress: Callable[[int, int], None] | None


def simulate(
    game: str,
    bots: Sequence[str],
    *,
    options: Mapping[str, str] | None = None,
    other: Mapping[str, str] | None = None,
    **settings: Unpack[Settings],
) -> Run:
    """Play deals under one rule set and measure them; with `other` options, under a second one, too.

    The arguments are those of `Setup` and `Run`; `progress` is called with how many deals were played, and of how many.
    Without a folder `out` all rows are held in memory, about 150 bytes a match.

    Raises:
        BadExperiment, OptionError, UnknownGame, UnknownBot: It cannot be run; the text says why in one line.
        BotFailed, WorkerDied, ClusterError, NotWritten: It failed in mid-run.
    """
    given: dict[str, Any] = dict(settings)
    progress, out = given.pop("progress", None), given.pop("out", None)
    where = {name: given.pop(name) for name in ("jobs", "on", "address", "question") if name in given}
    setup = Setup(game, tuple(bots), options=options or {}, other=other, **given)
    run = Run(setup, None if out is None else Path(out), keep=True, **where)
    for _done in run:
        if progress is not None:
            progress(run.deals_played, setup.deals)
    return run


def compare(
    game: str, bots: Sequence[str], a: Mapping[str, str], b: Mapping[str, str], **settings: Unpack[Settings]
) -> Run:
    """Play the same deals under two rule sets, A and B, and measure the differences; all else as `simulate`."""
    return simulate(game, bots, options=a, other=b, **settings)
