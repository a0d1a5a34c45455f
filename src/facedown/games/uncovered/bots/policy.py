"""Uncovered!, greedily: the swap that brings the hands nearest to alike, by what the seat knows, and shows the most.

A hidden card counts as a bit of every number that is left. The distance to a common sequence is the solver's
(`games.uncovered.optimal_turns`), taken over these bits; the seat heads for the nearest one and uncovers when it is
sure.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from facedown.core.bit_masks import count_bits
from facedown.core.bot import Policy
from facedown.core.hidden_cards import knows
from facedown.core.random_numbers import quick_below
from facedown.core.rule import rule
from facedown.core.state import Floats, Ints, View, record
from facedown.games.uncovered.i18n import N_, _
from facedown.games.uncovered.info import KINDS, PLACES, SwapVisibility, number_on
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

#: SEQUENCES[o, place]: the kind that lies at a place in the o-th of the 24 common sequences.
SEQUENCES = np.array(list(permutations(range(KINDS))), np.int64)
#: A player's first look at a card is worth as much as being one half of a swap nearer, divided by this.
LOOK_DIVISOR = 8
FAR = 1 << 40
#: Values nearer than this are equal; that of an action which is out of the question.
CLOSE = 1e-9
NEVER = -1e18

#: What `kind_weights` finds: for every card and for every column how much of each number, and what a whole card weighs.
KindWeights = tuple[NDArray[np.int64], NDArray[np.int64], int]


@rule
def greedy(s: UncoveredPosition, seat: int, q: NDArray[np.uint64]) -> int:
    """The action of a seat that is to act, by what it knows; `q` (a quick generator) breaks ties."""
    if s.phase == Phase.TURNING:
        return Act.TURN
    weighed = kind_weights(s, 1 << seat)
    if is_win_certain(s, seat, weighed):
        return Act.UNCOVER
    weight, column, whole = weighed
    goal = nearest_sequence(column)
    wrong = misplaced_weight_by_hand(s, goal, weight, whole)
    values = np.full(PAIRS * s.seats, NEVER)
    for action in range(PAIRS * s.seats):
        if action // PAIRS != seat:
            own, theirs = swap_slots(seat, action)
            far = doubled_swaps_after(column, weight, goal, own, theirs)
            far += 2 * whole * count_idle_hands(weight, wrong, goal, own, theirs, far // (2 * whole))
            values[action] = whole * first_looks(s, own, theirs) - LOOK_DIVISOR * far
    return best_of(values, q)


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
def misplaced_weight_by_hand(
    s: UncoveredPosition, goal: int, weight: NDArray[np.int64], whole: int
) -> NDArray[np.int64]:
    """How much of each hand does not lie as a goal wants it, in the measure of `kind_weights`."""
    wrong = np.zeros(s.seats, np.int64)
    for slot in range(PLACES * s.seats):
        wrong[slot // PLACES] += whole - weight[slot, SEQUENCES[goal, slot % PLACES]]
    return wrong


@rule
def kind_weights(s: UncoveredPosition, seats: int) -> KindWeights:
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
def is_win_certain(s: UncoveredPosition, seat: int, weighed: KindWeights) -> bool:
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
def doubled_swaps_after(column: NDArray[np.int64], weight: NDArray[np.int64], goal: int, own: int, theirs: int) -> int:
    """The `doubled_swaps_to_goal` to a goal after a swap."""
    exchange(column, weight, own, theirs, 1)
    far = doubled_swaps_to_goal(column, goal)
    exchange(column, weight, own, theirs, -1)
    return far


@rule
def count_idle_hands(weight: NDArray[np.int64], wrong: Ints, goal: int, own: int, theirs: int, left: int) -> int:
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
def nearest_sequence(column: NDArray[np.int64]) -> int:
    """The common sequence that is nearest; of several the first, so that all players prefer the same."""
    best, best_distance = 0, FAR
    for goal in range(len(SEQUENCES)):
        far = doubled_swaps_to_goal(column, goal)
        if far < best_distance:
            best, best_distance = goal, far
    return best


@rule
def doubled_swaps_to_goal(column: NDArray[np.int64], goal: int) -> int:
    """Twice the least number of swaps that a goal needs, as `kind_weights` measures it."""
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
def is_reckless(s: UncoveredPosition, seat: int, action: int) -> bool:
    """Uncovering ends the game."""
    return action == Act.UNCOVER


def reason(view: View, seat: int, action: int) -> str:
    """Why the greedy bot likes an action, for the person at `seat`."""
    if action == Act.UNCOVER:
        return _("all hands are alike, for certain")
    if action > Act.UNCOVER:
        return _("it tells the others to leave that card alone") if action == Act.TURN else ""
    _weight, column, whole = kind_weights(record(view, UncoveredPosition), 1 << seat)
    goal = nearest_sequence(column)
    right = sum(column[place, kind] for place, kind in enumerate(SEQUENCES[goal])) / whole
    sequence = " ".join(str(number_on(kind)) for kind in SEQUENCES[goal])
    text = N_("the hands are closest to {sequence}: about {right} of {cards} cards, as far as you can see")
    return _(text, sequence=sequence, right=round(right), cards=PLACES * view.seats)


POLICY = Policy(greedy, reason, is_reckless)
