"""Every language has what English has: guides and rules with the same places, figures and rulings."""

from __future__ import annotations

import re

import pytest

from facedown.core.game import catalogue, guide
from facedown.core.language import SOURCE, languages, speaking
from facedown.play.guide_figures import figures_in
from facedown.server import look
from tests.house.test_texts import ROOT

OTHERS = [code for code in languages() if code != SOURCE]
RULING = re.compile(r"\b[A-Z]{3}-\d+\b")


@pytest.mark.parametrize("code", OTHERS)
@pytest.mark.parametrize("game", list(catalogue()))
def test_guides_have_the_same_places_and_figures(game: str, code: str) -> None:
    source = guide(game)
    with speaking(code):
        other = guide(game)
    assert source is not None
    assert other is not None
    assert other != source, "it is translated"
    one, same = look.guide_html(source), look.guide_html(other)
    assert one.anchors == same.anchors
    assert [anchor for anchor, _ in one.contents] == [anchor for anchor, _ in same.contents]
    assert one.contents[0][0] == "in-short"
    figures = [
        [(figure.seed, figure.moves, figure.viewer, figure.deal) for figure in figures_in(game, text)]
        for text in (source, other)
    ]
    assert figures[0] == figures[1]


@pytest.mark.parametrize("code", OTHERS)
@pytest.mark.parametrize("game", list(catalogue()))
def test_rules_have_the_same_rulings_and_options(game: str, code: str) -> None:
    source = (ROOT / "docs" / "rules" / f"{game}.md").read_text(encoding="utf-8")
    other = (ROOT / "docs" / "rules" / code / f"{game}.md").read_text(encoding="utf-8")
    assert set(RULING.findall(source)) == set(RULING.findall(other))
    marked = re.compile(r"`[^`\n]+`")
    assert set(marked.findall(source)) - set(marked.findall(other)) == set(), "options and notation stay as they are"
    headings = [len(re.findall(r"^#+ ", text, re.MULTILINE)) for text in (source, other)]
    assert headings[0] == headings[1]
