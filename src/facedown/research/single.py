"""One match, stepped action by action: what environments of one table are made of.

>>> from facedown.core.game import catalogue
>>> match = SingleMatch(next(iter(catalogue())), seed="an example")
>>> while not match.over:
...     match.step(match.sample())
>>> match.decisions > 20, len(match.returns)
(True, 2)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from facedown.bots.observation import Layout, layout_of
from facedown.core.chance import key_of, quick_below, quick_start
from facedown.core.game import GameModule
from facedown.core.match import BY_CHANCE
from facedown.core.seeds import SEED_BYTES, new_seed, seed_from_text
from facedown.core.slots import MAX_LEGAL, known_view, shown_view
from facedown.core.state import ABANDONED, NOBODY, SPECTATOR, Position, View
from facedown.research.batch import BadBatch, IllegalAction, is_by_round
from facedown.research.game_tree.positions import TERMINAL, advance


class SingleMatch:
    """One match of a game: whose turn it is, what is legal, what a seat observes.

    Where several may act at the same time, `seat` is the lowest of them, and nobody sees a sealed choice of another.
    With ``unit="round"`` it ends with the first round. With ``memory=False`` seats observe what a person may look at
    now.

    Raises:
        BadBatch, UnknownGame, OptionError: It cannot be; the text says why.
    """

    def __init__(
        self,
        game: str | GameModule,
        seats: int | None = None,
        options: Mapping[str, str] | None = None,
        seed: str | bytes | None = None,
        *,
        unit: str = "match",
        memory: bool = True,
    ) -> None:
        self.layout: Layout = layout_of(game, seats, options)
        """The observation, slot by slot."""
        self.game = self.layout.game
        self.seats = self.layout.seats
        self.options = dict(self.layout.options)
        self.memory = memory
        self._by_round = is_by_round(self.game, unit)
        self._states: NDArray[Any] = np.zeros(1, self.game.dtype)
        self._begun: Any = self.game.begun(self.seats, self.options, bytes(SEED_BYTES))
        self._actions = np.empty(MAX_LEGAL, np.int32)
        self._luck = np.zeros(1, np.uint64)
        self.decisions = 0
        """How many were played."""
        self.seat = -1
        """Who is to act; −1 when it is over."""
        self.legal: NDArray[np.int32] = self._actions[:0]
        """The legal actions of the seat that is to act, ascending; written anew by the next step."""
        self.scored = False
        """May the last step have changed what the match has come to?"""
        self.reset(seed)

    def reset(self, seed: str | bytes | None = None) -> None:
        """Deal a new match; of a seed (a text, or 32 bytes), or of a new random one. `BadBatch` for another seed."""
        key = new_seed() if seed is None else seed if isinstance(seed, bytes) else seed_from_text(seed)
        try:
            words = key_of(key)
        except ValueError as wrong:
            raise BadBatch(str(wrong)) from None
        self._states[0] = self._begun
        self._states[0]["key"] = words
        self.game.rules.deal(self.state, np.empty(0, np.int64), BY_CHANCE)
        quick_start(self._luck, words, 0)
        self.decisions = 0
        self._go_on(NOBODY, -1)

    def _go_on(self, seat: int, action: int) -> None:
        """Play an action of a seat (-1: none), and see what is to be done then."""
        rest = False, self._by_round, self.game.rules.pause
        player, count, went_on = advance(self._states, seat, action, *rest, self._actions)
        self.seat = -1 if player == TERMINAL else player
        self.legal = self._actions[:count]
        self.scored = player == TERMINAL or went_on > 0

    def put(self, state: Position) -> None:
        """Go on from another state of such a table; `BadBatch` if it is none, and nothing has changed."""
        if getattr(state, "dtype", None) != self.game.dtype or state.viewer != NOBODY or state.seats != self.seats:
            raise BadBatch(f"this is no state of {self.game.name} at a table of {self.seats}")
        self._states[0] = state
        self._go_on(NOBODY, -1)

    @property
    def state(self) -> Any:
        """The record of the match, with every secret in it."""
        return self._states[0]

    @property
    def over(self) -> bool:
        """Has the match (or its one round) ended?"""
        return self.seat < 0

    @property
    def truncated(self) -> bool:
        """Did it end at the engine's guard?"""
        return int(self.state["over"]) == ABANDONED

    def mask(self, seat: int | None = None) -> NDArray[np.int8]:
        """1 for each legal action of the seat that is to act, a new array; noughts for another `seat`."""
        mask = np.zeros(self.game.actions, np.int8)
        if seat in (None, self.seat):
            mask[self.legal] = 1
        return mask

    def step(self, action: int, seat: int | None = None) -> None:
        """Play an action of the seat that is to act, or of another one that may act at the same time.

        `IllegalAction` if it may not, and nothing has changed.
        """
        if self.over:
            raise IllegalAction("the match is over", 0, int(action))
        mover = self.seat if seat is None else seat
        if mover != self.seat:
            self.check(mover, int(action))
        elif action not in self.legal:
            self._refuse(mover, int(action))
        self._go_on(mover, int(action))
        self.decisions += 1

    def check(self, seat: int, action: int) -> None:
        """Raise `IllegalAction` if a seat may not play an action now, by its own view."""
        if not 0 <= seat < self.seats or action not in self.game.legal(self.view(seat), seat):
            self._refuse(seat, action)

    def _refuse(self, seat: int, action: int) -> NoReturn:
        if not 0 <= action < self.game.actions:
            why = f"actions of {self.game.name} go from 0 to {self.game.actions - 1}, not to {action}"
        else:
            why = f"seat {seat} may not play {self.game.words.words(action)!r} now"
        raise IllegalAction(why, 0, action)

    def sample(self) -> int:
        """A random legal action, which follows from the seed and the calls so far; `IllegalAction` when it is over."""
        if self.over:
            raise IllegalAction("the match is over", 0, -1)
        return int(self.legal[quick_below(self._luck, len(self.legal))])

    @property
    def returns(self) -> NDArray[np.float64]:
        """What the match has come to for each seat so far, higher is better; a new array."""
        return np.array(self.game.returns(self.state))

    def observe(self, seat: int) -> NDArray[np.int16]:
        """The compact observation of a seat, or of the spectator; a new array. `BadBatch` if there is no such seat."""
        if not (0 <= seat < self.seats or seat == SPECTATOR):
            raise BadBatch(f"there is no seat {seat} at a table of {self.seats}")
        return self.layout.compact(self.view(seat))

    def view(self, seat: int) -> View:
        """The view of a seat, or of the spectator: what a bot is given."""
        return (known_view if self.memory else shown_view)(self.state, seat)
