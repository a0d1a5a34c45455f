"""Laws of the first lessons: a translation says everything in its own words, and every other touch is answered."""

from __future__ import annotations

import re

import pytest

from facedown.core.game_registry import catalogue
from facedown.core.language import languages
from tests.games.lesson_reader import learn, open_to, texts, unanswered

GAMES = list(catalogue())


def numbers_in(text: str) -> list[str]:
    """The numbers that a sentence says in digits."""
    return sorted(re.findall(r"−?\d+\b", text))


@pytest.mark.parametrize("game", GAMES)
def test_all_sentences_are_said_in_both_languages(game: str) -> None:
    for said, translated in zip(texts(learn(game, "en")), texts(learn(game, "de")), strict=True):
        assert said != translated
        assert numbers_in(said) == numbers_in(translated), (said, translated)


@pytest.mark.parametrize("code", list(languages()))
@pytest.mark.parametrize("game", GAMES)
def test_every_other_touch_is_answered(game: str, code: str) -> None:
    found = learn(game, code)
    assert not unanswered(found)
    for at in range(len(found.steps)):
        step = found.table(at).step
        assert not open_to(step) & set(dict(step.refusals))
