"""What a game counts (`core.counting`) and what its bots play, found by the record's type in compiled code."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from facedown.core.bot import Policy
from facedown.core.counting import Counts
from facedown.core.dispatch import found_by_type, name_of
from facedown.core.game import game as load_game
from facedown.core.rule import rule
from facedown.core.state import Position


@rule
def no_move(s: Position, seat: int, q: NDArray[np.uint64]) -> int:
    """Never called in a game without a greedy bot, where only random bots sit down; `q` is a quick generator."""
    return -1


#: Stands for the policy of a game that brings none.
NO_POLICY: Policy[Any] = Policy(no_move)


def counts_of(name: str) -> Counts[Any]:
    """What a game counts; nothing where it brings no counters."""
    return load_game(name).counts


def policy_of(name: str) -> Policy[Any]:
    """What a game's greedy bot plays; `NO_POLICY` where it brings none."""
    return load_game(name).policy or NO_POLICY


def count_round(s: Position, out: NDArray[np.int64]) -> None:
    """Add to the counters in `out` what the round that has ended shows."""
    counts_of(name_of(s)).round_over(s, out)


def count_step(s: Position, seat: int, action: int, out: NDArray[np.int64]) -> None:
    """Add to the counters in `out` what this action, which is about to be played, shows."""
    counts_of(name_of(s)).step(s, int(seat), int(action), out)


def first_seat(s: Position) -> int:
    """The seat that begins the match, or -1 as long as that is open."""
    return counts_of(name_of(s)).first(s)


def greedy_move(s: Position, seat: int, q: NDArray[np.uint64]) -> int:
    """What the greedy bot of a seat plays, by the quick generator `q`; -1 in a game that brings none."""
    return policy_of(name_of(s)).greedy(s, seat, q)


def is_reckless(s: Position, seat: int, action: int) -> bool:
    """Does no bot take this action by chance (`core.bot.Policy.reckless`)?"""
    return policy_of(name_of(s)).reckless(s, int(seat), int(action))


found_by_type(count_round, lambda name, rules: counts_of(name).round_over)
found_by_type(count_step, lambda name, rules: counts_of(name).step)
found_by_type(first_seat, lambda name, rules: counts_of(name).first)
found_by_type(greedy_move, lambda name, rules: policy_of(name).greedy)
found_by_type(is_reckless, lambda name, rules: policy_of(name).reckless)
