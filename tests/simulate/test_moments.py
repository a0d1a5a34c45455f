"""Moments: sums from which means, ratios, differences and their intervals are computed."""

from __future__ import annotations

import math

import numpy as np
import pytest

from facedown.simulate.confidence_intervals import Bounds, Estimate, mean_with_interval
from facedown.simulate.moments import moments_of, student_t_quantile


def mean_of(values: np.ndarray, bounds: Bounds = None) -> Estimate:
    """Return the mean of a row of values, as their ratio to 1."""
    return moments_of(np.stack([values, np.ones(len(values))], axis=1)).ratio(0, 1, bounds)


def test_means_and_covariances_equal_those_computed_by_numpy(rng: np.random.Generator) -> None:
    rows = rng.normal(3.0, 2.0, (500, 4))
    found = moments_of(rows)
    assert np.allclose(found.means, rows.mean(axis=0))
    assert np.allclose(found.column_covariances, np.cov(rows.T, bias=True))


def test_moments_of_two_parts_of_the_data_add_up_to_the_moments_of_the_whole_data(rng: np.random.Generator) -> None:
    rows = rng.integers(-5, 9, (100, 3)).astype(float)
    whole, parts = moments_of(rows), moments_of(rows[:33]) + moments_of(rows[33:])
    assert parts.deals == 100
    # Whole numbers add up to the last bit, other numbers if they are added in the same order.
    assert np.array_equal(whole.total, parts.total)
    assert np.array_equal(whole.products, parts.products)


def test_confidence_interval_of_a_mean_is_that_of_students_t_distribution(rng: np.random.Generator) -> None:
    values = rng.normal(10.0, 3.0, 12)
    found = mean_of(values)
    radius = 2.201 * values.std(ddof=1) / math.sqrt(12)
    assert found.mean == pytest.approx(values.mean())
    assert found.high - found.mean == pytest.approx(radius, rel=1e-3)
    large = rng.normal(10.0, 3.0, 5000)
    usual = mean_with_interval(list(large), None)
    found = mean_of(large)
    assert (found.low, found.high) == pytest.approx((usual.low, usual.high), rel=1e-4)


def test_confidence_interval_of_a_ratio_misses_the_true_value_in_about_one_of_20_samples(
    rng: np.random.Generator,
) -> None:
    """Hits among tries, with a random number of tries in a deal."""
    missed = 0
    for _ in range(2000):
        tries = rng.integers(1, 9, 80)
        hits = rng.binomial(tries, 0.3)
        found = moments_of(np.stack([hits, tries], axis=1).astype(float)).ratio(0, 1, (0.0, 1.0))
        missed += found.excludes(0.3)
    # The expected number is 75, about one in 27. Both bounds are beyond five standard deviations.
    assert 25 <= missed <= 200


def test_confidence_interval_of_a_paired_difference_is_narrower_than_that_of_one_mean(rng: np.random.Generator) -> None:
    luck = rng.normal(0.0, 10.0, 1000)
    rows = np.stack([luck, luck + 0.5 + rng.normal(0.0, 1.0, 1000), np.ones(1000)], axis=1)
    found = moments_of(rows)
    difference = found.weighted_ratio_sum([(1.0, 1, 2), (-1.0, 0, 2)])
    assert difference.excludes(0.0)
    assert difference.mean == pytest.approx((rows[:, 1] - rows[:, 0]).mean())
    radius = 1.962 * (rows[:, 1] - rows[:, 0]).std(ddof=1) / math.sqrt(1000)
    assert difference.high - difference.mean == pytest.approx(radius, rel=1e-3)
    alone = found.ratio(1, 2)
    assert alone.high - alone.low > 5 * (difference.high - difference.low)


def test_estimate_function_with_a_division_gives_the_same_result_as_ratio(rng: np.random.Generator) -> None:
    rows = rng.normal([4.0, 2.0], [1.0, 0.5], (2000, 2))
    found = moments_of(rows)
    as_ratio, as_function = found.ratio(0, 1), found.estimate_function(lambda means: float(means[0] / means[1]))
    assert as_function.mean == as_ratio.mean
    assert (as_function.low, as_function.high) == pytest.approx((as_ratio.low, as_ratio.high), rel=1e-5)


def test_confidence_interval_of_a_few_equal_results_has_a_width_above_zero() -> None:
    ten = mean_of(np.ones(10), (0.0, 1.0))
    assert ten.mean == ten.high == 1.0
    assert ten.low < 0.9
    # Something that happened in three deals of a thousand is known only as well as from three deals.
    rare = np.zeros((1000, 2))
    rare[:3] = 1.0
    assert moments_of(rare).ratio(0, 1, (0.0, 1.0)).low < 0.6


def test_confidence_interval_of_one_deal_or_none_excludes_no_value() -> None:
    one = mean_of(np.array([5.0]))
    assert one.mean == 5.0
    assert not one.excludes(-1e9)
    for found in (moments_of(np.array([[5.0, 0.0]])).ratio(0, 1), mean_of(np.zeros(0))):
        assert math.isnan(found.mean)
        assert not found.excludes(0.0)
    assert mean_of(np.full(50, 0.1)).low == pytest.approx(0.1)


def test_quantiles_of_students_t_distribution_equal_the_published_values() -> None:
    known = {2: 12.706, 3: 4.303, 6: 2.571, 11: 2.228, 31: 2.042, 101: 1.984, 10**6: 1.960}
    assert {deals: student_t_quantile(deals) for deals in known} == pytest.approx(known, abs=2e-3)
    assert math.isinf(student_t_quantile(1))
