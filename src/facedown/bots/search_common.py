"""What the searches share: a budget of thought, room for imagined worlds, and the error of a paired difference."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from facedown.core.game_registry import GameModule
from facedown.core.random_numbers import generator, key_of, quick_generator
from facedown.core.seeds import seed_from_text

#: Steps after which a rollout is stopped and valued as it stands: no round of any game comes near it.
MAX_ROLLOUT = 5_000
#: A difference that one world more is assumed to have brought: a few equal worlds prove nothing.
DOUBTED = 0.05


@dataclass(frozen=True, slots=True)
class Budget:
    """How long a search may think: a number of simulations (reproducible by seed), or seconds, whichever ends first."""

    simulations: int = 0
    seconds: float = 0.0
    least: int = 0
    """Simulations that are made in any case, however many seconds they take."""

    def __post_init__(self) -> None:
        if self.simulations <= 0 and self.seconds <= 0:
            raise ValueError("a search needs a budget above zero: simulations or seconds")

    def share(self, effort: float, least: int) -> Budget:
        """Return a share of this budget with at least `least` simulations."""
        fewer = max(least, round(self.simulations * effort)) if self.simulations else 0
        return Budget(fewer, self.seconds * effort, least)

    def start_time_check(self) -> Callable[[int], bool]:
        """Start the clock; the function returned says, given the simulations made, whether the seconds are used up."""
        started = time.perf_counter()
        return lambda done: 0 < self.seconds <= time.perf_counter() - started and done >= self.least


class WorldSampler(NamedTuple):
    """What a compiled search draws worlds with."""

    world: NDArray[Any]
    """Room for one record: the world."""
    scratch: NDArray[Any]
    """Room for one record: the play-out in it."""
    g: NDArray[np.uint32]
    """The generator of the worlds."""
    q: NDArray[np.uint64]
    """The generator of the play-outs."""


def world_sampler(game: GameModule, seed: str) -> WorldSampler:
    """Make room for worlds of a game; they follow from the seed."""
    key = key_of(seed_from_text(seed))
    return WorldSampler(np.zeros(1, game.dtype), np.zeros(1, game.dtype), generator(key, 0), quick_generator(key, 1))


def standard_error(differences: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the standard error of the mean of paired differences, one for each column; the rows are worlds."""
    count = len(differences)
    errors: NDArray[np.float64] = np.sqrt((differences.var(axis=0) * count + DOUBTED**2) / (count * count))
    return errors
