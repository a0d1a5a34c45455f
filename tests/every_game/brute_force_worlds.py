"""All worlds that fit a view of a small position, found by brute force with the game's `legal` and `apply` only.

Starting from every order of the hidden cards, each legal action of another seat that looks the same to the viewer is
played. The worlds left at the end are the support that `redeal` must have.
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

#: Number of random keys that are tried where a step shuffles.
KEYS = 60


def all_deals(game: GameModule, state: Any, viewer: int) -> Iterator[Any]:
    """Yield the position with its hidden cards in every order and every orientation."""
    hidden = [slot for slot, kind in enumerate(hidden_cards.known_view(state, viewer).card) if kind == UNKNOWN]
    ways = game.rules.faces[1:]
    for kinds in set(permutations(int(state.card[slot]) for slot in hidden)):
        for turns in product((0, 1), repeat=len(hidden) * len(ways)):
            world = copy(state)
            world.card[hidden] = kinds
            for number, name in enumerate(ways):
                world[name][hidden] = turns[number * len(hidden) : (number + 1) * len(hidden)]
            yield world


def view_bytes(world: Any, viewer: int) -> bytes:
    return bytes(hidden_cards.known_view(world, viewer).tobytes())


def consistent_worlds(
    game: GameModule, state: Any, viewer: int, moves: Sequence[tuple[int, int]]
) -> tuple[Any, list[Any]]:
    """Play the moves; return the position, and all worlds in which the viewer would have seen the same."""
    rnd = np.random.default_rng(1)
    looks = view_bytes(state, viewer)
    worlds = {w.tobytes(): w for w in all_deals(game, state, viewer) if view_bytes(w, viewer) == looks}
    for seat, action in moves:
        before = int(state.stream)
        game.rules.apply(state, seat, action)
        looks = view_bytes(state, viewer)
        shuffles = int(state.stream) != before
        after: dict[bytes, Any] = {}
        for world in worlds.values():
            for other in [action] if seat == viewer else game.legal(world, seat):
                for _ in range(KEYS if shuffles else 1):
                    next_world = copy(world)
                    if shuffles:
                        next_world.key[:] = rnd.integers(0, 2**32, 8, np.uint32)
                    game.rules.apply(next_world, seat, other)
                    if view_bytes(next_world, viewer) == looks:
                        next_world.key[:] = 0
                        after[next_world.tobytes()] = next_world
        worlds = after
    return state, list(worlds.values())


def cards_and_faces(game: GameModule, world: Any) -> tuple[int, ...]:
    """Return the card in every slot, with its orientation."""
    return tuple(int(n) for name in game.rules.faces for n in world[name])


def check_redeal(game: GameModule, state: Any, viewer: int, worlds: Sequence[Any], draws: int) -> None:
    """Check that `redeal` draws each of these worlds equally often, and no other."""
    expected = {cards_and_faces(game, world) for world in worlds}
    assert cards_and_faces(game, state) in expected
    view = hidden_cards.known_view(state, viewer)
    rnd = np.random.default_rng(2)
    found = Counter(
        cards_and_faces(game, hidden_cards.redeal(view, rnd.integers(0, 2**32, 8, np.uint32))) for _ in range(draws)
    )
    impossible = sum(count for world, count in found.items() if world not in expected)
    assert not impossible, f"{impossible} of {draws} worlds are impossible"
    each = draws / len(expected)
    assert each >= 8, f"{len(expected)} worlds are many for {draws} draws"
    chi = sum((found[world] - each) ** 2 / each for world in expected)
    freedom = max(1, len(expected) - 1)
    assert chi < freedom + 6 * (2 * freedom) ** 0.5 + 6, f"not uniform: chi square {chi:.0f} for {freedom}"
