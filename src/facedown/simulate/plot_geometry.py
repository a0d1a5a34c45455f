"""Geometry of the plots of an experiment: axis scales, histograms with common bins, and stacked bars.

A bin is the range of numbers that one bar of a histogram covers. Histograms with common bins can be compared bar by
bar.

The report draws the plots with a template (``templates/charts.html``), `simulate.plots` with Matplotlib.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from facedown.simulate.confidence_intervals import Estimate
from facedown.simulate.findings import SHARE, Figure, Findings, Histogram, Row
from facedown.simulate.findings_text import display_value, format_number, format_signed_number

#: Approximate number of labels on the axis below a histogram.
TICK_COUNT = 6
#: Smallest width of a part of a stacked bar that has a text, in per cent of the whole bar.
MIN_LABEL_WIDTH = 16.0


# --- scales -----------------------------------------------------------------------------------------------------------


def next_round_number(value: float) -> float:
    """Return the smallest number of the form 1, 2, 3, 5 or 10 times a power of ten that is not below `value`.

    Return 1.0 for zero and negative values.

    >>> [next_round_number(value) for value in (0.017, 1.9, 4.0, 61.0)]
    [0.02, 2.0, 5.0, 100.0]
    """
    if not value > 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(float(f"{step * power:.12g}") for step in (1, 2, 3, 5, 10) if step * power >= value * (1 - 1e-9))


@dataclass(frozen=True, slots=True)
class Scale:
    """Horizontal scale for one row of a plot, in the unit of its statistic. A vertical line marks a reference value."""

    low: float
    high: float
    middle: float | None
    """Value at the reference line: zero for a difference between rule sets, else the neutral value of the statistic
    (`Figure.even`). None if it has no neutral value; then the line is at the left end."""
    unit: str
    signs: bool

    def position_of(self, value: float) -> float:
        """Return the position of a value in per cent of the plot's width.

        The scale covers the width from 8 % to 92 %; values outside are moved to its ends.
        """
        inner = (value - self.low) / (self.high - self.low)
        return 8 + 84 * min(1.0, max(0.0, inner))

    @property
    def reference_line_position(self) -> float:
        """Position of the reference line in per cent of the plot's width.

        The line marks the value `middle`. If that is None, the line is at the left end of the scale.
        """
        return self.position_of(self.low if self.middle is None else self.middle)

    def interval_end_positions(self, found: Estimate) -> tuple[float, float] | None:
        """Return the positions of both ends of an estimate's confidence interval, in per cent of the plot's width.

        Return None if the mean of the estimate is NaN or infinite.
        """
        if not math.isfinite(found.mean):
            return None
        return self.position_of(found.low), self.position_of(found.high)

    @property
    def labelled_values(self) -> list[float]:
        """Values at which the scale has a label: its ends, and the reference line if it is not at an end."""
        return [self.low, self.high] if self.middle is None else [self.low, self.middle, self.high]

    def value_text(self, value: float) -> str:
        """Format a value as a label on the scale."""
        shown = display_value(self.unit, value)
        behind = max(0, min(4, 1 - math.floor(math.log10(display_value(self.unit, self.high - self.low)))))
        text = (format_signed_number if self.signs else format_number)(shown, behind)
        return _strip_trailing_zeros(text) if behind else text


def _strip_trailing_zeros(text: str) -> str:
    """Return a decimal number without the zeros at its end: "1.5" for "1.50", "2" for "2.0".

    `text` must contain a decimal point or a decimal comma.
    """
    point = max(text.rfind("."), text.rfind(","))
    whole, fraction = text[:point], text[point:].rstrip("0")
    return whole if len(fraction) == 1 else whole + fraction


def scale_centred_on(unit: str, middle: float, found: Sequence[Estimate], *, signs: bool) -> Scale:
    """Return a scale centred on `middle` that covers the estimates in `found` with their confidence intervals.

    `unit` is the unit of the statistic (`Figure.unit`). `signs` is set for differences: the labels then have plus and
    minus signs. If `unit` is `SHARE` and `signs` is not set, the scale is clipped to the range from 0 to 1.
    """
    ends = [abs(end - middle) for one in found for end in (one.low, one.high, one.mean) if math.isfinite(end)]
    reach = next_round_number(display_value(unit, max(ends, default=1.0))) / display_value(unit, 1.0)
    low, high = middle - reach, middle + reach
    if unit == SHARE and not signs:
        low, high = max(0.0, low), min(1.0, high)
    return Scale(low, high, middle, unit, signs)


def scale_of(row: Row) -> Scale:
    """Return the axis scale of the plot in a row of the report's table.

    The scale is centred on zero for a difference between rule sets, or on the neutral value of a statistic that has one
    (`Figure.even`). For any other statistic it starts at zero, or is centred on zero if there are negative values.
    """
    figure = row.a
    if row.difference is not None:
        return scale_centred_on(figure.unit, 0.0, [row.difference], signs=True)
    if figure.even is not None:
        return scale_centred_on(figure.unit, figure.even, [figure.value], signs=False)
    whole = scale_centred_on(figure.unit, 0.0, [figure.value], signs=False)
    below = any(-math.inf < end < 0 for end in (figure.value.low, figure.value.mean, figure.value.high))
    return whole if below else replace(whole, low=0.0, middle=None)


def first_place_shares(findings: Findings) -> list[list[Figure]]:
    """Return, for each seat and rule set, the share of matches that the seat wins (finishes in first place).

    ``result[seat][rule_set]`` is a statistic. Seats are numbered in the order of play: seat 0 starts the match. If
    players tie for first place, each of them gets an equal part of it. The result is empty for a cooperative game.
    """
    return list(map(list, zip(*(side.select_by_key("seat.", ".first") for side in findings.sides), strict=False)))


def seat_scale(seats: Sequence[Sequence[Figure]]) -> Scale:
    """Return the axis scale for the share of matches that each seat wins. All seats have the same scale.

    The reference line is at 1 / number of seats, the share of each seat if no seat has an advantage. `seats` is the
    result of `first_place_shares`.
    """
    return scale_centred_on(
        SHARE, seats[0][0].even or 0.0, [each.value for seat in seats for each in seat], signs=False
    )


# --- bars -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AlignedHistograms:
    """One or two histograms with common bins, so that they can be compared bar by bar.

    A bin is the range of integers that one bar covers. The first bin starts at the integer `start`, and each bin has
    `width` integers. ``shares[histogram][bar]`` is the share of the histogram's values that are in the bin of the bar.
    """

    start: int
    width: int
    shares: tuple[tuple[float, ...], ...]
    beyond: tuple[float, ...] = ()
    """Share of each histogram's values that are too large for its last bar and not drawn."""

    @property
    def largest_covered_number(self) -> int:
        """Largest integer on the horizontal axis: the last one that the last bar covers.

        Larger values are not drawn; `beyond` has their share.
        """
        return self.start + self.width * max(map(len, self.shares), default=0) - 1

    @property
    def highest_share(self) -> float:
        """Largest share of a histogram's values, from 0 to 1, that falls into a single bar, over all histograms.

        This is the height of the highest bar. If all bars are empty, it is 1, so that callers can divide by it.
        """
        return max((share for shares in self.shares for share in shares), default=0.0) or 1.0

    @property
    def ticks(self) -> Iterator[tuple[float, str]]:
        """Labels of the axis below the bars: pairs (position, text). Positions are in per cent of the axis's width."""
        total = len(self.shares[0])
        numbers = self.width * total
        every = max(1, int(next_round_number(numbers / TICK_COUNT)))
        for value in range(-(-self.start // every) * every, self.start + numbers, every):
            # If each bar stands for one number, the label is centred below its bar. If there are many bars, labels near
            # the ends of the axis are left out, because they would extend beyond it.
            at = (value - self.start + (0.5 if self.width == 1 else 0.0)) / numbers
            if 0.02 < at < 0.97 or total <= TICK_COUNT:
                yield 100 * at, format_number(value, 0)

    def bar_label(self, bar: int) -> str:
        """Return the number, or the range of numbers, that the bar with index `bar` covers."""
        least = self.start + bar * self.width
        return str(least) if self.width == 1 else f"{least}–{least + self.width - 1}"


def align_histograms(histograms: Sequence[Histogram]) -> AlignedHistograms:
    """Convert histograms to common bins: bars with the same index then cover the same numbers in all histograms.

    The new bars are as wide as the widest bars of the given histograms. They start at the smallest number that any of
    the histograms covers, rounded down to a multiple of the width.

    >>> align_histograms([Histogram(2, 1, (1, 3)), Histogram(3, 1, (2, 2))]).shares
    ((0.25, 0.75, 0.0), (0.0, 0.5, 0.5))
    """
    filled = [one for one in histograms if one.total]
    if not filled:
        return AlignedHistograms(0, 1, tuple(() for _one in histograms))
    width = max(one.width for one in filled)
    start = min(one.start for one in filled)
    start -= start % width
    bars = 1 + max((one.start + len(one.counts) * one.width - 1 - start) // width for one in filled)
    found = []
    for one in histograms:
        # If an old bar overlaps two of the new, wider bars, its values are divided between them as if they were evenly
        # distributed.
        numbers = one.start + np.arange(len(one.counts) * one.width)
        shares = np.repeat(one.counts, one.width) / one.width / max(1, one.total)
        found.append(tuple(np.bincount((numbers - start) // width, shares, bars).tolist()))
    return AlignedHistograms(start, width, tuple(found), tuple(one.beyond / max(1, one.total) for one in histograms))


# --- stacked bars -----------------------------------------------------------------------------------------------------


def stacked_bar_parts(figures: Sequence[Figure]) -> Iterator[tuple[str, float, float, str]]:
    """Yield the parts of a stacked bar, from left to right, as tuples (name, left edge, width, text).

    Each statistic with a positive value has one part, which is as wide as the value's share of the sum of all values.

    * Name: the key of the statistic without the prefix "luck.".
    * Left edge and width: in per cent of the bar's width.
    * Text: the label of the statistic and the width as a whole number, such as "the deal 41". If that does not fit into
      the part, the text is only the number. In a part narrower than `MIN_LABEL_WIDTH`, the text is empty.
    """
    sizes = [max(0.0, each.value.mean) if math.isfinite(each.value.mean) else 0.0 for each in figures]
    whole, left = math.fsum(sizes) or 1.0, 0.0
    for each, size in zip(figures, sizes, strict=True):
        wide = 100 * size / whole
        text = f"{each.label} {format_number(wide, 0)}" if wide >= 2.2 * len(each.label) else format_number(wide, 0)
        if wide > 0:
            yield each.key.removeprefix("luck."), left, wide, text if wide >= MIN_LABEL_WIDTH else ""
        left += wide
