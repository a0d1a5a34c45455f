"""Neural-network input of a game (numbers in a fixed order), and the move that each output of the network stands for.

A game may provide `Features`: compiled functions that write this input and list these moves. Networks for other games
use a general encoding as input (`facedown.bots.observation`). The functions `write` and `moves` of `Features` read only
public fields and the cards that the seat knows. So a state and the seat's view give the same bytes.

A separate function, `Features.secrets`, writes the *secret features*, which depend on hidden cards. Only a *critic* (a
network that estimates values) gets them. In training, they are computed from the real position. In search, they are
computed from a sampled world: a random deal that agrees with what the seat knows. The function is never called with a
view.

A feature is a fixed-point number in a signed byte; `FEATURE_UNIT` (32) stands for 1. It takes a quarter of the memory
of a single-precision float and is the same on every machine.

A network gets one row of features of the position as a whole (called `table` in the code) and one row for each *item*,
such as a column of a grid or a candidate move. Each item belongs to a *group*; for example, the columns of one player
are a group. The network applies the same layer to each item, and then adds up the results within each group. So the
sums do not depend on the order of the items in a group.

The first `FeatureLayout.items_with_outputs` items have their own outputs. The other outputs belong to the position as a
whole.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from facedown.core.rule import rule
from facedown.core.state import Position, View

P = TypeVar("P", bound=Position)

#: Byte value that stands for the number 1.
FEATURE_UNIT = 32
#: Largest absolute value of a feature, as a byte value.
MAX_FEATURE = 127
#: Entry of `Features.moves` for an output without a legal move.
NO_MOVE = -1


@rule
def to_fixed_point_feature(value: float) -> int:
    """Return a number as a feature: the number times `FEATURE_UNIT`, rounded, and clipped to ±`MAX_FEATURE`.

    >>> to_fixed_point_feature(1.0), to_fixed_point_feature(-0.5), to_fixed_point_feature(100.0)
    (32, -16, 127)
    """
    scaled = int(np.floor(value * FEATURE_UNIT + 0.5))
    return min(MAX_FEATURE, max(-MAX_FEATURE, scaled))


@rule
def write_features(out: NDArray[np.int8], at: int, values: Sequence[float], step: int = 1) -> int:
    """Write `values` as features to ``out[at]``, ``out[at + step]`` and so on.

    Each value is multiplied by `FEATURE_UNIT`, rounded, and clipped to ±`MAX_FEATURE` (`to_fixed_point_feature`).
    Return the index at which the next value would be written: ``at + len(values) * step``.
    """
    for i in range(len(values)):
        out[at + i * step] = to_fixed_point_feature(values[i])
    return at + len(values) * step


@rule
def flag(fine: bool) -> float:
    """Return 1.0 for true and 0.0 for false."""
    return 1.0 if fine else 0.0


@dataclass(frozen=True)
class FeatureLayout:
    """Names of the input features and the outputs of a game's neural network, in order.

    The input describes the position as a whole, then a number of items, such as grid columns or candidate moves.
    """

    table: tuple[str, ...]
    """Names of the features of the position as a whole, in order."""
    item: tuple[str, ...] = ()
    """Names of the features of one item, in order; they are the same for all items. The first feature says whether the
    item exists. If it is 0, the item has no effect."""
    groups: tuple[int, ...] = ()
    """Index of the group of each item, from 0. The network sums the items of a group, such as a player's columns."""
    items_with_outputs: int = 0
    """Number of items that have their own outputs. They are the first ones."""
    item_outputs: tuple[str, ...] = ()
    """Names of the outputs of one item that has outputs, in order."""
    outputs: tuple[str, ...] = ()
    """Names of the outputs of the position as a whole, in order; they follow the outputs of the items."""
    secret_table: tuple[str, ...] = ()
    """Names of additional features of the position as a whole. Only a critic (value network) gets them, because they
    depend on hidden cards."""
    secret_item: tuple[str, ...] = ()
    """Names of additional features of each item, also for a critic (value network) only."""
    meaning: int = 1
    """Version of what the features mean. Increase it when the meaning of a feature changes and its name does not."""

    @property
    def item_count(self) -> int:
        """Number of items (such as grid columns or candidate moves) in the network input."""
        return len(self.groups)

    @property
    def size(self) -> int:
        """Total number of features: those of the position as a whole plus those of all items (such as grid columns)."""
        return len(self.table) + self.item_count * len(self.item)

    @property
    def secret_size(self) -> int:
        """Total number of secret features, which depend on hidden cards and which only a critic (value network) gets.

        It counts those of the position as a whole plus those of all items (such as grid columns).
        """
        return len(self.secret_table) + self.item_count * len(self.secret_item)

    @property
    def output_count(self) -> int:
        """Total number of outputs of the network.

        It counts those of the position as a whole plus those of all items (such as grid columns) that have outputs.
        """
        return self.items_with_outputs * len(self.item_outputs) + len(self.outputs)

    @cached_property
    def hash(self) -> str:
        """Hash of the layout, stored with network weights to check that they fit. Equal layouts have equal hashes."""
        parts = (self.table, self.item, self.groups, self.items_with_outputs, self.item_outputs, self.outputs)
        text = repr((*parts, self.secret_table, self.secret_item, self.meaning, FEATURE_UNIT))
        return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Features(Generic[P]):
    """Functions of a game for neural networks. They compute the input, and the move that each output stands for.

    `layout` describes the input and the outputs.
    """

    layout: FeatureLayout
    write: Callable[[P, int, NDArray[np.int8]], None]
    """Compiled function (s, seat, out): write the features of a seat into `out`, which has `FeatureLayout.size`
    entries. It reads only public fields and the cards that the seat knows, so a state and the seat's view give the same
    result."""
    moves: Callable[[P, int, NDArray[np.int32]], int]
    """Compiled function (s, seat, out) → n: write the legal action that each output of the network stands for into
    `out`, or `NO_MOVE`. Return the number of outputs with an action. Equivalent actions may share an output. The
    function reads only public fields and the cards that the seat knows."""
    secrets: Callable[[P, int, NDArray[np.int8]], None]
    """Compiled function (s, seat, out): write the `FeatureLayout.secret_size` secret features of a state or a sampled
    world into `out`."""
    rewards: Callable[[P, NDArray[np.float64]], None]
    """Compiled function (s, out): write the training reward of each seat for a decided round into `out`. The rewards
    for a good and a bad round differ by about 1."""
    supports: Callable[[View], bool] = lambda view: True
    """Function (view) → whether the features cover the options and deck of the match. By default they always do."""


def numbered_names(name: str, count: int, first: int = 0) -> tuple[str, ...]:
    """Return `count` feature names: `name` followed by a number that counts up from `first`.

    >>> numbered_names("unseen", 3, -2)
    ('unseen -2', 'unseen -1', 'unseen 0')
    """
    return tuple(f"{name} {number}" for number in range(first, first + count))
