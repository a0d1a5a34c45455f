"""Gymnasium environments, in which an agent plays one seat of a game, and bots play the other seats.

The agent is the code that calls `step`. `FacedownEnv` has one table, and `FacedownVectorEnv` has up to thousands.

>>> import gymnasium
>>> from facedown.core.game_registry import catalogue
>>> name = next(iter(catalogue()))
>>> env = gymnasium.make(f"facedown/{name}-v1", opponents=["greedy"])
>>> observation, info = env.reset(seed=7)
>>> action = env.action_space.sample(observation["action_mask"])
>>> observation, reward, terminated, truncated, info = env.step(action)
>>> envs = gymnasium.make_vec(f"facedown/{name}-v1", num_envs=64, opponents=["random"])
>>> observations, infos = envs.reset(seed=7)
>>> observations["observation"].shape[0], observations["action_mask"].dtype
(64, dtype('int8'))

The mask of legal actions is in the observation, in ``info["action_mask"]`` and in ``env.action_masks()``, where the
algorithm MaskablePPO looks for it. A reward is the change of the return (the score) of the agent's seat. So the rewards
of an episode add up to the final return.

Importing this module registers all games with Gymnasium. To leave the import to Gymnasium, write the name of the module
before the name of the environment: ``gymnasium.make("facedown.research.gymnasium:facedown/NAME-v1")``.

The version at the end of an environment's name increases when observations or the meaning of actions change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils.seeding import np_random
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from facedown.bots.levels import UnknownBot, bot
from facedown.bots.observation import layout_of
from facedown.core.bot import Bot
from facedown.core.game_registry import GameModule, catalogue
from facedown.core.hidden_cards import known_view, shown_view
from facedown.research.batch import BadBatch, BatchEnv
from facedown.research.environment_base import (
    RENDER_MODES,
    OneTable,
    check_form_and_render_mode,
    observation_space_with_mask,
)

VERSION = 1
#: Default bot at all seats that the agent does not play.
USUAL = "greedy"

Observation = dict[str, NDArray[Any]]
Opponent = TypeVar("Opponent")


class FacedownEnv(OneTable, gymnasium.Env[Observation, np.int64]):
    """Environment of one table. The agent (the code that calls `step`) plays `seat`, and bots play the other seats.

    `opponents` lists the bots for the other seats, in turn order after `seat`. Each is a level's name (``"master"``) or
    a bot. If there are fewer bots than other seats, the last bot also plays the remaining seats. Bots receive only
    views of their own seats. All other arguments are those of `environment_base.OneTable`.

    If several seats are to choose at the same time, the lowest chooses first. In some games the other seats see this
    choice at once, which is an advantage for them. For learning, use an option that keeps such choices hidden until all
    have chosen, if the game has one (``options={"final_mode": "sealed"}``).
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": 1}  # noqa: RUF012 - Gymnasium declares it so

    def __init__(
        self,
        game: str | GameModule,
        seats: int | None = None,
        options: Mapping[str, str] | None = None,
        *,
        seat: int = 0,
        opponents: Sequence[str | Bot] = (USUAL,),
        **settings: Any,
    ) -> None:
        super().__init__(game, seats, options, **settings)
        self.seat = seat
        seated = _opponents_by_seat(opponents, self.match.seats, seat)
        try:
            self.opponents = {at: bot(one, counted=True) if isinstance(one, str) else one for at, one in seated.items()}
        except UnknownBot as unknown:
            raise BadBatch(str(unknown)) from None
        space: Any = observation_space_with_mask(self.layout, self.form, self.match.game.actions)
        self.observation_space = space
        self.action_space = spaces.Discrete(self.match.game.actions)
        self._paid: float | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal a new match and let the bots play until it is the agent's turn. `options` is ignored.

        Return the observation of the agent's seat, and the dictionary `info` with the mask of legal actions.
        """
        super().reset(seed=seed)
        while True:
            self.match.reset(self.np_random.bytes(32))
            self._paid = self.match.returns[self.seat]
            self._play_opponents()
            # If the bots end the match (or the first round, if an episode is one round) before this seat has to choose,
            # deal again.
            if not self.match.over:
                break
        return self._observation_and_info()

    def _play_opponents(self) -> None:
        while not self.match.over and self.match.seat != self.seat:
            seat = self.match.seat
            chosen = self.opponents[seat].choose(
                self.match.game, self.match.view(seat), seat, int(self.np_random.integers(1 << 48))
            )
            self.match.step(chosen)

    def _observation_and_info(self) -> tuple[Observation, dict[str, Any]]:
        seen = self.observation_and_mask_of(self.seat)
        mask = self._allow_action_0_when_over(seen["action_mask"])
        return seen, {"action_mask": mask.copy()}

    def action_masks(self) -> NDArray[np.int8]:
        """Return the mask of legal actions: 1 for a legal action, 0 for any other.

        When the match is over, action 0 is marked as legal, so that code that samples from every mask does not fail.
        """
        return self._allow_action_0_when_over(self.match.mask())

    def _allow_action_0_when_over(self, mask: NDArray[np.int8]) -> NDArray[np.int8]:
        mask[0] |= self.match.over
        return mask

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play an action of the agent, and let the bots play until it is the agent's turn again or the match is over.

        Return (observation, reward, terminated, truncated, info). `truncated` is True if the match ended because it
        reached the limit against endless play. `terminated` is True if the match (or the round, if an episode is one
        round) ended in any other way.

        Raise `IllegalAction` if the action is not legal or the match is over. Raise `BadBatch` if `reset` has not been
        called yet. In all these cases the match is unchanged.
        """
        if self._paid is None:
            raise BadBatch("no match is running: call reset first")
        self.match.step(int(action))
        self._play_opponents()
        returned = self.match.returns[self.seat]
        reward = float(returned - self._paid)
        self._paid = returned
        over, truncated = self.match.over, self.match.truncated
        seen, info = self._observation_and_info()
        if self.render_mode == "human":
            self.render()
        return seen, reward, over and not truncated, over and truncated, info

    def render(self) -> str | None:
        """Return a picture of the table, drawn in text. It shows only what the agent's seat can see.

        If `render_mode` is "human", print the text instead and return None. If `render_mode` is None, return None.
        """
        return self.render_for(self.seat)


def _opponents_by_seat(given: Sequence[Opponent], seats: int, seat: int) -> dict[int, Opponent]:
    """Return the opponent at each seat other than `seat`.

    `given` lists the opponents in turn order after `seat`. If there are fewer opponents than other seats, the last one
    also takes the remaining seats. Raise `BadBatch` if `seat` does not exist, or if `given` is empty or too long.
    """
    if not 0 <= seat < seats:
        raise BadBatch(f"seat must be from 0 to {seats - 1}, not {seat}")
    others = [(seat + turn) % seats for turn in range(1, seats)]
    if isinstance(given, str) or not given or len(given) > len(others):
        raise BadBatch(f"opponents must be one bot, or up to {len(others)}, one for each other seat")
    filled = [*given, *[given[-1]] * (len(others) - len(given))]
    return dict(zip(others, filled, strict=True))


class FacedownVectorEnv(VectorEnv[Observation, NDArray[np.int64], NDArray[Any]]):
    """Vector environment of many tables, stepped in compiled code.

    At each table, the agent (the code that calls `step`) plays `seat`, and bots play the other seats.

    * `opponents`: a list of bots for the other seats, in turn order after `seat`. Each is "random" or "greedy". If
      there are fewer bots than other seats, the last bot also plays the remaining seats.
    * `autoreset_mode`: when the next match is dealt at a table whose match has ended: ``NEXT_STEP``, ``SAME_STEP`` or
      ``DISABLED`` (see `step`).
    * `copy`: whether observations and masks are copies. If False, the next step overwrites them.

    All other arguments are those of `BatchEnv`.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012 - Gymnasium declares it so

    def __init__(
        self,
        game: str | GameModule,
        num_envs: int = 1,
        seats: int | None = None,
        options: Mapping[str, str] | None = None,
        *,
        seat: int = 0,
        opponents: Sequence[str] = (USUAL,),
        observation: str = "compact",
        copy: bool = True,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        **settings: Any,
    ) -> None:
        mode = AutoresetMode(autoreset_mode)
        check_form_and_render_mode(observation)
        players = layout_of(game, seats).seats
        seated = _opponents_by_seat(opponents, players, seat)
        self.form = observation
        self.batch = BatchEnv(
            game,
            num_envs,
            seats,
            options,
            observation=observation,
            # In mode NEXT_STEP the batch deals the next match by itself. In the other modes this class resets it, after
            # reading the last observation.
            restart="next step" if mode == AutoresetMode.NEXT_STEP else "never",
            players=[seated.get(each, "") for each in range(players)],
            **settings,
        )
        self.layout = self.batch.layout
        self.seat = seat
        self.copy = copy
        self.num_envs = num_envs
        self.metadata = {"render_modes": [], "autoreset_mode": mode}
        self.render_mode = None
        self.single_observation_space = observation_space_with_mask(self.layout, self.form, self.batch.actions)
        self.single_action_space = spaces.Discrete(self.batch.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal new matches at all tables, or with ``options={"reset_mask": …}`` at the tables that the mask marks.

        A single seed determines the deals of all tables. A sequence has a seed for each table. Raise `BadBatch` for a
        sequence of the wrong length, or for a seed together with a mask.
        """
        which = (options or {}).get("reset_mask")
        if which is not None:
            if seed is not None:
                raise BadBatch("a seed can only be given to reset all matches")
            self.batch.reset(which=np.asarray(which))
        elif isinstance(seed, Sequence):
            self.batch.reset([np_random(one)[0].bytes(32) for one in seed])
        else:
            if seed is not None:
                self._np_random, self._np_random_seed = np_random(seed)
            self.batch.reset(self.np_random.bytes(32))
        return self._observation_and_info()

    def _observation_and_info(self) -> tuple[Observation, dict[str, Any]]:
        observation, mask = self.batch.observation, self.batch.mask
        if self.copy:
            observation, mask = observation.copy(), mask.copy()
        # Mark action 0 as legal in matches in which no seat acts, so that code that samples from every mask does not
        # fail. The batch ignores the actions that it gets for these matches.
        mask[self.batch.seat < 0, 0] = 1
        return {"observation": observation, "action_mask": mask}, {"action_mask": mask}

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Observation, NDArray[Any], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Play one action of the agent at each table. ``actions[table]`` is the id of the action.

        Return (observations, rewards, terminated, truncated, info). The arrays have a row for each table. If the match
        at a table ends, `autoreset_mode` decides when the next match is dealt there:

        * ``NEXT_STEP``: in the next call of `step`, which ignores the action for this table.
        * ``SAME_STEP``: in this call, which then returns the first observation of the new match. The last observation
          of the old match is in ``info["final_obs"]``.
        * ``DISABLED``: in a call of `reset`. Until then, `step` ignores the actions for this table.

        Raise `IllegalAction` if an action is not legal at its table. Raise `BadBatch` if `actions` has the wrong shape
        or type, or if `reset` has not been called yet. In all these cases every match is unchanged.
        """
        self.batch.step(actions)
        out = self.batch.out
        reward = out.reward[:, self.seat].astype(np.float64)
        done, truncated = out.done.copy(), out.truncated.copy()
        ended = np.flatnonzero(done)
        for table in ended:
            self.batch.observation[table] = self._final_observation(int(table))
        seen, info = self._observation_and_info()
        if len(ended) and self.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP:
            final = np.full(self.num_envs, None, object)
            for table in ended:
                final[table] = {name: rows[table].copy() for name, rows in seen.items()}
            masks = {"action_mask": info["action_mask"].copy()}
            self.batch.reset(which=done)
            seen, info = self._observation_and_info()
            info |= {"final_obs": final, "_final_obs": done, "final_info": masks, "_final_info": done}
        return seen, reward, done & ~truncated, truncated, info

    def _final_observation(self, table: int) -> NDArray[Any]:
        """Return the observation of the agent's seat at the table with the index `table`, whose match is over."""
        view = (known_view if self.batch.setting["memory"] else shown_view)(self.batch._states[table], self.seat)
        return self.layout.compact(view) if self.form == "compact" else self.layout.one_hot(view)

    def close_extras(self, **kwargs: Any) -> None:
        """Stop the threads of the batch. Gymnasium calls this when the environment is closed."""
        self.batch.close()


def register() -> None:
    """Register all games with Gymnasium as ``facedown/NAME-v1``."""
    for name in catalogue():
        known = f"facedown/{name}-v{VERSION}"
        if known not in gymnasium.registry:
            gymnasium.register(
                known,
                entry_point=f"{__name__}:FacedownEnv",
                vector_entry_point=f"{__name__}:FacedownVectorEnv",
                kwargs={"game": name},
                # Gymnasium's checker samples actions without the mask, so it would play illegal ones.
                disable_env_checker=True,
            )


register()
