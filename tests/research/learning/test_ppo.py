"""One update of PPO on a hand-made batch: the sign of the entropy bonus, and both sides of the clip."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from facedown.bots.network import critic_shape, player_shape
from facedown.core.features import FeatureLayout
from facedown.research.learning.jax_model import CLOSED, network_outputs, split_features
from facedown.research.learning.ppo import Towers, make_update_step, optimiser

LAYOUT = FeatureLayout(table=("one", "two"), outputs=("left", "middle", "right"))
ROWS = 32
RATE = np.float32(1e-3)
#: The last output is masked in every position.
OPENED = np.tile(np.array([1, 1, 0], np.int8), (ROWS, 1))


class Batch:
    """Two random towers and a batch of random positions and choices, the same every time."""

    def __init__(self) -> None:
        rng = np.random.default_rng(1)
        self.towers = Towers(LAYOUT, player_shape(LAYOUT, 4, 8, 8, 4), critic_shape(LAYOUT, 4, 8, 8))
        shapes = self.towers.player, self.towers.critic
        self.parts: Any = tuple(
            {name: rng.standard_normal(size).astype(np.float32) for name, size in shape.weight_shapes.items()}
            for shape in shapes
        )
        self.known = rng.integers(-127, 128, (ROWS, LAYOUT.size)).astype(np.int8)
        self.chosen = rng.integers(0, 2, ROWS).astype(np.int16)

    def log_odds(self, player: Any) -> np.ndarray:
        """Log probability of every output in every position, shape (rows, outputs)."""
        logits = np.asarray(network_outputs(self.towers.player, player, *split_features(LAYOUT, self.known)))
        logits = np.where(OPENED != 0, logits, CLOSED).astype(np.float64)
        most = logits.max(axis=1, keepdims=True)
        return logits - most - np.log(np.exp(logits - most).sum(axis=1, keepdims=True))

    def log_odds_of_choices(self, player: Any) -> np.ndarray:
        """Log probability of the choice made in each position."""
        return np.take_along_axis(self.log_odds(player), self.chosen[:, None].astype(np.int64), 1)[:, 0]

    def entropy(self, player: Any) -> float:
        """Mean entropy of the choices, in nats."""
        logs = self.log_odds(player)
        return float(-(np.exp(logs) * logs).sum(axis=1).mean())

    def updated(self, gain: float, ratio: float, entropy: float = 0.0) -> Any:
        """Make one update and return the player's weights.

        `gain` is the advantage of all choices; `ratio` is how many times as likely they are now as when they were made.
        """
        odds = (self.log_odds_of_choices(self.parts[0]) - np.log(ratio)).astype(np.float32)
        secret = np.zeros((ROWS, LAYOUT.secret_size), np.int8)
        gains, targets = np.full(ROWS, gain, np.float32), np.zeros(ROWS, np.float32)
        buffer = self.known, secret, OPENED, self.chosen, odds, gains, targets
        states = tuple(optimiser().init(parts) for parts in self.parts)
        update = make_update_step(self.towers)
        parts, _, _ = update(self.parts, states, buffer, np.arange(ROWS, dtype=np.int32), RATE, np.float32(entropy))
        return parts[0]

    def drift(self, gain: float, ratio: float) -> float:
        """Return the change of the choices' mean log probability by one update."""
        after = self.log_odds_of_choices(self.updated(gain, ratio))
        return float((after - self.log_odds_of_choices(self.parts[0])).mean())


def test_entropy_bonus_of_a_ppo_update_raises_the_entropy_of_the_choices() -> None:
    batch = Batch()
    before = batch.entropy(batch.parts[0])
    assert 0.0 < before < 0.9 * np.log(2), "there must be room on both sides"
    after = batch.entropy(batch.updated(gain=0.0, ratio=1.0, entropy=0.1))
    assert after > before, f"the bonus lowered the entropy from {before:.4f} to {after:.4f}"


@pytest.mark.parametrize(
    ("gain", "ratio"), [(1.0, 1.21), (-1.0, 0.79)], ids=["better and likelier", "worse and less likely"]
)
def test_ppo_update_does_not_push_a_probability_ratio_further_beyond_the_clip_range(gain: float, ratio: float) -> None:
    drift = Batch().drift(gain, ratio)
    assert drift == 0.0, f"the log probability moved by {drift:+.4f}"


@pytest.mark.parametrize(
    ("gain", "ratio"),
    [(1.0, 1.19), (-1.0, 0.81), (1.0, 0.5), (-1.0, 2.0)],
    ids=["better", "worse", "better but less likely", "worse but likelier"],
)
def test_ppo_update_follows_the_advantage_inside_the_clip_range_and_back_towards_it(gain: float, ratio: float) -> None:
    assert Batch().drift(gain, ratio) * gain > 1e-4
