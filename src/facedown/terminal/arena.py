"""``facedown arena``: bots against each other, with a progress bar, and a table at the end."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from facedown.terminal.shared import FAILED, FINE, GameName, OptionList, Problem, Quiet, bar, here
from facedown.terminal.texts import _
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


def arena(
    game: GameName,
    bots: Annotated[list[str], typer.Argument(metavar="BOT…", help=ABOUT_BOTS)],
    seats: Seats = None,
    options: OptionList = None,
    rounds: Annotated[int, typer.Option(help="Compare after so many rounds; 0: whole matches.")] = 0,
    deals: Annotated[int, typer.Option("--deals", "--pairs", help="At most so many deals.")] = 200,
    claim: Annotated[
        float | None, typer.Option(metavar="PERCENT", help="The share of first places to decide about: a fair one.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Play all deals, also when the result is clear.")] = False,
    seed: Seed = "arena",
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="Processes.")] = 1,
    on: Annotated[str, typer.Option("--on", metavar="PLACE", help="here, or ray: deals as tasks of Ray.")] = "here",
    address: Address = None,
    limit: Limit = 10.0,
    form: Form = "text",
    quiet: Quiet = False,
) -> int:
    """Play bots against each other on paired deals until it is clear who is better."""
    from facedown.simulate.arena import Standing, hold
    from facedown.simulate.cluster import ClusterError
    from facedown.simulate.contest import BadContest, Contest
    from facedown.simulate.entrants import BotFailed
    from facedown.terminal.starting import options_of

    check_form(form)
    contest = Contest(
        game,
        tuple(bots),
        seats=0 if seats is None else seats,
        options=options_of(options or []),
        rounds=rounds,
        deals=deals,
        seed=seed,
        stop=not every,
        claim=None if claim is None else claim / 100,
        jobs=jobs,
        folder=here(),
        limit=limit,
        on=on,
        address=address,
    )
    if seats is not None:
        contest.info.check_seats(seats)
    standing: Standing | None = None
    try:
        with bar(quiet) as progress:
            task = progress.add_task(_("{title}: getting ready", title=contest.info.title), total=contest.deals)
            for standing in hold(contest):
                progress.update(task, completed=standing.deals, description=_short(standing))
    except BadContest as problem:
        raise Problem(str(problem)) from None
    except (BotFailed, ClusterError) as problem:
        # Nothing is told of the deals before: a contest in which a bot failed has no result.
        raise Problem(str(problem), FAILED) from None
    except KeyboardInterrupt:
        if standing is None:
            raise
    assert standing is not None
    _write(standing, form)
    return FINE


def _short(standing: Any) -> str:
    share = standing.share
    margin = 50 * (share.high - share.low)
    return f"{standing.contest.entrants[0]} {100 * share.mean:.1f} % ± {margin:.1f}"


def _write(standing: Any, form: str) -> None:
    from facedown.simulate.arena import table

    rows = table(standing)
    if form == "json":
        print(json.dumps({"verdict": standing.verdict, "rows": rows}, indent=2, ensure_ascii=False))
    elif form == "csv":
        print_csv(rows)
    else:
        _print(standing, rows)


def _print(standing: Any, rows: Sequence[dict[str, Any]]) -> None:
    together = standing.contest.info.together
    of_games = (_("Team"), _("Games"), _("Won"), _("Perfect"), _("Mean score"), _("Turns"))
    of_matches = (_("Bot"), _("Matches"), _("First"), _("Points"), _("Elo"))
    heads = (*(of_games if together else of_matches), _("ms a move"), _("slowest"))
    cells = [_game_cells(row) if together else _match_cells(row) for row in rows]
    times = [(f"{row['ms_a_move']:.1f}", f"{row['slowest_ms']:.0f}") for row in rows]
    found = [(row["bot"], str(row["matches"]), *c, *t) for row, c, t in zip(rows, cells, times, strict=True)]
    print_table(heads, found)
    print_lines(standing.verdict)


def _game_cells(row: dict[str, Any]) -> tuple[str, ...]:
    score = "–" if row["score"] is None else _range(row, "score")
    return _share(row, "won"), f"{100 * row['perfect']:.1f} %", score, f"{row['turns']:.2f}"


def _match_cells(row: dict[str, Any]) -> tuple[str, ...]:
    return _share(row, "first"), _range(row, "points"), _elo(row)


def _share(row: dict[str, Any], key: str) -> str:
    mean, low, high = (100 * row[f"{key}{end}"] for end in ("", "_low", "_high"))
    return f"{mean:.1f} % ({low:.1f} … {high:.1f})"


def _range(row: dict[str, Any], key: str) -> str:
    return f"{row[key]:.2f} ({row[f'{key}_low']:.2f} … {row[f'{key}_high']:.2f})"


def _elo(row: dict[str, Any]) -> str:
    """The Elo difference to the first bot; where somebody won everything there is only one end to it."""
    if row["behind_first_bot"] is None:
        return "0"
    mean, low, high = row["elo"], row["elo_low"], row["elo_high"]
    if low is None and high is None:
        return "–"
    if low is None or high is None:
        end = _("below {high:+.0f}", high=high) if low is None else _("above {low:+.0f}", low=low)
        return end if mean is None else f"{mean:+.0f} ({end})"
    return f"{mean:+.0f} ({low:+.0f} … {high:+.0f})"
