"""PettingZoo environments: each game as an AEC environment (one agent acts at a time) and as a parallel environment
(all agents act in each step).

>>> from facedown.core.game_registry import catalogue
>>> env = aec(next(iter(catalogue())), seats=2)
>>> env.reset(seed=7)
>>> for agent in env.agent_iter():
...     observation, reward, terminated, truncated, info = env.last()
...     over = terminated or truncated
...     env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))

An observation is ``{"observation": …, "action_mask": …}``; ``env.layout.readable_table()`` describes the numbers in it.
A reward is the change of a seat's return (its score) when a round ends, so the rewards of an episode add up to the
final return.

The version at the end of an environment's name increases when observations or the meaning of actions change.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv

from facedown.core.game_registry import GameModule
from facedown.core.state import SPECTATOR, copy
from facedown.research.batch import BadBatch
from facedown.research.environment_base import RENDER_MODES, OneTable, observation_space_with_mask

#: Version of the environments. Increased when observations or the meaning of actions change.
VERSION = 1

Agent = str
Observation = dict[str, NDArray[Any]]


class _Table(OneTable):
    """Base of `FacedownAEC` and `FacedownParallel`: one match. Its seats are the agents ``seat_0``, ``seat_1`` and so
    on.
    """

    #: Suffix of the environment's name, and number of actions in addition to those of the game. Subclasses may override
    #: both.
    _kind, _more_actions = "", 0
    #: Entries of `metadata` besides "name" and "render_modes", which every environment has. Subclasses may override it.
    _more_metadata: ClassVar[dict[str, Any]] = {}

    def __init__(
        self,
        game: str | GameModule,
        seats: int | None = None,
        options: Mapping[str, str] | None = None,
        **settings: Any,
    ) -> None:
        super().__init__(game, seats, options, **settings)
        self.possible_agents: list[Agent] = [f"seat_{seat}" for seat in range(self.match.seats)]
        self.seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.state_space = spaces.Box(0, 255, (self.match.game.dtype.itemsize,), np.uint8)
        self._deals = np.random.default_rng()
        self.agents: list[Agent] = []
        name = f"facedown_{self.match.game.name}{self._kind}_v{VERSION}"
        self.metadata = {"name": name, "render_modes": RENDER_MODES, **self._more_metadata}
        actions = self.match.game.actions + self._more_actions
        self.observation_spaces = {
            agent: observation_space_with_mask(self.layout, self.form, actions) for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}

    def observation_space(self, agent: Agent) -> spaces.Dict:
        """Return the observation space of an agent; the same object at each call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: Agent) -> spaces.Discrete:
        """Return the action space of an agent; the same object at each call."""
        return self.action_spaces[agent]

    def _deal(self, seed: int | None) -> None:
        if seed is not None:
            self._deals = np.random.default_rng(seed)
        self.match.reset(self._deals.bytes(32))

    def _check_running(self) -> None:
        if not self.agents:
            raise BadBatch("no match is running: call reset first")

    def state(self) -> NDArray[np.uint8]:
        """Return the full state of the match, hidden cards included, as an array of bytes.

        The array is meant for a critic, a network that may see hidden cards in training. The random key of later
        shuffles is set to zero.
        """
        record: Any = copy(self.match.state)
        record["key"] = 0
        return np.frombuffer(record.tobytes(), np.uint8).copy()

    def render(self) -> str | None:
        """Return a picture of the table, drawn in text. It shows only what a spectator can see.

        If `render_mode` is "human", print the text instead and return None. If `render_mode` is None, return None.
        """
        return self.render_for(SPECTATOR)

    def close(self) -> None:
        """Do nothing. PettingZoo requires `close` along with `render`."""


class FacedownAEC(_Table, AECEnv):  # type: ignore[misc]
    """AEC environment: one seat acts at a time. If several may act, the seat with the lowest number acts first.

    Suppose that two seats are to choose at the same time. Seat 0 then acts first. In some games seat 1 sees seat 0's
    choice before it makes its own, which is an advantage (docs/research.md). There are two ways to avoid the advantage
    in learning:

    * an option of the game that keeps such choices hidden until all have chosen, for example
      ``options={"final_mode": "sealed"}``
    * `FacedownParallel`, where both seats choose without seeing the other's choice

    | action | observation | reward |
    | --- | --- | --- |
    | ``Discrete(n)``: an action of the game, `game.words.words(a)` as text | ``Dict``: the seat's observation and \
``action_mask`` (int8) | the change of the seat's return |
    """

    _more_metadata: ClassVar[dict[str, Any]] = {"is_parallelizable": False, "render_fps": 1}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new match. A seed determines this match and those of later resets without a seed. `options` is
        ignored.
        """
        self._deal(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[Agent, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._paid = self.match.returns
        self.agent_selection = self.possible_agents[max(self.match.seat, 0)]

    def observe(self, agent: Agent) -> Observation:
        """Return the observation of an agent and its mask of legal actions, as a dictionary.

        The mask is all zeros while it is not the agent's turn.
        """
        return self.observation_and_mask_of(self.seat_of[agent])

    def step(self, action: int | None) -> None:
        """Play an action of the agent whose turn it is (`agent_selection`). After the match, `action` must be None.

        Raise `IllegalAction` if the rules do not allow the action. Raise `BadBatch` if the action is None during the
        match, or if no match is running. In all these cases the match is unchanged.
        """
        self._check_running()
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        if action is None:
            raise BadBatch(f"{self.agent_selection} must give an action: None is only for agents whose match is over")
        self.match.step(int(action))
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if self.match.scored:
            self._update_rewards()
        if self.match.over:
            truncated = self.match.truncated
            self.terminations = dict.fromkeys(self.agents, not truncated)
            self.truncations = dict.fromkeys(self.agents, truncated)
            self._deads_step_first()
        else:
            self.agent_selection = self.possible_agents[self.match.seat]
        if self.render_mode == "human":
            self.render()

    def _update_rewards(self) -> None:
        returns = self.match.returns
        changed = returns - self._paid
        self._paid = returns
        self.rewards = dict(zip(self.possible_agents, changed.tolist(), strict=True))
        self._accumulate_rewards()


class FacedownParallel(_Table, ParallelEnv):  # type: ignore[misc]
    """Parallel environment: every agent passes an action in every step.

    An agent whose seat is not to act has only one legal action, `wait_action`, which does nothing. Choices made at the
    same time stay hidden until all are made. A step plays the actions of all seats that are to act, the lowest seat
    first.
    """

    _kind, _more_actions = "_parallel", 1

    @property
    def wait_action(self) -> int:
        """Id of the action that does nothing: the only legal action of an agent whose seat is not to act."""
        return self.match.game.actions

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[Agent, Observation], dict[Agent, dict[str, Any]]]:
        """Deal a new match and return each agent's observation and info. `options` is ignored.

        A seed determines this match and those of later resets without a seed.
        """
        self._deal(seed)
        self.agents = list(self.possible_agents)
        self._paid = self.match.returns
        return self._observations(), {agent: {} for agent in self.agents}

    def _acting_seats(self) -> list[int]:
        acting = int(self.match.state["acting"]) if not self.match.over else 0
        return [seat for seat in range(self.match.seats) if acting >> seat & 1]

    def _observations(self) -> dict[Agent, Observation]:
        acting = self._acting_seats()
        found = {}
        for agent in self.agents:
            seat = self.seat_of[agent]
            mask = np.zeros(self.wait_action + 1, np.int8)
            # The masks of all seats are computed before the step, although the step plays the seats' actions one after
            # the other. The masks stay correct, because the choice of one seat in a step never changes which actions
            # are legal for the other seats in the same step.
            mask[self.match.game.legal(self.match.view(seat), seat) if seat in acting else [self.wait_action]] = 1
            found[agent] = self.observation_and_mask_of(seat) | {"action_mask": mask}
        return found

    def step(
        self, actions: dict[Agent, int]
    ) -> tuple[
        dict[Agent, Observation],
        dict[Agent, float],
        dict[Agent, bool],
        dict[Agent, bool],
        dict[Agent, dict[str, Any]],
    ]:
        """Play the actions of all seats that are to act, the lowest seat first.

        `actions` has an action for each agent: `wait_action` if its seat is not to act. Return the observations,
        rewards, terminations, truncations and infos, each as a dictionary by agent.

        Raise `IllegalAction` if the rules do not allow the action of a seat that is to act. Raise `BadBatch` in these
        cases:

        * `actions` lacks an agent.
        * An agent that has to wait is given an action other than `wait_action`.
        * No match is running.

        If an error is raised, the match is unchanged.
        """
        self._check_running()
        acting = self._acting_seats()
        self._check(actions, acting)
        for seat in acting:
            self.match.step(int(actions[self.possible_agents[seat]]), seat)
        returns = self.match.returns
        rewards = dict(zip(self.agents, (returns - self._paid).tolist(), strict=True))
        self._paid = returns
        over, truncated = self.match.over, self.match.truncated
        observations = self._observations()
        terminations = dict.fromkeys(self.agents, over and not truncated)
        truncations = dict.fromkeys(self.agents, over and truncated)
        infos: dict[Agent, dict[str, Any]] = {agent: {} for agent in self.agents}
        if over:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return observations, rewards, terminations, truncations, infos

    def _check(self, actions: Mapping[Agent, int], acting: list[int]) -> None:
        for agent in self.agents:
            if agent not in actions:
                raise BadBatch(f"no action for {agent}: every agent must give one in every step")
            seat, action = self.seat_of[agent], int(actions[agent])
            if seat in acting:
                self.match.check(seat, action)
            elif action != self.wait_action:
                raise BadBatch(f"{agent} has to wait: its only action is {self.wait_action}, not {action}")


#: Short names of the two environment classes, as is usual in PettingZoo packages.
aec, parallel = FacedownAEC, FacedownParallel
