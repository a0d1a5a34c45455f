"""Gymnasium environments: Gymnasium's own checks, and what these do not test."""

from __future__ import annotations

import subprocess
import sys

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from facedown.bots.levels import bot
from facedown.core.hidden_cards import known_view
from facedown.research.batch import BadBatch, IllegalAction
from facedown.research.gymnasium import FacedownEnv, FacedownVectorEnv, register
from tests.research.game_settings import ALL, GAMES, Setting


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("setting", ALL, ids=str)
def test_gymnasiums_own_environment_checker_accepts_the_environment(setting: Setting) -> None:
    # The checker's random actions ignore the mask.
    class Open(FacedownEnv):
        def step(self, action):  # type: ignore[no-untyped-def]
            return super().step(action if action in self.match.legal else int(self.match.legal[0]))

    env = Open(setting.game, setting.seats, setting.chosen, opponents=["random"], render_mode="ansi")
    check_env(env, skip_render_check=False)


@pytest.mark.parametrize("game", GAMES)
def test_rewards_of_a_gymnasium_match_against_a_bot_add_up_to_its_final_returns(game: str) -> None:
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
def test_gymnasium_vector_environment_plays_in_every_autoreset_mode(game: str, mode: AutoresetMode) -> None:
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


def test_wrong_settings_and_illegal_actions_of_a_gymnasium_environment_raise_errors() -> None:
    with pytest.raises(BadBatch, match="unknown bot nobody"):
        FacedownEnv(GAMES[0], opponents=["nobody"])
    with pytest.raises(BadBatch, match="not 5"):
        FacedownEnv(GAMES[0], seat=5)
    with pytest.raises(BadBatch, match="observation must be one of"):
        FacedownEnv(GAMES[0], observation="pixels")
    env = FacedownEnv(GAMES[0])
    with pytest.raises(BadBatch, match="call reset first"):
        env.step(0)
    env.reset(seed=1)
    with pytest.raises(IllegalAction, match="go from 0 to"):
        env.step(10_000)
    with pytest.raises(BadBatch, match="opponents must be one bot"):
        FacedownVectorEnv(GAMES[1], 4, opponents=["greedy", "greedy"])
    envs = FacedownVectorEnv(GAMES[1], 4)
    assert envs.reset(seed=1)[0]["observation"].flags.owndata
    with pytest.raises(IllegalAction, match="match 2, action 9999"):
        envs.step(np.array([0, 0, 9999, 0]))
    with pytest.raises(BadBatch, match="to reset all matches"):
        envs.reset(seed=1, options={"reset_mask": np.ones(4, bool)})


def test_each_seed_in_a_list_for_a_vector_environment_decides_the_deal_of_one_match() -> None:
    envs = FacedownVectorEnv(GAMES[1], 2, opponents=["random"])
    first, other = (envs.reset(seed=[1, seed])[0]["observation"] for seed in (2, 3))
    assert [(one == two).all() for one, two in zip(first, other, strict=True)] == [True, False]
    assert (envs.reset(seed=[1, 2])[0]["observation"] == first).all()


@pytest.mark.parametrize("observation", ["compact", "one-hot"])
@pytest.mark.parametrize("game", GAMES)
def test_final_observation_of_a_gymnasium_match_is_the_same_in_all_autoreset_modes(game: str, observation: str) -> None:
    """It is what the seat observes of the finished match, as at a single table."""
    modes = AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP, AutoresetMode.DISABLED
    kinds = [FacedownVectorEnv(game, 3, observation=observation, autoreset_mode=mode) for mode in modes]
    same, later, never = kinds
    seen, *_ = [envs.reset(seed=[4, 5, 6])[0] for envs in kinds]
    chance = np.random.default_rng(4)
    ended = np.zeros(3, bool)
    while not ended.any():
        actions = (chance.random(seen["action_mask"].shape) * seen["action_mask"]).argmax(axis=1)
        seen, reward, terminated, truncated, info = same.step(actions)
        last, *_ = later.step(actions)
        kept, again, *_ = never.step(actions)
        assert (reward == again).all()
        ended = terminated | truncated
    assert (info["_final_obs"] == ended).all()
    for table in range(3):
        if not ended[table]:
            assert info["final_obs"][table] is None
            continue
        view = known_view(never.batch._states[table], 0)
        told = never.layout.compact(view) if observation == "compact" else never.layout.one_hot(view)
        for final in (info["final_obs"][table]["observation"], last["observation"][table], kept["observation"][table]):
            assert (final == told).all()
        assert (seen["observation"][table] != told).any()
    # The next match is the same in every mode.
    later.step(later.batch.sample())
    assert (later.batch._states[ended] == same.batch._states[ended]).all()


@pytest.mark.slow
def test_gymnasium_imports_facedown_if_the_environment_name_begins_with_its_module() -> None:
    program = """
import gymnasium
name = "facedown.research.gymnasium:facedown/GAME-v1"
gymnasium.make(name).reset(seed=1)
gymnasium.make_vec(name, num_envs=2).reset(seed=1)
""".replace("GAME", GAMES[0])
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)
