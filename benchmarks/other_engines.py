"""Random playouts of games in other engines, for `playout_speed.py`. Engines that are not installed are skipped.

A random player chooses uniformly among the legal actions; chance events are not counted as decisions.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Peer:
    """A game of another engine, with functions to play a random match and to copy a state."""

    name: str
    play: Callable[[random.Random], int]
    """Function that plays a match and returns its number of decisions."""
    copy: Callable[[], float] | None = None
    """Function that returns the CPU time of copying a state in the middle of a match, in nanoseconds."""


class Missing(ImportError):
    """Error for an engine that is not installed; the text says how to install it."""


def _open_spiel(name: str, options: str = "") -> Peer:
    import pyspiel

    game = pyspiel.load_game(name + options)

    def advance(state: Any, choose: random.Random) -> bool:
        """Play one action; return whether it is a decision."""
        if state.is_chance_node():
            actions, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(choose.choices(actions, chances)[0])
            return False
        state.apply_action(choose.choice(state.legal_actions()))
        return True

    def play(choose: random.Random) -> int:
        state = game.new_initial_state()
        decisions = 0
        while not state.is_terminal():
            decisions += advance(state, choose)
        return decisions

    def copy() -> float:
        state = game.new_initial_state()
        choose = random.Random(1)
        for _ in range(40):
            if not state.is_terminal():
                advance(state, choose)
        times = 2000
        start = time.process_time_ns()
        for _ in range(times):
            state.clone()
        return (time.process_time_ns() - start) / times

    return Peer(f"OpenSpiel {name} (Python)", play, copy)


def _rlcard(name: str) -> Peer:
    import rlcard

    env = rlcard.make(name)

    def play(choose: random.Random) -> int:
        state, _ = env.reset()
        decisions = 0
        while not env.is_over():
            state, _ = env.step(choose.choice(list(state["legal_actions"])))
            decisions += 1
        return decisions

    return Peer(f"RLCard {name}", play)


def peers() -> Iterator[Peer | Missing]:
    """Yield every game, or an exception for each engine that is missing."""
    wanted: list[tuple[str, Callable[[], Peer]]] = [
        ("open-spiel", lambda: _open_spiel("crazy_eights", "(players=2)")),
        ("open-spiel", lambda: _open_spiel("oh_hell", "(players=3)")),
        ("open-spiel", lambda: _open_spiel("hanabi", "(players=2)")),
        ("rlcard", lambda: _rlcard("uno")),
    ]
    missed = set()
    for package, make in wanted:
        try:
            yield make()
        except ImportError:
            if package not in missed:
                missed.add(package)
                yield Missing(f"{package} is not installed, so its rows are skipped: pip install {package}")
