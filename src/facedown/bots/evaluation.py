"""What a position is worth to each seat: where a rollout may stop, and how good the result is.

Each game brings its own (`core.bot.Evaluation`). The functions below find it by the type of the record, in compiled and
in plain Python code alike.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from facedown.bots.simple_bots import policy_of
from facedown.core.bot import Evaluation
from facedown.core.dispatch import dispatch_by_record_type
from facedown.core.game_registry import game as load_game


class NoEvaluation(LookupError):
    """Nobody has said yet what positions of this game are worth."""


def evaluation_of(name: str) -> Evaluation[Any]:
    """What a game says of its positions; `NoEvaluation` if it says nothing."""
    found = load_game(name).evaluation
    if found is None:
        raise NoEvaluation(f"search cannot play {name}")
    return found


#: Is the round decided?
round_is_terminal = dispatch_by_record_type(lambda name, _: evaluation_of(name).round_is_terminal)
#: Write what a position whose round is terminal is worth to each seat into `out`, from 0 to 1.
evaluate = dispatch_by_record_type(lambda name, _: evaluation_of(name).evaluate)
#: A quick, sensible move of a seat, for rollouts; `q` is a quick generator.
rollout_policy = dispatch_by_record_type(lambda name, _: evaluation_of(name).rollout_policy or policy_of(name).greedy)


def _standard_form_of(name: str) -> Callable[[Any], None]:
    found: Any = load_game(name).evaluation or Evaluation
    form: Callable[[Any], None] = found.standard_form
    return form


#: Write the one position that stands for all which come to the same; games without an evaluation have no other.
standard_form = dispatch_by_record_type(lambda name, _: _standard_form_of(name))
