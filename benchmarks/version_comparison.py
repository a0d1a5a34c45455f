"""Speed of this version and an earlier one: ``python benchmarks/version_comparison.py COMMIT [--games GAME ...]``.

For each game it measures:

* the time of a decision in random play, in a batch of 256 matches with masks and observations;
* the same in a single match;
* the first use of the game, with an empty cache of compiled rules and with a filled one.

All times are CPU time of one core. Both versions run in turns, in separate processes. The best turn counts, because it
is disturbed least.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from playout_speed import FIRST_USE
from server_throughput import HERE, checked_out

#: Printed name and unit of each figure.
FIGURES = {
    "play": "random play, µs per decision",
    "batch": "batch, µs per decision",
    "single": "single match, µs per decision",
    "cold": "first use, s",
    "cached": "first use with a cache, s",
}
#: Code that measures the speed of play; it runs on this version and on earlier ones.
MEASURE = """
import json, sys, time
from facedown.research.batch import BatchEnv
try:
    from facedown.research.single_match import SingleMatch
    from facedown.simulate.random_playouts import playouts
except ImportError:  # Names of the modules in earlier versions.
    from facedown.research.single import SingleMatch
    from facedown.simulate.playout import playouts

name, seats = sys.argv[1], int(sys.argv[2])
clock = time.process_time

def play():
    tally = playouts(name, 1000, seats, seed="versions", keep_returns=False)
    return tally.decisions

def batch():
    for _ in range(40):
        batches.step(batches.sample())
    return 40 * batches.matches

def single():
    for _ in range(2000):
        if match.over:
            match.reset("again")
        match.step(match.sample())
        match.mask()
        match.observe(0 if match.over else match.seat)
    return 2000

batches = BatchEnv(name, 256, seats, seed="versions")
batches.reset()
match = SingleMatch(name, seats, seed="versions")
found = {}
for work in (play, batch, single):
    work()
    best = float("inf")
    for _ in range(5):
        start = clock()
        done = work()
        best = min(best, (clock() - start) / done)
    found[work.__name__] = 1e6 * best
print(json.dumps(found))
"""


def measure_version(tree: Path, game: str, seats: int, cache: str) -> dict[str, float]:
    """Return the figures of one version, with its compiled rules in `cache`."""

    def ran(code: str, folder: str, *arguments: str) -> str:
        environment = {**os.environ, "PYTHONPATH": str(tree / "src"), "FACEDOWN_CACHE": folder}
        command = [sys.executable, "-c", code, *arguments]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout

    first = FIRST_USE.format(name=game, seats=seats)
    with tempfile.TemporaryDirectory() as empty:
        cold = float(ran(first, empty))
        cached = float(ran(first, empty))
    return {**json.loads(ran(MEASURE, cache, game, str(seats))), "cold": cold, "cached": cached}


def main() -> None:
    """Print one line per figure and game: the earlier version, this version, and the speed-up."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("commit")
    parser.add_argument("--games", nargs="*", default=["reveal", "detect", "reveille", "uncovered", "scout"])
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--turns", type=int, default=3)
    args = parser.parse_args()
    with checked_out(args.commit) as before, tempfile.TemporaryDirectory() as caches:
        trees = {"before": before, "now": HERE}
        print(f"{'':40} {args.commit[:9]:>9} {'now':>9} {'speed-up':>14}")
        for game in args.games:
            best: dict[str, dict[str, float]] = {name: {} for name in trees}
            for _ in range(args.turns):
                for name, tree in trees.items():
                    for figure, took in measure_version(tree, game, args.seats, f"{caches}/{name}").items():
                        best[name][figure] = min(took, best[name].get(figure, took))
            for figure, words in FIGURES.items():
                old, new = best["before"][figure], best["now"][figure]
                print(f"{game + ': ' + words:40} {old:9.3f} {new:9.3f} {old / new:14.2f}", flush=True)


if __name__ == "__main__":
    main()
