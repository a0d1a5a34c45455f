"""Reveille's second stage against a noisy opponent: who plays best most of the time, and anything legal otherwise.

Against a perfect player many bones are equally good; against a real one those are better that leave more ways to go
wrong. As in `games.reveille.endgame` every position between two tricks is valued once, from the empty hands upwards,
here with the chance that *I* get the mark when I play best and the other is noisy.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facedown.core.rule import rule
from facedown.games.reveille.cards import BONES, trick_points
from facedown.games.reveille.endgame import (
    FOR_POINTS,
    LEADER_AT,
    LOWEST,
    POSITIONS,
    SIZE,
    list_bones,
    position_number,
    prepare,
)
from facedown.games.reveille.rules import HAND, HIGHEST_BID

# What the declarer has to do in the tricks that are left.
WIN_POINTS = 0
WIN_ALL = 1
WIN_NONE = 2

#: Points that may still be needed: 0 to 42.
NEEDS = HIGHEST_BID + 1
NO_CHANCE = -1.0


@rule
def after_trick(
    chances: NDArray[np.float32], goal: int, mine: bool, winner_declared: bool, number: int, points: int, need: int
) -> float:
    """My chance of the mark after a trick which leads to position `number`; `mine`: am I the declarer?"""
    if goal == WIN_POINTS:
        left = need - points if winner_declared else need
        if left <= 0:
            return 1.0 if mine else 0.0
    elif winner_declared != (goal == WIN_ALL):
        return 0.0 if mine else 1.0
    else:
        left = 0
    # The table is narrow, but sums of what stands in it are not: also in plain Python.
    return float(chances[number, left])


@rule
def answers(theirs: int, follow: int, ruff: int, must_ruff: bool) -> int:
    """The places of a hand with which a lead may be answered."""
    if theirs & follow:
        return theirs & follow
    if must_ruff and theirs & ruff:
        return theirs & ruff
    return theirs


@rule
def chance_of_lead(
    i: int,
    number: int,
    theirs: int,
    leader: int,
    me: int,
    goal: int,
    declarer: int,
    need: int,
    must_ruff: bool,
    noise: float,
    follow: NDArray[np.int64],
    ruff: NDArray[np.int64],
    change: NDArray[np.int64],
    points: NDArray[np.int64],
    chances: NDArray[np.float32],
) -> float:
    """My chance of the mark when the bone at place `i` is led; `number` is the position's without its leader."""
    replies = answers(theirs, follow[leader, i], ruff[leader, i], must_ruff)
    best = 0.0
    worst = 1.0
    total = 0.0
    count = 0
    while replies:
        j = LOWEST[replies]
        replies &= replies - 1
        step = change[leader, i, j]
        declared = step >> LEADER_AT == declarer
        chance = after_trick(chances, goal, me == declarer, declared, number ^ step, points[leader, i, j], need)
        best = max(best, chance)
        worst = min(worst, chance)
        total += chance
        count += 1
    if leader != me:
        return best
    return (1.0 - noise) * worst + noise * total / count


@rule
def solve_against_noise(
    hand0: int,
    hand1: int,
    contract: int,
    goal: int,
    declarer: int,
    must_ruff: bool,
    me: int,
    most: int,
    noise: float,
    follow: NDArray[np.int64],
    ruff: NDArray[np.int64],
    change: NDArray[np.int64],
    points: NDArray[np.int64],
    chances: NDArray[np.float32],
) -> None:
    """`chances[position, need]` receives my chance of the mark for every position that two equal hands can come to.

    `need` goes up to `most`; it is 0 throughout where points do not count. `follow`, `ruff`, `change` and `points` (for
    both leaders) receive what `chance_of_lead` wants.
    """
    bones = np.zeros((2, HAND), np.int64)
    gain = np.zeros((HAND, HAND), np.int64)
    count = list_bones(hand0, bones[0])
    list_bones(hand1, bones[1])
    for leader in range(2):
        prepare(contract, FOR_POINTS, leader, bones, count, follow[leader], ruff[leader], change[leader], gain)
        for i in range(count):
            for j in range(count):
                points[leader, i, j] = trick_points(bones[leader, i], bones[1 - leader, j])
        for need in range(most + 1):
            made = goal != WIN_POINTS or need == 0
            chances[position_number(leader, 0, 0), need] = 1.0 if made == (me == declarer) else 0.0
    for held0 in range(1, 1 << count):
        for held1 in range(1, 1 << count):
            if SIZE[held0] != SIZE[held1]:
                continue
            number = position_number(0, held0, held1)
            for leader in range(2):
                leads = held0 if leader == 0 else held1
                theirs = held1 if leader == 0 else held0
                for need in range(1 if goal == WIN_POINTS else 0, most + 1):
                    best = 0.0
                    worst = 1.0
                    total = 0.0
                    left = leads
                    while left:
                        i = LOWEST[left]
                        left &= left - 1
                        chance = chance_of_lead(
                            i, number, theirs, leader, me, goal, declarer, need, must_ruff, noise,
                            follow, ruff, change, points, chances,
                        )  # fmt: skip
                        best = max(best, chance)
                        worst = min(worst, chance)
                        total += chance
                    value = best if leader == me else (1.0 - noise) * worst + noise * total / SIZE[leads]
                    chances[number | leader << LEADER_AT, need] = value


@rule
def chances_of_plays(
    hand0: int,
    hand1: int,
    contract: int,
    goal: int,
    declarer: int,
    must_ruff: bool,
    need: int,
    leader: int,
    lead: int,
    noise: float,
    plays: NDArray[np.float64],
) -> None:
    """My chance of the mark with each bone I may play, against a noisy opponent.

    `plays` (28) receives it at each such bone, −1 elsewhere.
    I am the one to play: the leader, or the other one if `lead` (a bone, no longer in its player's hand) lies on the
    table; −1 if none does. `need` is what the declarer still needs in points, 0 if it is not about points.
    """
    for bone in range(BONES):
        plays[bone] = NO_CHANCE
    me = leader if lead < 0 else 1 - leader
    if lead >= 0 and leader == 0:
        hand0 |= 1 << lead
    elif lead >= 0:
        hand1 |= 1 << lead
    follow = np.zeros((2, HAND), np.int64)
    ruff = np.zeros((2, HAND), np.int64)
    change = np.zeros((2, HAND, HAND), np.int64)
    points = np.zeros((2, HAND, HAND), np.int64)
    chances = np.zeros((POSITIONS, need + 1), np.float32)
    solve_against_noise(
        hand0, hand1, contract, goal, declarer, must_ruff, me, need, noise, follow, ruff, change, points, chances
    )
    bones = np.zeros((2, HAND), np.int64)
    count = list_bones(hand0, bones[0])
    list_bones(hand1, bones[1])
    everything = (1 << count) - 1
    number = position_number(0, everything, everything)
    if lead < 0:
        for i in range(count):
            plays[bones[leader, i]] = chance_of_lead(
                i, number, everything, leader, me, goal, declarer, need, must_ruff, noise,
                follow, ruff, change, points, chances,
            )  # fmt: skip
        return
    i = 0
    while bones[leader, i] != lead:
        i += 1
    replies = answers(everything, follow[leader, i], ruff[leader, i], must_ruff)
    for j in range(count):
        if replies >> j & 1:
            step = change[leader, i, j]
            declared = step >> LEADER_AT == declarer
            plays[bones[me, j]] = after_trick(
                chances, goal, me == declarer, declared, number ^ step, points[leader, i, j], need
            )
