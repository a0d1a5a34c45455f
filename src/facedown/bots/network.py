"""Neural network as compiled functions, without a framework.

The compiled code adds numbers in the same order on every machine, so that the same input gives the same output.

Two small networks, called *towers*, have the form that is described below:

* The player network has a logit for each output of `core.features.FeatureLayout`.
* The critic has one output, an estimate of the value of the round.

The input has features of the position as a whole, called `table`, and features x[i] of each *item* i, such as a column
of a grid or a candidate move. Each item belongs to a *group*, such as all columns of one player. The network has these
steps:

1. One layer, with the same weights for all items, turns the features of each item into the item's *embedding* e[i].
2. The embeddings are summed within each group of items. An item that the position lacks adds nothing to the sum.
3. Two layers turn the sums and the features of the whole position into a vector h.
4. Some outputs belong to an item. They depend on the item's embedding and on h.
5. The other outputs belong to the whole position. They depend on h alone.

The weight matrices (`Shape.weight_shapes`) have these names:

* `item`: from the features of an item to its embedding;
* `first` and `second`: the two layers of step 3;
* `near` and `far`: from the embedding of an item, and from h, to a hidden layer of that item;
* `point`: from this hidden layer to the outputs of the item;
* `other`: from h to the outputs of the whole position.

In formulas, without the bias vectors, which the network also has::

    e[i] = relu(item · x[i])
    h = relu(second · relu(first · [table, Σ e of each group]))
    outputs of item i = point · relu(near · e[i] + far · h)
    outputs of the whole position = other · h

All weights are in one row of single-precision floats, in the order of `Shape.weight_shapes`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from facedown.core.features import FEATURE_UNIT, FeatureLayout
from facedown.core.rule import rule

#: Indexes into the array of a network's sizes (`Shape.to_array`), which `forward` reads. The array has these elements:
#:
#: * `TABLE`: number of features of the whole position.
#: * `ITEM`: number of features of each item (such as a grid column).
#: * `ITEMS`: number of items.
#: * `GROUPS`: number of groups of items.
#: * `EMBEDDING`: number of units of the layer that is applied to each item with the same weights. Its outputs are the
#:   item's embedding.
#: * `FIRST`, `SECOND`: number of units of the first and of the second layer after the embeddings are summed.
#: * `POINTED`: number of items that have outputs of their own.
#: * `POINT`: number of units of the last hidden layer before the outputs of an item.
#: * `EACH`: number of outputs of each item that has outputs.
#: * `OTHER`: number of outputs of the whole position.
#: * From `HEAD` to the end: the index of the group of each item.
TABLE, ITEM, ITEMS, GROUPS, EMBEDDING, FIRST, SECOND, POINTED, POINT, EACH, OTHER = range(11)
HEAD = 11


@dataclass(frozen=True)
class Shape:
    """Sizes of the layers of a small neural network: of the player network or of the critic (value network)."""

    table: int
    """Number of features of the position as a whole."""
    item: int
    """Number of features of an item, such as a grid column or a candidate move."""
    groups: tuple[int, ...]
    """Index of the group of each item, from 0. All columns of one player, for example, are a group."""
    embedding: int
    """Number of units of the layer that is applied to each item with the same weights. Its outputs are the item's
    embedding."""
    first: int
    """Number of units of the first of the two layers after the embeddings of the items are summed."""
    second: int
    """Number of units of the second of the two layers after the embeddings of the items are summed."""
    pointed: int
    """Number of items that have outputs of their own; they are the first ones."""
    point: int
    """Number of units of the last hidden layer before the outputs of an item."""
    each: int
    """Number of outputs of each item that has outputs."""
    other: int
    """Number of outputs of the position as a whole."""

    @property
    def group_count(self) -> int:
        """Number of groups of items. An item is, for example, a grid column; all columns of one player are a group.

        The network adds up the embeddings of the items in each group. An embedding is the output of the layer that is
        applied to each item with the same weights.
        """
        return max(self.groups, default=-1) + 1

    @property
    def input_count(self) -> int:
        """Number of input features: those of the position as a whole and those of all items, such as grid columns."""
        return self.table + len(self.groups) * self.item

    @property
    def output_count(self) -> int:
        """Number of outputs: those of single items, such as grid columns, and those of the position as a whole."""
        return self.pointed * self.each + self.other

    @cached_property
    def weight_shapes(self) -> dict[str, tuple[int, ...]]:
        """Shape of each weight matrix and bias vector, by name.

        The names are in the order in which the array of all weights stores the matrices and vectors. The docstring of
        this module explains the names.
        """
        point = self.point if self.pointed else 0
        return {
            "item": (self.item, self.embedding),
            "item bias": (self.embedding,),
            "first": (self.table + self.group_count * self.embedding, self.first),
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
    def weight_count(self) -> int:
        """Number of weights, including biases, of a network with this shape."""
        return int(sum(np.prod(shape) for shape in self.weight_shapes.values()))

    @cached_property
    def to_array(self) -> NDArray[np.int64]:
        """Sizes of the layers as an array, in the order in which `forward` reads them."""
        point = self.point if self.pointed else 0
        head = (self.table, self.item, len(self.groups), self.group_count, self.embedding, self.first, self.second)
        return np.array([*head, self.pointed, point, self.each, self.other, *self.groups], np.int64)

    def tower(self, weights: NDArray[np.float32]) -> Tower:
        """Return the network of this shape with the given weights, an array of `Shape.weight_count` numbers."""
        return Tower(self.to_array, weights, self.input_count, self.output_count)


class Tower(NamedTuple):
    """A small network in the form that compiled code uses: the sizes of its layers, and its weights, as arrays."""

    sizes: NDArray[np.int64]
    """Sizes of the layers, as `Shape.to_array` gives them."""
    weights: NDArray[np.float32]
    """All weights in one array, in the order of `Shape.weight_shapes`."""
    size: int
    """Number of features of a position."""
    outputs: int
    """Number of outputs."""


def player_shape(
    layout: FeatureLayout, embedding: int = 64, first: int = 128, second: int = 128, point: int = 64
) -> Shape:
    """Return the shape of the player network. Its inputs are the features that the seat knows.

    Its outputs are logits of moves. Some belong to an item (a part of the position, such as a grid column), the others
    to the position as a whole. The arguments except `layout` are numbers of units in a layer:

    * `embedding`: the layer that is applied to the features of each item, with the same weights for all items. Then the
      results are summed within each group of items, such as all columns of one player.
    * `first`, `second`: the two layers that follow. The input of the first one is these sums and the features of the
      position as a whole.
    * `point`: the last hidden layer before the outputs of an item.
    """
    table, item, each = len(layout.table), len(layout.item), len(layout.item_outputs)
    pointed, other = layout.items_with_outputs, len(layout.outputs)
    return Shape(table, item, layout.groups, embedding, first, second, pointed, point, each, other)


def critic_shape(layout: FeatureLayout, embedding: int = 64, first: int = 128, second: int = 128) -> Shape:
    """Return the shape of the critic (value network).

    Its inputs are the features that the seat knows and the secret features, which depend on hidden cards.
    `critic_input_indices` gives the order of the inputs. The only output is the value of the round.

    The arguments except `layout` are numbers of units in a layer:

    * `embedding`: the layer that is applied to the features of each item (such as a grid column), with the same weights
      for all items. Then the results are summed within each group of items, such as all columns of one player.
    * `first`, `second`: the two layers that follow. The input of the first one is these sums and the features of the
      position as a whole.
    """
    table, item = len(layout.table) + len(layout.secret_table), len(layout.item) + len(layout.secret_item)
    return Shape(table, item, layout.groups, embedding, first, second, 0, 0, 0, 1)


def critic_input_indices(layout: FeatureLayout) -> NDArray[np.int64]:
    """Return an array that has, for each input of the critic, the index of the feature that goes into this input.

    The features are counted from 0: first all known features, which describe what the seat knows, then all secret
    features, which describe what is hidden from the seat. The inputs of the critic have another order:

    1. the known features of the position as a whole,
    2. the secret features of the position as a whole,
    3. the known and then the secret features of the first item (such as a grid column), then those of the next item,
       and so on.
    """
    known, secret = np.split(np.arange(layout.size + layout.secret_size), [layout.size])
    table, more = len(layout.table), len(layout.secret_table)
    items = known[table:].reshape(layout.item_count, len(layout.item))
    extra = secret[more:].reshape(layout.item_count, len(layout.secret_item))
    return np.concatenate([known[:table], secret[:more], np.hstack([items, extra]).ravel()])


@rule
def add_matrix_product(
    given: NDArray[np.float32], weights: NDArray[np.float32], at: int, out: NDArray[np.float32]
) -> int:
    """Multiply the vector `given` by a weight matrix and add the product to `out`; return the index after the matrix.

    The matrix begins at ``weights[at]``, with one row for each number of `given`. Zeros in `given` are skipped, because
    about half of the numbers are zero after `rectify`.
    """
    count = len(out)
    for i in range(len(given)):
        if given[i] != 0.0:
            # The slice avoids a check for a negative index in every iteration.
            row = weights[at + i * count : at + (i + 1) * count]
            for j in range(count):
                out[j] += given[i] * row[j]
    return at + len(given) * count


@rule
def copy_to(given: NDArray[np.float32], out: NDArray[np.float32]) -> None:
    """Copy the numbers `given` to the beginning of `out`.

    The numbers are copied in a loop, because Numba takes a second longer to compile the assignment ``out[:] = given``:
    it adds code that formats an error message about different lengths.
    """
    for j in range(len(given)):
        out[j] = given[j]


@rule
def dense(given: NDArray[np.float32], weights: NDArray[np.float32], at: int, out: NDArray[np.float32]) -> int:
    """Write the outputs of a dense layer with the inputs `given` to `out`; return the index after the layer's weights.

    The layer's weights begin at ``weights[at]``: a row for each input, then the biases.
    """
    end = at + (len(given) + 1) * len(out)
    copy_to(weights[end - len(out) : end], out)
    add_matrix_product(given, weights, at, out)
    return end


@rule
def rectify(cells: NDArray[np.float32]) -> None:
    """Set all negative numbers of `cells`, the activations of a layer, to zero."""
    for j in range(len(cells)):
        cells[j] = max(cells[j], np.float32(0.0))


@rule
def forward(x: NDArray[np.int8], tower: Tower, out: NDArray[np.float32]) -> None:
    """Write the outputs of the network `tower` for the features `x` to `out`.

    A network has outputs for each item of a position (an item is, for example, a column of a grid) and outputs for the
    position as a whole. Those of the items come first.
    """
    sizes, weights = tower.sizes, tower.weights
    table, item, items, embedding = sizes[TABLE], sizes[ITEM], sizes[ITEMS], sizes[EMBEDDING]
    numbers = x.astype(np.float32) * np.float32(1.0 / FEATURE_UNIT)
    given = np.zeros(table + sizes[GROUPS] * embedding, np.float32)
    copy_to(numbers[:table], given)
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
    # The layer before the outputs of an item gets two inputs: the item's embedding, and `last`. What `last` contributes
    # is the same for all items, so it is computed once.
    shared, spot = np.empty(sizes[POINT], np.float32), np.empty(sizes[POINT], np.float32)
    own = dense(last, weights, near + embedding * len(shared), shared)
    for k in range(pointed):
        spot[:] = 0.0
        if x[table + k * item] != 0:
            copy_to(shared, spot)
            add_matrix_product(cells[k], weights, near, spot)
            rectify(spot)
        dense(spot, weights, own, out[k * each : (k + 1) * each])
