"""Lazy game tree (`Tree`): immutable positions, created when they are reached. OpenSpiel and tree searches use it.

A `Node` is a position with all its secrets, the player to act and the legal actions. `Node.play` returns the next node
and leaves this one unchanged. Since nodes never change, copies of them are never needed, and values computed from a
node can be cached in it.

Chance acts only before the deal: it picks the index of a deal. The random key of that deal also determines every later
shuffle.

Seats that may choose at the same time act one after the other, the lowest first. Their choices are of two kinds:

* sealed: hidden from the other seats until all have chosen
* open: seen by the seats that act later

The rules of the game decide the kind. Some games have an option for it: with ``final_mode=sealed``, choices are sealed.

At the end of a round, the only legal action of a seat is the *pause action*, which confirms that the next round may
begin. By default the tree plays pause actions automatically. If `Tree.pauses` is set, the caller plays them.

What a seat sees is computed from its view (`core.hidden_cards`). What it remembers (`Node.memory_hash`) is computed
from all its views and its own actions so far. The strings and tensors that OpenSpiel shows to a seat
(`research.openspiel`) depend on nothing else.

>>> from facedown.core.game_registry import catalogue
>>> tree = tree_of(next(iter(catalogue())), deals=6)
>>> tree.root.player == CHANCE, len(tree.root.legal)
(True, 6)
>>> node = tree.root.play(3)
>>> first, second = node.play(node.legal[0]), node.play(node.legal[1])
>>> node.player, first.player
(0, 1)
>>> first.memory_hash(1) == second.memory_hash(1), first.memory_hash(0) == second.memory_hash(0)
(True, False)
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import astuple, dataclass, field
from functools import cached_property, lru_cache
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from facedown.core import rule_dispatch
from facedown.core.game_registry import GameModule
from facedown.core.game_registry import game as load_game
from facedown.core.hidden_cards import MAX_LEGAL, redeal_into, to_known_view
from facedown.core.random_numbers import key_of
from facedown.core.rule import rule
from facedown.core.rule_dispatch import lowest_acting
from facedown.core.seeds import seed_from_text
from facedown.core.state import RUNNING, SPECTATOR, Position, View
from facedown.simulate.bot_matches import Actions
from facedown.simulate.random_playouts import deal_matches_into

#: Values of a node's `player` that are not seats: chance acts, or the game is over. OpenSpiel uses the same numbers.
CHANCE = -1
TERMINAL = -4
#: Number of chance draws that together pick one of all 2**32 deals. Each draw picks one byte of the deal's index.
DRAWS = 4
BYTE = 256
#: Largest value of the argument `deals` of `tree_of`, the number of deals from which chance picks one at the root.
MOST_DEALS = 1 << 16
#: Length in bytes of a memory, the hash that `Node.memory_hash` returns.
MEMORY = 16
#: In the data from which a viewer's memory (`Node.memory_hash`) is computed, these bytes mean that the viewer did not
#: act.
NOTHING = b"-"


@rule
def play_pause_actions(
    s: Position, keep: bool, one_round: bool, pause: int, actions: NDArray[np.int32]
) -> tuple[int, int, int]:
    """Play the pause actions if a round has just ended in the state `s`. Then find the next seat's legal actions.

    At the end of a round, a seat's only legal action is the pause action. It confirms that the next round may begin.

    Return three numbers: the seat to act next (`TERMINAL` if the game is over), the number of its legal actions, and 1
    if a pause action was played, else 0.

    * `keep`: if True, play no pause action here. The caller then plays it later, like any other action of the seat.
    * `one_round`: whether the game is over after its first round. If so, no pause action is played.
    * `pause`: the id of the pause action.
    * `actions`: the legal actions are written here.
    """
    went_on = 0
    while True:
        seat = lowest_acting(s)
        if seat < 0 or s.over != RUNNING:
            return TERMINAL, 0, went_on
        n = rule_dispatch.legal(s, seat, actions)
        pausing = n == 1 and actions[0] == pause
        if pausing and one_round:
            return TERMINAL, 0, went_on
        if keep or not pausing:
            return seat, n, went_on
        rule_dispatch.apply(s, seat, pause)
        went_on = 1


@rule
def write_position_after_action(
    out: Any, states: Any, seat: int, action: int, keep: bool, one_round: bool, pause: int, actions: Actions
) -> tuple[int, int, int]:
    """Write the position after an action of `seat` to `out`.

    If the action ends a round, also play the pause actions, which only confirm that the next round may begin. With
    `keep`, do not play them here. The caller then plays them later, like any other action of a seat.

    Return three numbers: the next seat to act (`TERMINAL` if the game is over), the number of its legal actions, and 1
    if a pause action was played, else 0.

    * `states`: the position before the action, an array of one record.
    * `out`: an array of one record, to which the position after the action is written.
    * `actions`: the legal actions are written here.
    * `one_round`: whether the game is over after its first round.
    * `pause`: the id of the pause action.
    """
    out[0] = states[0]
    rule_dispatch.apply(out[0], seat, action)
    return play_pause_actions(out[0], keep, one_round, pause, actions)


@rule
def write_view(out: Any, states: Any, viewer: int) -> None:
    """Write the view of `viewer`, a seat or `SPECTATOR`, to `out`: what the viewer knows of the position in `states`.

    Both arrays have one record. `states` is not changed.
    """
    out[0] = states[0]
    to_known_view(out[0], viewer)


@dataclass(frozen=True)
class Tree:
    """Game tree of a game with given options and a given number of players.

    At the root, chance picks the index of a deal. The seed determines which deal belongs to each index.
    """

    name: str
    """Name of the game."""
    seats: int
    chosen: tuple[tuple[str, str], ...]
    """Options of the game as (name, value) pairs."""
    one_round: bool = False
    """Whether the game ends with its first round."""
    pauses: bool = False
    """Whether the caller plays the pause actions (which only confirm that the next round may begin). If not, the tree
    plays them automatically."""
    seed: int = 0
    deals: int = 0
    """Number of deals that chance picks from; 0 for all 2**32."""

    @cached_property
    def game(self) -> GameModule:
        """Module with the rules and texts of the game. It is loaded at the first access."""
        return load_game(self.name)

    @cached_property
    def options(self) -> dict[str, str]:
        """The options of the game as a dictionary from name to value."""
        return dict(self.chosen)

    @cached_property
    def outcomes_per_draw(self) -> tuple[int, ...]:
        """Number of outcomes of each chance draw, in the order of the draws. Together the draws pick a deal.

        If chance picks one of a limited number of deals (`Tree.deals` is above 0), there is one draw with `Tree.deals`
        outcomes. If `Tree.deals` is 0, there are four draws with 256 outcomes each.
        """
        return (self.deals,) if self.deals else (BYTE,) * DRAWS

    @cached_property
    def root(self) -> Node:
        """The node before the first chance draw."""
        return Node(self, None, CHANCE, tuple(range(self.outcomes_per_draw[0])))

    @cached_property
    def state_before_deal(self) -> NDArray[Any]:
        """The state of a match before the deal, as an array of one record."""
        begun: NDArray[Any] = np.zeros(1, self.game.dtype)
        begun[0] = self.game.undealt_state(self.seats, self.options, bytes(32))
        return begun

    def node_after_all_draws(self, drawn: tuple[int, ...]) -> Node:
        """Return the node after the deal that chance has picked. `drawn` has the outcomes of all chance draws.

        The outcomes encode the index of the deal:

        * If chance picks one of a limited number of deals (`Tree.deals` is above 0), there is one draw. Its outcome is
          the index.
        * If `Tree.deals` is 0, chance picks one of 2**32 deals in four draws. Their outcomes are the bytes of the
          index, the most significant byte first.

        The function `simulate.random_playouts.playouts` can play the same deals. Call it with the same game, number of
        players and options, and with this tree's seed as text. Match number i then has the deal with the index i.
        """
        number = 0
        for outcome, outcomes in zip(drawn, self.outcomes_per_draw, strict=True):
            number = number * outcomes + outcome
        states: NDArray[Any] = np.zeros(1, self.game.dtype)
        deal_matches_into(states, self.state_before_deal, key_of(seed_from_text(str(self.seed))), number)
        return self.node_from_states(states)

    def node_from_states(self, states: NDArray[Any]) -> Node:
        """Return a node for a position that was not reached by actions. `states` has the position as an array of one
        record.
        """
        actions = np.empty(MAX_LEGAL, np.int32)
        player, n, _ = play_pause_actions(states[0], self.pauses, self.one_round, self.game.rules.pause, actions)
        return Node(self, states, player, tuple(actions[:n].tolist()))

    def apply_action(
        self, states: NDArray[Any], seat: int, action: int, keep: bool
    ) -> tuple[NDArray[Any], int, tuple[int, ...], int]:
        """Play an action of `seat` and return the result. `states`, the position before the action, stays unchanged.

        Return four values:

        * the new position
        * the player to act next, or `TERMINAL` if the game is over
        * the legal actions of this player
        * 1 if pause actions were played automatically after the action, else 0

        A pause action only confirms that the next round may begin. With `keep`, no pause actions are played
        automatically, so the last value is 0. Both positions are arrays of one record.
        """
        after: NDArray[Any] = np.zeros(1, self.game.dtype)
        actions = np.empty(MAX_LEGAL, np.int32)
        pause = self.game.rules.pause
        player, n, went_on = write_position_after_action(
            after, states, seat, action, keep, self.one_round, pause, actions
        )
        return after, player, tuple(actions[:n].tolist()), went_on


@dataclass(slots=True, eq=False)
class Node:
    """Node of a game tree: one moment of the game, with the player to act and the legal actions. A node is immutable.

    After the deal, a node has the position of the game. Before the deal, chance is the player to act, and a node has
    only the outcomes of the chance draws so far. If the number of deals is limited (`Tree.deals` is above 0), chance
    picks the deal in one draw. Otherwise there are 2**32 deals, and chance picks one in four draws of 256 outcomes.
    """

    tree: Tree
    states: NDArray[Any] | None
    """The position as an array of one record; None before the deal."""
    player: int
    """The seat to act, or `CHANCE` or `TERMINAL`."""
    legal: tuple[int, ...]
    """Legal actions of the player to act, ascending; before the deal the outcomes of chance."""
    parent: Node | None = None
    """The previous node; None if no action of a seat led to this one."""
    seat: int = CHANCE
    """Seat that played the action leading from the parent to this node; `CHANCE` without a parent."""
    action: int = 0
    """Action that led from the parent to this node; 0 without a parent."""
    went_on: int = 0
    """1 if a pause action (which only confirms that the next round may begin) was played automatically after `action`,
    else 0."""
    drawn: tuple[int, ...] = ()
    """Outcomes of the chance draws so far, which pick the deal; empty after the deal."""
    _memories: dict[int, tuple[bytes, bytes]] = field(default_factory=dict)

    def __deepcopy__(self, memo: dict[int, Any]) -> Node:
        # A node never changes, so the node itself can be used where a copy is needed.
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        position = None if self.states is None else self.states.tobytes()
        seen = (
            {}
            if position is None
            else {who: self._memory_and_view(who) for who in (*range(self.tree.seats), SPECTATOR)}
        )
        return restore_node, (astuple(self.tree), position, self.drawn, seen)

    def play(self, action: int) -> Node:
        """Return the node after an action of the player to act. Raise `ValueError` if the action is not legal."""
        if action not in self.legal:
            raise ValueError(self._illegal_action_text(action))
        states, tree = self.states, self.tree
        if states is None:
            drawn = (*self.drawn, action)
            if len(drawn) == len(tree.outcomes_per_draw):
                return tree.node_after_all_draws(drawn)
            return Node(tree, None, CHANCE, tuple(range(tree.outcomes_per_draw[len(drawn)])), drawn=drawn)
        after, player, legal, went_on = tree.apply_action(states, self.player, action, tree.pauses)
        return Node(tree, after, player, legal, self, self.player, action, went_on)

    def _illegal_action_text(self, action: int) -> str:
        if self.player == TERMINAL:
            return f"the game is over: action {action} cannot be played"
        if self.player == CHANCE:
            return f"chance has outcomes 0 to {len(self.legal) - 1}, not {action}"
        view, game = self.view(self.player), self.tree.game
        return f"action {action} is not legal for player {self.player}. {game.why_not(view, action)}"

    def view(self, viewer: int) -> View:
        """Return the view of everything a viewer (a seat or `SPECTATOR`) knows. Raise `ValueError` before the deal."""
        return cast(View, self._view(viewer)[0])

    def _view(self, viewer: int) -> NDArray[Any]:
        if self.states is None:
            raise ValueError("there are no views before the deal")
        return _view_of(self.states, viewer)

    def returns(self) -> tuple[float, ...]:
        """Return the scores of all seats, higher is better; zeros before the end."""
        if self.states is None or self.player != TERMINAL:
            return (0.0,) * self.tree.seats
        return tuple(self.tree.game.returns(self.states[0]))

    # --- memory of a viewer -------------------------------------------------------------------------------------------

    def memory_hash(self, viewer: int) -> bytes:
        """Return a hash of everything a viewer (a seat or the spectator) has seen and done so far; empty before the
        deal.

        The hash is a BLAKE2b hash, `MEMORY` bytes long, of the viewer's own actions and views. A view is included only
        if it differs from the view before it.

        A node returned by ``redealt(seat, key)`` may have different cards from the original node. The hashes of `seat`
        and of the spectator are the same in both nodes. The hands of the other seats may differ, so what these seats
        saw earlier no longer applies. The hash of such a seat is made from the spectator's hash and what the seat knows
        now.
        """
        return b"" if self.states is None else self._memory_and_view(viewer)[0]

    def _memory_and_view(self, viewer: int) -> tuple[bytes, bytes]:
        """Return two values that describe what the viewer has seen and done so far.

        * the hash of all of it (see `memory_hash`)
        * the viewer's latest view, as the bytes of its record
        """
        path: list[Node] = []
        node = self
        while viewer not in node._memories:
            if node.parent is None:
                node._memories[viewer] = node._initial_memory_and_view(viewer)
                break
            path.append(node)
            node = node.parent
        found = node._memories[viewer]
        for node in reversed(path):
            found = node._memories[viewer] = node._next_memory_and_view(found, viewer)
        return found

    def _initial_memory_and_view(self, viewer: int) -> tuple[bytes, bytes]:
        known = self._memories.get(SPECTATOR)
        view = self._view(viewer).tobytes()
        return _hash(known[0] if known else b"", NOTHING, view), view

    def _next_memory_and_view(self, before: tuple[bytes, bytes], viewer: int) -> tuple[bytes, bytes]:
        (memory, last), parent = before, self.parent
        done = NOTHING if self.seat != viewer else b"%d" % self.action
        if self.went_on and parent is not None and parent.states is not None:
            # A pause action (which only confirms that the next round may begin) was played automatically. The viewer
            # also saw the position before that, at the end of the round.
            end, *_ = self.tree.apply_action(parent.states, self.seat, self.action, keep=True)
            last = _view_of(end, viewer).tobytes()
            memory, done = _hash(memory, done, last), NOTHING
        view = self._view(viewer).tobytes()
        if view == last and done == NOTHING:
            return memory, last
        return _hash(memory, done, view), view

    # --- redealing ----------------------------------------------------------------------------------------------------

    def redealt(self, seat: int, key: NDArray[np.uint32]) -> Node:
        """Return a node in which all cards that `seat` does not know are dealt again at random.

        The new deal fits everything that `seat` knows, so `seat` cannot distinguish the new node from this one. The
        value ``memory_hash(seat)``, a hash of all that `seat` has seen and done, is the same in both nodes.

        `key` has eight random 32-bit numbers, from which the random generator is seeded.

        Raises:
            ValueError: This node is before the deal, so the seat knows nothing yet.
            RuntimeError: No deal was found that fits what the seat knows.
        """
        view = self._view(seat)
        states: NDArray[Any] = np.zeros(1, self.tree.game.dtype)
        if not redeal_into(states, view[0], key):
            raise RuntimeError("no deal fits this view")
        found = self.tree.node_from_states(states)
        found._memories = {seat: self._memory_and_view(seat), SPECTATOR: self._memory_and_view(SPECTATOR)}
        return found


def _view_of(states: NDArray[Any], viewer: int) -> NDArray[Any]:
    """Return what a viewer knows of the position in `states`, as an array of one record."""
    out: NDArray[Any] = np.zeros(1, states.dtype)
    write_view(out, states, viewer)
    return out


def _hash(memory: bytes, done: bytes, view: bytes) -> bytes:
    digest = hashlib.blake2b(memory, digest_size=MEMORY)
    digest.update(done)
    digest.update(view)
    return digest.digest()


_tree = lru_cache(maxsize=64)(Tree)


def restore_node(
    key: tuple[Any, ...], position: bytes | None, drawn: tuple[int, ...], seen: dict[int, tuple[bytes, bytes]]
) -> Node:
    """Return a node made from the data that `Node.__reduce__` has pickled. The node has no parent.

    * `key`: the arguments of `Tree`.
    * `position`: the position as bytes, or None before the deal.
    * `drawn`: the outcomes of the chance draws so far; empty after the deal.
    * `seen`: for each viewer, a hash of everything that the viewer has seen and done so far, and the viewer's latest
      view as bytes; empty before the deal.
    """
    tree = _tree(*key)
    if position is None:
        node = tree.root
        for outcome in drawn:
            node = node.play(outcome)
        return node
    node = tree.node_from_states(np.frombuffer(bytearray(position), tree.game.dtype))
    node._memories = seen
    return node


def tree_of(
    game: str | GameModule,
    seats: int | None = None,
    options: Mapping[str, str] | None = None,
    *,
    one_round: bool = False,
    pauses: bool = False,
    seed: int = 0,
    deals: int = 0,
) -> Tree:
    """Return the tree of a game for a number of players and options. Equal arguments give the same cached `Tree`.

    * `seats`: the number of players, by default the smallest that the game allows.
    * `one_round`: whether the game ends after its first round.
    * `pauses`: whether the caller plays the pause actions (which only confirm that the next round may begin). If not,
      the tree plays them automatically.
    * `seed`: determines a sequence of 2**32 deals, from which chance picks one.
    * `deals`: if above 0, chance picks one of the first `deals` deals, in one draw. If 0, it picks one of all 2**32, in
      four draws of 256 outcomes each.

    Raise `OptionError` (a `ValueError`) if the number of players or an option is invalid. Raise `ValueError` if `deals`
    is invalid.
    """
    loaded = load_game(game) if isinstance(game, str) else game
    players = loaded.info.seats[0] if seats is None else seats
    chosen = loaded.check_options(players, dict(options or {}))
    if not 0 <= deals <= MOST_DEALS:
        raise ValueError(f"deals must be from 1 to {MOST_DEALS}, or 0 for 2**32, not {deals}")
    return _tree(loaded.name, players, tuple(sorted(chosen.items())), one_round, pauses, seed, deals)
