"""First lessons of all games: complete translations, and an answer to every wrong touch."""

from __future__ import annotations

import re

import pytest

from facedown.core.game_registry import catalogue
from facedown.core.translation import languages
from tests.games.lesson_reader import accepted_touches, lesson_texts, load_lesson, unanswered_places

GAMES = list(catalogue())


def numbers_in(text: str) -> list[str]:
    """Return the numbers in a sentence that are written in digits."""
    return sorted(re.findall(r"−?\d+\b", text))


@pytest.mark.parametrize("game", GAMES)
def test_translated_lessons_differ_from_the_english_text_and_keep_its_numbers(game: str) -> None:
    for said, translated in zip(
        lesson_texts(load_lesson(game, "en")), lesson_texts(load_lesson(game, "de")), strict=True
    ):
        assert said != translated
        assert numbers_in(said) == numbers_in(translated), (said, translated)


@pytest.mark.parametrize("code", list(languages()))
@pytest.mark.parametrize("game", GAMES)
def test_lessons_answer_every_wrong_touch_with_a_reason(game: str, code: str) -> None:
    found = load_lesson(game, code)
    assert not unanswered_places(found)
    for at in range(len(found.steps)):
        step = found.table(at).step
        assert not accepted_touches(step) & set(dict(step.refusals))
