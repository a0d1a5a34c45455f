"""Rules by the state's type: code that works for every game is written once against these functions.

``apply(state, seat, action)`` finds the game by the record type of `state`: while compiling, through
`core.compile.jit.chosen_by_type`; in plain Python, by a look-up of the dtype. So compiled search and simulation over
any game need no factory of closures, and are found again in the on-disk cache.

What there is to find is said in `core.ruleset`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from facedown.core.rule import INTERPRETED, rule
from facedown.core.ruleset import RuleSet
from facedown.core.state import MAX_SEATS, Ints, Position, mark_of

_by_mark: dict[str, tuple[str, RuleSet[Any]]] = {}
_by_numba: list[tuple[Any, str, RuleSet[Any]]] = []


def register_rules(name: str, rules: RuleSet[Any]) -> None:
    """Make the rules of the game of that name known under their record type."""
    _by_mark[mark_of(rules.record)] = name, rules
    if not INTERPRETED:
        import numba

        _by_numba.append((numba.from_dtype(rules.dtype), name, rules))


def _of(position: Position) -> tuple[str, RuleSet[Any]]:
    record: Any = position
    try:
        return _by_mark[record.dtype.names[0]]
    except KeyError:
        raise TypeError(f"no registered game has records of {record.dtype}") from None


def rules_of(position: Position) -> RuleSet[Any]:
    """The rules of a record."""
    return _of(position)[1]


def name_of(position: Position) -> str:
    """The name of the game of a record."""
    return _of(position)[0]


def deal(s: Position, deck: NDArray[np.int64], first: int) -> None:
    """Deal the first round of a match that was begun; `deck` names the first cards from the top."""
    rules_of(s).deal(s, deck, first)


def legal(s: Position, seat: int, out: NDArray[np.int32]) -> int:
    """Write the legal actions of a seat into `out`; return how many."""
    return rules_of(s).legal(s, seat, out)


def apply(s: Position, seat: int, action: int) -> None:
    """Play a legal action."""
    # Interpreted, actions come out of arrays of narrow numbers.
    rules_of(s).apply(s, int(seat), int(action))


def returns(s: Position, out: NDArray[np.float64]) -> None:
    """Write the final scores into `out`, one for each seat, higher is better."""
    rules_of(s).returns(s, out)


def shown(s: Position, slot: int, viewer: int) -> bool:
    """May the viewer look at a card they know?"""
    return rules_of(s).shown(s, slot, viewer)


def mask_recalled(s: Position) -> None:
    """Blank what is known but does not lie on the table."""
    rules_of(s).mask_recalled(s)


def mask_secrets(s: Position, viewer: int) -> None:
    """Blank the game's own secrets outside slots."""
    rules_of(s).mask_secrets(s, viewer)


def pool(s: Position, slot: int) -> int:
    """The pool of an unknown card."""
    return rules_of(s).pool(s, slot)


def pools(s: Position, counts: NDArray[np.int32]) -> None:
    """Write how many cards of each kind each pool has into `counts`, ``counts[pool, kind]``."""
    rules_of(s).pools(s, counts)


def place_known(s: Position, g: NDArray[np.uint32]) -> None:
    """Place cards known to be somewhere in a zone, at random by the generator `g`."""
    rules_of(s).place_known(s, g)


def is_consistent(s: Position, viewer: int) -> bool:
    """Does the filled world agree with all the viewer knows?"""
    return rules_of(s).is_consistent(s, viewer)


def arrange(s: Position, viewer: int) -> None:
    """Bring the viewer's slots to the front of a view whose slots are shared by all seats, for an observation."""
    rules_of(s).arrange(s, viewer)


#: The lowest seat of each set of seats, -1 of none.
ALL_SEATS = (1 << MAX_SEATS) - 1
LOWEST: Ints = np.array([(seats & -seats).bit_length() - 1 for seats in range(ALL_SEATS + 1)], np.int64)


@rule
def lowest_acting(s: Position) -> int:
    """The lowest seat that is to act, or -1 when nobody is."""
    return LOWEST[s.acting & ALL_SEATS]


def found_by_type(function: Callable[..., Any], pick: Callable[[str, RuleSet[Any]], Any]) -> None:
    """Let compiled code call `function`, whose first parameter is a record.

    `pick` gives, of a game's name and its rules, the compiled function that stands for it in that game. Does nothing
    when everything runs interpreted: then `function` itself must look the game up.
    """
    if INTERPRETED:
        return
    from facedown.core.compile.jit import chosen_by_type

    def chosen(record_type: Any) -> Any:
        return next((pick(name, rules) for known, name, rules in _by_numba if known == record_type), None)

    chosen_by_type(function, chosen)


for _rule in (
    deal,
    legal,
    apply,
    returns,
    shown,
    mask_recalled,
    mask_secrets,
    pool,
    pools,
    place_known,
    is_consistent,
    arrange,
):
    found_by_type(_rule, lambda _, rules, name=_rule.__name__: getattr(rules, name))  # type: ignore[misc]
