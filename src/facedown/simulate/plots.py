"""The plots of a report as files for papers and slides: PNG and SVG, drawn by Matplotlib (the extra ``lab``).

They show the same figures as the page (`simulate.report`), on white, with their scales on axes.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from facedown.core.game import art, catalogue
from facedown.simulate import charts, saying
from facedown.simulate.confidence import Estimate
from facedown.simulate.findings import SHARE, Findings, Row, Side
from facedown.simulate.texts import _

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: What it is drawn in, unless the game has an accent.
ACCENT, INK, GREY, EDGE = "#6B4A1E", "#251D16", "#BDB6AB", "#857867"
#: Dots an inch of a PNG; inches of width.
DOTS, WIDTH = 200, 6.4
#: Words that stay words, and no name or date that changes from run to run.
STYLE: dict[Any, Any] = {"svg.fonttype": "none", "svg.hashsalt": "facedown", "font.size": 9.0}
FORMATS: dict[str, dict[str, Any]] = {"png": {"Software": None}, "svg": {"Date": None, "Creator": None}}


class NoPlots(RuntimeError):
    """Plots cannot be drawn here; the text says what to install."""


def save(findings: Findings, folder: str | os.PathLike[str]) -> list[Path]:
    """Draw all plots into a folder, which is made if need be, and return their files.

    ``figures`` has the first table of the report, ``length-…`` each length, ``seats`` and ``luck`` where there are any.
    `NoPlots` where Matplotlib is not installed, `OSError` when a file cannot be written.
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
        for name, height, draw in _plots(findings):
            figure = Figure(figsize=(WIDTH, height), layout="constrained")
            draw(figure)
            for form, metadata in FORMATS.items():
                # A reader of the folder never finds half a file under its name.
                path, half = goal / f"{name}.{form}", goal / f".{name}.{form}"
                figure.savefig(half, format=form, dpi=DOTS, metadata=metadata)
                half.replace(path)
                written.append(path)
    return written


Draw = Callable[["Figure"], None]


def _plots(findings: Findings) -> Iterator[tuple[str, float, Draw]]:
    """The name, the height in inches and the drawing of each plot."""
    sides = [side for side in (findings.a, findings.b) if side is not None]
    accent = _accent(findings.game)
    rows = saying.main_rows(findings)
    if rows:
        yield "figures", 0.6 + 0.5 * len(rows), partial(_figures, rows=rows, accent=accent)
    for length in findings.a.lengths:
        found = [each.histogram for side in sides for each in side.lengths if each.key == length.key]
        both = charts.twins(found)
        yield f"length-{length.key}", 2.6, partial(_bars, both=both, title=length.label, accent=accent)
    if findings.a.seats:
        yield "seats", 1.2 + 0.3 * findings.places, partial(_seats, sides=sides, accent=accent)
    if any(side.luck for side in sides):
        yield "luck", 0.9 + 0.5 * len(sides), partial(_luck, sides=sides, accent=accent)


def _accent(game: str) -> str:
    colours = art(game).colours if game in catalogue() else {}
    value = colours.get("accent", ACCENT)
    return value if isinstance(value, str) else value[0]


def _plain(axes: Axes, *spines: str) -> None:
    """Only these edges of the frame."""
    for name, spine in axes.spines.items():
        spine.set_visible(name in spines)


# --- dots and whiskers ------------------------------------------------------------------------------------------------


def _figures(figure: Figure, rows: Sequence[Row], accent: str) -> None:
    """A row for each figure, each with an axis of its own: they are of different kinds."""
    every = figure.subplots(len(rows), 1, squeeze=False)[:, 0]
    for axes, row in zip(every, rows, strict=True):
        found = row.a.value if row.difference is None else row.difference
        scale = charts.scale_of(row)
        shown = [saying.scaled(row.a.unit, value) for value in (found.mean, found.low, found.high)]
        marks = [saying.scaled(row.a.unit, value) for value in scale.marks]
        axes.axvline(marks[0] if scale.middle is None else marks[1], color=EDGE, linewidth=0.8)
        _dot(axes, shown, 0.0, row.told, accent)
        if row.difference is not None:
            said = saying.change(row.a.unit, found)
        else:
            said = saying.amount(row.a.unit, found)
        axes.set_ylabel(row.a.label, rotation=0, ha="right", va="center")
        axes.text(1.02, 0.5, said, transform=axes.transAxes, va="center", fontweight="bold", color=INK)
        axes.set_ylim(-1, 1)
        reach = (marks[-1] - marks[0]) / 20
        axes.set_xlim(marks[0] - reach, marks[-1] + reach)
        axes.set_xticks(marks, [scale.written(value) for value in scale.marks])
        axes.set_yticks([])
        axes.tick_params(axis="x", labelsize=7, colors=EDGE)
        _plain(axes, "bottom")
    title = _("B minus A, on the same deals") if rows[0].difference is not None else _("What was found")
    figure.suptitle(title, fontsize=10, color=INK)


def _dot(axes: Axes, shown: Sequence[float], at: float, told: bool, accent: str) -> None:
    """A dot with its interval: filled where a claim is made, hollow where none is."""
    mean, low, high = shown
    if not math.isfinite(mean):
        return
    colour = accent if told else INK
    if math.isfinite(low) and math.isfinite(high):
        axes.plot([low, high], [at, at], color=colour, linewidth=1.4, marker="|", markersize=7)
    axes.plot([mean], [at], marker="o", markersize=6, color=colour, markerfacecolor=colour if told else "white")


def _seats(figure: Figure, sides: Sequence[Side], accent: str) -> None:
    for axes, side, letter in zip(
        figure.subplots(1, len(sides), squeeze=False, sharex=True)[0], sides, "AB", strict=False
    ):
        axes.axvline(100 * side.seats[0].fair, color=EDGE, linewidth=0.8)
        for seat in side.seats:
            shown = [100 * value for value in (seat.first.mean, seat.first.low, seat.first.high)]
            _dot(axes, shown, float(seat.seat), seat.first.decides(seat.fair), accent)
        axes.set_yticks(range(len(side.seats)), [saying.seat_word(seat.seat) for seat in side.seats])
        axes.set_ylim(len(side.seats) - 0.5, -0.5)
        axes.set_xlabel(_("first places, per cent"))
        axes.set_title(letter if len(sides) > 1 else _("Whose seat wins"), fontsize=10, color=INK)
        _plain(axes, "bottom")


# --- bars -------------------------------------------------------------------------------------------------------------


def _bars(figure: Figure, both: charts.Twins, title: str, accent: str) -> None:
    axes = figure.subplots()
    series = len(both.shares)
    looks = [(GREY, EDGE), (accent, accent)] if series > 1 else [(accent, accent)]
    wide = 0.9 * both.width / series
    for number, (shares, (fill, line)) in enumerate(zip(both.shares, looks, strict=True)):
        lefts = [both.start + bar * both.width - 0.5 + 0.05 * both.width + number * wide for bar in range(len(shares))]
        label = "AB"[number] if series > 1 else None
        heights = [100 * share for share in shares]
        axes.bar(lefts, heights, wide, align="edge", color=fill, edgecolor=line, linewidth=0.5, label=label)
    if series > 1:
        axes.legend(frameon=False)
    axes.set_xlabel(title)
    axes.set_ylabel(_("per cent"))
    _plain(axes, "bottom", "left")


def _luck(figure: Figure, sides: Sequence[Side], accent: str) -> None:
    axes = figure.subplots()
    shades = [GREY, "#D8D1C6", "#E7E2D9", "#F0ECE5"]
    for row, side in enumerate(sides):
        left = 0.0
        for number, part in enumerate(side.luck):
            wide = 100 * max(0.0, part.share.mean) if math.isfinite(part.share.mean) else 0.0
            fill = accent if part.key == "bots" else shades[number % len(shades)]
            label = part.label if row == 0 else None
            axes.barh(row, wide, left=left, height=0.7, color=fill, edgecolor="white", label=label)
            if wide >= charts.NARROW / 2:
                said = saying.amount(SHARE, Estimate(part.share.mean, part.share.low, part.share.high), 0)
                colour = "white" if part.key == "bots" else INK
                axes.text(left + wide / 2, row, said, ha="center", va="center", color=colour)
            left += wide
    axes.set_yticks(range(len(sides)), list("AB"[: len(sides)]) if len(sides) > 1 else [""])
    axes.set_ylim(len(sides) - 0.5, -0.5)
    axes.set_xlabel(_("per cent of the variance"))
    axes.legend(frameon=False, ncols=2, loc="lower center", bbox_to_anchor=(0.5, 1.0))
    _plain(axes, "bottom")
