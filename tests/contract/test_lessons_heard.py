"""What is heard of each lesson by somebody who does not see it comes out to the letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from facedown.check.taught import heard
from facedown.core.game import catalogue
from facedown.play.lessons import has_lesson, lesson, read_lesson

FOLDER = Path(__file__).resolve().parents[1] / "golden" / "lessons"
AGAIN = "python -m facedown.check.taught tests/golden/lessons"
SMALL = Path(__file__).resolve().parents[1] / "server" / "small_lesson.toml"
TAUGHT = [name for name in catalogue() if has_lesson(name)]


@pytest.mark.parametrize("name", TAUGHT)
def test_a_lesson_is_heard_to_the_letter(name: str) -> None:
    path, found = FOLDER / f"{name}.txt", lesson(name)
    assert found is not None
    assert path.exists(), f"{name} has no {path.name}: {AGAIN}"
    assert heard(found) == path.read_text(encoding="utf-8")


def test_no_lesson_that_is_gone_is_left_behind() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.txt")) == sorted(TAUGHT)


def test_each_step_is_told_with_its_reason_and_its_touches() -> None:
    told = heard(read_lesson("detect", SMALL.read_text(encoding="utf-8"))).splitlines()
    at = told.index("Touch the 12: the 1 takes its place. A low sum wins. This makes yours eleven less.")
    assert told[at - 1] == "[step 2 of 3]"
    assert told[at + 1] == "  > 12, row 1, column 1"
    assert "    Juniper drew and discarded a 7, then flipped a 4." in told
    assert told[-6:] == [
        "[finished]",
        "Juniper drew a card.",
        "You know enough. Play Juniper, or read the rest.",
        "Two cards lie open. The rest nobody knows, not even you.",
        "A low sum wins; unseen cards are worth about 5.",
        "What you throw turns one of your cards up.",
    ]
