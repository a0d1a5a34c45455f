"""The best that could have been done with a deal: T* and a shortest line of swaps, remembered to be shown again."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from facedown.games.uncovered.fewest import MOST_TURNS, fewest_line

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
