"""`view_leaks` finds a hidden card in a view or on a page. test_check_game_passes.py tests that no game leaks."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from facedown.check.random_matches import GAMES, match_with_random_options
from facedown.check.view_leaks import leaking_output_names
from facedown.core import hidden_cards
from facedown.core.match import Match
from facedown.core.random_numbers import key_of
from facedown.core.state import SPECTATOR, State, View, copy


def leak_slot(match: Match, rnd: random.Random, viewer: int, only: bool) -> dict[str, Any] | None:
    """Return a `known_view` that does not hide one slot from a viewer: for all viewers, or for this one only."""
    hidden = np.flatnonzero(hidden_cards.known_view(match.state, viewer).card == hidden_cards.UNKNOWN).tolist()
    if not hidden:
        return None
    slot = rnd.choice(hidden)

    def known_view(state: State, to: int) -> View:
        view = hidden_cards.known_view(state, to)
        if to == viewer or not only:
            view.card[slot] = copy(state).card[slot]
        return view

    return {"known": known_view}


def leak_on_page(match: Match, rnd: random.Random) -> dict[str, Any]:
    """Return a page that prints the ids of hidden cards."""

    def page(match: Match, state: State, viewer: int) -> dict[str, bytes]:
        return {"page": " ".join(f"<i id=card-{kind}>" for kind in state.card).encode()}

    return {"extra": page}


#: Planted leaks, and a part of the report about each.
LEAKS: dict[str, tuple[Callable[[Match, random.Random], dict[str, Any] | None], str]] = {
    "of one slot": (partial(leak_slot, viewer=0, only=False), ""),
    "to the spectator alone": (partial(leak_slot, viewer=SPECTATOR, only=True), ""),
    "on the page": (leak_on_page, "page"),
}


@pytest.mark.parametrize("leak", LEAKS)
@pytest.mark.parametrize("name", GAMES)
def test_the_leak_check_finds_a_hidden_card_planted_in_a_view_or_page(name: str, leak: str) -> None:
    """In some other world another card is there."""
    rnd = random.Random(7)
    plant, noticed = LEAKS[leak]
    caught = 0
    for _ in range(40):
        match = match_with_random_options(name, rnd)
        if (planted := plant(match, rnd)) is not None:
            found = leaking_output_names(match, match.state, key_of(rnd.randbytes(32)), **planted)
            caught += any(noticed in what for what in found)
    assert caught >= 5
