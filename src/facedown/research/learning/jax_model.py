"""JAX version of the player network and the critic, for training.

It gives the same outputs as the compiled networks in `bots.network`, up to rounding errors.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from facedown.bots.network import Shape
from facedown.core.features import FEATURE_UNIT, FeatureLayout

Parts = Mapping[str, Any]

#: Logit given to an output without a legal action, so low that its probability is 0.
CLOSED = -1e9


def random_initial_weights(shape: Shape, rng: np.random.Generator) -> dict[str, NDArray[np.float32]]:
    """Return random initial weights by name.

    They are scaled so that hidden layers keep the variance of their inputs, and outputs start near zero.
    """
    parts = {}
    for name, size in shape.weight_shapes.items():
        if name.endswith("bias"):
            parts[name] = np.zeros(size, np.float32)
        else:
            scale = 0.01 if name in ("other", "point") else (2.0 / max(1, size[0])) ** 0.5
            parts[name] = (scale * rng.standard_normal(size)).astype(np.float32)
    return parts


def flatten_weights(shape: Shape, parts: Parts) -> NDArray[np.float32]:
    """Return the weights of a network as one flat array, in the order that `bots.network` expects.

    `parts` has the weights by name.
    """
    return np.concatenate([np.asarray(parts[name], np.float32).ravel() for name in shape.weight_shapes])


def network_outputs(shape: Shape, parts: Parts, table: Any, items: Any) -> Any:
    """Return the outputs of a network for many positions, as an array ``[position, output]``.

    `shape` describes the network's layers; `parts` has its weights by name. The inputs are two arrays:

    * ``table[position, feature]``: the features of each position as a whole
    * ``items[position, item, feature]``: the features of each item, a part of the position with features of its own,
      such as one column of a grid of cards (`core.features`)
    """
    pieces = [table]
    embedded = there = None
    if shape.groups:
        there = (items[:, :, :1] != 0).astype(jnp.float32)
        embedded = jax.nn.relu(items @ parts["item"] + parts["item bias"]) * there
        for group in range(shape.group_count):
            members = [k for k, own in enumerate(shape.groups) if own == group]
            pieces.append(embedded[:, members[0] : members[-1] + 1].sum(axis=1))
    hidden = jax.nn.relu(jnp.concatenate(pieces, axis=1) @ parts["first"] + parts["first bias"])
    last = jax.nn.relu(hidden @ parts["second"] + parts["second bias"])
    found = last @ parts["other"] + parts["other bias"]
    if not shape.pointed:
        return found
    assert embedded is not None
    assert there is not None
    near = embedded[:, : shape.pointed] @ parts["near"]
    spot = jax.nn.relu(near + (last @ parts["far"] + parts["far bias"])[:, None, :]) * there[:, : shape.pointed]
    own = spot @ parts["point"] + parts["point bias"]
    return jnp.concatenate([own.reshape(len(table), -1), found], axis=1)


def split_features(layout: FeatureLayout, known: Any) -> tuple[Any, Any]:
    """Convert the features of many positions to floats, and split them into two arrays.

    ``known[position]`` has the features of a position as bytes; the byte n stands for the number n / `FEATURE_UNIT`.
    Return two arrays of floats:

    * ``[position, feature]``: the features of each position as a whole
    * ``[position, item, feature]``: the features of each item, a part of the position with features of its own, such as
      one column of a grid of cards (`core.features`)
    """
    numbers = known.astype(jnp.float32) / FEATURE_UNIT
    table = len(layout.table)
    return numbers[:, :table], numbers[:, table:].reshape(len(known), layout.item_count, len(layout.item))


def split_critic_features(layout: FeatureLayout, known: Any, secret: Any) -> tuple[Any, Any]:
    """Convert the critic's features of many positions to floats, and split them into two arrays.

    * ``known[position]``: the features that the seat to act knows.
    * ``secret[position]``: the features that are hidden from this seat. Only the critic receives them.

    All features are bytes. The byte n stands for the number n / `FEATURE_UNIT`.

    Return two arrays of floats. Along the last axis, the known features come first and the secret ones follow.

    * ``[position, feature]``: the features of each position as a whole
    * ``[position, item, feature]``: the features of each item, a part of the position with features of its own, such as
      one column of a grid of cards (`core.features`)
    """
    table, items = split_features(layout, known)
    more = secret.astype(jnp.float32) / FEATURE_UNIT
    count = len(layout.secret_table)
    extra = more[:, count:].reshape(len(known), layout.item_count, len(layout.secret_item))
    return jnp.concatenate([table, more[:, :count]], axis=1), jnp.concatenate([items, extra], axis=2)
