"""Code shared by the search bots: the search budget, buffers for sampled worlds, and standard errors.

A sampled world is a full deal that fits everything the searching seat knows. The standard errors are those of
differences between two moves that were tried in the same worlds.
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
#: Deviation from the mean in one imaginary extra world. `standard_error` adds the square of this number to the
#: squared deviations of the sampled worlds. This keeps the error above zero when the few worlds sampled so far all give
#: the same result.
DOUBTED = 0.05


@dataclass(frozen=True, slots=True)
class Budget:
    """Limit of a search: a number of simulations, a number of seconds, or both.

    The search stops at the first limit that it reaches. 0 means no limit of that kind. Results are reproducible only if
    the number of simulations is the only limit.
    """

    simulations: int = 0
    seconds: float = 0.0
    least: int = 0
    """Smallest number of simulations; they are run even if the time limit has passed."""

    def __post_init__(self) -> None:
        if self.simulations <= 0 and self.seconds <= 0:
            raise ValueError("a search needs a budget above zero, in simulations or seconds")

    def reduce_to_share(self, effort: float, least: int) -> Budget:
        """Return a budget reduced to the fraction `effort` (above 0, at most 1), with at least `least` simulations."""
        fewer = max(least, round(self.simulations * effort)) if self.simulations else 0
        return Budget(fewer, self.seconds * effort, least)

    def start_time_check(self) -> Callable[[int], bool]:
        """Start timing and return a function that checks the time limit `self.seconds`.

        The returned function takes the number of simulations run so far, and returns whether the search must stop. It
        must stop if the time limit has passed and at least `self.least` simulations were run. Without a time limit, the
        returned function always returns False.
        """
        started = time.perf_counter()
        return lambda done: 0 < self.seconds <= time.perf_counter() - started and done >= self.least


class WorldSampler(NamedTuple):
    """Buffers and random generators that the compiled search code uses to sample worlds and to play rollouts in them.

    A world is a full deal that fits the view of the searching seat.
    """

    world: NDArray[Any]
    """Array whose only entry is the sampled world."""
    scratch: NDArray[Any]
    """Array whose only entry is a copy of the world, in which a rollout is played."""
    g: NDArray[np.uint32]
    """State of the random number generator for sampling worlds (`core.random_numbers.generator`)."""
    q: NDArray[np.uint64]
    """State of the fast random number generator for rollouts (`core.random_numbers.quick_generator`)."""


def world_sampler(game: GameModule, seed: str) -> WorldSampler:
    """Return a new sampler of worlds for `game`. A world is a full deal that fits what the searching seat knows.

    The text `seed` determines all random numbers: those for the worlds, and those for the rollouts played in them.
    """
    key = key_of(seed_from_text(seed))
    return WorldSampler(np.zeros(1, game.dtype), np.zeros(1, game.dtype), generator(key, 0), quick_generator(key, 1))


def standard_error(differences: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the standard error of the mean of each column of `differences`, an array with at least one row.

    A row is a sampled world, and a column is usually a move. An entry says by how much the value of the round after
    this move differs from the value after another move in the same world. For a one-dimensional array, return a single
    number.

    The result is at least `DOUBTED` (0.05) divided by the number of rows. So it is above 0 even if all entries of a
    column are equal.
    """
    count = len(differences)
    errors: NDArray[np.float64] = np.sqrt((differences.var(axis=0) * count + DOUBTED**2) / (count * count))
    return errors
