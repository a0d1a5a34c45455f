"""A game's counters (`core.counters`) for compiled code, selected by the type of the record."""

from __future__ import annotations

from typing import Any

from facedown.core.counters import CounterSet
from facedown.core.dispatch import dispatch_by_record_type
from facedown.core.game_registry import game as load_game


def counts_of(name: str) -> CounterSet[Any]:
    """Return the counters of a game; empty if the game has none."""
    return load_game(name).counts


#: Compiled rule (position, out): add to the counters in `out` what the round that has just ended shows.
count_round = dispatch_by_record_type(lambda name, _: counts_of(name).count_round)
#: Compiled rule (position, seat, action, out): add to the counters in `out` what an action shows. It is called before
#: the action is played.
count_step = dispatch_by_record_type(lambda name, _: counts_of(name).step)
#: Compiled rule (position): the seat that starts the match, or −1 while that is undecided.
first_seat = dispatch_by_record_type(lambda name, _: counts_of(name).first)
