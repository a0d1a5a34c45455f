"""Generic evaluation functions, which work for the positions of every game.

Each game can define its own evaluation functions (`core.bot.Evaluation`). They say whether a round is decided, and how
good its result is for each seat. Search uses them to stop a rollout (fast play of the rest of a round) and to score the
result.

The first argument of each generic function is a state or view. The NumPy type of this argument identifies the game, and
the generic function calls the function of that game. Compiled code and plain Python can call the generic functions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from facedown.bots.simple_bots import policy_of
from facedown.core.bot import Evaluation
from facedown.core.game_registry import game as load_game
from facedown.core.rule_dispatch import dispatch_by_record_type


class NoEvaluation(LookupError):
    """Error: the game defines no evaluation functions (`core.bot.Evaluation`), so search cannot judge its positions."""


def evaluation_of(name: str) -> Evaluation[Any]:
    """Return the `Evaluation` of the game `name`: the functions with which search judges positions of this game.

    They compute, for example, whether a round is decided and how good its result is for each seat. Raise `NoEvaluation`
    if the game defines no such functions.
    """
    found = load_game(name).evaluation
    if found is None:
        raise NoEvaluation(f"{name} has no evaluation, so search cannot play it")
    return found


#: `round_is_terminal(position)`: return whether the round is decided, so that a rollout can stop.
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


#: `standard_form(position)`: change a position in place so that equivalent positions become equal. In a game without
#: evaluation functions the position stays unchanged.
standard_form = dispatch_by_record_type(lambda name, _: _standard_form_function(name))
