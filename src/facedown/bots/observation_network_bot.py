"""Bot that chooses its moves with a neural network whose input is the one-hot observation of the bot's view.

The one-hot observation is a row of numbers from 0 to 1 that encodes the contents of the view (`bots.observation`).
Categories, such as kinds of cards, are encoded as one-hot vectors, sets as bits, and quantities as fractions of their
usual range.

The network has one output for each action of the game.
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

    The one-hot observation encodes the contents of a view as numbers from 0 to 1 (see the docstring of this module).
    All features and all outputs of the layout belong to the position as a whole, none to a single card or place (item).

    All features are computed from what a seat knows. Layouts of other networks may also have *secret features*, which
    depend on hidden cards and which only a value network gets. This layout has none.
    """
    seen = layout_of(game, seats)
    names = tuple(f"{seen.hash} {i}" for i in range(seen.one_hot_size))
    return FeatureLayout(table=names, outputs=tuple(str(action) for action in range(game.actions)))


def to_feature_bytes(observed: NDArray[np.float32]) -> NDArray[np.int8]:
    """Return observations as network input: each number is multiplied by `FEATURE_UNIT` (32) and rounded to an integer.

    The numbers in `observed` are from 0 to 1. They may be fractions, because a one-hot observation also has scaled
    quantities.
    """
    return np.clip(np.rint(observed * FEATURE_UNIT), -127, 127).astype(np.int8)


class ObservationBot:
    """Bot that plays with a neural network whose input is the one-hot observation of its view.

    The one-hot observation encodes the contents of the view as numbers from 0 to 1: categories as one-hot vectors, sets
    as bits, and quantities as fractions of their range.

    The bot plays only at tables with the number of players that the network was trained with.

    At temperature 0, it plays the move to which the network gives the highest probability. If the temperature is above
    0, it samples a move, at temperature 1 with the network's own probabilities.
    """

    def __init__(self, network: Weights, temperature: float = 1.0) -> None:
        """Create a bot that plays with the given network.

        `temperature` is 0 to play the most probable move, and 1 to sample a move from the network's probabilities.
        Numbers below 1 favour the more probable moves.

        Raise `Misfit` if the network was not trained on the one-hot observation of its game.
        """
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

        Raise `Misfit` if `game`, or the number of players in `view`, is not the one that the network was trained for.
        Raise `NotAView` if `view` is not the view of `seat`, and `ValueError` if the seat is not to act.
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
