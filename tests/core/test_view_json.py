"""Views as JSON: conversion to fields and back, and errors for invalid fields."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from facedown.check.random_matches import GAMES, match_with_random_options
from facedown.core.state import to_bytes
from facedown.core.view_json import view_from_fields, view_to_fields


@pytest.mark.parametrize("game", GAMES)
def test_views_converted_to_json_and_back_are_equal(seed: int, game: str) -> None:
    rnd = random.Random(seed)
    match = match_with_random_options(game, rnd)
    for _ in range(40):
        for seat in range(match.seats):
            view = match.known(seat)
            sent = json.loads(json.dumps(view_to_fields(view)))
            assert to_bytes(view_from_fields(match.game.dtype, sent)) == to_bytes(view)
            assert "key" not in sent
            assert not any(name.startswith("of_") for name in sent)
        if match.over:
            break
        seat = rnd.choice(match.acting)
        match.play(seat, rnd.choice(match.legal(seat)))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"card": None}, "card"),
        ({"card": [0, 1]}, "the shape (297,), not (2,)"),
        ({"card": [[0], [1, 2]]}, "must be a regular list"),
        ({"seats": "2"}, "whole numbers from -128 to 127"),
        ({"seats": 2.0}, "whole numbers"),
        ({"seats": True}, "whole numbers"),
        ({"seats": 128}, "whole numbers"),
        ({"seats": 2**70}, "whole numbers"),
        ({"viewer": -1}, "they have no viewer"),
        ({"opt": 3}, "opt must contain fields"),
        ({"opt": {}}, "is missing"),
        ({"key": [0] * 8}, "unknown field key"),
        ({"more": 1}, "unknown field more"),
    ],
)
def test_invalid_view_json_raises_an_error_that_names_the_field(change: dict[str, Any], says: str) -> None:
    match = match_with_random_options("detect", random.Random(1))
    fields = view_to_fields(match.known(0)) | change
    with pytest.raises(ValueError) as wrong:  # noqa: PT011 - its text is looked at
        view_from_fields(match.game.dtype, fields)
    assert says in str(wrong.value)


def test_an_error_names_a_missing_view_field_and_a_full_state_is_not_converted_to_json() -> None:
    match = match_with_random_options("scout", random.Random(1))
    fields = view_to_fields(match.known(0))
    del fields["flip"]
    with pytest.raises(ValueError, match="flip is missing"):
        view_from_fields(match.game.dtype, fields)
    with pytest.raises(ValueError, match="every secret"):
        view_to_fields(match.state)  # type: ignore[arg-type]
