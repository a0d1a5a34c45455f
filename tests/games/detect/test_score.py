"""The scorekeeper of Detect."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from facedown.games.detect.score import EXAMPLE, score


def example(**changes: Any) -> dict[str, Any]:
    return copy.deepcopy(EXAMPLE) | changes


def test_points_totals_and_the_end() -> None:
    result = score(example(totals=[24, 38]))
    assert [row["total"] for row in result["players"]] == [124, 76]
    assert result["over"]
    assert result["winners"] == ["Ravi"]


def test_sets_still_lying_in_a_grid_are_taken_away() -> None:
    grids = copy.deepcopy(EXAMPLE["grids"])
    for row in range(3):
        grids[0][row][0] = 12
    assert score(example(grids=grids))["players"][0]["removed"] == [1, 3]


def test_nobody_ended_the_round() -> None:
    assert [row["points"] for row in score(example(ender=None))["players"]] == [50, 38]


def grid_of(number: Any) -> list[list[Any]]:
    return [[number] * 4 for _ in range(3)]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"grids": [grid_of(1)]}, "2 to 8 grids"),
        ({"grids": [grid_of(12), grid_of(3)]}, "the deck has 10 of 12, the grids show more"),
        ({"grids": [grid_of("x"), grid_of(3)]}, "grid 1: 'x' is not a card"),
        ({"grids": [[[1, 2, 3, 4]], grid_of(3)]}, "grid 1 is not three rows of four"),
        ({"grids": [[[1, None, 3, 4], [1, 2, 3, 5], [2, 2, 4, 5]], grid_of(0)]}, "column 2 is removed whole"),
        ({"ender": 2}, "ender is a seat from 0 to 1"),
        ({"ender": True}, "ender is a seat"),
        ({"totals": [1]}, "totals are 2 whole numbers"),
        ({"players": ["Ilse"]}, "players are 2 names"),
        ({"options": {"ender_tie": "maybe"}}, "allowed are safe"),
        ({"options": []}, "options are an object"),
    ],
)
def test_what_cannot_be_is_named(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        score(example(**changes))


def test_an_entry_that_nobody_asks_for_is_named() -> None:
    with pytest.raises(ValueError, match="there is no entry notes"):
        score({**EXAMPLE, "notes": 1})
