"""The scorekeeper of Detect."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from facedown.games.detect.score import EXAMPLE, score
from tests.games.cases import cases


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


@pytest.mark.parametrize(("changes", "message"), cases("detect", "bad_scores"))
def test_what_cannot_be_is_named(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        score(example(**changes))


def test_an_entry_that_nobody_asks_for_is_named() -> None:
    with pytest.raises(ValueError, match="there is no entry notes"):
        score({**EXAMPLE, "notes": 1})
