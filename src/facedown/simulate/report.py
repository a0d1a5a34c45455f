"""Report of an experiment: a single self-contained HTML file in the current language.

The page has no scripts and loads nothing. Styles, plots, and the findings (as JSON that readers can save) are embedded.
It follows the light or dark theme of the reader's system and can be printed.

Its template is ``templates/report.html``. `simulate.findings_text` supplies its texts, and `simulate.plot_geometry` the
geometry of its plots.
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
from facedown.core.translation import decimal, language
from facedown.simulate import findings_text, plot_geometry
from facedown.simulate.findings import LUCK, SHARE, Figure, Findings, Row
from facedown.simulate.i18n import N_, _, n_
from facedown.simulate.result_files import write_file_atomically

#: Colours for a game that has none of its own: one value, or a pair of values for the light and the dark theme.
DEFAULT_COLOURS: dict[str, Colour] = {"accent": ("#6B4A1E", "#E8B95F"), "lid": "#6B4A1E", "lid2": "#573B16"}


def html(findings: Findings) -> str:
    """Return the report as an HTML page in the current language."""
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
            size=_format_byte_count(len(data)),
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
        _=_,
        n_=n_,
        saying=findings_text,
        charts=plot_geometry,
        decimal=decimal,
        row_cell_texts=row_cell_texts,
        share=SHARE,
    )
    return found


def _game_style(game: str) -> dict[str, Any]:
    """Return the emblem and the colours of a game, for use in the report's template.

    The result is a dictionary with three keys:

    * "emblem": the emblem of the game as SVG markup;
    * "light", "dark": the colours for the light and the dark theme, as declarations of CSS variables.

    A colour that the game does not define is replaced by its default in `DEFAULT_COLOURS`. If the game is not installed
    here, the emblem and all colours are defaults.
    """
    found = art(game) if game in catalogue() else Art(game)
    pairs = {name: found.colours.get(name, usual) for name, usual in DEFAULT_COLOURS.items()}
    light, dark = (
        Markup("".join(f"--{name}:{pair if isinstance(pair, str) else pair[theme]};" for name, pair in pairs.items()))
        for theme in (0, 1)
    )
    return {"emblem": Markup(found.emblem), "light": light, "dark": dark}


def _format_byte_count(count: int) -> str:
    """Format a number of bytes in kB or MB."""
    if count < 1_000_000:
        return _("{size} kB", size=decimal(max(1, round(count / 1000)), 0))
    return _("{size} MB", size=decimal(count / 1_000_000, 1))


def row_cell_texts(row: Row) -> dict[str, str]:
    """Return the texts of a row of the report's table: means, intervals, difference, label, and summary of the plot.

    The keys are the names of the texts in the template. Without a second rule set, the texts about it are empty.
    """
    figures = [each for each in (row.a, row.b) if each is not None]
    unit, behind = row.a.unit, max(findings_text.decimal_places(each.unit, each.value) for each in figures)
    found = dict.fromkeys(("a", "a_span", "b", "b_span", "change", "change_span"), "")
    # The labels of the group `LUCK` start in lower case, because a chart shows them too. In the table they get a
    # capital.
    found["label"] = capital(row.a.label) if row.a.group == LUCK else row.a.label
    for letter, each in zip("ab", figures, strict=False):
        found[letter] = findings_text.format_mean_without_interval(each.unit, each.value, behind)
        found[f"{letter}_span"] = findings_text.format_interval(each.unit, each.value)
    if row.difference is None:
        mean = findings_text.format_mean_without_interval(unit, row.a.value)
        found["says"] = f"{mean}, {found['a_span']}. {findings_text.row_remark(row)}".strip()
    else:
        found["change"] = findings_text.format_difference_without_interval(unit, row.difference)
        found["change_span"] = findings_text.format_interval(unit, row.difference, sign=True)
        said = _("B minus A: {mean}, {span}.", mean=found["change"], span=found["change_span"])
        found["says"] = f"{said} {findings_text.row_remark(row)}"
    return found


def _length_charts(
    findings: Findings,
) -> Sequence[tuple[Figure, plot_geometry.AlignedHistograms, list[tuple[str, str]]]]:
    """Return the data of the charts of match length, one for each unit in which it is measured (decisions, rounds).

    The data are the statistic, the histograms, and the legend as pairs (CSS class, text). A chart with fewer than two
    bars is left out.
    """
    found = []
    for length in findings.a.select_by_key("length."):
        counted = [side.histograms[length.key] for side in findings.sides if length.key in side.histograms]
        both = plot_geometry.align_histograms(counted)
        if len(both.shares[0]) < 2:
            continue
        legend = []
        for kind, histogram, beyond in zip("ab" if len(counted) > 1 else "b", counted, both.beyond, strict=True):
            told = N_("{letter}, median {median}") if len(counted) > 1 else N_("median {median}")
            words = _(told, letter=kind.upper(), median=decimal(round(histogram.median)))
            if beyond:
                percent = findings_text.format_number(100 * beyond, 1)
                words += "; " + _("{share} % are above {number}", share=percent, number=both.largest_covered_number)
            legend.append((kind, words))
        found.append((length, both, legend))
    return found


# --- file output ------------------------------------------------------------------------------------------------------


def write_html_report(findings: Findings, path: str | os.PathLike[str]) -> None:
    """Write the report to `path` atomically: an existing file stays unchanged until the new one is complete.

    Raises `OSError` if it cannot be written.
    """
    write_file_atomically(Path(path), html(findings).encode())
