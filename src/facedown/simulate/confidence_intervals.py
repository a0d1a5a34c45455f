"""Confidence intervals of a mean: valid for a number of samples fixed in advance, or at every number of samples.

A tournament that stops as soon as its interval excludes a value must not use the usual 95 % interval. If that interval
is checked after every deal, it excludes the true value in far more than one tournament in twenty.

`mean_with_interval` with ``anytime=True`` is a *confidence sequence* (Robbins' normal mixture, in the form of
Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas 2021). In 95 of 100 tournaments this interval never excludes the true
value, however often it is checked and whenever the tournament stops. It is about one and a half times as wide as the
usual interval.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

#: Probability that an interval excludes the true value.
ERROR_RATE = 0.05
#: Two-sided 95 % point of the standard normal distribution.
NORMAL_95 = 1.959964
#: Number of samples at which the intervals of the confidence sequence are nearly as narrow as possible. `_SPREAD`, the
#: variance of the normal mixture, is chosen for this number of samples, by a formula from the source that the module's
#: docstring names.
NARROWEST_AT = 200
_SPREAD = (-2 * math.log(ERROR_RATE) + math.log(-2 * math.log(ERROR_RATE)) + 1) / NARROWEST_AT


@dataclass(frozen=True, slots=True)
class Estimate:
    """An estimated mean with its 95 % confidence interval from `low` to `high`."""

    mean: float
    low: float
    high: float

    def excludes(self, value: float) -> bool:
        """Return whether a value is outside the interval."""
        return not self.low <= value <= self.high

    def mean_and_interval_columns(self, name: str) -> dict[str, float | None]:
        """Return a dictionary with the mean and both ends of the interval; None replaces NaN and infinity.

        If `name` is "elo", the keys are "elo", "elo_low" and "elo_high".
        """
        values = {name: self.mean, f"{name}_low": self.low, f"{name}_high": self.high}
        return {key: value if math.isfinite(value) else None for key, value in values.items()}


#: Estimate without any data: the mean is NaN and the interval infinite. JSON has null in place of all three numbers.
UNKNOWN = Estimate(math.nan, -math.inf, math.inf)

#: Smallest and largest possible value of a mean, or None if it has no limits.
Bounds = tuple[float, float] | None


def estimate_from_radius(mean: float, radius: float, bounds: Bounds) -> Estimate:
    """Return the estimate with interval mean ± radius, clipped to the bounds."""
    low, high = bounds or (-math.inf, math.inf)
    return Estimate(mean, max(low, mean - radius), min(high, mean + radius))


def anytime_interval_radius(samples: Any, error: float = ERROR_RATE) -> Any:
    """Return half the width of an interval that is valid at every number of samples.

    The values must have standard deviation 1; otherwise multiply the result by their standard deviation. `samples` is
    the number of values so far, or an array of such numbers. `error` is the probability that the interval ever excludes
    the true mean.
    """
    t = samples * _SPREAD
    return np.sqrt(2 * (t + 1) / (samples * t) * np.log(np.sqrt(t + 1) / error))


def padded_standard_deviation(values: Sequence[float], bounds: Bounds) -> float:
    """Return the standard deviation of `values` after two artificial values are added to them, one at each bound.

    Without the artificial values, a few equal values would give an interval of zero width. If `bounds` is None, nothing
    is added.
    """
    padded = [*values, *bounds] if bounds is not None else list(values)
    middle = math.fsum(padded) / len(padded)
    return math.sqrt(math.fsum((x - middle) ** 2 for x in padded) / max(1, len(padded) - 1))


def mean_with_interval(values: Sequence[float], bounds: Bounds = (0.0, 1.0), anytime: bool = False) -> Estimate:
    """Return the mean of independent values and its 95 % interval.

    `bounds` are the smallest and the largest possible value. With `anytime` the interval may be checked again after
    every new value (see the module). Raise `ValueError` if there are no values.
    """
    n = len(values)
    if n == 0:
        raise ValueError("expected at least one value")
    mean = math.fsum(values) / n
    radius = float(anytime_interval_radius(n)) if anytime else NORMAL_95 / math.sqrt(n)
    return estimate_from_radius(mean, radius * padded_standard_deviation(values, bounds), bounds)


def elo_from_share(share: float) -> float:
    """Return the Elo difference that corresponds to an expected share of the points; infinite for the shares 0 and 1.

    >>> round(elo_from_share(0.75)), elo_from_share(0.5), elo_from_share(1.0)
    (191, 0.0, inf)
    """
    if share <= 0.0:
        return -math.inf
    if share >= 1.0:
        return math.inf
    return 400.0 * math.log10(share / (1.0 - share))


def elo_estimate_from_share(share: Estimate) -> Estimate:
    """Convert an estimated share of the points, and both ends of its interval, into an Elo difference.

    Shares of 0 and 1 become infinite differences (`elo_from_share`).
    """
    return Estimate(elo_from_share(share.mean), elo_from_share(share.low), elo_from_share(share.high))
