"""Generic functions for the network features of any game, so that training code is written once for all games.

Each game may define its own `core.features.Features`. The functions below take a state or view of a game, find the game
by the type of that argument (see `core.rule_dispatch`), and call the game's own function. They work in compiled code
and in plain Python.
"""

from __future__ import annotations

from typing import Any

from facedown.core.features import Features
from facedown.core.game_registry import game as load_game
from facedown.core.rule_dispatch import dispatch_by_record_type


class NoFeatures(LookupError):
    """Error: the game defines no features as input for a network."""


def features_of(name: str) -> Features[Any]:
    """Return the features of the game `name`. Raise `NoFeatures` if it defines none."""
    found = load_game(name).features
    if found is None:
        raise NoFeatures(f"{name} has no features of its own")
    return found


#: `features(position, seat, out)`: write the network input, computed from what the seat knows, to `out`.
features = dispatch_by_record_type(lambda name, _: features_of(name).write)
#: `moves(position, seat, out)`: write the action of each network output, or `NO_MOVE`, to `out`; return the number of
#: outputs that have a legal action.
moves = dispatch_by_record_type(lambda name, _: features_of(name).moves)
#: `secrets(position, seat, out)`: write the features that only a critic (value network in training) receives to `out`;
#: `position` is a state or a sampled world, never a view.
secrets = dispatch_by_record_type(lambda name, _: features_of(name).secrets)
#: `pay(position, out)`: write the reward of each seat for a decided round to `out`.
pay = dispatch_by_record_type(lambda name, _: features_of(name).rewards)
