"""From what a round is worth to the chance to win the match.

`bots.evaluation` judges a round, so that far from the match's end differences still show. A person wants to know the
chance to win the *match*: it follows from what the round is worth now and from the public scores, if all that is still
to come is even. Each game says how (`core.bot.Evaluation.win_probability`), often so: a lead is looked for that would
make the round worth as much, and that lead is put on top of the scores; how much leads say is what its evaluation takes
them to say. So these are estimates, made of public numbers and of what a seat's view is worth. Here is what they share.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from facedown.core.game_registry import game as load_game
from facedown.core.state import View

#: How finely a lead is looked for: halvings of the range it may lie in.
HALVINGS = 40
#: A logistic curve of this slope comes closest to the normal one.
LOGISTIC_SLOPE = 1.7
#: Half a round, on average, is still to come where one is judged.
EXPECTED_REMAINING_ROUND = 0.5


def win_probability(game: str, view: View, seat: int, value: float) -> float | None:
    """The chance of `seat` to win the match (a win shared by n counts 1/n), from 0 to 1.

    `value` is what the round is worth to the seat (`bots.evaluation`). It never falls when `value` rises. None where
    only the round can be judged.
    """
    found = load_game(game).evaluation
    if found is None or found.win_probability is None:
        return None
    return min(1.0, max(0.0, found.win_probability(view, seat, value)))


def lead_for(value: float, worth_of: Callable[[float], float], widest: float) -> float:
    """The lead in points, up to `widest` either way, that makes a round worth `value`; `worth_of` rises."""
    low, high = -widest, widest
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if worth_of(middle) < value:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def logistic(x: float) -> float:
    """The logistic curve, from 0 to 1."""
    return 1.0 / (1.0 + math.exp(-x)) if x > -500 else 0.0


def linear(lead: float, wide: float) -> float:
    """A straight line from 0 to 1, between leads of `wide` either way."""
    return min(1.0, max(0.0, 0.5 + lead / (2.0 * wide)))


def first_place(points: Sequence[float], seat: int, scale: float) -> float:
    """The share of the first place, the more points the better; `scale` is the lead that says something."""
    best = max(points)
    parts = [math.exp((point - best) / scale) for point in points]
    return parts[seat] / sum(parts)
