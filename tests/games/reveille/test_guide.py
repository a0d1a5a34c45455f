"""Reveille's guide: its figures are positions of real matches, and every prompt leads to a section of it."""

from __future__ import annotations

import random
import re
from pathlib import Path

import facedown.games.reveille as package
from facedown.check.driver import SITTERS
from facedown.core.match import Match
from facedown.core.state import SPECTATOR
from facedown.play.guide_figures import figures_in, match_of

GUIDE = Path(package.__file__).with_name("guide.md").read_text(encoding="utf-8")
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
