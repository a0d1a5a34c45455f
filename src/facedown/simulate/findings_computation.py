"""Computation of an experiment's findings from the sums of the measurements on all deals (`deal_measurements.Sums`).

The findings are the statistics under each rule set. Every statistic has a value with a 95 % confidence interval, and a
label: the name that reports show for the statistic, in the current language.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

import facedown
from facedown.simulate.confidence_intervals import Estimate
from facedown.simulate.deal_measurements import (
    BOTS,
    DEAL,
    REST,
    SEAT,
    Ratio,
    Sums,
    match_length_units,
    statistics_without_values,
    variance_causes,
    variance_shares,
)
from facedown.simulate.experiment_setup import Setup
from facedown.simulate.findings import LUCK, SHARE, Figure, Findings, Histogram, Option, Side
from facedown.simulate.i18n import N_, _
from facedown.simulate.moments import Moments

#: Maximum number of bars of a histogram.
BARS = 40
#: Maximum fraction of the numbers in a histogram that may be too large for its last bar.
TAIL_SHARE = 0.02
ZERO_TO_ONE, DIFFERENCE = (0.0, 1.0), (-1.0, 1.0)
_PARTS = {
    DEAL: N_("the deal"),
    SEAT: N_("the turn order"),
    BOTS: N_("the choice of bots"),
    REST: N_("everything else"),
}
_UNITS = {"round": N_("round"), "hand": N_("hand"), "game": N_("game")}


def findings_of(setup: Setup, sums: Sums, question: str = "") -> Findings:
    """Return the findings, computed from the sums of the measurements on the deals played so far.

    `question` becomes the title of the report.
    """
    ratios, moments, sides = statistics_without_values(setup), sums.moments, range(len(setup.rule_sets))
    luck = [_variance_means_of_side(setup, moments.means, len(ratios), side) for side in sides]
    # For each rule set: True if repeats never changed a result. In a repeat, the same bots play the same deal again in
    # the same seats, with other random choices. False if there are no repeats.
    alike = [setup.repeats > 1 and float(numbers[0]) == 1.0 for numbers in luck]
    parts = () if any(alike) else variance_causes(setup)
    found = [_findings_of_side(setup, sums, ratios, parts, side, alike[side]) for side in sides]
    keys = [each.key for each in found[0].figures]
    differences = _estimates(setup, moments, ratios, parts, [(1.0, 1), (-1.0, 0)]) if len(sides) > 1 else []
    return Findings(
        question=question,
        game=setup.game,
        title=setup.info.title,
        together=setup.info.together,
        places=setup.seat_count,
        bots=setup.bots,
        rounds=setup.rounds,
        unit=result_unit(setup),
        seed=setup.seed,
        deals=moments.deals,
        asked=setup.deals,
        repeats=setup.repeats,
        seatings=len(setup.seatings),
        package=facedown.__version__,
        version=setup.info.version,
        a=found[0],
        b=found[1] if len(sides) > 1 else None,
        differences=dict(zip(keys, differences, strict=bool(differences))),
    )


def result_unit(setup: Setup) -> str:
    """Return in words, in the current language, what one result of the experiment consists of.

    Examples: "match", "round", "3 × hand" (three hands).
    """
    unit = setup.info.unit
    if setup.rounds == 0:
        return _(_UNITS["game"]) if setup.info.together else _("match")
    one = _(_UNITS[unit]) if unit in _UNITS else unit
    return one if setup.rounds == 1 else _("{count} × {unit}", count=setup.rounds, unit=one)


# --- statistics -------------------------------------------------------------------------------------------------------


def _variance_means_of_side(setup: Setup, means: NDArray[np.float64], figures: int, side: int) -> NDArray[np.float64]:
    """Return the means from which `deal_measurements.variance_shares` computes the variance shares of one rule set.

    A variance share says how much of the variance of results is due to one cause: the deal, the seat, the bots, or
    everything else.

    * `side`: index of the rule set.
    * `figures`: number of statistics under one rule set.
    * `means`: the mean of each measurement over all deals. The array has one block for each rule set; all blocks have
      the same length. A block begins with two means for each statistic: that of its numerator and that of its
      denominator. After these come the means for the variance shares.

    Return an empty array if each deal was played only once, because variance shares cannot be measured then.
    """
    return means.reshape(len(setup.rule_sets), -1)[side, 2 * figures :]


def _estimates(
    setup: Setup, moments: Moments, ratios: Sequence[Ratio], parts: Sequence[str], terms: Sequence[tuple[float, int]]
) -> list[Estimate]:
    """Return one estimate for each statistic in `ratios`, then one for each cause of variance in `parts`.

    * `moments`: sums of the measurements over all deals.
    * `ratios`: the statistics to estimate.
    * `parts`: names of causes such as the deal or the seat (see `variance_causes`). The estimate for a cause is the
      share of the variance of results that is due to the cause.
    * `terms`: pairs (weight, index of a rule set). Each estimate is a sum over these pairs: the weight times the value
      under the rule set. So ``[(1.0, 0)]`` gives the value under A, ``[(1.0, 1), (-1.0, 0)]`` the difference B minus A.
    """
    width = len(moments.total) // len(setup.rule_sets)
    share = ZERO_TO_ONE if len(terms) == 1 else DIFFERENCE
    found = []
    for i, each in enumerate(ratios):
        places = [(weight, side * width + 2 * i, side * width + 2 * i + 1) for weight, side in terms]
        found.append(moments.weighted_ratio_sum(places, share if each.unit == SHARE else None))

    def luck(part: str, means: NDArray[np.float64]) -> float:
        of = {side: _variance_means_of_side(setup, means, len(ratios), side) for _weight, side in terms}
        return sum(weight * variance_shares(setup, of[side])[part] for weight, side in terms)

    return found + [moments.estimate_function(partial(luck, part), share) for part in parts]


def _findings_of_side(
    setup: Setup, sums: Sums, ratios: Sequence[Ratio], parts: Sequence[str], side: int, all_repeats_scored_alike: bool
) -> Side:
    """Return all findings under one rule set. `side` is its index.

    * `ratios` and `parts`: the statistics and the causes of variance to estimate (see `_estimates`).
    * `all_repeats_scored_alike`: True if repeats never changed a result. In a repeat, the same bots play the same deal
      again in the same seats, with other random choices. If True, the experiment cannot measure how much of the
      variance of results each cause explains, and the findings contain the reason.
    """
    chosen, lengths = setup.rule_sets[side], sums.lengths[2 * side :]
    note = _("of the variance of the score") if setup.info.together else _("of the variance of the lead")
    values = _estimates(setup, sums.moments, ratios, parts, [(1.0, side)])
    figures = [
        Figure(each.key, each.group, each.label, each.note, each.unit, value, each.even)
        for each, value in zip(ratios, values, strict=False)
    ]
    for part, value in zip(parts, values[len(ratios) :], strict=True):
        figures.append(Figure(f"luck.{part}", LUCK, _(_PARTS[part]), note, SHARE, value))
    no_luck = _(
        "All repeats of each deal ended the same way. Bots that never choose at random cannot show how much of the "
        "outcome is luck."
    )
    return Side(
        options=tuple(
            Option(each.name, chosen[each.name], each.label, each.describe_value(chosen[each.name]))
            for each in setup.info.options
        ),
        named=setup.studied_option_names,
        matches=sums.moments.deals * setup.matches_per_deal,
        abandoned=sums.abandoned[side],
        figures=tuple(figures),
        histograms={f"length.{name}": histogram(lengths[i]) for i, name in enumerate(match_length_units(setup))},
        no_luck=no_luck if all_repeats_scored_alike else "",
    )


def histogram(counts: NDArray[np.int64]) -> Histogram:
    """Return a histogram of at most `BARS` bars of equal width.

    ``counts[n]`` is the frequency of the number n. The first bar contains the smallest number that occurs. Numbers that
    are too large for the last bar are only counted (`Histogram.beyond`). They are at most a fraction `TAIL_SHARE` of
    all numbers.

    >>> histogram(np.array([0, 0, 5, 7])).bars
    ((2, 5), (3, 7))
    """
    there = np.nonzero(counts)[0]
    if len(there) == 0:
        return Histogram(0, 1, ())
    reached = np.cumsum(counts)
    low, high = int(there[0]), int(np.searchsorted(reached, (1.0 - TAIL_SHARE) * reached[-1]))
    width = -(-(high - low + 1) // BARS)
    # Bars start at multiples of their width, so one bar more than `BARS` may be needed. Then widen the bars.
    if high // width - low // width >= BARS:
        width += 1
    start, bars = low - low % width, high // width - low // width + 1
    padded = np.zeros(bars * width, np.int64)
    padded[: high - start + 1] = counts[start : high + 1]
    bars_filled = tuple(int(n) for n in padded.reshape(bars, width).sum(axis=1))
    return Histogram(start, width, bars_filled, int(counts.sum()) - sum(bars_filled))
