"""The network in plain rules and in JAX: both compute the same numbers."""

from __future__ import annotations

import numpy as np
import pytest

from facedown.bots.network import Shape, critic_input_indices, critic_shape, forward, player_shape
from facedown.core.features import NO_MOVE, FeatureLayout
from facedown.games.detect.bots.features import LAYOUT
from facedown.research.learning.jax_model import flatten_weights, network_outputs, split_critic_features, split_features
from tests.conftest import seed_for

PLAIN = FeatureLayout(table=("one", "two", "three"), outputs=("left", "right"))


def weights(shape: Shape, rng: np.random.Generator) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Return random weights in which every part matters, biases included, by part and in one row."""
    parts = {name: (0.3 * rng.standard_normal(size)).astype(np.float32) for name, size in shape.weight_shapes.items()}
    return parts, flatten_weights(shape, parts)


def positions(layout: FeatureLayout, rng: np.random.Generator, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return random features, half of them 0. Some items are absent."""
    known = rng.integers(-127, 128, (count, layout.size)).astype(np.int8)
    known[rng.random(known.shape) < 0.5] = 0
    secret = rng.integers(-127, 128, (count, layout.secret_size)).astype(np.int8)
    return known, secret


def forward_plain(shape: Shape, row: np.ndarray, x: np.ndarray) -> np.ndarray:
    out = np.full(shape.output_count, 7, np.float32)
    forward(x, shape.tower(row), out)
    return out


@pytest.mark.parametrize("layout", [LAYOUT, PLAIN], ids=["items", "table alone"])
def test_network_outputs_computed_without_jax_equal_those_computed_with_jax(layout: FeatureLayout) -> None:
    rng = np.random.default_rng(seed_for("forward"))
    shape = player_shape(layout, 16, 24, 20, 12)
    parts, row = weights(shape, rng)
    known, _ = positions(layout, rng, 50)
    expected = np.asarray(network_outputs(shape, parts, *split_features(layout, known)))
    found = np.stack([forward_plain(shape, row, x) for x in known])
    assert found.std() > 0.1
    # To 1e-5 of the largest output.
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5 * float(np.abs(expected).max()))


def test_critic_network_outputs_computed_without_jax_equal_those_computed_with_jax() -> None:
    rng = np.random.default_rng(seed_for("critic"))
    shape = critic_shape(LAYOUT, 16, 24, 20)
    parts, row = weights(shape, rng)
    known, secret = positions(LAYOUT, rng, 50)
    expected = np.asarray(network_outputs(shape, parts, *split_critic_features(LAYOUT, known, secret)))
    for i, x in enumerate(np.hstack([known, secret])[:, critic_input_indices(LAYOUT)]):
        found = forward_plain(shape, row, x)
        np.testing.assert_allclose(found, expected[i], rtol=1e-4, atol=1e-5 * float(np.abs(expected).max()))


def test_features_of_a_network_input_item_marked_absent_do_not_change_the_outputs() -> None:
    rng = np.random.default_rng(seed_for("absent"))
    shape = player_shape(LAYOUT, 8, 16, 16, 8)
    _parts, row = weights(shape, rng)
    known, _ = positions(LAYOUT, rng, 1)
    x = known[0]
    at = len(LAYOUT.table) + 5 * len(LAYOUT.item)
    x[at] = 0
    before = forward_plain(shape, row, x)
    x[at + 1 : at + len(LAYOUT.item)] = 50
    assert (forward_plain(shape, row, x) == before).all()
    x[at] = 32
    assert (forward_plain(shape, row, x) != before).any()
    assert NO_MOVE < 0
