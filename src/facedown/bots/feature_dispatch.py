"""Generic functions that compute the input of a neural network (its *features*) for a position of any game.

With them, training code is written once for all games. Each game can define its own functions
(`core.features.Features`).

The first argument of each generic function is a state or view. The NumPy type of this argument identifies the game
(`core.rule_dispatch`), and the generic function calls the function of that game. Compiled code and plain Python can
call the generic functions.
"""

from __future__ import annotations

from typing import Any

from facedown.core.features import Features
from facedown.core.game_registry import game as load_game
from facedown.core.rule_dispatch import dispatch_by_record_type


class NoFeatures(LookupError):
    """Error: the game does not define `core.features.Features`, the functions that compute a neural network's input."""


def features_of(name: str) -> Features[Any]:
    """Return the `Features` of the game `name`: its neural-network input and the meaning of the network's outputs.

    The object has compiled functions, which compute the input from a state or view. It also has the names of all inputs
    and outputs in order. Raise `NoFeatures` if the game defines no such input.
    """
    found = load_game(name).features
    if found is None:
        raise NoFeatures(f"{name} has no features of its own")
    return found


#: `features(position, seat, out)`: write the input of the network to `out`. It is computed from what the seat knows.
features = dispatch_by_record_type(lambda name, _: features_of(name).write)
#: `moves(position, seat, out)`: for each network output, write the legal action that the output stands for to `out`, or
#: `NO_MOVE` (−1) if it stands for none. Return the number of outputs that have a legal action.
moves = dispatch_by_record_type(lambda name, _: features_of(name).moves)
#: `secrets(position, seat, out)`: write to `out` the features that only a critic (value network that sees all cards)
#: receives. `position` is a state or a sampled world (full deal that fits a view), never a view.
secrets = dispatch_by_record_type(lambda name, _: features_of(name).secrets)
#: `pay(position, out)`: write the training reward of each seat for a decided round to `out`.
pay = dispatch_by_record_type(lambda name, _: features_of(name).rewards)
