"""Golden files of every game: playthroughs, and transcripts of its lesson."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from facedown.check.golden_playthroughs import golden_matches, play_randomly_and_transcribe
from facedown.core.game_registry import catalogue
from facedown.play.lessons import has_lesson, lesson, read_lesson
from tests.every_game.lesson_transcripts import lesson_transcript
from tests.not_none import given

TESTS = Path(__file__).resolve().parents[1]
FOLDER = TESTS / "golden"
SMALL = TESTS / "server" / "small_lesson.toml"


def playthrough(name: str, title: str) -> str:
    return play_randomly_and_transcribe(golden_matches(name)[title])


def transcript_of(name: str) -> str:
    return lesson_transcript(given(lesson(name)))


#: Files of the golden folder, and functions that return their expected content.
FILES: dict[str, Callable[[], str]] = {
    **{f"{title}.txt": partial(playthrough, name, title) for name in catalogue() for title in golden_matches(name)},
    **{f"lessons/{name}.txt": partial(transcript_of, name) for name in catalogue() if has_lesson(name)},
}


@pytest.mark.parametrize("file", FILES)
def test_playthroughs_and_lesson_transcripts_equal_their_golden_files(file: str) -> None:
    path = FOLDER / file
    lessons = file.startswith("lessons")
    program = (
        "tests.every_game.lesson_transcripts tests/golden/lessons"
        if lessons
        else "facedown.check.golden_playthroughs tests/golden"
    )
    assert path.exists(), f"there is no golden file {file}: python -m {program}"
    assert FILES[file]() == path.read_text(encoding="utf-8")


def test_every_golden_file_belongs_to_a_game() -> None:
    assert {path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.txt")} == set(FILES)


def test_a_lesson_transcript_has_prompt_reason_and_touches_of_each_step() -> None:
    told = lesson_transcript(read_lesson("detect", SMALL.read_text(encoding="utf-8"))).splitlines()
    at = told.index("Touch the 12: the 1 takes its place. A low sum wins. This makes yours eleven less.")
    assert told[at - 1] == "[step 2 of 3]"
    assert told[at + 1] == "  > 12, row 1, column 1"
    assert "    Juniper drew and discarded a 7, then flipped a 4." in told
    assert told[-6:] == [
        "[finished]",
        "Juniper drew a card.",
        "You know enough. Play with Juniper or read the full rules.",
        "Two cards lie open. The rest nobody knows, not even you.",
        "A low sum wins; unseen cards are worth about 5.",
        "What you throw turns one of your cards up.",
    ]
