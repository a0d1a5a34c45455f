"""First and second moments over deals. Every statistic of an experiment, and its interval, is computed from them.

The measurements of a deal are a row of numbers. This module keeps three things: the number of deals, the sum of the
rows, and the sums of the products of any two numbers of a row.

* Such sums can be added. So different machines may play and sum parts of an experiment. The sums of the parts are then
  added in the order of the deals, because the rounding of a sum depends on the order.
* The samples are the deals, because matches on one deal are not independent.
* A statistic is a smooth function of the means, for example a ratio of two of them. Its interval follows from its
  derivatives and from the covariances of the means (the delta method).
* A difference between two rule sets is a statistic, too. Its interval is narrow, because both rule sets were played on
  the same deals.

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
from facedown.simulate.confidence_intervals import NORMAL_95, UNKNOWN, Bounds, Estimate, estimate_from_radius

#: Step width of numerical derivatives. A statistic is a function of the means of several measurements. To differentiate
#: it, each mean is changed by this fraction of the standard deviation of its measurement.
STEP_SHARE = 1e-4
#: Smallest number of deals for which an interval can be computed.
FEWEST = 2
#: A variance or covariance below this share of the product of the means counts as a rounding error and is set to zero.
ROUNDING = 1e-12

Function = Callable[[NDArray[np.float64]], float]


@rule
def add_sums_and_products(rows: NDArray[np.float64], total: NDArray[np.float64], products: NDArray[np.float64]) -> None:
    """Add each row of `rows` to `total`, and the products of any two of its numbers to the matrix `products`.

    Only the lower triangle of the matrix (column ≤ row) is changed.
    """
    # These loops fix the order of summation, so that the result is the same on every machine. The order in NumPy's sums
    # depends on the processor.
    for i in range(len(rows)):
        for a in range(rows.shape[1]):
            value = rows[i, a]
            if value != 0.0:
                total[a] += value
                for b in range(a + 1):
                    products[a, b] += value * rows[i, b]


def student_t_quantile(deals: int) -> float:
    """Return the two-sided 95 % point of Student's t distribution with `deals` − 1 degrees of freedom.

    >>> [round(student_t_quantile(deals), 2) for deals in (5, 11, 1000)]
    [2.78, 2.23, 1.96]
    """
    if deals < FEWEST:
        return math.inf
    z, v = NORMAL_95, deals - 1
    # The result, the 97.5 % quantile of Student's t distribution, is approximated by Fisher's expansion. The expansion
    # is inaccurate for 1 to 4 degrees of freedom, so the quantiles for these are listed here.
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
    """Sums over `deals` deals. Each deal has a row of numbers.

    `total` is the sum of the rows. ``products[a, b]`` is the sum, over all rows, of number a times number b of the row.
    """

    deals: int
    total: NDArray[np.float64]
    products: NDArray[np.float64]
    """Square matrix of which only the lower triangle is used: ``products[a, b]`` is valid for b ≤ a."""

    def __add__(self, other: Moments) -> Moments:
        """Return the sums over all deals of both operands."""
        return Moments(self.deals + other.deals, self.total + other.total, self.products + other.products)

    @cached_property
    def means(self) -> NDArray[np.float64]:
        """Mean of each column of numbers, over all rows. There is one row of numbers per deal."""
        return self.total / max(1, self.deals)

    @cached_property
    def column_covariances(self) -> NDArray[np.float64]:
        """Covariance matrix of the columns of numbers. The samples are the rows: one row of numbers per deal."""
        whole = np.tril(self.products) + np.tril(self.products, -1).T
        expected = np.outer(self.means, self.means)
        found = whole / self.deals - expected
        return np.where(np.abs(found) <= ROUNDING * np.abs(expected), 0.0, found)

    def ratio(self, above: int, below: int, bounds: Bounds = None) -> Estimate:
        """Return an estimate of a ratio of two means: the mean of column `above` divided by that of column `below`.

        Each deal has a row of numbers; `above` and `below` are indices in the row. `bounds` are the smallest and the
        largest possible value of the ratio.
        """
        return self.weighted_ratio_sum([(1.0, above, below)], bounds)

    def weighted_ratio_sum(self, ratios: Sequence[tuple[float, int, int]], bounds: Bounds = None) -> Estimate:
        """Return an estimate of a weighted sum of ratios of means.

        `ratios` has (weight, index of the numerator in a row, index of the denominator). `bounds` are the smallest and
        the largest possible value of the sum. Return `UNKNOWN` if a denominator is zero.
        """
        value, slope, weight_of_one = 0.0, np.zeros(len(self.total)), 1.0
        for factor, above, below in ratios:
            top, bottom = float(self.means[above]), float(self.means[below])
            if bottom == 0.0:
                return UNKNOWN
            value += factor * top / bottom
            weight_of_one = max(weight_of_one, abs(factor / bottom))
            slope[above] += factor / bottom
            slope[below] -= factor * top / bottom**2
        return self._estimate_from_slope(value, slope, bounds, weight_of_one)

    def estimate_function(self, function: Function, bounds: Bounds = None) -> Estimate:
        """Return an estimate of a statistic that is any smooth function of the means.

        `bounds` are its smallest and its largest possible value. Return `UNKNOWN` if the value is not finite.
        """
        value = function(self.means) if self.deals else math.nan
        if not math.isfinite(value):
            return UNKNOWN
        slope = np.zeros(len(self.total))
        for i, variance in enumerate(np.diag(self.column_covariances)):
            if variance > 0.0:
                step = np.zeros(len(slope))
                step[i] = STEP_SHARE * math.sqrt(variance)
                change = (function(self.means + step) - function(self.means - step)) / (2 * step[i])
                slope[i] = change if math.isfinite(change) else 0.0
        return self._estimate_from_slope(value, slope, bounds)

    def _estimate_from_slope(
        self, value: float, slope: NDArray[np.float64], bounds: Bounds, weight_of_one: float = 1.0
    ) -> Estimate:
        """Return the value of a statistic with its interval. `slope` has its derivatives with respect to the means.

        `bounds` are the smallest and the largest possible value, or None. If given, the standard deviation is computed
        as if one more deal had given the smallest value and one more deal the largest value. Otherwise a few equal
        results would give an interval of width zero (see `confidence_intervals.padded_standard_deviation`).

        `weight_of_one` multiplies the distance of these two artificial results from `value`:

        * For a mean it is 1.
        * For a ratio it is 1 / (mean of the denominator), but at least 1. For a sum of ratios it is the largest of the
          factors |weight| / (mean of the denominator), but at least 1.
        """
        # Do not use a matrix product: its order of summation, and so its rounding, depends on the processor.
        spread = float((np.outer(slope, slope) * self.column_covariances).sum())
        size = float(((slope * self.means) ** 2).sum())
        squares = 0.0 if spread <= ROUNDING * size else self.deals * spread
        samples = self.deals
        if bounds is not None:
            samples += len(bounds)
            squares += sum(((end - value) * weight_of_one) ** 2 for end in bounds)
        if samples < FEWEST:
            return Estimate(value, -math.inf, math.inf)
        return estimate_from_radius(
            value, student_t_quantile(samples) * math.sqrt(squares / (samples - 1) / self.deals), bounds
        )


def moments_of(rows: NDArray[np.float64]) -> Moments:
    """Return the moments of the numbers in `rows`, an array with one row per deal."""
    width = rows.shape[1]
    total, products = np.zeros(width), np.zeros((width, width))
    add_sums_and_products(np.ascontiguousarray(rows, np.float64), total, products)
    return Moments(len(rows), total, products)
