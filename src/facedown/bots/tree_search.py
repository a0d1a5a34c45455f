"""Information-set tree search, compiled, for every game.

The nodes of the search tree are *information sets*: what the seat to act knows at that point. Every simulation has
these steps:

* It samples a world (full deal) that fits what the seat knows (`core.hidden_cards.sample_world_into`).
* It descends the tree and adds one node. At a new node, the action of the rollout policy is tried first.
* It plays the round to its end with the rollout policy.
* It adds the result to every node on the path.

This is the multiple-observer variant of ISMCTS (Cowling, Powley and Whitehouse 2012), with UCB1 at each node.

A *sealed* choice is made at the same time as the choices of other seats and stays secret until all have chosen. The key
of a node covers only what the seat to act knows. So all simulations that differ only in the sealed choices of other
seats reach the same node. The statistics of its actions are averages over those choices, as in decoupled UCT.

If the choice at the root is sealed, the bot chooses its action at random, with probabilities in proportion to the
visits (a mixed strategy). Otherwise it takes the most visited action.

The compiled code receives only a view and numbers, so it cannot read the true state of the match.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from facedown.bots.evaluation_dispatch import evaluate, evaluation_of, rollout_policy, round_is_terminal
from facedown.bots.search_common import MAX_ROLLOUT, Budget, WorldSampler, world_sampler
from facedown.core import rule_dispatch
from facedown.core.bot import legal_actions_of_view
from facedown.core.game_registry import GameModule
from facedown.core.hidden_cards import MAX_LEGAL, knows, sample_world_into
from facedown.core.random_numbers import key_of, quick_generator, quick_randint
from facedown.core.rule import rule
from facedown.core.rule_dispatch import lowest_acting
from facedown.core.seeds import seed_from_text
from facedown.core.state import MAX_SEATS, OPEN, Floats, Ints, Position, View

#: Exploration constant of UCB1, for values from 0 to 1.
EXPLORATION = 0.7
#: Largest depth of the tree. Beyond it, a simulation continues as a rollout.
MAX_DEPTH = 40
#: Value of `noise` with which every move of a rollout is random. `noise` is the probability, in thousandths, that a
#: move of a rollout is random instead of the rollout policy's. A small value keeps a policy from repeating the same
#: mistake in every rollout.
ALL_RANDOM = 1000

#: Random weights for the hash of an information set (`information_set_key`). The hash is a sum of products of a weight
#: and a small integer (a card, an action, a depth). Weights below 2**44 keep the sum below 2**62, so that it fits into
#: 64 bits.
_WEIGHTS: Ints = np.random.default_rng(20231).integers(1, 1 << 44, size=1024, dtype=np.int64)
_PRIME = (1 << 61) - 1


@rule
def information_set_key(s: Position, seat: int, depth: int, legal: Ints, n: int) -> int:
    """Return the key of the node at which `seat` is to act: a positive hash of what the seat knows.

    The hash covers the cards that the seat knows, its own choice if it has made one that is still secret, the depth in
    the tree, and the seat's legal actions, which are the first `n` entries of `legal`.

    All positions of a node share one list of actions. So positions with different legal actions, for example after
    different bids, must have different keys even if the seat knows the same cards.
    """
    h = (depth * 8 + seat + 1) * _WEIGHTS[1023] + (s.sealed[seat] + 2) * _WEIGHTS[1022]
    for slot in range(len(s.card)):
        if knows(s, slot, seat):
            h += (s.card[slot] + 1) * _WEIGHTS[slot]
    for i in range(n):
        h = h % _PRIME + (legal[i] + 1) * _WEIGHTS[MAX_LEGAL - 3 - i]
    return h % _PRIME + 1


@rule
def find_key_or_free_entry(keys: NDArray[np.int64], key: int) -> int:
    """Return the index of `key` in the hash table `keys`.

    If the table does not contain the key, return the index of the free entry (value 0) where it must be inserted.
    """
    mask = len(keys) - 1
    at = (key ^ (key >> 17)) & mask
    while keys[at] != 0 and keys[at] != key:
        at = (at + 1) & mask
    return at


@rule
def noisy_rollout_action(s: Position, seat: int, actions: Ints, n: int, noise: int, q: NDArray[np.uint64]) -> int:
    """Return an action of the rollout policy, or, with a probability of `noise` thousandths, a random legal action.

    The first `n` numbers of `actions` are the legal actions; `q` is the state of a fast random number generator.
    """
    if n == 1:
        return actions[0]
    if noise >= ALL_RANDOM or (noise > 0 and quick_randint(q, ALL_RANDOM) < noise):
        return actions[quick_randint(q, n)]
    return rollout_policy(s, seat, q)


@rule
def roll_out(s: Position, actions: NDArray[np.int32], noise: int, q: NDArray[np.uint64]) -> None:
    """Continue the match with the rollout policy until the round is decided. The state `s` changes in place.

    * `actions`: a buffer that is overwritten with the legal actions of each seat to act.
    * `noise`: the probability, in thousandths, that a move is random instead of the rollout policy's.
    * `q`: the state of a fast random number generator.

    Stop after `MAX_ROLLOUT` moves even if the round is not decided yet.
    """
    for _ in range(MAX_ROLLOUT):
        if s.over != 0 or round_is_terminal(s):
            return
        seat = lowest_acting(s)
        n = rule_dispatch.legal(s, seat, actions)
        rule_dispatch.apply(s, seat, noisy_rollout_action(s, seat, actions, n, noise, q))


@rule
def choose_edge(first: int, n: int, total: int, visits: Ints, values: Floats, q: NDArray[np.uint64]) -> int:
    """Return the index of the edge (action at a node) that UCB1 selects among the `n` edges from index `first` on.

    Edges that were never tried are selected first, in random order.

    * `visits`: the number of visits to each edge of the tree.
    * `values`: the sum of the results of each edge.
    * `total`: the number of visits to the node.
    * `q`: the state of a fast random number generator.
    """
    untried = 0
    pick = -1
    best = -1.0
    log_total = np.log(total + 1.0)
    for e in range(first, first + n):
        if visits[e] == 0:
            untried += 1
            if quick_randint(q, untried) == 0:
                pick = e
        elif untried == 0:
            score = values[e] / visits[e] + EXPLORATION * np.sqrt(log_total / visits[e])
            if score > best:
                best = score
                pick = e
    return pick


class Tree(NamedTuple):
    """Search tree as arrays.

    A hash table finds the index of a node by its key (`information_set_key`). Entry i of the table is:

    * ``keys[i]``: key of a node, or 0 if the entry is free
    * ``nodes[i]``: index of this node

    The node with index n has:

    * ``firsts[n]``: index of its first edge (an edge is one action at a node)
    * ``totals[n]``: number of visits

    A node has one edge for each legal action of the seat that acts there, in ascending order of the actions. The edges
    of a node have consecutive indexes. Their number is not stored.

    The edge with index e has:

    * ``actions[e]``: the action
    * ``visits[e]``: number of visits
    * ``values[e]``: sum of the results for the seat that acts

    ``used[0]`` is the number of nodes, ``used[1]`` the number of edges.
    """

    keys: NDArray[np.int64]
    nodes: NDArray[np.int32]
    firsts: NDArray[np.int32]
    totals: NDArray[np.int32]
    actions: NDArray[np.int32]
    visits: NDArray[np.int32]
    values: NDArray[np.float64]
    used: NDArray[np.int64]


@rule
def simulate(view: View, worlds: WorldSampler, budget: int, noise: int, tree: Tree) -> int:
    """Run up to `budget` simulations, add their results to `tree` in place, and return the number that were run.

    Each simulation samples a world (full deal that fits the view), descends the tree, and plays the round to its end in
    a rollout. If no further world is found, fewer than `budget` simulations are run.

    * `tree`: an empty tree, or the tree of earlier simulations for the same view.
    * `noise`: the probability, in thousandths, that a move of a rollout is random instead of the rollout policy's.
    """
    world, _scratch, g, q = worlds
    keys, nodes, firsts, totals, actions, visits, values, used = tree
    legal = np.empty(MAX_LEGAL, np.int32)
    path_edge = np.empty(MAX_DEPTH, np.int64)
    path_node = np.empty(MAX_DEPTH, np.int64)
    path_seat = np.empty(MAX_DEPTH, np.int64)
    payoff = np.empty(MAX_SEATS, np.float64)
    for done in range(budget):
        if not sample_world_into(world, view, g):
            return done
        s = world[0]
        depth = 0
        growing = True
        while growing and depth < MAX_DEPTH and s.over == 0 and (depth == 0 or not round_is_terminal(s)):
            # At the root the seat to act is the searching seat, because the search evaluates the actions of this seat.
            # This holds even if a seat with a lower number chooses at the same time. The order does not matter to the
            # other seats, because they do not see its choice.
            seat = view.viewer if depth == 0 else lowest_acting(s)
            n = rule_dispatch.legal(s, seat, legal)
            if n == 1 and depth > 0:
                rule_dispatch.apply(s, seat, legal[0])
                continue
            key = information_set_key(s, seat, depth, legal, n)
            at = find_key_or_free_entry(keys, key)
            if keys[at] == 0:
                growing = False
                if used[0] >= len(firsts) or used[1] + n > len(actions):
                    break
                keys[at] = key
                node = used[0]
                nodes[at] = node
                used[0] += 1
                firsts[node] = used[1]
                totals[node] = 0
                for i in range(n):
                    actions[used[1] + i] = legal[i]
                    visits[used[1] + i] = 0
                    values[used[1] + i] = 0.0
                used[1] += n
                guess = noisy_rollout_action(s, seat, legal, n, 0 if noise < ALL_RANDOM else noise, q)
                edge = firsts[node]
                for i in range(n):
                    if legal[i] == guess:
                        edge = firsts[node] + i
            else:
                node = nodes[at]
                edge = choose_edge(firsts[node], n, totals[node], visits, values, q)
            path_edge[depth] = edge
            path_node[depth] = node
            path_seat[depth] = seat
            depth += 1
            rule_dispatch.apply(s, seat, actions[edge])
        roll_out(s, legal, noise, q)
        evaluate(s, payoff)
        for i in range(depth):
            totals[path_node[i]] += 1
            visits[path_edge[i]] += 1
            values[path_edge[i]] += payoff[path_seat[i]]
    return budget


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of a tree search: statistics of the actions at its root."""

    actions: tuple[int, ...]
    visits: tuple[int, ...]
    values: tuple[float, ...]
    """Mean result of each action, from 0 to 1; 0.5 for an action that was never tried."""
    simulations: int

    @property
    def best(self) -> int:
        """The most visited action; among equally visited actions, the one with the highest mean result."""
        ranked = zip(self.visits, self.values, self.actions, strict=True)
        return max(ranked, key=lambda found: (found[0], found[1]))[2]


#: `_CHUNK`: number of simulations between two checks of the time limit. `_MOST`: largest number of simulations of one
#: search, which limits the size of its tree.
_CHUNK = 200
_MOST = 400_000
#: Average number of edges (actions) per node for which memory is allocated.
_EDGES = 14


def search(game: GameModule, view: View, seat: int, seed: int, budget: Budget, noise: int = ALL_RANDOM) -> Outcome:
    """Search the moves of `seat`, given its view, and return the statistics of the moves.

    `noise` is the probability, in thousandths, that a move of a rollout is random instead of the rollout policy's.

    Raises `NotAView` if `view` is not the view of `seat`, `ValueError` if the seat is not to act, and `NoEvaluation` if
    the game defines no evaluation functions.
    """
    legal = legal_actions_of_view(game, view, seat)
    evaluation_of(game.name)
    late = budget.start_time_check()
    if len(legal) == 1:
        return Outcome(tuple(legal), (0,), (0.5,), 0)
    most = min(budget.simulations or _MOST, _MOST)
    size = 1 << max(10, (2 * most).bit_length())
    edges = max(_EDGES * most, 4 * len(legal))
    tree = Tree(
        np.zeros(size, np.int64),
        np.empty(size, np.int32),
        np.empty(most + 1, np.int32),
        np.empty(most + 1, np.int32),
        np.empty(edges, np.int32),
        np.empty(edges, np.int32),
        np.empty(edges, np.float64),
        np.zeros(2, np.int64),
    )
    worlds = world_sampler(game, f"search {seed}")
    done = 0
    while done < most:
        chunk = min(_CHUNK if budget.seconds else most, most - done)
        ran = int(simulate(view, worlds, chunk, noise, tree))
        done += ran
        if ran < chunk or late(done):
            break
    # The root is the first node that was added, so its edges come first in the arrays.
    visits, values = tree.visits[: len(legal)].tolist(), tree.values[: len(legal)].tolist()
    means = tuple(value / tried if tried else 0.5 for value, tried in zip(values, visits, strict=True))
    actions = tree.actions[: len(legal)].tolist()
    return Outcome(tuple(actions), tuple(visits), means, done)


def is_sealed(view: View, action: int, game: GameModule) -> bool:
    """Return whether `action` would be a sealed choice of the seat that is to act.

    A sealed choice is made at the same time as the choices of other seats, and stays secret until all have chosen.
    """
    acting = int(view.acting)
    several = acting & (acting - 1) != 0
    waiting = any(int(view.sealed[seat]) != OPEN for seat in range(int(view.seats)))
    return (several or waiting) and not game.tables.is_public_action(action)


#: An action that was visited less than this fraction as often as the most visited one is never chosen at random.
_SHARE = 0.25


@dataclass(eq=False)
class SearchBot:
    """Bot that searches the tree within a budget and plays the most visited action.

    If the action stays secret until other seats have chosen (a sealed choice), the bot instead chooses an action at
    random, with probabilities in proportion to the visits.
    """

    budget: Budget
    noise: int = ALL_RANDOM

    def choose(self, game: GameModule, view: View, seat: int, seed: int) -> int:
        """Return the action that the tree search has visited most often.

        If this action is a sealed choice, which stays secret until other seats have chosen, return instead a random
        action, with probabilities in proportion to the visits (`sample_by_visits`). The same view, seed and number of
        simulations give the same action.
        """
        found = search(game, view, seat, seed, self.budget, self.noise)
        if found.simulations and is_sealed(view, found.best, game):
            return sample_by_visits(found, seed)
        return found.best


def sample_by_visits(found: Outcome, seed: int) -> int:
    """Return an action chosen at random, with probabilities in proportion to the actions' numbers of visits.

    Never choose an action that was visited less than a quarter (`_SHARE`) as often as the most visited one. Equal
    arguments give equal actions.
    """
    most = max(found.visits)
    weights = [v if v >= _SHARE * most else 0 for v in found.visits]
    q = quick_generator(key_of(seed_from_text(f"mix {seed}")), 0)
    at = int(quick_randint(q, sum(weights)))
    for action, weight in zip(found.actions, weights, strict=True):
        at -= weight
        if at < 0:
            return action
    return found.best
