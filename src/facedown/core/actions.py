"""Moves, and named kinds of actions. The number of an action is the first number of its kind plus an offset."""

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
    """Base class for the kinds of actions of a game. Each member's value is the first action number of its kind,
    ascending.

    Rules compose an action number, as in ``action = Act.TAKE + cell``. Code that writes text for people takes it apart
    with `decode`.

    >>> class Act(ActionKind):
    ...     TAKE = 0
    ...     DRAW = TAKE + 12
    >>> Act.decode(5), Act.decode(12)
    ((<Act.TAKE: 0>, 5), (<Act.DRAW: 12>, 0))
    """

    @classmethod
    def decode(cls, action: int) -> tuple[Self, int]:
        """Return the kind of an action and its offset from the kind's first number; `ValueError` if `action` is
        negative.
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
    """Values that the parameter can take, in the order in which actions are numbered."""
    declared_meaning: Meaning | None = None
    """Meaning of the values. None means: one of several unordered things, numbered from 0."""

    @property
    def meaning(self) -> Meaning:
        """Meaning of the values: the declared one or, by default, one of several unordered things."""
        return OneOf(max(self.values) + 1) if self.declared_meaning is None else self.declared_meaning


#: Parameters of each kind of action, by the kind's first number. The last parameter varies fastest in action numbers.
ParametersByKind = Mapping[int, tuple[ActionParameter, ...]]


def decode_parameters(kinds: type[ActionKind], choices: ParametersByKind, action: int) -> dict[str, int]:
    """Return the parameter values of an action, by parameter name; `ValueError` if `action` is negative.

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
