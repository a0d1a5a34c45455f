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
def write_counts_by_first_action(
    state_then_scratch: NDArray[Any], depth: int, scratch_action_lists: NDArray[np.int32], out: NDArray[np.int64]
) -> None:
    """Count the sequences of exactly `depth` actions that begin with each legal action in ``state_then_scratch[0]``.

    If several seats are to act, the seat with the lowest number acts first.

    * `state_then_scratch`: a buffer for depth + 1 states. The first one is the state to count from.
    * `scratch_action_lists`: a buffer for depth + 1 lists of legal actions.
    * `out`: the counts are written here, in the order of the legal actions.
    """
    legal = np.zeros(depth + 1, np.int64)
    following = np.zeros(depth + 1, np.int64)
    seat = lowest_acting(state_then_scratch[0])
    legal[0] = 0 if seat < 0 else rule_dispatch.legal(state_then_scratch[0], seat, scratch_action_lists[0])
    level = 0
    while level >= 0:
        if following[level] == legal[level]:
            level -= 1
            continue
        i = following[level]
        following[level] += 1
        if level == depth - 1:
            # Each legal action at this level is the last one of a sequence, so it need not be played: the number of
            # legal actions is the number of sequences. At level 0 each action is a sequence of its own.
            if level == 0:
                out[i] = 1
            else:
                out[following[0] - 1] += legal[level]
                following[level] = legal[level]
            continue
        state_then_scratch[level + 1] = state_then_scratch[level]
        rule_dispatch.apply(
            state_then_scratch[level + 1], lowest_acting(state_then_scratch[level]), scratch_action_lists[level, i]
        )
        level += 1
        following[level] = 0
        seat = lowest_acting(state_then_scratch[level])
        legal[level] = (
            0 if seat < 0 else rule_dispatch.legal(state_then_scratch[level], seat, scratch_action_lists[level])
        )


def divide(game: GameModule, state: Position, depth: int) -> dict[int, int]:
    """Return how many sequences of exactly `depth` actions begin with each legal action in a state, as {action: count}.

    If several seats are to act, in this state or later, only the actions of the seat with the lowest number are
    counted. Raises `ValueError` if the depth is below 1.
    """
    if depth < 1:
        raise ValueError(f"depth must be at least 1, not {depth}")
    states = np.zeros(depth + 1, game.dtype)
    states[0] = copy(state)
    actions = np.zeros((depth + 1, MAX_LEGAL), np.int32)
    out = np.zeros(MAX_LEGAL, np.int64)
    write_counts_by_first_action(states, depth, actions, out)
    seat = int(lowest_acting(states[0]))
    return {} if seat < 0 else {action: int(out[i]) for i, action in enumerate(game.legal(state, seat))}


def perft(game: GameModule, state: Position, depth: int) -> int:
    """Return the number of sequences of exactly `depth` actions from a state.

    Sequences in which the match ends earlier do not count.
    """
    return 1 if depth == 0 else sum(divide(game, state, depth).values())
