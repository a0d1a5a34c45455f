"""Our environments beside others of their kind, in one run: ``python benchmarks/environments.py``.

A random player picks uniformly among the legal actions; what is asked of an environment is what such a player needs.
Rates are of CPU time of one core, the best of three; actions of chance are no decisions. Only rows of one run
can be compared.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

REPEATS = 3
COPIES = 5000
#: A copy is made of a state after so many actions.
MIDDLE = 24


@dataclass
class Row:
    """What was measured of an environment; None where it has no meaning."""

    name: str
    decision: float
    """Microseconds a decision."""
    copy: float | None = None
    """Microseconds a copy of a state in mid-match."""
    compared: float | None = None
    """How many times as fast as the fastest peer of its kind."""


def best(measured: Callable[[], float]) -> float:
    """The best of three."""
    return min(measured() for _ in range(REPEATS))


def microseconds(work: Callable[[], int], seconds: float) -> float:
    """Microseconds of CPU time for each of the things that `work` does and counts, over so many seconds."""
    start, done = time.process_time(), 0
    while time.process_time() - start < seconds:
        done += work()
    return 1e6 * (time.process_time() - start) / done


# --- OpenSpiel --------------------------------------------------------------------------------------------------------

OWN_OF_OPEN_SPIEL = ("python_block_dominoes", "python_liars_poker")


def open_spiel(seconds: float) -> Iterator[Row]:
    """Our games as OpenSpiel's, and games that it has itself in Python."""
    import pyspiel
    from open_spiel.python.games import block_dominoes, liars_poker  # noqa: F401 (they register themselves)

    from facedown.research.openspiel import GAMES

    theirs = [open_spiel_row(pyspiel.load_game(name), seconds) for name in OWN_OF_OPEN_SPIEL]
    yield from theirs
    for name in GAMES:
        for length in ("match", "round"):
            row = open_spiel_row(pyspiel.load_game(f"{name}(length={length})"), seconds)
            row.compared = min(other.decision for other in theirs) / row.decision
            yield row


def open_spiel_row(game: Any, seconds: float) -> Row:
    """One game of OpenSpiel's."""
    choose = random.Random(1)

    def step(state: Any) -> int:
        if state.is_chance_node():
            actions, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(choose.choices(actions, chances)[0])
            return 0
        state.apply_action(choose.choice(state.legal_actions()))
        return 1

    def match() -> int:
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            decisions += step(state)
        state.returns()
        return decisions

    def copies() -> int:
        for _ in range(COPIES):
            state.clone()
        return COPIES

    match()
    state = game.new_initial_state()
    for _ in range(MIDDLE):
        if not state.is_terminal():
            step(state)
    name = f"OpenSpiel {game}"
    return Row(name, best(lambda: microseconds(match, seconds)), best(lambda: microseconds(copies, seconds / 5)))


# --- all of them ------------------------------------------------------------------------------------------------------

#: By name: what measures a kind of environment, for about so many seconds a row.
KINDS: dict[str, Callable[[float], Iterator[Row]]] = {"openspiel": open_spiel}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--seconds", type=float, default=0.5, help="of each of three measurements a row")
    parser.add_argument("--json", action="store_true", help="the rows as JSON, one a line")
    asked = parser.parse_args()
    for kind in asked.kinds:
        for row in KINDS[kind](asked.seconds):
            if asked.json:
                print(json.dumps(asdict(row)), flush=True)
                continue
            copy = "" if row.copy is None else f"{row.copy:8.2f} µs a copy"
            compared = "" if row.compared is None else f"{row.compared:6.1f} times as fast"
            print(f"{row.name:46} {row.decision:8.2f} µs a decision {copy}{compared}", flush=True)


if __name__ == "__main__":
    main()
