"""Plots of a report as PNG and SVG files for papers and slides, drawn by Matplotlib (the extra ``lab``).

They show the same numbers as the HTML report (`simulate.report`), on white, with axes.
"""

from __future__ import annotations

import io
import math
import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from facedown.core.game_registry import art, catalogue
from facedown.simulate import findings_text, plot_geometry
from facedown.simulate.confidence_intervals import Estimate
from facedown.simulate.findings import SHARE, Findings, Row, Side
from facedown.simulate.i18n import _
from facedown.simulate.result_files import write_file_atomically

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Colours of the plots: accent (unless the game has its own), text, the first of two rule sets, and axes.
ACCENT, INK, GREY, EDGE = "#6B4A1E", "#251D16", "#BDB6AB", "#857867"
#: Colours of the segments in the bar of variance shares: each segment shows how much of the variance of results is due
#: to one cause. The segment of the bots has the accent colour instead.
SHADES = [GREY, "#D8D1C6", "#E7E2D9", "#F0ECE5"]
#: Resolution of a PNG in dots per inch, and width of a plot in inches.
DOTS, WIDTH = 200, 6.4
#: Settings of Matplotlib. Text in SVG files stays text, plots have no frame except the lower axis, and the ids in SVG
#: files are the same in every run.
STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "facedown",
    "font.size": 9.0,
    "figure.titlesize": 10,
    "axes.titlesize": 10,
    "axes.spines.left": False,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "legend.frameon": False,
    "text.color": INK,
}
FORMATS: dict[str, dict[str, Any]] = {"png": {"Software": None}, "svg": {"Date": None, "Creator": None}}


class NoPlots(RuntimeError):
    """Error: Matplotlib is missing. The text says what to install."""


def save_plots(findings: Findings, folder: str | os.PathLike[str]) -> list[Path]:
    """Draw all plots into a folder, which is created if it is missing, and return the paths of the files.

    The plots are:

    * ``figures``: the statistics of the report's first table.
    * ``length-…``: the length of matches, one plot for each unit (decisions, rounds).
    * ``seats``: first places by seat.
    * ``luck``: the variance shares, that is how much of the variance of results is due to each cause.

    A plot is left out if its data were not measured. Raise `NoPlots` if Matplotlib is not installed, `OSError` if a
    file cannot be written.
    """
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError:
        raise NoPlots(_('Matplotlib is not installed: pip install "facedown[lab]"')) from None
    goal = Path(folder)
    goal.mkdir(parents=True, exist_ok=True)
    written = []
    with mpl.rc_context(STYLE):
        for name, height, draw in _plot_definitions(findings):
            figure = Figure(figsize=(WIDTH, height), layout="constrained")
            draw(figure)
            for form, metadata in FORMATS.items():
                drawn = io.BytesIO()
                figure.savefig(drawn, format=form, dpi=DOTS, metadata=metadata)
                written.append(goal / f"{name}.{form}")
                write_file_atomically(written[-1], drawn.getvalue())
    return written


def _plot_definitions(findings: Findings) -> Iterator[tuple[str, float, Callable[[Figure], None]]]:
    """Yield the name, the height in inches and the drawing function of each plot."""
    colours = art(findings.game).colours if findings.game in catalogue() else {}
    value = colours.get("accent", ACCENT)
    accent = value if isinstance(value, str) else value[0]
    sides, rows = findings.sides, findings_text.main_rows(findings)
    if rows:
        yield "figures", 0.6 + 0.5 * len(rows), partial(_draw_statistic_rows, rows=rows, accent=accent)
    for length in findings.a.select_by_key("length."):
        both = plot_geometry.align_histograms(
            [side.histograms[length.key] for side in sides if length.key in side.histograms]
        )
        yield (
            length.key.replace(".", "-"),
            2.6,
            partial(_draw_length_histograms, both=both, title=length.label, accent=accent),
        )
    if findings.a.select_by_key("seat."):
        yield "seats", 1.2 + 0.3 * findings.places, partial(_draw_first_places_by_seat, sides=sides, accent=accent)
    if any(side.select_by_key("luck.") for side in sides):
        yield "luck", 0.9 + 0.5 * len(sides), partial(_draw_variance_shares, sides=sides, accent=accent)


def _draw_statistic_rows(figure: Figure, rows: Sequence[Row], accent: str) -> None:
    """Draw one row per statistic. Each row has its own axis, because statistics have different units."""
    for axes, row in zip(figure.subplots(len(rows), 1, squeeze=False)[:, 0], rows, strict=True):
        unit, found, scale = row.a.unit, row.difference or row.a.value, plot_geometry.scale_of(row)
        marks = [findings_text.display_value(unit, value) for value in scale.labelled_values]
        axes.axvline(marks[0] if scale.middle is None else marks[1], color=EDGE, linewidth=0.8)
        _draw_estimate(axes, unit, found, 0.0, row.is_significant, accent)
        said = (
            findings_text.format_mean_without_interval(unit, found)
            if row.difference is None
            else findings_text.format_difference_without_interval(unit, found)
        )
        axes.set_ylabel(row.a.label, rotation=0, ha="right", va="center")
        axes.text(1.02, 0.5, said, transform=axes.transAxes, va="center", fontweight="bold")
        reach = (marks[-1] - marks[0]) / 20
        axes.set(ylim=(-1, 1), yticks=[], xlim=(marks[0] - reach, marks[-1] + reach))
        axes.set_xticks(marks, [scale.value_text(value) for value in scale.labelled_values])
        axes.tick_params(axis="x", labelsize=7, colors=EDGE)
    figure.suptitle(_("Results") if rows[0].difference is None else _("B minus A, on the same deals"))


def _draw_estimate(axes: Axes, unit: str, found: Estimate, at: float, told: bool, accent: str) -> None:
    """Draw an estimate at the height `at`: a dot for the mean and a bar for the interval.

    The dot is filled and has the accent colour if the estimate is significant (`told`); otherwise it is hollow.
    """
    mean, low, high = (findings_text.display_value(unit, value) for value in (found.mean, found.low, found.high))
    if not math.isfinite(mean):
        return
    colour = accent if told else INK
    reach = [[mean - low], [high - mean]] if math.isfinite(low) and math.isfinite(high) else None
    axes.errorbar(
        [mean], [at], xerr=reach, fmt="o", color=colour, markerfacecolor=colour if told else "white", capsize=3.5
    )


def _draw_first_places_by_seat(figure: Figure, sides: Sequence[Side], accent: str) -> None:
    every = figure.subplots(1, len(sides), squeeze=False, sharex=True)[0]
    for axes, side, letter in zip(every, sides, "AB", strict=False):
        seats = side.select_by_key("seat.", ".first")
        axes.axvline(100 * (seats[0].even or 0.0), color=EDGE, linewidth=0.8)
        for seat in seats:
            _draw_estimate(axes, SHARE, seat.value, float(seat.seat_or_bot_number), seat.is_significant, accent)
        axes.set_yticks(range(len(seats)), [findings_text.seat_ordinal_word(seat.seat_or_bot_number) for seat in seats])
        title = letter if len(sides) > 1 else _("Which seat wins")
        axes.set(ylim=(len(seats) - 0.5, -0.5), xlabel=_("first places, per cent"), title=title)


def _draw_length_histograms(figure: Figure, both: plot_geometry.AlignedHistograms, title: str, accent: str) -> None:
    axes = figure.subplots()
    series = len(both.shares)
    looks = [(GREY, EDGE), (accent, accent)][-series:]
    wide = 0.9 * both.width / series
    for number, (shares, (fill, line)) in enumerate(zip(both.shares, looks, strict=True)):
        left = both.start - 0.5 + 0.05 * both.width + number * wide
        lefts, heights = [left + bar * both.width for bar in range(len(shares))], [100 * share for share in shares]
        axes.bar(lefts, heights, wide, align="edge", color=fill, edgecolor=line, linewidth=0.5, label="AB"[number])
    if series > 1:
        axes.legend()
    axes.set(xlabel=title, ylabel=_("per cent"))
    axes.spines["left"].set_visible(True)


def _draw_variance_shares(figure: Figure, sides: Sequence[Side], accent: str) -> None:
    axes = figure.subplots()
    labelled = set[str]()
    for row, side in enumerate(sides):
        figures = side.select_by_key("luck.")
        numbers = {each.key.removeprefix("luck."): number for number, each in enumerate(figures)}
        for key, left, wide, words in plot_geometry.stacked_bar_parts(figures):
            part = figures[numbers[key]]
            fill = accent if key == "bots" else SHADES[numbers[key] % len(SHADES)]
            label = None if key in labelled else part.label
            labelled.add(key)
            bar = axes.barh(row, wide, left=left, height=0.7, color=fill, edgecolor="white", label=label)
            colour = "white" if key == "bots" else INK
            axes.bar_label(
                bar,
                [words and findings_text.format_mean_without_interval(SHARE, part.value, 0)],
                label_type="center",
                color=colour,
            )
    axes.set_yticks(range(len(sides)), list("AB") if len(sides) > 1 else [""])
    axes.set(ylim=(len(sides) - 0.5, -0.5), xlabel=_("per cent of the variance"))
    axes.legend(ncols=2, loc="lower center", bbox_to_anchor=(0.5, 1.0))
