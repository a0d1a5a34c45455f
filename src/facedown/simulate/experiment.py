"""Experiments with bots: the effect of a rule, the length of a game, the advantage of a seat, the share of luck.

* `simulate` plays one rule set.
* `compare` plays two rule sets on the same deals.

Both return the finished `Run`, with its findings and the rows (one per match) from which they were computed. The same
arguments always give exactly the same numbers. It does not matter how many processors are used, whether the deals are
played on this machine or on a Ray cluster, or how often the experiment is interrupted and resumed.

>>> from facedown.core.game_registry import catalogue
>>> found = simulate(next(iter(catalogue())), ["casual"], deals=20, rounds=1, seed="an example", jobs=1)
>>> found.findings.deals, found.findings.a.matches, [len(table) for table in found.to_arrow_tables()]
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
from facedown.simulate.deal_measurements import Sums, sums_of
from facedown.simulate.deal_series import HERE, RAY
from facedown.simulate.experiment_chunks import Columns, play_chunk
from facedown.simulate.experiment_setup import BadExperiment, Setup
from facedown.simulate.findings import Findings
from facedown.simulate.findings_computation import findings_of
from facedown.simulate.i18n import _
from facedown.simulate.result_files import Folder, arrow_table_of_chunk, import_parquet
from facedown.simulate.worker_pool import map_in_processes, map_in_threads


class WorkerDied(RuntimeError):
    """Error: the process that played a chunk (a range of deals) died at every attempt. The text names the deals."""


@dataclass(frozen=True)
class ChunkResult:
    """Result of one chunk (a range of deals), played now or read from the results folder."""

    chunk: int
    sums: Sums
    columns: Columns | None
    """Results of the matches: name of a column → array with one value per match. None if they are not kept in
    memory."""


def play_and_sum_chunk(setup: Setup, keep: bool, chunk: int) -> ChunkResult:
    """Play one chunk and return its sums. A chunk is a range of deals; `chunk` is its number, from 0.

    If `keep` is set, `ChunkResult.columns` has the results of all matches; otherwise it is None. The returned values
    are the same in any process and on any machine.
    """
    columns = play_chunk(setup, chunk)
    return ChunkResult(chunk, sums_of(setup, columns), columns if keep else None)


def processor_count() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass
class Run:
    """An experiment in progress. Iterating over it plays the experiment.

    Each step of the iteration plays a chunk (a range of deals), adds its sums to `sums`, and yields its result. A chunk
    that is already in the results folder is not played but read.
    """

    setup: Setup
    out: Path | None = None
    """Folder of the results; None: write no files."""
    jobs: int = 0
    """Number of processors to use on this machine; 0: all."""
    on: str = HERE
    address: str | None = None
    """Address of a running Ray cluster; None: start Ray on this machine."""
    keep: bool = False
    """Whether to keep the results of all matches in memory (in `columns`). Ignored if files are written (`out`)."""
    question: str = ""
    sums: Sums | None = None
    columns: list[Columns] = field(default_factory=list)
    seconds: float = 0.0

    def check_and_prepare_folder(self) -> None:
        """Create the results folder, or check that an existing one belongs to this experiment.

        Raise `BadExperiment` with a one-line text if the experiment cannot be run (see also `Setup.check`).
        """
        self.setup.check_backend(self.on, self.address)
        self.setup.raise_error_if(
            self.jobs < 0, _("the number of jobs must be 0 or more, not {count}", count=self.jobs)
        )
        self.setup.check()
        if self.on == RAY:
            ray_cluster.import_ray()
        if self.out is not None:
            Folder(self.setup, self.out).create_or_check()

    @property
    def deals_played(self) -> int:
        """Number of deals played so far."""
        return 0 if self.sums is None else self.sums.moments.deals

    def __iter__(self) -> Iterator[ChunkResult]:
        """Play the experiment and yield the result of each chunk.

        Raise `BotFailed`, `WorkerDied`, `ClusterError` or `NotWritten` on failure.
        """
        self.check_and_prepare_folder()
        started = time.monotonic()
        self.sums, self.columns = None, []
        for done in self._chunk_results_in_order():
            self.sums = done.sums if self.sums is None else self.sums + done.sums
            if done.columns is not None:
                self.columns.append(done.columns)
            self.seconds = time.monotonic() - started
            yield done

    def _chunk_results_in_order(self) -> Iterator[ChunkResult]:
        """Yield the results of all chunks (ranges of deals) in their order.

        Chunks with a complete file in the results folder are read. All others are played and written to the folder.
        """
        setup, folder = self.setup, None if self.out is None else Folder(self.setup, self.out)
        kept = folder.complete_chunk_numbers() if folder is not None else set[int]()
        keep = self.keep or folder is not None
        with contextlib.closing(self._play_chunks(deque(sorted(set(range(setup.chunk_count)) - kept)), keep)) as played:
            for chunk in range(setup.chunk_count):
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
        """Play the chunks (ranges of deals) with the numbers in `todo`, and yield their results in order.

        If `keep` is set, each `ChunkResult` also has the results of all matches of its chunk. The chunks are played on
        a Ray cluster, or on this machine. On this machine there are two ways:

        * Compiled bots are played by threads, because they release Python's global lock.
        * All other bots are played in processes. If a process dies, it is replaced and its chunk is played again.

        Raise `WorkerDied` if a chunk fails repeatedly.
        """
        setup, work, jobs = (
            self.setup,
            partial(play_and_sum_chunk, self.setup, keep),
            min(self.jobs or processor_count(), len(todo)),
        )
        if self.on == RAY:
            yield from ray_cluster.map_on_cluster(work, list(todo), address=self.address)
        elif jobs <= 1:
            yield from map(work, todo)
        elif setup.can_play_compiled:
            # Play the smallest possible experiment first: it compiles all code before several threads need it.
            play_and_sum_chunk(replace(setup, deals=1, repeats=1, rounds=min(setup.rounds, 1)), False, 0)
            yield from map_in_threads(work, todo, jobs)
        else:
            try:
                yield from map_in_processes(work, todo, jobs)
            except BrokenProcessPool:
                deals = setup.deals_of(todo[0])
                said = _(
                    "the process playing deals {first} to {last} died again, even when it ran alone",
                    first=deals[0],
                    last=deals[-1],
                )
                raise WorkerDied(said) from None

    @property
    def findings(self) -> Findings:
        """The findings so far. Raises `ValueError` before the first chunk (range of deals) is played."""
        if self.sums is None:
            raise ValueError("no deals have been played yet")
        today = dt.datetime.now(dt.UTC).date().isoformat()
        return replace(findings_of(self.setup, self.sums, self.question), seconds=self.seconds, made=today)

    def to_arrow_tables(self) -> Iterator[Any]:
        """Yield the results of all matches as Arrow tables, one per chunk (range of deals), with one row per match.

        The module `experiment_chunks` describes the columns. The tables come from one of these sources:

        * The files in the results folder, if the run has one (`out`).
        * Otherwise the results in memory (`columns`). A run keeps them only if `keep` is set, as `simulate` and
          `compare` do. Without them, nothing is yielded.

        Raise `BadExperiment` if PyArrow is not installed (extra ``lab``), or if a file of the experiment is missing,
        incomplete or damaged.
        """
        import_parquet()
        if self.out is None:
            yield from (arrow_table_of_chunk(self.setup, chunk, columns) for chunk, columns in enumerate(self.columns))
            return
        folder = Folder(self.setup, self.out)
        for chunk in range(self.setup.chunk_count):
            found = folder.read_arrow_table(chunk)
            if found is None:
                raise BadExperiment(_("{file} is missing or incomplete", file=folder.chunk_file(chunk)))
            yield found


class Settings(TypedDict, total=False):
    """Optional keyword arguments of `simulate` and `compare`.

    `progress` is a function that is called after each chunk (range of deals). It gets the number of deals played so far
    and the total number of deals. Each of the other arguments has the meaning and the default value of the field of the
    same name in `Setup` or `Run`.
    """

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
    """Play deals under the rule set `options` and return the finished run.

    * `bots`: name of the bot at each seat. If there are fewer names than seats, the last bot plays the remaining seats.
      In a cooperative game, each name is a team (``a+b``: bots a and b alternate over the seats).
    * `options`: name → value of each option that differs from the game's defaults.
    * `other`: a second rule set, in the same form. The same deals are also played under it.
    * `settings`: all other arguments (see `Settings`). For example, `deals` is the number of deals (1000 if not given),
      and `progress` is a function that receives the number of deals played so far and the total number of deals.

    Without the setting `out` (a folder), the results of all matches are kept in memory, about 150 bytes per match.

    Raises:
        BadExperiment, OptionError, UnknownGame, UnknownBot: The experiment cannot be run; the text gives the reason.
        BotFailed, WorkerDied, ClusterError, NotWritten: The experiment failed while it ran.
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
    """Play the same deals under two rule sets, `a` and `b`, and return the finished run.

    The findings of the run also have the difference B minus A of each statistic (`Findings.differences`). The other
    arguments and the exceptions are those of `simulate`.
    """
    return simulate(game, bots, options=a, other=b, **settings)
