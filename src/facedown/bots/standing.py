"""From what a round is worth to the chance to win the match.

`bots.worth` judges a round, so that far from the match's end differences still show. A person wants to know the chance
to win the *match*: it follows from what the round is worth now and from the public scores, if all that is still to
come is even. In Reveille that is plain arithmetic (a mark is a step of an even race to seven). Elsewhere a lead is
looked for that would make the round worth as much, and that lead is put on top of the scores; how much leads say is
what `bots.worth` takes them to say. So these are estimates, made of public numbers and of what a seat's view is worth.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

#: How finely a lead is looked for: halvings of the range it may lie in.
HALVINGS = 40
#: A logistic curve of this slope comes closest to the normal one.
SLOPE = 1.7


def match_chance(game: str, view: Any, seat: int, value: float) -> float | None:
    """The chance of `seat` to win the match (a win shared by n counts 1/n), from 0 to 1.

    `value` is what the round is worth to the seat (`bots.worth`). It never falls when `value` rises. None where only
    the round can be judged.
    """
    found = _CHANCES.get(game)
    return None if found is None else min(1.0, max(0.0, found(view, seat, value)))


def _lead(value: float, worth_of: Callable[[float], float], widest: float) -> float:
    """The lead in points, up to `widest` either way, that makes a round worth `value`; `worth_of` rises."""
    low, high = -widest, widest
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if worth_of(middle) < value:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _logistic(x: float) -> float:
    return 1.0 / (1.0 + math.exp(-x)) if x > -500 else 0.0


def _linear(lead: float, wide: float) -> float:
    return min(1.0, max(0.0, 0.5 + lead / (2.0 * wide)))


# --- Reveille ---------------------------------------------------------------------------------------------------------


@cache
def race(mine: int, theirs: int) -> float:
    """The chance to win an even race in which one still needs `mine` steps and the other `theirs`.

    >>> race(1, 2)
    0.75
    """
    if mine <= 0:
        return 1.0
    if theirs <= 0:
        return 0.0
    return (race(mine - 1, theirs) + race(mine, theirs - 1)) / 2


def _reveille(view: Any, seat: int, value: float) -> float:
    """A hand is worth the chance of its mark (a half if thrown in), so this is exact for even hands to come."""
    from facedown.games.reveille.rules import GOAL

    mine, theirs = GOAL - int(view.marks[seat]), GOAL - int(view.marks[1 - seat])
    return value * race(mine - 1, theirs) + (1 - value) * race(mine, theirs - 1)


# --- Reveal -----------------------------------------------------------------------------------------------------------

#: Half a hand, on average, is still to come where a hand is judged.
HALF = 0.5


def _reveal(view: Any, seat: int, value: float) -> float:
    from facedown.bots.worth.reveal import HAND, SPREAD, USUAL, WIDE

    ahead = int(view.total[seat]) - int(view.total[1 - seat])
    if int(view.to_goal):
        most = max(int(view.total[0]), int(view.total[1]))
        left = max(0.0, (int(view.end_at) - most) / USUAL - 1)
    else:
        left = max(0.0, float(int(view.end_at) - int(view.hand_number)))

    def match(lead: float) -> float:
        return _logistic(SLOPE * (ahead + lead) / (SPREAD * math.sqrt(left + HALF)))

    return match(_lead(value, lambda lead: (1 - HAND) * match(lead) + HAND * _linear(lead, WIDE), 4 * WIDE))


# --- Detect -----------------------------------------------------------------------------------------------------------

#: Between equals, the points of one round differ by about this much (standard deviation); the most that a seat of a
#: table takes in one is about this.
DETECT_SPREAD = 18.0
DETECT_ROUND = 25.0


def _detect(view: Any, seat: int, value: float) -> float:
    """The fewest points win when somebody has `GOAL`; a round counts against the mean of the others."""
    from facedown.bots.worth.detect import MATCH, WIDE
    from facedown.games.detect.rules import GOAL

    totals = [int(view.total[one]) for one in range(int(view.seats))]
    rounds = (GOAL - max(totals)) / DETECT_ROUND
    scale = DETECT_SPREAD * math.sqrt(max(0.0, rounds - 1) + HALF) / SLOPE
    # How likely this is the last round: only then the worth of the round says something about the match.
    last = _logistic(4 * (1 - rounds)) * MATCH

    def match(lead: float) -> float:
        return _first([-total + (lead if one == seat else 0.0) for one, total in enumerate(totals)], seat, scale)

    return match(_lead(value, lambda lead: (1 - last) * _linear(lead, WIDE) + last * match(lead), 2 * WIDE))


def _first(points: list[float], seat: int, scale: float) -> float:
    """The share of the first place, the more points the better."""
    best = max(points)
    parts = [math.exp((point - best) / scale) for point in points]
    return parts[seat] / sum(parts)


# --- SCOUT ------------------------------------------------------------------------------------------------------------


def _scout(view: Any, seat: int, value: float) -> float:
    from facedown.bots.worth.scout import ROUND, SPREAD
    from facedown.games.scout.rules import rounds

    left = int(rounds(view)) - int(view.round_number)
    if left <= 0:
        # The last round's worth is the first place itself.
        return value
    totals = [float(view.total[one]) for one in range(int(view.seats))]
    scale = SPREAD * math.sqrt(left + HALF)

    def match(lead: float) -> float:
        return _first([total + (lead if one == seat else 0.0) for one, total in enumerate(totals)], seat, scale)

    def here(lead: float) -> float:
        return _first([lead if one == seat else 0.0 for one in range(len(totals))], seat, SPREAD)

    return match(_lead(value, lambda lead: (1 - ROUND) * match(lead) + ROUND * here(lead), 12 * SPREAD))


_CHANCES: dict[str, Callable[[Any, int, float], float]] = {
    "reveille": _reveille,
    "reveal": _reveal,
    "detect": _detect,
    "scout": _scout,
}
