"""A network in plain compiled rules: the same sums in the same order on every machine, and no framework.

Two small towers share this form, the player's (a logit for each output of `core.features.Layout`) and the critic's
(one number). Each item of a position goes through one shared layer; the sums of the groups, with the table, go through
two layers; the outputs of an item follow from its own cells and the last layer::

    e[i] = relu(item · x[i])                          for each item that is there
    h    = relu(second · relu(first · [table, Σ e of each group]))
    logits of item i = point · relu(near · e[i] + far · h),   all others = other · h

All weights stand in one row of single floats, in the order of `Shape.parts`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from facedown.core.features import UNIT, Layout
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
    def parts(self) -> dict[str, tuple[int, ...]]:
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
        return int(sum(np.prod(shape) for shape in self.parts.values()))

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """The same as a row, for `forward`."""
        point = self.point if self.pointed else 0
        head = (self.table, self.item, len(self.groups), self.pools, self.embedding, self.first, self.second)
        return np.array([*head, self.pointed, point, self.each, self.other, *self.groups], np.int64)

    @property
    def room(self) -> int:
        """How many floats `forward` needs to work in."""
        cells = self.table + self.pools * self.embedding + self.first + self.second
        return cells + len(self.groups) * self.embedding + self.point


def player_shape(layout: Layout, embedding: int = 64, first: int = 128, second: int = 128, point: int = 64) -> Shape:
    """The tower that chooses: it knows what the seat knows."""
    table, item, each = len(layout.table), len(layout.item), len(layout.item_outputs)
    pointed, other = layout.pointed, len(layout.outputs)
    return Shape(table, item, layout.groups, embedding, first, second, pointed, point, each, other)


def critic_shape(layout: Layout, embedding: int = 64, first: int = 128, second: int = 128) -> Shape:
    """The tower that judges: it is told the secrets, too. Its input is what `critic_input` puts together."""
    table, item = len(layout.table) + len(layout.secret_table), len(layout.item) + len(layout.secret_item)
    return Shape(table, item, layout.groups, embedding, first, second, 0, 0, 0, 1)


@rule
def add_row(room: NDArray[np.float32], at: int, count: int, x: Any, weights: NDArray[np.float32], row: int) -> None:
    """Add `x` times a row of `weights`, which begins at `row`, to the `count` cells of `room` from `at`."""
    factor = np.float32(x)
    # Slices, so that the compiler need not ask of each place whether it counts from the end.
    cells = room[at : at + count]
    added = weights[row : row + count]
    for j in range(len(cells)):
        cells[j] += factor * added[j]


@rule
def copy_row(room: NDArray[np.float32], at: int, count: int, weights: NDArray[np.float32], row: int) -> None:
    """Put a row of `weights`, which begins at `row`, into the `count` cells of `room` from `at`."""
    for j in range(count):
        room[at + j] = weights[row + j]


@rule
def rectify(room: NDArray[np.float32], at: int, count: int) -> None:
    """What is below zero becomes zero, in the `count` cells of `room` from `at`."""
    for j in range(count):
        room[at + j] = max(room[at + j], np.float32(0.0))


@rule
def dense(
    room: NDArray[np.float32],
    source: int,
    inputs: int,
    target: int,
    count: int,
    weights: NDArray[np.float32],
    at: int,
) -> int:
    """Put a layer of the `inputs` cells of `room` at `source` into its `count` cells at `target`.

    The layer's part of `weights` begins at `at`: a row for each input, then the bias.
    Return where the next ones stand. What is zero is left out: after a rectifier half of it is.
    """
    copy_row(room, target, count, weights, at + inputs * count)
    for i in range(inputs):
        x = room[source + i]
        if x != 0.0:
            add_row(room, target, count, x, weights, at + i * count)
    return at + inputs * count + count


@rule
def forward(
    x: NDArray[np.int8],
    sizes: NDArray[np.int64],
    weights: NDArray[np.float32],
    room: NDArray[np.float32],
    out: NDArray[np.float32],
) -> None:
    """Write the outputs of a tower for the features `x` into `out`.

    `sizes` and `weights` are those of a `Shape`; `room` has `Shape.room` floats to work in.
    """
    unit = np.float32(1.0 / UNIT)
    table, item, items, pools = sizes[TABLE], sizes[ITEM], sizes[ITEMS], sizes[GROUPS]
    embedding, first, second = sizes[EMBEDDING], sizes[FIRST], sizes[SECOND]
    pooled = table
    hidden = pooled + pools * embedding
    last = hidden + first
    own = last + second
    for i in range(table):
        room[i] = unit * np.float32(x[i])
    for i in range(pooled, hidden):
        room[i] = np.float32(0.0)
    for k in range(items):
        base = table + k * item
        if x[base] == 0:
            continue
        cells = own + k * embedding
        copy_row(room, cells, embedding, weights, item * embedding)
        for i in range(item):
            if x[base + i] != 0:
                add_row(room, cells, embedding, unit * np.float32(x[base + i]), weights, i * embedding)
        rectify(room, cells, embedding)
        pool = pooled + sizes[HEAD + k] * embedding
        for j in range(embedding):
            room[pool + j] += room[cells + j]
    at = item * embedding + embedding
    at = dense(room, 0, hidden, hidden, first, weights, at)
    rectify(room, hidden, first)
    at = dense(room, hidden, first, last, second, weights, at)
    rectify(room, last, second)
    point_out(x, sizes, weights, at, room, last, own, out)


@rule
def point_out(
    x: NDArray[np.int8],
    sizes: NDArray[np.int64],
    weights: NDArray[np.float32],
    at: int,
    room: NDArray[np.float32],
    last: int,
    own: int,
    out: NDArray[np.float32],
) -> None:
    """Write the outputs into `out`: those of the items, then those of the table.

    `x`, `sizes`, `weights` and `room` are those of `forward`, and `room` holds what it has come to: the cells of the
    last layer at `last`, those of the items from `own`. The weights of the outputs begin at `at`.
    """
    embedding, second, point, each = sizes[EMBEDDING], sizes[SECOND], sizes[POINT], sizes[EACH]
    pointed, other = sizes[POINTED], sizes[OTHER]
    others = pointed * each
    copy_row(out, others, other, weights, at + second * other)
    for i in range(second):
        if room[last + i] != 0.0:
            add_row(out, others, other, room[last + i], weights, at + i * other)
    near = at + second * other + other
    far = near + embedding * point
    spot = far + second * point + point
    cells = own + sizes[ITEMS] * embedding
    # What the last layer says is the same for all items.
    shared = np.empty(point, np.float32)
    if pointed > 0:
        copy_row(shared, 0, point, weights, far + second * point)
        for i in range(second):
            if room[last + i] != 0.0:
                add_row(shared, 0, point, room[last + i], weights, far + i * point)
    for k in range(pointed):
        copy_row(out, k * each, each, weights, spot + point * each)
        if x[sizes[TABLE] + k * sizes[ITEM]] == 0:
            continue
        copy_row(room, cells, point, shared, 0)
        for i in range(embedding):
            if room[own + k * embedding + i] != 0.0:
                add_row(room, cells, point, room[own + k * embedding + i], weights, near + i * point)
        rectify(room, cells, point)
        for i in range(point):
            if room[cells + i] != 0.0:
                add_row(out, k * each, each, room[cells + i], weights, spot + i * each)


@rule
def critic_input(
    known: NDArray[np.int8],
    secret: NDArray[np.int8],
    table: int,
    more: int,
    items: int,
    item: int,
    extra: int,
    out: NDArray[np.int8],
) -> None:
    """Put features and secrets together as the critic takes them: the table with its secrets, each item with its own.

    `known` and `secret` are what `Features.write` and `Features.secrets` wrote, `out` receives both. `table` and `item`
    are how many features the seat knows, `more` and `extra` how many secret ones come with them.
    """
    at = 0
    for i in range(table):
        out[at] = known[i]
        at += 1
    for i in range(more):
        out[at] = secret[i]
        at += 1
    for k in range(items):
        for i in range(item):
            out[at] = known[table + k * item + i]
            at += 1
        for i in range(extra):
            out[at] = secret[more + k * extra + i]
            at += 1
