"""The policies of Uncovered!: of the greedy bot, and of the partners that the partner bot imagines.

A hidden card counts as a bit of every number that is left. The distance to a common sequence is the solver's
(`games.uncovered.fewest`), taken over these bits; the seat heads for the nearest one and uncovers when it is sure. The
greedy bot takes the swap that brings the hands nearest to alike, by what it knows, and shows the most.

Partners count most what *everybody* knows: so all soon head for the same sequence, which is worth more than anybody's
private opinion. Among swaps they look also at cards that come home for certain and at cards that not all had seen.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from facedown.core.bot import Policy
from facedown.core.chance import quick_below
from facedown.core.masks import count_bits
from facedown.core.rule import rule
from facedown.core.slots import knows
from facedown.core.state import Floats, Ints, View, record
from facedown.games.uncovered.cards import KINDS, PLACES, number_of
from facedown.games.uncovered.info import SwapVisibility
from facedown.games.uncovered.rules import (
    PAIRS,
    SLOTS,
    Act,
    Phase,
    UncoveredPosition,
    single_colour_wins,
    swap_slots,
    wins,
)
from facedown.games.uncovered.texts import N_, _

#: SEQUENCES[o, place]: the kind that lies at a place in the o-th of the 24 common sequences.
SEQUENCES = np.array(list(permutations(range(KINDS))), np.int64)
#: Partners judge a goal by what the seat knows, and so many times by what everybody knows.
COMMON = 3.5
#: What counts, in swaps; a line for each mode, found by playing thousands of games, and one for the greedy bot.
#: A hand that would lie right with a turn to come · everybody's first look at a card · a card that not everybody had
#: seen · a card that comes home for certain · how much less one counts that lies open to all than one that does not.
TASTE = np.array(
    [(0.4, 0.0, 0.0, 0.5, 0.0), (0.25, 0.06, 0.08, 0.26, 0.1), (0.4, 0.1, 0.0, 0.5, 0.0), (1.0, 1 / 16, 0.0, 0.0, 0.0)]
)
IDLE, LOOK, FRESH, HOME, OPEN_HOME = range(5)
GREEDY = 3
#: Values nearer than this are equal; that of an action which is out of the question.
CLOSE = 1e-9
NEVER = -1e18

#: What `weigh` finds: for every card and for every column how much of each number, and what a whole card weighs.
Weighed = tuple[NDArray[np.int64], NDArray[np.int64], int]


@rule
def greedy(s: UncoveredPosition, seat: int, q: NDArray[np.uint64]) -> int:
    """The action of the greedy bot in a seat that is to act; `q` (a quick generator) breaks ties."""
    return action_by(s, seat, 0.0, GREEDY, q)


@rule
def rollout_policy(s: UncoveredPosition, seat: int, q: NDArray[np.uint64]) -> int:
    """The action of a partner in a seat that is to act; `q` (a quick generator) breaks ties."""
    return action_by(s, seat, COMMON, s.opt.mode, q)


@rule
def action_by(s: UncoveredPosition, seat: int, common: float, taste: int, q: NDArray[np.uint64]) -> int:
    """The action by what the seat knows, the weight of what everybody knows, and a line of `TASTE`."""
    if s.phase == Phase.TURNING:
        return Act.TURN
    weighed = weigh(s, 1 << seat)
    if sure(s, seat, weighed):
        return Act.UNCOVER
    values = np.full(PAIRS * s.seats, NEVER)
    rate_swaps(s, seat, nearest(rate_goals(s, weighed, common)), weighed, taste, values)
    return best_of(values, q)


@rule
def rate_goals(s: UncoveredPosition, weighed: Weighed, common: float) -> NDArray[np.float64]:
    """How far each goal is by what the seat knows, and `common` times by what everybody knows."""
    _, column, whole = weighed
    far = np.empty(len(SEQUENCES), np.float64)
    for goal in range(len(SEQUENCES)):
        far[goal] = distance(column, goal) / whole
    if common > 0.0:
        _, column, whole = weigh(s, (1 << s.seats) - 1)
        for goal in range(len(SEQUENCES)):
            far[goal] += common * distance(column, goal) / whole
    return far


@rule
def nearest(far: Floats) -> int:
    """The common sequence that is nearest; of several the first, so that all players prefer the same."""
    best = 0
    for goal in range(len(far)):
        if far[goal] < far[best] - CLOSE:
            best = goal
    return best


@rule
def rate_swaps(s: UncoveredPosition, seat: int, goal: int, weighed: Weighed, taste: int, values: Floats) -> None:
    """Write what each swap is worth on the way to a goal, and leave the other actions."""
    weight, column, whole = weighed
    everybody = (1 << s.seats) - 1
    watchers = 1.0 if taste == GREEDY else s.seats - 1.0
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
        open_home = weight[theirs, here] + weight[own, beyond]
        open_home -= own_open * weight[own, here] + theirs_open * weight[theirs, beyond]
        values[action] = (
            TASTE[taste, HOME] * home
            - far / (2.0 * whole)
            - TASTE[taste, IDLE] * idle
            + TASTE[taste, LOOK] * first_looks(s, own, theirs) / watchers
            + TASTE[taste, FRESH] * (2 - own_open - theirs_open)
            - TASTE[taste, OPEN_HOME] * open_home / whole
        )


@rule
def is_certain(weight: NDArray[np.int64], whole: int, slot: int, kind: int) -> int:
    """1 if the card in a slot is of a kind for certain, else 0."""
    return 1 if weight[slot, kind] == whole else 0


@rule
def best_of(values: Floats, q: NDArray[np.uint64]) -> int:
    """The action with the highest value; of equal ones a random one, drawn from the quick generator `q`."""
    best, best_value, ties = 0, NEVER, 0
    for action in range(len(values)):
        if values[action] > best_value + CLOSE:
            best, best_value, ties = action, values[action], 1
        elif values[action] > max(best_value - CLOSE, NEVER):
            ties += 1
            if quick_below(q, ties) == 0:
                best = action
    return best


@rule
def first_looks(s: UncoveredPosition, own: int, theirs: int) -> int:
    """How many looks at a card they have not known players get by a swap."""
    all_watch = s.opt.swap_visibility == SwapVisibility.FACE_UP
    watching = (1 << s.seats) - 1 if all_watch else 1 << own // PLACES | 1 << theirs // PLACES
    return count_bits(watching & ~s.known[own]) + count_bits(watching & ~s.known[theirs])


@rule
def misplaced(s: UncoveredPosition, goal: int, weight: NDArray[np.int64], whole: int) -> NDArray[np.int64]:
    """How much of each hand does not lie as a goal wants it, in the measure of `weigh`."""
    wrong = np.zeros(s.seats, np.int64)
    for slot in range(PLACES * s.seats):
        wrong[slot // PLACES] += whole - weight[slot, SEQUENCES[goal, slot % PLACES]]
    return wrong


@rule
def weigh(s: UncoveredPosition, seats: int) -> Weighed:
    """How much of each number every card is and every column holds, and what a whole card weighs.

    By what all the seats of a mask know: a card they do not all know may be any that is left.
    """
    weight = np.zeros((SLOTS, KINDS), np.int64)
    column = np.zeros((PLACES, KINDS), np.int64)
    left = np.full(KINDS, s.seats, np.int64)
    hidden = PLACES * s.seats
    for slot in range(PLACES * s.seats):
        if all_know(s, slot, seats):
            left[s.card[slot]] -= 1
            hidden -= 1
    whole = max(hidden, 1)
    for slot in range(PLACES * s.seats):
        if all_know(s, slot, seats):
            weight[slot, s.card[slot]] = whole
        else:
            weight[slot] = left
        for kind in range(KINDS):
            column[slot % PLACES, kind] += weight[slot, kind]
    return weight, column, whole


@rule
def all_know(s: UncoveredPosition, slot: int, seats: int) -> bool:
    """Do all the seats of a mask know the card in a slot?"""
    return s.known[slot] & seats == seats


@rule
def sure(s: UncoveredPosition, seat: int, weighed: Weighed) -> bool:
    """Is it certain that uncovering wins?"""
    _, column, whole = weighed
    if np.sum(column == whole * s.seats) == PLACES:
        return True
    # Four hands of one number each win, too, where the table plays so (UNC-8).
    if not single_colour_wins(s):
        return False
    for slot in range(PLACES * s.seats):
        if not knows(s, slot, seat):
            return False
    return wins(s)


@rule
def exchange(column: NDArray[np.int64], weight: NDArray[np.int64], own: int, theirs: int, sign: int) -> None:
    """Move what two cards weigh into each other's column (`sign` 1), or back (−1)."""
    for kind in range(KINDS):
        more = sign * (weight[theirs, kind] - weight[own, kind])
        column[own % PLACES, kind] += more
        column[theirs % PLACES, kind] -= more


@rule
def distance_after(column: NDArray[np.int64], weight: NDArray[np.int64], goal: int, own: int, theirs: int) -> int:
    """The `distance` to a goal after a swap."""
    exchange(column, weight, own, theirs, 1)
    far = distance(column, goal)
    exchange(column, weight, own, theirs, -1)
    return far


@rule
def waiting(weight: NDArray[np.int64], wrong: Ints, goal: int, own: int, theirs: int, left: int) -> int:
    """How many of the two hands of a swap would lie right with a turn to come: it would have to spoil something."""
    players = len(wrong)
    mine, here = own // PLACES, SEQUENCES[goal, own % PLACES]
    other, there = theirs // PLACES, SEQUENCES[goal, theirs % PLACES]
    idle = 0
    if wrong[mine] + weight[own, here] - weight[theirs, here] == 0 and left >= players:
        idle += 1
    if wrong[other] + weight[theirs, there] - weight[own, there] == 0 and (other - mine - 1) % players < left:
        idle += 1
    return idle


@rule
def distance(column: NDArray[np.int64], goal: int) -> int:
    """Twice the swaps that a goal needs at the least, in the measure of `weigh` (see `games.uncovered.fewest`)."""
    total = steepest = 0
    for i in range(PLACES):
        for kind in range(KINDS):
            total += column[i, kind]
        total -= column[i, SEQUENCES[goal, i]]
        for j in range(i):
            steep = abs(column[i, SEQUENCES[goal, j]] - column[j, SEQUENCES[goal, i]])
            total += steep
            steepest = max(steepest, steep)
    return total - 2 * steepest


@rule
def reckless(s: UncoveredPosition, seat: int, action: int) -> bool:
    """Uncovering ends the game."""
    return action == Act.UNCOVER


def reason(view: View, seat: int, action: int) -> str:
    """Why the greedy bot likes an action, for the person at `seat`."""
    if action == Act.UNCOVER:
        return _("all hands are alike, for certain")
    if action > Act.UNCOVER:
        return _("it tells the others to leave that card alone") if action == Act.TURN else ""
    s = record(view, UncoveredPosition)
    _weight, column, whole = weighed = weigh(s, 1 << seat)
    goal = nearest(rate_goals(s, weighed, 0.0))
    right = sum(column[place, kind] for place, kind in enumerate(SEQUENCES[goal])) / whole
    sequence = " ".join(str(number_of(kind)) for kind in SEQUENCES[goal])
    text = N_("the hands are closest to {sequence}: about {right} of {cards} cards, as far as you can see")
    return _(text, sequence=sequence, right=round(right), cards=PLACES * view.seats)


POLICY = Policy(greedy, reason, reckless)
