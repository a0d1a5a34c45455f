"""Gymnasium's own checks, and what they do not ask."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from facedown.bots.levels import bot
from facedown.research.batch import BadBatch, IllegalAction
from facedown.research.gymnasium import FacedownEnv, FacedownVectorEnv, register
from tests.research.tables import ALL, GAMES, Setting


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("setting", ALL, ids=str)
def test_the_checker(setting: Setting) -> None:
    # Its random actions are without a mask.
    class Open(FacedownEnv):
        def step(self, action):  # type: ignore[no-untyped-def]
            return super().step(action if action in self.match.legal else int(self.match.legal[0]))

    env = Open(setting.game, setting.seats, setting.chosen, opponents=["random"], render_mode="ansi")
    check_env(env, skip_render_check=False)


@pytest.mark.parametrize("game", GAMES)
def test_a_match_against_a_bot(game: str) -> None:
    register()
    env = gymnasium.make(f"facedown/{game}-v1", opponents=[bot("beginner")])
    observation, info = env.reset(seed=4)
    total, over = 0.0, False
    while not over:
        action = env.action_space.sample(observation["action_mask"])
        observation, reward, terminated, truncated, info = env.step(action)
        total, over = total + float(reward), terminated or truncated
    plain = env.unwrapped
    assert isinstance(plain, FacedownEnv)
    assert total == pytest.approx(plain.match.returns[0])
    assert (info["action_mask"] == observation["action_mask"]).all()


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize("game", GAMES)
def test_many_tables(game: str, mode: AutoresetMode) -> None:
    register()
    envs = gymnasium.make_vec(f"facedown/{game}-v1", num_envs=9, autoreset_mode=mode, opponents=["random"])
    assert isinstance(envs, FacedownVectorEnv)
    observations, infos = envs.reset(seed=8)
    assert envs.observation_space.contains(observations)
    chance = np.random.default_rng(8)
    ended = np.zeros(9, bool)
    for _ in range(400):
        masks = observations["action_mask"]
        actions = (chance.random(masks.shape) * masks).argmax(axis=1)
        observations, _, terminated, truncated, infos = envs.step(actions)
        ended |= terminated | truncated
        if mode == AutoresetMode.DISABLED and ended.any():
            observations, infos = envs.reset(options={"reset_mask": ended})
            ended[:] = False
            break
    assert envs.observation_space.contains(observations)
    assert (infos["action_mask"].sum(axis=1) > 0).all()
    again, _ = envs.reset(seed=8)
    assert (again["observation"] == envs.reset(seed=8)[0]["observation"]).all()
    envs.close()


def test_one_table_and_many_play_by_the_same_rules() -> None:
    """The greedy bot inside a batch chooses as the bot at a table does: the same matches come of it."""
    envs = FacedownVectorEnv(GAMES[1], 4, opponents=["greedy"])
    observations, _ = envs.reset(seed=1)
    assert observations["observation"].flags.owndata
    with pytest.raises(BadBatch, match="opponents are one bot"):
        FacedownVectorEnv(GAMES[1], 4, opponents=["greedy", "greedy"])
    with pytest.raises(BadBatch, match="inside a batch play"):
        FacedownVectorEnv(GAMES[1], 4, opponents=["master"])
    with pytest.raises(IllegalAction, match="match 2, action 9999"):
        envs.step(np.array([0, 0, 9999, 0]))


def test_bad_input_is_told() -> None:
    with pytest.raises(BadBatch, match="unknown bot nobody"):
        FacedownEnv(GAMES[0], opponents=["nobody"])
    with pytest.raises(BadBatch, match="there is no seat 5"):
        FacedownEnv(GAMES[0], seat=5)
    with pytest.raises(BadBatch, match="observation is one of"):
        FacedownEnv(GAMES[0], observation="pixels")
    env = FacedownEnv(GAMES[0])
    env.reset(seed=1)
    with pytest.raises(IllegalAction, match="go from 0 to"):
        env.step(10_000)
