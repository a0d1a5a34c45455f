"""Speed of random playouts of every game and of other engines, in one run: ``python benchmarks/playout_speed.py``.

* Rates are per second of CPU time of one core, the best of three.
* Decisions are actions that a player chose. Chance events and continuing after a round are not counted.
* "First use" is the CPU time of loading a game's rules and playing the first match, after Python, NumPy and Numba were
  imported. It is measured with an empty cache of compiled rules and with a filled one.

Only rows of the same run can be compared.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass

import numpy as np
from other_engines import Missing, Peer, peers

from facedown.core.game_registry import catalogue, game
from facedown.core.rule import INTERPRETED, rule
from facedown.simulate.random_playouts import deal_batch, playouts

REPEATS = 3
COPIES = 2_000_000
SEED = "benchmark"

#: Code that measures the first use of a game; `version_comparison` also runs it on earlier versions.
FIRST_USE = """
import time, numpy, numba, numba.typed
start = time.process_time()
try:
    from facedown.simulate.random_playouts import playouts
except ImportError:  # Name of the module in earlier versions.
    from facedown.simulate.playout import playouts
playouts({name!r}, 1, {seats}, seed="first")
print(time.process_time() - start)
"""


@dataclass
class Row:
    """Results for one game of one engine; None for a value that does not apply."""

    name: str
    decisions: float
    """Decisions per second."""
    games: float
    """Matches per second."""
    rounds: float | None = None
    bytes: int | None = None
    copy: float | None = None
    """Nanoseconds per copy of a state."""
    cold: float | None = None
    cached: float | None = None


@rule
def copy_back_and_forth(states: np.ndarray, times: int) -> None:
    """Copy states within an array `times` times."""
    for i in range(times):
        states[1 + i % 7] = states[(i + 3) % 7]


def copy_time(name: str, seats: int) -> float:
    """Return the CPU time of one copy of a state in compiled code, in nanoseconds."""
    states = deal_batch(name, 8, seats, seed=SEED)
    copy_back_and_forth(states, 1)
    best = float("inf")
    for _ in range(REPEATS):
        start = time.process_time_ns()
        copy_back_and_forth(states, COPIES)
        best = min(best, (time.process_time_ns() - start) / COPIES)
    return best


def first_use_seconds(name: str, seats: int, folder: str) -> float:
    """Return the CPU seconds that a new process needs until it has played one match, with its cache in `folder`."""
    done = subprocess.run(
        [sys.executable, "-c", FIRST_USE.format(name=name, seats=seats)],
        env={**os.environ, "FACEDOWN_CACHE": folder},
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout)


def measure_compiled(name: str, seats: int, seconds: float) -> Row:
    """Measure Facedown's compiled playouts of a game."""
    playouts(name, 1, seats, seed=SEED)
    matches = 64
    best: Row | None = None
    while True:
        start = time.process_time()
        tally = playouts(name, matches, seats, seed=SEED, keep_returns=False)
        spent = time.process_time() - start
        if spent >= seconds / 2:
            break
        matches *= 4
    for _ in range(REPEATS):
        start = time.process_time()
        tally = playouts(name, matches, seats, seed=SEED, keep_returns=False)
        spent = time.process_time() - start
        if best is None or tally.decisions / spent > best.decisions:
            best = Row(
                f"Facedown {name}, {seats} players", tally.decisions / spent, matches / spent, tally.rounds / spent
            )
    assert best is not None
    best.bytes = int(game(name).dtype.itemsize)
    return best


def measure_interpreted(name: str, seats: int) -> Row:
    """Measure playouts with the same rules as plain Python, in a separate process."""
    code = (
        "import time, json; from facedown.simulate.random_playouts import playouts\n"
        f"playouts({name!r}, 1, {seats}, seed='first')\n"
        f"start = time.process_time(); tally = playouts({name!r}, 2, {seats}, seed={SEED!r})\n"
        "print(json.dumps([tally.decisions, tally.matches, tally.rounds, time.process_time() - start]))"
    )
    environment = {**os.environ, "FACEDOWN_INTERPRETED": "1"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    decisions, matches, rounds, spent = json.loads(done.stdout)
    return Row(f"Facedown {name}, interpreted", decisions / spent, matches / spent, rounds / spent)


def measure_other_engine(peer: Peer, seconds: float) -> Row:
    """Measure the playouts of another engine."""
    choose = random.Random(1)
    peer.play(choose)
    best = Row(peer.name, 0.0, 0.0)
    for _ in range(REPEATS):
        decisions = matches = 0
        start = time.process_time()
        spent = 0.0
        while spent < seconds:
            decisions += peer.play(choose)
            matches += 1
            spent = time.process_time() - start
        if decisions / spent > best.decisions:
            best = Row(peer.name, decisions / spent, matches / spent)
    best.copy = peer.copy() if peer.copy else None
    return best


def format_number(number: float | None) -> str:
    """Format a number in short form.

    >>> format_number(12_345_678.0), format_number(45_600.0), format_number(87.25), format_number(None)
    ('12.3 M', '45.6 k', '87.2', '')
    """
    if number is None:
        return ""
    for size, letter in ((1e6, " M"), (1e4, " k")):
        if number >= size:
            return f"{number / (1e6 if letter == ' M' else 1e3):.1f}{letter}"
    return f"{number:.1f}" if number < 1000 else f"{number:.0f}"


HEADS = ("", "decisions/s", "rounds/s", "matches/s", "bytes per state", "copy, ns", "first use cold, s", "cached, s")


def markdown_table(rows: list[Row]) -> str:
    """Return the rows as a Markdown table."""
    cells = [
        [
            row.name,
            format_number(row.decisions),
            format_number(row.rounds),
            format_number(row.games),
            str(row.bytes or ""),
            format_number(row.copy),
            "" if row.cold is None else f"{row.cold:.2f}",
            "" if row.cached is None else f"{row.cached:.2f}",
        ]
        for row in rows
    ]
    widths = [max(len(HEADS[i]), *(len(line[i]) for line in cells)) for i in range(len(HEADS))]
    lines = ["| " + " | ".join(f"{HEADS[i]:<{widths[i]}}" for i in range(len(HEADS))) + " |"]
    lines.append("| " + " | ".join("-" * (w - 1) + ("-" if i == 0 else ":") for i, w in enumerate(widths)) + " |")
    for line in cells:
        aligned = [f"{c:<{widths[i]}}" if i == 0 else f"{c:>{widths[i]}}" for i, c in enumerate(line)]
        lines.append("| " + " | ".join(aligned) + " |")
    return "\n".join(lines)


def main() -> int:
    """Parse the command line, measure, and print the table; return the exit code."""
    parser = argparse.ArgumentParser(
        description="Speed of random playouts of every game and of other engines, in one run."
    )
    parser.add_argument("--game", action="append", choices=list(catalogue()), help="only this game (may be repeated)")
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU seconds for each measurement (default: 1)")
    parser.add_argument("--no-cold", action="store_true", help="skip the first use, which compiles everything")
    parser.add_argument("--no-peers", action="store_true", help="skip the other engines")
    parser.add_argument("--json", action="store_true", help="print the rows as JSON")
    chosen = parser.parse_args()
    if chosen.seconds <= 0:
        parser.error("--seconds must be greater than 0")
    if INTERPRETED:
        parser.error("unset FACEDOWN_INTERPRETED: interpreted rows are always included")
    rows: list[Row] = []
    for name in chosen.game or catalogue():
        seats = catalogue()[name].seats[0]
        row = measure_compiled(name, seats, chosen.seconds)
        row.copy = copy_time(name, seats)
        if not chosen.no_cold:
            with tempfile.TemporaryDirectory() as folder:
                row.cold = first_use_seconds(name, seats, folder)
                row.cached = first_use_seconds(name, seats, folder)
        rows += [row, measure_interpreted(name, seats)]
    for peer in () if chosen.no_peers else peers():
        if isinstance(peer, Missing):
            print(peer, file=sys.stderr)
        else:
            rows.append(measure_other_engine(peer, chosen.seconds))
    print(json.dumps([asdict(row) for row in rows], indent=2) if chosen.json else markdown_table(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
