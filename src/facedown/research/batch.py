"""Thousands of matches at a time, stepped with given actions in compiled code.

Every match of a batch waits for one seat, the lowest that is to act: others that choose at the same time come after it,
and see nothing of a sealed choice. An open one they see, and may gain by answering it. For learning take an option that
seals such choices, where the game has one (``final_mode=sealed``, see docs/research.md).

`BatchEnv` has, for the waiting seat of each match, the observation (`bots.observation`), the mask of legal actions and
what happened since; `step` plays an action in each.

>>> from facedown.core.game_registry import catalogue
>>> env = BatchEnv(next(iter(catalogue())), 3, seats=2, seed="an example")
>>> env.reset()
>>> env.seat.tolist(), env.mask.sum(axis=1).tolist(), env.observation.shape
([0, 0, 0], [4, 4, 4], (3, 245))
>>> env.step(env.sample())
>>> env.seat.tolist(), env.reward.shape, bool(env.done.any())
([1, 1, 1], (3, 2), False)

The arrays are the environment's own, written anew by each step; a learner hands in its own by ``out=``.
What a match brings follows from the seed and from the actions, whatever the number of threads and of matches beside it.
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
from facedown.core.random_numbers import key_of, seed_quick_generator
from facedown.core.seeds import new_seed, seed_from_text
from facedown.core.state import NOBODY, RUNNING
from facedown.research.action_table import ActionTable, actions_of
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
    """A batch that cannot be, or arrays that do not fit one; the text says why in one line. Nothing was changed."""


class IllegalAction(BadBatch):
    """An action that is not legal; the text names the match. No match was stepped."""

    def __init__(self, text: str, match: int = 0, action: int = -1) -> None:
        super().__init__(text)
        self.match = match
        self.action = action


Seed = str | bytes | None
#: The first bytes of a snapshot: what it is, and the version of its form.
MAGIC = b"facedown batch 2\n"
#: Who may play a seat, by name.
PLAYERS = {
    "": Player.CALLER,
    "caller": Player.CALLER,
    "random": Player.RANDOM,
    "greedy": Player.GREEDY,
    "casual": Player.GREEDY,
}


class BatchEnv:
    """Many matches of one game, stepped together.

    `observation` is "compact", "one-hot" or "none"; `restart` says what becomes of a match that is over (`Restart`):
    "same step", "next step" or "never". With ``unit="round"`` an episode is one round, or hand, not a whole match. With
    ``memory=False`` a seat observes what a person may look at now (`look`), not all that it has seen (`observe`).
    `players` names who plays each seat: "" (the caller), "random" or "greedy"; the bots' moves are made inside `step`.
    Pauses between rounds are gone through by themselves.

    The seed (a text, or 32 bytes) decides every deal and all that bots choose by chance: the match at place `i` is
    number ``i``, then ``i + matches``, and so on, as `simulate.random_playouts.playouts` deals them.

    Raises:
        BadBatch, UnknownGame, OptionError: It cannot be; the text says why.
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
            raise BadBatch(f"a batch has at least one match, not {matches}")
        if threads < 1:
            raise BadBatch(f"a batch is stepped by at least one thread, not {threads}")
        self.layout: ObservationLayout = layout_of(self.game, seats, options)
        """The observation, slot by slot."""
        self.matches = matches
        self.seats = self.layout.seats
        self.options = dict(self.layout.options)
        self.actions = self.game.actions
        self.form = _enum_member(Form, observation, "observation")
        self.restart = _enum_member(Restart, restart, "restart")
        by_round = is_by_round(self.game, unit)
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
        """What a batch is made of: two with equal settings and one seed bring the same matches."""
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
        """What `reset` and `step` write."""
        self.observation: NDArray[Any] = self.out.one_hot if self.form == Form.ONE_HOT else self.out.compact
        """What the acting seat of each match observes, in the form that was asked for; zeros where no seat acts."""
        self.mask: NDArray[np.int8] = self.out.mask
        """1 for each legal action of the acting seat: (matches, actions)."""
        self.seat: NDArray[np.int8] = self.out.seat
        """Which seat of each match is to act; −1 if none is."""
        self.reward: NDArray[np.float32] = self.out.reward
        """What each seat's return has changed by in the last step: (matches, seats)."""
        self.done: NDArray[np.bool_] = self.out.done
        """Which matches (or rounds) ended in the last step."""
        self._scratch = [np.zeros(1, self.game.dtype) for _ in range(self._threads)]
        self._started = False
        self._take_seed(seed)

    # --- set-up -------------------------------------------------------------------------------------------------------

    def _take_seed(self, seed: Seed | Sequence[Seed]) -> None:
        given = [seed] if seed is None or isinstance(seed, str | bytes) else list(seed)
        if given != [seed] and len(given) != self.matches:
            raise BadBatch(f"a row of seeds has one for each of {self.matches} matches, not {len(given)}")
        keys = [new_seed() if one is None else one if isinstance(one, bytes) else seed_from_text(one) for one in given]
        try:
            masters = np.array([key_of(key) for key in keys])
        except ValueError as wrong:
            raise BadBatch(str(wrong)) from None
        begun = np.zeros(1, self.game.dtype)
        begun[0] = self.game.undealt_state(self.seats, self.options, keys[0])
        players = np.array(self._players, np.int64)
        masters = np.ascontiguousarray(np.broadcast_to(masters, (self.matches, masters.shape[1])))
        self._table = SharedConfig(begun, masters, self._settings, players, self.layout.one_hot_columns)
        self._luck = np.zeros(1, np.uint64)
        seed_quick_generator(self._luck, masters[0], 0)

    def _check_or_create_buffers(self, given: Buffers | None) -> Buffers:
        """The buffers that were given, if they fit, or new ones."""
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
                raise BadBatch(f"out.{name} is to be an array of {fit.shape} {fit.dtype}, not {what}")
            if not (array.flags.c_contiguous and array.flags.writeable):
                raise BadBatch(f"out.{name} is to be contiguous and writeable")
        return given

    # --- what there is ------------------------------------------------------------------------------------------------

    @cached_property
    def action_table(self) -> ActionTable:
        """What each action is about, as rows of numbers."""
        return actions_of(self.game.name)

    @property
    def match_number(self) -> NDArray[np.int64]:
        """The number of the match at each place: with the seed it says how the cards are dealt."""
        ended = self._kept[:, WAITING] != 0
        return self._kept[:, NUMBER] - np.where(ended, self.matches, 0)

    # --- playing ------------------------------------------------------------------------------------------------------

    def reset(self, seed: Seed | Sequence[Seed] = None, which: NDArray[np.bool_] | None = None) -> None:
        """Deal every match anew from the first one, with another seed if one is given; or deal the next match in the
        places that `which` marks, and leave the others as they are. With a row of seeds, one for each place, the deals
        at a place follow from its own.

        `BadBatch` if `which` is no row of so many booleans, comes with a seed, or comes before the first reset.
        """
        if which is None:
            if seed is not None:
                self._take_seed(seed)
            self._kept[:] = 0
            self._kept[:, NUMBER] = np.arange(self.matches)
            self._kept[:, WAITING] = TO_DEAL
            self._started = True
        else:
            self._check_which(seed, which)
            going_on = which & (self._kept[:, WAITING] == 0)
            self._kept[going_on, NUMBER] += self.matches
            self._kept[which, WAITING] = TO_DEAL
        self._run(np.empty(0, np.int64))
        self.out.reward[:] = 0.0

    def _check_which(self, seed: Seed | Sequence[Seed], which: Any) -> None:
        self._check_started()
        if seed is not None:
            raise BadBatch("a seed is for all matches: reset them all with it")
        if not isinstance(which, np.ndarray) or which.shape != (self.matches,) or which.dtype != np.bool_:
            raise BadBatch(f"which matches are reset is said by {self.matches} booleans")

    def _check_started(self) -> None:
        if not self._started:
            raise BadBatch("nothing is dealt yet: call reset first")

    def step(self, actions: NDArray[Any]) -> None:
        """Play an action in each match, those of `actions`; where nobody is to act it is ignored.

        Raises:
            IllegalAction: An action is not legal; no match was stepped.
            BadBatch: It is no row of so many whole numbers, or nothing is dealt yet.
        """
        self._check_started()
        given = np.asarray(actions)
        if given.shape != (self.matches,) or given.dtype.kind not in "iu":
            raise BadBatch(f"a step takes {self.matches} whole numbers, not {given.shape} {given.dtype}")
        wide = np.ascontiguousarray(given, np.int64)
        wrong = int(first_illegal_match(wide, self._matches.legal, self._kept, 0, self.matches))
        if wrong >= 0:
            action = int(wide[wrong])
            why = why_illegal(self.game, int(self.out.seat[wrong]), action)
            raise IllegalAction(f"match {wrong}, action {action}: {why}", wrong, action)
        self._run(wide)

    def _run(self, actions: NDArray[np.int64]) -> None:
        def part(first: int, end: int, scratch: NDArray[Any]) -> None:
            step_matches(first, end, self._matches, self._table, scratch, actions, self.out)

        if self._threads == 1:
            part(0, self.matches, self._scratch[0])
            return
        # A forked process has none of its parent's threads.
        if self._pool is None or self._pool_owner != os.getpid():
            self._pool, self._pool_owner = ThreadPoolExecutor(self._threads), os.getpid()
        borders = [self.matches * each // self._threads for each in range(self._threads + 1)]
        list(self._pool.map(part, borders, borders[1:], self._scratch))

    def sample(self) -> NDArray[np.int64]:
        """A random legal action for each match; 0 where nobody acts. They follow from the seed and the calls so far."""
        self._check_started()
        actions = np.empty(self.matches, np.int64)
        sample_actions(self._matches.legal, self._kept, self._luck, actions)
        return actions

    def close(self) -> None:
        """Let the threads go; a later step starts new ones."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    # --- as values ----------------------------------------------------------------------------------------------------

    def __reduce__(self) -> tuple[Any, ...]:
        # A copy has arrays and threads of its own.
        return _unpickle, (self.setting, self._threads, self._packed(), self._started)

    @property
    def state(self) -> bytes:
        """The states of all matches, each as long as a record; with every secret in them."""
        return self._states.tobytes()

    @state.setter
    def state(self, given: bytes) -> None:
        """Put the matches into other states of the same game and table; each goes on from there.

        `BadBatch` if they are not states of so many matches at such a table; then nothing has changed.
        """
        states = np.frombuffer(given, np.uint8)
        if len(states) != (size := self._states.nbytes):
            raise BadBatch(f"{self.matches} states of {self.game.name} have {size} bytes, not {len(given)}")
        found = np.frombuffer(given, self.game.dtype)
        seats, viewers = np.asarray(found["seats"]), np.asarray(found["viewer"])
        if (seats != self.seats).any() or (viewers != NOBODY).any():
            raise BadBatch(f"these are not states of tables of {self.seats} seats")
        self._states[:] = found
        self._started = True
        self._refresh_outputs()

    def _refresh_outputs(self) -> None:
        """What is seen of states that were put in; rewards count from what they have come to."""
        out = np.zeros(self.seats, np.float64)
        for i in range(self.matches):
            self.game.rules.returns(self._states[i], out)
            self._matches.paid[i] = out
        self._kept[:, LENGTH] = 0
        self._kept[:, WAITING] = TO_SHOW
        self._run(np.empty(0, np.int64))
        over = np.asarray(self._states["over"]) != RUNNING
        self._kept[over, WAITING] = OVER if self.restart == Restart.NEVER else TO_DEAL
        for array in (self.out.reward, self.out.done, self.out.truncated, self.out.length):
            array[:] = 0

    def snapshot(self) -> bytes:
        """All that the batch's future follows from, and what it shows now; `restore` takes it."""
        self._check_started()
        return self._packed()

    def _arrays(self) -> list[NDArray[Any]]:
        return [self._states, *self._matches[1:], self._table.begun, self._table.masters, self._luck, *self.out]

    def _packed(self) -> bytes:
        arrays = self._arrays()
        head = json.dumps({"sizes": [a.nbytes for a in arrays], "of": self._settings_hash()}).encode()
        return MAGIC + len(head).to_bytes(4, "little") + head + b"".join(a.tobytes() for a in arrays)

    def restore(self, given: bytes) -> None:
        """Go back to a snapshot of a batch with the same settings; `BadBatch` for any other: nothing has changed."""
        arrays, start = self._arrays(), len(MAGIC) + 4
        try:
            if given[: len(MAGIC)] != MAGIC:
                raise ValueError
            end = start + int.from_bytes(given[len(MAGIC) : start], "little")
            head = json.loads(given[start:end])
        except ValueError:
            raise BadBatch("this is no snapshot of a batch") from None
        if head["of"] != self._settings_hash():
            raise BadBatch("this is a snapshot of a batch with other settings")
        if len(given) - end != sum(head["sizes"]) or head["sizes"] != [a.nbytes for a in arrays]:
            raise BadBatch("this snapshot is cut off")
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
        raise BadBatch(f"{what} is one of {', '.join(names)}, not {word!r}")
    return names[found]


def why_illegal(game: GameModule, seat: int, action: int) -> str:
    """Why a seat may not play an action, in words."""
    if not 0 <= action < game.actions:
        return f"actions of {game.name} go from 0 to {game.actions - 1}, not to {action}"
    return f"seat {seat} may not play {game.words.words(action)!r} now"


def is_by_round(game: GameModule, unit: str) -> bool:
    """Is an episode one round ("round"), not a whole match ("match")? `BadBatch` for a `unit` that cannot be."""
    if unit not in ("match", "round"):
        raise BadBatch(f"unit is one of match, round, not {unit!r}")
    if unit == "round" and game.rules.pause < 0:
        raise BadBatch(f"a match of {game.name} has no rounds: unit is match")
    return unit == "round"


def _players(game: GameModule, players: Sequence[str], seats: int) -> tuple[Player, ...]:
    if not players:
        return (Player.CALLER,) * seats
    if isinstance(players, str) or len(players) != seats:
        raise BadBatch(f"players are {seats} names, one for each seat")
    if unknown := [name for name in players if name not in PLAYERS]:
        raise BadBatch(f"inside a batch play {', '.join(map(repr, PLAYERS))}, not {unknown[0]!r}")
    found = tuple(PLAYERS[name] for name in players)
    if Player.GREEDY in found and game.policy is None:
        raise BadBatch(f"{game.name} has no greedy bot")
    if Player.CALLER not in found:
        raise BadBatch("no seat is left for the caller")
    return found
