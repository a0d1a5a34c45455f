"""``facedown simulate`` and ``facedown compare``: experiments, with a progress bar, and a table at the end."""

from __future__ import annotations

import functools
import importlib
import inspect
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from facedown.terminal.shared import FAILED, FINE, GameName, OptionList, Problem, Quiet, bar, here
from facedown.terminal.texts import _, n_
from facedown.terminal.trials import (
    ABOUT_BOTS,
    Address,
    Form,
    Limit,
    Seats,
    Seed,
    check_form,
    print_csv,
    print_lines,
    print_table,
)

#: While an experiment runs its report is written anew after so many seconds.
REPORT_SECONDS = 10.0


@dataclass(frozen=True)
class Asked:
    """What both commands are asked for: their arguments and options."""

    game: GameName
    bots: Annotated[list[str], typer.Option("--bots", metavar="BOT,…", help=ABOUT_BOTS)]
    seats: Seats = None
    options: OptionList = None
    deals: Annotated[int, typer.Option("--deals", "-n", help="How many deals.")] = 1000
    rounds: Annotated[int, typer.Option(help="Stop after so many rounds; 0: whole matches.")] = 0
    repeats: Annotated[
        int,
        typer.Option(help="Play each deal so often with other choices: with 2 or more it is told how much is luck."),
    ] = 1
    seed: Seed = "experiment"
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="Processors; 0: all of this machine.")] = 0
    out: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Keep all results there (Parquet); the same command goes on after a stop."),
    ] = None
    on: Annotated[str, typer.Option("--on", metavar="PLACE", help="here, or ray: chunks of deals as tasks of Ray.")] = (
        "here"
    )
    address: Address = None
    limit: Limit = 10.0
    question: Annotated[str, typer.Option(metavar="TEXT", help="What is asked: the title of the report.")] = ""
    report: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a report there (HTML).")] = None
    form: Form = "text"
    quiet: Quiet = False


def asking(command: Callable[..., int]) -> Callable[..., int]:
    """A command that is asked for all of `Asked`, its first argument, and for its own options before the usual ones."""
    own = list(inspect.signature(command, eval_str=True).parameters.values())[1:]
    usual = list(inspect.signature(Asked, eval_str=True).parameters.values())
    needed = [each for each in usual if each.default is each.empty]

    @functools.wraps(command)
    def asked(**given: Any) -> int:
        rest = {each.name: given.pop(each.name) for each in own}
        return command(Asked(**given), **rest)

    # What Typer makes the options from.
    vars(asked)["__signature__"] = inspect.Signature([*needed, *own, *usual[len(needed) :]])
    return asked


@asking
def simulate(asked: Asked) -> int:
    """Play many deals between bots and measure them: length, seats, how often each rule applies, luck."""
    return _experiment(asked, {})


@asking
def compare(
    asked: Asked,
    a: Annotated[
        list[str] | None,
        typer.Option("--a", metavar="NAME=VALUE", help="An option of rule set A; may be given several times."),
    ] = None,
    b: Annotated[
        list[str] | None,
        typer.Option("--b", metavar="NAME=VALUE", help="An option of rule set B; may be given several times."),
    ] = None,
) -> int:
    """Play the same deals under two rule sets and measure what changes."""
    from facedown.terminal.starting import options_of

    return _experiment(asked, options_of(a or [], "--a"), options_of(b or [], "--b"))


def _names(given: Sequence[str]) -> tuple[str, ...]:
    """The bots of one or several ``--bots``; the command of a program may have commas in it.

    >>> _names(["greedy, random", "program:play 1,2"])
    ('greedy', 'random', 'program:play 1,2')
    """
    return tuple(
        name.strip() for text in given for name in ([text] if text.startswith("program:") else text.split(","))
    )


def _setup(asked: Asked, a: Mapping[str, str], b: Mapping[str, str] | None) -> Any:
    """The experiment that is asked for; A and B have the common options, too."""
    from facedown.simulate.setup import Setup
    from facedown.terminal.starting import options_of

    common = options_of(asked.options or [])
    return Setup(
        asked.game,
        _names(asked.bots),
        asked.seats or 0,
        {**common, **a},
        other=None if b is None else {**common, **b},
        rounds=asked.rounds,
        deals=asked.deals,
        repeats=asked.repeats,
        seed=asked.seed,
        folder=here(),
        limit=asked.limit,
    )


def _experiment(asked: Asked, a: Mapping[str, str], b: Mapping[str, str] | None = None) -> int:
    """Run it and tell what was found; what was found before Ctrl-C is told, too."""
    from facedown.simulate.cluster import ClusterError
    from facedown.simulate.entrants import BotFailed
    from facedown.simulate.experiment import Run
    from facedown.simulate.parts import NotWritten
    from facedown.simulate.running import WorkerDied
    from facedown.simulate.setup import BadExperiment

    setup = _setup(asked, a, b)
    check_form(asked.form)
    if asked.seats is not None:
        setup.info.check_seats(asked.seats)
    write = _writer(asked.report)
    run = Run(setup, asked.out, asked.jobs, asked.on, asked.address, question=asked.question)
    try:
        run.check()
        _play(run, write, asked.quiet)
    except BadExperiment as problem:
        raise Problem(str(problem)) from None
    except (BotFailed, ClusterError, NotWritten, WorkerDied) as problem:
        raise Problem(str(problem), FAILED) from None
    except KeyboardInterrupt:
        if run.sums is None:
            raise
    write(run.findings)
    _write(run.findings, asked.form)
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
        print_csv([_plain(row) for row in findings.rows()])
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
    two = findings.b is not None
    heads = (_("Figure"), *((_("A"), _("B"), _("B minus A")) if two else (_("Mean"), _("95 % interval"))))
    rows = []
    for row in findings.rows():
        name = f"{row.a.label} ({row.a.note})" if row.a.note else row.a.label
        cells = _compared(row) if two else (_mean(row.a.value, row.a.unit), _span(row.a.value, row.a.unit))
        rows.append((name, *cells))
    if findings.question:
        print_lines(findings.question)
    print_table(heads, rows)
    print_lines(_summary(findings))


def _compared(row: Any) -> tuple[str, str, str]:
    unit = row.a.unit
    if row.difference is None or math.isnan(row.difference.mean):
        change = "–"
    else:
        change = f"{_mean(row.difference, unit, '+')} ({_span(row.difference, unit, '+')})"
    return _mean(row.a.value, unit), _mean(row.b.value, unit), change


def _summary(findings: Any) -> str:
    """What was played, whether two rule sets can be told apart, and why nothing is said about luck."""
    from facedown.simulate.saying import no_luck

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
    cannot = "" if findings.b is None or findings.told else _("These deals cannot tell.")
    return " ".join(text for text in (said, cannot, no_luck(findings)) if text)


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
