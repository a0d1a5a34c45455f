"""A network in plain compiled rules: the same sums in the same order on every machine, and no framework.

Two small towers share this form, the player's (a logit for each output of `core.features.FeatureLayout`) and the
critic's (one number). Each item of a position goes through one shared layer; the sums of the groups, with the table, go
through two layers; the outputs of an item follow from its own cells and the last layer::

    e[i] = relu(item · x[i])                          for each item that is there
    h    = relu(second · relu(first · [table, Σ e of each group]))
    logits of item i = point · relu(near · e[i] + far · h),   all others = other · h

All weights stand in one row of single floats, in the order of `Shape.weight_shapes`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from facedown.core.features import FEATURE_UNIT, FeatureLayout
from facedown.core.rule import rule

#: The places of a tower's sizes in the row that `forward` takes; the group of each item comes behind them.
TABLE, ITEM, ITEMS, GROUPS, EMBEDDING, FIRST, SECOND, POINTED, POINT, EACH, OTHER = range(11)
HEAD = 11


@dataclass(frozen=True)
class Shape:
    """The sizes of a tower."""

    table: int
    """Features of the table."""
    item: int
    """Features of an item."""
    groups: tuple[int, ...]
    """The group of each item."""
    embedding: int
    """Cells of the shared layer of the items."""
    first: int
    """Cells of the first layer."""
    second: int
    """Cells of the second layer."""
    pointed: int
    """So many items have outputs."""
    point: int
    """Cells between an item and its outputs."""
    each: int
    """Outputs of an item."""
    other: int
    """Outputs of the table."""

    @property
    def pools(self) -> int:
        """How many groups there are."""
        return max(self.groups, default=-1) + 1

    @property
    def size(self) -> int:
        """How many features a position has."""
        return self.table + len(self.groups) * self.item

    @property
    def outputs(self) -> int:
        """How many outputs there are."""
        return self.pointed * self.each + self.other

    @cached_property
    def weight_shapes(self) -> dict[str, tuple[int, ...]]:
        """The name and shape of each part of the weights, in their order."""
        point = self.point if self.pointed else 0
        return {
            "item": (self.item, self.embedding),
            "item bias": (self.embedding,),
            "first": (self.table + self.pools * self.embedding, self.first),
            "first bias": (self.first,),
            "second": (self.first, self.second),
            "second bias": (self.second,),
            "other": (self.second, self.other),
            "other bias": (self.other,),
            "near": (self.embedding, point),
            "far": (self.second, point),
            "far bias": (point,),
            "point": (point, self.each),
            "point bias": (self.each,),
        }

    @cached_property
    def weights(self) -> int:
        """How many weights a tower has, all parts together."""
        return int(sum(np.prod(shape) for shape in self.weight_shapes.values()))

    @cached_property
    def to_array(self) -> NDArray[np.int64]:
        """The same as a row, for `forward`."""
        point = self.point if self.pointed else 0
        head = (self.table, self.item, len(self.groups), self.pools, self.embedding, self.first, self.second)
        return np.array([*head, self.pointed, point, self.each, self.other, *self.groups], np.int64)

    def tower(self, weights: NDArray[np.float32]) -> Tower:
        """The tower of this shape with a row of weights."""
        return Tower(self.to_array, weights, self.size, self.outputs)


class Tower(NamedTuple):
    """A network for compiled code."""

    sizes: NDArray[np.int64]
    """`Shape.to_array`."""
    weights: NDArray[np.float32]
    size: int
    """How many features a position has."""
    outputs: int


def player_shape(
    layout: FeatureLayout, embedding: int = 64, first: int = 128, second: int = 128, point: int = 64
) -> Shape:
    """The tower that chooses: it knows what the seat knows."""
    table, item, each = len(layout.table), len(layout.item), len(layout.item_outputs)
    pointed, other = layout.items_with_outputs, len(layout.outputs)
    return Shape(table, item, layout.groups, embedding, first, second, pointed, point, each, other)


def critic_shape(layout: FeatureLayout, embedding: int = 64, first: int = 128, second: int = 128) -> Shape:
    """The tower that judges: its inputs include the secrets, in the order of `critic_input_indices`."""
    table, item = len(layout.table) + len(layout.secret_table), len(layout.item) + len(layout.secret_item)
    return Shape(table, item, layout.groups, embedding, first, second, 0, 0, 0, 1)


def critic_input_indices(layout: FeatureLayout) -> NDArray[np.int64]:
    """Where each number of the critic's input stands in a row of all features and, after them, all secrets.

    The critic takes the table with its secrets, then each item with its own.
    """
    known, secret = np.split(np.arange(layout.size + layout.secret_size), [layout.size])
    table, more = len(layout.table), len(layout.secret_table)
    items = known[table:].reshape(layout.item_count, len(layout.item))
    extra = secret[more:].reshape(layout.item_count, len(layout.secret_item))
    return np.concatenate([known[:table], secret[:more], np.hstack([items, extra]).ravel()])


@rule
def add_rows(given: NDArray[np.float32], weights: NDArray[np.float32], at: int, out: NDArray[np.float32]) -> int:
    """Add to `out` each cell of `given` times its row of `weights`; return where the next part of them begins.

    The rows begin at `at`. What is zero is left out: after a rectifier half of it is.
    """
    count = len(out)
    for i in range(len(given)):
        if given[i] != 0.0:
            # A slice, so that the compiler need not ask of each place whether it counts from the end.
            row = weights[at + i * count : at + (i + 1) * count]
            for j in range(count):
                out[j] += given[i] * row[j]
    return at + len(given) * count


@rule
def put(given: NDArray[np.float32], out: NDArray[np.float32]) -> None:
    """Copy the cells `given` into the first ones of `out`.

    Numba compiles ``out[:] = given`` with the text of its error, which takes a second.
    """
    for j in range(len(given)):
        out[j] = given[j]


@rule
def dense(given: NDArray[np.float32], weights: NDArray[np.float32], at: int, out: NDArray[np.float32]) -> int:
    """Put a layer of the cells `given` into `out`; return where the next layer's part of `weights` begins.

    The layer's own part begins at `at`: a row for each cell given, then the bias.
    """
    end = at + (len(given) + 1) * len(out)
    put(weights[end - len(out) : end], out)
    add_rows(given, weights, at, out)
    return end


@rule
def rectify(cells: NDArray[np.float32]) -> None:
    """Set all negative numbers of `cells`, activations of a layer, to zero."""
    for j in range(len(cells)):
        cells[j] = max(cells[j], np.float32(0.0))


@rule
def forward(x: NDArray[np.int8], tower: Tower, out: NDArray[np.float32]) -> None:
    """Write the outputs of a `tower` for the features `x` into `out`: those of the items, then those of the table."""
    sizes, weights = tower.sizes, tower.weights
    table, item, items, embedding = sizes[TABLE], sizes[ITEM], sizes[ITEMS], sizes[EMBEDDING]
    numbers = x.astype(np.float32) * np.float32(1.0 / FEATURE_UNIT)
    given = np.zeros(table + sizes[GROUPS] * embedding, np.float32)
    put(numbers[:table], given)
    cells = np.zeros((items, embedding), np.float32)
    for k in range(items):
        first = table + k * item
        if x[first] != 0:
            dense(numbers[first : first + item], weights, 0, cells[k])
            rectify(cells[k])
            pool = table + sizes[HEAD + k] * embedding
            for j in range(embedding):
                given[pool + j] += cells[k, j]
    hidden, last = np.empty(sizes[FIRST], np.float32), np.empty(sizes[SECOND], np.float32)
    at = dense(given, weights, item * embedding + embedding, hidden)
    rectify(hidden)
    at = dense(hidden, weights, at, last)
    rectify(last)
    pointed, each = sizes[POINTED], sizes[EACH]
    near = dense(last, weights, at, out[pointed * each :])
    if pointed == 0:
        return
    # What the last layer says is the same for all items.
    shared, spot = np.empty(sizes[POINT], np.float32), np.empty(sizes[POINT], np.float32)
    own = dense(last, weights, near + embedding * len(shared), shared)
    for k in range(pointed):
        spot[:] = 0.0
        if x[table + k * item] != 0:
            put(shared, spot)
            add_rows(cells[k], weights, near, spot)
            rectify(spot)
        dense(spot, weights, own, out[k * each : (k + 1) * each])
