"""Win probability: converts the value of a round to the probability of winning the match.

`bots.evaluation_dispatch` evaluates a round alone, because early in a match a single move hardly changes the
probability of winning the match. But players want to know that probability.

This module estimates it from the value of the round and from the public scores. The players are assumed to be equally
strong in the rest of the match.

Each game defines the conversion (`core.bot.Evaluation.win_probability`). In most games it has three steps:

1. Find the lead in this round (in points over the other seats) whose evaluation equals the given value of the round.
2. Add these points to the seat's total.
3. Convert the totals of all seats to a probability.

This module has the functions that such conversions share.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from facedown.core.game_registry import game as load_game
from facedown.core.state import View

#: Number of steps of the bisection in `find_lead_with_value`.
HALVINGS = 40
#: Factor k for which ``logistic(k * x)`` is closest to the cumulative distribution function of the standard normal
#: distribution at x.
LOGISTIC_SLOPE = 1.7
#: Share of the current round that is still to be played, on average, when a position is evaluated.
EXPECTED_REMAINING_ROUND = 0.5


def win_probability(game: str, view: View, seat: int, value: float) -> float | None:
    """Return the probability that `seat` wins the match, from 0 to 1; a win shared by n players counts 1/n.

    `value` is the value of the round for the seat (`bots.evaluation_dispatch`). The result never falls when `value`
    rises. Return None for a game that defines no such conversion.
    """
    found = load_game(game).evaluation
    if found is None or found.win_probability is None:
        return None
    return min(1.0, max(0.0, found.win_probability(view, seat, value)))


def find_lead_with_value(value: float, worth_of: Callable[[float], float], widest: float) -> float:
    """Return the lead in points, from `-widest` to `widest`, at which `worth_of(lead)` equals `value`.

    `worth_of` is an increasing function from a lead to the value of a round. The lead is found by bisection.
    """
    low, high = -widest, widest
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if worth_of(middle) < value:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def logistic(x: float) -> float:
    """Return the logistic function of `x`, from 0 to 1."""
    return 1.0 / (1.0 + math.exp(-x)) if x > -500 else 0.0


def linear_ramp(lead: float, wide: float) -> float:
    """Return a number from 0 to 1: 0 for a lead of `-wide` or less, 1 for `wide` or more, and linear in between."""
    return min(1.0, max(0.0, 0.5 + lead / (2.0 * wide)))


def first_place_probability(points: Sequence[float], seat: int, scale: float) -> float:
    """Return the estimated probability that `seat` wins: its share in a softmax of `points`, the points of all seats.

    More points are better. A seat that has `scale` points more than another is e times as likely to win.
    """
    best = max(points)
    parts = [math.exp((point - best) / scale) for point in points]
    return parts[seat] / sum(parts)
