"""Games, options and positions for the tests of trees and of OpenSpiel's games."""

from __future__ import annotations

import random

from facedown.research.game_tree import TERMINAL, Node, Tree, tree_of

#: Three sets of parameters for each game, the defaults first. Options are written as in our own texts.
SETTINGS: dict[str, tuple[dict[str, str], ...]] = {
    "reveal": (
        {},
        {"final_mode": "sealed", "swap_batch": "no", "end": "hands(2)", "tie": "extra_hand"},
        {"final_mode": "alternate", "reshuffle": "continue", "deck": "custom(3,14,3)", "end": "goal(12)"},
    ),
    "detect": (
        {},
        {"set_optional": "yes", "later_start": "ender", "tie": "extra_round", "players": "3"},
        {"deck": "custom(-2:8 1:20 5:20 12:20)", "initial_discard": "empty", "opening_pick": "random"},
    ),
    "reveille": (
        {},
        {"boneyard_pick": "index", "must_ruff": "yes", "auto_end": "on"},
        {"pass_final": "yes", "bid42": "all_tricks", "first_bid": "last_winner"},
    ),
    "uncovered": (
        {},
        {"players": "4", "mode": "advanced", "swap_visibility": "face_down", "single_colour_win": "yes"},
        {"players": "3", "mode": "intermediate", "turning": "choice", "score": "raw_turns", "start": "named(1)"},
    ),
    "scout": (
        {},
        {"players": "5", "start": "holder_1_2", "scout_insert_public": "yes"},
        {"players": "3", "flip_public": "no", "flip_order": "reverse", "start": "named(2)"},
    ),
}


def tree(name: str, number: int = 0, **more: object) -> Tree:
    """Return the tree of one of a game's settings."""
    options = dict(SETTINGS[name][number])
    players = options.pop("players", None)
    return tree_of(name, int(players) if players else None, options, **more)


def played(start: Node, rnd: random.Random, moves: int) -> Node:
    """Return a position after `moves` random moves, not counting the deal, or the last one before the end."""
    node = start
    while node.states is None:
        node = node.play(rnd.choice(node.legal))
    for _ in range(moves):
        after = node.play(rnd.choice(node.legal))
        if after.player == TERMINAL:
            break
        node = after
    return node
