"""PettingZoo environments: PettingZoo's own tests, and what these do not test."""

from __future__ import annotations

import warnings
from functools import partial
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test, state_test

from facedown.core.match import Match
from facedown.research.batch import BadBatch, IllegalAction
from facedown.research.pettingzoo import FacedownAEC, FacedownParallel, aec, parallel
from tests.research.game_settings import ALL, GAMES, Setting

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning:pettingzoo")


def made(setting: Setting, **more: Any) -> FacedownAEC:
    return aec(setting.game, setting.seats, options=setting.chosen, **more)


class LenientAEC(FacedownAEC):
    """An environment for tests that ignore the mask: an illegal action is replaced by a legal one."""

    def step(self, action: int | None) -> None:
        legal = self.match.legal
        super().step(action if action is None or action in legal or not len(legal) else int(legal[0]))


class LenientParallel(FacedownParallel):
    """The same for the parallel environment."""

    def step(self, actions: dict[str, int]) -> Any:
        masks = {agent: seen["action_mask"] for agent, seen in self._observations().items()}
        allowed = {agent: a if masks[agent][a] else int(masks[agent].argmax()) for agent, a in actions.items()}
        return super().step(allowed)


@pytest.mark.parametrize("setting", ALL, ids=str)
def test_pettingzoos_own_tests_accept_the_aec_environment(setting: Setting) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(made(setting), num_cycles=200)
        seed_test(partial(made, setting), num_cycles=100)
        state_test(
            LenientAEC(setting.game, setting.seats, setting.chosen),
            LenientParallel(setting.game, setting.seats, setting.chosen),
            num_cycles=60,
        )


@pytest.mark.parametrize("game", GAMES)
def test_pettingzoos_api_test_accepts_one_hot_observations_without_memory(game: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(aec(game, observation="one-hot", memory=False), num_cycles=60)


@pytest.mark.parametrize("setting", [one for one in ALL if one.game == GAMES[0]], ids=str)
def test_pettingzoos_own_tests_accept_the_parallel_environment(setting: Setting) -> None:
    table = partial(LenientParallel, setting.game, setting.seats, setting.chosen)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        parallel_api_test(parallel(setting.game, setting.seats, options=setting.chosen), num_cycles=200)
        parallel_seed_test(table, num_cycles=100)


@pytest.mark.parametrize("game", GAMES)
def test_pettingzoo_environment_is_rendered_as_text(game: str) -> None:
    render_test(lambda render_mode="ansi": aec(game, render_mode=render_mode))
    env = aec(game, render_mode="ansi")
    env.reset(seed=1)
    text = env.render()
    assert text is not None
    assert len(text.splitlines()) > 3


@pytest.mark.parametrize("setting", ALL, ids=str)
def test_rewards_of_a_pettingzoo_environment_add_up_to_the_final_returns_of_the_match(setting: Setting) -> None:
    env = made(setting)
    env.reset(seed=3)
    paid = dict.fromkeys(env.possible_agents, 0.0)
    chance = np.random.default_rng(3)
    while env.agents and not env.match.over:
        legal = env.match.legal
        env.step(int(legal[chance.integers(len(legal))]))
        paid = {agent: paid[agent] + env.rewards[agent] for agent in paid}
    assert list(paid.values()) == pytest.approx(env.match.returns.tolist())


@pytest.mark.parametrize("game", GAMES)
def test_pettingzoo_environment_deals_the_same_cards_as_a_match_with_the_same_seed(game: str) -> None:
    env = aec(game)
    env.reset(seed=11)
    key = np.random.default_rng(11).bytes(32)
    match = Match(game, env.match.seats, seed=key)
    assert match.known(0).tobytes() == env.match.view(0).tobytes()  # type: ignore[attr-defined]


def test_illegal_actions_and_wrong_calls_of_a_pettingzoo_environment_raise_and_change_nothing() -> None:
    for unready, step in ((aec(GAMES[1]), 0), (parallel(GAMES[1]), {"seat_0": 0, "seat_1": 0})):
        with pytest.raises(BadBatch, match="call reset first"):
            unready.step(step)
    env = aec(GAMES[1])
    env.reset(seed=1)
    before = env.state()
    illegal = int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"] == 0)[0])
    for wrong in (illegal, -1, env.match.game.actions):
        with pytest.raises(IllegalAction, match=r"seat 0 may not|go from 0"):
            env.step(wrong)
    with pytest.raises(BadBatch, match="None is only for agents"):
        env.step(None)
    assert (env.state() == before).all()
    with pytest.raises(BadBatch, match="render_mode must be one of ansi, human"):
        aec(GAMES[0], render_mode="rgb")
    both = parallel(GAMES[0])
    both.reset(seed=1)
    with pytest.raises(BadBatch, match="no action for seat_1"):
        both.step({"seat_0": 0})
    with pytest.raises(IllegalAction):
        both.step({"seat_0": 0, "seat_1": both.wait_action})
