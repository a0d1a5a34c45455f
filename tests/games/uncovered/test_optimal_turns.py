"""The solver of Uncovered!, compared with tables and cases of the rules and with independent searches."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from functools import cache
from itertools import pairwise, permutations
from typing import Any

import numpy as np
import pytest

from facedown.core.rule import INTERPRETED
from facedown.games.uncovered.bots.fewest_turns_solver import (
    Swap,
    regrets_of_match,
    regrets_of_swaps,
    solve,
    solve_json_lines,
    solve_without_turn_order,
)
from facedown.games.uncovered.optimal_turns import ANYONE, fewest_turns, pack_board, pack_edges, swap_lower_bound
from tests.games.case_files import cases
from tests.nightly_selection import mostly

Deal = tuple[tuple[int, ...], ...]

#: Numbers of deals that need 0, 1, 2, … turns, for two and three players (rules 4.7).
TABLES = {2: [24, 144, 792, 1344, 216], 3: [24, 576, 10800, 96864, 220584, 40752]}


def parse_hands(text: str) -> list[list[int]]:
    return [[int(number) for number in hand] for hand in text.split()]


def apply_swaps(board: list[list[int]], swaps: list[Swap]) -> list[list[int]]:
    board = [list(hand) for hand in board]
    for p, i, q, j in swaps:
        board[p][i - 1], board[q][j - 1] = board[q][j - 1], board[p][i - 1]
    return board


# --- independent reference: boards as strings, backwards from the goals -----------------------------------------------


def goal_boards(players: int, single_colour_win: bool = False) -> set[str]:
    found = {"".join(order) * players for order in permutations("1234")}
    if single_colour_win and players == 4:
        found |= {"".join(number * 4 for number in order) for order in permutations("1234")}
    return found


def after_swaps(board: str, p: int, q: int) -> set[str]:
    found = set()
    for i in range(4 * p, 4 * p + 4):
        for j in range(4 * q, 4 * q + 4):
            cards = list(board)
            cards[i], cards[j] = cards[j], cards[i]
            found.add("".join(cards))
    return found


def as_array(board: str) -> np.ndarray:
    return np.array([int(number) for number in board], dtype=np.int64).reshape(-1, 4)


def random_boards(players: int, count: int, seed: int) -> list[list[list[int]]]:
    generator = np.random.default_rng(seed)
    deck = np.repeat(np.arange(1, 5), players)
    return [generator.permutation(deck).reshape(players, 4).tolist() for _ in range(count)]


# --- compared with the tables and brute force -------------------------------------------------------------------------


@pytest.mark.parametrize("mover", [0, 1, ANYONE])
def test_fewest_turns_for_every_two_player_board_equal_those_of_a_breadth_first_search(mover: int) -> None:
    """Any swap is between the two hands, so the seat to act makes no difference."""
    least = least_turns(2)
    boards = list(least)[:: 25 if INTERPRETED else 1]
    assert [board for board in boards if fewest_turns(unpack(board, 2), mover, False) != least[board]] == []


@pytest.mark.skipif(INTERPRETED, reason="some hundred thousand boards")
@pytest.mark.parametrize("step", mostly((1, 97), (), (97,)))
def test_fewest_turns_for_every_three_player_board_equal_those_of_a_breadth_first_search(step: int) -> None:
    """Every board (or one in `step`), compared with sets of packed boards stepped back from the goals."""
    least = least_turns(3)
    boards = list(least)[::step]
    assert [board for board in boards if fewest_turns(unpack(board, 3), 0, False) != least[board]] == []


@cache
def least_turns(players: int) -> dict[int, int]:
    """Return the turns needed by every packed board (2 bits per place) with seat 0 to act: T* as defined in rules 4.7.

    Boards from which movers k..t−1 reach a goal in exactly t − k swaps: step back through the movers t−1, …, 0.
    """
    start = np.array([pack(as_array(goal)) for goal in sorted(goal_boards(players))], dtype=np.int64)
    least: dict[int, int] = {}
    for turns in range(len(TABLES[players])):
        layer = start
        for k in reversed(range(turns)):
            swaps = pairs_of(k % players, players)
            layer = np.unique(np.concatenate([exchange(layer, i, j) for i, j in swaps]))
        for board in layer.tolist():
            least.setdefault(board, turns)
    assert Counter(least.values()) == Counter(dict(enumerate(TABLES[players])))
    return least


def pairs_of(p: int, players: int) -> list[tuple[int, int]]:
    return [(i, j) for i in range(4 * p, 4 * p + 4) for j in range(4 * players) if j // 4 != p]


def exchange(boards: np.ndarray, i: int, j: int) -> np.ndarray:
    difference = (boards >> 2 * i ^ boards >> 2 * j) & 3
    return boards ^ difference << 2 * i ^ difference << 2 * j


def pack(board: np.ndarray) -> int:
    return sum((int(number) - 1) << 2 * place for place, number in enumerate(board.ravel()))


def unpack(board: int, players: int) -> np.ndarray:
    cards = [(board >> 2 * place & 3) + 1 for place in range(4 * players)]
    return np.array(cards, dtype=np.int64).reshape(players, 4)


def can_reach(board: str, mover: int, turns: int, ends: set[str], players: int) -> bool:
    """Depth-first search with a simple bound: half the misplaced cards, and the most in one hand."""
    if turns == 0:
        return board in ends
    if min(plain_lower_bound(board, goal) for goal in ends) > turns:
        return False
    others = (mover + step for step in range(1, players))
    boards = set().union(*(after_swaps(board, mover, q % players) for q in others))
    return any(can_reach(then, (mover + 1) % players, turns - 1, ends, players) for then in boards)


def plain_lower_bound(board: str, goal: str) -> int:
    wrong = [sum(board[k] != goal[k] for k in range(start, start + 4)) for start in range(0, len(board), 4)]
    return max(-(-sum(wrong) // 2), *wrong)


@pytest.mark.skipif(INTERPRETED, reason="the plain search is slow enough as it is")
@pytest.mark.parametrize(("players", "single_colour_win"), [(4, False), (4, True), (5, False)])
def test_fewest_turns_for_four_and_five_players_equal_those_of_a_depth_first_search(
    players: int, single_colour_win: bool
) -> None:
    """Boards a few random swaps away from a goal, any seat to act."""
    generator = np.random.default_rng(7 * players + single_colour_win)
    ends = goal_boards(players, single_colour_win)
    for trial in range(20):
        board = sorted(ends)[int(generator.integers(len(ends)))]
        for _ in range(int(generator.integers(1, 4))):
            p, q = generator.choice(players, 2, replace=False)
            board = str(generator.choice(sorted(after_swaps(board, int(p), int(q)))))
        mover = int(generator.integers(players))
        expected = next(turns for turns in range(9) if can_reach(board, mover, turns, ends, players))
        assert fewest_turns(as_array(board), mover, single_colour_win) == expected, (trial, board, mover)


# --- the worked cases -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("board", "mover", "single_colour_win", "turns"), cases("uncovered", "solved"))
def test_solver_finds_the_expected_fewest_turns_of_worked_cases(
    board: str, mover: int, single_colour_win: bool, turns: int
) -> None:
    solution = solve(parse_hands(board), mover, single_colour_win)
    assert solution.turns == turns == len(solution.swaps)
    end = "".join(str(number) for hand in apply_swaps(parse_hands(board), solution.swaps) for number in hand)
    assert end in goal_boards(len(board.split()), single_colour_win)


def test_solver_without_turn_order_finds_the_fewest_swaps() -> None:
    assert solve_without_turn_order(parse_hands("1234 1233 1244")).turns == 1


def test_solver_considers_that_players_with_complete_hands_must_also_swap_on_their_turn() -> None:
    assert solve(parse_hands("1111 2222 4333 3444"), 0, single_colour_win=True).turns > 2


def test_option_single_colour_win_does_not_change_the_fewest_turns_of_2_3_or_5_players() -> None:
    for players in (2, 3, 5):
        for board in random_boards(players, 10, players):
            assert solve(board, 0, True).turns == solve(board, 0, False).turns


# --- properties -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_swaps_found_by_the_solver_follow_the_turn_order_and_win(players: int) -> None:
    for number, board in enumerate(random_boards(players, 3 if INTERPRETED else 60, 100 + players)):
        mover = number % players
        solution = solve(board, mover)
        assert [swap[0] for swap in solution.swaps] == [(mover + k) % players for k in range(solution.turns)]
        assert all(swap[0] != swap[2] for swap in solution.swaps)
        assert len(set(map(tuple, apply_swaps(board, solution.swaps)))) == 1
        assert solve_without_turn_order(board).turns <= solution.turns
        assert set(regrets_of_match(board, solution.swaps)) <= {0}


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_regrets_of_swaps_are_not_negative_and_add_up_to_the_turns_above_the_minimum(players: int) -> None:
    """No swap has a negative regret, some swap has regret 0, and the regrets of a match add up to T − T*."""
    generator = np.random.default_rng(players)
    for board in random_boards(players, 1 if INTERPRETED else 5, 200 + players):
        costs = regrets_of_swaps(board, 1)
        assert len(costs) == 16 * (players - 1)
        assert min(costs.values()) == 0
        astray = [list(costs)[int(generator.integers(len(costs)))]]
        assert regrets_of_match(board, astray) == [costs[astray[0]]]
        swaps = astray + solve(apply_swaps(board, astray), 2 % players).swaps
        assert sum(regrets_of_match(board, swaps)) == len(swaps) - solve(board, 1).turns


def test_the_lower_bound_on_swaps_is_cards_out_of_place_minus_cycles() -> None:
    """The formula, compared with the largest number of cycles that the edges split into, by brute force."""
    for board in random_boards(3, 40, 5):
        packed = pack_board(np.array(board), 0)
        edges = [(place % 4, packed >> 2 * place & 3) for place in range(12)]
        misplaced = tuple(sorted(edge for edge in edges if edge[0] != edge[1]))
        assert swap_lower_bound(pack_edges(packed, 3, 0)) == len(misplaced) - most_cycles(misplaced)


@cache
def most_cycles(edges: tuple[tuple[int, int], ...]) -> int:
    """Return the largest number of cycles that edges split into: close the first edge in every way, and split the
    rest.
    """
    if not edges:
        return 0
    (tail, head), *rest = edges
    return max(
        1 + most_cycles(tuple(left))
        for size in (1, 2, 3)
        for chosen in permutations(sorted(set(rest)), size)
        if all(one[1] == other[0] for one, other in pairwise([(tail, head), *chosen, (tail, head)]))
        for left in [sorted((Counter(rest) - Counter(chosen)).elements())]
    )


# --- bad input --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("board", "mover", "turns"),
    [
        ("1234 1233", 0, -1),
        ("1234 1235", 0, -1),
        ("1234", 0, -1),
        ("1234 1234", 2, -1),
        ("1234 1234", ANYONE, 0),
    ],
)
def test_fewest_turns_is_minus_one_for_impossible_boards(board: str, mover: int, turns: int) -> None:
    assert fewest_turns(np.array(parse_hands(board)), mover, False) == turns


@pytest.mark.parametrize(
    ("given", "reason"), [*cases("uncovered", "bad_boards"), ("[" * 100_000, "no JSON that can be read")]
)
def test_batch_solver_reports_invalid_input_lines_and_solves_the_other_lines(given: Any, reason: str) -> None:
    good = '{"players": 2, "hands": [[1,2,3,3],[1,2,4,4]]}'
    line = given if isinstance(given, str) else json.dumps(given)
    first, bad, last = solve_json_lines([good, "\n", line, good])
    assert [first.bad, bad.bad, last.bad] == [False, True, False]
    assert bad.text.startswith(f"line 3: {reason}")
    assert "\n" not in bad.text
    assert len(bad.text) < 200
    assert json.loads(last.text) == {"turns": 1, "swaps": [[0, 4, 1, 3]]}


def test_batch_solver_accepts_a_starting_seat_in_an_input_line() -> None:
    (answer,) = solve_json_lines(['{"hands": [[1,2,3,4],[1,2,3,3],[1,2,4,4]], "mover": 1}'])
    assert json.loads(answer.text) == {"turns": 1, "swaps": [[1, 4, 2, 3]]}


@pytest.mark.parametrize(
    ("swaps", "reason"),
    [
        ([(0, 1, 0, 2)], "cannot swap"),
        ([(0, 0, 1, 2)], "places are 1 to 4"),
        ([(0, 1, 1, 5)], "places are 1 to 4"),
        ([(0, 1, 2, 1)], "cannot swap"),
        ([(0, 1, 1, 1), (0, 1, 1, 1)], "turn of seat 1"),
    ],
)
def test_illegal_swaps_are_refused_with_the_reason_when_regrets_of_a_match_are_computed(
    swaps: list[Swap], reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        regrets_of_match(parse_hands("1233 1244"), swaps)


def test_solver_refuses_impossible_boards() -> None:
    with pytest.raises(ValueError, match="1 hands"):
        solve([[1, 2, 3, 4]])
    with pytest.raises(ValueError, match="mover is 2"):
        solve(parse_hands("1234 1234"), mover=2)
    with pytest.raises(ValueError, match="holds 0"):
        solve_without_turn_order(np.zeros((2, 4), dtype=np.int64))


def test_solver_raises_an_error_instead_of_searching_forever_if_its_bound_is_too_strict() -> None:
    """With a bound one too strict the search would deepen forever; it raises an error instead."""
    program = (
        "import numpy as np\n"
        "from facedown.games.uncovered import optimal_turns\n"
        "true, optimal_turns.MOST_BOARDS = optimal_turns.might_reach_goal, 300\n"
        "optimal_turns.might_reach_goal = lambda board, distance, mover, left, players, by_hand: (\n"
        "    true(board, distance, mover, left, players, by_hand) and distance < left)\n"
        "print(optimal_turns.fewest_turns(np.array([[2, 1, 3, 4], [1, 2, 3, 4]]), 0, False))\n"
    )
    found = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "FACEDOWN_INTERPRETED": "1"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert "a bound is too strict" in found.stderr, found.stdout
