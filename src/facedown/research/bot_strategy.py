"""A bot as a strategy of a small game: what it does in each information set, as often as it does it.

A bot chooses from a view and a seed; asked with many seeds in the same place, it shows its mixture. It is asked only
where it may get to by its own choices: what it would do elsewhere matters to nobody who plays against it.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from facedown.core.bot import Bot
from facedown.core.rule import rule
from facedown.core.seeds import seed_from_text
from facedown.research.equilibrium import Strategy, seated, uniform
from facedown.research.game_tree import GameTree
from facedown.research.growing import SEATS, Edges


@rule
def come_from(
    first: int,
    end: int,
    edges: Edges,
    strategy: NDArray[np.float64],
    player: int,
    reached: NDArray[np.bool_],
) -> None:
    """From the nodes between two numbers, note which others `player` lets it come to by its own choices.

    `strategy` is by place, `reached` by node.
    """
    first_action, first_outcome = edges.first_action, edges.first_outcome
    for node in range(first, end):
        if not reached[node]:
            continue
        for action in range(first_action[node], first_action[node + 1]):
            place = edges.first_place[edges.set_of[node]] + action - first_action[node]
            if edges.seat[node] == player and strategy[place] == 0.0:
                continue
            for i in range(first_outcome[action], first_outcome[action + 1]):
                reached[edges.child[i]] = True


def sampled(tree: GameTree, bot: Bot, number: int, samples: int) -> NDArray[np.float64]:
    """How often a bot takes each action of an information set, asked with so many seeds."""
    places = tree.places(number)
    actions = tree.actions[places].tolist()
    counts = np.zeros(len(actions))
    if len(actions) == 1:
        return counts + 1.0
    for sample in range(samples):
        seed = int.from_bytes(seed_from_text(f"set {number} {sample}")[:6], "little")
        chosen = bot.choose(tree.game, tree.view(number), int(tree.set_seat[number]), seed)
        counts[actions.index(chosen)] += 1
    return counts / samples


def bot_strategy(
    tree: GameTree, bot: Bot, samples: int = 16, tell: Callable[[int], None] = lambda asked: None
) -> Strategy:
    """The strategy of a bot in both seats; any action, all alike, where it never gets to.

    Each set is asked about with `samples` seeds: the mixture is known to about ``1 / sqrt(samples)``, and whoever
    answers it knows the sample. `tell` is called with how many sets were asked about, after each level.

    Raises `ValueError` if the bot chooses what is not allowed.
    """
    found = [_of_seat(tree, bot, seat, samples, tell) for seat in range(SEATS)]
    return seated(tree, found[0], found[1])


def _of_seat(tree: GameTree, bot: Bot, seat: int, samples: int, tell: Callable[[int], None]) -> Strategy:
    strategy = uniform(tree)
    reached = np.zeros(tree.nodes, np.bool_)
    reached[0] = True
    asked = 0
    for first, end in zip(tree.levels[:-1].tolist(), tree.levels[1:].tolist(), strict=True):
        here = np.flatnonzero(reached[first:end] & (tree.seat[first:end] == seat)) + first
        for number in np.unique(tree.set_of[here]).tolist():
            strategy[tree.places(number)] = sampled(tree, bot, number, samples)
            asked += 1
        come_from(first, end, tree.edges, strategy, seat, reached)
        tell(asked)
    return strategy
