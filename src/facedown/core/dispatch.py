"""Rules by the state's type: code that works for every game is written once against these functions.

``apply(state, seat, action)`` finds the game by the record type of `state`: while compiling, through
`core.compile.jit.register_type_dispatch`; in plain Python, by a look-up of the dtype. So compiled search and simulation
over any game need no factory of closures, and are found again in the on-disk cache.

The functions take what the fields of their names in `core.ruleset.RuleSet` take.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from facedown.core.rule import INTERPRETED, rule
from facedown.core.ruleset import RuleSet
from facedown.core.state import MAX_SEATS, Ints, Position, type_mark

F = TypeVar("F", bound=Callable[..., Any])

#: The name and the rules of each game, by the first field of its records (`core.state.type_mark`).
_rules_by_mark: dict[str, tuple[str, RuleSet[Any]]] = {}


def register_rules(name: str, rules: RuleSet[Any]) -> None:
    """Make the rules of the game of that name known under their record type."""
    _rules_by_mark[type_mark(rules.record)] = name, rules


def _name_and_rules(position: Position) -> tuple[str, RuleSet[Any]]:
    record: Any = position
    try:
        return _rules_by_mark[record.dtype.names[0]]
    except KeyError:
        raise TypeError(f"no registered game has records of {record.dtype}") from None


def rules_of(position: Position) -> RuleSet[Any]:
    """The rules of a record."""
    return _name_and_rules(position)[1]


def dispatch_by_record_type(pick: Callable[[str, RuleSet[Any]], F]) -> F:
    """Make a function for compiled code and for Python: it calls the rule that `pick` names for its first argument.

    That is a record; `pick` is given the name of its game and the game's rules.
    """

    def call(s: Position, *more: Any) -> Any:
        # Interpreted, actions come out of arrays of narrow numbers.
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


#: Deal the first round of a match that was begun; `deck` names the first cards from the top.
deal = dispatch_by_record_type(lambda _, rules: rules.deal)
#: Write the legal actions of a seat into `out`; return how many.
legal = dispatch_by_record_type(lambda _, rules: rules.legal)
#: Play a legal action.
apply = dispatch_by_record_type(lambda _, rules: rules.apply)
#: Write the final scores into `out`, one for each seat, higher is better.
returns = dispatch_by_record_type(lambda _, rules: rules.returns)
#: May the viewer look at a card they know?
shown = dispatch_by_record_type(lambda _, rules: rules.shown)
#: Blank what is known but does not lie on the table.
mask_recalled = dispatch_by_record_type(lambda _, rules: rules.mask_recalled)
#: Blank the game's own secrets outside slots.
mask_secrets = dispatch_by_record_type(lambda _, rules: rules.mask_secrets)
#: The pool of an unknown card.
pool = dispatch_by_record_type(lambda _, rules: rules.pool)
#: Write how many cards of each kind each pool has into `counts`, ``counts[pool, kind]``.
pools = dispatch_by_record_type(lambda _, rules: rules.pools)
#: Place cards known to be somewhere in a zone, at random by the generator `g`.
place_known = dispatch_by_record_type(lambda _, rules: rules.place_known)
#: Does the filled world agree with all the viewer knows?
is_consistent = dispatch_by_record_type(lambda _, rules: rules.is_consistent)
#: Bring the viewer's slots to the front of a view whose slots are shared by all seats, for an observation.
put_viewer_slots_first = dispatch_by_record_type(lambda _, rules: rules.put_viewer_slots_first)

#: The lowest seat of each set of seats, -1 of none.
ALL_SEATS = (1 << MAX_SEATS) - 1
LOWEST_SEAT: Ints = np.array([(seats & -seats).bit_length() - 1 for seats in range(ALL_SEATS + 1)], np.int64)


@rule
def lowest_acting(s: Position) -> int:
    """The lowest seat that is to act, or -1 when nobody is."""
    return LOWEST_SEAT[s.acting & ALL_SEATS]
