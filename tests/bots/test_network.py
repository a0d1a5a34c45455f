"""Networks as bots: weights that fit, and moves from a view alone."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from facedown.bots.critic_search import CriticSearchBot
from facedown.bots.features import NoFeatures
from facedown.bots.greedy import GreedyBot
from facedown.bots.levels import bot
from facedown.bots.network import player_shape
from facedown.bots.network_bot import NetworkBot, pick
from facedown.bots.weights import Misfit, Weights, load, save, shipped
from facedown.core import slots
from facedown.core.bot import NotAView, generator_for
from facedown.core.features import NO_MOVE
from facedown.core.game import catalogue, game
from facedown.core.match import Match
from tests.conftest import seed_for

SHIPPED = [(name, *one) for name in catalogue() for one in game(name).levels.networks]


def some(name: str = "detect") -> Weights:
    features = game(name).features
    assert features is not None
    shape = player_shape(features.layout, 8, 16, 16, 8)
    row = np.random.default_rng(3).standard_normal(shape.weights).astype(np.float32) / 4
    return Weights(name, features.layout.hash, shape, row)


def test_a_file_gives_the_same_weights_back(tmp_path: Path) -> None:
    network = some()
    save(tmp_path / "a.npz", network)
    found = load(tmp_path / "a.npz")
    assert found.player == network.player
    assert (found.weights == network.weights).all()
    assert found.critic is None
    save(tmp_path / "half.npz", network, np.float16)
    assert np.abs(load(tmp_path / "half.npz").weights - network.weights).max() < 1e-3


def test_weights_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    other = replace(some(), layout="0123456789abcdef")
    with pytest.raises(Misfit, match="trained with other features of detect"):
        NetworkBot(other)
    with pytest.raises(Misfit, match="weights are of detect, not of reveal"):
        NetworkBot(some()).choose(game("reveal"), Match("reveal", 2).known(0), 0, 1)
    with pytest.raises(NoFeatures, match="uncovered has no features"):
        NetworkBot(replace(some(), game="uncovered"))
    path = tmp_path / "a.npz"
    for content in (b"", b"nothing", b"PK\x03\x04 cut"):
        path.write_bytes(content)
        with pytest.raises(Misfit, match="no network can be read"):
            load(path)
    with pytest.raises(Misfit, match="no network can be read"):
        load(tmp_path / "missing.npz")
    short = replace(some(), weights=some().weights[:-1])
    save(path, short)
    with pytest.raises(Misfit, match=r"weights, not \d+"):
        load(path)
    broken = some()
    broken.weights[5] = np.nan
    save(path, broken)
    with pytest.raises(Misfit, match="no numbers"):
        load(path)


def test_it_refuses_a_state() -> None:
    match = Match("detect", 2)
    with pytest.raises(NotAView):
        NetworkBot(some()).choose(match.game, match.state, 0, 1)  # type: ignore[arg-type]


@pytest.mark.slow
def test_it_chooses_from_what_its_seat_knows() -> None:
    """The same move in every world that fits, mixed or not; and always a legal one."""
    rnd = random.Random(seed_for("network bot"))
    players = [NetworkBot(some()), NetworkBot(some(), temperature=1.0)]
    for seats in (2, 5, 8):
        match = Match("detect", seats, {}, rnd.randbytes(32))
        while not match.over and match.ply < 60:
            seat, ply = match.acting[0], match.ply
            view = match.known(seat)
            world = slots.redeal(view, np.frombuffer(rnd.randbytes(32), np.uint32).copy())
            for player in players:
                action = player.choose(match.game, view, seat, ply)
                assert action in match.legal(seat)
                assert action == player.choose(match.game, slots.known_view(world, seat), seat, ply)
            match.play(seat, action)


def test_odds_are_those_of_the_logits() -> None:
    logits = np.array([0.0, 1.0, 5.0, 2.0], np.float32)
    actions = np.array([10, 11, NO_MOVE, 13], np.int32)
    q = generator_for(seed_for("odds") % 1000)
    assert pick(logits, actions, 0.0, q) == 3
    count = 6000
    found = Counter(int(pick(logits, actions, 1.0, q)) for _ in range(count))
    odds = np.exp(logits[[0, 1, 3]]) / np.exp(logits[[0, 1, 3]]).sum()
    for at, share in zip((0, 1, 3), odds, strict=True):
        assert abs(found[at] / count - share) < 5 * (share / count) ** 0.5
    assert found[2] == 0
    assert pick(logits, np.full(4, NO_MOVE, np.int32), 1.0, q) == -1


def test_what_it_does_not_know_another_plays() -> None:
    match = Match("detect", 2, {"deck": "custom(1:40 2:40)"})
    for _ in range(20):
        seat = match.acting[0]
        view = match.known(seat)
        found = NetworkBot(some(), otherwise=GreedyBot()).choose(match.game, view, seat, 4)
        assert found == GreedyBot().choose(match.game, view, seat, 4)
        match.play(seat, found)


@pytest.mark.parametrize(("name", "few", "many", "file"), SHIPPED)
def test_level_master_plays_by_the_weights_that_come_with_a_game(name: str, few: int, many: int, file: str) -> None:
    network = shipped(name, file)
    levels = game(name).levels
    master = bot("master")
    for seats in range(few, many + 1):
        match = Match(name, seats, {}, bytes(32))
        for ply in range(6):
            seat = match.acting[0]
            view = match.known(seat)
            player = (
                CriticSearchBot(network, levels.worlds) if levels.worlds else NetworkBot(network, levels.temperature)
            )
            mine = player.choose(match.game, view, seat, ply)
            assert mine == master.choose(match.game, view, seat, ply)
            match.play(seat, mine)
