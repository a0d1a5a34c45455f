"""The touches that a step offers, for tests of the games."""

from __future__ import annotations

from facedown.core.table import Choice, TouchStep
from tests.not_none import given


def touch_paths_of(step: TouchStep, prefix: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], Choice]]:
    """Return every complete path of touches of a step with its last choice, in the order of the step."""
    found = []
    for choice in step.choices:
        path = (*prefix, choice.touch)
        found += (
            touch_paths_of(choice.then, path) if choice.then else [(path, choice)] if choice.action is not None else []
        )
    return found


def choice_for_touch(step: TouchStep, touch: str) -> Choice:
    """Return the choice of a step for this touch."""
    return next(choice for choice in step.choices if choice.touch == touch)


def step_after_touches(step: TouchStep, *touches: str) -> TouchStep:
    """Return the step after some touches."""
    for touch in touches:
        step = given(choice_for_touch(step, touch).then)
    return step
