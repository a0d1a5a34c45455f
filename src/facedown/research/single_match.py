"""One match, stepped without Python in between: what environments of one table are made of.

>>> from facedown.core.game_registry import catalogue
>>> match = SingleMatch(next(iter(catalogue())), seed="an example")
>>> while not match.over:
...     match.step(match.sample())
>>> match.decisions > 20, len(match.returns)
(True, 2)

`step` takes a few microseconds; the mask and the observation are worked out when somebody asks for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from facedown.bots.observation import ObservationLayout, layout_of
from facedown.bots.observation_codegen import observe
from facedown.core import dispatch
from facedown.core.game_registry import GameModule
from facedown.core.hidden_cards import MAX_LEGAL, known_view, shown_view
from facedown.core.match import BY_CHANCE
from facedown.core.random_numbers import key_of, quick_below, seed_quick_generator
from facedown.core.rule import rule, to_int64
from facedown.core.seeds import SEED_BYTES, new_seed, seed_from_text
from facedown.core.state import ABANDONED, MAX_SEATS, NOBODY, SPECTATOR, View
from facedown.research.batch import BadBatch, IllegalAction, is_by_round, why_illegal
from facedown.research.batch_stepping import SPARE, make_view
from facedown.research.game_tree.lazy_tree import skip_pauses
from facedown.simulate.bot_matches import Actions

#: 1 for each action that is legal, else 0.
Mask = NDArray[np.int8]
#: The seat that `play_one` returns for an action that is not legal.
ILLEGAL = -1
#: Asked for instead of an action: nothing is played, only looked.
NO_ACTION = -1


@rule
def play_one(
    states: Any, mover: int, action: int, count: int, pause: int, by_round: bool, legal: NDArray[np.int32]
) -> tuple[int, int, int]:
    """Compiled entry: play an action of the seat `mover`, continue after a round, return what `skip_pauses` returns.

    `legal` has the `count` legal actions of the mover, and receives the next ones of the lowest acting seat. `ILLEGAL`:
    the action is not among them, and nothing was played.
    """
    if action >= 0:
        at = np.searchsorted(legal[:count], action)
        if at == count or legal[at] != action:
            return ILLEGAL, 0, 0
        dispatch.apply(states[0], mover, action)
    return skip_pauses(states[0], False, by_round, pause, legal)


@rule
def write_observation_and_mask(
    states: Any, seat: int, shown: bool, scratch: Any, out: NDArray[np.int16], legal: Actions, count: int, mask: Mask
) -> None:
    """Compiled entry: the compact observation of a seat (of its view) into `out`, which has one row, and into `mask` 1
    for each of the first `count` of `legal`.

    `scratch` is room for a record.
    """
    mask[:] = 0
    for k in range(count):
        mask[legal[k]] = 1
    make_view(scratch, states[0], seat, shown)
    observe(scratch[0], out, 0)


@rule
def random_legal_action(legal: NDArray[np.int32], count: int, q: NDArray[np.uint64]) -> int:
    """Compiled entry: a random one of the first `count` of `legal`, by the quick generator `q`."""
    return to_int64(legal[quick_below(q, count)])


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
        self.layout: ObservationLayout = layout_of(game, seats, options)
        """The observation, slot by slot."""
        self.game = self.layout.game
        self.seats = self.layout.seats
        self.options = dict(self.layout.options)
        self.memory = memory
        self._pause = self.game.rules.pause
        self._by_round = is_by_round(self.game, unit)
        self._states: Any = np.zeros(1, self.game.dtype)
        self._legal = np.zeros(MAX_LEGAL + SPARE, np.int32)
        self._scratch = np.zeros(1, self.game.dtype)
        self._row = np.zeros((1, self.layout.size), np.int16)
        self._mask = np.zeros(self.game.actions, np.int8)
        self._begun: Any = np.zeros(1, self.game.dtype)
        self._begun[0] = self.game.undealt_state(self.seats, self.options, bytes(SEED_BYTES))
        self._returns = np.zeros(MAX_SEATS, np.float64)
        self._luck = np.zeros(1, np.uint64)
        self.count = 0
        """How many actions are legal."""
        self.seat = -1
        """Who is to act; −1 when it is over."""
        self.scored = False
        """May the last step have changed what the match has come to?"""
        self.decisions = 0
        """How many were played."""
        self.reset(seed)

    def reset(self, seed: str | bytes | None = None) -> None:
        """Deal a new match; of a seed (a text, or 32 bytes), or of a new random one. `BadBatch` for another seed."""
        key = new_seed() if seed is None else seed if isinstance(seed, bytes) else seed_from_text(seed)
        try:
            words = key_of(key)
        except ValueError as wrong:
            raise BadBatch(str(wrong)) from None
        self._states[0] = self._begun[0]
        self._states[0]["key"] = words
        self.game.rules.deal(self._states[0], np.empty(0, np.int64), BY_CHANCE)
        seed_quick_generator(self._luck, words, 0)
        self.decisions = 0
        self._play(NOBODY, NO_ACTION, 0)

    def _play(self, mover: int, action: int, count: int) -> None:
        found = play_one(self._states, mover, action, count, self._pause, self._by_round, self._legal)
        if found[0] == ILLEGAL:
            raise IllegalAction(why_illegal(self.game, mover, action), action=action)
        seat, self.count, went_on = found
        self.scored = went_on > 0 or self.count == 0
        self.seat = seat if self.count else -1

    @property
    def state(self) -> Any:
        """The record of the match, with every secret in it."""
        return self._states[0]

    @property
    def over(self) -> bool:
        """Has the match (or its one round) ended?"""
        return self.count == 0

    @property
    def truncated(self) -> bool:
        """Did it end at the engine's guard?"""
        return int(self._states["over"][0]) == ABANDONED

    @property
    def legal(self) -> NDArray[np.int32]:
        """The legal actions of the seat that is to act, ascending; written anew by the next step."""
        return self._legal[: self.count]

    def mask(self) -> NDArray[np.int8]:
        """1 for each legal action, a new array."""
        mask = np.zeros(self.game.actions, np.int8)
        mask[self.legal] = 1
        return mask

    def step(self, action: int, seat: int | None = None) -> None:
        """Play an action of the seat that is to act, or of another one that may act at the same time.

        `IllegalAction` if it may not, and nothing has changed.
        """
        if self.count == 0:
            raise IllegalAction("the match is over")
        mover, count = self.seat, self.count
        if seat is not None and seat != mover:
            self.check(seat, int(action))
            mover, count, self._legal[0] = seat, 1, action
        if action < 0:
            raise IllegalAction(why_illegal(self.game, mover, int(action)), action=int(action))
        self._play(mover, int(action), count)
        self.decisions += 1

    def check(self, seat: int, action: int) -> None:
        """Raise `IllegalAction` if a seat may not play an action now, by its own view."""
        if not 0 <= seat < self.seats or action not in self.game.legal(self.view(seat), seat):
            raise IllegalAction(why_illegal(self.game, seat, action), action=action)

    def sample(self) -> int:
        """A random legal action, which follows from the seed and the calls so far; `IllegalAction` when it is over."""
        if self.count == 0:
            raise IllegalAction("the match is over")
        return int(random_legal_action(self._legal, self.count, self._luck))

    @property
    def returns(self) -> NDArray[np.float64]:
        """What the match has come to for each seat so far, higher is better; a new array."""
        self.game.rules.returns(self._states[0], self._returns)
        return self._returns[: self.seats].copy()

    def observe(self, seat: int) -> NDArray[np.int16]:
        """The compact observation of a seat, or of the spectator; a new array. `BadBatch` if there is no such seat."""
        self._write_observation(seat)
        row: NDArray[np.int16] = self._row[0].copy()
        return row

    def observation_and_mask(self, seat: int) -> tuple[NDArray[np.int16], NDArray[np.int8]]:
        """The compact observation of a seat, and 1 for each action that it may play; new arrays.

        `BadBatch` if there is no such seat.
        """
        self._write_observation(seat)
        return self._row[0].copy(), self._mask.copy()

    def _write_observation(self, seat: int) -> None:
        if not (0 <= seat < self.seats or seat == SPECTATOR):
            raise BadBatch(f"there is no seat {seat} at a table of {self.seats}")
        count = self.count if seat == self.seat else 0
        write_observation_and_mask(
            self._states, seat, not self.memory, self._scratch, self._row, self._legal, count, self._mask
        )

    def view(self, seat: int) -> View:
        """The view of a seat, or of the spectator: what a bot is given."""
        return (known_view if self.memory else shown_view)(self._states[0], seat)
