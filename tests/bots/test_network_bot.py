"""Network bots: loading weights, and moves from a view alone."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from facedown.bots.critic_search import CriticSearchBot
from facedown.bots.feature_dispatch import NoFeatures
from facedown.bots.levels import bot
from facedown.bots.network_bot import NetworkBot, sample_output_index
from facedown.bots.simple_bots import GreedyBot
from facedown.bots.weights_file import Misfit, load, load_shipped_weights, save
from facedown.core import hidden_cards
from facedown.core.bot import generator_for
from facedown.core.features import NO_MOVE
from facedown.core.game_registry import catalogue, game
from facedown.core.match import Match
from tests.bots.positions import iterate_turns, untrained_network
from tests.conftest import seed_for

SHIPPED = [(name, *one) for name in catalogue() for one in game(name).levels.networks]


def test_network_weights_are_equal_after_saving_and_loading(tmp_path: Path) -> None:
    saved = replace(untrained_network(), critic=None, critic_weights=None)
    save(tmp_path / "a.npz", saved)
    found = load(tmp_path / "a.npz")
    assert found.player == saved.player
    assert (found.weights == saved.weights).all()
    assert found.critic is None
    save(tmp_path / "half.npz", saved, np.float16)
    assert np.abs(load(tmp_path / "half.npz").weights - saved.weights).max() < 1e-3


def test_network_weights_for_other_features_or_games_are_refused(tmp_path: Path) -> None:
    other = replace(untrained_network(), layout="0123456789abcdef")
    with pytest.raises(Misfit, match="trained with different detect features"):
        NetworkBot(other)
    with pytest.raises(Misfit, match="weights are for detect, not for reveal"):
        NetworkBot(untrained_network()).choose(game("reveal"), Match("reveal", 2).known(0), 0, 1)
    with pytest.raises(NoFeatures, match="uncovered has no features"):
        NetworkBot(replace(untrained_network(), game="uncovered"))
    with pytest.raises(Misfit, match="these weights for detect do not include a critic network"):
        CriticSearchBot(replace(untrained_network(), critic=None, critic_weights=None))
    path = tmp_path / "a.npz"
    for content in (b"", b"nothing", b"PK\x03\x04 cut"):
        path.write_bytes(content)
        with pytest.raises(Misfit, match="cannot load a network from"):
            load(path)
    with pytest.raises(Misfit, match="cannot load a network from"):
        load(tmp_path / "missing.npz")
    short = replace(untrained_network(), weights=untrained_network().weights[:-1])
    save(path, short)
    with pytest.raises(Misfit, match=r"weights, not \d+"):
        load(path)
    broken = untrained_network()
    broken.weights[5] = np.nan
    save(path, broken)
    with pytest.raises(Misfit, match="finite numbers"):
        load(path)


def test_legal_moves_are_drawn_with_the_softmax_probabilities_of_the_network_outputs() -> None:
    logits = np.array([0.0, 1.0, 5.0, 2.0], np.float32)
    actions = np.array([10, 11, NO_MOVE, 13], np.int32)
    q = generator_for(seed_for("odds") % 1000)
    assert sample_output_index(logits, actions, 0.0, q) == 3
    count = 6000
    found = Counter(int(sample_output_index(logits, actions, 1.0, q)) for _ in range(count))
    odds = np.exp(logits[[0, 1, 3]]) / np.exp(logits[[0, 1, 3]]).sum()
    for at, share in zip((0, 1, 3), odds, strict=True):
        assert abs(found[at] / count - share) < 5 * (share / count) ** 0.5
    assert found[2] == 0
    assert sample_output_index(logits, np.full(4, NO_MOVE, np.int32), 1.0, q) == -1


@pytest.mark.parametrize("kind", [NetworkBot, CriticSearchBot])
def test_network_bots_leave_moves_to_a_fallback_bot_if_a_rule_option_is_unsupported(kind: type[NetworkBot]) -> None:
    match, player = Match("detect", 2, {"deck": "custom(1:40 2:40)"}), kind(untrained_network(), otherwise=GreedyBot())
    for _ply, seat in iterate_turns(match, 20):
        view = match.known(seat)
        found = player.choose(match.game, view, seat, 4)
        assert found == GreedyBot().choose(match.game, view, seat, 4)
        match.play(seat, found)


def test_critic_search_values_a_round_ending_move_by_points_not_by_the_critic_network() -> None:
    """In a match of two players, the opponent has ended the round. The position after this turn is scored without the
    critic.
    """
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
        player = CriticSearchBot(untrained_network())
        tried, found = player.evaluate_moves(match.game, match.known(seat), seat, 3, 30)
        takes = [place for place, action in enumerate(tried) if 66 <= action < 78 and len(found)]
        if not takes:
            continue
        brought = []
        for one in range(30):
            key = np.random.default_rng(one).integers(0, 2**32, 8, np.uint32)
            world = hidden_cards.redeal(match.known(seat), key)
            match.game.rules.apply(world, seat, tried[takes[0]])
            out = np.zeros(8)
            game("detect").features.rewards(world, out)
            brought.append(out[seat])
        # Two samples of the same quantity.
        assert (
            abs(found[:, takes[0]].mean() - np.mean(brought)) < 5 * max(0.05, float(np.std(brought))) / 30**0.5 * 2**0.5
        )
        return
    raise AssertionError("no round was ended with a card to take")


@pytest.mark.parametrize(("name", "few", "many", "file"), SHIPPED)
def test_the_master_level_plays_with_the_shipped_weights(name: str, few: int, many: int, file: str) -> None:
    trained = load_shipped_weights(name, file)
    levels = game(name).levels
    master = bot("master")
    for seats in range(few, many + 1):
        match = Match(name, seats, {}, bytes(32))
        for ply, seat in iterate_turns(match, 6):
            view = match.known(seat)
            player = CriticSearchBot(trained, levels.worlds) if levels.worlds else NetworkBot(trained)
            mine = player.choose(match.game, view, seat, ply)
            assert mine == master.choose(match.game, view, seat, ply)
            match.play(seat, mine)
