"""A game's first lesson, as its tests read it."""

from __future__ import annotations

from facedown.core.language import use_language
from facedown.core.table import Choice, Piece, TouchStep
from facedown.play.lessons import Lesson, lesson
from tests.not_none import given


def learn(game: str, code: str) -> Lesson:
    """The lesson of a game in a language."""
    with use_language(code):
        return given(lesson(game))


def pieces(found: Lesson, at: int) -> dict[str, Piece]:
    """What lies where at a step."""
    return {piece.place: piece for zone in found.table(at).zones for piece in zone.pieces}


def asked(step: TouchStep | None) -> list[tuple[Choice, TouchStep]]:
    """The touches that a step of a lesson asks for, one after the other, each with the step where it is made."""
    found: list[tuple[Choice, TouchStep]] = []
    while step is not None:
        found.append((next(choice for choice in step.choices if not choice.refuses), step))
        step = found[-1][0].then
    return found


def open_to(step: TouchStep) -> set[str]:
    """What may be touched at a step: what the lesson asks for, and what makes its move in another order."""
    return {choice.touch for choice in step.choices if not choice.refuses}


def texts(found: Lesson) -> list[str]:
    """All that a lesson says, in an order that is the same in every language."""
    steps = [(step.name, step.says, step.why, step.wrong, *step.then) for step in found.steps]
    touches = [step.touches[touch] for step in found.steps for touch in sorted(step.touches)]
    return [*(text for step in steps for text in step if text), *touches, *found.learnt, found.aim, found.end]


def unanswered(found: Lesson, places: tuple[str, ...] = ("",)) -> set[tuple[int, str]]:
    """What lies at places that begin so and is neither open at a step nor refused with a sentence: (step, place)."""
    silent = set()
    for at in range(len(found.steps)):
        step, answers = found.table(at).step, dict(found.table(at).step.refusals)
        there = {place for place, piece in pieces(found, at).items() if piece.kind != "gone"}
        asked = {place for place in there if place.startswith(places)} - open_to(step)
        silent |= {(at, place) for place in asked | set(answers) if not answers.get(place, "").endswith((".", "!"))}
    return silent
