"""Numbers of action sequences in Detect, counted by hand."""

from __future__ import annotations

import pytest

from facedown.core.game_registry import game
from facedown.core.match import Match
from facedown.core.perft import divide, perft
from facedown.core.seeds import seed_from_text
from facedown.core.state import to_bytes

#: Grids whose columns hold three different numbers, with different numbers to come: no set is possible soon.
DEAL = "1 2 3 4 5 6 7 8 9 10 11 12 2 3 4 5 6 7 8 9 10 11 12 0 -1 -1 -2 -2"


def match(**options: str) -> Match:
    detect = game("detect")
    deal = [detect.words.card_kind(word) for word in DEAL.split()]
    return Match(detect, 2, options, seed_from_text("perft"), deal, 0)


@pytest.mark.slow
def test_perft_counts_of_the_detect_opening_equal_counts_by_hand() -> None:
    m = match()
    # Each player opens two of 12 cells: 66 pairs. Both choose, the lowest seat first. Then the starter takes the
    # discard into one of 12 cells, or draws: 13.
    assert [perft(m.game, m.state, depth) for depth in range(4)] == [1, 66, 66**2, 66**2 * 13]
    # Fourth action: after a take the other player has 13; after a draw there are 12 cells to keep it in and 10
    # face-down cards to flip.
    assert perft(m.game, m.state, 4) == 66**2 * (12 * 13 + 22)


def test_perft_counts_of_detect_turns_after_a_random_opening_equal_counts_by_hand() -> None:
    m = match(opening_pick="random")
    # With t for a whole turn by take (12 ways) and d for one by draw (12 + 10 = 22 ways, in two actions):
    # 1: 13.   2: t then 13, or d: 12·13 + 22 = 178.   3: t then 178, or d then 13: 12·178 + 22·13 = 2422.
    # 4: d then 178 = 3916; t, d, 13 = 12·22·13 = 3432; t, t and the first player's second turn: its 13 first actions
    #    are 12 takes, each followed by 13, and a draw, followed by 12 + as many as are face down: 9 if the first turn
    #    covered a face-down cell (10 ways), 10 if not (2 ways): 12·(10·(156 + 21) + 2·(156 + 22)) = 25512.
    assert [perft(m.game, m.state, depth) for depth in range(5)] == [1, 13, 178, 2422, 3916 + 3432 + 25512]


def test_perft_divide_counts_by_first_action_and_does_not_change_the_state() -> None:
    m = match(opening_pick="random")
    before = to_bytes(m.state)
    shares = {m.game.words.words(action): n for action, n in divide(m.game, m.state, 2).items()}
    assert shares == {f"take {c}{r}": 13 for c in "abcd" for r in "123"} | {"draw": 22}
    assert sum(divide(m.game, m.state, 4).values()) == perft(m.game, m.state, 4)
    assert to_bytes(m.state) == before


def test_perft_of_a_finished_match_is_zero_and_perft_divide_requires_a_positive_depth() -> None:
    m = match()
    m.state.acting = 0
    assert perft(m.game, m.state, 1) == 0
    assert divide(m.game, m.state, 3) == {}
    with pytest.raises(ValueError, match="depth must be at least 1, not 0"):
        divide(m.game, m.state, 0)
