"""The scorekeeper of Reveal, and the input that it refuses."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from facedown.games.reveal.scorekeeper import EXAMPLE, score
from tests.games.case_files import cases


def test_the_reveal_scorekeeper_counts_the_points_of_an_example_hand() -> None:
    result = score(EXAMPLE)
    first, second = result["players"]
    assert (first["points"], first["colour"], first["column"], first["total"]) == (6, "red", "left", 13)
    assert (second["points"], second["colour"], second["column"], second["total"]) == (5, "blue", "middle", 13)
    assert [c["counts"] for c in first["cards"]] == [1, None, 2, None, 3, 4, 5, None, None, 6]
    assert [c["counts"] for c in second["cards"]] == [1, 2, None, 3, 4, None, None, None, 5, None]
    assert first["cards"][0]["root"] is True
    assert first["subtotals"] == {"base": 2, "own side": 2, "other side": 1, "Final Card": 1}
    assert second["why"] == "2 + 2 + 1 + 0. Mara’s own blue cards opened Ilse’s side."
    assert result["hand"] == "Ilse"
    assert result["over"] is False
    assert json.loads(json.dumps(result)) == result


def test_the_reveal_scorekeeper_explains_why_a_column_is_worth_nothing() -> None:
    poor = copy.deepcopy(EXAMPLE)
    poor["columns"]["L"] = {"base": ["red", "yellow", "white"], "sides": [["green", "red", "pink"], ["blue"] * 3]}
    poor["finals"] = ["pink", "pink"]
    assert (
        score(poor)["players"][0]["why"] == "1 + 1 + 0 + 0 = 2. Only two red cards: fewer than three are worth nothing."
    )
    assert score(poor)["players"][0]["points"] == 0
    assert score(poor)["players"][0]["colour"] is None
    poor["columns"]["L"]["base"] = ["wild"] * 3
    assert score(poor)["players"][0]["why"] == "0. A base of three wilds has no colour, so nothing counts."


def test_the_reveal_scorekeeper_explains_whether_the_other_players_side_of_a_column_counts() -> None:
    left = {"base": ["red", "red", "blue"], "sides": [["black", "black", "white"], ["red", "red", "wild"]]}
    closed = EXAMPLE | {"columns": EXAMPLE["columns"] | {"L": left}}
    found = score(closed)["players"][0]
    assert found["points"] == 3
    assert found["why"].endswith("There was no red card on Ilse’s own side, so Mara’s side stayed closed.")
    found = score(closed | {"options": {"final_unlocks": "yes"}})["players"][0]
    assert found["points"] == 6
    assert found["why"] == "2 + 0 + 3 + 1. Ilse’s Final Card opened Mara’s side."


@pytest.mark.parametrize(
    ("changes", "over", "winners"),
    [
        ({"hand": 5}, True, []),
        ({"hand": 5, "totals": [8, 7]}, True, ["Ilse"]),
        ({"hand": 2, "options": {"end": "goal(13)"}, "totals": [8, 7]}, True, ["Ilse"]),
    ],
)
def test_the_reveal_scorekeeper_tells_whether_the_match_is_over_and_who_won(
    changes: dict[str, Any], over: bool, winners: list[str]
) -> None:
    result = score(EXAMPLE | changes)
    assert (result["over"], result["winners"]) == (over, winners)


@pytest.mark.parametrize(("changes", "message"), cases("reveal", "bad_scores"))
def test_the_reveal_scorekeeper_refuses_bad_input_with_the_reason(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        score(EXAMPLE | changes)


def test_the_reveal_scorekeeper_refuses_more_cards_than_the_deck_has() -> None:
    wild = copy.deepcopy(EXAMPLE) | {"finals": ["wild", "wild"]}
    wild["columns"]["L"]["base"] = ["wild", "wild", "red"]
    with pytest.raises(ValueError, match="the deck has 4 wilds, but 5 were entered"):
        score(wild)
    with pytest.raises(ValueError, match="finals is missing"):
        score({name: value for name, value in EXAMPLE.items() if name != "finals"})
    with pytest.raises(ValueError, match="the deck has 0 oranges, but 1 were entered"):
        score(EXAMPLE | {"options": {"deck": "custom(4,12,4)"}})
