"""``facedown simulate`` and ``facedown compare``: experiments, with a progress bar, and a table at the end."""

from __future__ import annotations

import csv
import importlib
import math
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from facedown.terminal.shared import FAILED, FINE, GameName, OptionList, Problem, bar, here
from facedown.terminal.texts import _, n_

FORMATS = ("text", "csv", "json")
#: While an experiment runs its report is written anew after so many seconds.
REPORT_SECONDS = 10.0

Bots = Annotated[
    list[str],
    typer.Option(
        "--bots",
        metavar="BOT,…",
        help="Levels, level@simulations, MODULE:NAME or “program:COMMAND”; the last one takes the seats that are left. "
        "Playing together, each is a team (a+b: in turn).",
    ),
]
Seats = Annotated[int | None, typer.Option(help="How many sit at the table; otherwise as many as bots.")]
Deals = Annotated[int, typer.Option("--deals", "-n", help="How many deals.")]
Rounds = Annotated[int, typer.Option(help="Stop after so many rounds; 0: whole matches.")]
Repeats = Annotated[
    int, typer.Option(help="Play each deal so often with other choices: with 2 or more it is told how much is luck.")
]
Seed = Annotated[str, typer.Option(help="Any text: the same one gives the same deals and choices.")]
Jobs = Annotated[int, typer.Option("--jobs", "-j", help="Processors; 0: all of this machine.")]
Out = Annotated[
    Path | None,
    typer.Option(metavar="FOLDER", help="Keep all results there (Parquet); the same command goes on after a stop."),
]
On = Annotated[str, typer.Option("--on", metavar="PLACE", help="here, or ray: chunks of deals as tasks of Ray.")]
Address = Annotated[
    str | None, typer.Option("--ray-address", metavar="ADDRESS", help="A cluster of Ray that runs already.")
]
Limit = Annotated[float, typer.Option(metavar="SECONDS", help="What a program may take for a move.")]
Question = Annotated[str, typer.Option(metavar="TEXT", help="What is asked: the title of the report.")]
Report = Annotated[Path | None, typer.Option(metavar="FILE", help="Write a report there (HTML).")]
Form = Annotated[str, typer.Option("--format", metavar="FORMAT", help="text, csv or json.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="No progress bar.")]


def simulate(
    game: GameName,
    bots: Bots,
    seats: Seats = None,
    options: OptionList = None,
    deals: Deals = 1000,
    rounds: Rounds = 0,
    repeats: Repeats = 1,
    seed: Seed = "experiment",
    jobs: Jobs = 0,
    out: Out = None,
    on: On = "here",
    address: Address = None,
    limit: Limit = 10.0,
    question: Question = "",
    report: Report = None,
    form: Form = "text",
    quiet: Quiet = False,
) -> int:
    """Play many deals between bots and measure them: length, seats, how often each rule applies, luck."""
    from facedown.simulate.setup import Setup
    from facedown.terminal.starting import options_of

    setup = Setup(
        game,
        _names(bots),
        0 if seats is None else seats,
        options_of(options or []),
        rounds=rounds,
        deals=deals,
        repeats=repeats,
        seed=seed,
        folder=here(),
        limit=limit,
    )
    return _experiment(setup, seats, jobs, out, on, address, question, report, form, quiet)


def compare(
    game: GameName,
    bots: Bots,
    a: Annotated[
        list[str] | None,
        typer.Option("--a", metavar="NAME=VALUE", help="An option of rule set A; may be given several times."),
    ] = None,
    b: Annotated[
        list[str] | None,
        typer.Option("--b", metavar="NAME=VALUE", help="An option of rule set B; may be given several times."),
    ] = None,
    seats: Seats = None,
    options: OptionList = None,
    deals: Deals = 1000,
    rounds: Rounds = 0,
    repeats: Repeats = 1,
    seed: Seed = "experiment",
    jobs: Jobs = 0,
    out: Out = None,
    on: On = "here",
    address: Address = None,
    limit: Limit = 10.0,
    question: Question = "",
    report: Report = None,
    form: Form = "text",
    quiet: Quiet = False,
) -> int:
    """Play the same deals under two rule sets and measure what changes."""
    from facedown.simulate.setup import Setup
    from facedown.terminal.starting import options_of

    common = options_of(options or [])
    setup = Setup(
        game,
        _names(bots),
        0 if seats is None else seats,
        {**common, **options_of(a or [], "--a")},
        {**common, **options_of(b or [], "--b")},
        rounds=rounds,
        deals=deals,
        repeats=repeats,
        seed=seed,
        folder=here(),
        limit=limit,
    )
    return _experiment(setup, seats, jobs, out, on, address, question, report, form, quiet)


def _names(given: Sequence[str]) -> tuple[str, ...]:
    """The bots of one or several ``--bots``; the command of a program may have commas in it.

    >>> _names(["greedy, random", "program:play 1,2"])
    ('greedy', 'random', 'program:play 1,2')
    """
    return tuple(
        name.strip() for text in given for name in ([text] if text.startswith("program:") else text.split(","))
    )


def _experiment(
    setup: Any,
    seats: int | None,
    jobs: int,
    out: Path | None,
    on: str,
    address: str | None,
    question: str,
    report: Path | None,
    form: str,
    quiet: bool,
) -> int:
    """Run it and tell what was found; what was found before Ctrl-C is told, too."""
    from facedown.simulate.cluster import ClusterError
    from facedown.simulate.entrants import BotFailed
    from facedown.simulate.experiment import Run
    from facedown.simulate.parts import NotWritten
    from facedown.simulate.running import WorkerDied
    from facedown.simulate.setup import BadExperiment

    if form not in FORMATS:
        raise Problem(_("--format {form}: there are {forms}", form=form, forms=", ".join(FORMATS)))
    if seats is not None:
        setup.info.check_seats(seats)
    write = _writer(report)
    run = Run(setup, out, jobs, on, address, question=question)
    try:
        run.check()
        _play(run, write, quiet)
    except BadExperiment as problem:
        raise Problem(str(problem)) from None
    except (BotFailed, ClusterError, NotWritten, WorkerDied) as problem:
        raise Problem(str(problem), FAILED) from None
    except KeyboardInterrupt:
        if run.sums is None:
            raise
    write(run.findings)
    _write(run.findings, form)
    return FINE


def _play(run: Any, write: Any, quiet: bool) -> None:
    told = time.monotonic()
    with bar(quiet) as progress:
        task = progress.add_task(run.setup.info.title, total=run.setup.deals)
        for _done in run:
            progress.update(task, completed=run.deals)
            if time.monotonic() - told > REPORT_SECONDS:
                write(run.findings)
                told = time.monotonic()


def _writer(report: Path | None) -> Any:
    """What writes the report of findings; where none is wanted, nothing happens."""
    if report is None:
        return lambda findings: None
    try:
        write = importlib.import_module("facedown.simulate.report").write
    except ImportError:
        raise Problem(_("--report: this installation writes no reports")) from None
    if not report.absolute().parent.is_dir():
        raise Problem(_("--report: there is no folder {folder}", folder=report.absolute().parent))
    return lambda findings: write(findings, report)


# --- what is printed --------------------------------------------------------------------------------------------------


def _write(findings: Any, form: str) -> None:
    if form == "json":
        print(findings.json(2))
    elif form == "csv":
        rows = [_plain(row) for row in findings.rows()]
        writer = csv.DictWriter(sys.stdout, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    else:
        _print(findings)


def _plain(row: Any) -> dict[str, Any]:
    found: dict[str, Any] = {"key": row.a.key, "label": row.a.label, "note": row.a.note, "unit": row.a.unit}
    figures = {"a": row.a.value}
    if row.b is not None:
        figures |= {"b": row.b.value, "difference": row.difference}
    for name, value in figures.items():
        found |= {f"{name}{end}": _number(value, part) for end, part in _ENDS.items()}
    return found


_ENDS: Mapping[str, str] = {"": "mean", "_low": "low", "_high": "high"}


def _number(value: Any, part: str) -> float | None:
    found = None if value is None else float(getattr(value, part))
    return found if found is not None and math.isfinite(found) else None


def _print(findings: Any) -> None:
    from rich import box
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    two = findings.b is not None
    found = Table(box=box.SIMPLE, pad_edge=False)
    found.add_column(_("Figure"))
    for title in (_("A"), _("B"), _("B minus A")) if two else (_("Mean"), _("95 % interval")):
        found.add_column(title, justify="right", no_wrap=True)
    for row in findings.rows():
        name = escape(f"{row.a.label} ({row.a.note})" if row.a.note else row.a.label)
        cells = _compared(row) if two else (_mean(row.a.value, row.a.unit), _span(row.a.value, row.a.unit))
        found.add_row(name, *cells)
    # A narrow terminal or a file must not cut figures off.
    console = Console(width=130) if not sys.stdout.isatty() else Console()
    if findings.question:
        print(findings.question)
    console.print(found)
    print(_summary(findings))


def _compared(row: Any) -> tuple[str, str, str]:
    unit = row.a.unit
    if row.difference is None or math.isnan(row.difference.mean):
        change = "–"
    else:
        change = f"{_mean(row.difference, unit, '+')} ({_span(row.difference, unit, '+')})"
    return _mean(row.a.value, unit), _mean(row.b.value, unit), change


def _summary(findings: Any) -> str:
    """What was played, and whether two rule sets can be told apart."""
    games = findings.repeats * findings.seatings
    said = n_(
        "{deals} of {asked} deals, each played once, seed {seed}, {seconds:.1f} s.",
        "{deals} of {asked} deals, each played {count} times, seed {seed}, {seconds:.1f} s.",
        games,
        deals=findings.deals,
        asked=findings.asked,
        seed=findings.seed,
        seconds=findings.seconds,
    )
    if findings.b is None or findings.told:
        return said
    return said + " " + _("These deals cannot tell.")


def _mean(value: Any, unit: str, sign: str = "") -> str:
    if math.isnan(value.mean):
        return "–"
    return _figure(value.mean, unit, sign) + (" %" if unit == "share" else "")


def _span(value: Any, unit: str, sign: str = "") -> str:
    if math.isnan(value.mean):
        return ""
    return f"{_figure(value.low, unit, sign)} … {_figure(value.high, unit, sign)}"


def _figure(number: float, unit: str, sign: str = "") -> str:
    """A number as it is printed: a share in percent, small numbers with more digits.

    >>> _figure(0.1234, "share"), _figure(3.14159, "count", "+"), _figure(53.35, "count"), _figure(math.inf, "count")
    ('12.34', '+3.142', '53.35', '∞')
    """
    if math.isinf(number):
        return "∞" if number > 0 else "−∞"
    if unit == "share":
        return f"{100 * number:{sign}.2f}".replace("-", "−")
    return f"{number:{sign}.{2 if abs(number) >= 10 else 3}f}".replace("-", "−")
