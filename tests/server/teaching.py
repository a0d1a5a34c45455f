"""A server that has one lesson, which is read from a text: so tests do not depend on how a room tells its own."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from facedown.core.language import cached_in_language
from facedown.play import lessons
from facedown.play.lessons import Lesson, read_lesson
from facedown.server.http import home, learning
from tests.server.serving import Server, serving

GAME = "detect"
SMALL = Path(__file__).with_name("small_lesson.toml")


@cached_in_language
def small_lesson(game: str) -> Lesson | None:
    """The lesson of the one game that has one."""
    return read_lesson(game, SMALL.read_text(encoding="utf-8"), SMALL.name) if game == GAME else None


@contextlib.contextmanager
def teaching(folder: Path) -> Iterator[Server]:
    """Serve with this lesson alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lessons, "lesson", small_lesson)
        for module in (lessons, home, learning):
            patch.setattr(module, "has_lesson", lambda game: game == GAME)
        with serving(folder) as running:
            # The picture of the lesson on home waits for no rules then.
            running.within(running.rooms.preparations.warm(GAME))
            yield running
