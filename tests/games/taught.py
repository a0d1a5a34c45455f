"""A game's first lesson, as its tests read it."""

from __future__ import annotations

from facedown.core.language import speaking
from facedown.core.table import Piece, Step
from facedown.play.lessons import Lesson, lesson


def learn(game: str, code: str) -> Lesson:
    """The lesson of a game in a language."""
    with speaking(code):
        found = lesson(game)
    assert found is not None
    return found


def pieces(found: Lesson, at: int) -> dict[str, Piece]:
    """What lies where at a step."""
    return {piece.place: piece for zone in found.table(at).zones for piece in zone.pieces}


def open_to(step: Step) -> set[str]:
    """What may be touched at a step: what the lesson asks for, and what makes its move in another order."""
    return {choice.touch for choice in step.choices if not choice.refuses}
