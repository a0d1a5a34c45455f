"""How a game is told to a network: by its own features, or by the observation that every game has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from facedown.bots.network import Shape
from facedown.core.features import Layout
from facedown.core.game import GameModule
from facedown.research.learning.collect import Buffer, Tables
from facedown.research.learning.measure import Measured, against_greedy
from facedown.research.learning.observed import ObservedTables, layout_for, observed_against_greedy
from facedown.research.texts import N_, _


class Playing(Protocol):
    """Tables that are played on and on."""

    def play(self, steps: int, shape: Shape, weights: NDArray[np.float32], buffer: Buffer) -> None:
        """Play so many decisions at each table into the buffer, all seats by the network of `shape` and `weights`."""

    def kept(self) -> dict[str, NDArray[Any]]:
        """What going on needs, as arrays by name, such as a file can hold."""

    def restore(self, kept: dict[str, NDArray[Any]]) -> None:
        """Go on from `kept`, what `kept()` gave at tables of the same game and number."""


@dataclass(frozen=True)
class Told:
    """What training needs of a game."""

    game: GameModule
    seats: tuple[int, ...]
    layout: Layout
    own: bool
    """By its own features?"""

    def tables(self, count: int, seed: str, threads: int) -> Playing:
        """So many tables of the game: by its own features, or by the observation."""
        if self.own:
            return Tables(self.game, self.seats, count, seed, threads)
        return ObservedTables(self.game, self.seats[0], count, seed, threads)

    def against_greedy(self, shape: Shape, weights: NDArray[np.float32], deals: int) -> Measured:
        """How the network of `shape` and `weights` does at the first of the numbers of seats."""
        how = against_greedy if self.own else observed_against_greedy
        return how(self.game, self.seats[0], shape, weights, deals)


def told(game: GameModule, seats: tuple[int, ...]) -> Told:
    """How a game is told; `ValueError` for an observation of several numbers of seats: its size depends on them."""
    if game.features is not None:
        return Told(game, seats, game.features.layout, True)
    if len(set(seats)) > 1:
        alone = N_("{game} has no features of its own: it is learnt for one number of players at a time")
        raise ValueError(_(alone, game=game.info.title))
    return Told(game, seats, layout_for(game, seats[0]), False)
