"""Experiments: what a rule does, how long a game is, whose seat is better, how much of it is luck.

`simulate` plays one rule set, `compare` two on the same deals. Both give `Results`: the findings, and the rows that
they were made of. The same arguments give the same figures to the last bit, whatever the number of processors, wherever
it was played, and however often it was cut off and taken up again.

>>> from facedown.core.game import catalogue
>>> found = simulate(next(iter(catalogue())), ["casual"], deals=20, rounds=1, seed="an example", jobs=1)
>>> found.findings.deals, found.findings.a.matches, [len(part) for part in found.parts()]
(20, 20, [20])
"""

from __future__ import annotations

import contextlib
import datetime as dt
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypedDict, Unpack

from facedown.bots import Bot
from facedown.simulate.chunks import Columns
from facedown.simulate.figures import findings_of
from facedown.simulate.findings import Findings
from facedown.simulate.measures import Sums
from facedown.simulate.parts import Folder, arrow, table_of
from facedown.simulate.running import Done, Work, here, on_ray, processors
from facedown.simulate.series import HERE, RAY, wrong_place
from facedown.simulate.setup import BadExperiment, Setup
from facedown.simulate.texts import _


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
        wrong = wrong_place(self.on, self.address)
        if wrong:
            raise BadExperiment(wrong)
        if self.jobs < 0:
            raise BadExperiment(_("{count} jobs: at least one is needed", count=self.jobs))
        self.setup.check()
        if self.on == RAY:
            from facedown.simulate.cluster import loaded

            loaded()
        if self.out is not None:
            Folder(self.setup, self.out).open()

    @property
    def deals(self) -> int:
        """How many deals were played so far."""
        return 0 if self.sums is None else self.sums.moments.deals

    def __iter__(self) -> Iterator[Done]:
        """Play it, chunk by chunk; `BotFailed`, `WorkerDied`, `ClusterError` or `NotWritten` if that fails."""
        self.check()
        work = Work(self.setup, self.out, keep=self.keep and self.out is None)
        started = time.monotonic()
        self.sums, self.columns = None, []
        played = on_ray(work, self.address) if self.on == RAY else here(work, self.jobs or processors())
        with contextlib.closing(played):  # type: ignore[type-var]
            for done in played:
                self.sums = done.sums if self.sums is None else self.sums + done.sums
                if done.columns is not None:
                    self.columns.append(done.columns)
                self.seconds = time.monotonic() - started
                yield done
        if self.out is not None:
            Folder(self.setup, self.out).clear()

    @property
    def findings(self) -> Findings:
        """What was found so far; `ValueError` before the first chunk."""
        if self.sums is None:
            raise ValueError("nothing was played yet")
        today = dt.datetime.now(dt.UTC).date().isoformat()
        return replace(findings_of(self.setup, self.sums, self.question), seconds=self.seconds, made=today)


@dataclass(frozen=True)
class Results:
    """What an experiment found, and the rows that it was found in."""

    setup: Setup
    findings: Findings
    out: Path | None = None
    columns: Sequence[Columns] = ()

    def parts(self) -> Iterator[Any]:
        """The rows as Arrow tables, one a chunk (`simulate.chunks` says what is in them); needs the extra ``lab``."""
        arrow()
        for chunk in range(self.setup.chunks):
            yield self._table(chunk)

    def _table(self, chunk: int) -> Any:
        if self.out is None:
            return table_of(self.setup, chunk, self.columns[chunk])
        found = Folder(self.setup, self.out).table(chunk)
        if found is None:
            raise BadExperiment(_("{file} is missing or not whole", file=Folder(self.setup, self.out).part(chunk)))
        return found


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
    game: str, bots: Sequence[str], *, options: Mapping[str, str] | None = None, **settings: Unpack[Settings]
) -> Results:
    """Play deals under one rule set and measure them.

    The arguments are those of `Setup` and `Run`; `progress` is called with how many deals were played, and of how many.
    Without a folder `out` all rows are held in memory, about 150 bytes a match.

    Raises:
        BadExperiment, OptionError, UnknownGame, UnknownBot: It cannot be run; the text says why in one line.
        BotFailed, WorkerDied, ClusterError, NotWritten: It failed in mid-run.
    """
    return _run(game, bots, options or {}, None, settings)


def compare(
    game: str, bots: Sequence[str], a: Mapping[str, str], b: Mapping[str, str], **settings: Unpack[Settings]
) -> Results:
    """Play the same deals under two rule sets, A and B, and measure the differences; all else as `simulate`."""
    return _run(game, bots, a, b, settings)


def _run(
    game: str, bots: Sequence[str], a: Mapping[str, str], b: Mapping[str, str] | None, settings: Settings
) -> Results:
    given: dict[str, Any] = dict(settings)
    progress, out = given.pop("progress", None), given.pop("out", None)
    where = {name: given.pop(name) for name in ("jobs", "on", "address", "question") if name in given}
    setup = Setup(game, tuple(bots), options=dict(a), other=None if b is None else dict(b), **given)
    run = Run(setup, None if out is None else Path(out), keep=True, **where)
    for _done in run:
        if progress is not None:
            progress(run.deals, run.setup.deals)
    return Results(run.setup, run.findings, run.out, tuple(run.columns))
