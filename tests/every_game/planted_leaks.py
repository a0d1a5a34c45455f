"""Rules with a planted leak, and whether `step_leaks` finds it; runs interpreted, in a separate process.

Each mutant runs a rule and then writes a hidden value into a public field.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from facedown.check.random_matches import iterate_random_play, match_with_random_options
from facedown.check.step_leaks import Difference, leaks_in_deal, leaks_in_step, leaks_of_private_choice
from facedown.core.game_registry import game
from facedown.core.match import Match

STEPS = 3_000
#: Game, rule, public field (of a list the seat's item, or the first), and a function that returns the leaked value from
#: the rules' module and the rule's arguments.
MUTANTS: dict[str, tuple[str, str, str, Callable[..., Any]]] = {
    "Detect's draw tells the drawn number": (
        "detect",
        "draw",
        "last_out",
        lambda rules, s, seat: s.card[rules.DRAWN_SLOT],
    ),
    "Detect's deal tells a card": ("detect", "deal_round", "last_number", lambda rules, s, deck: s.card[0]),
    "Reveal's swap tells the card taken": (
        *("reveal", "swap_with_draw_pile", "colour"),
        lambda rules, s, seat, places: s.card[rules.side_slot(seat, int(s.row), 0)],
    ),
    "Reveal's row tells a Final Card": (
        "reveal",
        "reveal_base_row_and_begin_swaps",
        "score",
        lambda rules, s: s.card[rules.FINALS],
    ),
    "Reveal's final round tells a Final Card": (
        *("reveal", "apply_open_choice", "score"),
        lambda rules, s, seat, action: s.card[rules.FINALS + seat],
    ),
    "Reveal's laid row tells what lies in it": (
        *("reveal", "apply_chosen_placements", "score"),
        lambda rules, s: s.card[rules.side_slot(0, int(s.row) - 1, 0)],
    ),
    "Reveille's draw tells the hand": (
        "reveille",
        "draw_to_hand_and_reveal_next",
        "ended",
        lambda rules, s, seat, place: s.card[seat * 7],
    ),
    "Reveille's bid tells the hand": (
        "reveille",
        "record_call",
        "offer",
        lambda rules, s, seat, bid: 42 - s.card[seat * 7],
    ),
    "Uncovered's turn tells a card": ("uncovered", "start_next_turn", "won", lambda rules, s: s.card[0]),
    "SCOUT's Scout tells the hand": (
        *("scout", "apply_scout", "score"),
        lambda rules, s, seat, way: s.card[rules.hand_start(s, seat)],
    ),
    "SCOUT's Show tells which way up the hand lies": (
        *("scout", "apply_show", "coins"),
        lambda rules, s, seat, place, cards: s.coins[seat] + (s.flip[rules.hand_start(s, seat)] if s.hand[seat] else 0),
    ),
    "SCOUT's Scout tells the place": (
        "scout",
        "apply_scout",
        "last_place",
        lambda rules, s, seat, way: way % rules.PLACES,
    ),
}


def plant(mutant: str) -> str:
    """Replace the rule by one that leaks; return the game's name."""
    name, rule, field, leak = MUTANTS[mutant]
    rules = sys.modules[game(name).rules.module]
    true = getattr(rules, rule)

    def leaky(s: Any, *given: Any) -> Any:
        out = true(s, *given)
        value = int(leak(rules, s, *given))
        if np.ndim(s[field]):
            s[field][given[0] if given else 0] = value
        else:
            s[field] = value
        return out

    setattr(rules, rule, leaky)
    return name


def differences(match: Match, rnd: random.Random, deals: int, plies: int) -> Iterator[Difference]:
    """Yield the differences of `deals` pairs of deals, and of a random match of at most `plies` moves."""
    for _ in range(deals):
        yield from leaks_in_deal(match.game.name, match.seats, match.options, rnd)
    for _ in iterate_random_play(match, rnd, plies):
        if not match.over:
            yield from leaks_in_step(match, rnd)
            yield from leaks_of_private_choice(match, rnd)


def first_undeclared(name: str, seed: int) -> str:
    """Return the first undeclared difference found in the game, or an empty string."""
    rnd = random.Random(f"mutant {name} {seed}")
    steps = 0
    while steps < STEPS:
        match = match_with_random_options(name, rnd)
        for found in differences(match, rnd, deals=6, plies=60):
            if not found.declared:
                return f"after {steps + match.ply} steps: {found}"
        steps += match.ply
    return ""


if __name__ == "__main__":
    what = first_undeclared(plant(sys.argv[1]), int(sys.argv[2]))
    print(f"caught {what}" if what else "missed")
