"""Evaluation functions that work for every game.

An evaluation estimates the value of a position for each seat. Search uses it to stop a rollout when the round is
decided and to score the result. Each game defines its own (`core.bot.Evaluation`).

The functions below call the function of the game to which their argument, a state or view, belongs. They find the game
by the type of the argument. They work in compiled code and in plain Python.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from facedown.bots.simple_bots import policy_of
from facedown.core.bot import Evaluation
from facedown.core.game_registry import game as load_game
from facedown.core.rule_dispatch import dispatch_by_record_type


class NoEvaluation(LookupError):
    """Error: the game has no evaluation, so search and the coach do not support it."""


def evaluation_of(name: str) -> Evaluation[Any]:
    """Return the evaluation of the game `name`. Raise `NoEvaluation` if it has none."""
    found = load_game(name).evaluation
    if found is None:
        raise NoEvaluation(f"{name} has no evaluation, so search cannot play it")
    return found


#: `round_is_terminal(position)`: whether the round is decided, so that a rollout can stop.
round_is_terminal = dispatch_by_record_type(lambda name, _: evaluation_of(name).round_is_terminal)
#: `evaluate(position, out)`: write the value of a position with a decided round to `out`, one number from 0 to 1 for
#: each seat.
evaluate = dispatch_by_record_type(lambda name, _: evaluation_of(name).evaluate)
#: `rollout_policy(position, seat, q)`: return the action of the game's fast policy for rollouts or, if the game has
#: none, of its greedy policy. `q` is the state of a fast random number generator (`core.random_numbers`).
rollout_policy = dispatch_by_record_type(lambda name, _: evaluation_of(name).rollout_policy or policy_of(name).greedy)


def _standard_form_function(name: str) -> Callable[[Any], None]:
    found: Any = load_game(name).evaluation or Evaluation
    form: Callable[[Any], None] = found.standard_form
    return form


#: `standard_form(position)`: change a position in place so that equivalent positions become equal. In a game without an
#: evaluation the position stays unchanged.
standard_form = dispatch_by_record_type(lambda name, _: _standard_form_function(name))
