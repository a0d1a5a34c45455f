"""``facedown coach``: what a match would have had better, as text or as data."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from facedown.terminal.problems import Problem

#: The graph of the chances: one of these for each eighth.
BARS = "▁▂▃▄▅▆▇█"
#: How wide the graph is at most.
WIDTH = 60


def coach(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A match file.")],
    seat: Annotated[int | None, typer.Option(min=0, max=7, help="Only this seat's moves, from 0.")] = None,
    top: Annotated[int, typer.Option(min=1, help="How many of a seat's moves to show.")] = 3,
    simulations: Annotated[int, typer.Option(min=10, help="How often moves are tried, for each move.")] = 1000,
    as_json: Annotated[bool, typer.Option("--json", help="Everything as data.")] = False,
) -> None:
    """Say which moves of a match cost most, and what would have been better."""
    from facedown.bots.coach import NoCoach, review
    from facedown.terminal import saves

    match_file = saves.load(file)
    match = match_file.match
    if seat is not None and seat >= match.seats:
        raise Problem(f"--seat {seat}: the seats are 0 to {match.seats - 1}")
    try:
        with working(f"The coach looks through {match.ply} moves", match.ply) as done:
            found = review(match, simulations, done, seat)
    except NoCoach as problem:
        raise Problem(f"{file}: {problem}") from None
    seats = range(match.seats) if seat is None else [seat]
    if as_json:
        print(json.dumps({"game": match.game.name, "seats": [_plain(found, s, match_file) for s in seats]}, indent=2))
        return
    for one in seats:
        for line in _lines(found, one, match_file, top):
            print(line)


@contextmanager
def working(says: str, steps: int) -> Iterator[Callable[[int], None]]:
    """Say on the error stream what takes a while: a bar on a terminal, else a line; gives what counts the steps."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        print(f"{says} …", file=sys.stderr, flush=True)
        yield lambda step: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(says, total=steps)
        yield lambda step: bar.update(task, completed=step)


def _plain(found: Any, seat: int, file: Any) -> dict[str, Any]:
    return {
        "seat": seat,
        "name": file.names[seat],
        "chances": [{"move": ply + 1, "chance": round(chance, 4)} for ply, chance in found.chances(seat)],
        "moves": [_move(move) for move in found.moves if move.seat == seat],
    }


def _move(move: Any) -> dict[str, Any]:
    return {
        "move": move.ply + 1,
        "played": move.played.words,
        "value": round(move.played.value, 4),
        "best": move.best.words,
        "best_value": round(move.best.value, 4),
        "cost": round(move.played.behind, 4),
        "error": round(move.played.error, 4),
        "unit": move.played.unit,
        "exact": move.played.exact,
        "mistake": move.mistake,
        "why": move.best.why,
    }


def _lines(found: Any, seat: int, file: Any, top: int) -> list[str]:
    chances = [chance for _, chance in found.chances(seat)]
    head = f"{file.names[seat]}: {graph(chances)}" if chances else f"{file.names[seat]}:"
    costly = found.costly(seat)
    if not costly:
        return [head, "  no mistake that shows"]
    return [head, *(_sentence(move) for move in costly[:top])]


def _sentence(move: Any) -> str:
    played, best = move.played, move.best
    sure = "exact" if played.exact else f"estimated in {played.worlds} worlds"
    if played.unit == "turns":
        cost = f"{played.behind:.0f} turn{'s' if played.behind > 1 else ''} wasted"
    else:
        cost = f"{100 * played.behind:.0f} % of a chance lost"
    why = f": {best.why}" if best.why else ""
    return f"  move {move.ply + 1}: “{played.words}”, {cost} ({sure}); better “{best.words}”{why}"


def graph(chances: list[float]) -> str:
    """Chances from 0 to 1 as a line of bars, evenly thinned out to the width of a line.

    >>> graph([0.0, 0.5, 1.0])
    '▁▅█'
    """
    step = max(1.0, len(chances) / WIDTH)
    shown = [chances[int(i * step)] for i in range(min(len(chances), WIDTH))]
    return "".join(BARS[min(len(BARS) - 1, int(chance * len(BARS)))] for chance in shown)
