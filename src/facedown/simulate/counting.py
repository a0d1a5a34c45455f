"""Counters of a game (`core.counting`), found by the record's type in compiled code."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from facedown.core.counting import Counts
from facedown.core.dispatch import found_by_type, name_of
from facedown.core.game import game as load_game
from facedown.core.state import Position


def counts_of(name: str) -> Counts[Any]:
    """What a game counts; nothing where it brings no counters."""
    return load_game(name).counts


def count_round(s: Position, out: NDArray[np.int64]) -> None:
    """Add to the counters in `out` what the round that has ended shows."""
    counts_of(name_of(s)).round_over(s, out)


def count_step(s: Position, seat: int, action: int, out: NDArray[np.int64]) -> None:
    """Add to the counters in `out` what this action, which is about to be played, shows."""
    counts_of(name_of(s)).step(s, int(seat), int(action), out)


def first_seat(s: Position) -> int:
    """The seat that begins the match, or -1 as long as that is open."""
    return counts_of(name_of(s)).first(s)


found_by_type(count_round, lambda name, rules: counts_of(name).round_over)
found_by_type(count_step, lambda name, rules: counts_of(name).step)
found_by_type(first_seat, lambda name, rules: counts_of(name).first)
