"""The scorekeeper and the greedy bot of Uncovered!."""

from __future__ import annotations

import random
from typing import Any

import pytest

from facedown.core.match import Match
from facedown.games.uncovered.bots.policy import reason
from facedown.games.uncovered.rules import LOST, Act
from facedown.games.uncovered.scorekeeper import EXAMPLE, score
from tests.bots.positions import played_by_bots
from tests.games.case_files import cases
from tests.games.uncovered.positions import match_with_hands, play_words, score_of


@pytest.mark.parametrize(("scoring", "points"), [("regret", 2), ("raw_turns", 4), ("free_regret", 3)])
def test_the_uncovered_scorekeeper_gives_the_same_score_as_a_match_for_each_scoring_option(
    scoring: str, points: int
) -> None:
    result = score(EXAMPLE | {"options": {"score": scoring}})
    assert result["score"] == points
    m = match_with_hands("1234 1233 1244", score=scoring)
    play_words(m, "swap 1 1 1", "swap 4 2 3", "swap 1 0 1", "swap 1 1 1", "uncover")
    assert score_of(m) == points


def test_the_uncovered_scorekeeper_gives_no_score_to_a_lost_game() -> None:
    result = score(EXAMPLE | {"won": False})
    assert (result["score"], result["fewest"]) == (None, 2)
    assert result["why"].startswith("Lost on turn 4")


def test_the_uncovered_scorekeeper_respects_the_starting_seat_and_single_colour_option() -> None:
    assert score(EXAMPLE | {"first": 1})["fewest"] == 1
    hands = [[number] * 4 for number in (1, 2, 3, 4)]
    assert score({"hands": hands, "turns": 6})["score"] == 0
    assert score({"hands": hands, "turns": 0, "options": {"single_colour_win": "yes"}})["score"] == 0


@pytest.mark.parametrize(("changes", "message"), cases("uncovered", "bad_scores"))
def test_the_uncovered_scorekeeper_refuses_impossible_input_with_the_reason(
    changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        score(EXAMPLE | changes if "hands" not in changes else changes | {"turns": 9})


@pytest.mark.parametrize("missing", ["hands", "turns"])
def test_the_uncovered_scorekeeper_refuses_missing_input_and_names_it(missing: str) -> None:
    with pytest.raises(ValueError, match=missing):
        score({name: value for name, value in EXAMPLE.items() if name != missing})


# --- the greedy bot


@pytest.mark.parametrize("mode", ["beginner", "intermediate", "advanced"])
@pytest.mark.parametrize("visibility", ["face_up", "face_down"])
def test_greedy_bot_in_uncovered_wins_whenever_it_uncovers(mode: str, visibility: str, seed: int) -> None:
    rnd = random.Random(seed)
    for _ in range(6):
        seats = rnd.randint(3 if mode == "advanced" else 2, 4)
        m = Match("uncovered", seats, {"mode": mode, "swap_visibility": visibility}, rnd.randbytes(32))
        played_by_bots(m, "greedy")
        assert m.abandoned or (m.state.won and m.returns[0] > LOST)


def test_greedy_bot_in_uncovered_makes_the_winning_swap() -> None:
    m = played_by_bots(match_with_hands("1233 1244", mode="beginner"), "greedy")
    assert [m.game.words.words(move.action) for move in m.moves] == ["swap 4 1 3", "uncover"]


def test_greedy_bot_in_uncovered_gives_a_reason_for_a_swap_and_for_uncovering() -> None:
    m = match_with_hands("1233 1244", mode="beginner")
    said = reason(m.known(0), 0, m.game.words.parse("swap 4 1 3"))
    assert said == "the hands are closest to the order 1 2 3 4: as far as you can tell, about 6 of 8 cards fit it"
    assert reason(m.known(0), 0, Act.UNCOVER) == "all hands are certain to match"
