"""Lessons in the terminal: typed in every language."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from facedown.core.game_registry import catalogue, game
from facedown.core.translation import languages, use_language
from facedown.play.lessons import Lesson, lesson
from facedown.terminal.lessons import LessonState, run
from facedown.terminal.match_ui import Screen
from facedown.terminal.text_blocks import replace_touch_verb
from tests.not_none import given


def output_of_typing(found: Lesson, *typed: str) -> list[str]:
    """Return all output while these lines are typed."""
    lines: Iterator[str] = iter(typed)
    said: list[str] = []
    assert run(found, Screen(lambda prompt: next(lines), said.append)) == 0
    assert next(lines, None) is None, "the lesson has ended too soon"
    return said


@pytest.mark.parametrize("code", list(languages()))
@pytest.mark.parametrize("name", list(catalogue()))
def test_lesson_texts_in_the_terminal_say_what_to_type_and_never_contain_the_verb_touch(name: str, code: str) -> None:
    """Each step is typed as its text says, touch by touch, after each of its refusals was read."""
    with use_language(code):
        found = given(lesson(name))
        said: list[str] = []
        texts = []
        for at in range(len(found.steps)):
            lecture = LessonState(found)
            lecture.go_to_step(at)
            texts += [line for _, line in lecture.table().step.refusals]
        typing = re.compile(r"(?:You can type|Du kannst eingeben): ([^,.]+)")

        def ask(prompt: str) -> str:
            assert len(said) < 300, "the lesson does not take what it asks for"
            offered = [typing.match(line) for line in said if typing.match(line)]
            first = offered[-1][1] if offered and offered[-1] else ""
            return "" if first == "Enter" else first

        assert run(found, Screen(ask, said.append)) == 0
        assert len([line for line in said if line.startswith("✓ ")]) == len(found.learnt)
        touching = re.compile(r"\b(?:touch|berühr)", re.IGNORECASE)
        assert not [line for line in said if touching.search(line)]
        assert not [line for line in texts if touching.search(replace_touch_verb(line))]


@pytest.mark.parametrize("code", list(languages()))
@pytest.mark.parametrize("name", list(catalogue()))
def test_every_lesson_can_be_completed_by_typing_its_moves(name: str, code: str) -> None:
    with use_language(code):
        found = given(lesson(name))
        said = output_of_typing(found, *(game(name).words.words(step.action) for step in found.steps), "")
        for step in found.steps:
            assert any(replace_touch_verb(step.says) in line for line in said)
        assert [line for line in said if line.startswith("✓ ")] == [f"✓ {line}" for line in found.learnt]
