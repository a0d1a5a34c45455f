"""Features by the state's type: code that trains on every game is written once against these functions.

Each game may bring its own (`core.features.Features`). They are found by the type of the record, in compiled and in
plain Python code alike, as `core.dispatch` does for rules.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from facedown.core.dispatch import found_by_type, name_of
from facedown.core.features import Features
from facedown.core.game import game as load_game
from facedown.core.state import Position


class NoFeatures(LookupError):
    """A game does not say how it is told to a network."""


def features_of(name: str) -> Features[Any]:
    """The features of a game; `NoFeatures` if it brings none."""
    found = load_game(name).features
    if found is None:
        raise NoFeatures(f"{name} has no features of its own")
    return found


def features(s: Position, seat: int, out: NDArray[np.int8]) -> None:
    """Write what a seat knows of a position into `out`."""
    features_of(name_of(s)).write(s, seat, out)


def moves(s: Position, seat: int, out: NDArray[np.int32]) -> int:
    """Write the action of each output of a network into `out`; return how many are open."""
    return features_of(name_of(s)).moves(s, seat, out)


def secrets(s: Position, seat: int, out: NDArray[np.int8]) -> None:
    """Write what only a critic is told of a true state or a sampled world into `out`."""
    features_of(name_of(s)).secrets(s, seat, out)


def pay(s: Position, out: NDArray[np.float64]) -> None:
    """Write what a decided round is worth to each seat into `out`."""
    features_of(name_of(s)).pay(s, out)


for _name, _generic in (("write", features), ("moves", moves), ("secrets", secrets), ("pay", pay)):
    found_by_type(_generic, lambda name, rules, part=_name: getattr(features_of(name), part))  # type: ignore[misc]
