"""Figures of a guide that are played on over HTTP: moves are checked, and nothing else can be asked for."""

from __future__ import annotations

import random

import httpx
import pytest

from facedown.core.game import catalogue, guide
from facedown.core.table import Sitter
from facedown.play.guide_figures import MOST_MOVES, NAMES, FigureError, can_be_played, figures_in, match_of, play_on
from tests.server.serving import actions_in

GAMES = tuple(catalogue())
FIGURES = [(name, at) for name in GAMES for at, _ in enumerate(figures_in(name, guide(name) or ""))]


@pytest.mark.parametrize(("name", "number"), FIGURES)
def test_a_figure_is_played_on_by_whoever_reads_it(ada: httpx.Client, name: str, number: int, seed: int) -> None:
    figure = figures_in(name, guide(name) or "")[number]
    if not can_be_played(figure):
        return
    lot, moves, seen = random.Random(seed), list[int](), set[int]()
    for _ in range(12):
        told = ada.get(f"/guide/{name}/figure/{number}", params={"moves": ".".join(map(str, moves))})
        assert told.status_code == 200, (told.text, seed)
        step = told.json()["step"]
        seen.add(told.json()["viewer"])
        if told.json()["over"]:
            break
        # The eyes are those of somebody who is to act.
        moves.append(lot.choice(actions_in(step)))
    assert moves
    assert len(seen) > 1 or figure.seats == 1 or len(moves) < 4, seed


def test_the_eyes_see_no_more_than_their_seat(ada: httpx.Client) -> None:
    """What lies face down to whoever is to act is a back, whoever else has seen it."""
    name, number = FIGURES[0]
    figure = figures_in(name, guide(name) or "")[number]
    played = play_on(figure, [])
    assert played.table.zones == match_of(figure).table(played.table.viewer, _sitters(figure.seats)).zones


def _sitters(seats: int) -> list[Sitter]:
    return [Sitter(NAMES[seat]) for seat in range(seats)]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/guide/detect/figure/99", 404),
        ("/guide/detect/figure/-1", 404),
        ("/guide/detect/figure/x", 404),
        ("/guide/whist/figure/0", 404),
        ("/guide/detect/figure/0?moves=0", 422),
        ("/guide/detect/figure/0?moves=99999", 422),
        ("/guide/detect/figure/0?moves=1.x", 422),
        ("/guide/detect/figure/0?moves=1..2", 422),
        ("/guide/detect/figure/0?moves=-1", 422),
        ("/guide/detect/figure/0?moves=" + ".".join(["1"] * (MOST_MOVES + 1)), 422),
        ("/guide/detect/figure/0?moves=" + "1" * 5000, 422),
    ],
)
def test_what_cannot_be_played_is_refused_in_a_sentence(ada: httpx.Client, path: str, status: int) -> None:
    answer = ada.get(path)
    assert answer.status_code == status
    assert answer.json()["reason"].endswith(".")


def test_no_more_moves_than_a_round_has() -> None:
    figure = figures_in("detect", guide("detect") or "")[0]
    with pytest.raises(FigureError, match=f"for at most {MOST_MOVES} moves"):
        play_on(figure, [0] * (MOST_MOVES + 1))
