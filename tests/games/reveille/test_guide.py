"""Reveille's guide: its figures are positions of real matches, and every prompt leads to a section of it."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

import facedown.games.reveille as package
from facedown.check.driver import SITTERS
from facedown.core.match import Match
from facedown.core.state import SPECTATOR
from facedown.play.guide_figures import figures_in, match_of
from facedown.server.look.guide import guide_html

GUIDE = Path(package.__file__).with_name("guide.md").read_text(encoding="utf-8")
GUIDE_DE = Path(package.__file__).with_name("guide.de.md")
RULES = Path(__file__).resolve().parents[3] / "docs" / "rules"
ANCHORS = set(re.findall(r"\{#([a-z-]+)\}", GUIDE))


def test_figures_are_positions_that_can_be_reached() -> None:
    figures = figures_in("reveille", GUIDE)
    assert len(figures) == 3
    phases = set()
    for figure in figures:
        m = match_of(figure)
        assert m.acting == [figure.viewer], "the figure shows the viewer's turn"
        phases.add(m.table(figure.viewer, SITTERS[:2]).phase)
    assert phases == {"stage one", "auction", "stage two"}


def test_every_prompt_names_a_section_of_the_guide() -> None:
    rnd = random.Random(7)
    seen = set()
    for n in range(6):
        m = Match("reveille", 2, {"boneyard_pick": ("auto", "index")[n % 2]}, seed=rnd.randbytes(32))
        while not m.over and m.ply < 200:
            for viewer in (0, 1, SPECTATOR):
                rule = m.table(viewer, SITTERS[:2]).step.rule
                assert rule in ANCHORS
                seen.add(rule)
            m.play(m.acting[0], rnd.choice(m.legal(m.acting[0])))
    assert {"stage-one", "auction", "naming", "stage-two", "score"} <= seen


def test_the_german_guide_shows_the_same() -> None:
    german = GUIDE_DE.read_text(encoding="utf-8")
    assert guide_html(german).anchors == guide_html(GUIDE).anchors
    figures = zip(figures_in("reveille", GUIDE), figures_in("reveille", german), strict=True)
    for one, other in figures:
        assert one.caption != other.caption
        assert replace(one, caption="") == replace(other, caption="")


def test_a_summary_stands_right_below_the_title() -> None:
    for text in (GUIDE, GUIDE_DE.read_text(encoding="utf-8")):
        assert guide_html(text).contents[0][0] == "in-short"
        (short,) = re.findall(r"^## [^\n]+\{#in-short\}\n(.*?)^## ", text, re.MULTILINE | re.DOTALL)
        assert 3 <= len(re.findall(r"^\* ", short, re.MULTILINE)) <= 5


def test_the_german_rules_have_the_same_places_and_rulings() -> None:
    english, german = (
        guide_html((RULES / name).read_text(encoding="utf-8")) for name in ("reveille.md", "de/reveille.md")
    )
    assert german.anchors == english.anchors
    assert {"rvl-1", "rvl-20", "3-11-notation"} <= german.anchors
