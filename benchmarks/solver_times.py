"""Times of the exact solvers on one core: ``python benchmarks/solver_times.py [--boards 1000] [--seed 1]``.

The first call of each solver is timed separately: it compiles the solver or loads it from the cache. Every board is
solved five times and the shortest time counts, which reduces the effect of other work on the machine.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from facedown.games.reveille.bots.auction_solver import solve_stage_two
from facedown.games.reveille.cards import BONES
from facedown.games.reveille.info import ReveilleOptions
from facedown.games.reveille.rules import HAND
from facedown.games.uncovered.optimal_turns import ANYONE, MOST_TURNS, write_shortest_winning_swaps

REPEATS = 5

#: Boards of six players that need ten turns, found by hill climbing towards boards that take the search long.
HARD_BOARDS = [
    "4221 3413 1144 3221 2332 4413",
    "2341 3142 1423 2134 1423 4312",
    "1331 3443 4224 1331 2112 4224",
    "4224 1331 3113 1331 4224 2442",
    "4433 3344 4422 1133 1122 2211",
    "2424 4141 3232 4141 3232 1313",
]


def best_milliseconds(jobs: list[Any], solve: Callable[[Any], Any]) -> NDArray[np.float64]:
    """Return the milliseconds of each job, the shortest of `REPEATS`."""
    times = np.full(len(jobs), np.inf)
    for _ in range(REPEATS):
        for number, job in enumerate(jobs):
            start = time.perf_counter_ns()
            solve(job)
            times[number] = min(times[number], (time.perf_counter_ns() - start) / 1e6)
    return times


def print_row(what: str, times: NDArray[np.float64]) -> None:
    """Print one row of the table."""
    p50, p99 = np.percentile(times, [50, 99])
    print(f"{what:44} {len(times):6} {p50:9.4f} {p99:9.4f} {times.max():9.4f}")


def print_first_call_time(what: str, solve: Callable[[], Any]) -> None:
    """Print the time until the first answer: elapsed and CPU seconds."""
    clock, processor = time.perf_counter(), time.process_time()
    solve()
    clock, processor = time.perf_counter() - clock, time.process_time() - processor
    print(f"first call, {what}: {clock:.2f} s, CPU time {processor:.2f} s")


def boards_of(players: int, count: int, seed: int) -> list[NDArray[np.int64]]:
    """Return random deals of Uncovered!."""
    chance = np.random.default_rng(seed)
    deck = np.repeat(np.arange(1, 5), players)
    return [chance.permutation(deck).reshape(players, 4) for _ in range(count)]


def hands_of(count: int, seed: int) -> list[tuple[int, int]]:
    """Return random pairs of hands of seven dominoes, as bit masks."""
    chance = np.random.default_rng(seed)
    deals = [chance.permutation(BONES) for _ in range(count)]
    return [(sum(1 << int(b) for b in d[:HAND]), sum(1 << int(b) for b in d[HAND : 2 * HAND])) for d in deals]


def main() -> None:
    """Parse the command line, measure, and print the table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--boards", type=int, default=1000)
    arguments.add_argument("--seed", type=int, default=1)
    chosen = arguments.parse_args()
    line = np.zeros((MOST_TURNS, 4), np.int64)

    print_first_call_time("Uncovered!", lambda: write_shortest_winning_swaps(boards_of(2, 1, 0)[0], 0, False, line))
    print_first_call_time("Reveille", lambda: solve_stage_two(hands_of(1, 0)[0]))
    print()
    print(f"{'milliseconds':44} {'count':>6} {'p50':>9} {'p99':>9} {'max':>9}")
    for players in range(2, 7):
        boards = boards_of(players, chosen.boards, chosen.seed)
        print_row(
            f"Uncovered!, {players} players: T*",
            best_milliseconds(boards, lambda b: write_shortest_winning_swaps(b, 0, False, line)),
        )
    hard = [np.array([[int(card) for card in hand] for hand in board.split()]) for board in HARD_BOARDS]
    assert {write_shortest_winning_swaps(board, 0, False, line) for board in hard} == {10}
    print_row(
        "Uncovered!, 6 players: T* = 10",
        best_milliseconds(hard, lambda b: write_shortest_winning_swaps(b, 0, False, line)),
    )
    boards = boards_of(6, chosen.boards, chosen.seed)
    print_row(
        "Uncovered!, 6 players, order ignored",
        best_milliseconds(boards, lambda b: write_shortest_winning_swaps(b, ANYONE, False, line)),
    )
    deals = hands_of(chosen.boards // 3, chosen.seed)
    for all_tricks in (False, True):
        what = "Reveille, 8 contracts, both declarers" + (", all tricks too" if all_tricks else "")
        options = ReveilleOptions.from_texts({"bid42": "all_tricks" if all_tricks else "points"})
        print_row(what, best_milliseconds(deals, lambda d, o=options: solve_stage_two(d, o)))


if __name__ == "__main__":
    main()
