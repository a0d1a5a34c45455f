"""Detect's guide and rules say the same in both languages: the same places, figures, rulings and options."""

from __future__ import annotations

import re
from pathlib import Path

from facedown.core.game import guide
from facedown.core.language import speaking
from facedown.core.state import SPECTATOR
from facedown.core.table import Step
from facedown.games.detect.info import INFO
from facedown.play.guide_figures import figures_in, table_of
from facedown.server.look.guide import guide_html
from tests.games.detect.test_reasons import OPTIONAL, SEVENS, SITTERS, played, scored

RULES = Path(__file__).resolve().parents[3] / "docs" / "rules"


def guide_in(code: str) -> str:
    """The guide in a language."""
    with speaking(code):
        return guide("detect") or ""


def test_both_guides_have_the_same_places_and_begin_with_a_summary() -> None:
    english, german = guide_html(guide_in("en")), guide_html(guide_in("de"))
    assert english.anchors == german.anchors
    assert [anchor for anchor, _ in english.contents] == [anchor for anchor, _ in german.contents]
    assert english.contents[0][0] == "in-short"
    assert english.body != german.body


def test_both_guides_show_the_same_positions() -> None:
    english, german = (figures_in("detect", guide_in(code)) for code in ("en", "de"))
    assert len(english) == len(german) == 2
    for one, other in zip(english, german, strict=True):
        assert table_of(one) == table_of(other)
        assert one.caption != other.caption


def test_every_rule_that_a_step_names_is_a_place_of_the_guide() -> None:
    named: set[str] = set()

    def rules_of(step: Step) -> None:
        named.add(step.rule)
        for choice in step.choices:
            if choice.then is not None:
                rules_of(choice.then)

    opened = ("open a1 c1", "open a1 a2")
    matches = [played(), played(*opened), played(*opened, "draw"), played(*SEVENS, **OPTIONAL), scored()]
    matches.append(played(*opened, initial_discard="empty"))
    for match in matches:
        for viewer in (*range(match.seats), SPECTATOR):
            rules_of(match.table(viewer, SITTERS).step)
    assert named == {"opening", "turn", "take", "draw", "keep", "throw", "set", "score"}
    for code in ("en", "de"):
        assert named <= guide_html(guide_in(code)).anchors


def test_the_rules_in_german_have_the_same_rulings_options_and_places() -> None:
    english, german = (path.read_text(encoding="utf-8") for path in (RULES / "detect.md", RULES / "de" / "detect.md"))
    assert guide_html(english).anchors == guide_html(german).anchors
    for pattern in (r"^\| (DET-\d+) ", r"`(\w+) = `", r"\*\*`(\w+)`\*\*", r"\\\| ([\w(:]+)"):
        found = re.findall(pattern, english, re.MULTILINE)
        assert found
        assert found == re.findall(pattern, german, re.MULTILINE)
    assert set(re.findall(r"`(\w+) = `", german)) == {option.name for option in INFO.options.options}
