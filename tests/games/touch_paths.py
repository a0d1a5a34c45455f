"""The touches that a step offers, as the tests of the games follow them."""

from __future__ import annotations

from facedown.core.table import Choice, TouchStep
from tests.not_none import given


def paths(step: TouchStep, prefix: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], Choice]]:
    """Every complete path of touches of a step with its last choice, in the order of the step."""
    found = []
    for choice in step.choices:
        path = (*prefix, choice.touch)
        found += paths(choice.then, path) if choice.then else [(path, choice)] if choice.action is not None else []
    return found


def button(step: TouchStep, touch: str) -> Choice:
    """The choice of a step that this touch makes."""
    return next(choice for choice in step.choices if choice.touch == touch)


def follow(step: TouchStep, *touches: str) -> TouchStep:
    """The step after some touches."""
    for touch in touches:
        step = given(button(step, touch).then)
    return step
