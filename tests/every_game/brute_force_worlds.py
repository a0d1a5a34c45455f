"""All the worlds that fit what a viewer saw of a small position, found by trying everything: no rule is trusted but the
game's own `legal` and `apply`, and no `redeal` is asked.

From a position whose hidden cards may lie in any order, every order of them is played on: whatever another seat may do
that looks to the viewer like what was really done. What is left at the end is the support that a `redeal` must have.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations, product
from typing import Any

import numpy as np

from facedown.core import hidden_cards
from facedown.core.game_registry import GameModule
from facedown.core.state import UNKNOWN, copy

#: So many keys are tried where a step shuffles.
KEYS = 60


def orders(game: GameModule, state: Any, viewer: int) -> Iterator[Any]:
    """The position with its hidden cards in every order, each every way up."""
    hidden = [slot for slot, kind in enumerate(hidden_cards.known_view(state, viewer).card) if kind == UNKNOWN]
    ways = game.rules.faces[1:]
    for kinds in set(permutations(int(state.card[slot]) for slot in hidden)):
        for turns in product((0, 1), repeat=len(hidden) * len(ways)):
            world = copy(state)
            world.card[hidden] = kinds
            for number, name in enumerate(ways):
                world[name][hidden] = turns[number * len(hidden) : (number + 1) * len(hidden)]
            yield world


def seen(world: Any, viewer: int) -> bytes:
    return bytes(hidden_cards.known_view(world, viewer).tobytes())


def played_on(game: GameModule, state: Any, viewer: int, moves: Sequence[tuple[int, int]]) -> tuple[Any, list[Any]]:
    """The position after the moves, and all worlds in which the viewer would have seen just the same on the way."""
    rnd = np.random.default_rng(1)
    looks = seen(state, viewer)
    worlds = {w.tobytes(): w for w in orders(game, state, viewer) if seen(w, viewer) == looks}
    for seat, action in moves:
        before = int(state.stream)
        game.rules.apply(state, seat, action)
        looks = seen(state, viewer)
        shuffles = int(state.stream) != before
        after: dict[bytes, Any] = {}
        for world in worlds.values():
            for other in [action] if seat == viewer else game.legal(world, seat):
                for _ in range(KEYS if shuffles else 1):
                    next_world = copy(world)
                    if shuffles:
                        next_world.key[:] = rnd.integers(0, 2**32, 8, np.uint32)
                    game.rules.apply(next_world, seat, other)
                    if seen(next_world, viewer) == looks:
                        next_world.key[:] = 0
                        after[next_world.tobytes()] = next_world
        worlds = after
    return state, list(worlds.values())


def face(game: GameModule, world: Any) -> tuple[int, ...]:
    """What lies where, the way up included."""
    return tuple(int(n) for name in game.rules.faces for n in world[name])


def compare(game: GameModule, state: Any, viewer: int, worlds: Sequence[Any], draws: int) -> None:
    """A redeal gives each of these worlds, equally often, and no other."""
    expected = {face(game, world) for world in worlds}
    assert face(game, state) in expected
    view = hidden_cards.known_view(state, viewer)
    rnd = np.random.default_rng(2)
    found = Counter(face(game, hidden_cards.redeal(view, rnd.integers(0, 2**32, 8, np.uint32))) for _ in range(draws))
    impossible = sum(count for world, count in found.items() if world not in expected)
    assert not impossible, f"{impossible} of {draws} worlds are impossible"
    each = draws / len(expected)
    assert each >= 8, f"{len(expected)} worlds are many for {draws} draws"
    chi = sum((found[world] - each) ** 2 / each for world in expected)
    freedom = max(1, len(expected) - 1)
    assert chi < freedom + 6 * (2 * freedom) ** 0.5 + 6, f"not uniform: chi square {chi:.0f} for {freedom}"
