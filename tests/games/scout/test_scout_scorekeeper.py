"""The scorekeeper of SCOUT: points with their reasons, and refused input."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest

from facedown.games.scout.scorekeeper import EXAMPLE, score
from tests.games.case_files import worked_cases


def changed_example(**more: Any) -> dict[str, Any]:
    return {**deepcopy(EXAMPLE), **more}


def test_the_scout_scorekeeper_counts_the_points_of_an_example_round() -> None:
    result = score(json.loads(json.dumps(EXAMPLE)))
    assert [(row["points"], row["total"]) for row in result["players"]] == [(-2, 7), (5, 9), (3, 2)]
    assert result["players"][1]["why"] == (
        "3 cards won + 2 coins = 5. No cards are left in hand: this player’s set ended the round."
    )
    assert (result["over"], result["winners"]) == (False, [])
    json.dumps(result)


def test_the_scout_scorekeeper_names_the_winners_after_the_last_round() -> None:
    result = score(changed_example(round=3, totals=[11, 4, -1]))
    assert result["over"]
    assert result["winners"] == ["Mara", "Noor"]


def test_the_scout_scorekeeper_deducts_no_hand_cards_from_the_player_who_ended_the_round() -> None:
    result = score(changed_example(ender=None, hands=[5, 1, 3]))
    assert [row["points"] for row in result["players"]] == [-2, 4, 3]
    result = score({"piles": [2, 0, 0], "coins": [5, 0, 0], "hands": [4, 1, 1], "ender": 0})
    assert [row["points"] for row in result["players"]] == [7, -1, -1]


def test_the_scout_scorekeeper_adds_remaining_chips_to_the_score_with_two_players() -> None:
    result = score({"piles": [4, 1], "hands": [0, 6], "coins": [1, 3], "ender": 0})
    assert [row["points"] for row in result["players"]] == [5, -2]
    assert result["players"][1]["why"] == "1 card won + 3 chips − 6 cards in hand = −2."


#: Changes of the example, or whole rounds (`given`), and the error.
WRONG = worked_cases("scout", "wrong_scores.toml")["case"]


@pytest.mark.parametrize("case", WRONG, ids=lambda case: case["message"])
def test_the_scout_scorekeeper_refuses_impossible_input_with_the_reason(case: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=case["message"]):
        score(case["given"] if "given" in case else changed_example(**case["changed"]))
