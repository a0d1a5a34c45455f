"""Equilibria of small games, and how much a policy can lose against whoever knows it.

A *strategy* is an array of chances over all information sets' actions (`game_tree.GameTree.strategy_slice`). `solve`
finds an equilibrium by counterfactual regret minimisation (CFR+: Tammelin 2014), `best_response` the most that can be
won against a strategy, by looking at the whole tree; `bot_strategy` asks a bot what it does in each set. Worth is half
of what seat 0 is ahead by: the game is zero-sum. `docs/solvers.md` has an example.
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
"""The chance of each action of each information set."""

#: How seldom `solve` looks how far it is.
LOOKS = 10


# --- compiled ---------------------------------------------------------------------------------------------------------


class PlayerReach(NamedTuple):
    """A strategy in a tree, as one player thinks about it."""

    edges: Edges
    strategy: Strategy
    player: int
    others: NDArray[np.float64]
    """How likely each node is reached if the player does all to get there."""
    own: NDArray[np.float64]
    """What the player does for it."""


@rule
def strategy_index(edges: Edges, node: int, action: int) -> int:
    """Where a strategy says how likely this action of a node is."""
    place: int = edges.first_place[edges.set_of[node]] + action - edges.first_action[node]
    return place


@rule
def expected(edges: Edges, action: int, worth: NDArray[np.float64]) -> float:
    """What an action is worth by the `worth` of each node that chance may bring it to."""
    found = 0.0
    for i in range(edges.first_outcome[action], edges.first_outcome[action + 1]):
        found += edges.chance[i] * worth[edges.child[i]]
    return found


@rule
def compute_reach(play: PlayerReach) -> None:
    """Compiled entry: write how likely each node is reached, into `others` and `own`."""
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
                # Histories that come together were played alike by the seat itself.
                own[child] = max(own[child], own[node] * mine)


@rule
def add_regrets(play: PlayerReach, worth: NDArray[np.float64], regret: NDArray[np.float64]) -> None:
    """Compiled entry: write what each node is worth to seat 0, and add to `regret` what the player would gain by each
    action, weighted with how likely the others let it come to that.
    """
    edges, strategy, player, others, _own = play
    sign = 1.0 if player == 0 else -1.0
    for node in range(len(edges.seat) - 1, -1, -1):
        if edges.first_action[node] == edges.first_action[node + 1]:
            worth[node] = edges.payoff[node]
            continue
        total = 0.0
        for action in range(edges.first_action[node], edges.first_action[node + 1]):
            found = expected(edges, action, worth)
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
    """Compiled entry: write the `strategy` that goes by each `regret` above zero; where there are none, all alike.

    `first_place` is where the places of each information set begin.
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
    """Compiled entry: add the player's part of a strategy to the average, by how far the player itself comes (`own`).

    `reached` is room to work in.
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
    """Compiled entry: write what each node is worth to the player who answers as well as can be, and these answers
    (`best`).
    """
    edges, strategy, player, others, _own = play
    sign = 1.0 if player == 0 else -1.0
    gain = np.zeros(len(strategy), np.float64)
    best[:] = 0.0
    # All nodes of a set lie in one level: below it everything is settled.
    for level in range(len(edges.levels) - 2, -1, -1):
        for node in range(edges.levels[level], edges.levels[level + 1]):
            worth[node] = sign * edges.payoff[node]
            for action in range(edges.first_action[node], edges.first_action[node + 1]):
                found = expected(edges, action, worth)
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
                        worth[node] += expected(edges, action, worth)


# --- strategies -------------------------------------------------------------------------------------------------------


def normalised(tree: GameTree, weights: NDArray[np.float64]) -> Strategy:
    """The strategy with these weights in each set; all alike where there are none."""
    found = np.empty(len(tree.actions))
    match_regrets(tree.edges.first_place, weights, found)
    return found


def uniform(tree: GameTree) -> Strategy:
    """The strategy that takes any action, all alike."""
    return normalised(tree, np.zeros(len(tree.actions)))


def combine_by_seat(tree: GameTree, first: Strategy, second: Strategy) -> Strategy:
    """Seat 0's part of one strategy, and seat 1's of another."""
    whose = np.repeat(tree.edges.set_seat, np.diff(tree.edges.first_place))
    return np.where(whose == 0, first, second)


def _player_reach(tree: GameTree, strategy: Strategy, player: int) -> PlayerReach:
    play = PlayerReach(tree.edges, strategy, player, np.empty(tree.nodes), np.empty(tree.nodes))
    compute_reach(play)
    return play


def value(tree: GameTree, strategy: Strategy) -> float:
    """What the game is worth to seat 0 if both play by a strategy."""
    worth = np.empty(tree.nodes)
    add_regrets(_player_reach(tree, strategy, 0), worth, np.zeros(len(strategy)))
    return float(worth[0])


def best_response(tree: GameTree, strategy: Strategy, seat: int) -> tuple[float, Strategy]:
    """The most that `seat` can win against a strategy (half its lead), and how; the other's part is left as it is."""
    worth, best = np.empty(tree.nodes), np.empty(len(strategy))
    write_best_response(_player_reach(tree, strategy, seat), worth, best)
    answer = combine_by_seat(tree, best, strategy) if seat == 0 else combine_by_seat(tree, strategy, best)
    return float(worth[0]), answer


def nash_conv(tree: GameTree, strategy: Strategy) -> float:
    """What both seats together could win by knowing the other's strategy; 0 in an equilibrium."""
    return sum(best_response(tree, strategy, seat)[0] for seat in range(SEATS))


def exploitability(tree: GameTree, strategy: Strategy) -> float:
    """What a strategy that is known gives away, on average over the seats: half of `nash_conv`."""
    return nash_conv(tree, strategy) / SEATS


# --- solving ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Equilibrium:
    """A strategy that nobody gains much by leaving, and what it is worth."""

    strategy: Strategy
    value: float
    """What the game is worth to seat 0 if both play so."""
    exploitability: float
    """How far from an equilibrium it still is."""
    iterations: int


def solve(tree: GameTree, iterations: int = 1000, enough: float = 0.0) -> Equilibrium:
    """An equilibrium by CFR+, stopped when its exploitability is at most `enough`.

    The seats learn in turn, and later strategies weigh more in the average (by their number).
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
        if looks and exploitability(tree, normalised(tree, average)) <= enough:
            break
    found = normalised(tree, average)
    return Equilibrium(found, value(tree, found), exploitability(tree, found), done)


# --- bots as strategies -----------------------------------------------------------------------------------------------
#
# A bot chooses from a view and a seed; asked with many seeds in the same place, it shows its mixture. It is asked only
# in sets that its own choices reach: what it would do elsewhere does not matter against any opponent.


def action_frequencies(tree: GameTree, bot: Bot, number: int, samples: int) -> NDArray[np.float64]:
    """How often a bot takes each action of an information set, asked with so many seeds."""
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
    """The strategy of a bot in both seats; any action, all alike, where it never gets to.

    Each set is asked about with `samples` seeds: the mixture is known to about ``1 / sqrt(samples)``, and whoever
    answers it knows the sample. `tell` is called with how many sets were asked about, after each level.

    Raises `ValueError` if the bot chooses what is not allowed.
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
