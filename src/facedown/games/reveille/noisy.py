"""Reveille's second stage against a noisy opponent: who plays best most of the time, and anything legal otherwise.

Against a perfect player many bones are equally good; against a real one those are better that leave more ways to go
wrong. As in `games.reveille.endgame` every position between two tricks is valued once, from the empty hands upwards,
here with the chance that *I* get the mark when I play best and the other is noisy.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facedown.core.rule import rule
from facedown.games.reveille.cards import index
from facedown.games.reveille.endgame import (
    LEADER_AT,
    LOWEST,
    POSITIONS,
    SIZE,
    WIN_ALL,
    WIN_POINTS,
    Tricks,
    answers,
    list_bones,
    position_number,
    prepare,
)
from facedown.games.reveille.state import HAND

NO_CHANCE = -1.0

#: What is played for: what the declarer has to do (`WIN_POINTS` …), who that is, who I am, whether one must ruff, and
#: how often the other plays anything legal.
Duel = tuple[int, int, int, bool, float]
#: My chance of the mark, by position and the points that the declarer still needs.
Chances = NDArray[np.float32]


@rule
def after_trick(
    duel: Duel, tricks: Tricks, leader: int, i: int, j: int, number: int, need: int, chances: Chances
) -> float:
    """My chance of the mark after place i is led and answered with j; `number` is the position's without its leader."""
    goal, declarer, me, _, _ = duel
    _, _, change, gain = tricks
    leader, i, j = index(leader), index(i), index(j)
    step = change[leader, i, j]
    left = 0
    if goal == WIN_POINTS:
        left = need - gain[leader, i, j]
        if left <= 0:
            return 1.0 if me == declarer else 0.0
    elif (step >> LEADER_AT == declarer) != (goal == WIN_ALL):
        return 0.0 if me == declarer else 1.0
    # The table is narrow, but sums of what stands in it are not: also in plain Python.
    return float(chances[number ^ step, left])


@rule
def choice(mine: bool, best: float, worst: float, total: float, count: int, noise: float) -> float:
    """My chance when somebody has a choice: I take the best, the other what is worst for me, or now and then any."""
    return best if mine else (1.0 - noise) * worst + noise * total / count


@rule
def chance_of_leads(
    duel: Duel, tricks: Tricks, leader: int, leads: int, theirs: int, number: int, need: int, chances: Chances
) -> float:
    """My chance of the mark when one of the places `leads` is led, and answered from the places `theirs`."""
    _, _, me, must_ruff, noise = duel
    best, worst, total, count = 0.0, 1.0, 0.0, SIZE[leads]
    while leads:
        i = LOWEST[leads]
        leads &= leads - 1
        replies = answers(tricks, leader, i, theirs, must_ruff)
        best_reply, worst_reply, total_reply, replying = 0.0, 1.0, 0.0, SIZE[replies]
        while replies:
            j = LOWEST[replies]
            replies &= replies - 1
            chance = after_trick(duel, tricks, leader, i, j, number, need, chances)
            best_reply = max(best_reply, chance)
            worst_reply = min(worst_reply, chance)
            total_reply += chance
        chance = choice(leader != me, best_reply, worst_reply, total_reply, replying, noise)
        best = max(best, chance)
        worst = min(worst, chance)
        total += chance
    return choice(leader == me, best, worst, total, count, noise)


@rule
def solve_against_noise(duel: Duel, tricks: Tricks, count: int, most: int, chances: Chances) -> None:
    """`chances[position, need]` receives my chance for every position that two hands of `count` bones can come to.

    `need` goes up to `most`; it is 0 throughout where points do not count.
    """
    goal, declarer, me, _, _ = duel
    for leader in range(2):
        for need in range(most + 1):
            made = goal != WIN_POINTS or need == 0
            chances[position_number(leader, 0, 0), need] = 1.0 if made == (me == declarer) else 0.0
    for held0 in range(1, 1 << count):
        for held1 in range(1, 1 << count):
            if SIZE[held0] == SIZE[held1]:
                number = position_number(0, held0, held1)
                for leader in range(2):
                    leads, theirs = (held0, held1) if leader == 0 else (held1, held0)
                    for need in range(1 if goal == WIN_POINTS else 0, most + 1):
                        chances[number | leader << LEADER_AT, need] = chance_of_leads(
                            duel, tricks, leader, leads, theirs, number, need, chances
                        )


@rule
def chances_of_plays(
    duel: Duel, hands: tuple[int, int], contract: int, need: int, leader: int, lead: int, plays: NDArray[np.float64]
) -> None:
    """My chance of the mark with each bone I may play, against a noisy opponent.

    `plays` (28) receives it at each such bone, −1 elsewhere.
    I am the one to play: the leader, or the other one if `lead` (a bone of the leader's hand) lies on the table; −1 if
    none does. `need` is what the declarer still needs in points, 0 if it is not about points.
    """
    goal, declarer, me, must_ruff, _ = duel
    bones = np.zeros((2, HAND), np.int64)
    tricks = prepare(hands, contract, goal, declarer, bones)
    count = list_bones(hands[0], bones[0])
    chances = np.zeros((POSITIONS, need + 1), np.float32)
    solve_against_noise(duel, tricks, count, need, chances)
    everything = (1 << count) - 1
    number = position_number(0, everything, everything)
    plays[:] = NO_CHANCE
    for i in range(count):
        led = bones[leader, i]
        if lead < 0:
            plays[led] = chance_of_leads(duel, tricks, leader, 1 << i, everything, number, need, chances)
        elif led == lead:
            replies = answers(tricks, leader, i, everything, must_ruff)
            for j in range(count):
                if replies >> j & 1:
                    plays[bones[me, j]] = after_trick(duel, tricks, leader, i, j, number, need, chances)
