"""Equilibria of small two-player games, and the exploitability of strategies.

A *strategy* is an array with the probability of each action of each information set
(`game_tree.GameTree.strategy_slice_of_set`).

* `solve` finds an equilibrium by counterfactual regret minimisation (CFR+: Tammelin 2014).
* `best_response` searches the whole tree for the strategy that wins most against a given one.
* `bot_strategy` estimates the strategy that a bot plays.

The games are zero-sum: the payoff of a seat is half of its lead in points over the other seat. `docs/solvers.md` has an
example.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from facedown.core.bot import Bot
from facedown.core.rule import rule
from facedown.core.seeds import seed_from_text
from facedown.research.game_tree import GameTree
from facedown.research.game_tree.tree_expansion import SEATS, Edges

Strategy = NDArray[np.float64]
"""Probability of each action of each information set."""

#: Number of iterations between two measurements of the exploitability in `solve`.
LOOKS = 10


# --- compiled functions -----------------------------------------------------------------------------------------------
# A function marked `@rule` is compiled when Python code first calls it (`core.rule`). Python code calls all functions
# of this section except `strategy_index` and `expected_value`, which only the other compiled functions call.


class PlayerReach(NamedTuple):
    """Tree and strategy from the point of view of one player, with two probabilities for each node.

    The product of the two is the probability that the node is reached: `own` is due to the player's actions, `others`
    to chance and the opponent.
    """

    edges: Edges
    strategy: Strategy
    player: int
    others: NDArray[np.float64]
    """Probability that each node is reached if the player always plays towards it: the product of the probabilities of
    the chance outcomes and of the opponent's actions on the way."""
    own: NDArray[np.float64]
    """Product of the probabilities of the player's own actions on the way to each node."""


@rule
def strategy_index(edges: Edges, node: int, action: int) -> int:
    """Return the index at which a strategy array has the probability of an action.

    `node` and its `action` are given by their indices in the arrays of `edges`.
    """
    place: int = edges.first_place[edges.set_of[node]] + action - edges.first_action[node]
    return place


@rule
def expected_value(edges: Edges, action: int, worth: NDArray[np.float64]) -> float:
    """Return the mean value of the nodes that an action leads to, weighted by their probabilities.

    `action` is the index of the action in the arrays of `edges`. ``worth[node]`` is the value of a node.
    """
    found = 0.0
    for i in range(edges.first_outcome[action], edges.first_outcome[action + 1]):
        found += edges.chance[i] * worth[edges.child[i]]
    return found


@rule
def compute_reach(play: PlayerReach) -> None:
    """Compute the probability that each node is reached if both seats play `play.strategy`, as two factors.

    The factor due to chance and to the opponent of `play.player` is written to `play.others`. The factor due to that
    player's own actions is written to `play.own`.
    """
    edges, strategy, player, others, own = play
    others[:] = 0.0
    own[:] = 0.0
    others[0] = own[0] = 1.0
    for node in range(len(edges.seat)):
        for action in range(edges.first_action[node], edges.first_action[node + 1]):
            mine = theirs = 1.0
            if edges.seat[node] >= 0:
                share = strategy[strategy_index(edges, node, action)]
                if edges.seat[node] == player:
                    mine = share
                else:
                    theirs = share
            for i in range(edges.first_outcome[action], edges.first_outcome[action + 1]):
                child = edges.child[i]
                others[child] += others[node] * theirs * edges.chance[i]
                # `own` is the product of the probabilities of the player's own actions on the way to a node. Several
                # histories may lead to the same node. All of them contain the same actions of the player, so they give
                # the same product, and it does not matter which of them is kept. `max` overwrites the initial 0.
                own[child] = max(own[child], own[node] * mine)


@rule
def add_regrets(play: PlayerReach, worth: NDArray[np.float64], regret: NDArray[np.float64]) -> None:
    """Write the value of each node for seat 0 to `worth`, and add the regrets of `play.player` to `regret`.

    * ``worth[node]``: the mean payoff of seat 0 from this node on, if both seats play `play.strategy`.
    * `regret`: the counterfactual regret of each action, with the same indices as in a strategy. It is what the player
      gains by always choosing the action instead of playing the strategy, weighted by the probability that chance and
      the opponent reach the node.

    `compute_reach` must have filled `play.others` before.
    """
    edges, strategy, player, others, _own = play
    sign = 1.0 if player == 0 else -1.0
    for node in range(len(edges.seat) - 1, -1, -1):
        if edges.first_action[node] == edges.first_action[node + 1]:
            worth[node] = edges.payoff[node]
            continue
        total = 0.0
        for action in range(edges.first_action[node], edges.first_action[node + 1]):
            found = expected_value(edges, action, worth)
            share = 1.0
            if edges.seat[node] >= 0:
                place = strategy_index(edges, node, action)
                share = strategy[place]
                if edges.seat[node] == player:
                    regret[place] += sign * others[node] * found
            total += share * found
        worth[node] = total
        if edges.seat[node] == player:
            number = edges.set_of[node]
            for place in range(edges.first_place[number], edges.first_place[number + 1]):
                regret[place] -= sign * others[node] * total


@rule
def write_regret_matching_strategy(
    first_place: NDArray[np.int64], regret: NDArray[np.float64], strategy: Strategy
) -> None:
    """Write the `strategy` that regret matching gives for `regret`, the summed regret of each action.

    In each information set the probabilities are in proportion to the positive regrets. They are uniform if no regret
    is positive.

    ``first_place[i]`` is the index in `strategy` of the first action of information set i. One more entry at the end is
    the length of `strategy`.
    """
    for number in range(len(first_place) - 1):
        first, end = first_place[number], first_place[number + 1]
        total = 0.0
        for place in range(first, end):
            total += max(0.0, regret[place])
        for place in range(first, end):
            strategy[place] = max(0.0, regret[place]) / total if total > 0 else 1.0 / (end - first)


@rule
def add_strategy_to_average(
    play: PlayerReach, weight: float, reached: NDArray[np.float64], average: NDArray[np.float64]
) -> None:
    """Add the action probabilities of `play.player` to `average`, with a weight for each information set.

    The weight of an information set is `weight` times the probability that the player's own actions lead to it.
    `reached` is a work buffer with one number for each information set. Its old contents do not matter.

    `compute_reach` must have filled `play.own` before.
    """
    edges, strategy, player, _others, own = play
    reached[:] = 0.0
    for node in range(len(edges.seat)):
        if edges.seat[node] == player:
            number = edges.set_of[node]
            reached[number] = max(reached[number], own[node])
    for number in range(len(reached)):
        for place in range(edges.first_place[number], edges.first_place[number + 1]):
            average[place] += weight * reached[number] * strategy[place]


@rule
def write_best_response(play: PlayerReach, worth: NDArray[np.float64], best: Strategy) -> None:
    """Compute the best response of `play.player` to the opponent's strategy `play.strategy`, and store it in `best`.

    Two arrays are overwritten:

    * `best`: 1 for the best action in each of the player's information sets, 0 for all other actions of both players.
    * ``worth[node]``: the mean payoff of `play.player` from this node on, if the player plays the best response.

    `compute_reach` must have filled `play.others` before.
    """
    edges, strategy, player, others, _own = play
    sign = 1.0 if player == 0 else -1.0
    gain = np.zeros(len(strategy), np.float64)
    best[:] = 0.0
    # All nodes of an information set are in one level of the tree (the same number of actions from the root). So the
    # values of all deeper levels are known when the best action of the set is chosen.
    for level in range(len(edges.levels) - 2, -1, -1):
        for node in range(edges.levels[level], edges.levels[level + 1]):
            worth[node] = sign * edges.payoff[node]
            for action in range(edges.first_action[node], edges.first_action[node + 1]):
                found = expected_value(edges, action, worth)
                if edges.seat[node] < 0:
                    worth[node] += found
                    continue
                place = strategy_index(edges, node, action)
                if edges.seat[node] == player:
                    gain[place] += others[node] * found
                else:
                    worth[node] += strategy[place] * found
        for number in range(edges.set_level[level], edges.set_level[level + 1]):
            if edges.set_seat[number] == player:
                first = edges.first_place[number]
                best[first + np.argmax(gain[first : edges.first_place[number + 1]])] = 1.0
        for node in range(edges.levels[level], edges.levels[level + 1]):
            if edges.seat[node] == player:
                for action in range(edges.first_action[node], edges.first_action[node + 1]):
                    if best[strategy_index(edges, node, action)] == 1.0:
                        worth[node] += expected_value(edges, action, worth)


# --- strategies -------------------------------------------------------------------------------------------------------


def normalize_strategy(tree: GameTree, weights: NDArray[np.float64]) -> Strategy:
    """Return the strategy whose probabilities are in proportion to `weights` within each information set; uniform where
    all weights are 0.
    """
    found = np.empty(len(tree.actions))
    write_regret_matching_strategy(tree.edges.first_place, weights, found)
    return found


def uniform(tree: GameTree) -> Strategy:
    """Return the strategy that takes all actions of an information set with equal probability."""
    return normalize_strategy(tree, np.zeros(len(tree.actions)))


def combine_by_seat(tree: GameTree, first: Strategy, second: Strategy) -> Strategy:
    """Return the strategy in which seat 0 plays as in `first` and seat 1 plays as in `second`."""
    whose = np.repeat(tree.edges.set_seat, np.diff(tree.edges.first_place))
    return np.where(whose == 0, first, second)


def _player_reach(tree: GameTree, strategy: Strategy, player: int) -> PlayerReach:
    play = PlayerReach(tree.edges, strategy, player, np.empty(tree.node_count), np.empty(tree.node_count))
    compute_reach(play)
    return play


def seat_0_value(tree: GameTree, strategy: Strategy) -> float:
    """Return the value of the game for seat 0, its mean payoff, if both seats play `strategy`.

    A seat's payoff is half of its lead in points over the other seat, so the payoffs of both seats add up to 0.
    """
    worth = np.empty(tree.node_count)
    add_regrets(_player_reach(tree, strategy, 0), worth, np.zeros(len(strategy)))
    return float(worth[0])


def best_response(tree: GameTree, strategy: Strategy, seat: int) -> tuple[float, Strategy]:
    """Return the most that `seat` can win against `strategy`, and the strategy that wins it.

    The amount is the seat's mean payoff: half of its lead in points over the other seat. In the returned strategy,
    `seat` plays its best response and the other seat plays as in `strategy`.
    """
    worth, best = np.empty(tree.node_count), np.empty(len(strategy))
    write_best_response(_player_reach(tree, strategy, seat), worth, best)
    answer = combine_by_seat(tree, best, strategy) if seat == 0 else combine_by_seat(tree, strategy, best)
    return float(worth[0]), answer


def nash_conv(tree: GameTree, strategy: Strategy) -> float:
    """Return the sum, over both seats, of what a best response wins against the strategy; 0 in an equilibrium."""
    return sum(best_response(tree, strategy, seat)[0] for seat in range(SEATS))


def exploitability(tree: GameTree, strategy: Strategy) -> float:
    """Return half of `nash_conv`: the mean, over both seats, of what a best response wins against the strategy."""
    return nash_conv(tree, strategy) / SEATS


# --- solver -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Equilibrium:
    """An approximate equilibrium: a strategy from which no seat can deviate and gain much."""

    strategy: Strategy
    value: float
    """Value of the game for seat 0 if both seats play the strategy."""
    exploitability: float
    """Remaining exploitability; 0 in an exact equilibrium."""
    iterations: int
    """Number of CFR+ iterations run."""


def solve(tree: GameTree, iterations: int = 1000, enough: float = 0.0) -> Equilibrium:
    """Return an approximate equilibrium, found by CFR+ in at most `iterations` iterations.

    Stop as soon as the exploitability, measured every `LOOKS` iterations, is at most `enough`; 0 means never stop
    early. An iteration updates seat 0, then seat 1. The result is an average of the strategies of all iterations. The
    strategy of the n-th iteration has the weight n.
    """
    strategy = uniform(tree)
    regret, average = np.zeros(len(strategy)), np.zeros(len(strategy))
    reached, worth = np.empty(tree.information_set_count), np.empty(tree.node_count)
    done = 0
    while done < iterations:
        done += 1
        for player in range(SEATS):
            play = _player_reach(tree, strategy, player)
            add_strategy_to_average(play, float(done), reached, average)
            add_regrets(play, worth, regret)
            np.maximum(regret, 0.0, out=regret)
            write_regret_matching_strategy(tree.edges.first_place, regret, strategy)
        looks = enough > 0 and done % LOOKS == 0
        if looks and exploitability(tree, normalize_strategy(tree, average)) <= enough:
            break
    found = normalize_strategy(tree, average)
    return Equilibrium(found, seat_0_value(tree, found), exploitability(tree, found), done)


# --- bots as strategies -----------------------------------------------------------------------------------------------
# A bot chooses from a view and a seed, so its mixed strategy is estimated with many seeds in each information set. This
# is done only in information sets that the bot can reach by its own choices. What it would choose in the others affects
# no result, whatever the opponent does.


def action_frequencies(tree: GameTree, bot: Bot, number: int, samples: int) -> NDArray[np.float64]:
    """Return the frequency, from 0 to 1, with which a bot takes each action of an information set.

    `number` is the index of the information set. The bot chooses `samples` times, each time with another seed. If only
    one action is legal, the bot is not asked, and the frequency is 1.
    """
    places = tree.strategy_slice_of_set(number)
    actions = tree.actions[places].tolist()
    counts = np.zeros(len(actions))
    if len(actions) == 1:
        return counts + 1.0
    for sample in range(samples):
        seed = int.from_bytes(seed_from_text(f"set {number} {sample}")[:6], "little")
        chosen = bot.choose(tree.game, tree.information_set_view(number), int(tree.edges.set_seat[number]), seed)
        counts[actions.index(chosen)] += 1
    return counts / samples


def bot_strategy(
    tree: GameTree, bot: Bot, samples: int = 16, tell: Callable[[int], None] = lambda asked: None
) -> Strategy:
    """Return the strategy that a bot plays in both seats; uniform in information sets that it never reaches.

    The bot chooses `samples` times in each set that it reaches, with different seeds. So probabilities are accurate to
    about ``1 / sqrt(samples)``. A best response also exploits this sampling error.

    The bot first plays seat 0 in the whole tree, then seat 1. For each seat, `tell` is called after each level of the
    tree (all nodes that are reached by the same number of actions). The argument of `tell` is the number of the seat's
    information sets that are done so far.

    Raise `ValueError` if the bot chooses an illegal action.
    """
    found = [_bot_strategy_of_seat(tree, bot, seat, samples, tell) for seat in range(SEATS)]
    return combine_by_seat(tree, found[0], found[1])


def _bot_strategy_of_seat(tree: GameTree, bot: Bot, seat: int, samples: int, tell: Callable[[int], None]) -> Strategy:
    strategy = uniform(tree)
    asked = 0
    for first, end in zip(tree.edges.levels[:-1].tolist(), tree.edges.levels[1:].tolist(), strict=True):
        reached = _player_reach(tree, strategy, seat).own[first:end] > 0
        here = np.flatnonzero(reached & (tree.edges.seat[first:end] == seat)) + first
        for number in np.unique(tree.edges.set_of[here]).tolist():
            strategy[tree.strategy_slice_of_set(number)] = action_frequencies(tree, bot, number, samples)
            asked += 1
        tell(asked)
    return strategy
