"""Bot that chooses its moves with a trained neural network: one evaluation of the network per move, no search."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from facedown.bots.feature_dispatch import features, features_of, moves
from facedown.bots.network import Tower, forward
from facedown.bots.weights_file import Weights
from facedown.core import rule_dispatch
from facedown.core.bot import Bot, generator_for, legal_actions_of_view
from facedown.core.features import NO_MOVE, Features
from facedown.core.game_registry import GameModule
from facedown.core.hidden_cards import MAX_LEGAL
from facedown.core.random_numbers import quick_randint
from facedown.core.rule import rule
from facedown.core.state import Position, View

#: A move is sampled with a random number from 0 to 1: a random integer from 0 to ``FINE - 1``, divided by `FINE`.
FINE = 1 << 31


@rule
def sample_output_index(
    logits: NDArray[np.float32], actions: NDArray[np.int32], temperature: float, q: NDArray[np.uint64]
) -> int:
    """Sample one of the outputs that stand for a legal action, and return its index.

    The probabilities are the softmax of the logits of these outputs, each divided by `temperature`. If no output stands
    for a legal action, return −1.

    * `logits`: the logit of each output.
    * `actions`: the legal action for which each output stands, or `NO_MOVE`.
    * `temperature`: at 0, return the output with the highest logit, the first of equal ones. At 1 the probabilities are
      the network's own.
    * `q`: the state of a fast random number generator.
    """
    best, most = -1, 0.0
    for i in range(len(actions)):
        if actions[i] != NO_MOVE and (best < 0 or logits[i] > most):
            best, most = i, float(logits[i])
    if best < 0 or temperature <= 0.0:
        return best
    total = 0.0
    for i in range(len(actions)):
        if actions[i] != NO_MOVE:
            total += np.exp((logits[i] - most) / temperature)
    at = total * quick_randint(q, FINE) / FINE
    for i in range(len(actions)):
        if actions[i] != NO_MOVE:
            at -= np.exp((logits[i] - most) / temperature)
            if at < 0.0:
                return i
    return best


@rule
def network_move(s: Position, seat: int, tower: Tower, temperature: float, q: NDArray[np.uint64]) -> int:
    """Return the action that the network `tower` chooses for a seat that is to act.

    If no output stands for a legal action, the network has no preference, so return a random legal action.

    * `temperature`: 0 to choose the best move, above 0 to sample a move (`sample_output_index`).
    * `q`: the state of a fast random number generator.
    """
    actions = np.empty(tower.outputs, np.int32)
    count = moves(s, seat, actions)
    if count == 0:
        legal = np.empty(MAX_LEGAL, np.int32)
        return int(legal[quick_randint(q, rule_dispatch.legal(s, seat, legal))])
    logits = np.zeros(tower.outputs, np.float32)
    if count > 1:
        known = np.empty(tower.size, np.int8)
        features(s, seat, known)
        forward(known, tower, logits)
    return int(actions[sample_output_index(logits, actions, temperature, q)])


class NetworkBot:
    """Bot that plays with a neural network and does not search.

    At temperature 0, it plays the move to which the network gives the highest probability. If the temperature is above
    0, it samples a move, at temperature 1 with the network's own probabilities.

    In some matches, the input of the network cannot describe the options or the deck (`Features.supports`). In such a
    match the bot `self.otherwise` chooses all moves. If the constructor was not given such a bot, the network plays all
    the same.
    """

    def __init__(self, network: Weights, temperature: float = 0.0, otherwise: Bot | None = None) -> None:
        """Create a bot that plays with the given network.

        * `temperature`: 0 to play the best move, 1 to sample a move from the network's probabilities. Numbers below 1
          favour the better moves.
        * `otherwise`: bot that plays instead in a match with options or a deck that the input of the network cannot
          describe. With None, the network also plays such a match, but cannot take the options or the deck into
          account.

        Raise `Misfit` if the weights do not fit the features of their game, and `NoFeatures` if the game defines none.
        """
        self.features: Features[Any] = features_of(network.game)
        network.check(network.game, self.features.layout)
        self.network = network
        self.tower = network.player.tower(network.weights)
        self.temperature = temperature
        self.otherwise = otherwise

    def _substitute_bot(self, game: GameModule, view: View, seat: int) -> Bot | None:
        """Return the bot that plays this match in place of the network, or None if the network plays.

        The network is replaced if its input cannot describe the options or the deck of the match (`Features.supports`).
        The bot in its place is the argument `otherwise` of the constructor. If that is None, the network plays anyway.

        Raise `NotAView` if the view is not the seat's own, `ValueError` if the seat is not to act, and `Misfit` if the
        network is for another game.
        """
        legal_actions_of_view(game, view, seat)
        self.network.check(game.name, self.features.layout)
        return None if self.features.supports(view) else self.otherwise

    def choose(self, game: GameModule, view: View, seat: int, seed: int) -> int:
        """Return the network's move.

        In some matches, the input of the network cannot describe the options or the deck (`Features.supports`). In such
        a match the bot `self.otherwise` chooses the move. If the constructor was not given such a bot, return the
        network's move anyway.

        Equal arguments give equal moves, unless `self.otherwise` chooses the move under a time limit.

        Raise `NotAView` if the view is not the seat's own, `ValueError` if the seat is not to act, and `Misfit` if the
        network is for another game.
        """
        if (other := self._substitute_bot(game, view, seat)) is not None:
            return other.choose(game, view, seat, seed)
        return int(network_move(view, seat, self.tower, self.temperature, generator_for(seed)))
