"""The kinds of a game's actions, by name: an action is the first number of its kind and what it is about, added."""

from __future__ import annotations

from enum import IntEnum
from functools import cache
from typing import Self, TypeVar

A = TypeVar("A", bound="Actions")


class Actions(IntEnum):
    """The kinds of actions of a game, each by its first number, ascending from 0.

    Rules say ``action = Act.TAKE + cell``; people's words take an action apart with `of`.

    >>> class Act(Actions):
    ...     TAKE = 0
    ...     DRAW = TAKE + 12
    >>> Act.of(5), Act.of(12)
    ((<Act.TAKE: 0>, 5), (<Act.DRAW: 12>, 0))
    """

    @classmethod
    def of(cls, action: int) -> tuple[Self, int]:
        """The kind of an action, and what was added to its first number; `ValueError` below 0."""
        return _of(cls, int(action))


@cache
def _of(kinds: type[A], action: int) -> tuple[A, int]:
    if action < 0:
        raise ValueError(f"there is no action {action}")
    kind = max(kind for kind in kinds if kind <= action)
    return kind, action - kind
