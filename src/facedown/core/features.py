"""What a network is told of a position: numbers in a fixed order, and which of its outputs is which move.

A game that wants to be learned well brings `Features`: compiled rules that stand beside its greedy policy. They read
public fields and the slots that the seat knows, so that a state and the seat's view give the same bytes. What a critic
may see beside that in training, `Features.secrets`, is apart, and is never asked of a view.

A feature is a signed byte, `FEATURE_UNIT` of which is 1: four values a unit of 32 take a quarter of the room of single
floats, and are the same on every machine.

A network sees a position as a *table* (a row of features) and *items* that are all of one kind, such as the columns of
a grid or candidate moves. All items go through one shared layer and are summed by *group*, so that their order does not
matter. The first `FeatureLayout.items_with_outputs` items have outputs of their own, further outputs belong to the
table.
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

#: A feature of this value is 1.
FEATURE_UNIT = 32
#: The most and the least that a feature can be, in bytes.
MAX_FEATURE = 127
#: No move belongs to this output now.
NO_MOVE = -1


@rule
def to_feature(value: float) -> int:
    """A number as a feature: rounded to a multiple of 1 / `FEATURE_UNIT`, and no more than a byte can hold.

    >>> to_feature(1.0), to_feature(-0.5), to_feature(100.0)
    (32, -16, 127)
    """
    scaled = int(np.floor(value * FEATURE_UNIT + 0.5))
    return min(MAX_FEATURE, max(-MAX_FEATURE, scaled))


@rule
def put(out: NDArray[np.int8], at: int, values: Sequence[float], step: int = 1) -> int:
    """Write values as features into `out` from `at` on, each `step` places after the last; return the next place."""
    for i in range(len(values)):
        out[at + i * step] = to_feature(values[i])
    return at + len(values) * step


@rule
def flag(fine: bool) -> float:
    """A feature that is 1 or 0."""
    return 1.0 if fine else 0.0


@dataclass(frozen=True)
class FeatureLayout:
    """The order of the features and outputs, by name."""

    table: tuple[str, ...]
    """The features of the table, in their order."""
    item: tuple[str, ...] = ()
    """The features of each item. The first one says whether it is there: an item without it counts for nothing."""
    groups: tuple[int, ...] = ()
    """The group of each item, from 0."""
    items_with_outputs: int = 0
    """The first so many items have outputs of their own."""
    item_outputs: tuple[str, ...] = ()
    """The outputs of each of these."""
    outputs: tuple[str, ...] = ()
    """The outputs of the table; they come after those of the items."""
    secret_table: tuple[str, ...] = ()
    """What a critic is told of the table in addition."""
    secret_item: tuple[str, ...] = ()
    """What a critic is told of each item in addition."""
    meaning: int = 1
    """Goes up when what the features mean changes, though their names do not."""

    @property
    def item_count(self) -> int:
        """How many items there are."""
        return len(self.groups)

    @property
    def size(self) -> int:
        """How many features: those of the table, then those of each item."""
        return len(self.table) + self.item_count * len(self.item)

    @property
    def secret_size(self) -> int:
        """How many secret features: those of the table, then those of each item."""
        return len(self.secret_table) + self.item_count * len(self.secret_item)

    @property
    def output_count(self) -> int:
        """How many outputs: those of each pointed item, then those of the table."""
        return self.items_with_outputs * len(self.item_outputs) + len(self.outputs)

    @cached_property
    def hash(self) -> str:
        """What weights are tied to: the same for the same names in the same order."""
        parts = (self.table, self.item, self.groups, self.items_with_outputs, self.item_outputs, self.outputs)
        text = repr((*parts, self.secret_table, self.secret_item, self.meaning, FEATURE_UNIT))
        return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Features(Generic[P]):
    """How a game is told to a network, and what the network's outputs are in the game."""

    layout: FeatureLayout
    write: Callable[[P, int, NDArray[np.int8]], None]
    """A rule (s, seat, out): write the features as the seat sees them, all of `FeatureLayout.size`. It reads public
    fields
    and the slots that the seat knows, so that it writes the same of a state and of the seat's view."""
    moves: Callable[[P, int, NDArray[np.int32]], int]
    """A rule (s, seat, out) → n: for each output the action that it stands for, or `NO_MOVE`; how many are open.
    Moves that come to the same may share an output. It reads what `write` reads."""
    secrets: Callable[[P, int, NDArray[np.int8]], None]
    """A rule (s, seat, out): write all `FeatureLayout.secret_size` secret features of a state or a sampled world."""
    rewards: Callable[[P, NDArray[np.float64]], None]
    """A rule (s, out): what a decided round is worth to each seat, about 1 between a good and a bad one."""
    supports: Callable[[View], bool] = lambda view: True
    """Is this a match of the kind that the features can tell: its options, its deck? In most games every match is."""


def numbered_names(name: str, count: int, first: int = 0) -> tuple[str, ...]:
    """Names of a row of features.

    >>> numbered_names("unseen", 3, -2)
    ('unseen -2', 'unseen -1', 'unseen 0')
    """
    return tuple(f"{name} {number}" for number in range(first, first + count))
