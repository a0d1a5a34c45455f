"""Counters of game events (`core.counters`) for compiled code.

`count_round`, `count_step` and `first_seat` work for all games. Their first argument is a position, as a record whose
type shows which game it belongs to; they call the function of that game.
"""

from __future__ import annotations

from typing import Any

from facedown.core.counters import CounterSet
from facedown.core.game_registry import game as load_game
from facedown.core.rule_dispatch import dispatch_by_record_type


def counters_of_game(name: str) -> CounterSet[Any]:
    """Return the counters of a game: an empty set if the game declares none."""
    return load_game(name).counts


#: ``count_round(position, out)`` adds the events of the round that has just ended to the counters in `out`.
count_round = dispatch_by_record_type(lambda name, _: counters_of_game(name).count_round)
#: ``count_step(position, seat, action, out)`` adds the events of an action to the counters in `out`. It is called
#: before the action is played.
count_step = dispatch_by_record_type(lambda name, _: counters_of_game(name).step)
#: ``first_seat(position)`` returns the seat that starts the match, or −1 while that is undecided.
first_seat = dispatch_by_record_type(lambda name, _: counters_of_game(name).first)
