"""Equilibria of small two-player games, and the exploitability of strategies.

A *strategy* is an array with the probability of each action of each information set
(`game_tree.GameTree.strategy_slice`). `solve` finds an equilibrium by counterfactual regret minimisation (CFR+:
Tammelin 2014). `best_response` searches the whole tree for the strategy that wins most against a given one.
`bot_strategy` measures what a bot does in each information set. The game is zero-sum: its value for seat 0 is half of
that seat's lead over seat 1. `docs/solvers.md` has an example.
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


class PlayerReach(NamedTuple):
    """Tree and strategy from the point of view of one player, and the probability that each node is reached."""

    edges: Edges
    strategy: Strategy
    player: int
    others: NDArray[np.float64]
    """Probability that each node is reached if the player always plays towards it: the product of the probabilities of
    chance and of the opponent."""
    own: NDArray[np.float64]
    """The player's own factor in the probability that each node is reached."""


@rule
def strategy_index(edges: Edges, node: int, action: int) -> int:
    """Return the index in a strategy of the probability of `action` at `node`."""
    place: int = edges.first_place[edges.set_of[node]] + action - edges.first_action[node]
    return place


@rule
def expected_value(edges: Edges, action: int, worth: NDArray[np.float64]) -> float:
    """Return the expected value of an action: the mean of `worth` (the value of each node) over the action's outcomes,
    weighted by their probabilities.
    """
    found = 0.0
    for i in range(edges.first_outcome[action], edges.first_outcome[action + 1]):
        found += edges.chance[i] * worth[edges.child[i]]
    return found


@rule
def compute_reach(play: PlayerReach) -> None:
    """Write the probability that each node is reached, as the two factors `others` and `own` of `play`.

    This is the compiled entry point that Python calls.
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
                # All histories that merge into a node contain the same actions of the player, so all give the same
                # product. The maximum replaces the initial 0 by it.
                own[child] = max(own[child], own[node] * mine)


@rule
def add_regrets(play: PlayerReach, worth: NDArray[np.float64], regret: NDArray[np.float64]) -> None:
    """Write the value of each node for seat 0 to `worth`, and add the player's counterfactual regrets to `regret`.

    The counterfactual regret of an action is the player's gain by it, weighted by the probability that chance and the
    opponent reach the node. This is the compiled entry point that Python calls.
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
def match_regrets(first_place: NDArray[np.int64], regret: NDArray[np.float64], strategy: Strategy) -> None:
    """Write the `strategy` that regret matching gives for `regret`, the summed regret of each action.

    In each information set the probabilities are in proportion to the positive regrets. They are uniform if no regret
    is positive.

    `first_place` has the index of each information set's first action. This is the compiled entry point that Python
    calls.
    """
    for number in range(len(first_place) - 1):
        first, end = first_place[number], first_place[number + 1]
        total = 0.0
        for place in range(first, end):
            total += max(0.0, regret[place])
        for place in range(first, end):
            strategy[place] = max(0.0, regret[place]) / total if total > 0 else 1.0 / (end - first)


@rule
def add_to_average(
    play: PlayerReach, weight: float, reached: NDArray[np.float64], average: NDArray[np.float64]
) -> None:
    """Add the player's part of the strategy to `average`, times `weight` and the player's own factor in the reach
    probability.

    `reached` is a buffer, one number for each information set. This is the compiled entry point that Python calls.
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
    """Write the player's best response to `best`, and the value that each node then has for the player to `worth`.

    This is the compiled entry point that Python calls.
    """
    edges, strategy, player, others, _own = play
    sign = 1.0 if player == 0 else -1.0
    gain = np.zeros(len(strategy), np.float64)
    best[:] = 0.0
    # All nodes of an information set are in one level of the tree, so the values of all levels below are known when the
    # best action of the set is chosen.
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
    match_regrets(tree.edges.first_place, weights, found)
    return found


def uniform(tree: GameTree) -> Strategy:
    """Return the strategy that takes all actions of an information set with equal probability."""
    return normalize_strategy(tree, np.zeros(len(tree.actions)))


def combine_by_seat(tree: GameTree, first: Strategy, second: Strategy) -> Strategy:
    """Return a strategy that has seat 0's part of `first` and seat 1's part of `second`."""
    whose = np.repeat(tree.edges.set_seat, np.diff(tree.edges.first_place))
    return np.where(whose == 0, first, second)


def _player_reach(tree: GameTree, strategy: Strategy, player: int) -> PlayerReach:
    play = PlayerReach(tree.edges, strategy, player, np.empty(tree.nodes), np.empty(tree.nodes))
    compute_reach(play)
    return play


def value(tree: GameTree, strategy: Strategy) -> float:
    """Return the value of the game for seat 0 if both seats play `strategy`."""
    worth = np.empty(tree.nodes)
    add_regrets(_player_reach(tree, strategy, 0), worth, np.zeros(len(strategy)))
    return float(worth[0])


def best_response(tree: GameTree, strategy: Strategy, seat: int) -> tuple[float, Strategy]:
    """Return the most that `seat` can win against `strategy` (half its lead), and `strategy` with this seat's best
    response.
    """
    worth, best = np.empty(tree.nodes), np.empty(len(strategy))
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
    """An approximate equilibrium: a strategy from which no seat gains much by deviating."""

    strategy: Strategy
    value: float
    """Value of the game for seat 0 if both seats play the strategy."""
    exploitability: float
    """Remaining exploitability; 0 in an exact equilibrium."""
    iterations: int
    """Number of CFR+ iterations run."""


def solve(tree: GameTree, iterations: int = 1000, enough: float = 0.0) -> Equilibrium:
    """Return an equilibrium found by CFR+ in at most `iterations`.

    Stops earlier if `enough` is above 0 and the exploitability is at most `enough`. An iteration updates one seat after
    the other. In the average strategy each iteration is weighted by its number.
    """
    strategy = uniform(tree)
    regret, average = np.zeros(len(strategy)), np.zeros(len(strategy))
    reached, worth = np.empty(tree.sets), np.empty(tree.nodes)
    done = 0
    while done < iterations:
        done += 1
        for player in range(SEATS):
            play = _player_reach(tree, strategy, player)
            add_to_average(play, float(done), reached, average)
            add_regrets(play, worth, regret)
            np.maximum(regret, 0.0, out=regret)
            match_regrets(tree.edges.first_place, regret, strategy)
        looks = enough > 0 and done % LOOKS == 0
        if looks and exploitability(tree, normalize_strategy(tree, average)) <= enough:
            break
    found = normalize_strategy(tree, average)
    return Equilibrium(found, value(tree, found), exploitability(tree, found), done)


# --- bots as strategies -----------------------------------------------------------------------------------------------
#
# A bot chooses from a view and a seed, so its mixed strategy is estimated with many seeds in each information set. Only
# information sets that the bot's own choices can reach are measured: its choices in all others affect no result,
# whatever the opponent does.


def action_frequencies(tree: GameTree, bot: Bot, number: int, samples: int) -> NDArray[np.float64]:
    """Return how often a bot takes each action of information set `number`, as shares of `samples` choices by different
    seeds.
    """
    places = tree.strategy_slice(number)
    actions = tree.actions[places].tolist()
    counts = np.zeros(len(actions))
    if len(actions) == 1:
        return counts + 1.0
    for sample in range(samples):
        seed = int.from_bytes(seed_from_text(f"set {number} {sample}")[:6], "little")
        chosen = bot.choose(tree.game, tree.view(number), int(tree.edges.set_seat[number]), seed)
        counts[actions.index(chosen)] += 1
    return counts / samples


def bot_strategy(
    tree: GameTree, bot: Bot, samples: int = 16, tell: Callable[[int], None] = lambda asked: None
) -> Strategy:
    """Return the strategy of a bot in both seats; uniform in information sets that it never reaches.

    Each information set is measured with `samples` seeds, so probabilities are accurate to about ``1 / sqrt(samples)``.
    A best response also exploits this sampling error. `tell` is called after each level of the tree with the number of
    information sets measured so far.

    Raises `ValueError` if the bot chooses an illegal action.
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
            strategy[tree.strategy_slice(number)] = action_frequencies(tree, bot, number, samples)
            asked += 1
        tell(asked)
    return strategy
