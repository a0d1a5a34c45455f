"""Looking a turn ahead: from a view alone, and worth what the rounds then bring."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from facedown.bots.critic_search import CriticSearchBot
from facedown.bots.greedy import GreedyBot
from facedown.bots.network import critic_shape, player_shape
from facedown.bots.weights import Misfit, Weights
from facedown.core import slots
from facedown.core.bot import NotAView, chosen
from facedown.core.match import Match
from facedown.games.detect.features import FEATURES, LAYOUT
from tests.conftest import seed_for


def some() -> Weights:
    player, critic = player_shape(LAYOUT, 8, 16, 16, 8), critic_shape(LAYOUT, 8, 16, 16)
    rng = np.random.default_rng(5)
    rows = [(rng.standard_normal(shape.weights) / 5).astype(np.float32) for shape in (player, critic)]
    return Weights("detect", LAYOUT.hash, player, rows[0], critic, rows[1])


def test_it_chooses_from_what_its_seat_knows() -> None:
    rnd = random.Random(seed_for("critic search"))
    player = CriticSearchBot(some(), worlds=4)
    for seats in (2, 4):
        match = Match("detect", seats, {}, rnd.randbytes(32))
        for ply in range(16):
            seat = match.acting[0]
            view = match.known(seat)
            action = player.choose(match.game, view, seat, ply)
            assert action in match.legal(seat)
            twin = slots.redeal(view, np.frombuffer(rnd.randbytes(32), np.uint32).copy())
            assert action == player.choose(match.game, slots.known_view(twin, seat), seat, ply)
            assert chosen(player, match.game, view, seat, ply, 0.5) in match.legal(seat)
            match.play(seat, rnd.choice(match.legal(seat)))


def test_it_refuses_a_state_and_weights_without_a_critic() -> None:
    match = Match("detect", 2)
    with pytest.raises(NotAView):
        CriticSearchBot(some()).choose(match.game, match.state, 0, 1)  # type: ignore[arg-type]
    with pytest.raises(Misfit, match="no critic"):
        CriticSearchBot(replace(some(), critic=None, critic_weights=None))


def test_a_move_that_ends_the_round_is_worth_its_points() -> None:
    """Two players, the other has ended the round: what this turn leaves is scored, and the critic is not asked."""
    rnd = random.Random(11)
    for number in range(60):
        match = Match("detect", 2, {}, rnd.randbytes(32))
        greedy = GreedyBot()
        while match.state.ender < 0 and match.ply < 300 and not match.over:
            seat = match.acting[0]
            match.play(seat, greedy.choose(match.game, match.known(seat), seat, number))
        if match.over or match.state.phase != 1:
            continue
        seat = match.acting[0]
        player = CriticSearchBot(some())
        tried, found = player.look(match.game, match.known(seat), seat, 3, 30)
        takes = [place for place, action in enumerate(tried) if 66 <= action < 78 and len(found)]
        if not takes:
            continue
        brought = []
        for one in range(30):
            key = np.random.default_rng(one).integers(0, 2**32, 8, np.uint32)
            world = slots.redeal(match.known(seat), key)
            match.game.rules.apply(world, seat, tried[takes[0]])
            out = np.zeros(8)
            FEATURES.pay(world, out)
            brought.append(out[seat])
        # Two samples of the same quantity.
        assert (
            abs(found[:, takes[0]].mean() - np.mean(brought)) < 5 * max(0.05, float(np.std(brought))) / 30**0.5 * 2**0.5
        )
        return
    raise AssertionError("no round was ended with a card to take")


def test_other_matches_are_left_to_another_bot() -> None:
    match = Match("detect", 2, {"deck": "custom(1:40 2:40)"})
    view = match.known(0)
    found = CriticSearchBot(some(), otherwise=GreedyBot()).choose(match.game, view, 0, 4)
    assert found == GreedyBot().choose(match.game, view, 0, 4)
