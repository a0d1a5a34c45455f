"""Information-set tree search, compiled, over any game.

Every simulation draws a world that fits what the seat knows (`core.hidden_cards.sample_world_into`), walks down a tree
whose nodes are *information sets* — what the seat to act knows there — adds one node, plays the round out by a rollout
policy and adds what came of it to every node on the way. It is the multiple-observer kind of ISMCTS (Cowling, Powley
and Whitehouse 2012), with UCB1 at each node and the policy's choice as first guess.

Because a node is keyed by what its own seat knows, a seat that chooses at the same time as another does not see the
other's sealed choice: both learn side by side from what came of all pairs, as in decoupled UCT. At such a root the
choice is drawn from the visits (a mixed strategy); elsewhere the most visited action is taken.

The compiled code gets a view and numbers, nothing else: no state of the match can reach it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from facedown.bots.evaluation import evaluate, evaluation_of, rollout_policy, round_is_terminal
from facedown.bots.search_common import MAX_ROLLOUT, Budget, WorldSampler, world_sampler
from facedown.core import dispatch
from facedown.core.bot import legal_actions_of_view
from facedown.core.dispatch import lowest_acting
from facedown.core.game_registry import GameModule
from facedown.core.hidden_cards import MAX_LEGAL, knows, sample_world_into
from facedown.core.random_numbers import key_of, quick_below, quick_generator
from facedown.core.rule import rule
from facedown.core.seeds import seed_from_text
from facedown.core.state import MAX_SEATS, OPEN, Floats, Ints, Position, View

#: The constant of UCB1, for values from 0 to 1.
EXPLORATION = 0.7
#: Deepest path of one descent; beyond it the rollout takes over.
MAX_DEPTH = 40
#: The share of random moves in rollouts is given in thousandths: some keep a policy from always erring alike.
ALL_RANDOM = 1000

#: Weights of the hash of an information set: sums of them stay below 2**62 (see `information_set_key`).
_WEIGHTS: Ints = np.random.default_rng(20231).integers(1, 1 << 44, size=1024, dtype=np.int64)
_PRIME = (1 << 61) - 1


@rule
def information_set_key(s: Position, seat: int, depth: int, legal: Ints, n: int) -> int:
    """A hash of what a seat knows: each card as far as it knows it, its own sealed choice, and how deep we are.

    Its `n` legal actions are part of it: bids and the like lie in no slot, and a node's actions must be legal always.
    """
    h = (depth * 8 + seat + 1) * _WEIGHTS[1023] + (s.sealed[seat] + 2) * _WEIGHTS[1022]
    for slot in range(len(s.card)):
        if knows(s, slot, seat):
            h += (s.card[slot] + 1) * _WEIGHTS[slot]
    for i in range(n):
        h = h % _PRIME + (legal[i] + 1) * _WEIGHTS[MAX_LEGAL - 3 - i]
    return h % _PRIME + 1


@rule
def find(keys: NDArray[np.int64], key: int) -> int:
    """The place of a node's key in the hash table `keys`, or of the free place where it belongs."""
    mask = len(keys) - 1
    at = (key ^ (key >> 17)) & mask
    while keys[at] != 0 and keys[at] != key:
        at = (at + 1) & mask
    return at


@rule
def policy(s: Position, seat: int, actions: Ints, n: int, noise: int, q: NDArray[np.uint64]) -> int:
    """A move of the rollout policy: the game's own, but for `noise` thousandths of random ones.

    The first `n` of `actions` are legal; `q` is a quick generator.
    """
    if n == 1:
        return actions[0]
    if noise >= ALL_RANDOM or (noise > 0 and quick_below(q, ALL_RANDOM) < noise):
        return actions[quick_below(q, n)]
    return rollout_policy(s, seat, q)


@rule
def roll_out(s: Position, actions: NDArray[np.int32], noise: int, q: NDArray[np.uint64]) -> None:
    """Play on by the policy until the round is decided; `actions` is room for legal ones, `q` a quick generator."""
    for _ in range(MAX_ROLLOUT):
        if s.over != 0 or round_is_terminal(s):
            return
        seat = lowest_acting(s)
        n = dispatch.legal(s, seat, actions)
        dispatch.apply(s, seat, policy(s, seat, actions, n, noise, q))


@rule
def choose_edge(first: int, n: int, total: int, visits: Ints, values: Floats, q: NDArray[np.uint64]) -> int:
    """UCB1 over the `n` edges of a node from number `first`; edges never tried come first, in random order.

    `visits` and `values` have a number for each edge of the tree: how often it was taken, and the sum that it brought;
    `q` is a quick generator.
    """
    untried = 0
    pick = -1
    best = -1.0
    log_total = np.log(total + 1.0)
    for e in range(first, first + n):
        if visits[e] == 0:
            untried += 1
            if quick_below(q, untried) == 0:
                pick = e
        elif untried == 0:
            score = values[e] / visits[e] + EXPLORATION * np.sqrt(log_total / visits[e])
            if score > best:
                best = score
                pick = e
    return pick


class Tree(NamedTuple):
    """The arrays of a search tree.

    `keys` and `nodes` are the hash table of nodes: 0 or a key, and the node's number. To each node belong its first
    edge (its others follow), and how often it was gone through; to each edge its action, how often it was taken, and
    the sum that it brought its seat. `used` holds how many nodes and edges there are.
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
    """Run `budget` simulations on a tree that may have been begun before; return how many were run."""
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
            # At the root the searching seat moves first; others that choose at the same time do not see it.
            seat = view.viewer if depth == 0 else lowest_acting(s)
            n = dispatch.legal(s, seat, legal)
            if n == 1 and depth > 0:
                dispatch.apply(s, seat, legal[0])
                continue
            key = information_set_key(s, seat, depth, legal, n)
            at = find(keys, key)
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
                guess = policy(s, seat, legal, n, 0 if noise < ALL_RANDOM else noise, q)
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
            dispatch.apply(s, seat, actions[edge])
        roll_out(s, legal, noise, q)
        evaluate(s, payoff)
        for i in range(depth):
            totals[path_node[i]] += 1
            visits[path_edge[i]] += 1
            values[path_edge[i]] += payoff[path_seat[i]]
    return budget


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a search found at its root."""

    actions: tuple[int, ...]
    visits: tuple[int, ...]
    values: tuple[float, ...]
    """The mean worth of each action, from 0 to 1; 0.5 for one that was never tried."""
    simulations: int

    @property
    def best(self) -> int:
        """The most visited action; of equals the better one."""
        ranked = zip(self.visits, self.values, self.actions, strict=True)
        return max(ranked, key=lambda found: (found[0], found[1]))[2]


#: Simulations between two looks at the clock, and the most that one tree is made for.
_CHUNK = 200
_MOST = 400_000
#: Edges a node has room for on average.
_EDGES = 14


def search(game: GameModule, view: View, seat: int, seed: int, budget: Budget, noise: int = ALL_RANDOM) -> Outcome:
    """Search from a view of `seat`. `noise` is the share of random moves in rollouts, in thousandths (1000: all).

    Raises `NotAView` for anything but the seat's view, `ValueError` if the seat is not to act.
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
    # The root was made first: its edges are the first ones.
    visits, values = tree.visits[: len(legal)].tolist(), tree.values[: len(legal)].tolist()
    means = tuple(value / tried if tried else 0.5 for value, tried in zip(values, visits, strict=True))
    actions = tree.actions[: len(legal)].tolist()
    return Outcome(tuple(actions), tuple(visits), means, done)


def is_sealed(view: View, action: int, game: GameModule) -> bool:
    """Will this choice stay sealed because others choose at the same time?"""
    acting = int(view.acting)
    several = acting & (acting - 1) != 0
    waiting = any(int(view.sealed[seat]) != OPEN for seat in range(int(view.seats)))
    return (several or waiting) and not game.tables.is_public_action(action)


#: Actions with fewer than this share of the best one's visits are not part of a mixed strategy.
_SHARE = 0.25


@dataclass(eq=False)
class SearchBot:
    """Searches within a budget; at a sealed choice it mixes, elsewhere it takes the most visited action."""

    budget: Budget
    noise: int = ALL_RANDOM

    def choose(self, game: GameModule, view: View, seat: int, seed: int) -> int:
        """The action found; the same view, seed and number of simulations give the same action."""
        found = search(game, view, seat, seed, self.budget, self.noise)
        if found.simulations and is_sealed(view, found.best, game):
            return sample_by_visits(found, seed)
        return found.best


def sample_by_visits(found: Outcome, seed: int) -> int:
    """An action drawn by its visits, among those with a fair share of them."""
    most = max(found.visits)
    weights = [v if v >= _SHARE * most else 0 for v in found.visits]
    q = quick_generator(key_of(seed_from_text(f"mix {seed}")), 0)
    at = int(quick_below(q, sum(weights)))
    for action, weight in zip(found.actions, weights, strict=True):
        at -= weight
        if at < 0:
            return action
    return found.best
