"""The scorekeeper of Reveille."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from facedown.games.reveille.scorekeeper import EXAMPLE, score
from tests.games.case_files import worked_cases


def match_of_one_hand(**hand: Any) -> dict[str, Any]:
    """Return a match of one hand; by default the first player bid 25 in sixes."""
    return {"players": ["Yara", "Theo"], "hands": [{"declarer": 0, "bid": 25, "contract": "6"} | hand]}


def test_the_reveille_scorekeeper_names_winner_and_points_of_each_trick() -> None:
    hand = score(EXAMPLE)["hands"][0]
    assert [t["winner"] for t in hand["tricks"]] == ["Yara", "Yara", "Yara", "Theo", "Theo", "Yara", "Yara"]
    assert [t["points"] for t in hand["tricks"]] == [1, 11, 11, 1, 6, 1, 6]
    assert hand["why"] == "Yara bid 25 and won 30 points. Yara gets the mark."


def test_the_reveille_scorekeeper_ends_the_match_when_a_player_has_won_seven_hands() -> None:
    hands = [{"declarer": 1, "bid": 10, "contract": "0", "points": [20, 22]}] * 7
    found = score({"hands": hands})
    assert found["over"]
    assert found["winners"] == ["Player 2"]
    assert found["result"] == "Player 2 wins, 7 marks to 0."
    with pytest.raises(ValueError, match="hand 8: the match was over after hand 7"):
        score({"hands": [*hands, hands[0]]})


NELLO = {"contract": "nello", "bid": 42}
ALL_SEVEN = {"bid": 42, "tricks_won": [7, 0], "points": [37, 0]}


@pytest.mark.parametrize(
    ("hand", "options", "mark"),
    [
        ({"points": [24, 1], "claim": True}, {}, "Theo"),
        ({"points": [25, 1], "claim": True}, {}, "Yara"),
        ({"tricks": [["66", "62"], ["64", "22"]], "claim": True, "bid": 12}, {}, "Yara"),
        (NELLO | {"tricks_won": [0, 7]}, {}, "Yara"),
        (NELLO | {"tricks_won": [1, 0]}, {}, "Theo"),
        (ALL_SEVEN, {}, "Theo"),
        (ALL_SEVEN, {"bid42": "all_tricks"}, "Yara"),
        ({"thrown_in": True}, {}, None),
    ],
)
def test_the_reveille_scorekeeper_decides_who_wins_a_hand_by_points_tricks_or_claim(
    hand: dict[str, Any], options: dict[str, str], mark: str | None
) -> None:
    assert score(match_of_one_hand(**hand) | {"options": options})["hands"][0]["mark"] == mark


#: A hand that differs from that of `match_of_one_hand`, changes of the example, or all input (`given`), with the error.
WRONG = worked_cases("reveille", "wrong_scores.toml")["case"]


@pytest.mark.parametrize("case", WRONG, ids=lambda case: case["message"])
def test_the_reveille_scorekeeper_refuses_impossible_input_with_the_reason(case: dict[str, Any]) -> None:
    data = match_of_one_hand(**case["hand"]) if "hand" in case else case.get("given") or EXAMPLE | case["changed"]
    before = copy.deepcopy(data)
    with pytest.raises(ValueError, match=case["message"]):
        score(data)
    assert data == before


def test_the_reveille_scorekeeper_accepts_a_hand_ended_early_only_with_option_auto_end() -> None:
    """With auto_end=on the hand ends with the trick that reaches the bid, and not earlier."""
    played = [["66", "62"], ["64", "22"], ["55", "51"]]
    hand = {"declarer": 0, "bid": 15, "contract": "6", "tricks": played}
    data = {"players": ["Yara", "Theo"], "hands": [hand], "options": {"auto_end": "on"}}
    assert [row["marks"] for row in score(data)["players"]] == [1, 0]
    with pytest.raises(ValueError, match="of 7 tricks given; expected all of them unless"):
        score({**data, "options": {}})
    with pytest.raises(ValueError, match="the hand isn’t decided after 2 tricks"):
        score({**data, "hands": [{**hand, "tricks": played[:2]}]})
    by_points = {"declarer": 0, "bid": 6, "contract": "6", "points": [6, 0]}
    assert score({**data, "hands": [by_points]})["players"][0]["marks"] == 1
    with pytest.raises(ValueError, match="can’t add up to 5 points"):
        score({**data, "hands": [{**by_points, "points": [5, 0]}]})
