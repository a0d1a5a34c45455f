"""Sums over deals that every figure of an experiment can be worked out from, with its interval.

What is measured of a deal is a row of numbers. Kept are how many deals there are, the sum of their rows, and the sums
of all products of two numbers of a row. They add up: parts of an experiment may be summed anywhere, and joined in their
order. A figure is a smooth function of the means, a ratio of two of them, say; how uncertain it is follows from how it
changes with each of them, and from how they vary together (the delta method; its sample is the deal, for matches of one
deal are no independent samples). So a difference between two rule sets is one more figure, and that both were played on
the same deals makes its interval as narrow as it should be.

>>> rows = np.array([[2.0, 1.0], [4.0, 1.0], [9.0, 3.0]])
>>> found = moments_of(rows)
>>> found.deals, found.means.tolist(), found.ratio(0, 1).mean
(3, [5.0, 1.666...], 3.0)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from facedown.core.rule import rule
from facedown.simulate.confidence_intervals import NORMAL_95, UNKNOWN, Bounds, Estimate, around

#: How far a mean is moved to see how a figure changes with it, as a share of its own spread.
STEP_SHARE = 1e-4
#: Of fewer deals nothing is known but their mean.
FEWEST = 2
#: What is left of variances that cancel out is no more than this share of what they are made of.
ROUNDING = 1e-12

Function = Callable[[NDArray[np.float64]], float]


@rule
def add_products(rows: NDArray[np.float64], total: NDArray[np.float64], products: NDArray[np.float64]) -> None:
    """Add every row of `rows` to `total`, and the products of any two of its numbers to `products` (its lower half)."""
    # In this order always: sums of floating numbers depend on it, and the library's own are split by processors.
    for i in range(len(rows)):
        for a in range(rows.shape[1]):
            value = rows[i, a]
            if value != 0.0:
                total[a] += value
                for b in range(a + 1):
                    products[a, b] += value * rows[i, b]


def student_t_quantile(deals: int) -> float:
    """How many standard errors lie to either side of a mean of so many deals: the 95 % point of Student's t.

    >>> [round(student_t_quantile(deals), 2) for deals in (5, 11, 1000)]
    [2.78, 2.23, 1.96]
    """
    if deals < FEWEST:
        return math.inf
    z, v = NORMAL_95, deals - 1
    # Fisher's expansion; with few degrees of freedom it is too short, and they have their exact values.
    exact = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776}
    if v in exact:
        return exact[v]
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + math.fsum(term / v ** (i + 1) for i, term in enumerate(terms))


@dataclass(frozen=True)
class Moments:
    """Sums over so many deals."""

    deals: int
    total: NDArray[np.float64]
    products: NDArray[np.float64]
    """The lower half of a square: ``products[a, b]`` for b up to a."""

    def __add__(self, other: Moments) -> Moments:
        """The sums over the deals of both."""
        return Moments(self.deals + other.deals, self.total + other.total, self.products + other.products)

    @cached_property
    def means(self) -> NDArray[np.float64]:
        """The mean of each number of a row."""
        return self.total / max(1, self.deals)

    @cached_property
    def covariances(self) -> NDArray[np.float64]:
        """How any two numbers of a row vary together."""
        whole = np.tril(self.products) + np.tril(self.products, -1).T
        expected = np.outer(self.means, self.means)
        found = whole / self.deals - expected
        return np.where(np.abs(found) <= ROUNDING * np.abs(expected), 0.0, found)

    def ratio(self, above: int, below: int, bounds: Bounds = None) -> Estimate:
        """The ratio of the means of two numbers of a row; `bounds` are its limits."""
        return self.weighted_ratio_sum([(1.0, above, below)], bounds)

    def weighted_ratio_sum(self, ratios: Sequence[tuple[float, int, int]], bounds: Bounds = None) -> Estimate:
        """A weighted sum of ratios; not a number, and any interval, where one has nothing below."""
        value, slope, weight_of_one = 0.0, np.zeros(len(self.total)), 1.0
        for factor, above, below in ratios:
            top, bottom = float(self.means[above]), float(self.means[below])
            if bottom == 0.0:
                return UNKNOWN
            value += factor * top / bottom
            weight_of_one = max(weight_of_one, abs(factor / bottom))
            slope[above] += factor / bottom
            slope[below] -= factor * top / bottom**2
        return self._estimate(value, slope, bounds, weight_of_one)

    def estimate_function(self, function: Function, bounds: Bounds = None) -> Estimate:
        """A figure that is any smooth function of the means."""
        value = function(self.means) if self.deals else math.nan
        if not math.isfinite(value):
            return UNKNOWN
        slope = np.zeros(len(self.total))
        for i, variance in enumerate(np.diag(self.covariances)):
            if variance > 0.0:
                step = np.zeros(len(slope))
                step[i] = STEP_SHARE * math.sqrt(variance)
                change = (function(self.means + step) - function(self.means - step)) / (2 * step[i])
                slope[i] = change if math.isfinite(change) else 0.0
        return self._estimate(value, slope, bounds)

    def _estimate(
        self, value: float, slope: NDArray[np.float64], bounds: Bounds, weight_of_one: float = 1.0
    ) -> Estimate:
        """The value with its interval, from how it changes with each mean.

        Between bounds, one more case at either bound keeps a few equal results from looking certain
        (`confidence.spread`); `weight_of_one` is what a case counts where cases are rarer than deals.
        """
        # Not by matrix products: how the library splits those depends on the processors.
        spread = float((np.outer(slope, slope) * self.covariances).sum())
        size = float(((slope * self.means) ** 2).sum())
        squares = 0.0 if spread <= ROUNDING * size else self.deals * spread
        samples = self.deals
        if bounds is not None:
            samples += len(bounds)
            squares += sum(((end - value) * weight_of_one) ** 2 for end in bounds)
        if samples < FEWEST:
            return Estimate(value, -math.inf, math.inf)
        return around(value, student_t_quantile(samples) * math.sqrt(squares / (samples - 1) / self.deals), bounds)


def moments_of(rows: NDArray[np.float64]) -> Moments:
    """The sums over the rows of a table, a deal each."""
    width = rows.shape[1]
    total, products = np.zeros(width), np.zeros((width, width))
    add_products(np.ascontiguousarray(rows, np.float64), total, products)
    return Moments(len(rows), total, products)
