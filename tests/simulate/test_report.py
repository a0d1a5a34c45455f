"""The report: it says only what was found, loads nothing, and is written completely or not at all."""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from facedown.core.translation import use_language
from facedown.simulate import findings_text, plot_geometry, report
from facedown.simulate.confidence_intervals import UNKNOWN, Estimate
from facedown.simulate.findings import SHARE, Findings, Histogram, findings_from_json
from tests.simulate.sample_findings import alone, changed, compared, made

LANGUAGES = ("en", "de")
ALL: dict[str, Callable[[], Findings]] = {
    "compared": compared,
    "nothing told": lambda: made("unclear"),
    "running": lambda: replace(compared(), deals=1200),
    "alone": alone,
    "together": lambda: made("together"),
    "unknown game": lambda: replace(compared(), game="whist", title="Whist"),
    "nothing known": lambda: replace(alone(), a=changed(alone().a, shared=UNKNOWN)),
    "no end": lambda: replace(alone(), a=changed(alone().a, shared=Estimate(0.5, -math.inf, math.inf))),
    "eight seats, one deal": lambda: replace(alone(), places=8, deals=1, asked=1, made=""),
}

Attributes = list[tuple[str, str | None]]


class Outline(HTMLParser):
    """The elements and the text of a page. Elements must be closed in their order."""

    VOID = frozenset({"meta", "link", "br", "line", "circle", "rect", "path", "use"})

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.text: list[str] = []
        self.feed(page)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: Attributes) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: Attributes) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text.append(data)

    @property
    def words(self) -> str:
        return " ".join(" ".join(self.text).split())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ALL)
def test_experiment_report_is_valid_html_and_loads_no_other_file(name: str, language: str) -> None:
    with use_language(language):
        page = report.html(ALL[name]())
    outline = Outline(page)
    assert f'<html lang="{language}">' in page
    tags = [tag for tag, _attributes in outline.elements]
    assert "script" not in tags
    addresses = [
        value
        for _tag, attributes in outline.elements
        for key, value in attributes.items()
        if key in ("src", "href", "action", "srcset", "poster", "data")
    ]
    assert addresses, "the data can be saved"
    assert all(value.startswith("data:") for value in addresses), addresses
    assert not re.search(r"url\(|@import|https?://", page)
    ids = [attributes["id"] for _tag, attributes in outline.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    for tag, attributes in outline.elements:
        if tag == "svg" and "aria-hidden" not in attributes:
            assert len(attributes["aria-label"]) > 10, "it has a name and says what it shows"
    assert not re.search(r"\b(nan|inf|None)\b", page[page.index("<main") :])


def test_headline_of_a_report_contains_no_number() -> None:
    told, more = findings_text.headline_and_note(compared())
    assert told == "B lowers “Decisions” and raises “Penalties”."
    assert more == "No seat clearly gains under B."
    for found in ALL.values():
        assert not re.search(r"\d", " ".join(findings_text.headline_and_note(found())))


def test_report_of_too_few_deals_claims_no_difference() -> None:
    findings = made("unclear")
    assert findings_text.headline_and_note(findings)[0] == "No clear difference in these deals."
    page = report.html(findings)
    rows = page[page.index("<tbody") : page.index("</tbody")]
    assert 'class="told"' not in rows
    assert rows.count('class="open"') == rows.count("<tr ")
    assert rows.count("No clear difference.") >= rows.count("<tr ")


def test_report_draws_significant_differences_as_filled_dots_and_others_as_hollow_dots() -> None:
    page = report.html(compared())
    rows = re.findall(r"<tr role=\"row\">\s*<th role=\"rowheader\".*?</tr>", page, re.DOTALL)
    by_label = {re.sub(r"<.*", "", row.split('scope="row">')[1], flags=re.DOTALL).strip(): row for row in rows}
    assert 'class="told"' in by_label["Decisions"]
    assert "Shorter under B." in by_label["Decisions"]
    assert "<b>−1.7</b><small>−1.9 to −1.5</small>" in by_label["Decisions"]
    assert 'class="told"' in by_label["Penalties"]
    assert "<b>+5.7</b><small>+4.1 to +7.3</small>" in by_label["Penalties"]
    assert 'class="open"' in by_label["Columns &lt;removed&gt; &amp; kept"]
    # The same mean is no claim if its interval includes zero.
    differences = compared().differences | {"length.decisions": Estimate(-1.7, -3.5, 0.1)}
    undecided = replace(compared(), differences=differences)
    assert not next(row for row in undecided.rows() if row.a.key == "length.decisions").is_significant


@pytest.mark.parametrize("language", LANGUAGES)
def test_remark_on_each_row_of_a_report_has_at_most_eight_words(language: str) -> None:
    with use_language(language):
        remarks = {findings_text.row_remark(row) for found in ALL.values() for row in found().rows()}
    assert len(remarks) > 5
    assert all(len(words.split()) <= 8 for words in remarks), remarks


def test_report_describes_its_method_with_deals_bots_and_seed_and_says_if_it_is_unfinished() -> None:
    line = " · ".join(findings_text.method_phrases(compared()))
    assert line == (
        "4,000 deals, the same for both rule sets · 8,000 results, one per match · bots: greedy in every seat · "
        "95 % confidence intervals · seed lab 14 · run on 12 May 2026"
    )
    running = replace(compared(), deals=1200)
    assert findings_text.method_phrases(running)[0] == "1,200 of 4,000 deals, the same for both rule sets"
    page = report.html(running)
    assert '<main class="running">' in page
    assert "1,200 of 4,000" in page
    assert "So far: B lowers" in page


def test_interval_that_excludes_zero_is_not_shown_with_an_end_rounded_to_zero() -> None:
    assert findings_text.format_interval(SHARE, Estimate(0.02, 0.0003, 0.04), sign=True) == "+0.03 to +4.00"
    assert findings_text.format_interval(SHARE, Estimate(0.02, -0.0003, 0.04), sign=True) == "0 to +4"


def test_report_describes_two_rule_sets_only_by_the_options_that_differ() -> None:
    words = Outline(report.html(compared())).words
    assert "A · standard rules ender_tie safe what safe means" in words
    assert "B · doubled ender_tie doubled what doubled means" in words
    assert "skyjo150" not in words


def test_report_is_translated_to_german() -> None:
    with use_language("de"):
        words = Outline(report.html(compared())).words
    assert "B senkt „Decisions“ und erhöht „Penalties“." in words
    assert "−1,7" in words
    assert "Was sich ändert" in words
    assert "12. Mai 2026" in words


def test_report_lists_every_computed_value_and_embeds_the_data_as_json() -> None:
    findings = compared()
    page = report.html(findings)
    found = re.search(r"data:application/json;base64,([\w+/=]+)", page)
    assert found
    assert findings_from_json(base64.b64decode(found[1]).decode()) == findings
    every = page[page.index('class="sheet every"') :]
    assert every.count('<th scope="row">') == len(findings.rows())


def test_report_escapes_html_in_question_seed_title_and_bot_names() -> None:
    hostile = replace(compared(), question="<script>alert(1)</script>", seed="</p><b>", title="<i>", bots=("<u>",) * 4)
    page = report.html(hostile)
    for piece in ("<script", "<u>", "</p><b>", "<i>, "):
        assert piece not in page
    assert "&lt;script&gt;" in page


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("alone", "The first seat wins more than its fair share."),
        ("together", "greedy wins more games than it loses."),
    ],
)
def test_headline_of_a_report_on_one_rule_set_says_who_wins_more_than_an_even_share(name: str, told: str) -> None:
    assert findings_text.headline_and_note(made(name))[0] == told


def test_histograms_with_different_bins_are_converted_to_common_bins() -> None:
    both = plot_geometry.align_histograms([Histogram(3, 1, (2, 2, 4)), Histogram(2, 2, (6, 6, 12))])
    assert (both.start, both.width) == (2, 2)
    assert both.shares == ((0.25, 0.75, 0.0), (0.25, 0.25, 0.5))
    assert [both.bar_label(bar) for bar in range(3)] == ["2–3", "4–5", "6–7"]


def test_histogram_bars_in_a_report_have_heights_proportional_to_the_values_in_its_table() -> None:
    page = report.html(compared())
    heights = [float(h) for h in re.findall(r'<rect class="a" [^>]*height="([\d.]+)"', page)]
    cells = re.findall(r'<tr><th scope="row">\d+–\d+</th><td>([\d.]+)</td>', page)
    assert len(cells) == len(heights) == 6
    assert [h / max(heights) for h in heights] == pytest.approx([float(c) / 38.2 for c in cells], abs=0.01)
    assert '<tr><th scope="row">above 15</th><td>3.6</td><td>3.6</td>' in page


def test_report_file_is_written_completely_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "one.html"
    report.write_html_report(compared(), path)
    before = path.read_text(encoding="utf-8")
    assert before == report.html(compared())
    assert path.stat().st_mode & 0o044, "others may read it, as any file that is made here"

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        report.write_html_report(alone(), path)
    assert path.read_text(encoding="utf-8") == before
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(OSError, match="No such file"):
        report.write_html_report(alone(), tmp_path / "nowhere" / "one.html")


def test_report_states_the_share_of_values_above_the_last_bar_of_a_histogram() -> None:
    page = report.html(alone())
    beyond = alone().a.histograms["length.decisions"]
    share = 100 * beyond.beyond / beyond.total
    assert f"; {share:.1f} % are above " in page
    whole = {**alone().a.histograms, "length.decisions": replace(beyond, beyond=0)}
    assert " are above " not in report.html(replace(alone(), a=replace(alone().a, histograms=whole)))


def test_report_title_says_whether_rounds_or_matches_were_simulated() -> None:
    assert (
        findings_text.report_title(replace(alone(), question="", rounds=1))
        == f"How a round of {alone().title} plays out"
    )
    assert (
        findings_text.report_title(replace(alone(), question="", rounds=0))
        == f"How a match of {alone().title} plays out"
    )
