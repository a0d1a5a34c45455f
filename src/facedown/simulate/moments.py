"""First and second moments over deals: the basis of all statistics of an experiment and of their confidence intervals.

The measurements of a deal are a row of numbers. This module keeps three things: the number of deals, the sum of the
rows, and the sum of the outer products of each row with itself.

* Such sums can be added. So different machines may play and sum parts of an experiment. The sums of the parts are then
  added in the order of the deals, because the rounding of a sum depends on the order.
* The samples are the deals, because matches on one deal are not independent.
* A statistic is a smooth function of the means, for example a ratio of two of them. Its confidence interval follows
  from its derivatives and from the covariances of the means (the delta method).
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
#: Smallest number of deals for which a confidence interval can be computed.
FEWEST = 2
#: A variance or covariance below this share of the product of the means counts as a rounding error and is set to zero.
ROUNDING = 1e-12

Function = Callable[[NDArray[np.float64]], float]


@rule
def add_sums_and_products(rows: NDArray[np.float64], total: NDArray[np.float64], products: NDArray[np.float64]) -> None:
    """Add each row of `rows` to `total`, and the outer product of the row with itself to the matrix `products`.

    Both arrays are changed in place. In `products`, only the lower triangle (column ≤ row) is changed.
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
    """Sums over deals, from which means and covariances are computed. Each deal has one row of numbers.

    * `deals`: number of deals.
    * `total`: sum of the rows.
    * `products`: ``products[a, b]`` is the sum of ``row[a] * row[b]`` over all rows.
    """

    deals: int
    total: NDArray[np.float64]
    products: NDArray[np.float64]
    """Square matrix of which only the lower triangle is used: ``products[a, b]`` is valid for b ≤ a."""

    def __add__(self, other: Moments) -> Moments:
        """Return the sums over the deals of `self` and the deals of `other` together.

        Each deal has one row of measurements. Both objects must have the same measurements in the same order. A deal
        that is in both objects counts twice.
        """
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
        """Return an estimate of a weighted sum of ratios. A ratio is the mean of one column divided by that of another.

        Each deal has a row of numbers. `ratios` has triples (weight, index of the numerator in the row, index of the
        denominator in the row). `bounds` are the smallest and the largest possible value of the sum. Return `UNKNOWN`
        if the mean of a denominator is zero.
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
        """Return an estimate of the statistic `function(means)`, with its confidence interval.

        `function` takes an array with the mean of each column over all deals, and returns a number. It must be smooth,
        because its derivatives are computed numerically. `bounds` are the smallest and the largest possible value of
        the statistic, or None. Return `UNKNOWN` if there are no deals, or if the value is not finite.
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
        """Return the estimate of a statistic: its value and its 95 % confidence interval.

        * `value`: the value of the statistic, which is a function of the means of the columns.
        * `slope`: the derivative of the statistic with respect to each of these means.
        * `bounds`: the smallest and the largest possible value of the statistic, or None.
        * `weight_of_one`: a factor for the two artificial samples that are described below.

        The width of the interval follows from the standard deviation of samples. Each deal has one sample, the number
        ``value + sum(slope * (row - means))``. In this formula, ``row`` is the row of numbers of the deal.

        A few equal samples would give an interval of zero width. To prevent that, two artificial samples are added: the
        smallest and the largest possible value of the statistic. Without `bounds`, nothing is added.
        (`confidence_intervals.padded_standard_deviation` does the same.)

        The samples of a ratio can lie far outside its bounds if the mean of the denominator is below 1. Then the
        artificial samples must lie further outside, too. So their distances from `value` are multiplied by
        `weight_of_one`. The factor is:

        * for a ratio of two means: |1 / mean of the denominator|, but at least 1;
        * for a weighted sum of ratios: the largest |weight / mean of the denominator| of all ratios, but at least 1;
        * for any other statistic: 1.
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
    """Return the number of rows, their sum, and the sum of the outer products of each row with itself.

    `rows` has one row per deal, and one column per measurement.
    """
    width = rows.shape[1]
    total, products = np.zeros(width), np.zeros((width, width))
    add_sums_and_products(np.ascontiguousarray(rows, np.float64), total, products)
    return Moments(len(rows), total, products)
