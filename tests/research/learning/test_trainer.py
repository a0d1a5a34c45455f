"""Training: it learns, and an interruption changes nothing."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from facedown.bots.weights_file import load
from facedown.core.state import MAX_SEATS
from facedown.games.detect.bots.features import LAYOUT
from facedown.research.learning.match_evaluation import evaluate_against_greedy
from facedown.research.learning.self_play import Buffer, advantages_and_usable_mask
from facedown.research.learning.trainer import BadRun, Settings, Trainer
from tests.not_none import given

SIZES = {"embedding": 8, "first": 16, "second": 16, "point": 8}
TINY = Settings("detect", (2, 3), "tiny", 4 * 16 * 32, tables=16, steps=32, batch=128, measured=2, **SIZES)


def run(trainer: Trainer, updates: int) -> Trainer:
    for _ in range(updates):
        trainer.points.append(trainer.train_once())
    return trainer


@pytest.mark.slow
def test_interrupted_and_resumed_training_gives_the_same_weights_as_uninterrupted_training(tmp_path: Path) -> None:
    """The number of threads does not matter, either."""
    whole = run(Trainer(TINY), 4)
    run(Trainer(TINY, threads=3), 2).save_checkpoint(tmp_path)
    broken = run(Trainer.resumed(tmp_path), 2)
    assert broken.decisions == whole.decisions == TINY.decisions
    assert broken.weights.tobytes() == whole.weights.tobytes()
    assert given(broken.network.critic_weights).tobytes() == given(whole.network.critic_weights).tobytes()
    other = run(Trainer(replace(TINY, seed="other")), 4)
    assert other.weights.tobytes() != whole.weights.tobytes()


@pytest.mark.slow
def test_checkpoint_folder_contains_a_network_that_bots_can_load_and_a_learning_curve(tmp_path: Path) -> None:
    trainer = run(Trainer(TINY), 1)
    trainer.save_checkpoint(tmp_path)
    network = load(tmp_path / "network.npz")
    assert (network.weights == trainer.weights).all()
    assert network.game == "detect"
    rows = (tmp_path / "curve.csv").read_text().splitlines()
    assert rows[0].startswith("decisions,seconds")
    assert len(rows) == 2
    assert not list(tmp_path.glob("*.part"))


def test_training_cannot_be_resumed_from_a_checkpoint_with_other_input_features(tmp_path: Path) -> None:
    Trainer(TINY).save_checkpoint(tmp_path)
    with np.load(tmp_path / "checkpoint.npz") as kept:
        arrays = {name: kept[name] for name in kept.files}
    head = json.loads(arrays["head"].tobytes())
    head["layout"] = "0123456789abcdef"
    arrays["head"] = np.frombuffer(json.dumps(head).encode(), np.uint8)
    np.savez(tmp_path / "checkpoint.npz", **arrays)
    with pytest.raises(BadRun, match="the run was started with different detect features; start a new run"):
        Trainer.resumed(tmp_path)


def test_training_cannot_be_resumed_from_a_folder_without_a_valid_checkpoint(tmp_path: Path) -> None:
    with pytest.raises(BadRun, match="no run to resume"):
        Trainer.resumed(tmp_path)
    (tmp_path / "checkpoint.npz").write_bytes(b"PK\x03\x04 cut off")
    with pytest.raises(BadRun, match="no run to resume"):
        Trainer.resumed(tmp_path)


def test_advantages_are_computed_separately_along_the_decisions_of_each_seat() -> None:
    """Two seats alternate. Seat 0's round ends at its third decision, and another one begins."""
    who = np.array([0, 1, 0, 1, 0, 0, 1], np.int8)
    done = np.array([0, 0, 0, 1, 1, 0, 0], np.int8)
    reward = np.array([0, 0, 0, -1, 1, 0, 0], np.float32)
    values = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7], np.float32)
    buffer = Buffer.allocate(LAYOUT, 7)._replace(who=who, done=done, reward=reward)
    gain, usable = advantages_and_usable_mask(7, 0.5, buffer, values)
    last = 1 - 0.5
    third = 0.5 - 0.3 + 0.5 * last
    first = 0.3 - 0.1 + 0.5 * third
    assert gain[[4, 2, 0]] == pytest.approx([last, third, first])
    assert gain[3] == pytest.approx(-1 - 0.4)
    assert gain[1] == pytest.approx(0.4 - 0.2 + 0.5 * gain[3])
    # The new round has not ended, so the result of its decisions is not known.
    assert usable.tolist() == [1, 1, 1, 1, 1, 0, 0]


def test_only_the_last_decision_of_each_seat_in_a_round_gets_a_reward() -> None:
    trainer = Trainer(replace(TINY, steps=400, tables=4))
    trainer.tables.play(400, trainer.tower, trainer.buffer)
    mine = trainer.buffer
    assert mine.done.any()
    assert not mine.reward[mine.done == 0].any()
    assert (mine.opened.sum(axis=1) > 1).all()
    assert (np.take_along_axis(mine.opened, mine.chosen[:, None].astype(np.int64), 1) == 1).all()
    assert (mine.log_probability < 0).all()
    assert mine.who.max() < MAX_SEATS
    for t in range(0, 4, 2):
        # With two seats, one wins what the other loses.
        rows = slice(400 * t, 400 * (t + 1))
        paid = mine.reward[rows][mine.done[rows] == 1]
        assert paid[: len(paid) // 2 * 2].reshape(-1, 2).sum(axis=1) == pytest.approx(0, abs=1e-5)


@pytest.mark.slow
def test_short_training_improves_the_score_against_greedy_bots() -> None:
    """At most twenty seconds of self-play gain points, far more than luck could."""
    sizes = {name: 2 * size for name, size in SIZES.items()}
    trainer = Trainer(Settings("detect", seed="smoke", decisions=1_000_000, tables=256, batch=2048, epochs=1, **sizes))
    before = evaluate_against_greedy(trainer.game, 2, trainer.tower, 100)
    while trainer.progress < 1.0 and trainer.decisions < 600_000:
        trainer.train_once()
    after = evaluate_against_greedy(trainer.game, 2, trainer.tower, 100)
    print(before, after)
    assert after.mean - before.mean > 2 * (after.margin + before.margin)
