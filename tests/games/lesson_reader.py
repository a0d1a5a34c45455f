"""Access to a game's first lesson for its tests."""

from __future__ import annotations

from facedown.core.table import Choice, Piece, TouchStep
from facedown.core.translation import use_language
from facedown.play.lessons import Lesson, lesson
from tests.not_none import given


def load_lesson(game: str, code: str) -> Lesson:
    """Return the lesson of a game in a language."""
    with use_language(code):
        return given(lesson(game))


def pieces_by_place(found: Lesson, at: int) -> dict[str, Piece]:
    """Return the pieces at a step by place."""
    return {piece.place: piece for zone in found.table(at).zones for piece in zone.pieces}


def lesson_touches(step: TouchStep | None) -> list[tuple[Choice, TouchStep]]:
    """Return the touches that a step of a lesson asks for, in order, each with the step in which it is made."""
    found: list[tuple[Choice, TouchStep]] = []
    while step is not None:
        found.append((next(choice for choice in step.choices if not choice.refuses), step))
        step = found[-1][0].then
    return found


def accepted_touches(step: TouchStep) -> set[str]:
    """Return the touches accepted at a step: the one asked for, and those that make its move in another order."""
    return {choice.touch for choice in step.choices if not choice.refuses}


def lesson_texts(found: Lesson) -> list[str]:
    """Return all texts of a lesson, in an order that is the same in every language."""
    steps = [(step.name, step.says, step.why, step.wrong, *step.then) for step in found.steps]
    touches = [step.touches[touch] for step in found.steps for touch in sorted(step.touches)]
    return [*(text for step in steps for text in step if text), *touches, *found.learnt, found.aim, found.end]


def unanswered_places(found: Lesson, places: tuple[str, ...] = ("",)) -> set[tuple[int, str]]:
    """Return the (step, place) pairs without an answer, for places with one of these prefixes.

    Such a place is neither accepted at the step nor refused with a sentence.
    """
    silent = set()
    for at in range(len(found.steps)):
        step, answers = found.table(at).step, dict(found.table(at).step.refusals)
        there = {place for place, piece in pieces_by_place(found, at).items() if piece.kind != "gone"}
        asked = {place for place in there if place.startswith(places)} - accepted_touches(step)
        silent |= {(at, place) for place in asked | set(answers) if not answers.get(place, "").endswith((".", "!"))}
    return silent
