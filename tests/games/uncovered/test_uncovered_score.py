"""The scorekeeper and the greedy bot of Uncovered!."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest

from facedown.core.chance import key_of, quick_seed
from facedown.core.match import Match
from facedown.core.slots import known_view
from facedown.games.uncovered.policy import greedy, reason
from facedown.games.uncovered.rules import LOST, Act
from facedown.games.uncovered.score import EXAMPLE, score
from tests.games.cases import cases
from tests.games.uncovered.hands import dealt, say, score_of


def example(**changes: Any) -> dict[str, Any]:
    return copy.deepcopy(EXAMPLE) | changes


@pytest.mark.parametrize(("scoring", "points"), [("regret", 2), ("raw_turns", 4), ("free_regret", 3)])
def test_the_score_is_that_of_the_rules(scoring: str, points: int) -> None:
    result = score(example(options={"score": scoring}))
    assert result["score"] == points
    m = dealt("1234 1233 1244", score=scoring)
    say(m, "swap 1 1 1", "swap 4 2 3", "swap 1 0 1", "swap 1 1 1", "uncover")
    assert score_of(m) == points


def test_a_lost_game_has_no_score() -> None:
    result = score(example(won=False))
    assert result["score"] is None
    assert result["fewest"] == 2
    assert result["why"].startswith("Lost at turn 4")


def test_who_starts_counts() -> None:
    assert score(example(first=1))["fewest"] == 1


def test_hands_of_one_number() -> None:
    hands = [[1] * 4, [2] * 4, [3] * 4, [4] * 4]
    assert score({"hands": hands, "turns": 6})["score"] == 0
    assert score({"hands": hands, "turns": 0, "options": {"single_colour_win": "yes"}})["score"] == 0


@pytest.mark.parametrize(("changes", "message"), cases("uncovered", "bad_scores"))
def test_what_cannot_be_is_named(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        score(example(**changes) if "hands" not in changes else changes | {"turns": 9})


@pytest.mark.parametrize("missing", ["hands", "turns"])
def test_what_is_missing_is_named(missing: str) -> None:
    data = example()
    del data[missing]
    with pytest.raises(ValueError, match=missing):
        score(data)


# --- the greedy bot


def play(m: Match, seed: int) -> None:
    q = quick_seed(key_of(bytes(32)), seed)
    while not m.over:
        seat = m.acting[0]
        action = int(greedy(known_view(m.state, seat), seat, q))
        assert action in m.legal(seat)
        m.play(seat, action)


@pytest.mark.parametrize("mode", ["beginner", "intermediate", "advanced"])
@pytest.mark.parametrize("visibility", ["face_up", "face_down"])
def test_the_greedy_bot_wins_as_it_uncovers_when_it_is_sure(mode: str, visibility: str, seed: int) -> None:
    rnd = random.Random(seed)
    for number in range(6):
        seats = rnd.randint(3 if mode == "advanced" else 2, 4)
        m = Match("uncovered", seats, {"mode": mode, "swap_visibility": visibility}, rnd.randbytes(32))
        play(m, number)
        assert m.abandoned or bool(m.state.won)
        assert m.abandoned or m.game.returns(m.state)[0] > LOST


def test_it_makes_the_swap_that_wins() -> None:
    m = dealt("1233 1244", mode="beginner")
    play(m, 0)
    assert [m.game.words.words(move.action) for move in m.moves] == ["swap 4 1 3", "uncover"]


def test_it_says_why() -> None:
    m = dealt("1233 1244", mode="beginner")
    said = reason(m.known(0), 0, m.game.words.parse("swap 4 1 3"))
    assert said == "the hands are closest to 1 2 3 4: about 6 of 8 cards, as far as you can see"
    assert reason(m.known(0), 0, Act.UNCOVER) == "all hands are alike, for certain"
