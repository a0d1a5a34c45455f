"""The rollout policy of Uncovered!: how partners are taken to play when the partner bot thinks ahead.

A seat heads for the common sequence that is nearest, counting most what *everybody* knows: so all soon head for the
same one, which is worth more than anybody's private opinion. Among swaps it looks at how far the hands are from there
afterwards, at cards that come home for certain, at cards that others see for the first time, and at hands that would
have nothing left to do.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facedown.core.rule import rule
from facedown.core.state import Floats
from facedown.games.uncovered.cards import PLACES
from facedown.games.uncovered.policy import (
    CLOSE,
    FAR,
    NEVER,
    SEQUENCES,
    Weighed,
    all_know,
    best_of,
    distance,
    distance_after,
    first_looks,
    misplaced,
    sure,
    waiting,
    weigh,
)
from facedown.games.uncovered.rules import PAIRS, Act, Phase, UncoveredPosition, swap_slots

#: A goal is judged by what the seat knows, and so many times by what everybody knows.
COMMON = 3.5
#: What counts, in swaps; a line for each mode. Found by playing thousands of games.
#: A hand that would lie right with a turn to come · everybody's first look at a card · a card that not everybody had
#: seen · a card that comes home for certain · how much less one counts that lies open to all than one that does not.
TASTE = np.array([(0.4, 0.0, 0.0, 0.5, 0.0), (0.25, 0.06, 0.08, 0.26, 0.1), (0.4, 0.1, 0.0, 0.5, 0.0)])
IDLE, LOOK, FRESH, HOME, OPEN_HOME = range(5)


@rule
def rate_goals(s: UncoveredPosition, weighed: Weighed) -> NDArray[np.float64]:
    """How far each goal is, by what the seat knows and what everybody does."""
    _, column, whole = weighed
    far = np.empty(len(SEQUENCES), np.float64)
    _, common, common_whole = weigh(s, (1 << s.seats) - 1)
    for goal in range(len(SEQUENCES)):
        far[goal] = distance(column, goal) / whole + COMMON * distance(common, goal) / common_whole
    return far


@rule
def rate_swaps(s: UncoveredPosition, seat: int, goal: int, weighed: Weighed, values: Floats) -> None:
    """Write what each swap is worth on the way to a goal, and leave the other actions."""
    weight, column, whole = weighed
    mode = s.opt.mode
    everybody = (1 << s.seats) - 1
    wrong = misplaced(s, goal, weight, whole)
    for action in range(PAIRS * s.seats):
        if action // PAIRS == seat:
            continue
        own, theirs = swap_slots(seat, action)
        here, beyond = SEQUENCES[goal, own % PLACES], SEQUENCES[goal, theirs % PLACES]
        far = distance_after(column, weight, goal, own, theirs)
        idle = waiting(weight, wrong, goal, own, theirs, far // (2 * whole))
        home = is_certain(weight, whole, theirs, here) + is_certain(weight, whole, own, beyond)
        home -= is_certain(weight, whole, own, here) + is_certain(weight, whole, theirs, beyond)
        own_open, theirs_open = all_know(s, own, everybody), all_know(s, theirs, everybody)
        fresh = 2 - own_open - theirs_open
        open_home = weight[theirs, here] + weight[own, beyond]
        open_home -= own_open * weight[own, here] + theirs_open * weight[theirs, beyond]
        values[action] = (
            TASTE[mode, HOME] * home
            - far / (2.0 * whole)
            - TASTE[mode, IDLE] * idle
            + TASTE[mode, LOOK] * first_looks(s, own, theirs) / (s.seats - 1)
            + TASTE[mode, FRESH] * fresh
            - TASTE[mode, OPEN_HOME] * open_home / whole
        )


@rule
def is_certain(weight: NDArray[np.int64], whole: int, slot: int, kind: int) -> int:
    """1 if the card in a slot is of a kind for certain, else 0."""
    return 1 if weight[slot, kind] == whole else 0


@rule
def rollout_policy(s: UncoveredPosition, seat: int, q: NDArray[np.uint64]) -> int:
    """The action of a seat that is to act, by what it knows; `q` (a quick generator) breaks ties."""
    if s.phase == Phase.TURNING:
        return Act.TURN
    weighed = weigh(s, 1 << seat)
    if sure(s, seat, weighed):
        return Act.UNCOVER
    far = rate_goals(s, weighed)
    goal, nearest = 0, 1.0 * FAR
    for candidate in range(len(far)):
        if far[candidate] < nearest - CLOSE:
            goal, nearest = candidate, far[candidate]
    values = np.full(PAIRS * s.seats, NEVER)
    rate_swaps(s, seat, goal, weighed, values)
    return best_of(values, q)
