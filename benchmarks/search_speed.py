"""Simulations per second of the search bots on one core: ``python benchmarks/search_speed.py [--seconds 1]``.

A simulation has a different meaning for each bot:

* ``search``: one sampled world, one descent of the tree, and one rollout to the end of the round, at random or by a
  cheap policy.
* ``foresight`` (rollout search): one move tried in one world, with a rollout by the greedy bot.

Each rate is the best of three, per second of CPU time, in a position some moves into the first round.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

from facedown.bots.rollout_search import search_by_rollouts
from facedown.bots.search_common import Budget
from facedown.bots.simple_bots import greedy
from facedown.bots.tree_search import ALL_RANDOM, search
from facedown.core.match import Match
from facedown.core.random_numbers import key_of, quick_generator
from facedown.core.seeds import seed_from_text

REPEATS = 3
#: Positions as (game, seats, number of moves that the greedy bot makes first).
POSITIONS = (("detect", 2, 8), ("reveille", 2, 4), ("reveal", 2, 3), ("scout", 4, 8))


def match_after_plies(name: str, seats: int, plies: int) -> Match:
    """Return a match `plies` moves into its first round, continued until the seat to act has a choice."""
    match = Match(name, seats, seed=seed_from_text("benchmark"))
    q = quick_generator(key_of(seed_from_text("benchmark")), 0)
    while match.ply < plies or len(match.legal(match.acting[0])) == 1:
        seat = match.acting[0]
        match.play(seat, int(greedy(match.state, seat, q)))
    return match


def simulations_per_second(think: Callable[[Budget], int], seconds: float) -> float:
    """Return the simulations per second of CPU time, the best of three measurements."""
    think(Budget(40))
    best = 0.0
    for _ in range(REPEATS):
        start = time.process_time()
        done = think(Budget(seconds=seconds / REPEATS))
        best = max(best, done / (time.process_time() - start))
    return best


def main() -> None:
    """Parse the command line, measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3.0, help="duration of each measurement")
    seconds = parser.parse_args().seconds
    print(f"{'simulations per second':34} {'search, random':>15} {'search, light':>15} {'foresight':>15}")
    for name, seats, plies in POSITIONS:
        match = match_after_plies(name, seats, plies)
        seat = match.acting[0]
        game, view = match.game, match.known(seat)
        rates = [
            simulations_per_second(lambda b: search(game, view, seat, 1, b, ALL_RANDOM).simulations, seconds),  # noqa: B023
            simulations_per_second(lambda b: search(game, view, seat, 1, b, 0).simulations, seconds),  # noqa: B023
            simulations_per_second(lambda b: search_by_rollouts(game, view, seat, 1, b).simulations, seconds),  # noqa: B023
        ]
        what = f"{match.game.info.title}, {seats} players, {len(match.legal(seat))} moves"
        print(f"{what:34} " + " ".join(f"{found:15,.0f}" for found in rates), flush=True)


if __name__ == "__main__":
    main()
