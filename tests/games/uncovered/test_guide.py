"""The guide and the rules of Uncovered! in both languages: the same places to link to, the same figures and rulings."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

from markupsafe import Markup

from facedown.check.driver import random_match
from facedown.core.game import guide
from facedown.core.language import speaking
from facedown.core.table import Step
from facedown.games.uncovered.rules import Act
from facedown.server.look.guide import Guide, guide_html
from tests.games.uncovered.hands import SITTERS

RULES = Path(__file__).resolve().parents[3] / "docs" / "rules"


def read(code: str) -> tuple[Guide, list[dict[str, Any]]]:
    """The guide in a language, and what its figures are described by."""
    figures: list[dict[str, Any]] = []
    with speaking(code):
        text = guide("uncovered")
    assert text is not None

    def draw(described: str) -> Markup:
        """Keep a figure's description; nothing is drawn."""
        figures.append(json.loads(described))
        return Markup("")

    return guide_html(text, draw), figures


def rules_of(step: Step) -> set[str]:
    inner = (rules_of(choice.then) for choice in step.choices if choice.then is not None)
    return {step.rule} | set().union(*inner) - {""}


def test_both_guides_have_the_same_places_and_figures() -> None:
    (english, drawn), (german, drawn_in_german) = read("en"), read("de")
    assert english.anchors == german.anchors
    assert [anchor for anchor, _ in english.contents] == [anchor for anchor, _ in german.contents]
    assert english.contents[0] == ("in-short", "In short")
    assert german.contents[0] == ("in-short", "Kurz gesagt")
    captions = [{figure.pop("caption") for figure in figures} for figures in (drawn, drawn_in_german)]
    assert drawn == drawn_in_german
    assert len(drawn) == 2
    assert not captions[0] & captions[1]


def test_every_rule_that_a_step_names_has_its_place(seed: int) -> None:
    rnd = random.Random(seed)
    anchors = read("de")[0].anchors
    named = set()
    for _ in range(10):
        m = random_match("uncovered", rnd)
        while not m.over and m.ply < 6:
            named |= set().union(*(rules_of(m.table(viewer, SITTERS).step) for viewer in range(m.seats)))
            seat = m.acting[0]
            m.play(seat, rnd.choice([action for action in m.legal(seat) if action != Act.UNCOVER]))
    assert {"turn", "swap", "uncover"} <= named <= anchors


def test_the_german_rules_have_every_ruling_and_every_section() -> None:
    english = (RULES / "uncovered.md").read_text(encoding="utf-8")
    german = (RULES / "de" / "uncovered.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| (UNC-\d+)", english, re.M) == re.findall(r"^\| (UNC-\d+)", german, re.M)
    # The anchors are those that the English headings get where the page is read.
    heads = re.findall(r"^## (.+)$", english, re.M)
    anchors = [re.sub(r"[^\w -]", "", head).lower().replace(" ", "-") for head in heads]
    assert re.findall(r'^## .+ <a id="([\w-]+)"></a>$', german, re.M) == anchors
    assert set(re.findall(r"`[a-z_]+ = `\*\*`\w+`", english)) == set(re.findall(r"`[a-z_]+ = `\*\*`\w+`", german))
