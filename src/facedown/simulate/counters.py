"""Counters of a game (`core.counters`), found by the record's type in compiled code."""

from __future__ import annotations

from typing import Any

from facedown.core.counters import CounterSet
from facedown.core.dispatch import dispatch_by_record_type
from facedown.core.game_registry import game as load_game


def counts_of(name: str) -> CounterSet[Any]:
    """What a game counts; nothing where it brings no counters."""
    return load_game(name).counts


#: Add to the counters in `out` what the round that has ended shows.
count_round = dispatch_by_record_type(lambda name, _: counts_of(name).count_round)
#: Add to the counters in `out` what this action, which is about to be played, shows.
count_step = dispatch_by_record_type(lambda name, _: counts_of(name).step)
#: The seat that begins the match, or -1 as long as that is open.
first_seat = dispatch_by_record_type(lambda name, _: counts_of(name).first)
