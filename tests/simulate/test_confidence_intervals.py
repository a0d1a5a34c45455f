"""Confidence intervals: they hold the truth as often as they say, even if they are looked at after every result."""

from __future__ import annotations

import math

import numpy as np
import pytest

from facedown.simulate.confidence_intervals import (
    ERROR_RATE,
    Estimate,
    anytime_interval_radius,
    elo_estimate_from_share,
    elo_from_share,
    mean_with_interval,
    padded_standard_deviation,
)

#: Number of random sequences, and of results in each. The interval is checked after every result.
SEQUENCES = 4_000
LENGTH = 1_500


def error_share(error: float, seed: int) -> float:
    """Return the share of sequences whose interval misses the truth at some time from the tenth result on."""
    rng = np.random.default_rng(seed)
    values = rng.choice([-1.0, 1.0], (SEQUENCES, LENGTH))
    n = np.arange(1, LENGTH + 1)
    mean = np.cumsum(values, axis=1) / n
    return float((np.abs(mean) > anytime_interval_radius(n, error))[:, 9:].any(axis=1).mean())


def test_anytime_confidence_interval_misses_the_true_mean_about_as_often_as_its_error_rate() -> None:
    """Neither more often nor much less often. Otherwise four times the error rate would pass, too."""
    assert 0.3 * ERROR_RATE < error_share(ERROR_RATE, 1) <= ERROR_RATE
    assert error_share(4 * ERROR_RATE, 1) > 1.5 * ERROR_RATE, "four times the error is seen"
    assert error_share(ERROR_RATE / 4, 1) < 0.3 * ERROR_RATE, "and a quarter of it"


def test_anytime_interval_half_width_is_function_anytime_radius_times_standard_deviation() -> None:
    values = [0.0, 1.0] * 60
    found = mean_with_interval(values, anytime=True)
    assert found.mean - found.low == pytest.approx(
        float(anytime_interval_radius(120)) * padded_standard_deviation(values, (0.0, 1.0))
    )


def test_fixed_size_confidence_interval_contains_the_true_mean_in_about_95_of_100_samples(
    rng: np.random.Generator,
) -> None:
    held = sum(not mean_with_interval(list(rng.random(60))).excludes(0.5) for _ in range(4000))
    # Eight standard deviations to either side.
    assert 3680 <= held <= 3920


def test_confidence_interval_of_equal_values_is_wide_for_ten_and_narrow_for_a_thousand() -> None:
    few = mean_with_interval([1.0] * 10)
    assert few.mean == 1.0
    assert few.low < 0.9
    assert few.high == 1.0
    assert mean_with_interval([1.0] * 1000).low > 0.99


def test_confidence_interval_of_no_values_raises_value_error() -> None:
    with pytest.raises(ValueError, match="at least one value"):
        mean_with_interval([])


def test_elo_difference_is_computed_from_the_share_of_wins() -> None:
    assert elo_from_share(10 / 11) == pytest.approx(400)
    assert elo_from_share(0.3) == pytest.approx(-elo_from_share(0.7))
    found = elo_estimate_from_share(Estimate(0.5, 0.0, 0.75))
    assert (found.mean, found.low) == (0.0, -math.inf)
