"""Steps of the environments: each is the single moves of its seats in a plain match."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from facedown.bots.simple_bots import greedy
from facedown.core.match import Match
from facedown.core.random_numbers import quick_randint
from facedown.core.state import copy
from facedown.research.gymnasium import FacedownEnv, FacedownVectorEnv
from facedown.research.pettingzoo import FacedownAEC, FacedownParallel, aec, parallel
from facedown.research.single_match import SingleMatch
from tests.research.game_settings import ALL, GAMES, Setting, play_pauses

SEALED = Setting("reveal", 2, (("final_mode", "sealed"),))
TABLES = [*ALL, *([SEALED] if "reveal" in GAMES else [])]
STEPS = 200


def plain_match(single: SingleMatch) -> Match:
    """Return the match that a plain table deals from the same key."""
    match = Match(single.game, single.seats, single.options, seed=single.state["key"].astype("<u4").tobytes())
    play_pauses(match)
    return match


def is_at(match: Match, state: Any) -> bool:
    """Return whether this is the position of the match."""
    return bool(match.state.tobytes() == copy(state).tobytes())  # type: ignore[attr-defined]


@pytest.mark.parametrize("kind", [aec, parallel])
@pytest.mark.parametrize("setting", TABLES, ids=str)
def test_step_of_a_pettingzoo_environment_leads_to_the_same_position_as_moves_in_a_match(
    setting: Setting, kind: type[FacedownAEC | FacedownParallel]
) -> None:
    """In an AEC environment the lowest acting seat moves, in a parallel environment all acting seats. The rest wait.

    What an agent gets is computed from its seat's view, so it depends on nothing that is hidden from it.
    """
    env, chance = kind(setting.game, setting.seats, options=setting.chosen), np.random.default_rng(1)
    env.reset(seed=1)
    match = plain_match(env.match)
    for _ in range(STEPS):
        if match.over:
            break
        joint = isinstance(env, FacedownParallel)
        seen = env._observations() if joint else {agent: env.observe(agent) for agent in env.agents}
        acting, waiting = (match.acting, [env.wait_action]) if joint else (match.acting[:1], [])
        actions = {}
        for agent, seat in env.seat_of.items():
            legal = np.flatnonzero(seen[agent]["action_mask"])
            assert legal.tolist() == (match.legal(seat) if seat in acting else waiting)
            assert (seen[agent]["observation"] == env.layout.compact(match.known(seat))).all()
            actions[agent] = int(chance.choice(legal)) if len(legal) else None
        for seat in acting:
            match.play(seat, actions[env.possible_agents[seat]])
        play_pauses(match)
        env.step(actions if joint else actions[env.agent_selection])
        assert is_at(match, env.match.state)


class RecordingBot:
    """A random bot that records its moves."""

    def __init__(self) -> None:
        self.played: list[tuple[int, int]] = []

    def choose(self, game: Any, view: Any, seat: int, seed: int) -> int:
        """Return a random legal action."""
        self.played.append((seat, random.Random(seed).choice(game.legal(view, seat))))
        return self.played[-1][1]


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("setting", TABLES, ids=str)
def test_step_of_a_gymnasium_environment_also_plays_the_moves_of_the_opponent_bots(setting: Setting, seat: int) -> None:
    bot = RecordingBot()
    env = FacedownEnv(setting.game, setting.seats, setting.chosen, seat=seat, opponents=[bot])  # type: ignore[list-item]
    chance = np.random.default_rng(3)
    seen, _ = env.reset(seed=3)
    match = plain_match(env.match)
    for _ in range(STEPS):
        for move in bot.played:
            match.play(*move)
            play_pauses(match)
        bot.played.clear()
        assert is_at(match, env.match.state)
        if match.over:
            break
        assert np.flatnonzero(seen["action_mask"]).tolist() == match.legal(seat)
        action = int(chance.choice(np.flatnonzero(seen["action_mask"])))
        match.play(seat, action)
        play_pauses(match)
        seen, *_ = env.step(action)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("setting", TABLES, ids=str)
def test_step_of_a_vector_environment_also_plays_the_moves_of_the_opponent_bots(setting: Setting, seat: int) -> None:
    """The bots of a batch choose by the batch's own generators, which are copied before each step."""
    kinds = ["random", "greedy"][: setting.seats - 1]
    envs = FacedownVectorEnv(
        setting.game, 3, setting.seats, setting.chosen, seat=seat, opponents=kinds, autoreset_mode="Disabled"
    )
    by_seat = {(seat + turn) % setting.seats: kinds[min(turn, len(kinds)) - 1] for turn in range(1, setting.seats)}
    chance = np.random.default_rng(4)
    seen, _ = envs.reset(seed=4)
    batch = envs.batch
    for _ in range(STEPS // 4):
        before = np.frombuffer(bytearray(batch.state), batch.game.dtype)
        luck = batch._matches.luck.copy()
        actions = (chance.random(seen["action_mask"].shape) * seen["action_mask"]).argmax(axis=1)
        seen, *_ = envs.step(actions)
        after = np.frombuffer(batch.state, batch.game.dtype)
        for i in range(3):
            match = Match(batch.game, batch.seats, batch.options)
            match.state = before[i]
            q = luck[i : i + 1]
            if not match.over:
                match.play(seat, int(actions[i]))
            play_pauses(match)
            while not match.over and match.acting[0] != seat:
                turn = match.acting[0]
                if by_seat[turn] == "random":
                    legal = match.legal(turn)
                    match.play(turn, legal[quick_randint(q, len(legal))])
                else:
                    match.play(turn, int(greedy(match.state, turn, q)))
                play_pauses(match)
            assert is_at(match, after[i])
            assert (seen["observation"][i] == envs.layout.compact(match.known(seat))).all()
    envs.close()
