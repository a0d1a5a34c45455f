"""What a position is worth to each seat: where a rollout may stop, and how good the result is.

Each game has a module of its name here with two compiled functions: ``settled(s) -> bool`` (is the round decided, so
that playing on says nothing about the moves before?) and ``worth(s, out)`` (a number from 0 to 1 for each seat of a
settled state, higher is better), and, where the greedy bot is too slow for millions of rollouts, a third one,
``light(s, seat, q)``: a quick, sensible move. The functions below find them by the type of the record. Where moves can
differ in name only, a plain function ``alike(view, seat, action)`` gives such moves the same key; where most of very
many moves are plainly poor, ``promising(view, seat, legal)`` leaves them out.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Sequence
from functools import cache
from types import ModuleType
from typing import Any

from facedown.bots.greedy import module_of as greedy_module
from facedown.core.generic import found_by_type, rules_of


class NoWorth(LookupError):
    """Nobody has said yet what positions of this game are worth."""


@cache
def module_of(name: str) -> ModuleType:
    """The module of a game; `NoWorth` if there is none."""
    full = f"{__name__}.{name}"
    if importlib.util.find_spec(full) is None:
        raise NoWorth(f"search cannot play {name}")
    return importlib.import_module(full)


def _of_rules(rules: ModuleType) -> ModuleType:
    return module_of(rules.__name__.split(".")[-2])


def settled(s: Any) -> bool:
    """Is the round decided?"""
    return bool(_of_rules(rules_of(s)).settled(s))


def worth(s: Any, out: Any) -> None:
    """Write what a settled state is worth to each seat, from 0 to 1."""
    _of_rules(rules_of(s)).worth(s, out)


def light(s: Any, seat: int, q: Any) -> int:
    """A quick, sensible move of a seat, for rollouts."""
    return int(_light_of(rules_of(s))(s, seat, q))


def alike(name: str, view: Any, seat: int, action: int) -> Any:
    """A key that moves share which come to the same, by what the seat knows; in most games every move has its own."""
    found = getattr(module_of(name), "alike", None)
    return action if found is None else found(view, seat, action)


def promising(name: str, view: Any, seat: int, legal: Sequence[int]) -> list[int]:
    """The moves that are worth a thought, by what the seat knows; in most games all."""
    found = getattr(module_of(name), "promising", None)
    return list(legal) if found is None else list(found(view, seat, legal))


def _light_of(rules: ModuleType) -> Any:
    found = getattr(_of_rules(rules), "light", None)
    return greedy_module(rules.__name__.split(".")[-2]).greedy if found is None else found


found_by_type(settled, lambda rules: _of_rules(rules).settled)
found_by_type(worth, lambda rules: _of_rules(rules).worth)
found_by_type(light, _light_of)
