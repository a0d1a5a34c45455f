"""The report of an experiment: one HTML file that needs nothing else, in the language that is spoken.

It has no script and fetches nothing: its styles, its plots and the findings themselves (as JSON, to be saved) lie in
it. It is light or dark as its reader's system is, and can be printed. The page is ``templates/report.html``; its words
come from `simulate.findings_text`, the geometry of its plots from `simulate.plot_geometry`.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from facedown.core.art import Art, Colour
from facedown.core.game_registry import art, catalogue
from facedown.core.grammar import capital
from facedown.core.language import decimal, language
from facedown.simulate import findings_text, plot_geometry
from facedown.simulate.findings import LUCK, SHARE, Figure, Findings, Row
from facedown.simulate.i18n import N_, _, n_
from facedown.simulate.result_files import write_file

#: What a game without colours of its own has: those of the house, in a light theme and in a dark one.
DEFAULT_COLOURS: dict[str, Colour] = {"accent": ("#6B4A1E", "#E8B95F"), "lid": "#6B4A1E", "lid2": "#573B16"}


def html(findings: Findings) -> str:
    """The page, in the language that is spoken."""
    told, more = findings_text.headline_and_note(findings)
    data = findings.json().encode()
    return (
        _environment()
        .get_template("report.html")
        .render(
            findings=findings,
            sides=list(zip("AB", findings.sides, strict=False)),
            paired=findings.b is not None,
            language=language(),
            game=_game_style(findings.game),
            told=told,
            more=more,
            lengths=list(_length_charts(findings)),
            data=base64.b64encode(data).decode(),
            size=_size(len(data)),
        )
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
    found.globals.update(
        _=_, n_=n_, saying=findings_text, charts=plot_geometry, decimal=decimal, cells=cells, share=SHARE
    )
    return found


def _game_style(game: str) -> dict[str, Any]:
    """The colours and the emblem of the game; those of the house for one that is not installed here."""
    found = art(game) if game in catalogue() else Art(game)
    pairs = {name: found.colours.get(name, usual) for name, usual in DEFAULT_COLOURS.items()}
    light, dark = (
        Markup("".join(f"--{name}:{pair if isinstance(pair, str) else pair[theme]};" for name, pair in pairs.items()))
        for theme in (0, 1)
    )
    return {"emblem": Markup(found.emblem), "light": light, "dark": dark}


def _size(count: int) -> str:
    """A number of bytes as people say it."""
    if count < 1_000_000:
        return _("{size} kB", size=decimal(max(1, round(count / 1000)), 0))
    return _("{size} MB", size=decimal(count / 1_000_000, 1))


def cells(row: Row) -> dict[str, str]:
    """The texts of a figure's row: means, intervals, the difference; empty without a second rule set."""
    figures = [each for each in (row.a, row.b) if each is not None]
    unit, behind = row.a.unit, max(findings_text.decimal_places(each.unit, each.value) for each in figures)
    found = dict.fromkeys(("a", "a_span", "b", "b_span", "change", "change_span"), "")
    # The parts of luck are labels of a bar, too, in small letters.
    found["label"] = capital(row.a.label) if row.a.group == LUCK else row.a.label
    for letter, each in zip("ab", figures, strict=False):
        found[letter] = findings_text.amount(each.unit, each.value, behind)
        found[f"{letter}_span"] = findings_text.span(each.unit, each.value)
    if row.difference is None:
        found["says"] = (
            f"{findings_text.amount(unit, row.a.value)}, {found['a_span']}. {findings_text.remark(row)}".strip()
        )
    else:
        found["change"] = findings_text.change(unit, row.difference)
        found["change_span"] = findings_text.span(unit, row.difference, sign=True)
        said = _("B minus A: {mean}, {span}.", mean=found["change"], span=found["change_span"])
        found["says"] = f"{said} {findings_text.remark(row)}"
    return found


def _length_charts(
    findings: Findings,
) -> Sequence[tuple[Figure, plot_geometry.AlignedHistograms, list[tuple[str, str]]]]:
    """Each length with its bars and their legend; without those of which nothing was counted, or always the same."""
    found = []
    for length in findings.a.select("length."):
        counted = [side.histograms[length.key] for side in findings.sides if length.key in side.histograms]
        both = plot_geometry.align_histograms(counted)
        if len(both.shares[0]) < 2:
            continue
        legend = []
        for kind, histogram, beyond in zip("ab" if len(counted) > 1 else "b", counted, both.beyond, strict=True):
            told = N_("{letter}, median {median}") if len(counted) > 1 else N_("median {median}")
            words = _(told, letter=kind.upper(), median=decimal(round(histogram.median)))
            if beyond:
                percent = findings_text.number(100 * beyond, 1)
                words += "; " + _("{share} % are above {number}", share=percent, number=both.end)
            legend.append((kind, words))
        found.append((length, both, legend))
    return found


# --- a file -----------------------------------------------------------------------------------------------------------


def write(findings: Findings, path: str | os.PathLike[str]) -> None:
    """Write the report, whole or not at all: what stands at `path` is the old one until the new one is finished.

    `OSError` when it cannot be written.
    """
    write_file(Path(path), html(findings).encode())
