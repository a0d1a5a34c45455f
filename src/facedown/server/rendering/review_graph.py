"""Graphs of the coach's review, and the score strip (a chart of the scores) of a replay.

The functions compute SVG paths and positions from numbers. The templates draw them in the colours of the theme.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean
from typing import NamedTuple

from facedown.core.grammar import digits
from facedown.server.i18n import c_

#: Size of the curve's coordinate system. The SVG is stretched to the available space; the line width stays the same.
CURVE_WIDTH = 1000.0
CURVE_HEIGHT = 100.0
#: Largest number of rounds that are all labelled with their numbers. If there are more, only every n-th is labelled.
MAX_LABELS = 12
#: Height of a bar for the value 0, so that it is visible, in per cent.
MIN_BAR_HEIGHT = 1.5


class Band(NamedTuple):
    """The vertical strip of a graph that stands for one round of the match.

    `x` (the left edge) and `width` are in units of the graph, which is `CURVE_WIDTH` wide.
    """

    x: float
    width: float
    middle: float
    """Middle of the strip, in per cent of the graph's width."""
    label: str
    """Number of the round; "" if there is no space for every number."""
    shaded: bool


class Pin(NamedTuple):
    """The numbered marker of an important decision in a graph.

    `x` is the distance from the left edge, as a percentage of the graph's width. `y` is the distance from the top, as a
    percentage of the graph's height.
    """

    number: int
    x: float
    y: float


class Bar(NamedTuple):
    """The bar of one decision in a cooperative game: its height stands for the number of wasted turns.

    All values are in units of the graph, which is `CURVE_WIDTH` wide and `CURVE_HEIGHT` high.
    """

    x: float
    y: float
    width: float
    height: float


class Graph(NamedTuple):
    """All elements of a graph in the coach's review: a curve (`line`, with the `area` to fill) or bars."""

    line: str = ""
    area: str = ""
    bands: tuple[Band, ...] = ()
    pins: tuple[Pin, ...] = ()
    bars: tuple[Bar, ...] = ()
    marks: tuple[str, ...] = ("100", "50", "0")
    """Labels of the vertical axis, from top to bottom."""


def round_bands(labels: Sequence[str], ends: Sequence[float] = (), shaded: int | None = 1) -> tuple[Band, ...]:
    """Return a band (vertical strip of a graph) for each round. `labels` are the rounds' numbers as text.

    * `ends`: the right edges of the bands, as fractions of the width from 0 to 1. If empty, all bands are equally wide.
    * `shaded`: the index (0 or 1) of the first shaded band. From there on, every second band is shaded. For None no
      band is shaded.

    `Band.x` is in units of `CURVE_WIDTH` (1000), `Band.middle` in per cent of the width.

    >>> [(band.x, band.middle, band.shaded) for band in round_bands(["1", "2"])]
    [(0.0, 25.0, False), (500.0, 75.0, True)]
    """
    ends = ends or [(at + 1) / len(labels) for at in range(len(labels))]
    every = -(-len(labels) // MAX_LABELS)
    return tuple(
        Band(
            _round_to_hundredths(CURVE_WIDTH * start),
            _round_to_hundredths(CURVE_WIDTH * (end - start)),
            round(50 * (start + end), 3),
            label if at % every == 0 else "",
            at % 2 == shaded,
        )
        for at, (label, start, end) in enumerate(zip(labels, [0.0, *ends][:-1], ends, strict=True))
    )


def win_probability_graph(
    points: Sequence[tuple[float, float]], labels: Sequence[str], pins: Sequence[tuple[float, float]] = ()
) -> Graph:
    """Return the graph of a win probability: the curve, and the area between the curve and 50 %.

    `points` and `pins` (important decisions) are (fraction of the match, probability), both from 0 to 1. `labels` are
    the numbers of the rounds.

    >>> win_probability_graph([(0, 0.5), (1, 1)], ["1"]).area
    'M0 50L0 50L1000 0L1000 50Z'
    """
    corners = "L".join(f"{_format_number(CURVE_WIDTH * x)} {_format_number(CURVE_HEIGHT * (1 - y))}" for x, y in points)
    area = (
        f"M{_format_number(CURVE_WIDTH * points[0][0])} 50L{corners}L{_format_number(CURVE_WIDTH * points[-1][0])} 50Z"
        if points
        else ""
    )
    return Graph(
        f"M{corners}" if points else "",
        area,
        round_bands(labels),
        tuple(Pin(number, round(100 * x, 3), round(100 * (1 - y), 3)) for number, (x, y) in enumerate(pins, 1)),
    )


def wasted_turns_chart(heights: Sequence[float], pinned: Sequence[int] = ()) -> Graph:
    """Return a bar chart of the turns that each decision wasted (`heights`; infinity if the decision lost the game).

    The chart is `CURVE_HEIGHT` (100) units high. A bar for 0 turns is `MIN_BAR_HEIGHT` (1.5) units high, so that it is
    visible.

    The top of the vertical axis is the largest finite number of turns, rounded up to an integer and at least 1. If any
    decision lost the game, this number is doubled: a decision that lost has a bar of the chart's full height, and all
    other bars are in the lower half.

    `pinned` are the indices of the bars with a numbered marker. `Graph.marks` of the result has the labels of the
    vertical axis, from top to bottom.

    >>> [bar.height for bar in wasted_turns_chart([0, 2]).bars], wasted_turns_chart([math.inf, 2]).marks
    ([1.5, 100.0], ('lost', '2', '0'))
    """
    turns = math.ceil(max([1.0, *(height for height in heights if height < math.inf)]))
    loses = math.inf in heights
    most = 2 * turns if loses else turns
    heights = [min(height, most) for height in heights]
    marks = (c_("an axis", "lost"), str(turns)) if loses else (str(turns), "")
    width = CURVE_WIDTH / max(1, len(heights))
    drawn = []
    for at, height in enumerate(heights):
        high = max(MIN_BAR_HEIGHT, CURVE_HEIGHT * height / most)
        drawn.append(
            Bar(
                _round_to_hundredths((at + 0.2) * width),
                _round_to_hundredths(CURVE_HEIGHT - high),
                _round_to_hundredths(0.6 * width),
                _round_to_hundredths(high),
            )
        )
    pins = tuple(
        Pin(number, round(100 * (at + 0.5) / len(heights), 3), round(100 * (1 - heights[at] / most), 3))
        for number, at in enumerate(pinned, 1)
    )
    labels = [str(at + 1) for at in range(len(heights))]
    return Graph("", "", round_bands(labels, shaded=None), pins, tuple(drawn), (*marks, "0"))


def _round_to_hundredths(value: float) -> float:
    return round(value, 2)


def _format_number(value: float) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".")


# --- score strip of a replay ------------------------------------------------------------------------------------------

#: Smallest vertical distance between the labels of two score lines, in per cent of the height.
MIN_LABEL_DISTANCE = 24.0
#: Space above the highest and below the lowest score, in per cent of the height.
STRIP_PADDING = 8.0


class ScoreStripLine(NamedTuple):
    """Line of one seat in the chart of the scores on a replay's page: how the seat's score changed over the match.

    `path` is the line as an SVG path. Its coordinates are in units of the chart, which is `CURVE_WIDTH` wide and
    `CURVE_HEIGHT` high.
    """

    path: str
    label: str
    """Label at the line's end: the player's initial and score ("R 112")."""
    y: float
    """Vertical position of the label, in per cent from the top."""
    kind: str
    """CSS class: "own" for the viewer's seat, else "d0", "d1", … for different dashes."""


class ScoreStrip(NamedTuple):
    """Chart of the scores from the deal to the result. A band (vertical strip) marks each round."""

    lines: tuple[ScoreStripLine, ...] = ()
    bands: tuple[Band, ...] = ()


def score_strip(
    points: Sequence[tuple[float, Sequence[float]]], ends: Sequence[float], letters: Sequence[str], own: int
) -> ScoreStrip:
    """Return a chart that shows how the scores of all seats changed over a finished match.

    The parameters are:

    * `points`: pairs (time, score of each seat at that time). The time is the fraction of the match's moves that have
      been played, from 0 to 1.
    * `ends`: for each round, the time at which it ended.
    * `letters`: the initial of each seat's player.
    * `own`: the viewer's seat, or `SPECTATOR`.

    The result has one `ScoreStripLine` for each seat, or none if all scores are always equal. Two of the fields of a
    `ScoreStripLine` are:

    * `kind`: CSS class. It is "own" for the viewer's seat, and "d0", "d1" and so on for the others, in seat order.
    * `y`: the vertical position of the label at the line's end, in per cent of the chart's height from the top. The
      highest score is at 8 per cent (`STRIP_PADDING`).

    >>> strip = score_strip([(0, [0, 0]), (1, [5, 10])], [1.0], ["A", "B"], 0)
    >>> [(line.label, line.kind, line.y) for line in strip.lines]
    [('A 5', 'own', 50.0), ('B 10', 'd0', 8.0)]
    """
    # If the match has a single round, it gets no number.
    bands = round_bands([str(at + 1) if len(ends) > 1 else "" for at in range(len(ends))], ends, shaded=0)
    values = [value for _, each in points for value in each]
    low, high = min(values, default=0.0), max(values, default=0.0)
    if low == high:
        return ScoreStrip((), bands)

    def down(value: float) -> float:
        return STRIP_PADDING + (CURVE_HEIGHT - 2 * STRIP_PADDING) * (high - value) / (high - low)

    heights = _spread_labels([down(value) for value in points[-1][1]])
    lines = []
    for seat, letter in enumerate(letters):
        path = "M" + "L".join(
            f"{_format_number(CURVE_WIDTH * x)} {_format_number(down(each[seat]))}" for x, each in points
        )
        kind = "own" if seat == own else f"d{sum(other != own for other in range(seat))}"
        label = f"{letter} {digits(round(points[-1][1][seat]))}"
        lines.append(ScoreStripLine(path, label, round(heights[seat], 2), kind))
    return ScoreStrip(tuple(lines), bands)


def _spread_labels(heights: Sequence[float]) -> list[float]:
    """Return the vertical positions of labels, as near as possible to `heights`, but not overlapping.

    All numbers are percentages of the chart's height from the top. The result is in the order of `heights`. Two labels
    are at least `MIN_LABEL_DISTANCE` (24) apart; for more than four labels, at least 100 divided by their number. To
    keep this distance, a label may be placed above or below the chart. The method is isotonic regression.

    >>> _spread_labels([50.0, 52.0, 90.0])
    [39.0, 63.0, 90.0]
    """
    apart = min(MIN_LABEL_DISTANCE, CURVE_HEIGHT / max(1, len(heights)))
    order = sorted(range(len(heights)), key=lambda seat: heights[seat])
    # Isotonic regression by pooling adjacent violators. The labels are sorted by height, and `rank` is the index of a
    # label in this order. For each label, let x be its height minus `rank * apart`. Two neighbouring labels overlap
    # exactly if x decreases from the first to the second. Such labels are put into one group, and each gets the mean x
    # of the group. At the end `rank * apart` is added again.
    groups: list[list[float]] = []
    for rank, seat in enumerate(order):
        groups.append([heights[seat] - rank * apart])
        while len(groups) > 1 and fmean(groups[-1]) < fmean(groups[-2]):
            groups[-2:] = [groups[-2] + groups[-1]]
    middles = [fmean(group) for group in groups for _wanted in group]
    placed = {seat: middles[rank] + rank * apart for rank, seat in enumerate(order)}
    return [placed[seat] for seat in range(len(heights))]
