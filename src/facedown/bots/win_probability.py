"""Win probability: converts the value of a round to the probability of winning the match.

Search compares moves by the value of the current round: a number from 0 (worst) to 1 (best) for each seat
(`bots.evaluation_dispatch`). This value depends on the result of the round and not only on the chance of winning the
match, because early in a match a single move hardly changes that chance. But players want to know the chance itself.

This module estimates the chance from the value of the round and from the public scores. The players are assumed to be
equally strong in the rest of the match.

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
    """Return the probability that `seat` wins the match, from 0 to 1.

    A win that n players share counts as 1/n of a win for each of them.

    `value` is the value of the current round for the seat (`bots.evaluation_dispatch`), from 0 (worst) to 1 (best). A
    greater `value` never gives a smaller result. Return None if the game does not define how to convert the value of a
    round to a probability.
    """
    found = load_game(game).evaluation
    if found is None or found.win_probability is None:
        return None
    return min(1.0, max(0.0, found.win_probability(view, seat, value)))


def find_lead_with_value(value: float, worth_of: Callable[[float], float], widest: float) -> float:
    """Return the lead in points, from `-widest` to `widest`, at which `worth_of(lead)` equals `value`.

    `worth_of` is an increasing function that converts a lead to the value of a round, from 0 (worst) to 1 (best). The
    lead is found by bisection. If it is outside the range, return about `-widest` or `widest`, whichever is nearer.
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
