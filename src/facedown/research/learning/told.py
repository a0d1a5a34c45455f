"""How a game is told to a network: by its own features, or by the observation that every game has."""

from __future__ import annotations

from typing import Any

from facedown.bots.features import features_of
from facedown.core.features import Features
from facedown.core.game import GameModule


def told(game: GameModule) -> Features[Any]:
    """The features of a game."""
    return features_of(game.name)
