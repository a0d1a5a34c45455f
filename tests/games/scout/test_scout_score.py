"""The scorekeeper of SCOUT: points with their reasons, and what cannot be named."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest

from facedown.games.scout.score import EXAMPLE, score


def changed(**more: Any) -> dict[str, Any]:
    return {**deepcopy(EXAMPLE), **more}


def test_the_example_by_hand() -> None:
    result = score(json.loads(json.dumps(EXAMPLE)))
    assert [(row["points"], row["total"]) for row in result["players"]] == [(-2, 7), (5, 9), (3, 2)]
    assert result["players"][1]["why"] == (
        "3 cards won + 2 coins = 5; no card is left, because the round ended with this player’s set."
    )
    assert (result["over"], result["winners"]) == (False, [])
    json.dumps(result)


def test_the_last_round_names_the_winners() -> None:
    result = score(changed(round=3, totals=[11, 4, -1]))
    assert result["over"]
    assert result["winners"] == ["Mara", "Noor"]


def test_nobody_ended_the_round() -> None:
    result = score(changed(ender=None, hands=[5, 1, 3]))
    assert [row["points"] for row in result["players"]] == [-2, 4, 3]


def test_two_players_count_chips_left() -> None:
    result = score({"piles": [4, 1], "hands": [0, 6], "coins": [1, 3], "ender": 0})
    assert [row["points"] for row in result["players"]] == [5, -2]
    assert result["players"][1]["why"] == "1 card won + 3 chips − 6 cards in hand = −2."


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (changed(hands=[["7/2", "2/7"], [], 3]), "hand 1: 2/7 is there twice"),
        (changed(piles=[["7/2"], ["2/7"], 1], hands=[1, 0, 3]), "pile 2: 2/7 is there twice"),
        (changed(hands=[["7/10"], [], 3]), "hand 1: 7/10 is not in the deck of 3 players"),
        (changed(hands=[["7/7"], [], 3]), "hand 1: 7/7 is not a card"),
        (changed(hands=[["eleven"], [], 3]), "hand 1: eleven is not a card"),
        (changed(hands=[5, 0, 40]), "48 cards|only 36"),
        (changed(hands=[5, 0, 0]), "Sol has no card left, so ender is 2"),
        (changed(hands=[5, 0]), "piles are 2"),
        (changed(hands=[5]), "hands are a list of 2 to 5"),
        (changed(coins=[1, 2, -1]), "coins are 3 whole numbers"),
        (changed(coins=[1, 2, True]), "coins are 3 whole numbers"),
        (changed(ender=3), "ender is a seat from 0 to 2"),
        (changed(round=4), "round is a number from 1 to 3"),
        (changed(totals=[1, 2]), "totals are 3 whole numbers"),
        (changed(players=["Mara"]), "players are 3 names"),
        ({"piles": [4, 1], "hands": [0, 6], "coins": [1, 4], "ender": 0}, "Player 2 has 4 chips left"),
        ({}, "hands are a list"),
    ],
)
def test_what_cannot_be_is_named(data: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        score(data)


def test_an_entry_that_nobody_asks_for_is_named() -> None:
    with pytest.raises(ValueError, match="there is no entry notes"):
        score({**EXAMPLE, "notes": 1})
