"""Full game tree (`GameTree`) of a small two-player game: every position, and the information sets of the seats.

Chance draws a card only when a seat first sees it. So a node represents all deals that look the same to both seats.
Chance draws one of the remaining cards and an orientation for it. All combinations of a remaining card and an
orientation have the same probability.

Several histories (sequences of actions) can share one node:

* With ``recall=True``, two histories share a node if they lead to the same position, and each seat has seen and done
  the same in both.
* With ``recall=False``, two histories share a node if they lead to the same position, or to positions that the game
  declares to be equivalent (`core.bot.Evaluation.standard_form`). What the seats have seen and done is ignored. The
  tree is then correct only for games in which the past does not matter.

The tree is built level by level, one level for each action, by compiled code (`tree_expansion`).
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from facedown.core.field_meanings import BySlot, OneOf, meanings
from facedown.core.game_registry import GameModule
from facedown.core.match import BY_CHANCE, Match
from facedown.core.seeds import seed_from_text
from facedown.core.state import EMPTY, UNKNOWN, View
from facedown.research.game_tree.tree_expansion import (
    FULL,
    POOLED,
    SEATS,
    SEEN,
    SHUFFLED,
    Edges,
    Level,
    Work,
    expand,
    replace_states_by_views,
)

#: Error texts for games that the tree builder does not support.
REASONS = {
    SHUFFLED: "cards are shuffled in the middle of the game: choose a larger deck, or a shorter game",
    POOLED: "a hidden card may not be any of those that are left",
    SEEN: "what is seen after an action depends on cards that nobody sees",
}


class TooLarge(ValueError):
    """Error: the tree would have more nodes than the limit allows."""


@dataclass(frozen=True)
class GameTree:
    """Full tree of a two-player game. Nodes are numbered level by level; node 0 precedes the deal.

    The actions of a node have consecutive numbers, and so have the outcomes of an action. A *set* is an information
    set: the nodes that a seat cannot distinguish. A strategy is an array of probabilities with an entry for each action
    of each set.
    """

    game: GameModule
    edges: Edges
    actions: NDArray[np.int32]
    """Id that the game gives to the action at each index of a strategy."""
    views: NDArray[Any]
    """View of the seat to act in each information set, taken from one of the set's nodes."""

    @property
    def node_count(self) -> int:
        """Number of nodes in the tree."""
        return len(self.edges.seat)

    @property
    def information_set_count(self) -> int:
        """Number of information sets of both seats in the tree."""
        return len(self.edges.set_seat)

    @property
    def with_win_payoffs(self) -> GameTree:
        """The same game with payoffs for winning only: +1/2 for the winner, −1/2 for the loser, 0 for a draw."""
        return replace(self, edges=self.edges._replace(payoff=np.sign(self.edges.payoff) / SEATS))

    def information_set_view(self, set_index: int) -> View:
        """Return the view of the seat to act in the information set whose index is `set_index`."""
        return cast(View, self.views[set_index])

    def strategy_slice_of_set(self, set_index: int) -> slice:
        """Return the slice of a strategy that has the probabilities of the actions in one information set.

        `set_index` is the index of the information set.
        """
        return slice(*self.edges.first_place[set_index : set_index + 2])


def build_full_tree(match: Match, recall: bool = True, most: int = 5_000_000) -> GameTree:
    """Build the full tree of the game that `match` plays, with the same options and the same starting seat.

    The tree has all possible deals and moves. The cards dealt and the moves made in `match` are ignored.

    With `recall` False, histories that lead to the same position merge into one node, whatever the seats have seen in
    them. With `recall` True, they merge only if each seat has seen and done the same in all of them.

    Raise `TooLarge` if the tree would have more than `most` nodes. Raise `ValueError` with the reason if the game is
    not supported.

    A supported game is a competitive game of two players with a fixed starting seat. It also meets these conditions:

    * The deal is its only random event: no cards are shuffled later.
    * What a seat sees after an action does not depend on any card that is still hidden from both seats.
    * All arrangements of the cards that are hidden from both seats are possible, and equally likely.
    * Directly after the deal, everything in the position except the cards (for example the scores) is the same for all
      deals.
    * If a card has visible properties besides its identity, such as which way up it is, each of them is one
      of a few categories, numbered from 0, so that it fits into one byte.
    """
    if match.seats != SEATS or match.game.info.together:
        raise ValueError("only competitive games of two players are supported")
    if match.first == BY_CHANCE:
        raise ValueError("the first seat is random: set it to a fixed seat")
    return _build_tree(match.game, _dealt_position_of_unknown_cards(match), _make_workspace(match.game, recall), most)


def _dealt_position_of_unknown_cards(match: Match) -> NDArray[Any]:
    """Return the position after the deal, with every card replaced by an unknown one, as an array of one record.

    Raise `ValueError` if this position is not the same for all deals, for example because a score depends on the cards
    dealt. To find out, eight deals are compared.
    """
    rules = match.game.rules
    states = np.zeros(1, match.game.dtype)
    found = set()
    for number in range(8):
        begun = match.game.undealt_state(SEATS, match.options, seed_from_text(f"deal {number}"))
        rules.deal(begun, np.empty(0, np.int64), match.first)
        begun.key[:] = 0
        states[0] = begun
        # All cards become unknown, even those dealt face up. The chance draw at the root of the tree determines each
        # card that a seat sees after the deal.
        for name in rules.faces[1:]:
            states[name] = 0
        states["card"][states["card"] != EMPTY] = UNKNOWN
        found.add(states.tobytes())
    if len(found) > 1:
        raise ValueError("the deal depends on the cards in other ways than by their places")
    return states


def _make_workspace(game: GameModule, recall: bool) -> Work:
    """Return the workspace that `tree_expansion` needs to expand the tree of a game.

    With `recall` False, histories that lead to the same position merge into one node, whatever the seats have seen in
    them.

    Raise `ValueError` if the cards of the game have a property that the tree cannot represent. Besides its identity, a
    card can have visible properties, such as which way up it is. A position stores each of these properties in a field
    of its own, a *face field* (`RuleSet.faces`). The tree can represent a face field that has one byte for each card,
    if the game declares that the byte is one of n categories, numbered from 0 (`field_meanings.OneOf`).
    """
    said = meanings(game.rules.record)
    fields: Any = game.dtype.fields
    first, values = [], []
    for name in game.rules.faces[1:]:
        row = said[name]
        one = row.of if isinstance(row, BySlot) else row
        if not isinstance(one, OneOf) or one.low != 0 or game.dtype[name].base.itemsize != 1:
            raise ValueError(f"the field {name} of a card face must be a choice that fits into one byte")
        first.append(fields[name][1])
        values.append(one.count)
    scratch = np.zeros(2, game.dtype)
    words, memory = scratch.view(np.uint32).reshape(2, -1), scratch.view(np.uint8).reshape(2, -1)
    faces = np.array(first, np.int64), np.array(values, np.int64)
    return Work(scratch, words, memory, *faces, math.prod(values), recall)


def _build_tree(game: GameModule, dealt: NDArray[Any], work: Work, most: int) -> GameTree:
    """Build the tree of a game, from the node before the deal to the ends of the match.

    * `dealt`: the position after the deal, as an array of one record. The caller has replaced every card in this
      position by an unknown one. When a seat first sees a card, chance draws this card.
    * `work`: the workspace from `_make_workspace`.

    Raise `TooLarge` if the tree would have more than `most` nodes. Raise `ValueError` with the reason if the game is
    not supported.
    """
    # Arrays of the tree by name, each with one part per level.
    parts: dict[str, list[NDArray[Any]]] = defaultdict(list)
    levels, set_levels = [0], [0]
    level = _empty_level(game.dtype, 1)
    level.states[0], level.used[0] = dealt[0], 1
    while level.used[0]:
        count = int(level.used[0])
        seats, firsts = np.empty(count, np.int8), np.empty(count, np.int64)
        following = _expand_level(level, levels[-1], seats, firsts, work, most)
        _nodes, actions, outcomes = following.used
        before = {name: sum(map(len, parts[name])) for name in ("first_outcome", "child", "actions")}
        sets, found = _group_into_information_sets(level, following, seats, firsts, before["actions"])
        found |= {
            "payoff": level.payoff[:count],
            "seat": seats,
            "set_of": np.where(sets < 0, -1, sets + set_levels[-1]),
            "first_action": firsts + before["first_outcome"],
            "first_outcome": following.first[:actions] + before["child"],
            "child": following.child[:outcomes] + levels[-1] + count,
            "chance": following.chance[:outcomes],
        }
        for name, array in found.items():
            # Copy, because a slice would keep the whole larger array in memory.
            parts[name].append(array.copy())
        levels.append(levels[-1] + count)
        set_levels.append(set_levels[-1] + len(found["set_seat"]))
        level = following
    joined = {name: np.concatenate(found) for name, found in parts.items()}
    for name, counted in (("first_action", "first_outcome"), ("first_outcome", "child"), ("first_place", "actions")):
        joined[name] = np.append(joined[name], len(joined[counted]))
    actions, views = joined.pop("actions"), joined.pop("views").view(game.dtype).ravel()
    return GameTree(game, Edges(levels=np.array(levels), set_level=np.array(set_levels), **joined), actions, views)


def _expand_level(
    level: Level, before: int, seats: NDArray[np.int8], firsts: NDArray[np.int64], work: Work, most: int
) -> Level:
    """Return the next level of the tree: all nodes that are reached by an action from a node of `level`.

    * `before`: the number of nodes in all levels above `level`.
    * `seats`: overwritten. ``seats[i]`` becomes the seat to act at node i of `level`.
    * `firsts`: overwritten. ``firsts[i]`` becomes the index of the first action of node i in the field `action` of the
      new level.

    If the arrays of the new level turn out too small, the level is built again with arrays of twice the size.

    Raise `TooLarge` if the tree, with the new level, has more than `most` nodes. Raise `ValueError` with the reason if
    the game is not supported.
    """
    size = max(256, len(seats))
    while True:
        following = _empty_level(level.states.dtype, size)
        wrong = int(expand(level, before == 0, following, seats, firsts, work))
        if wrong in REASONS:
            raise ValueError(REASONS[wrong])
        if before + len(seats) + following.used[0] > most:
            raise TooLarge(f"the game has more than {most} nodes")
        if wrong != FULL:
            return following
        size *= 2


def _group_into_information_sets(
    level: Level, following: Level, seats: NDArray[np.int8], firsts: NDArray[np.int64], before: int
) -> tuple[NDArray[np.int64], dict[str, NDArray[Any]]]:
    """Group the nodes of a level into information sets.

    * `seats`: the seat to act at each node; a negative number if no seat acts there.
    * `following`: the next level. Its field `action` has the actions of the nodes of `level`.
    * `firsts`: the index of each node's first action in ``following.action``.
    * `before`: the number of actions of all information sets in the levels above. A strategy, an array of
      probabilities, has an entry for each action. The entries of this level begin at the index `before`.

    Return two values:

    * an array with the index of each node's information set, counted from 0 in this level; −1 if no seat acts at the
      node
    * a dictionary {field name: array} that describes the information sets of this level. The fields belong to `Edges`
      and `GameTree`, whose arrays cover all levels; the caller appends each array to those of the levels above.
    """
    acting = np.flatnonzero(seats >= 0)
    keys = np.stack([seats[acting], level.seen[acting, seats[acting]]], axis=1)
    _found, at, numbers = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    sets = np.full(len(seats), -1)
    sets[acting] = numbers.ravel()
    some = acting[at]
    # Copy the records as bytes, so that the padding between the fields is copied too. It is zero in `level.states`, but
    # a copy field by field might leave random values there, and equal views would have different bytes.
    views = level.states.view(np.uint8).reshape(len(level.states), -1)[some]
    replace_states_by_views(views.view(level.states.dtype).ravel(), seats[some])
    counts = np.diff(firsts, append=following.used[1])[some]
    places = np.cumsum(counts) - counts
    chosen = np.repeat(firsts[some] - places, counts) + np.arange(counts.sum())
    actions = following.action[chosen]
    return sets, {"set_seat": seats[some], "views": views, "first_place": places + before, "actions": actions}


def _empty_level(dtype: np.dtype[Any], nodes: int) -> Level:
    """Return an empty level of a tree, with room for `nodes` nodes, 4 × `nodes` actions and 8 × `nodes` outcomes.

    The factors 4 and 8 are estimates. If an array turns out too small, the caller asks for twice as many `nodes`.
    """
    size = 1 << (2 * nodes).bit_length()
    return Level(
        keys=np.zeros(size, np.int64),
        at=np.empty(size, np.int64),
        states=np.zeros(nodes, dtype),
        seen=np.zeros((nodes, SEATS), np.int64),
        payoff=np.zeros(nodes, np.float64),
        over=np.zeros(nodes, np.bool_),
        action=np.empty(4 * nodes, np.int32),
        first=np.empty(4 * nodes, np.int64),
        child=np.empty(8 * nodes, np.int64),
        chance=np.empty(8 * nodes, np.float64),
        used=np.zeros(3, np.int64),
    )
