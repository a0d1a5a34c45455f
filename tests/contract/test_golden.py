"""Every registered game has golden playthroughs, and they come out to the letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from facedown.check.driver import GAMES
from facedown.check.golden import matches, playthrough

FOLDER = Path(__file__).resolve().parents[1] / "golden"
TITLES = [(name, title) for name in GAMES for title in matches(name)]


@pytest.mark.parametrize(("name", "title"), TITLES)
def test_the_playthrough_is_the_one_on_file(name: str, title: str) -> None:
    path = FOLDER / f"{title}.txt"
    assert path.exists(), f"{name} has no golden playthrough {path.name}: python -m facedown.check.golden tests/golden"
    assert playthrough(matches(name)[title]) == path.read_text(encoding="utf-8")


def test_no_golden_file_is_left_behind() -> None:
    assert {p.stem for p in FOLDER.glob("*.txt")} == {title for _, title in TITLES}
