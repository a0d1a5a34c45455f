"""`Tree`: positions of a game made as they are played to; none is ever changed. OpenSpiel and tree searches use it.

A `Node` is a position with all its secrets, who is to act and what is legal; `Node.play` gives the next one and leaves
this one as it is. So a copy of a node is the node itself, and what was once worked out for it stays.

Chance moves at the root alone: it picks the number of a deal, and every later shuffle follows from that deal's key.
Where several seats are to act at once, they act one after the other, the lowest first. A sealed choice stays sealed
until all have chosen. An open one is seen by the seats after it; an option that seals such choices avoids that
(``final_mode=sealed``). After a round everybody goes on at once, unless that is asked to be a move of its own.

What a seat sees comes from its view (`core.hidden_cards`), and what it remembers (`Node.memory`) from all its views and
its own actions so far: no text and no tensor of a seat is made of anything else.

>>> from facedown.core.game_registry import catalogue
>>> tree = tree_of(next(iter(catalogue())), deals=6)
>>> tree.root.player == CHANCE, len(tree.root.legal)
(True, 6)
>>> node = tree.root.play(3)
>>> first, second = node.play(node.legal[0]), node.play(node.legal[1])
>>> node.player, first.player
(0, 1)
>>> first.memory(1) == second.memory(1), first.memory(0) == second.memory(0)
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

from facedown.core import dispatch
from facedown.core.dispatch import lowest_acting
from facedown.core.game_registry import GameModule
from facedown.core.game_registry import game as load_game
from facedown.core.hidden_cards import MAX_LEGAL, mask_unknown, redeal_into
from facedown.core.random_numbers import key_of
from facedown.core.rule import rule
from facedown.core.seeds import seed_from_text
from facedown.core.state import RUNNING, SPECTATOR, Position, View
from facedown.simulate.bot_matches import Actions
from facedown.simulate.random_playouts import deal_into

#: Instead of a seat: chance is to act; the game is over. They are OpenSpiel's numbers.
CHANCE = -1
TERMINAL = -4
#: All deals there are, in so many draws of one byte each.
DRAWS = 4
BYTE = 256
#: No more deals than this are listed at the root.
MOST_DEALS = 1 << 16
#: Bytes of what a seat remembers.
MEMORY = 16
#: In what a seat remembers: it did nothing between two views.
NOTHING = b"-"


@rule
def skip_pauses(
    s: Position, keep: bool, one_round: bool, pause: int, actions: NDArray[np.int32]
) -> tuple[int, int, int]:
    """Go on after a round unless `keep`; who is to act then (`TERMINAL`: the game is over), with how many actions.

    The third number is 1 if somebody went on. `actions` takes the legal ones; with `one_round` the game ends with its
    first round.
    """
    went_on = 0
    while True:
        seat = lowest_acting(s)
        if seat < 0 or s.over != RUNNING:
            return TERMINAL, 0, went_on
        n = dispatch.legal(s, seat, actions)
        pausing = n == 1 and actions[0] == pause
        if pausing and one_round:
            return TERMINAL, 0, went_on
        if keep or not pausing:
            return seat, n, went_on
        dispatch.apply(s, seat, pause)
        went_on = 1


@rule
def advance(
    out: Any, states: Any, seat: int, action: int, keep: bool, one_round: bool, pause: int, actions: Actions
) -> tuple[int, int, int]:
    """Compiled entry: the position after an action goes into `out`, and what is said of it is that of `skip_pauses`.

    Both positions, `out` and that before in `states`, are arrays of one; `actions` is room for legal ones.
    """
    out[0] = states[0]
    dispatch.apply(out[0], seat, action)
    return skip_pauses(out[0], keep, one_round, pause, actions)


@rule
def view_into(out: Any, states: Any, viewer: int) -> None:
    """Compiled entry: what the viewer knows of a position, an array of one, goes into `out`, another."""
    out[0] = states[0]
    mask_unknown(out[0], viewer)


@dataclass(frozen=True)
class Tree:
    """A game for so many players with its options, dealt from a seed."""

    name: str
    """The game."""
    seats: int
    chosen: tuple[tuple[str, str], ...]
    """Its options."""
    one_round: bool = False
    """Is the game over with its first round?"""
    pauses: bool = False
    """Is going on after a round a move?"""
    seed: int = 0
    deals: int = 0

    @cached_property
    def game(self) -> GameModule:
        """The game with its rules."""
        return load_game(self.name)

    @cached_property
    def options(self) -> dict[str, str]:
        """Its options, by name."""
        return dict(self.chosen)

    @cached_property
    def outcomes_per_draw(self) -> tuple[int, ...]:
        """How many outcomes each draw of chance has."""
        return (self.deals,) if self.deals else (BYTE,) * DRAWS

    @cached_property
    def root(self) -> Node:
        """The position before chance draws."""
        return Node(self, None, CHANCE, tuple(range(self.outcomes_per_draw[0])))

    @cached_property
    def initial_states(self) -> NDArray[Any]:
        """What every match begins with, an array of one record."""
        begun: NDArray[Any] = np.zeros(1, self.game.dtype)
        begun[0] = self.game.undealt_state(self.seats, self.options, bytes(32))
        return begun

    def deal_node(self, drawn: tuple[int, ...]) -> Node:
        """The position that a finished draw deals: match number n of `playouts` with the same seed."""
        number = 0
        for outcome, outcomes in zip(drawn, self.outcomes_per_draw, strict=True):
            number = number * outcomes + outcome
        states: NDArray[Any] = np.zeros(1, self.game.dtype)
        deal_into(states, self.initial_states, key_of(seed_from_text(str(self.seed))), number)
        return self.node_from_states(states)

    def node_from_states(self, states: NDArray[Any]) -> Node:
        """The node of a position that follows from no other; `states` is an array of it alone."""
        actions = np.empty(MAX_LEGAL, np.int32)
        player, n, _ = skip_pauses(states[0], self.pauses, self.one_round, self.game.rules.pause, actions)
        return Node(self, states, player, tuple(actions[:n].tolist()))

    def apply_action(
        self, states: NDArray[Any], seat: int, action: int, keep: bool
    ) -> tuple[NDArray[Any], int, tuple[int, ...], int]:
        """The position after an action, who is to act then, what is legal, and whether all went on (not if `keep`).

        `states` is the position before, an array of one.
        """
        after: NDArray[Any] = np.zeros(1, self.game.dtype)
        actions = np.empty(MAX_LEGAL, np.int32)
        pause = self.game.rules.pause
        player, n, went_on = advance(after, states, seat, action, keep, self.one_round, pause, actions)
        return after, player, tuple(actions[:n].tolist()), went_on


@dataclass(slots=True, eq=False)
class Node:
    """A position of a tree. It is never changed."""

    tree: Tree
    states: NDArray[Any] | None
    """The position, an array of one; None before the deal."""
    player: int
    """The seat to act, `CHANCE` or `TERMINAL`."""
    legal: tuple[int, ...]
    """Its legal actions, ascending; before the deal the outcomes of chance."""
    parent: Node | None = None
    """The position before, where this one followed from an action of a seat."""
    seat: int = CHANCE
    """Who took that action,"""
    action: int = 0
    """and which it was."""
    went_on: int = 0
    """Did everybody go on after a round, unasked?"""
    drawn: tuple[int, ...] = ()
    """What chance has drawn so far, before the deal."""
    _memories: dict[int, tuple[bytes, bytes]] = field(default_factory=dict)

    def __deepcopy__(self, memo: dict[int, Any]) -> Node:
        # Nobody changes it.
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
        """The position after an action of whoever is to act; `ValueError` if it is not legal."""
        if action not in self.legal:
            raise ValueError(self._refusal(action))
        states, tree = self.states, self.tree
        if states is None:
            drawn = (*self.drawn, action)
            if len(drawn) == len(tree.outcomes_per_draw):
                return tree.deal_node(drawn)
            return Node(tree, None, CHANCE, tuple(range(tree.outcomes_per_draw[len(drawn)])), drawn=drawn)
        after, player, legal, went_on = tree.apply_action(states, self.player, action, tree.pauses)
        return Node(tree, after, player, legal, self, self.player, action, went_on)

    def _refusal(self, action: int) -> str:
        if self.player == TERMINAL:
            return f"the game is over: action {action} cannot be played"
        if self.player == CHANCE:
            return f"chance has outcomes 0 to {len(self.legal) - 1}, not {action}"
        view, game = self.view(self.player), self.tree.game
        return f"action {action} is not legal for player {self.player}. {game.why_not(view, action)}"

    def view(self, viewer: int) -> View:
        """All that a viewer (a seat or `SPECTATOR`) knows; `ValueError` before the deal."""
        return cast(View, self._view(viewer)[0])

    def _view(self, viewer: int) -> NDArray[Any]:
        if self.states is None:
            raise ValueError("nobody knows anything before the deal")
        return _view_of(self.states, viewer)

    def returns(self) -> tuple[float, ...]:
        """The scores of all seats, higher is better; noughts before the end."""
        if self.states is None or self.player != TERMINAL:
            return (0.0,) * self.tree.seats
        return tuple(self.tree.game.returns(self.states[0]))

    # --- what is remembered -------------------------------------------------------------------------------------------

    def memory(self, viewer: int) -> bytes:
        """All that a viewer has seen and done so far, as `MEMORY` bytes: other pasts, other bytes.

        They are a hash (BLAKE2b) of the viewer's views, each as often as it changed, and of its own actions. Of a
        position that was redealt, another seat is taken to remember what is public, and what it knows now.
        """
        return b"" if self.states is None else self._memory_and_view(viewer)[0]

    def _memory_and_view(self, viewer: int) -> tuple[bytes, bytes]:
        """The memory, and the view it ends with."""
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
            # They saw the end of the round before they went on.
            end, *_ = self.tree.apply_action(parent.states, self.seat, self.action, keep=True)
            last = _view_of(end, viewer).tobytes()
            memory, done = _hash(memory, done, last), NOTHING
        view = self._view(viewer).tobytes()
        if view == last and done == NOTHING:
            return memory, last
        return _hash(memory, done, view), view

    # --- other worlds -------------------------------------------------------------------------------------------------

    def redealt(self, seat: int, key: NDArray[np.uint32]) -> Node:
        """A random position that fits all that `seat` knows, who remembers the same; `key` is eight random words.

        Raises:
            ValueError: Before the deal.
            RuntimeError: No world was found that fits.
        """
        view = self._view(seat)
        states: NDArray[Any] = np.zeros(1, self.tree.game.dtype)
        if not redeal_into(states, view[0], key):
            raise RuntimeError("no world fits this view")
        found = self.tree.node_from_states(states)
        found._memories = {seat: self._memory_and_view(seat), SPECTATOR: self._memory_and_view(SPECTATOR)}
        return found


def _view_of(states: NDArray[Any], viewer: int) -> NDArray[Any]:
    """What a viewer knows of a position, an array of one."""
    out: NDArray[Any] = np.zeros(1, states.dtype)
    view_into(out, states, viewer)
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
    """A node that was kept as plain values."""
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
    """The tree of a game at a table of so many seats (as few as can play); equal arguments give the same tree.

    Chance picks one of `deals` deals that are expanded from the seed, or with 0 one of 2**32, in four draws of 256
    outcomes each. `ValueError` (an `OptionError` for what the game does not have) says what cannot be.
    """
    loaded = load_game(game) if isinstance(game, str) else game
    players = loaded.info.seats[0] if seats is None else seats
    chosen = loaded.check_options(players, dict(options or {}))
    if not 0 <= deals <= MOST_DEALS:
        raise ValueError(f"deals = {deals}: chance can pick one of 1 to {MOST_DEALS} deals, or with 0 one of 2**32")
    return _tree(loaded.name, players, tuple(sorted(chosen.items())), one_round, pauses, seed, deals)
