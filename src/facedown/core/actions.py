"""Moves, and the kinds of actions of a game, such as "draw" and "take".

An action is a number. Each kind of action has a block of consecutive numbers. The number of an action is the first
number of the block plus an offset, which distinguishes the actions of that kind: which card is taken, for example.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from math import prod
from typing import Self, TypeVar

from facedown.core.field_meanings import Meaning, OneOf

A = TypeVar("A", bound="ActionKind")


@dataclass(frozen=True, slots=True)
class Move:
    """One action by one seat."""

    seat: int
    action: int


class ActionKind(IntEnum):
    """Base class of the enumeration of a game's kinds of actions. Members are declared in ascending order.

    Each kind has a block of consecutive action numbers. The value of a member is the first number of the block. The
    code of a game adds an offset to form an action number, as in ``action = Act.TAKE + cell``. Code that describes
    actions to people splits the number into kind and offset with `decode`.

    >>> class Act(ActionKind):
    ...     TAKE = 0
    ...     DRAW = TAKE + 12
    >>> Act.decode(5), Act.decode(12)
    ((<Act.TAKE: 0>, 5), (<Act.DRAW: 12>, 0))
    """

    @classmethod
    def decode(cls, action: int) -> tuple[Self, int]:
        """Return the kind of an action, and the offset of `action` from the first number of that kind.

        Raises `ValueError` if `action` is negative.
        """
        return _decode(cls, int(action))


@cache
def _decode(kinds: type[A], action: int) -> tuple[A, int]:
    if action < 0:
        raise ValueError(f"there is no action {action}")
    kind = max(kind for kind in kinds if kind <= action)
    return kind, action - kind


# --- action parameters, for code that reads actions as rows of numbers ------------------------------------------------


@dataclass(frozen=True)
class ActionParameter:
    """One parameter of a kind of action, such as a place on the table or a number of cards."""

    name: str
    values: Sequence[int]
    """All values of the parameter, in the order in which actions are numbered."""
    declared_meaning: Meaning | None = None
    """Meaning of the values. None means that each value is the index of a category, such as a kind of card."""

    @property
    def meaning(self) -> Meaning:
        """Declared meaning of the parameter's values. By default, each value is the index of a category (`OneOf`)."""
        return OneOf(max(self.values) + 1) if self.declared_meaning is None else self.declared_meaning


#: Parameters of each kind of action, indexed by the first action number of the kind. The actions of a kind are numbered
#: in lexicographic order of their parameter values, so the last parameter changes fastest.
ParametersByKind = Mapping[int, tuple[ActionParameter, ...]]


def decode_parameters(kinds: type[ActionKind], choices: ParametersByKind, action: int) -> dict[str, int]:
    """Return the parameter values of an action, by parameter name; `ValueError` if `action` is negative.

    `choices` lists the parameters of each kind of action. A kind that it does not list has no parameters.

    >>> class Act(ActionKind):
    ...     TAKE = 0
    ...     DRAW = TAKE + 12
    >>> choices = {Act.TAKE: (ActionParameter("column", range(4)), ActionParameter("row", range(3)))}
    >>> decode_parameters(Act, choices, 5), decode_parameters(Act, choices, 12)
    ({'column': 1, 'row': 2}, {})
    """
    kind, rest = kinds.decode(action)
    found = {}
    of_kind = choices.get(kind, ())
    for at, choice in enumerate(of_kind):
        place, rest = divmod(rest, prod(len(later.values) for later in of_kind[at + 1 :]))
        found[choice.name] = choice.values[place]
    return found
