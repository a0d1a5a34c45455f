"""The scorekeeper of Detect."""

from __future__ import annotations

from typing import Any

import pytest

from facedown.games.detect.scorekeeper import EXAMPLE, score
from tests.games.case_files import cases


def test_the_detect_scorekeeper_adds_points_to_the_totals_and_names_the_winner() -> None:
    result = score(EXAMPLE | {"totals": [24, 38]})
    assert [row["total"] for row in result["players"]] == [124, 76]
    assert result["over"]
    assert result["winners"] == ["Ravi"]


def test_the_detect_scorekeeper_removes_columns_of_equal_cards_from_the_grids() -> None:
    first, second = EXAMPLE["grids"]
    grids = [[[12, *row[1:]] for row in first], second]
    assert score(EXAMPLE | {"grids": grids})["players"][0]["removed"] == [1, 3]


def test_the_detect_scorekeeper_doubles_no_score_if_no_player_ended_the_round() -> None:
    assert [row["points"] for row in score(EXAMPLE | {"ender": None})["players"]] == [50, 38]


@pytest.mark.parametrize(("changes", "message"), cases("detect", "bad_scores"))
def test_the_detect_scorekeeper_refuses_impossible_input_with_the_reason(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        score(EXAMPLE | changes)
