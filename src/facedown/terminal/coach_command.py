"""Command ``facedown coach``, which prints the coach's review of a match as text or as JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from facedown.core.translation import isolate_right_to_left
from facedown.terminal import saved_matches
from facedown.terminal.command_common import MatchPath, progress_bar
from facedown.terminal.i18n import _

if TYPE_CHECKING:
    from facedown.core.match_file import MatchFile
    from facedown.study.review import ReviewedMove

#: Characters that draw a win probability in a graph, from the lowest to the highest.
BARS = "▁▂▃▄▅▆▇█"
#: Largest width of the graph of win probabilities, in columns.
WIDTH = 60


def coach(
    file: MatchPath,
    seat: Annotated[
        int | None, typer.Option(min=0, max=7, help="Review only this seat’s moves (seats are numbered from 0).")
    ] = None,
    top: Annotated[int, typer.Option(min=1, help="Number of moves to show for each seat.")] = 3,
    simulations: Annotated[int, typer.Option(min=10, help="Number of simulations per move.")] = 1000,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """Show the costliest moves of a match, with a better move for each."""
    from facedown.core.compile import interpret_until_compiled

    interpret_until_compiled.enable()
    for text in saved_matches.read_match_texts_and_print_titles(file, not as_json):
        with saved_matches.convert_match_file_errors(file):
            print("\n".join(_coach_lines(saved_matches.load(file, text), seat, top, simulations, as_json)))


def _coach_lines(match_file: MatchFile, seat: int | None, top: int, simulations: int, as_json: bool) -> list[str]:
    """Return the coach's review of a match as lines of text, or as one JSON text if `as_json` is set.

    If `seat` is None, all seats are reviewed. The text shows the `top` costliest moves of a seat. Raises `NoCoach` if
    the game has no coach.
    """
    from facedown.bots.coach import review
    from facedown.study.review import review_decisions

    match = match_file.match
    _wait_until_coach_compiled(match.game.name)
    sitters = saved_matches.sitters_if_seat_exists(match_file, seat)
    seats = range(match.seats) if seat is None else [seat]
    says = _("The coach is reviewing {count} moves", count=match.ply)
    with progress_bar(says, match.ply, aloud=True) as done:
        if not as_json:
            judged = review_decisions(match, seat, sitters, simulations, done)
            return [line for one in seats for line in review_lines(judged, one, sitters[one].name, top)]
        found = review(match, simulations, done, seat)
        data = {"game": match.game.name, "seats": [_seat_data(found, one, match_file) for one in seats]}
        return [json.dumps(data, indent=2)]


def _wait_until_coach_compiled(game: str) -> None:
    """Wait until the coach's code for this game is compiled. Progress is shown on the error stream."""
    from facedown.bots.compile_process import start_if_needed
    from facedown.bots.warm_up import COACH

    preparation = start_if_needed(game)
    try:
        preparation.wait(COACH, partial(print, file=sys.stderr, flush=True))
    finally:
        preparation.stop()


def _seat_data(found: Any, seat: int, file: Any) -> dict[str, Any]:
    return {
        "seat": seat,
        "name": file.names[seat],
        "chances": [{"move": ply + 1, "chance": round(chance, 4)} for ply, chance in found.win_probabilities(seat)],
        "moves": [_move_data(move) for move in found.moves if move.seat == seat],
    }


def _move_data(move: Any) -> dict[str, Any]:
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
        "lost": move.played.lost,
        "wasted": None if move.hindsight is None else move.hindsight.wasted,
        "why": move.best.why,
    }


def review_lines(judged: Sequence[ReviewedMove], seat: int, name: str, top: int) -> list[str]:
    """Return lines of text about one seat: a graph of its win probability, then one line for each of its `top`
    costliest moves.

    Such a line names the move and the best move that the player could have made instead. `name` is the name of the
    player in the seat.
    """
    from facedown.core.state import SPECTATOR
    from facedown.study.move_comments import better_move_gain_text, played_move_text
    from facedown.study.review import costliest_decisions

    reader = seat if name in ("You", _("You")) else SPECTATOR
    mine = [move for move in judged if move.seat == seat]
    chances = [move.chance for move in mine if move.chance is not None]
    called = isolate_right_to_left(name)
    head = f"{called}: {sparkline(chances)}" if chances else f"{called}:"
    told = [
        "  "
        + _(
            "move {number} ({where}): {done} {better}",
            number=move.ply,
            where=move.where,
            done=played_move_text(move, name, reader),
            better=better_move_gain_text(move, reader),
        ).replace("**", "")
        for move in costliest_decisions(mine, top)
    ]
    return [head, *(told or ["  " + _("no clear mistake")])]


def sparkline(chances: list[float]) -> str:
    """Draw win probabilities from 0 to 1 as one line of text, with one character (a bar) for each probability.

    If `chances` has more than `WIDTH` values, only `WIDTH` of them are drawn, evenly spaced in the list.

    >>> sparkline([0.0, 0.5, 1.0]), sparkline([]), len(sparkline([0.5] * 1000))
    ('▁▅█', '', 60)
    """
    step = max(1.0, len(chances) / WIDTH)
    shown = [chances[int(i * step)] for i in range(min(len(chances), WIDTH))]
    return "".join(BARS[min(len(BARS) - 1, int(chance * len(BARS)))] for chance in shown)
