"""Batch environment: thousands of matches, stepped together in compiled code.

Each match waits for the action of one seat. If several seats are to choose at the same time, the lowest acts first. In
some games the other seats see this choice at once, which is an advantage for them. For learning, use an option that
keeps such choices hidden until all have chosen, if the game has one (``final_mode=sealed``, see docs/research.md).

For each match, `BatchEnv` holds the seat to act, that seat's observation (`bots.observation`), the mask of its legal
actions, and the rewards of the last step. `step` plays an action in each match.

>>> from facedown.core.game_registry import catalogue
>>> env = BatchEnv(next(iter(catalogue())), 3, seats=2, seed="an example")
>>> env.reset()
>>> env.seat.tolist(), env.mask.sum(axis=1).tolist(), env.observation.shape
([0, 0, 0], [4, 4, 4], (3, 245))
>>> env.step(env.sample())
>>> env.seat.tolist(), env.reward.shape, bool(env.done.any())
([1, 1, 1], (3, 2), False)

Each step overwrites the arrays of the environment. With the argument `out` these are the caller's own arrays. The
results of a match follow from the seed and the actions, and depend neither on the number of threads nor on the other
matches.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from facedown.bots.observation import ObservationLayout, layout_of
from facedown.core.game_registry import GameModule
from facedown.core.game_registry import game as load_game
from facedown.core.hidden_cards import MAX_LEGAL
from facedown.core.random_numbers import init_quick, key_of
from facedown.core.seeds import new_seed, seed_from_text
from facedown.core.state import NOBODY, RUNNING
from facedown.research.action_parameters import ActionTable, action_table_of
from facedown.research.batch_stepping import (
    KEPT,
    LENGTH,
    NUMBER,
    OVER,
    TO_DEAL,
    TO_SHOW,
    WAITING,
    Buffers,
    Form,
    Matches,
    Player,
    Restart,
    Settings,
    SharedConfig,
    first_illegal_match,
    sample_actions,
    step_matches,
)


class BadBatch(ValueError):
    """Error: invalid arguments or arrays of a batch. The message gives the reason in one line. The batch has not
    changed.
    """


class IllegalAction(BadBatch):
    """Error: an action is not legal, so no match was stepped.

    The message gives the reason. The attribute `match` is the index of the match in the batch, or 0 for a single match.
    """

    def __init__(self, text: str, match: int = 0, action: int = -1) -> None:
        super().__init__(text)
        self.match = match
        self.action = action


Seed = str | bytes | None
#: First bytes of a snapshot (`BatchEnv.snapshot`): the name and the version of its format.
MAGIC = b"facedown batch 2\n"
#: Kinds of player that the argument `players` of `BatchEnv` can assign to a seat, by name.
PLAYERS = {
    "": Player.CALLER,
    "caller": Player.CALLER,
    "random": Player.RANDOM,
    "greedy": Player.GREEDY,
    "casual": Player.GREEDY,
}


class BatchEnv:
    """Many matches of one game, stepped together.

    * `observation`: "compact", "one-hot" or "none".
    * `restart`: when the next match replaces one that is over (`Restart`): "same step", "next step" or "never".
    * `unit`: "match", or "round" if an episode is one round (or hand).
    * `memory`: if False, a seat observes only the cards whose faces it can see at present, and not those that it has
      seen before.
    * `players`: who plays each seat: "" (the caller), "random" or "greedy". `step` also plays the moves of these bots.
    * `out`: arrays of the caller to which the results are written.

    `step` also plays the pause actions, which only confirm that the next round may begin.

    The batch has `matches` places, and the arrays have an index for each place. At each place, one match is played
    after another. The first match at index ``i`` has the number ``i``, the next one ``i + matches``, and so on.

    The seed (a text or 32 bytes) determines every deal and all random choices of bots. With the same seed,
    `simulate.random_playouts.playouts` deals the same cards to the match with the same number.

    Raises:
        BadBatch, UnknownGame, OptionError: The arguments are invalid; the message gives the reason.
    """

    def __init__(
        self,
        game: str | GameModule,
        matches: int,
        seats: int | None = None,
        options: Mapping[str, str] | None = None,
        seed: str | bytes | None = None,
        *,
        observation: str = "compact",
        restart: str = "same step",
        unit: str = "match",
        memory: bool = True,
        players: Sequence[str] = (),
        threads: int = 1,
        out: Buffers | None = None,
    ) -> None:
        self.game = load_game(game) if isinstance(game, str) else game
        if matches < 1:
            raise BadBatch(f"matches must be at least 1, not {matches}")
        if threads < 1:
            raise BadBatch(f"threads must be at least 1, not {threads}")
        self.layout: ObservationLayout = layout_of(self.game, seats, options)
        """Position and meaning of each number in an observation."""
        self.matches = matches
        self.seats = self.layout.seats
        self.options = dict(self.layout.options)
        self.actions = self.game.actions
        self.form = _enum_member(Form, observation, "observation")
        self.restart = _enum_member(Restart, restart, "restart")
        by_round = is_round_episode(self.game, unit)
        self._players = _players(self.game, players, self.seats)
        self.setting: dict[str, Any] = {
            "game": self.game.name,
            "matches": matches,
            "seats": self.seats,
            "options": self.options,
            "observation": self.form.name,
            "restart": self.restart.name,
            "unit": unit,
            "memory": memory,
            "players": [player.name.lower() for player in self._players],
        }
        """The settings of the batch. Two batches with equal settings and equal seed have the same matches."""
        self._settings = Settings(
            self.game.rules.pause, int(self.restart), int(by_round), int(self.form), int(not memory), self.seats
        )
        self._threads = min(threads, matches)
        self._pool: ThreadPoolExecutor | None = None
        self._pool_owner = 0
        self._states: NDArray[Any] = np.zeros(matches, self.game.dtype)
        self._kept = np.zeros((matches, KEPT), np.int64)
        self._kept[:, WAITING] = OVER
        self._matches = Matches(
            self._states,
            self._kept,
            np.zeros(matches, np.uint64),
            np.zeros((matches, self.seats), np.float64),
            np.zeros((matches, min(self.actions, MAX_LEGAL)), np.int32),
        )
        self.out = self._check_or_create_buffers(out)
        """The arrays that `reset` and `step` write."""
        self.observation: NDArray[Any] = self.out.one_hot if self.form == Form.ONE_HOT else self.out.compact
        """The observation of the acting seat of each match, in the chosen form; zeros where no seat acts."""
        self.mask: NDArray[np.int8] = self.out.mask
        """The mask of legal actions of the acting seat, 1 for a legal action: (matches, actions)."""
        self.seat: NDArray[np.int8] = self.out.seat
        """The seat to act in each match, or −1 if the match is over."""
        self.reward: NDArray[np.float32] = self.out.reward
        """The change of each seat's return in the last step: (matches, seats)."""
        self.done: NDArray[np.bool_] = self.out.done
        """Whether each match (or round) ended in the last step; with restart "never", whether it is over."""
        self._scratch = [np.zeros(1, self.game.dtype) for _ in range(self._threads)]
        self._started = False
        self._set_seeds(seed)

    # --- set-up -------------------------------------------------------------------------------------------------------

    def _set_seeds(self, seed: Seed | Sequence[Seed]) -> None:
        given = [seed] if seed is None or isinstance(seed, str | bytes) else list(seed)
        if given != [seed] and len(given) != self.matches:
            raise BadBatch(f"expected {self.matches} seeds, one for each match, not {len(given)}")
        keys = [new_seed() if one is None else one if isinstance(one, bytes) else seed_from_text(one) for one in given]
        try:
            masters = np.array([key_of(key) for key in keys])
        except ValueError as wrong:
            raise BadBatch(str(wrong)) from None
        begun = np.zeros(1, self.game.dtype)
        begun[0] = self.game.undealt_state(self.seats, self.options, keys[0])
        players = np.array(self._players, np.int64)
        masters = np.ascontiguousarray(np.broadcast_to(masters, (self.matches, masters.shape[1])))
        self._table = SharedConfig(begun, masters, self._settings, players, self.layout.one_hot_encodings)
        self._luck = np.zeros(1, np.uint64)
        init_quick(self._luck, masters[0], 0)

    def _check_or_create_buffers(self, given: Buffers | None) -> Buffers:
        """Return the given buffers, or new ones if `given` is None.

        Raise `BadBatch` if a given array has the wrong shape or type, or is not contiguous and writeable.
        """
        n = self.matches
        compact = self.layout.size if self.form == Form.COMPACT else 0
        one_hot = self.layout.one_hot_size if self.form == Form.ONE_HOT else 0
        fitting = Buffers(
            compact=np.zeros((n, compact), np.int16),
            one_hot=np.zeros((n, one_hot), np.float32),
            mask=np.zeros((n, self.actions), np.int8),
            seat=np.zeros(n, np.int8),
            reward=np.zeros((n, self.seats), np.float32),
            done=np.zeros(n, np.bool_),
            truncated=np.zeros(n, np.bool_),
            length=np.zeros(n, np.int32),
        )
        if given is None:
            return fitting
        for name, fit in fitting._asdict().items():
            array: Any = getattr(given, name)
            if not isinstance(array, np.ndarray) or array.shape != fit.shape or array.dtype != fit.dtype:
                what = f"{array.shape} {array.dtype}" if isinstance(array, np.ndarray) else type(array).__name__
                raise BadBatch(f"out.{name} must be an array of {fit.shape} {fit.dtype}, not {what}")
            if not (array.flags.c_contiguous and array.flags.writeable):
                raise BadBatch(f"out.{name} must be contiguous and writeable")
        return given

    # --- properties ---------------------------------------------------------------------------------------------------

    @cached_property
    def action_table(self) -> ActionTable:
        """Table of all actions of the game. Row ``a`` has the parameters of action ``a`` as numbers."""
        return action_table_of(self.game.name)

    @property
    def match_number(self) -> NDArray[np.int64]:
        """For each place in the batch (each array index), the number of the match that is running or has just ended.

        The first match at index ``i`` has the number ``i``, the next one ``i + matches``, and so on. Together with the
        seed, the number determines the deal.
        """
        ended = self._kept[:, WAITING] != 0
        return self._kept[:, NUMBER] - np.where(ended, self.matches, 0)

    # --- stepping -----------------------------------------------------------------------------------------------------

    def reset(self, seed: Seed | Sequence[Seed] = None, which: NDArray[np.bool_] | None = None) -> None:
        """Deal a new match at every place in the batch (every array index), or only at some of them.

        Without `which`, deal the first match at every index. With `which`, deal the next match at each index where
        `which` is True.

        A `seed` replaces the current one. A sequence must have one seed for each index. Each seed then determines all
        deals at its index.

        Raise `BadBatch` in these cases:

        * `which` is not an array of one boolean per match;
        * both `which` and `seed` are given;
        * `which` is given before the first reset.
        """
        if which is None:
            if seed is not None:
                self._set_seeds(seed)
            self._kept[:] = 0
            self._kept[:, NUMBER] = np.arange(self.matches)
            self._kept[:, WAITING] = TO_DEAL
            self._started = True
        else:
            self._check_partial_reset(seed, which)
            going_on = which & (self._kept[:, WAITING] == 0)
            self._kept[going_on, NUMBER] += self.matches
            self._kept[which, WAITING] = TO_DEAL
        self._step_all_matches(np.empty(0, np.int64))
        self.out.reward[:] = 0.0

    def _check_partial_reset(self, seed: Seed | Sequence[Seed], which: Any) -> None:
        self._check_started()
        if seed is not None:
            raise BadBatch("a seed can only be given to reset all matches")
        if not isinstance(which, np.ndarray) or which.shape != (self.matches,) or which.dtype != np.bool_:
            raise BadBatch(f"expected {self.matches} booleans, one for each match")

    def _check_started(self) -> None:
        if not self._started:
            raise BadBatch("no match is running: call reset first")

    def step(self, actions: NDArray[Any]) -> None:
        """Play an action in each match; `actions` has one number per match. The action of a match that is over is
        ignored.

        Raises:
            IllegalAction: An action is not legal; no match was stepped.
            BadBatch: `actions` has the wrong shape or type, or `reset` was not called yet.
        """
        self._check_started()
        given = np.asarray(actions)
        if given.shape != (self.matches,) or given.dtype.kind not in "iu":
            raise BadBatch(f"expected {self.matches} integers as actions, not {given.shape} {given.dtype}")
        wide = np.ascontiguousarray(given, np.int64)
        wrong = int(first_illegal_match(wide, self._matches.legal, self._kept, 0, self.matches))
        if wrong >= 0:
            action = int(wide[wrong])
            why = why_illegal(self.game, int(self.out.seat[wrong]), action)
            raise IllegalAction(f"match {wrong}, action {action}: {why}", wrong, action)
        self._step_all_matches(wide)

    def _step_all_matches(self, actions: NDArray[np.int64]) -> None:
        def part(first: int, end: int, scratch: NDArray[Any]) -> None:
            step_matches(first, end, self._matches, self._table, scratch, actions, self.out)

        if self._threads == 1:
            part(0, self.matches, self._scratch[0])
            return
        # A forked process does not inherit the threads of its parent, so it needs its own pool.
        if self._pool is None or self._pool_owner != os.getpid():
            self._pool, self._pool_owner = ThreadPoolExecutor(self._threads), os.getpid()
        borders = [self.matches * each // self._threads for each in range(self._threads + 1)]
        list(self._pool.map(part, borders, borders[1:], self._scratch))

    def sample(self) -> NDArray[np.int64]:
        """Return a random legal action for each match, 0 where no seat acts. The same seed and the same sequence of
        calls give the same actions.
        """
        self._check_started()
        actions = np.empty(self.matches, np.int64)
        sample_actions(self._matches.legal, self._kept, self._luck, actions)
        return actions

    def close(self) -> None:
        """Stop the threads. A later step starts new ones."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    # --- state, snapshots and pickling --------------------------------------------------------------------------------

    def __reduce__(self) -> tuple[Any, ...]:
        # A copy needs its own arrays and threads, so only the settings and a snapshot are pickled or copied.
        return _unpickle, (self.setting, self._threads, self._packed(), self._started)

    @property
    def state(self) -> bytes:
        """The states of all matches as bytes: one record after the other, hidden cards included."""
        return self._states.tobytes()

    @state.setter
    def state(self, given: bytes) -> None:
        """Replace the states of all matches by states of the same game and number of seats; play continues from them.

        Raise `BadBatch` and change nothing if the bytes do not hold one state for each match, or if a state has another
        number of seats.
        """
        states = np.frombuffer(given, np.uint8)
        if len(states) != (size := self._states.nbytes):
            raise BadBatch(f"expected {size} bytes for {self.matches} states of {self.game.name}, not {len(given)}")
        found = np.frombuffer(given, self.game.dtype)
        seats, viewers = np.asarray(found["seats"]), np.asarray(found["viewer"])
        if (seats != self.seats).any() or (viewers != NOBODY).any():
            raise BadBatch(f"not states of tables with {self.seats} seats")
        self._states[:] = found
        self._started = True
        self._refresh_outputs()

    def _refresh_outputs(self) -> None:
        """Recompute all output arrays after the states were replaced. Rewards of later steps are measured from the
        scores in the new states.
        """
        out = np.zeros(self.seats, np.float64)
        for i in range(self.matches):
            self.game.rules.returns(self._states[i], out)
            self._matches.paid[i] = out
        self._kept[:, LENGTH] = 0
        self._kept[:, WAITING] = TO_SHOW
        self._step_all_matches(np.empty(0, np.int64))
        over = np.asarray(self._states["over"]) != RUNNING
        self._kept[over, WAITING] = OVER if self.restart == Restart.NEVER else TO_DEAL
        for array in (self.out.reward, self.out.done, self.out.truncated, self.out.length):
            array[:] = 0

    def snapshot(self) -> bytes:
        """Return all data of the batch as bytes. After `restore` of these bytes, a batch continues with the same
        results.
        """
        self._check_started()
        return self._packed()

    def _arrays(self) -> list[NDArray[Any]]:
        return [self._states, *self._matches[1:], self._table.begun, self._table.masters, self._luck, *self.out]

    def _packed(self) -> bytes:
        arrays = self._arrays()
        head = json.dumps({"sizes": [a.nbytes for a in arrays], "of": self._settings_hash()}).encode()
        return MAGIC + len(head).to_bytes(4, "little") + head + b"".join(a.tobytes() for a in arrays)

    def restore(self, given: bytes) -> None:
        """Replace all data of this batch with the data in a snapshot: the bytes that `snapshot` returned.

        The snapshot may also be from another batch with the same settings; the number of threads may differ. Raise
        `BadBatch` and change nothing if `given` is not a complete snapshot of a batch with these settings.
        """
        arrays, start = self._arrays(), len(MAGIC) + 4
        try:
            if given[: len(MAGIC)] != MAGIC:
                raise ValueError
            end = start + int.from_bytes(given[len(MAGIC) : start], "little")
            head = json.loads(given[start:end])
            of, sizes = head["of"], head["sizes"]
        except (ValueError, TypeError, LookupError):
            raise BadBatch("not a snapshot of a batch") from None
        if of != self._settings_hash():
            raise BadBatch("the snapshot is of a batch with other settings")
        own = [a.nbytes for a in arrays]
        if sizes != own or len(given) - end != sum(own):
            raise BadBatch("the snapshot is truncated")
        for array in arrays:
            array[...] = np.frombuffer(given, array.dtype, array.size, end).reshape(array.shape)
            end += array.nbytes
        self._started = True

    def _settings_hash(self) -> str:
        said = (self.setting, self.layout.hash, self.game.info.version)
        return hashlib.sha256(repr(said).encode()).hexdigest()[:16]


def _unpickle(setting: Mapping[str, Any], threads: int, snapshot: bytes, started: bool) -> BatchEnv:
    batch = BatchEnv(**setting, threads=threads)
    batch.restore(snapshot)
    batch._started = started
    return batch


def _enum_member(kind: Any, word: str, what: str) -> Any:
    names = {member.name.lower().replace("_", "-"): member for member in kind}
    found = str(word).replace(" ", "-").replace("_", "-").lower()
    if found not in names:
        raise BadBatch(f"{what} must be one of {', '.join(names)}, not {word!r}")
    return names[found]


def why_illegal(game: GameModule, seat: int, action: int) -> str:
    """Return, as an error text, why a seat may not play an action. The action is known to be illegal."""
    if not 0 <= action < game.actions:
        return f"actions of {game.name} go from 0 to {game.actions - 1}, not to {action}"
    return f"seat {seat} may not play {game.words.words(action)!r} now"


def is_round_episode(game: GameModule, unit: str) -> bool:
    """Return whether an episode is one round (`unit` "round") and not a whole match ("match").

    Raise `BadBatch` if `unit` is unknown, or is "round" for a game without rounds.
    """
    if unit not in ("match", "round"):
        raise BadBatch(f"unit must be one of match, round, not {unit!r}")
    if unit == "round" and game.rules.pause < 0:
        raise BadBatch(f"{game.name} has no rounds: unit must be match")
    return unit == "round"


def _players(game: GameModule, players: Sequence[str], seats: int) -> tuple[Player, ...]:
    if not players:
        return (Player.CALLER,) * seats
    if isinstance(players, str) or len(players) != seats:
        raise BadBatch(f"players must be {seats} names, one for each seat")
    if unknown := [name for name in players if name not in PLAYERS]:
        raise BadBatch(f"players must be among {', '.join(map(repr, PLAYERS))}, not {unknown[0]!r}")
    found = tuple(PLAYERS[name] for name in players)
    if Player.GREEDY in found and game.policy is None:
        raise BadBatch(f"{game.name} has no greedy bot")
    if Player.CALLER not in found:
        raise BadBatch("players must leave a seat for the caller")
    return found
