"""Moves, and the kinds of a game's actions by name: an action is the first number of its kind plus its subject."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from math import prod
from typing import Self, TypeVar

from facedown.core.field_types import Meaning, OneOf

A = TypeVar("A", bound="ActionKind")


@dataclass(frozen=True, slots=True)
class Move:
    """One action of one seat."""

    seat: int
    action: int


class ActionKind(IntEnum):
    """The kinds of actions of a game, each by its first number, ascending from 0.

    Rules say ``action = Act.TAKE + cell``; people's words take an action apart with `decode`.

    >>> class Act(ActionKind):
    ...     TAKE = 0
    ...     DRAW = TAKE + 12
    >>> Act.of(5), Act.of(12)
    ((<Act.TAKE: 0>, 5), (<Act.DRAW: 12>, 0))
    """

    @classmethod
    def decode(cls, action: int) -> tuple[Self, int]:
        """The kind of an action, and what was added to its first number; `ValueError` below 0."""
        return _decode(cls, int(action))


@cache
def _decode(kinds: type[A], action: int) -> tuple[A, int]:
    if action < 0:
        raise ValueError(f"there is no action {action}")
    kind = max(kind for kind in kinds if kind <= action)
    return kind, action - kind


# --- what is added, for whoever reads actions as rows of numbers ------------------------------------------------------


@dataclass(frozen=True)
class ActionParameter:
    """One of the things that an action of a kind picks, such as a place or a number of cards."""

    name: str
    values: Sequence[int]
    """What may be picked, in the order in which actions are numbered."""
    declared_meaning: Meaning | None = None
    """What these numbers mean; None: one of so many things, from 0."""

    @property
    def meaning(self) -> Meaning:
        """What the numbers mean."""
        return OneOf(max(self.values) + 1) if self.declared_meaning is None else self.declared_meaning


#: What is added to the first number of each kind. The last of several choices goes through its values first.
ParametersByKind = Mapping[int, tuple[ActionParameter, ...]]


def decode_parameters(kinds: type[ActionKind], choices: ParametersByKind, action: int) -> dict[str, int]:
    """What an action picks, by the names of its choices; `ValueError` below 0.

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
