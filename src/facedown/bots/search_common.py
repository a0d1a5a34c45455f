"""Code shared by the search bots: the search budget, buffers for sampled worlds, and the standard error of a paired
difference.

A sampled world is a full deal that fits everything the searching seat knows.
"""

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

#: Limit on the number of moves in a rollout. It only makes sure that every rollout ends, since real rounds are shorter.
#: The last position of a rollout that reaches the limit is evaluated.
MAX_ROLLOUT = 5_000
#: Difference in one imaginary extra world, which `standard_error` adds to the sampled ones. It keeps the error above
#: zero when the few worlds sampled so far all give the same result.
DOUBTED = 0.05


@dataclass(frozen=True, slots=True)
class Budget:
    """Limit of a search: a number of simulations, a number of seconds, or both.

    The search stops at the first limit that it reaches. 0 means no limit of that kind. Only a limit by simulations
    alone gives reproducible results.
    """

    simulations: int = 0
    seconds: float = 0.0
    least: int = 0
    """Smallest number of simulations; they are run even if the seconds are used up."""

    def __post_init__(self) -> None:
        if self.simulations <= 0 and self.seconds <= 0:
            raise ValueError("a search needs a budget above zero, in simulations or seconds")

    def reduce_to_share(self, effort: float, least: int) -> Budget:
        """Return a budget reduced to the fraction `effort` (0 to 1), with at least `least` simulations."""
        fewer = max(least, round(self.simulations * effort)) if self.simulations else 0
        return Budget(fewer, self.seconds * effort, least)

    def start_time_check(self) -> Callable[[int], bool]:
        """Start timing and return a function that checks the time limit.

        The returned function takes the number of simulations run so far, and returns whether the search must stop: the
        seconds are used up and at least `Budget.least` simulations were run.
        """
        started = time.perf_counter()
        return lambda done: 0 < self.seconds <= time.perf_counter() - started and done >= self.least


class WorldSampler(NamedTuple):
    """Buffers and random generators with which compiled search samples worlds (full deals that fit a view)."""

    world: NDArray[Any]
    """Array whose only entry is the sampled world."""
    scratch: NDArray[Any]
    """Array whose only entry is a copy of the world, in which a rollout is played."""
    g: NDArray[np.uint32]
    """State of the random number generator for sampling worlds (`core.random_numbers.generator`)."""
    q: NDArray[np.uint64]
    """State of the fast random number generator for rollouts (`core.random_numbers.quick_generator`)."""


def world_sampler(game: GameModule, seed: str) -> WorldSampler:
    """Return a new world sampler for `game`. The text `seed` determines the sequence of worlds."""
    key = key_of(seed_from_text(seed))
    return WorldSampler(np.zeros(1, game.dtype), np.zeros(1, game.dtype), generator(key, 0), quick_generator(key, 1))


def standard_error(differences: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the standard error of the mean of each column of `differences`. Each row is a sampled world."""
    count = len(differences)
    errors: NDArray[np.float64] = np.sqrt((differences.var(axis=0) * count + DOUBTED**2) / (count * count))
    return errors
