"""Commands ``simulate``, ``compare`` and ``arena``: experiments and contests between bots, with printed results."""

from __future__ import annotations

import csv
import functools
import inspect
import json
import shutil
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from facedown.terminal.command_common import (
    SUCCESS,
    CommandError,
    GameName,
    OptionList,
    Quiet,
    current_folder,
    progress_bar,
)
from facedown.terminal.i18n import _, n_

#: Seconds between two updates of the HTML report while an experiment runs.
REPORT_SECONDS = 10.0
FORMATS = ("text", "csv", "json")
#: Width of the gap between two columns of a table, and smallest width of the first column, which has names. Both are in
#: characters.
GAP, NAME = 3, 16
#: Width of the output in characters if it is not written to a terminal. All tables of numbers fit into it.
FILE_COLUMNS = 130

#: Help text about names of bots, used for an option and for arguments.
ABOUT_BOTS = (
    "LEVEL, LEVEL@SIMULATIONS, MODULE:NAME or “program:COMMAND”; the last bot fills the remaining seats. In "
    "cooperative games, each entry is a whole team; in team a+b, bots a and b take alternate seats."
)
Seats = Annotated[int | None, typer.Option(help="Number of seats (default: one for each bot).")]
Seed = Annotated[str, typer.Option(help="Seed: any text; the same text gives the same deals and choices.")]
Address = Annotated[
    str | None, typer.Option("--ray-address", metavar="ADDRESS", help="Address of a running Ray cluster.")
]
Limit = Annotated[float, typer.Option(metavar="SECONDS", help="Time limit per move for external programs.")]
Form = Annotated[str, typer.Option("--format", metavar="FORMAT", help="Output format: text, csv or json.")]


def check_output_format(form: str) -> None:
    """Raise `CommandError` unless `form` is a known output format."""
    if form not in FORMATS:
        raise CommandError(_("--format {form}: must be one of {forms}", form=form, forms=", ".join(FORMATS)))


@dataclass(frozen=True)
class ExperimentOptions:
    """Arguments and options that the commands ``simulate`` and ``compare`` have in common."""

    game: GameName
    bots: Annotated[list[str], typer.Option("--bots", metavar="BOT,…", help=ABOUT_BOTS)]
    seats: Seats = None
    options: OptionList = None
    deals: Annotated[int, typer.Option("--deals", "-n", help="Number of deals.")] = 1000
    rounds: Annotated[int, typer.Option(help="Stop after this many rounds (0: whole matches).")] = 0
    repeats: Annotated[
        int,
        typer.Option(
            help="Play each deal this many times with different random choices; with 2 or more, luck is measured too."
        ),
    ] = 1
    seed: Seed = "experiment"
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="Number of processors (0: all).")] = 0
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Save all results in this folder as Parquet files; repeat the command to resume."
        ),
    ] = None
    on: Annotated[
        str,
        typer.Option(
            "--on", metavar="PLACE", help="Where to run: “here”, or “ray” (each chunk of deals is a Ray task)."
        ),
    ] = "here"
    address: Address = None
    limit: Limit = 10.0
    question: Annotated[str, typer.Option(metavar="TEXT", help="Question to answer, used as the report’s title.")] = ""
    report: Annotated[Path | None, typer.Option(metavar="FILE", help="Write an HTML report to this file.")] = None
    form: Form = "text"
    quiet: Quiet = False


def with_experiment_options(command: Callable[..., int]) -> Callable[..., int]:
    """Decorator: add the fields of `ExperimentOptions` as options to a Typer command.

    The returned command accepts these options and those of `command`. It calls `command` with the `ExperimentOptions`
    as first argument.
    """
    own = list(inspect.signature(command, eval_str=True).parameters.values())[1:]
    usual = list(inspect.signature(ExperimentOptions, eval_str=True).parameters.values())
    needed = [each for each in usual if each.default is each.empty]

    @functools.wraps(command)
    def asked(**given: Any) -> int:
        rest = {each.name: given.pop(each.name) for each in own}
        return command(ExperimentOptions(**given), **rest)

    # Typer derives the options from this signature.
    vars(asked)["__signature__"] = inspect.Signature([*needed, *own, *usual[len(needed) :]])
    return asked


@with_experiment_options
def simulate(asked: ExperimentOptions) -> int:
    """Play many deals between bots and measure match length, seat advantage, luck, and how often each rule applies."""
    return _run_and_print_experiment(asked, {})


@with_experiment_options
def compare(
    asked: ExperimentOptions,
    a: Annotated[
        list[str] | None,
        typer.Option("--a", metavar="NAME=VALUE", help="Set an option of rule set A; can be repeated."),
    ] = None,
    b: Annotated[
        list[str] | None,
        typer.Option("--b", metavar="NAME=VALUE", help="Set an option of rule set B; can be repeated."),
    ] = None,
) -> int:
    """Play the same deals under two rule sets and measure what changes."""
    from facedown.terminal.play_commands import parse_options

    return _run_and_print_experiment(asked, parse_options(a, "--a"), parse_options(b, "--b"))


def _split_bot_names(given: Sequence[str]) -> tuple[str, ...]:
    """Split the values of the option ``--bots`` at commas, and return the names of the bots.

    A value that starts with "program:" is a single name, because it is a command line that may contain commas.

    >>> _split_bot_names(["greedy, random", "program:play 1,2"])
    ('greedy', 'random', 'program:play 1,2')
    """
    return tuple(
        name.strip() for text in given for name in ([text] if text.startswith("program:") else text.split(","))
    )


def _run_and_print_experiment(
    asked: ExperimentOptions, a: Mapping[str, str], b: Mapping[str, str] | None = None
) -> int:
    """Run an experiment and print its results, even if Ctrl-C ends it early. Return the exit code.

    `a` and `b` are options of the two rule sets, in addition to the options for both. `b` is None if there is only one
    rule set.
    """
    from facedown.simulate.experiment import Run
    from facedown.simulate.experiment_setup import Setup
    from facedown.terminal.play_commands import parse_options

    common = parse_options(asked.options)
    setup = Setup(
        asked.game,
        _split_bot_names(asked.bots),
        asked.seats or 0,
        {**common, **a},
        other=None if b is None else {**common, **b},
        rounds=asked.rounds,
        deals=asked.deals,
        repeats=asked.repeats,
        seed=asked.seed,
        folder=current_folder(),
        limit=asked.limit,
    )
    check_output_format(asked.form)
    if asked.seats is not None:
        setup.info.check_seats(asked.seats)
    if asked.report is not None and not asked.report.absolute().parent.is_dir():
        raise CommandError(_("--report: the folder {folder} does not exist", folder=asked.report.absolute().parent))
    run = Run(setup, asked.out, asked.jobs, asked.on, asked.address, question=asked.question)
    try:
        run.check_and_prepare_folder()
        _play_with_progress(run, asked)
    except KeyboardInterrupt:
        if run.sums is None:
            raise
    _write_report(run, asked)
    if asked.form == "json":
        print(run.findings.json(2))
    elif asked.form == "csv":
        print_csv([_row_data(row) for row in run.findings.rows()])
    else:
        _print_findings(run.findings)
    return SUCCESS


def _play_with_progress(run: Any, asked: ExperimentOptions) -> None:
    written = time.monotonic()
    with progress_bar(run.setup.info.title, run.setup.deals, quiet=asked.quiet) as update:
        for _done in run:
            update(run.deals_played)
            if time.monotonic() - written > REPORT_SECONDS:
                _write_report(run, asked)
                written = time.monotonic()


def _write_report(run: Any, asked: ExperimentOptions) -> None:
    from facedown.simulate.report import write_html_report

    if asked.report is not None:
        write_html_report(run.findings, asked.report)


# --- findings ---------------------------------------------------------------------------------------------------------


def _row_data(row: Any) -> dict[str, Any]:
    from facedown.simulate.confidence_intervals import UNKNOWN

    found = {
        "key": row.a.key,
        "label": row.a.label,
        "note": row.a.note,
        "unit": row.a.unit,
        **row.a.value.mean_and_interval_columns("a"),
    }
    if row.b is not None:
        found |= row.b.value.mean_and_interval_columns("b") | (row.difference or UNKNOWN).mean_and_interval_columns(
            "difference"
        )
    return found


def _print_findings(findings: Any) -> None:
    """Print a table of all measured values, formatted as in the HTML report."""
    from facedown.simulate.findings_text import (
        format_difference_without_interval,
        format_interval,
        format_mean_without_interval,
    )

    two = findings.b is not None
    heads = (_("Measure"), *((_("A"), _("B"), _("B minus A")) if two else (_("Mean"), _("95 % interval"))))
    rows = []
    for row in findings.rows():
        name, unit = f"{row.a.label} ({row.a.note})" if row.a.note else row.a.label, row.a.unit
        cells: tuple[str, ...] = (format_mean_without_interval(unit, row.a.value), format_interval(unit, row.a.value))
        if two:
            found = row.difference
            difference = (
                f"{format_difference_without_interval(unit, found)} ({format_interval(unit, found, sign=True)})"
                if found is not None
                else "–"
            )
            cells = (cells[0], format_mean_without_interval(unit, row.b.value), difference.removesuffix(" ()"))
        rows.append((name, *cells))
    if findings.question:
        print_wrapped_text(findings.question)
    print_table(heads, rows)
    print_wrapped_text(_deals_seed_and_time_text(findings))


def _deals_seed_and_time_text(findings: Any) -> str:
    """Return a text with the number of deals, how often each was played, the seed and the running time.

    If no difference between two rule sets is significant, the text also says so. If the variance shares (how much of
    the variance of results each cause explains) could not be measured, it also says why.
    """
    from facedown.simulate.findings_text import missing_variance_shares_reason

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
    cannot = "" if findings.b is None or findings.is_conclusive else _("No clear difference in these deals.")
    return " ".join(text for text in (said, cannot, missing_variance_shares_reason(findings)) if text)


# --- contests ---------------------------------------------------------------------------------------------------------


def arena(
    game: GameName,
    bots: Annotated[list[str], typer.Argument(metavar="BOT…", help=ABOUT_BOTS)],
    seats: Seats = None,
    options: OptionList = None,
    rounds: Annotated[int, typer.Option(help="Compare after this many rounds (0: whole matches).")] = 0,
    deals: Annotated[int, typer.Option("--deals", "--pairs", help="Maximum number of deals.")] = 200,
    claim: Annotated[
        float | None,
        typer.Option(metavar="PERCENT", help="Share of first places to test against (default: an even share)."),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Play all deals, even if the result is clear sooner.")] = False,
    seed: Seed = "arena",
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="Number of processes.")] = 1,
    on: Annotated[
        str, typer.Option("--on", metavar="PLACE", help="Where to run: “here”, or “ray” (each deal is a Ray task).")
    ] = "here",
    address: Address = None,
    limit: Limit = 10.0,
    form: Form = "text",
    quiet: Quiet = False,
) -> int:
    """Play bots against each other on paired deals until it is clear which is better."""
    from facedown.simulate.arena import Standing, hold_contest, result_rows
    from facedown.simulate.contest import Contest
    from facedown.terminal.play_commands import parse_options

    check_output_format(form)
    contest = Contest(
        game,
        tuple(bots),
        seats=seats or 0,
        options=parse_options(options),
        rounds=rounds,
        deals=deals,
        seed=seed,
        stop=not every,
        claim=None if claim is None else claim / 100,
        jobs=jobs,
        folder=current_folder(),
        limit=limit,
        on=on,
        address=address,
    )
    if seats is not None:
        contest.info.check_seats(seats)
    standing: Standing | None = None
    try:
        # If a bot fails, the contest ends with an error and without a result. The deals played before are not shown.
        ready = _("{title}: getting ready", title=contest.info.title)
        with progress_bar(ready, contest.deals, quiet=quiet) as update:
            for standing in hold_contest(contest):
                update(standing.deals, _first_bot_share_text(standing))
    except KeyboardInterrupt:
        if standing is None:
            raise
    assert standing is not None
    rows = result_rows(standing)
    if form == "json":
        print(json.dumps({"verdict": standing.verdict, "rows": rows}, indent=2, ensure_ascii=False))
    elif form == "csv":
        print_csv(rows)
    else:
        _print_standing(standing, rows)
    return SUCCESS


def _first_bot_share_text(standing: Any) -> str:
    share = standing.first_bot_first_place_share
    margin = 50 * (share.high - share.low)
    return f"{standing.contest.entrants[0]} {100 * share.mean:.1f} % ± {margin:.1f}"


def _print_standing(standing: Any, rows: Sequence[dict[str, Any]]) -> None:
    together = standing.contest.info.together
    of_games = (_("Team"), _("Games"), _("Won"), _("Perfect"), _("Mean score"), _("Turns"))
    of_matches = (_("Bot"), _("Matches"), _("First"), _("Points"), _("Elo"))
    heads = (*(of_games if together else of_matches), _("ms per move"), _("slowest"))
    found = [
        (
            row["bot"],
            str(row["matches"]),
            *_result_cells(row, together),
            f"{row['ms_a_move']:.1f}",
            f"{row['slowest_ms']:.0f}",
        )
        for row in rows
    ]
    print_table(heads, found)
    print_wrapped_text(standing.verdict)


def _result_cells(row: dict[str, Any], together: bool) -> tuple[str, ...]:
    """Return the cells with the results of one bot or team, for a printed table with one row per bot or team.

    In a cooperative game (`together`), they are the shares of games won and of perfect games, the score and the turns.
    In any other game they are the share of first places, the points and the Elo difference.
    """
    if not together:
        return _format_share(row, "first"), _format_mean_and_range(row, "points"), _format_elo(row)
    score = "–" if row["score"] is None else _format_mean_and_range(row, "score")
    return _format_share(row, "won"), f"{100 * row['perfect']:.1f} %", score, f"{row['turns']:.2f}"


def _format_share(row: dict[str, Any], key: str) -> str:
    mean, low, high = (100 * row[f"{key}{end}"] for end in ("", "_low", "_high"))
    return f"{mean:.1f} % ({low:.1f} … {high:.1f})"


def _format_mean_and_range(row: dict[str, Any], key: str) -> str:
    return f"{row[key]:.2f} ({row[f'{key}_low']:.2f} … {row[f'{key}_high']:.2f})"


def _format_elo(row: dict[str, Any]) -> str:
    """Format the Elo difference between a bot and the first bot, with its confidence interval.

    If one of the two won all matches, one end of the interval is infinite and is left out.
    """
    if row["behind_first_bot"] is None:
        return "0"
    mean, low, high = row["elo"], row["elo_low"], row["elo_high"]
    if low is None and high is None:
        return "–"
    if low is None or high is None:
        end = _("below {high:+.0f}", high=high) if low is None else _("above {low:+.0f}", low=low)
        return end if mean is None else f"{mean:+.0f} ({end})"
    return f"{mean:+.0f} ({low:+.0f} … {high:+.0f})"


# --- output -----------------------------------------------------------------------------------------------------------


def print_csv(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print rows as CSV. All rows must have the same keys, which become the first line."""
    writer = csv.DictWriter(sys.stdout, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)


def print_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table with the headings `heads`: names in the first column, numbers in the others.

    If the terminal is too narrow for the table, print each row as several lines instead: one line with the name, then
    one line for each number. Every line begins with the heading of the column, such as "Mean: 4.2".
    """
    from rich import box
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    room = terminal_columns()
    # Only the first column may be wrapped, because a name can be a whole command line. Numbers must not be wrapped.
    figures = [max(map(len, column)) for column in zip(heads, *rows, strict=True)][1:]
    if sum(figures) + GAP * len(heads) + min(NAME, max(len(row[0]) for row in rows)) > room:
        for name, *cells in rows:
            print_wrapped_text(f"{heads[0]}: {name}")
            for head, cell in zip(heads[1:], cells, strict=True):
                print_wrapped_text(f"  {head}: {cell}")
        return
    found = Table(box=box.SIMPLE, pad_edge=False)
    for at, head in enumerate(heads):
        found.add_column(head, justify="right" if at else "left", no_wrap=at > 0, overflow="fold")
    for row in rows:
        found.add_row(*map(escape, row))
    Console(width=room).print(found)


def print_wrapped_text(text: str) -> None:
    """Print text, wrapped at spaces to the width of the terminal."""
    from facedown.terminal.text_blocks import wrap_text

    print(wrap_text(text, terminal_columns()))


def terminal_columns() -> int:
    """Return the width of the terminal in columns, or `FILE_COLUMNS` if the output is not written to a terminal."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else FILE_COLUMNS
