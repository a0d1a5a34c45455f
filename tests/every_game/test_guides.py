"""Guides and rules of every game: the same structure in every language, with each section that a prompt links to."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from facedown.check.game_laws import all_touch_steps
from facedown.check.random_matches import GAMES, SITTERS
from facedown.core.game_registry import guide, info
from facedown.core.match import Match
from facedown.core.state import SPECTATOR
from facedown.core.translation import SOURCE_LANGUAGE, languages, use_language
from facedown.play.guide_figures import figures_in, match_of, table_of
from facedown.server.rendering.guide_html import guide_html
from tests.every_game.test_refusal_reasons import sample_positions
from tests.project.test_translatable_texts import ROOT

OTHERS = [code for code in languages() if code != SOURCE_LANGUAGE]
RULES = ROOT / "docs" / "rules"
RULING, MARKED = re.compile(r"\b[A-Z]{3}-\d+\b"), re.compile(r"`[^`\n]+`")
SUMMARY_HEADING = {"en": "In short", "de": "Kurz gesagt"}
FIGURE_COUNTS = {"detect": 2, "reveille": 3, "uncovered": 2}
#: Sections that steps of a game link to; for Detect all of them.
STEP_SECTIONS = {
    "detect": {"opening", "turn", "take", "draw", "keep", "throw", "set", "score"},
    "reveal": {"swap", "place", "final", "scoring"},
    "reveille": {"stage-one", "auction", "naming", "stage-two", "score"},
    "uncovered": {"turn", "swap", "uncover"},
}
#: The phases that the figures of a guide show.
FIGURE_PHASES = {"reveal": {"place", "swap", "final", "scoring"}, "reveille": {"stage one", "auction", "stage two"}}


def guide_in(name: str, code: str) -> str:
    with use_language(code):
        return guide(name) or ""


def rules_in(name: str, code: str) -> str:
    folder = RULES if code == SOURCE_LANGUAGE else RULES / code
    return (folder / f"{name}.md").read_text(encoding="utf-8")


def slug(heading: str) -> str:
    """Return the anchor that a heading of the English rules gets automatically."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


@pytest.mark.parametrize("name", GAMES)
def test_every_guide_begins_with_a_summary_of_3_to_5_points(name: str) -> None:
    for code in languages():
        text = guide_in(name, code)
        assert guide_html(text).contents[0] == ("in-short", SUMMARY_HEADING[code])
        (short,) = re.findall(r"^## [^\n]+\{#in-short\}\n(.*?)^## ", text, re.MULTILINE | re.DOTALL)
        assert 3 <= len(re.findall(r"^\* ", short, re.MULTILINE)) <= 5


@pytest.mark.parametrize("code", OTHERS)
@pytest.mark.parametrize("name", GAMES)
def test_translated_guides_have_the_same_sections_and_figures(name: str, code: str) -> None:
    texts = [guide_in(name, one) for one in (SOURCE_LANGUAGE, code)]
    assert texts[0] != texts[1], "it is translated"
    one_page, other_page = map(guide_html, texts)
    assert one_page.anchors == other_page.anchors
    assert [anchor for anchor, _ in one_page.contents] == [anchor for anchor, _ in other_page.contents]
    source, other = (figures_in(name, text) for text in texts)
    assert len(source) == FIGURE_COUNTS.get(name, len(source))
    for one, same in zip(source, other, strict=True):
        assert one.caption != same.caption
        assert replace(one, caption="") == replace(same, caption="")
        assert table_of(one) == table_of(same)


@pytest.mark.parametrize("name", list(FIGURE_PHASES))
def test_guide_figures_show_each_phase_of_the_game(name: str) -> None:
    phases = set()
    for figure in figures_in(name, guide_in(name, SOURCE_LANGUAGE)):
        match = match_of(figure)
        assert name == "reveal" or match.acting == [figure.viewer], "the figure shows the viewer's turn"
        phases.add(match.table(figure.viewer, SITTERS[:2]).phase)
    assert phases == FIGURE_PHASES[name]


def positions_of(name: str, seed: int) -> Iterator[Match]:
    """Yield positions of a game; for Reveille also of whole matches."""
    yield from sample_positions(name, seed)
    if name == "reveille":
        rnd = random.Random(7)
        for pick in ("auto", "index") * 3:
            match = Match(name, 2, {"boneyard_pick": pick}, seed=rnd.randbytes(32))
            while not match.over and match.ply < 200:
                yield match
                match.play(match.acting[0], rnd.choice(match.legal(match.acting[0])))


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_guide_sections_that_prompts_link_to_exist_in_every_language(name: str, seed: int) -> None:
    named: set[str] = set()
    for match in positions_of(name, seed):
        for viewer in (*range(match.seats), SPECTATOR):
            named |= {step.rule for step in all_touch_steps(match.table(viewer, SITTERS[: match.seats]).step)}
    named -= {""}
    assert named >= STEP_SECTIONS.get(name, set())
    assert name != "detect" or named == STEP_SECTIONS[name]
    for code in languages():
        assert named <= guide_html(guide_in(name, code)).anchors


@pytest.mark.parametrize("code", OTHERS)
@pytest.mark.parametrize("name", GAMES)
def test_translated_rules_have_the_same_sections_rulings_and_options(name: str, code: str) -> None:
    source, other = rules_in(name, SOURCE_LANGUAGE), rules_in(name, code)
    anchors, marked = guide_html(source).anchors, re.findall(r'^## .+ <a id="([^"]+)"></a>$', other, re.MULTILINE)
    headings = re.findall(r"^## (.+)$", source, re.MULTILINE)
    # Headings of a translation have the English anchors: marked explicitly, or set by the page.
    if marked:
        assert marked == [slug(one) for one in headings]
    else:
        assert guide_html(other).anchors == anchors
    rulings = re.findall(r"^\| ([A-Z]{3}-\d+) ", source, re.MULTILINE)
    assert rulings == re.findall(r"^\| ([A-Z]{3}-\d+) ", other, re.MULTILINE) != []
    assert {ruling.lower() for ruling in rulings} <= anchors
    assert set(RULING.findall(source)) == set(RULING.findall(other))
    assert len(re.findall(r"^#+ ", source, re.MULTILINE)) == len(re.findall(r"^#+ ", other, re.MULTILINE))
    assert set(MARKED.findall(source)) <= set(MARKED.findall(other)), "options and notation stay as they are"
    options = re.findall(r"`([a-z_\d]+) = `", source)
    assert options == re.findall(r"`([a-z_\d]+) = `", other)
    assert set(options) <= {option.name for option in info(name).options.options}
    readings = [sorted(set(re.findall(r"`[a-z_]+ = `\*\*`\w+`", text))) for text in (source, other)]
    assert readings[0] == readings[1]
    if name == "detect":
        for pattern in (r"\*\*`(\w+)`\*\*", r"\\\| ([\w(:]+)"):
            assert re.findall(pattern, source) == re.findall(pattern, other) != []
        assert set(options) == {option.name for option in info(name).options.options}
    if name == "reveille":
        assert {"rvl-1", "rvl-20", "3-11-notation"} <= anchors
