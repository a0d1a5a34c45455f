"""Bot that plays by a network trained on the one-hot observation. The network has one output for each action of the
game.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facedown.bots.i18n import N_, _
from facedown.bots.network import forward
from facedown.bots.network_bot import sample_output_index
from facedown.bots.observation import ObservationLayout as Observation
from facedown.bots.observation import layout_of
from facedown.bots.weights_file import Misfit, Weights
from facedown.core.bot import generator_for, legal_actions_of_view
from facedown.core.features import FEATURE_UNIT, NO_MOVE, FeatureLayout
from facedown.core.game_registry import GameModule
from facedown.core.game_registry import game as load_game
from facedown.core.random_numbers import quick_randint
from facedown.core.state import View


def observation_features(game: GameModule, seats: int) -> FeatureLayout:
    """Return a feature layout that describes the one-hot observation and the actions of a game with `seats` players.

    All features and all outputs of the layout belong to the position as a whole, none to a single card or place (item).
    The layout has no secret features.
    """
    seen = layout_of(game, seats)
    names = tuple(f"{seen.hash} {i}" for i in range(seen.one_hot_size))
    return FeatureLayout(table=names, outputs=tuple(str(action) for action in range(game.actions)))


def to_feature_bytes(observed: NDArray[np.float32]) -> NDArray[np.int8]:
    """Return the one-hot observations `observed`, numbers from 0 to 1, as feature bytes, scaled by `FEATURE_UNIT`."""
    return np.clip(np.rint(observed * FEATURE_UNIT), -127, 127).astype(np.int8)


class ObservationBot:
    """Bot that plays by a network trained on the one-hot observation. It plays only at tables with the number of
    players that the network was trained with.

    With a temperature above 0 it draws a move by the network's probabilities; with 0 it plays the most probable move.
    """

    def __init__(self, network: Weights, temperature: float = 1.0) -> None:
        """Raise `Misfit` if the weights were not trained on the observation of their game."""
        self.game = load_game(network.game)
        few, many = self.game.info.seats
        layouts = {seats: observation_features(self.game, seats) for seats in range(few, many + 1)}
        self.seats = next((seats for seats in layouts if layouts[seats].hash == network.layout), few)
        self.layout = layouts[self.seats]
        network.check(network.game, self.layout)
        self.network = network
        self.tower = network.player.tower(network.weights)
        self.temperature = temperature
        self._seen: Observation = layout_of(self.game, self.seats)

    def choose(self, game: GameModule, view: View, seat: int, seed: int) -> int:
        """Return the network's move. The same arguments give the same move.

        Raise `Misfit` for another game or number of players.
        """
        legal = legal_actions_of_view(game, view, seat)
        self.network.check(game.name, self.layout)
        if view.seats != self.seats:
            other = N_("this network was trained on {game} with {learnt} players, not {seats}")
            raise Misfit(_(other, game=game.info.title, learnt=self.seats, seats=int(view.seats)))
        actions = np.full(game.actions, NO_MOVE, np.int32)
        actions[legal] = legal
        out = np.zeros(game.actions, np.float32)
        forward(to_feature_bytes(self._seen.one_hot(view)), self.tower, out)
        q = generator_for(seed)
        quick_randint(q, 2)
        return int(actions[sample_output_index(out, actions, self.temperature, q)])
