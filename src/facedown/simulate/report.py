"""The report of an experiment: one HTML file that needs nothing else, in the language that is spoken.

It has no script and fetches nothing: its styles, its plots and the findings themselves (as JSON, to be saved) lie in
it. It is light or dark as its reader's system is, and can be printed. ``answer`` and figures: `simulate.saying`; plots:
`simulate.charts`.
"""

from __future__ import annotations

import base64
import os
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from facedown.core.art import Art, Colour
from facedown.core.game import art, catalogue
from facedown.core.language import decimal, language
from facedown.core.voice import capital
from facedown.simulate import charts, saying
from facedown.simulate.charts import Names
from facedown.simulate.confidence import Estimate
from facedown.simulate.findings import LUCK, SHARE, Findings, Length, Option, Row, Seat, Side
from facedown.simulate.texts import _, n_

#: What a game without colours of its own has: those of the house, in a light theme and in a dark one.
HOUSE: dict[str, Colour] = {"accent": ("#6B4A1E", "#E8B95F"), "lid": "#6B4A1E", "lid2": "#573B16"}


# --- what the page is made of -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Card:
    """A rule set as a card."""

    letter: str
    title: str
    options: Sequence[Option]
    usual: bool


@dataclass(frozen=True, slots=True)
class Line:
    """A figure as a row of the page: what stands in its cells."""

    label: str
    note: str
    a: str
    a_span: str
    b: str
    b_span: str
    plot: Markup
    change: str
    change_span: str
    remark: str
    told: bool


@dataclass(frozen=True, slots=True)
class Lengths:
    """The histogram of a length: its drawing, what the bars are called, and the same as rows."""

    title: str
    plot: Markup
    legend: Sequence[tuple[str, str]]
    rows: Sequence[tuple[str, Sequence[str]]]


@dataclass(frozen=True, slots=True)
class SeatLine:
    """A seat under one or two rule sets: what it is called, and for each its share with a plot."""

    name: str
    cells: Sequence[tuple[Markup, str, str]]


@dataclass(frozen=True, slots=True)
class Luck:
    """A bar of parts, and the same as rows."""

    letter: str
    plot: Markup
    rows: Sequence[tuple[str, str, str]]


def html(findings: Findings) -> str:
    """The page, in the language that is spoken."""
    sides = [side for side in (findings.a, findings.b) if side is not None]
    names = Names()
    told, more = saying.answer(findings)
    page = _environment().get_template("report.html")
    return page.render(
        language=language(),
        game=_look(findings.game),
        where=saying.where(findings),
        question=saying.question(findings),
        told=told,
        more=more,
        running=findings.running,
        done=100 * findings.deals / max(1, findings.asked),
        so_far=_("{count} of {asked}", count=decimal(findings.deals), asked=decimal(findings.asked)),
        cards=[_card(findings, side, letter) for side, letter in zip(sides, "AB", strict=False)],
        measured=saying.measured(findings),
        paired=findings.b is not None,
        unit=findings.unit,
        lines=[_line(names, row) for row in saying.main_rows(findings)],
        lengths=[found for length in findings.a.lengths if (found := _lengths(names, length, sides)) is not None],
        seats=_seats(names, sides),
        fair=_fair(findings),
        luck=_luck(names, sides),
        no_luck=saying.no_luck(findings),
        luck_note=findings.a.texts.get("luck.note", ""),
        every=[_line(names, row, plotted=False) for row in findings.rows()],
        data=base64.b64encode(findings.json().encode()).decode(),
        size=_size(len(findings.json().encode())),
        made_by=_(
            "Made by Facedown {version}, rules version {rules}.", version=findings.package, rules=findings.version
        ),
    )


@lru_cache(maxsize=1)
def _environment() -> Environment:
    found = Environment(
        loader=PackageLoader("facedown.simulate"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    styles = resources.files("facedown.simulate") / "templates" / "report.css"
    found.globals.update({"_": _, "n_": n_, "styles": Markup(styles.read_text(encoding="utf-8"))})
    return found


def _look(game: str) -> dict[str, Any]:
    """The colours and the emblem of the game; those of the house for one that is not installed here."""
    found = art(game) if game in catalogue() else Art(game)
    both: dict[str, tuple[str, str]] = {}
    for name, usual in HOUSE.items():
        value = found.colours.get(name, usual)
        both[name] = (value, value) if isinstance(value, str) else value
    return {"emblem": Markup(found.emblem), "light": _tokens(both, 0), "dark": _tokens(both, 1)}


def _tokens(colours: dict[str, tuple[str, str]], theme: int) -> Markup:
    return Markup("".join(f"--{name}:{value[theme]};" for name, value in colours.items()))


def _size(count: int) -> str:
    """A number of bytes as people say it."""
    if count < 1_000_000:
        return _("{size} kB", size=decimal(max(1, round(count / 1000)), 0))
    return _("{size} MB", size=decimal(count / 1_000_000, 1))


def _card(findings: Findings, side: Side, letter: str) -> Card:
    title = saying.side_title(findings, side, letter)
    if findings.b is None:
        title = _("As it is") if saying.as_it_is(findings, side) else _("The rules")
    return Card(letter, title, saying.options_of(side), not side.named)


# --- rows -------------------------------------------------------------------------------------------------------------


def _line(names: Names, row: Row, *, plotted: bool = True) -> Line:
    figure, found = row.a, row.difference
    behind = max(saying.places(each.unit, each.value) for each in (row.a, row.b) if each is not None)
    return Line(
        # The parts of luck stand in a bar, too, in small letters.
        capital(figure.label) if figure.group == LUCK else figure.label,
        figure.note,
        saying.amount(figure.unit, figure.value, behind),
        saying.span(figure.unit, figure.value),
        "" if row.b is None else saying.amount(row.b.unit, row.b.value, behind),
        "" if row.b is None else saying.span(row.b.unit, row.b.value),
        _plot(names, row) if plotted else Markup(),
        "" if found is None else saying.change(figure.unit, found),
        "" if found is None else saying.span(figure.unit, found, sign=True),
        saying.remark(row),
        row.told,
    )


def _plot(names: Names, row: Row) -> Markup:
    figure = row.a
    scale = charts.scale_of(row)
    if row.difference is not None:
        says = _(
            "B minus A: {mean}, {span}.",
            mean=saying.change(figure.unit, row.difference),
            span=saying.span(figure.unit, row.difference, sign=True),
        )
        return charts.whisker(names, row.difference, scale, row.told, figure.label, f"{says} {saying.remark(row)}")
    says = f"{saying.amount(figure.unit, figure.value)}, {saying.span(figure.unit, figure.value)}."
    return charts.whisker(names, figure.value, scale, row.told, figure.label, f"{says} {saying.remark(row)}".strip())


# --- lengths, seats, luck ---------------------------------------------------------------------------------------------


def _lengths(names: Names, length: Length, sides: Sequence[Side]) -> Lengths | None:
    """A length under each rule set that has it; None where nothing was counted, or always the same."""
    found = [each for side in sides for each in side.lengths if each.key == length.key]
    both = charts.twins([each.histogram for each in found])
    if len(both.shares[0]) < 2:
        return None
    letters = "AB"[: len(found)]
    kinds = list(letters.lower()) if len(found) > 1 else ["b"]
    medians = [decimal(round(each.histogram.median)) for each in found]
    if len(found) > 1:
        middles = [
            _("{letter}, median {median}", letter=letter, median=median)
            for letter, median in zip(letters, medians, strict=True)
        ]
    else:
        middles = [_("median {median}", median=medians[0])]
    legend = [
        (kind, middle + (f"; {_far_off(both.end, share)}" if share else ""))
        for kind, middle, share in zip(kinds, middles, both.beyond, strict=True)
    ]
    rows = [
        (both.words(bar), [saying.number(100 * shares[bar], 1) for shares in both.shares])
        for bar in range(len(both.shares[0]))
    ]
    if any(both.beyond):
        rows.append((_("above {number}", number=both.end), [saying.number(100 * share, 1) for share in both.beyond]))
    says = "; ".join(words for _kind, words in legend)
    return Lengths(length.label, charts.bars(names, both, kinds, length.label, says), legend, rows)


def _far_off(end: int, share: float) -> str:
    """What no bar shows: the share of the numbers above the last one."""
    percent = saying.number(100 * share, 1)
    return _("{share} % are above {number}", share=percent, number=end)


def _seats(names: Names, sides: Sequence[Side]) -> list[SeatLine]:
    """The share of first places of each seat, on one scale for all."""
    every = [seat for side in sides for seat in side.seats]
    if not every:
        return []
    scale = charts.about(SHARE, every[0].fair, [seat.first for seat in every], signs=False)
    count = min(len(side.seats) for side in sides)
    return [
        SeatLine(saying.seat_word(place), [_seat(names, side.seats[place], scale) for side in sides])
        for place in range(count)
    ]


def _seat(names: Names, seat: Seat, scale: charts.Scale) -> tuple[Markup, str, str]:
    found: Estimate = seat.first
    said, span = saying.amount(SHARE, found), saying.span(SHARE, found)
    title = _("First places of the {seat} seat", seat=saying.seat_word(seat.seat))
    return charts.whisker(names, found, scale, found.decides(seat.fair), title, f"{said}, {span}"), said, span


def _fair(findings: Findings) -> str:
    """What would be even among the seats."""
    seats = findings.a.seats
    if not seats:
        return ""
    fair = seats[0].fair
    return saying.amount(SHARE, Estimate(fair, fair, fair), 0 if (100 * fair).is_integer() else 1)


def _luck(names: Names, sides: Sequence[Side]) -> list[Luck]:
    found = []
    for letter, side in zip("AB", sides, strict=False):
        if side.luck:
            title = _("Where luck sits: {letter}", letter=letter) if len(sides) > 1 else _("Where luck sits")
            rows = [
                (part.label, saying.amount(SHARE, part.share), saying.span(SHARE, part.share)) for part in side.luck
            ]
            plot = charts.shares_bar(names, side.luck, title, charts.parts_in_words(side.luck))
            found.append(Luck(letter if len(sides) > 1 else "", plot, rows))
    return found


# --- a file -----------------------------------------------------------------------------------------------------------


def write(findings: Findings, path: str | os.PathLike[str]) -> None:
    """Write the report, whole or not at all: what stands at `path` is the old one until the new one is finished.

    `OSError` when it cannot be written.
    """
    goal = Path(path)
    text = html(findings)
    handle, name = tempfile.mkstemp(prefix=f".{goal.name}-", dir=goal.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        # A temporary file is its owner's alone; a report may be read as any file that is made.
        mask = os.umask(0)
        os.umask(mask)
        Path(name).chmod(0o666 & ~mask)
        Path(name).replace(goal)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise
