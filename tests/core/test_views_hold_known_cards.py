"""Views of random positions of every game, compared slot by slot with the seats that know each card."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from facedown.check.random_matches import GAMES, match_with_random_options, play_randomly
from facedown.core.state import EMPTY, SPECTATOR, UNKNOWN

MATCHES = 6
#: Positions checked in each match, and the moves between them.
POSITIONS, MOVES = 8, 7


@pytest.mark.parametrize("name", GAMES)
def test_a_view_holds_exactly_the_cards_that_its_viewer_knows(name: str) -> None:
    rnd = random.Random(f"views {name}")
    hidden = 0
    for _ in range(MATCHES):
        match = match_with_random_options(name, rnd)
        for _ in range(POSITIONS):
            state: Any = match.state
            for viewer in (*range(match.seats), SPECTATOR):
                knows = state.known.astype(int) >> viewer & 1 == 1
                seen: Any = match.known(viewer)
                wrong = np.flatnonzero(seen.card != np.where(knows, state.card, UNKNOWN)).tolist()
                assert wrong == [], f"viewer {viewer} of {match.seats} seats, options {match.options}: slots {wrong}"
                hidden += int(((seen.card == UNKNOWN) & (state.card != EMPTY)).sum())
            play_randomly(match, rnd, MOVES)
    assert hidden > 100, "some cards must be hidden from someone"
