"""Bot that plays by a trained network. It evaluates the network once for each move and does not search."""

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

#: A move is drawn with a random number from 0 to 1: a random integer from 0 to ``FINE - 1``, divided by `FINE`.
FINE = 1 << 31


@rule
def sample_output_index(
    logits: NDArray[np.float32], actions: NDArray[np.int32], temperature: float, q: NDArray[np.uint64]
) -> int:
    """Draw one of the outputs that stand for a legal action, by a softmax of their logits, and return its index.

    * `logits`: the logit of each output.
    * `actions`: the legal action for which each output stands, or `NO_MOVE`.
    * `temperature`: at 0, return the output with the highest logit, the first of equal ones. At 1 the probabilities are
      the network's own.
    * `q`: the state of a fast random number generator.

    Return −1 if no output stands for a legal action.
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

    If no output stands for a legal action, the network has no preference, so return a random legal action. `q` is the
    state of a fast random number generator.
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
    """Bot that plays the network's best move, or with a temperature above 0 draws a move by the network's
    probabilities.

    If the network does not support the kind of match (its options or deck), another bot, given as the argument
    `otherwise`, plays instead.
    """

    def __init__(self, network: Weights, temperature: float = 0.0, otherwise: Bot | None = None) -> None:
        """Raise `Misfit` if the weights do not fit the features of their game, and `NoFeatures` if the game defines
        none.
        """
        self.features: Features[Any] = features_of(network.game)
        network.check(network.game, self.features.layout)
        self.network = network
        self.tower = network.player.tower(network.weights)
        self.temperature = temperature
        self.otherwise = otherwise

    def _substitute_bot(self, game: GameModule, view: View, seat: int) -> Bot | None:
        """Return the bot that plays in place of the network, or None if the network supports the match.

        Raise `NotAView` if the view is not the seat's own, and `Misfit` if the network is for another game.
        """
        legal_actions_of_view(game, view, seat)
        self.network.check(game.name, self.features.layout)
        return None if self.features.supports(view) else self.otherwise

    def choose(self, game: GameModule, view: View, seat: int, seed: int) -> int:
        """Return the network's move. The same arguments give the same move."""
        if (other := self._substitute_bot(game, view, seat)) is not None:
            return other.choose(game, view, seat, seed)
        return int(network_move(view, seat, self.tower, self.temperature, generator_for(seed)))
