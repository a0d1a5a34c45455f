"""Win probabilities: equal at an even score, rising with the value of the round, exact where they can be counted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from facedown.bots.win_probability import win_probability
from facedown.core.game_registry import catalogue, game
from facedown.core.match import Match
from facedown.core.seeds import seed_from_text
from facedown.games.reveille.bots.evaluation import race_win_chance

SEATS = {"reveille": 2, "reveal": 2, "detect": 3, "scout": 4}
#: The value of an even round for each player.
EVEN = {"reveille": 0.5, "reveal": 0.5, "detect": 0.5, "scout": 0.25}


def view_of(name: str, **fields: Any) -> Any:
    """Return the view of seat 0 at the start, with other public scores."""
    match = Match(game(name), SEATS[name], {}, seed_from_text("standing"))
    for field, value in fields.items():
        match.state[field][: len(value)] = value
    return match.known(0)


@pytest.mark.parametrize("name", SEATS)
def test_win_probabilities_of_all_seats_are_equal_at_the_start_of_a_match(name: str) -> None:
    view = view_of(name)
    for seat in range(SEATS[name]):
        assert win_probability(name, view, seat, EVEN[name]) == pytest.approx(1 / SEATS[name], abs=0.005)


@pytest.mark.parametrize("name", SEATS)
def test_win_probability_rises_with_the_evaluation_of_the_current_round(name: str, rng: np.random.Generator) -> None:
    for _ in range(30):
        totals = rng.integers(0, 7 if name == "reveille" else 60, SEATS[name])
        view = view_of(name, **{"marks" if name == "reveille" else "total": totals})
        chances = [win_probability(name, view, 0, value) for value in np.linspace(0, 1, 21)]
        assert all(chance is not None and 0 <= chance <= 1 for chance in chances)
        assert chances == sorted(chances)  # type: ignore[type-var]
        assert chances[-1] > chances[0]  # type: ignore[operator]


@pytest.mark.parametrize("name", SEATS)
def test_the_leading_seat_has_the_higher_win_probability(name: str) -> None:
    ahead = [4, 1] if name == "reveille" else [30, 10, 10, 10][: SEATS[name]]
    view = view_of(name, **{"marks" if name == "reveille" else "total": ahead})
    chances = [win_probability(name, view, seat, EVEN[name]) or 0.0 for seat in range(2)]
    # In Detect the lowest total wins.
    assert chances.index(max(chances)) == (1 if name == "detect" else 0)


def test_win_probability_in_reveille_assumes_even_chances_in_all_hands_after_the_current_one() -> None:
    view = view_of("reveille", marks=[6, 5])
    # The player who wins this mark wins the match; otherwise it is 6 all, and the next one decides.
    assert win_probability("reveille", view, 0, 1.0) == 1.0
    assert win_probability("reveille", view, 0, 0.0) == 0.5
    assert win_probability("reveille", view, 1, 0.5) == 0.25
    assert race_win_chance(3, 3) == 0.5


def test_every_competitive_game_has_a_win_probability() -> None:
    assert set(SEATS) == {name for name, info in catalogue().items() if not info.together}
    assert win_probability("uncovered", None, 0, 0.5) is None
