"""One match, stepped in compiled code: the core of the single-table environments.

>>> from facedown.core.game_registry import catalogue
>>> match = SingleMatch(next(iter(catalogue())), seed="an example")
>>> while not match.over:
...     match.step(match.sample())
>>> match.decisions > 20, len(match.returns)
(True, 2)

`step` takes a few microseconds. The mask and the observation are computed only on request.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from facedown.bots.observation import ObservationLayout, layout_of
from facedown.bots.observation_codegen import observe
from facedown.core import rule_dispatch
from facedown.core.game_registry import GameModule
from facedown.core.hidden_cards import MAX_LEGAL, known_view, shown_view
from facedown.core.match import BY_CHANCE
from facedown.core.random_numbers import init_quick, key_of, quick_randint
from facedown.core.rule import rule, to_int64
from facedown.core.seeds import SEED_BYTES, new_seed, seed_from_text
from facedown.core.state import ABANDONED, MAX_SEATS, NOBODY, SPECTATOR, View
from facedown.research.batch import BadBatch, IllegalAction, is_round_episode, why_illegal
from facedown.research.batch_stepping import SPARE, write_seat_view
from facedown.research.game_tree.lazy_tree import play_pause_actions
from facedown.simulate.bot_matches import Actions

#: Mask of legal actions: 1 for a legal action, 0 for any other.
Mask = NDArray[np.int8]
#: Value that `play_action_and_pauses` returns as the seat if the action is not legal.
ILLEGAL = -1
#: Value passed to `play_action_and_pauses` in place of an action, to find the legal actions without playing.
NO_ACTION = -1


@rule
def play_action_and_pauses(
    states: Any, mover: int, action: int, count: int, pause: int, by_round: bool, legal: NDArray[np.int32]
) -> tuple[int, int, int]:
    """Play an action of the seat `mover`. If that ends a round, also play the pause actions, which only confirm that
    the next round may begin.

    Return three numbers:

    * the next seat to act; `TERMINAL` if the match is over, `ILLEGAL` if `action` was not legal and was not played
    * the number of legal actions of the next seat
    * 1 if a pause action was played, else 0

    The arguments are:

    * `states`: an array of one record.
    * `action`: an action of `mover`. If it is `NO_ACTION`, only pause actions are played.
    * `legal`: at the call, its first `count` elements are the legal actions of `mover`. On return, its first elements
      are the legal actions of the next seat.
    * `pause`: the id of the pause action.
    * `by_round`: whether the match ends after its first round.
    """
    if action >= 0:
        at = np.searchsorted(legal[:count], action)
        if at == count or legal[at] != action:
            return ILLEGAL, 0, 0
        rule_dispatch.apply(states[0], mover, action)
    return play_pause_actions(states[0], False, by_round, pause, legal)


@rule
def write_observation_and_mask(
    states: Any, seat: int, shown: bool, scratch: Any, out: NDArray[np.int16], legal: Actions, count: int, mask: Mask
) -> None:
    """Write the observation of a seat to `out`, an array of one row, and the mask of its legal actions to `mask`.

    The observation has the compact form: the numbers of the seat's view unchanged, not one-hot encoded.

    * `shown`: if true, the view has only the cards whose faces the seat can see at present. Otherwise it also has those
      that the seat has seen before.
    * `states`: an array of one record.
    * `legal`: its first `count` elements are the legal actions.
    * `scratch`: an array of one record, which is overwritten.
    """
    mask[:] = 0
    for k in range(count):
        mask[legal[k]] = 1
    write_seat_view(scratch, states[0], seat, shown)
    observe(scratch[0], out, 0)


@rule
def random_legal_action(legal: NDArray[np.int32], count: int, q: NDArray[np.uint64]) -> int:
    """Return one of the first `count` actions in `legal`, chosen at random.

    `q` is the state of a fast random number generator. Each call changes this state.
    """
    return to_int64(legal[quick_randint(q, count)])


class SingleMatch:
    """One match of a game, with the seat to act, its legal actions, and the observation of each seat.

    If several seats are to choose at the same time, the attribute `seat` is the lowest of them. In some games the other
    seats see its choice at once. Some games have an option (``final_mode=sealed``) that keeps such choices hidden until
    all seats have chosen.

    With ``unit="round"`` the match ends after its first round. With ``memory=False`` a seat observes only the cards
    whose faces it can see at present, and not those that it has seen before.

    Raises:
        BadBatch, UnknownGame, OptionError: The arguments are invalid; the text gives the reason.
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
        """Position and meaning of each number in an observation."""
        self.game = self.layout.game
        self.seats = self.layout.seats
        self.options = dict(self.layout.options)
        self.memory = memory
        self._pause = self.game.rules.pause
        self._by_round = is_round_episode(self.game, unit)
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
        """Number of legal actions; 0 when the match is over."""
        self.seat = -1
        """The seat to act; −1 when the match is over."""
        self.scored = False
        """Whether a round or the match ended in the last step, so that `returns` may have changed."""
        self.decisions = 0
        """Number of actions played."""
        self.reset(seed)

    def reset(self, seed: str | bytes | None = None) -> None:
        """Deal a new match from a seed (a text or 32 bytes), or from a random one. Raise `BadBatch` for bytes of
        another length.
        """
        key = new_seed() if seed is None else seed if isinstance(seed, bytes) else seed_from_text(seed)
        try:
            words = key_of(key)
        except ValueError as wrong:
            raise BadBatch(str(wrong)) from None
        self._states[0] = self._begun[0]
        self._states[0]["key"] = words
        self.game.rules.deal(self._states[0], np.empty(0, np.int64), BY_CHANCE)
        init_quick(self._luck, words, 0)
        self.decisions = 0
        self._play(NOBODY, NO_ACTION, 0)

    def _play(self, mover: int, action: int, count: int) -> None:
        found = play_action_and_pauses(self._states, mover, action, count, self._pause, self._by_round, self._legal)
        if found[0] == ILLEGAL:
            raise IllegalAction(why_illegal(self.game, mover, action), action=action)
        seat, self.count, went_on = found
        self.scored = went_on > 0 or self.count == 0
        self.seat = seat if self.count else -1

    @property
    def state(self) -> Any:
        """The state of the match as a NumPy record, hidden cards included."""
        return self._states[0]

    @property
    def over(self) -> bool:
        """Whether the match has ended; with ``unit="round"`` whether its first round has ended."""
        return self.count == 0

    @property
    def truncated(self) -> bool:
        """Whether the engine ended the match without a winner, because it reached the limit against endless play."""
        return int(self._states["over"][0]) == ABANDONED

    @property
    def legal(self) -> NDArray[np.int32]:
        """The legal actions of the seat to act, ascending. The next step overwrites the array."""
        return self._legal[: self.count]

    def mask(self) -> NDArray[np.int8]:
        """Return the mask of the legal actions of the seat to act, as a new array: 1 for a legal action, else 0.

        The index is the action's id. After the match all elements are 0.
        """
        mask = np.zeros(self.game.actions, np.int8)
        mask[self.legal] = 1
        return mask

    def step(self, action: int, seat: int | None = None) -> None:
        """Play an action of the seat to act, or of another `seat` that may act at the same time.

        Raise `IllegalAction` if the action is not legal or the match is over. In both cases the match is unchanged.
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
        """Raise `IllegalAction` unless `action` is a legal action of `seat`, judged by the view of the seat alone."""
        if not 0 <= seat < self.seats or action not in self.game.legal(self.view(seat), seat):
            raise IllegalAction(why_illegal(self.game, seat, action), action=action)

    def sample(self) -> int:
        """Return a random legal action. The same seed and the same sequence of calls give the same actions.

        Raise `IllegalAction` if the match is over.
        """
        if self.count == 0:
            raise IllegalAction("the match is over")
        return int(random_legal_action(self._legal, self.count, self._luck))

    @property
    def returns(self) -> NDArray[np.float64]:
        """The score of each seat so far, higher is better, as a new array."""
        self.game.rules.returns(self._states[0], self._returns)
        return self._returns[: self.seats].copy()

    def observe(self, seat: int) -> NDArray[np.int16]:
        """Return the observation of `seat`, which may be `SPECTATOR`, as a new array. Raise `BadBatch` for an invalid
        seat.

        The observation has the compact form: the numbers of the view unchanged, not one-hot encoded.
        """
        self._write_observation_and_mask(seat)
        row: NDArray[np.int16] = self._row[0].copy()
        return row

    def observation_and_mask(self, seat: int) -> tuple[NDArray[np.int16], NDArray[np.int8]]:
        """Return the observation of a seat, and the mask of its legal actions (1 for a legal action), as new arrays.

        The observation has the compact form: the numbers of the view unchanged, not one-hot encoded. The mask of a seat
        other than the attribute `seat` is all 0. Raise `BadBatch` for an invalid seat.
        """
        self._write_observation_and_mask(seat)
        return self._row[0].copy(), self._mask.copy()

    def _write_observation_and_mask(self, seat: int) -> None:
        if not (0 <= seat < self.seats or seat == SPECTATOR):
            raise BadBatch(f"seat must be from 0 to {self.seats - 1}, not {seat}")
        count = self.count if seat == self.seat else 0
        write_observation_and_mask(
            self._states, seat, not self.memory, self._scratch, self._row, self._legal, count, self._mask
        )

    def view(self, seat: int) -> View:
        """Return the view of a seat or of `SPECTATOR`: a record with what this viewer knows, in the form that bots get.

        If the match was created with ``memory=False``, the view hides the cards that the viewer has seen before but
        cannot see at present.
        """
        return (known_view if self.memory else shown_view)(self._states[0], seat)
