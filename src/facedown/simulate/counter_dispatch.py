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
    """Return the counters of the game `name`: they count events of this game for the statistics of experiments.

    An event is, for example, a special case of the rules. The result contains a description of each counter, and the
    functions that count. If the game declares no counters, the result has no descriptions, and its functions count
    nothing. Raise `UnknownGame` if there is no such game.
    """
    return load_game(name).counts


#: ``count_round(position, out)`` adds the events of the round that has just ended to the counters in `out`.
count_round = dispatch_by_record_type(lambda name, _: counters_of_game(name).count_round)
#: ``count_step(position, seat, action, out)`` adds the events of an action to the counters in `out`. It is called
#: before the action is played.
count_step = dispatch_by_record_type(lambda name, _: counters_of_game(name).step)
#: ``first_seat(position)`` returns the seat that starts the match, or −1 while that is undecided.
first_seat = dispatch_by_record_type(lambda name, _: counters_of_game(name).first)
