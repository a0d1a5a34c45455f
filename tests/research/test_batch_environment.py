"""The batched environment: it plays the matches of `Match`, in parallel, and shows only what a view shows."""

from __future__ import annotations

import copy
import json
import os
import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from facedown.core.game_registry import game
from facedown.core.hidden_cards import known_view, redeal, shown_view
from facedown.core.match import Match
from facedown.core.seeds import seed_from_text
from facedown.core.state import to_bytes
from facedown.research.batch import MAGIC, BadBatch, BatchEnv, Buffers, IllegalAction
from facedown.simulate.random_playouts import deal_batch
from tests.research.game_settings import ALL, GAMES, Setting, play_pauses


def made(setting: Setting, matches: int, **more: Any) -> BatchEnv:
    env = BatchEnv(setting.game, matches, setting.seats, setting.chosen, seed="batch", **more)
    env.reset()
    return env


def copies(env: BatchEnv) -> list[bytes]:
    return [array.tobytes() for array in env.out]


@pytest.mark.parametrize("setting", ALL, ids=str)
def test_batch_environment_plays_the_same_as_single_matches_dealt_from_the_same_keys(setting: Setting) -> None:
    """Masks, turns, views and returns are the same after the same actions."""
    env = made(setting, 3, restart="never")
    dealt = deal_batch(setting.game, 3, setting.seats, setting.chosen, seed="batch")
    matches = [
        Match(setting.game, setting.seats, setting.chosen, seed=state.key.astype("<u4").tobytes()) for state in dealt
    ]
    total = np.zeros((3, setting.seats))
    for _ in range(400):
        for i, match in enumerate(matches):
            play_pauses(match)
            seat = -1 if match.over else match.acting[0]
            assert env.seat[i] == seat
            assert np.flatnonzero(env.mask[i]).tolist() == ([] if match.over else match.legal(seat))
            seen = env.layout.compact(match.known(seat)) if seat >= 0 else np.zeros(env.layout.size)
            assert (env.observation[i] == seen).all()
        if env.done.all():
            break
        actions = env.sample()
        for i, match in enumerate(matches):
            if not match.over:
                match.play(match.acting[0], int(actions[i]))
        env.step(actions)
        total += env.reward
    for i, match in enumerate(matches):
        assert total[i].tolist() == pytest.approx(match.game.returns(match.state))


@pytest.mark.parametrize("game_name", GAMES)
@pytest.mark.parametrize("restart", ["same step", "next step", "never"])
def test_outputs_of_a_batch_are_the_same_with_several_threads_and_with_buffers_of_the_caller(
    game_name: str, restart: str
) -> None:
    """Compares one thread with three threads and with buffers of the caller."""
    kinds = {"restart": restart, "players": ["", *["random"] * (game(game_name).info.seats[0] - 1)]}
    one = BatchEnv(game_name, 12, seed="threads", **kinds)
    mine = Buffers(*[np.full_like(array, 1) for array in one.out])
    three = BatchEnv(game_name, 12, seed="threads", threads=3, out=mine, **kinds)
    one.reset()
    three.reset()
    for _ in range(60):
        assert copies(one) == copies(three)
        actions = one.sample()
        assert (actions == three.sample()).all()
        one.step(actions)
        three.step(actions)
    assert three.out is mine
    assert one.state == three.state
    three.close()


@pytest.mark.parametrize("game_name", GAMES)
def test_batch_restored_from_a_snapshot_continues_with_the_same_outputs(game_name: str) -> None:
    env = BatchEnv(game_name, 6, seed="snapshot", observation="one-hot")
    env.reset()
    for _ in range(25):
        env.step(env.sample())
    kept = env.snapshot()
    first = []
    for _ in range(40):
        env.step(env.sample())
        first.append(copies(env))
    other = BatchEnv(game_name, 6, seed="another", observation="one-hot")
    other.restore(kept)
    for expected in first:
        other.step(other.sample())
        assert copies(other) == expected
    with pytest.raises(BadBatch, match="other settings"):
        BatchEnv(game_name, 7).restore(kept)
    with pytest.raises(BadBatch, match="truncated"):
        other.restore(kept[:-1])
    with pytest.raises(BadBatch, match="not a snapshot"):
        other.restore(b"something else")


@pytest.mark.parametrize(
    ("head", "why"),
    [
        (b"{}", "not a snapshot"),
        (b"[]", "not a snapshot"),
        (b'"of"', "not a snapshot"),
        (b'{"of": 1, "sizes": []}', "other settings"),
        (b'{"of": "%s", "sizes": null}', "truncated"),
        (b'{"of": "%s", "sizes": ["a"]}', "truncated"),
    ],
)
def test_batch_refuses_a_snapshot_with_a_damaged_head_and_is_unchanged(head: bytes, why: str) -> None:
    env = BatchEnv("uncovered", 2, seed="damaged")
    env.reset()
    kept = env.snapshot()
    start = len(MAGIC) + 4
    end = start + int.from_bytes(kept[len(MAGIC) : start], "little")
    settings = json.loads(kept[start:end])["of"].encode()
    damaged = head.replace(b"%s", settings)
    with pytest.raises(BadBatch, match=why):
        env.restore(MAGIC + len(damaged).to_bytes(4, "little") + damaged + kept[end:])
    assert env.snapshot() == kept


@pytest.mark.parametrize("memory", [True, False])
@pytest.mark.parametrize("setting", ALL, ids=str)
def test_observations_of_a_batch_depend_only_on_the_view_of_the_seat(setting: Setting, memory: bool) -> None:
    """In any world that fits a seat's view, the batch shows the seat the same (non-interference)."""
    env, other = made(setting, 5, memory=memory), made(setting, 5, memory=memory)
    chance = np.random.default_rng(17)
    for _ in range(25):
        worlds = []
        for i in range(5):
            seat = int(env.seat[i])
            view = known_view(env._states[i], seat)
            worlds.append(to_bytes(redeal(view, chance.integers(1 << 32, size=8, dtype=np.uint32))))
            seen = view if memory else shown_view(env._states[i], seat)
            assert (env.observation[i] == env.layout.compact(seen)).all()
        other.state = b"".join(worlds)
        assert other.state == b"".join(worlds)
        for name in ("compact", "mask", "seat"):
            assert (getattr(env.out, name) == getattr(other.out, name)).all(), name
        env.step(env.sample())


@pytest.mark.parametrize("game_name", [name for name in GAMES if game(name).rules.pause >= 0])
def test_matches_of_a_batch_limited_to_one_round_end_after_it_and_can_be_reset_separately(game_name: str) -> None:
    env = BatchEnv(game_name, 10, seed="rounds", unit="round", restart="never")
    env.reset()
    total = np.zeros(env.reward.shape)
    while not env.done.all():
        env.step(env.sample())
        total += env.reward
    for i in range(10):
        match = Match(game_name, env.seats, seed=bytes(32))
        assert total[i].tolist() == pytest.approx(match.game.returns(env._states[i]))
    assert (env.out.length >= 0).all()
    before = env.match_number.copy()
    env.reset(which=np.arange(10) % 2 == 0)
    assert (env.seat[::2] >= 0).all()
    assert (env.seat[1::2] == -1).all()
    assert (env.match_number - before).tolist() == [10, 0] * 5


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"matches": 0}, "matches must be at least 1, not 0"),
        ({"observation": "pixels"}, "observation must be one of none, compact, one-hot, not 'pixels'"),
        ({"restart": "later"}, "restart must be one of"),
        ({"players": ["random"]}, "players must be 2 names"),
        ({"players": ["random", "greedy"]}, "must leave a seat"),
        ({"players": ["", "master"]}, "players must be among '', 'caller', 'random', 'greedy', 'casual', not 'master'"),
        ({"seed": b"abc"}, "a seed must have 32 bytes, not 3"),
    ],
)
def test_batch_environment_refuses_an_impossible_number_of_matches_seed_bot_or_mode(
    wrong: dict[str, Any], said: str
) -> None:
    with pytest.raises(BadBatch, match=said):
        BatchEnv(GAMES[1], **{"matches": 1, **wrong})


def test_wrong_actions_states_or_buffers_of_a_batch_raise_an_error_and_change_nothing() -> None:
    name = GAMES[1]
    env = BatchEnv(name, 4, seed="bad")
    with pytest.raises(BadBatch, match="call reset first"):
        env.step(np.zeros(4, np.int64))
    env.reset()
    actions = env.sample()
    before = env.snapshot()
    with pytest.raises(BadBatch, match=r"4 integers as actions, not \(3,\) int64"):
        env.step(np.zeros(3, np.int64))
    with pytest.raises(BadBatch, match=r"4 integers as actions, not \(4,\) float64"):
        env.step(np.zeros(4))
    actions[2] = env.actions - 1
    with pytest.raises(IllegalAction, match=r"match 2, action .*: seat 0 may not play"):
        env.step(actions)
    actions[2] = -5
    with pytest.raises(IllegalAction, match="go from 0 to"):
        env.step(actions)
    with pytest.raises(BadBatch, match="expected 4 booleans"):
        env.reset(which=np.zeros(3, bool))
    with pytest.raises(BadBatch, match=r"states of .*, not 3"):
        env.state = b"abc"
    with pytest.raises(BadBatch, match="not states of tables"):
        env.state = to_bytes(known_view(env._states[0], 0)) * 4
    assert env.snapshot() == before
    wrong = env.out._replace(mask=env.out.mask[:, ::2])
    with pytest.raises(BadBatch, match=r"out\.mask must be an array of"):
        BatchEnv(name, 4, out=wrong)
    frozen = np.zeros_like(env.mask)
    frozen.flags.writeable = False
    with pytest.raises(BadBatch, match="contiguous and writeable"):
        BatchEnv(name, 4, out=env.out._replace(mask=frozen))


def test_one_seed_decides_all_deals_of_a_batch_and_each_seed_in_a_list_decides_one_deal() -> None:
    """One seed decides the deals of all tables. Of several seeds, each decides the deal of its own table."""
    env, again = BatchEnv(GAMES[1], 3, seed="one"), BatchEnv(GAMES[1], 3, seed=seed_from_text("one"))
    env.reset()
    again.reset()
    assert env.state == again.state
    again.reset("other")
    assert env.state != again.state
    size = env.game.dtype.itemsize
    first = env.state[:size]
    rows = []
    for second in ("two", "other"):
        env.reset(["one", second, "three"])
        rows.append([env.state[at : at + size] for at in (0, size, 2 * size)])
    assert [one == other for one, other in zip(*rows, strict=True)] == [True, False, True]
    assert rows[0][0] == first
    with pytest.raises(BadBatch, match="expected 3 seeds, one for each match, not 2"):
        env.reset(["one", "two"])


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("started", [True, False])
def test_copied_or_pickled_batch_continues_independently_of_the_original(again: Any, started: bool) -> None:
    settings: dict[str, Any] = {"observation": "one-hot", "unit": "round", "memory": False, "players": ["", "greedy"]}
    env = BatchEnv(GAMES[1], 5, 2, seed="copied", restart="next step", threads=2, **settings)
    if started:
        env.reset()
        env.step(env.sample())
    other = again(env)
    assert other.setting == env.setting
    if not started:
        with pytest.raises(BadBatch, match="call reset first"):
            other.sample()
        env.reset()
        other.reset()
    for _ in range(30):
        before = copies(env)
        other.step(other.sample())
        assert copies(env) == before
        env.step(env.sample())
        assert copies(env) == copies(other)
    env.close()
    other.close()


FORKED = """
import os, sys
from facedown.research.batch import BatchEnv
env = BatchEnv(sys.argv[1], 4, seed="forked", threads=2)
env.reset()
child = os.fork()
env.step(env.sample())
if child:
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
env.close()
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="a system without fork")
def test_forked_process_can_continue_a_batch_that_uses_threads() -> None:
    subprocess.run([sys.executable, "-W", "ignore", "-c", FORKED, GAMES[1]], check=True, timeout=120)
