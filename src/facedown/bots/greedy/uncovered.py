"""Uncovered!, greedily: the swap that brings the hands nearest to alike, by what the seat knows, and shows the most.

A hidden card counts as a bit of every number that is left. The distance to a common sequence is the solver's
(`games.uncovered.fewest`), taken over these bits; the seat heads for the nearest one and uncovers when it is sure.
"""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from facedown.core.chance import quick_below
from facedown.core.rule import rule
from facedown.games.uncovered.fewest import PLACES
from facedown.games.uncovered.rules import KINDS, PAIRS, SLOTS, SWAPS, TURN, TURNING, UNCOVER, wins

#: SEQUENCES[o, place]: the kind that lies at a place in the o-th of the 24 common sequences.
SEQUENCES = np.array(list(permutations(range(KINDS))), np.int64)
#: A player's first look at a card is worth as much as being one half of a swap nearer, divided by this.
LOOKS = 8
FAR = 1 << 40


@rule
def greedy(s: Any, seat: int, q: NDArray[np.uint64]) -> int:
    """The action of a seat that is to act, by what it knows; `q` (a quick generator) breaks ties."""
    if s.phase == TURNING:
        return TURN
    weight = np.zeros((SLOTS, KINDS), np.int64)
    column = np.zeros((PLACES, KINDS), np.int64)
    whole = weigh(s, seat, weight, column)
    if sure(s, seat, column, whole):
        return UNCOVER
    goal = nearest(column)
    wrong = np.zeros(np.int64(s.seats), np.int64)
    for slot in range(PLACES * len(wrong)):
        wrong[slot // PLACES] += whole - weight[slot, SEQUENCES[goal, slot % PLACES]]
    players = np.int64(s.seats)
    everybody = int((1 << players) - 1)
    best = UNCOVER
    best_value = -FAR
    ties = 0
    for other in range(players):
        if other == seat:
            continue
        parties = everybody if s.face_down == 0 else 1 << seat | 1 << other
        for place in range(PLACES):
            own = PLACES * seat + place
            for there in range(PLACES):
                theirs = PLACES * other + there
                exchange(column, weight, own, theirs, 1)
                far = distance(column, goal)
                exchange(column, weight, own, theirs, -1)
                far += 2 * whole * waiting(weight, wrong, goal, own, theirs, far // (2 * whole))
                looks = count(parties & ~int(s.known[own])) + count(parties & ~int(s.known[theirs]))
                value = whole * looks - LOOKS * far
                if value > best_value:
                    best = PAIRS * other + PLACES * place + there
                    best_value = value
                    ties = 1
                elif value == best_value:
                    ties += 1
                    if quick_below(q, ties) == 0:
                        best = PAIRS * other + PLACES * place + there
    return best


@rule
def weigh(s: Any, seat: int, weight: NDArray[np.int64], column: NDArray[np.int64]) -> int:
    """Write how much of each number every card is by what a seat knows, and every column holds; return a whole card."""
    return weigh_known(s, 1 << seat, weight, column)


@rule
def weigh_known(s: Any, seats: int, weight: NDArray[np.int64], column: NDArray[np.int64]) -> int:
    """`weigh` for somebody who knows only what all the seats of a mask know."""
    players = np.int64(s.seats)
    left = np.empty(KINDS, np.int64)
    for kind in range(KINDS):
        left[kind] = players
    hidden = 0
    for slot in range(PLACES * players):
        if np.int64(s.known[slot]) & seats == seats:
            left[s.card[slot]] -= 1
        else:
            hidden += 1
    whole = max(hidden, 1)
    for slot in range(PLACES * players):
        if np.int64(s.known[slot]) & seats == seats:
            weight[slot, s.card[slot]] = whole
        else:
            for kind in range(KINDS):
                weight[slot, kind] = left[kind]
        for kind in range(KINDS):
            column[slot % PLACES, kind] += weight[slot, kind]
    return whole


@rule
def sure(s: Any, seat: int, column: NDArray[np.int64], whole: int) -> bool:
    """Is it certain that uncovering wins?"""
    full = whole * np.int64(s.seats)
    alike = 0
    for place in range(PLACES):
        for kind in range(KINDS):
            if column[place, kind] == full:
                alike += 1
    if alike == PLACES:
        return True
    # Four hands of one number each win, too, where the table plays so (UNC-8).
    hidden = 0
    for slot in range(PLACES * np.int64(s.seats)):
        hidden += s.known[slot] >> seat & 1 == 0
    return s.single_colour_wins == 1 and hidden == 0 and wins(s)


@rule
def exchange(column: NDArray[np.int64], weight: NDArray[np.int64], own: int, theirs: int, sign: int) -> None:
    """Move what two cards weigh into each other's column (`sign` 1), or back (−1)."""
    for kind in range(KINDS):
        more = sign * (weight[theirs, kind] - weight[own, kind])
        column[own % PLACES, kind] += more
        column[theirs % PLACES, kind] -= more


@rule
def waiting(weight: NDArray[np.int64], wrong: NDArray[np.int64], goal: int, own: int, theirs: int, left: int) -> int:
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
def nearest(column: NDArray[np.int64]) -> int:
    """The common sequence that is nearest; of several the first, so that all players prefer the same."""
    best = 0
    best_distance = FAR
    for goal in range(len(SEQUENCES)):
        far = distance(column, goal)
        if far < best_distance:
            best = goal
            best_distance = far
    return best


@rule
def distance(column: NDArray[np.int64], goal: int) -> int:
    """Twice the swaps that a goal needs at the least, in the measure of `weigh` (see `games.uncovered.fewest`)."""
    total = 0
    steepest = 0
    for i in range(PLACES):
        for kind in range(KINDS):
            total += column[i, kind]
        total -= column[i, SEQUENCES[goal, i]]
        for j in range(i):
            steep = abs(column[i, SEQUENCES[goal, j]] - column[j, SEQUENCES[goal, i]])
            total += steep
            steepest = max(steepest, steep)
    return int(total - 2 * steepest)


@rule
def count(mask: int) -> int:
    """How many bits are set."""
    found = 0
    while mask:
        mask &= mask - 1
        found += 1
    return found


def reason(view: Any, seat: int, action: int) -> str:
    """Why the greedy bot likes an action, for the person at `seat`."""
    if action == UNCOVER:
        return "all hands are alike for certain"
    if action >= SWAPS:
        return "it tells the others to leave that card alone" if action == TURN else ""
    weight = np.zeros((SLOTS, KINDS), np.int64)
    column = np.zeros((PLACES, KINDS), np.int64)
    whole = int(weigh(view, seat, weight, column))
    goal = int(nearest(column))
    sequence = " ".join(str(int(kind) + 1) for kind in SEQUENCES[goal])
    right = sum(int(column[place, SEQUENCES[goal, place]]) for place in range(PLACES)) / whole
    cards = PLACES * int(view.seats)
    return f"all hands are nearest to {sequence}: about {round(right)} of {cards} cards lie so, by what you know"
