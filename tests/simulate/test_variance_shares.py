"""Variance shares: results that are built from known parts have the shares of these parts."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from facedown.simulate.deal_measurements import statistics_without_values, sums_of, variance_causes, variance_shares
from facedown.simulate.experiment_setup import Setup

#: With this number of deals, 0.03 is six standard deviations of any share that is found.
DEALS = 20_000
#: Standard deviations of the deal and of the rest. Effects of a place and of a bot.
DEAL, REST, PLACE, BOT = 3.0, 2.0, 1.0, 2.5


def rows_of_parts(
    setup: Setup, rng: np.random.Generator, deal: float, rest: float, place: float, bot: float
) -> dict[str, object]:
    """Return rows for two seats whose leads are made of these parts."""
    n = setup.deals
    matches = n * setup.matches_per_deal
    games = np.tile(np.arange(setup.matches_per_deal), n)
    deals = np.repeat(np.arange(n), setup.matches_per_deal)
    first = rng.integers(0, 2, n)[deals]
    cards = rng.normal(0.0, deal, n)[deals]
    bots = np.array([setup.seatings[game % len(setup.seatings)] for game in games])
    lead = cards + rng.normal(0.0, rest, matches)
    lead += np.where(first == 0, place, -place)
    if len(setup.entrants) > 1:
        lead += np.where(bots[:, 0] == 0, bot, -bot)
    zero = np.zeros(matches, np.int64)
    counters = {f"rule_{counter.key}": zero for counter in setup.module.counts.counters}
    # A part that both seats have in common, which is no lead.
    level = rng.normal(50.0, 20.0, matches)
    return {
        "side": zero, "deal": deals, "seating": games % len(setup.seatings), "repeat": games // len(setup.seatings),
        "first": first, "over": zero + 1, "decisions": zero + 10, "rounds": zero + 1,
        "score_0": level + lead, "score_1": level - lead, **counters,
    }  # fmt: skip


@pytest.mark.parametrize("bots", [("greedy", "beginner"), ("beginner",)])
def test_variance_shares_of_synthetic_results_equal_those_of_the_effects_built_into_them(
    bots: tuple[str, ...], rng: np.random.Generator
) -> None:
    setup = Setup("detect", bots, deals=DEALS, repeats=2)
    columns = rows_of_parts(setup, rng, DEAL, REST, PLACE, BOT)
    moments = sums_of(setup, columns).moments  # type: ignore[arg-type]
    parts = {"deal": DEAL**2, "seat": PLACE**2, "bots": BOT**2 if len(bots) > 1 else 0.0, "rest": REST**2}
    behind = 2 * len(statistics_without_values(setup))
    truth = {part: parts[part] / sum(parts.values()) for part in variance_causes(setup)}

    def share_of(part: str, means: np.ndarray) -> float:
        return variance_shares(setup, means[behind:])[part]

    found = {part: moments.estimate_function(partial(share_of, part), (0.0, 1.0)) for part in truth}
    assert sum(each.mean for each in found.values()) == pytest.approx(1.0)
    for part, share in truth.items():
        assert found[part].mean == pytest.approx(share, abs=0.03), part
        assert 0.0 < found[part].high - found[part].low < 0.1


def test_variance_share_of_the_deal_is_near_zero_if_the_deal_has_no_effect(rng: np.random.Generator) -> None:
    setup = Setup("detect", ("greedy", "beginner"), deals=DEALS)
    columns = rows_of_parts(setup, rng, 0.0, 1.0, 0.0, 0.0)
    means = sums_of(setup, columns).moments.means  # type: ignore[arg-type]
    found = variance_shares(setup, means[2 * len(statistics_without_values(setup)) :])
    assert found["rest"] > 0.95
    assert found["deal"] < 0.05


def test_variance_is_not_divided_into_shares_if_every_deal_is_played_once() -> None:
    assert variance_causes(Setup("detect", ("greedy",))) == ()
    assert variance_causes(Setup("uncovered", ("greedy", "casual"), 3)) == ("deal", "bots", "rest")


def test_variance_shares_are_nan_if_all_results_are_equal() -> None:
    setup = Setup("detect", ("greedy",), repeats=2)
    assert all(np.isnan(share) for share in variance_shares(setup, np.zeros(7)).values())
