"""Generic functions such as `apply` and `legal`, which work for the states and views of every game.

Each game has its own function `apply`, its own function `legal` and so on. The generic function `apply` calls the
`apply` of one game. The type of the first argument, a state or view, determines the game: the NumPy records of a game
have a type that no other game has. So search and simulation code for all games can call ``apply(state, seat, action)``
and similar functions.

* Compiled code finds the game's function during compilation, by the type of the first argument
  (`core.compile.jit.register_type_dispatch`).
* Interpreted code finds the game's function at each call, by the dtype (NumPy type) of the first argument.

The compile cache can store the search and simulation code on disk, because the game's functions are found by type and
not passed as arguments.

Each generic function has the name and the arguments of a field of `core.ruleset.RuleSet`. The docstring of that field
says what the function does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from facedown.core.rule import INTERPRETED, rule
from facedown.core.ruleset import RuleSet
from facedown.core.state import MAX_SEATS, Ints, Position, marker_field_name

F = TypeVar("F", bound=Callable[..., Any])

#: Name and rules of each registered game, by the name of the first field of its records
#: (`core.state.marker_field_name`).
_rules_by_mark: dict[str, tuple[str, RuleSet[Any]]] = {}


def register_rules(name: str, rules: RuleSet[Any]) -> None:
    """Register the rules of the game `name`, so that the generic functions work for states and views of this game."""
    _rules_by_mark[marker_field_name(rules.record)] = name, rules


def _name_and_rules(position: Position) -> tuple[str, RuleSet[Any]]:
    record: Any = position
    try:
        return _rules_by_mark[record.dtype.names[0]]
    except KeyError:
        raise TypeError(f"no registered game has records of {record.dtype}") from None


def rules_of(position: Position) -> RuleSet[Any]:
    """Return the rules of the game to which a state or view belongs.

    Raises `TypeError` if no registered game has states and views of this NumPy type.
    """
    return _name_and_rules(position)[1]


def dispatch_by_record_type(pick: Callable[[str, RuleSet[Any]], F]) -> F:
    """Return a generic function, callable from Python and from compiled code, whose first argument is a state or view.

    `pick` receives the name and the rules of the game to which the state or view belongs, and returns the game's
    function to call.
    """

    def call(s: Position, *more: Any) -> Any:
        # Interpreted code may pass NumPy integers. Their narrow types would overflow in the called function, so they
        # are converted to Python integers.
        return pick(*_name_and_rules(s))(s, *(int(one) if isinstance(one, np.integer) else one for one in more))

    if not INTERPRETED:
        from facedown.core.compile.jit import register_type_dispatch

        def chosen(record_type: Any) -> Any:
            found = _rules_by_mark.get(next(iter(getattr(record_type, "fields", ())), ""))
            return found and pick(*found)

        register_type_dispatch(call, chosen)
    found: Any = call
    typed: F = found
    return typed


#: Deal the first round of a match that `undealt_state` has set up. The argument `deck` lists the first cards of the
#: deck, from the top; the other cards are shuffled.
deal = dispatch_by_record_type(lambda _, rules: rules.deal)
#: Write the legal actions of a seat into `out` and return their number.
legal = dispatch_by_record_type(lambda _, rules: rules.legal)
#: Play a legal action: change the state in place.
apply = dispatch_by_record_type(lambda _, rules: rules.apply)
#: Write the final score of each seat into `out`; higher is better.
returns = dispatch_by_record_type(lambda _, rules: rules.returns)
#: Return whether a card that the viewer knows is visible to them at this moment, not only remembered.
shown = dispatch_by_record_type(lambda _, rules: rules.shown)
#: Reset those fields of a view that viewers know only from memory and cannot see on the table now, such as a list of
#: the discarded cards that are covered.
mask_recalled = dispatch_by_record_type(lambda _, rules: rules.mask_recalled)
#: Reset the game's own secret fields in a view, such as a field that says which way up each hidden card is. The cards
#: themselves and secret choices are in fields of all games, which `core.hidden_cards` resets.
mask_secrets = dispatch_by_record_type(lambda _, rules: rules.mask_secrets)
#: Return the pool (set of cards) from which the unknown card in a slot (card position) was drawn.
pool = dispatch_by_record_type(lambda _, rules: rules.pool)
#: Write the number of cards of each kind in each pool (set of cards) into ``counts[pool, kind]``.
pools = dispatch_by_record_type(lambda _, rules: rules.pools)
#: Place each card that the viewer knows to be in a certain hand or pile, without knowing where in it. The card gets a
#: random position in that hand or pile.
place_known = dispatch_by_record_type(lambda _, rules: rules.place_known)
#: Return whether a sampled world (a random full deal) agrees with all that the viewer knows.
is_consistent = dispatch_by_record_type(lambda _, rules: rules.is_consistent)
#: Move the viewer's hand to the beginning of the array `card` of a view, for a learner's observation, in games where
#: the cards of a hand have no fixed positions in that array.
put_viewer_slots_first = dispatch_by_record_type(lambda _, rules: rules.put_viewer_slots_first)

#: Bit mask of all seats. ``LOWEST_SEAT[mask]`` is the lowest seat in a bit mask of seats, -1 for the empty mask.
ALL_SEATS = (1 << MAX_SEATS) - 1
LOWEST_SEAT: Ints = np.array([(seats & -seats).bit_length() - 1 for seats in range(ALL_SEATS + 1)], np.int64)


@rule
def lowest_acting(s: Position) -> int:
    """Return the seat with the lowest number among those that are to act, or -1 if no seat is to act."""
    return LOWEST_SEAT[s.acting & ALL_SEATS]
