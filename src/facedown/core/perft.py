"""Perft: counts of action sequences, to test rules. Correct implementations have equal counts at every depth.

If several seats are to act, the one with the lowest number acts first, as in all code that needs a single order.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from facedown.core import rule_dispatch
from facedown.core.game_module import GameModule
from facedown.core.hidden_cards import MAX_LEGAL
from facedown.core.rule import rule
from facedown.core.rule_dispatch import lowest_acting
from facedown.core.state import Position, copy


@rule
def count_into(states: NDArray[Any], depth: int, actions: NDArray[np.int32], out: NDArray[np.int64]) -> None:
    """Count, for each legal action in ``states[0]``, the sequences of exactly `depth` actions that begin with it.

    If several seats are to act, the one with the lowest number acts first. `states` and `actions` are buffers for
    depth + 1 states and as many lists of legal actions. The counts are written to `out`, in the order of the legal
    actions.
    """
    legal = np.zeros(depth + 1, np.int64)
    following = np.zeros(depth + 1, np.int64)
    seat = lowest_acting(states[0])
    legal[0] = 0 if seat < 0 else rule_dispatch.legal(states[0], seat, actions[0])
    level = 0
    while level >= 0:
        if following[level] == legal[level]:
            level -= 1
            continue
        i = following[level]
        following[level] += 1
        if level == depth - 1:
            # Each legal action ends one sequence, so it is enough to count them; the last action need not be played.
            if level == 0:
                out[i] = 1
            else:
                out[following[0] - 1] += legal[level]
                following[level] = legal[level]
            continue
        states[level + 1] = states[level]
        rule_dispatch.apply(states[level + 1], lowest_acting(states[level]), actions[level, i])
        level += 1
        following[level] = 0
        seat = lowest_acting(states[level])
        legal[level] = 0 if seat < 0 else rule_dispatch.legal(states[level], seat, actions[level])


def divide(game: GameModule, state: Position, depth: int) -> dict[int, int]:
    """Return, for each legal action of the seat to act, how many sequences of exactly `depth` actions begin with it.

    If several seats are to act, it is the one with the lowest number, which acts first in all sequences. Raises
    `ValueError` if the depth is below 1.
    """
    if depth < 1:
        raise ValueError(f"depth must be at least 1, not {depth}")
    states = np.zeros(depth + 1, game.dtype)
    states[0] = copy(state)
    actions = np.zeros((depth + 1, MAX_LEGAL), np.int32)
    out = np.zeros(MAX_LEGAL, np.int64)
    count_into(states, depth, actions, out)
    seat = int(lowest_acting(states[0]))
    return {} if seat < 0 else {action: int(out[i]) for i, action in enumerate(game.legal(state, seat))}


def perft(game: GameModule, state: Position, depth: int) -> int:
    """Return the number of sequences of exactly `depth` actions from a state.

    Sequences in which the match ends earlier do not count.
    """
    return 1 if depth == 0 else sum(divide(game, state, depth).values())
