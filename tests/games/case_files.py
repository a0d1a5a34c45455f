"""Cases in files next to a game's tests: tables with one case per line, and worked cases."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from facedown.core.match import Match
from facedown.core.table import Sitter
from tests.games.touch_paths import step_after_touches, touch_paths_of
from tests.not_none import given


@cache
def _tables(game: str) -> dict[str, list[list[Any]]]:
    text = (Path(__file__).parent / game / "cases.json").read_text(encoding="utf-8")
    return dict(json.loads(text))


def cases(game: str, table: str) -> list[list[Any]]:
    """Return the rows of a table of ``GAME/cases.json``, for `pytest.mark.parametrize`."""
    return _tables(game)[table]


def worked_cases(game: str, file: str = "worked_cases.toml") -> dict[str, Any]:
    """Return the cases of a file in the folder of a game's tests, by title."""
    return tomllib.loads((Path(__file__).parent / game / file).read_text(encoding="utf-8"))


def step_facts(match: Match, sitters: Sequence[Sitter], wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts named in `wanted` about the step of a `viewer` (0) after some `touches`, in the same form.

    About the step: `prompt`, `help`, `picks`, `touched` (touches on offer), `paths` (number of ways through it),
    `reasons` (all refusal reasons), `refusals` (the reasons of some places). About a touch on offer: `button`, `says`,
    `refuses`, and `action` in words.
    """
    step = step_after_touches(
        match.table(wanted.get("viewer", 0), sitters[: match.seats]).step, *wanted.get("touches", ())
    )
    choices = {choice.touch: choice for choice in step.choices}
    refusals = dict(step.refusals)
    found: dict[str, Any] = {}
    for name, value in wanted.items():
        match name:
            case "viewer" | "touches":
                found[name] = value
            case "touched":
                found[name] = list(choices)
            case "paths":
                found[name] = len(touch_paths_of(step))
            case "reasons":
                found[name] = sorted(set(refusals.values()))
            case "refusals":
                found[name] = {place: refusals.get(place) for place in value}
            case "action":
                found[name] = {touch: match.game.words.words(given(choices[touch].action)) for touch in value}
            case "button" | "says" | "refuses":
                found[name] = {touch: getattr(choices[touch], name) for touch in value}
            case _:
                found[name] = getattr(step, name)
    return found
