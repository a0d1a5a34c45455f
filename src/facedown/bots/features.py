"""Features by the state's type: code that trains on every game is written once against these functions.

Each game may bring its own (`core.features.Features`). They are found by the type of the record, in compiled and in
plain Python code alike, as `core.dispatch` does for rules.
"""

from __future__ import annotations

from typing import Any

from facedown.core.dispatch import dispatch_by_record_type
from facedown.core.features import Features
from facedown.core.game_registry import game as load_game


class NoFeatures(LookupError):
    """A game does not say how it is told to a network."""


def features_of(name: str) -> Features[Any]:
    """The features of a game; `NoFeatures` if it brings none."""
    found = load_game(name).features
    if found is None:
        raise NoFeatures(f"{name} has no features of its own")
    return found


#: Write what a seat knows of a position into `out`.
features = dispatch_by_record_type(lambda name, _: features_of(name).write)
#: Write the action of each output of a network into `out`; return how many are open.
moves = dispatch_by_record_type(lambda name, _: features_of(name).moves)
#: Write what only a critic is told of a true state or a sampled world into `out`.
secrets = dispatch_by_record_type(lambda name, _: features_of(name).secrets)
#: Write what a decided round is worth to each seat into `out`.
pay = dispatch_by_record_type(lambda name, _: features_of(name).rewards)
