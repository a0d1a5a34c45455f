"""What a position is worth to each seat: where a rollout may stop, and how good the result is.

Each game brings its own (`core.bot.Evaluation`). The functions below find it by the type of the record, in compiled and
in plain Python code alike.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from facedown.bots.greedy import policy_of
from facedown.core.bot import Evaluation, as_it_stands
from facedown.core.dispatch import found_by_type, name_of
from facedown.core.game import game as load_game
from facedown.core.state import Position


class NoEvaluation(LookupError):
    """Nobody has said yet what positions of this game are worth."""


def evaluation_of(name: str) -> Evaluation[Any]:
    """What a game says of its positions; `NoEvaluation` if it says nothing."""
    found = load_game(name).evaluation
    if found is None:
        raise NoEvaluation(f"search cannot play {name}")
    return found


def round_is_terminal(s: Position) -> bool:
    """Is the round decided?"""
    return evaluation_of(name_of(s)).round_is_terminal(s)


def evaluate(s: Position, out: NDArray[np.float64]) -> None:
    """Write what a position whose round is terminal is worth to each seat into `out`, from 0 to 1."""
    evaluation_of(name_of(s)).evaluate(s, out)


def standard_form(s: Position) -> None:
    """Write the one position that stands for all which come to the same; games without an evaluation have no other."""
    _standard_form_of(name_of(s))(s)


def _standard_form_of(name: str) -> Callable[[Any], None]:
    found = load_game(name).evaluation
    return as_it_stands if found is None else found.standard_form


def rollout_policy(s: Position, seat: int, q: NDArray[np.uint64]) -> int:
    """A quick, sensible move of a seat, for rollouts; `q` is a quick generator."""
    return _rollout_policy_of(name_of(s))(s, seat, q)


def _rollout_policy_of(name: str) -> Callable[[Any, int, NDArray[np.uint64]], int]:
    return evaluation_of(name).rollout_policy or policy_of(name).greedy


found_by_type(round_is_terminal, lambda name, rules: evaluation_of(name).round_is_terminal)
found_by_type(evaluate, lambda name, rules: evaluation_of(name).evaluate)
found_by_type(standard_form, lambda name, rules: _standard_form_of(name))
found_by_type(rollout_policy, lambda name, rules: _rollout_policy_of(name))
