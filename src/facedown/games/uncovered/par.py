"""The best that could have been done with a deal: T* and a shortest line of swaps, remembered to be shown again."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from facedown.games.uncovered.fewest import ANYONE, MOST_TURNS, fewest_line
from facedown.games.uncovered.info import Score

Hands = tuple[tuple[int, ...], ...]
#: Seat, its place, the other seat, its place, all counted from 0.
Swap = tuple[int, int, int, int]


@lru_cache(maxsize=512)
def best_line(hands: Hands, first: int, single_colour_win: bool = False) -> tuple[Swap, ...]:
    """A shortest line of swaps that makes a deal a won one; its length is T*.

    `hands` are numbers 1..4, a row for each seat; `first` has turn 0, or is `ANYONE` where turn order is ignored.

    >>> best_line(((1, 2, 3, 3), (1, 2, 4, 4)), 0)
    ((0, 3, 1, 2),)
    """
    line = np.zeros((MOST_TURNS, 4), np.int64)
    turns = fewest_line(np.array(hands, np.int64), first, single_colour_win, line)
    if turns < 0:
        raise ValueError(f"no deal of Uncovered!: {hands}")
    return tuple((seat, place, other, theirs) for seat, place, other, theirs in line[:turns].tolist())


def score_of(hands: Hands, first: int, turns: int, scoring: Score, single_colour_win: bool = False) -> int:
    """The score of a game won at turn number `turns` (rules 4.7).

    >>> score_of(((1, 2, 3, 4), (2, 1, 3, 4)), 0, 4, Score.REGRET)
    2
    """
    if scoring == Score.RAW_TURNS:
        return turns
    mover = ANYONE if scoring == Score.FREE_REGRET else first
    return turns - len(best_line(hands, mover, single_colour_win))
