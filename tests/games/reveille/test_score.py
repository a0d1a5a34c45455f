"""The scorekeeper of Reveille."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from facedown.games.reveille.scorekeeper import EXAMPLE, score
from tests.games.cases import worked_cases


def one(**hand: Any) -> dict[str, Any]:
    """A match of one hand, bid 25 in sixes by the first player unless said otherwise."""
    return {"players": ["Yara", "Theo"], "hands": [{"declarer": 0, "bid": 25, "contract": "6"} | hand]}


def test_tricks_are_explained_and_the_leader_follows_from_them() -> None:
    hand = score(EXAMPLE)["hands"][0]
    assert [t["winner"] for t in hand["tricks"]] == ["Yara", "Yara", "Yara", "Theo", "Theo", "Yara", "Yara"]
    assert [t["points"] for t in hand["tricks"]] == [1, 11, 11, 1, 6, 1, 6]
    assert hand["why"] == "Yara bid 25 and won 30 points. Yara gets the mark."


def test_marks_add_up_and_the_match_ends_at_seven() -> None:
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
def test_who_gets_the_mark(hand: dict[str, Any], options: dict[str, str], mark: str | None) -> None:
    assert score(one(**hand) | {"options": options})["hands"][0]["mark"] == mark


#: A hand unlike that of `one`, changes of the example, or all that is `given`, and what is said of it.
WRONG = worked_cases("reveille", "wrong_scores.toml")["case"]


@pytest.mark.parametrize("case", WRONG, ids=lambda case: case["message"])
def test_what_cannot_be_is_named(case: dict[str, Any]) -> None:
    data = one(**case["hand"]) if "hand" in case else case.get("given") or EXAMPLE | case["changed"]
    before = copy.deepcopy(data)
    with pytest.raises(ValueError, match=case["message"]):
        score(data)
    assert data == before


def test_a_hand_that_stops_when_it_is_settled() -> None:
    """With auto_end=on the hand ends with the trick that reaches the bid, and not before."""
    played = [["66", "62"], ["64", "22"], ["55", "51"]]
    hand = {"declarer": 0, "bid": 15, "contract": "6", "tricks": played}
    data = {"players": ["Yara", "Theo"], "hands": [hand], "options": {"auto_end": "on"}}
    assert [row["marks"] for row in score(data)["players"]] == [1, 0]
    with pytest.raises(ValueError, match="7 are played unless"):
        score({**data, "options": {}})
    with pytest.raises(ValueError, match="the hand isn’t decided after 2 tricks"):
        score({**data, "hands": [{**hand, "tricks": played[:2]}]})
    by_points = {"declarer": 0, "bid": 6, "contract": "6", "points": [6, 0]}
    assert score({**data, "hands": [by_points]})["players"][0]["marks"] == 1
    with pytest.raises(ValueError, match="can’t add up to 5 points"):
        score({**data, "hands": [{**by_points, "points": [5, 0]}]})
