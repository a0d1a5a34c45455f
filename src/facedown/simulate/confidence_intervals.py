"""How sure a measured mean is: intervals for a fixed number of samples, and ones that may be looked at all the time.

A tournament that stops as soon as its interval leaves out a value must not use the usual 95 % interval: looked at after
every deal, it leaves out the truth in far more than one tournament of twenty. `interval` with ``anytime=True`` is a
*confidence sequence* (Robbins' normal mixture, in the form of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas 2021): in
95 tournaments of a hundred it never leaves out the truth, however often it is looked at and whenever one stops. It is
about half as wide again.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

#: One tournament in so many may err.
ERROR_RATE = 0.05
#: The two-sided 95 % point of the normal distribution.
NORMAL_95 = 1.959964
#: The number of samples for which the confidence sequence is made narrowest.
NARROWEST_AT = 200
_SPREAD = (-2 * math.log(ERROR_RATE) + math.log(-2 * math.log(ERROR_RATE)) + 1) / NARROWEST_AT


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and an interval that holds the true one in 95 cases of a hundred."""

    mean: float
    low: float
    high: float

    def excludes(self, value: float) -> bool:
        """Does the interval leave this value out?"""
        return not self.low <= value <= self.high

    def columns(self, name: str) -> dict[str, float | None]:
        """The mean and the ends of the interval as ``name``, ``name_low``, ``name_high``; None if not finite."""
        values = {name: self.mean, f"{name}_low": self.low, f"{name}_high": self.high}
        return {key: value if math.isfinite(value) else None for key, value in values.items()}


#: An estimate of which nothing is known: not a number, and any interval. JSON has null for each of the three.
UNKNOWN = Estimate(math.nan, -math.inf, math.inf)

#: The least and the most that a value can be, if there are such limits.
Bounds = tuple[float, float] | None


def around(mean: float, radius: float, bounds: Bounds) -> Estimate:
    """The interval of a radius around a mean, within bounds."""
    low, high = bounds or (-math.inf, math.inf)
    return Estimate(mean, max(low, mean - radius), min(high, mean + radius))


def anytime_radius(samples: Any, error: float = ERROR_RATE) -> Any:
    """Half the width of the interval that holds at every number of samples, for values of standard deviation one."""
    t = samples * _SPREAD
    return np.sqrt(2 * (t + 1) / (samples * t) * np.log(np.sqrt(t + 1) / error))


def padded_deviation(values: Sequence[float], bounds: Bounds) -> float:
    """The standard deviation of the values, one extra sample at each bound included.

    The extra samples keep a few equal results from looking certain.
    """
    padded = [*values, *bounds] if bounds is not None else list(values)
    middle = math.fsum(padded) / len(padded)
    return math.sqrt(math.fsum((x - middle) ** 2 for x in padded) / max(1, len(padded) - 1))


def interval(values: Sequence[float], bounds: Bounds = (0.0, 1.0), anytime: bool = False) -> Estimate:
    """The mean of independent values and its 95 % interval; `bounds` are the least and the most a value can be.

    With `anytime` the interval holds at every number of samples at once. `ValueError` without values.
    """
    n = len(values)
    if n == 0:
        raise ValueError("there is nothing to estimate from: no values")
    mean = math.fsum(values) / n
    radius = float(anytime_radius(n)) if anytime else NORMAL_95 / math.sqrt(n)
    return around(mean, radius * padded_deviation(values, bounds), bounds)


def elo(share: float) -> float:
    """The Elo difference at which a player is expected to get this share of the points; infinite at 0 and 1.

    >>> round(elo(0.75)), elo(0.5), elo(1.0)
    (191, 0.0, inf)
    """
    if share <= 0.0:
        return -math.inf
    if share >= 1.0:
        return math.inf
    return 400.0 * math.log10(share / (1.0 - share))


def elo_of(share: Estimate) -> Estimate:
    """The Elo difference of a share of points, with its interval."""
    return Estimate(elo(share.mean), elo(share.low), elo(share.high))
