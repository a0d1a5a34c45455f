"""Rules by the state's type: code that works for every game is written once against these functions.

``apply(state, seat, action)`` finds the game by the record type of `state`: while compiling, through
`core.compiling.chosen_by_type`; in plain Python, by a look-up of the dtype. So compiled search and simulation over any
game need no factory of closures, and are found again in the on-disk cache.

A rules module offers (all compiled unless said otherwise):

===============================  ==================================================================================
``deal(s, seats, options, key, deck, first)``  set up the first round
``legal(s, seat, out) -> n``     write the seat's legal actions, ascending, into an int array
``apply(s, seat, action)``       play a legal action
``returns(s, out)``              final scores, higher is better, one float a seat
``shown(s, slot, viewer)``       may the viewer *look* at this card, given that they know it?
``forget(s)``                    blank what is public knowledge but not on the table (called by `look`)
``conceal(s, viewer)``           blank secrets outside slots that are the game's own (most games: nothing)
``pool(s, slot)``                which pool an unknown card at this slot was drawn from
``pools(s, counts)``             the multiset of kinds of each pool, cards in known slots included
``settle(s, g)``                 before the holes are filled: place cards known to be somewhere in a zone
``fits(s, viewer)``              after filling: does this world agree with what the viewer knows beside the cards?
``FACES``, ``TOLD``              (not compiled, where needed) what a face is made of, what a rule tells: `core.told`
===============================  ==================================================================================
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from types import ModuleType
from typing import Any

from facedown.core.rule import INTERPRETED

_by_fields: dict[tuple[str, ...], ModuleType] = {}
_by_numba: list[tuple[Any, ModuleType]] = []


def register_rules(rules: ModuleType) -> None:
    """Make a rules module known under its ``DTYPE``."""
    _by_fields[rules.DTYPE.names] = rules
    if not INTERPRETED:
        import numba

        _by_numba.append((numba.from_dtype(rules.DTYPE), rules))


def rules_of(state: Any) -> ModuleType:
    """The rules module of a state record."""
    try:
        return _by_fields[state.dtype.names]
    except KeyError:
        raise TypeError(f"no registered game has states of {state.dtype}") from None


def apply(s: Any, seat: int, action: int) -> None:
    """Play a legal action."""
    rules_of(s).apply(s, seat, action)


def deal(s: Any, seats: int, options: Any, key: Any, deck: Any, first: int) -> None:
    """Set up the first round."""
    rules_of(s).deal(s, seats, options, key, deck, first)


def legal(s: Any, seat: int, out: Any) -> int:
    """Write the legal actions of a seat into `out`; return how many."""
    return int(rules_of(s).legal(s, seat, out))


def returns(s: Any, out: Any) -> None:
    """Write the final scores, higher is better."""
    rules_of(s).returns(s, out)


def shown(s: Any, slot: int, viewer: int) -> bool:
    """May the viewer look at a card they know?"""
    return bool(rules_of(s).shown(s, slot, viewer))


def forget(s: Any) -> None:
    """Blank what is known but does not lie on the table."""
    rules_of(s).forget(s)


def conceal(s: Any, viewer: int) -> None:
    """Blank the game's own secrets outside slots."""
    rules_of(s).conceal(s, viewer)


def pool(s: Any, slot: int) -> int:
    """The pool of an unknown card."""
    return int(rules_of(s).pool(s, slot))


def pools(s: Any, counts: Any) -> None:
    """The kinds of each pool."""
    rules_of(s).pools(s, counts)


def settle(s: Any, g: Any) -> None:
    """Place cards known to be somewhere in a zone."""
    rules_of(s).settle(s, g)


def fits(s: Any, viewer: int) -> bool:
    """Does the filled world agree with all the viewer knows?"""
    return bool(rules_of(s).fits(s, viewer))


def registered(state_type: Any) -> ModuleType | None:
    """The rules module of a Numba record type, or None; for `overload`s above this floor."""
    return next((rules for known, rules in _by_numba if known == state_type), None)


def found_by_type(function: Callable[..., Any], pick: Callable[[ModuleType], Any]) -> None:
    """Let compiled code call `function`, whose first parameter is a state record.

    `pick` gives the compiled function that stands for it in the game with these rules. Does nothing when everything
    runs interpreted: then `function` itself must look the game up.
    """
    if INTERPRETED:
        return
    from facedown.core.compiling import chosen_by_type

    def chosen(state_type: Any) -> Any:
        rules = registered(state_type)
        return None if rules is None else pick(rules)

    chosen_by_type(function, chosen)


for _name in ("deal", "legal", "apply", "returns", "shown", "forget", "conceal", "pool", "pools", "settle", "fits"):
    found_by_type(globals()[_name], operator.attrgetter(_name))
