"""A played first lesson in the terminal: typed, answered, gone back and forth in, in every language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from facedown.core.game import catalogue, game
from facedown.core.language import languages, speaking
from facedown.core.match import Match
from facedown.core.seeds import seed_from_text
from facedown.core.table import Sitter
from facedown.play.lessons import Lesson, lesson, read_lesson
from facedown.terminal.blocks import typed_verb
from facedown.terminal.cards import Pen
from facedown.terminal.layout import frame
from facedown.terminal.learning import Lecture, run
from facedown.terminal.screens import Screen
from facedown.terminal.spoken import table_sentences

SMALL = Path(__file__).with_name("short_lesson.toml").read_text(encoding="utf-8")


def lesson_of(name: str) -> Lesson:
    """The lesson of a game."""
    found = lesson(name)
    assert found is not None
    return found


def given(found: Lesson, *typed: str) -> list[str]:
    """All that is said while these lines are typed."""
    lines: Iterator[str] = iter(typed)
    said: list[str] = []
    assert run(found, Screen(lambda prompt: next(lines), said.append)) == 0
    assert next(lines, None) is None, "the lesson has ended too soon"
    return said


def test_what_is_asked_is_typed_and_anything_else_is_answered() -> None:
    said = given(read_lesson("detect", SMALL), "sing", "open b1 c2", "open a1 c2", "keep a1", "draw", "")
    assert said.count("That one stays down. Type “a1”.") == 2
    assert "You flipped 12 and 5, Juniper flipped 3 and 8. You start." in said
    assert "That one stays. Type “draw”." in said
    assert "✓ Two cards lie open." in said
    assert any("facedown play detect --bots beginner" in line for line in said)


def test_one_may_go_back_and_skip_and_leave(capsys: pytest.CaptureFixture[str]) -> None:
    said = given(read_lesson("detect", SMALL), "skip", "back", "open a1 c2", "skip", "")
    assert sum(line.startswith("Turn two of your cards up.") for line in said) == 2
    assert sum("You start." in line for line in said) == 2
    given(read_lesson("detect", SMALL), "q")
    assert "facedown learn detect" in capsys.readouterr().out


def test_a_number_that_would_play_something_else_is_refused() -> None:
    said = given(read_lesson("detect", SMALL), "1", "#1", "skip", "#1", "#13", "")
    assert said.count("That one stays down. Type “a1”.") == 2
    assert said.count("That one stays. Type “draw”.") == 1
    said = given(lesson_of("reveal"), "1", "2", "#6", "q")
    assert said.count("The red card fits the left column. Choose the black one. Type “2”.") == 1
    assert "Not that one. Follow the ring. Type “1”." in said


def test_a_bone_is_typed_by_its_place_and_refused_by_its_own_reason() -> None:
    said = given(lesson_of("reveille"), "4", "5", "q")
    assert "The 5·5 wins, too, but it’s worth ten, and here it would burn. Choose the 5·4. Type “5”." in said
    assert any(line.startswith("The 6·6 is yours") for line in said)


@pytest.mark.parametrize("code", list(languages()))
@pytest.mark.parametrize("name", list(catalogue()))
def test_nothing_is_touched_in_a_terminal(name: str, code: str) -> None:
    """Each step is done as it says, touch by touch, after each of its refusals was read."""
    with speaking(code):
        found = lesson_of(name)
        said: list[str] = []
        texts = []
        for at in range(len(found.steps)):
            lecture = Lecture(found)
            lecture.go(at)
            texts += [line for _, line in lecture.table().step.refusals]
        typing = re.compile(r"(?:You may type|Du kannst tippen): ([^,.]+)")

        def ask(prompt: str) -> str:
            assert len(said) < 300, "the lesson does not take what it asks for"
            offered = [typing.match(line) for line in said if typing.match(line)]
            first = offered[-1][1] if offered and offered[-1] else ""
            return "" if first == "Enter" else first

        assert run(found, Screen(ask, said.append)) == 0
        assert len([line for line in said if line.startswith("✓ ")]) == len(found.learnt)
        touching = re.compile(r"\b(?:touch|berühr)", re.IGNORECASE)
        assert not [line for line in said if touching.search(line)]
        assert not [line for line in texts if touching.search(typed_verb(line))]


def test_touches_are_typed_in_any_order() -> None:
    found = lesson_of("scout")
    said = given(found, "flip", "show 2-1", "scout left kept at 2", "hand-4 hand-2", "")
    assert not [line for line in said if line in [step.wrong for step in found.steps]]


@pytest.mark.parametrize("code", list(languages()))
@pytest.mark.parametrize("name", list(catalogue()))
def test_every_lesson_is_typed_to_its_end(name: str, code: str) -> None:
    with speaking(code):
        found = lesson_of(name)
        said = given(found, *(game(name).words.words(step.action) for step in found.steps), "")
        for step in found.steps:
            assert any(typed_verb(step.says) in line for line in said)
        assert [line for line in said if line.startswith("✓ ")] == [f"✓ {line}" for line in found.learnt]


def test_a_german_screen_is_german_to_its_last_line() -> None:
    found = lesson_of("detect")
    with speaking("de"):
        table = Lecture(found).table()
        said = [line.plain for line in frame(table, table.step, Pen(colours=False), ["open a1 c2"], 80, 24)]
    assert said[0].startswith(" Detect  Schritt 1 von 5"), "nouns keep their capitals"
    assert said[-1].split("   ")[-4:] == ["? Hilfe", "l Verlauf", "s Punkte", "q gehen"]


def test_a_question_ends_with_its_own_mark() -> None:
    with speaking("de"):
        table = Match("scout", 2, {}, seed_from_text("which way up")).table(0, [Sitter("Ada"), Sitter("Ben")])
        assert next(table_sentences(table)) == "SCOUT. Runde 1 von 2. Wie herum?"
