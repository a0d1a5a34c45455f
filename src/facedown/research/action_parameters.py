"""Action table: for each action of a game, a row of numbers for learners that evaluate actions one by one.

Some games have hundreds of similar actions: the same set from another position, the same card into another gap. A
network that receives the parameters of an action as input can apply what it learns about one action to similar ones.

The table is derived from the game's declaration of its actions (`core.actions`). It is the same in every match.

>>> from facedown.core.game_registry import catalogue
>>> table = action_table_of(next(iter(catalogue())))
>>> table.column_names
('kind', 'swapped', 'order', 'column')
>>> table.compact[[0, 3, 9]].tolist()
[[0, 0, -1, -1], [0, 3, -1, -1], [2, 0, 0, -1]]
>>> table.one_hot.shape
(23, 19)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from facedown.bots.observation import one_hot_encoding_of, write_one_hot
from facedown.bots.observation_codegen import ObservationBlock
from facedown.core.actions import decode_parameters
from facedown.core.field_meanings import Meaning, OneOf, Seat
from facedown.core.game_registry import GameModule
from facedown.core.game_registry import game as load_game

#: Entry of the table for a parameter that the action does not have. It is used in columns of categories or seats. In
#: columns of sets or numbers, the entry is 0 instead.
NONE = -1


@dataclass(frozen=True, eq=False)
class ActionTable:
    """Table of numbers that describe all actions of a game: one row for each action, one column for each parameter.

    A parameter is a detail of an action, such as the card or the column that it concerns. The first column is the kind
    of action, such as "draw". The index of a row is the number of the action.

    If a game does not declare its kinds of actions, the only column is the number of the action.
    """

    game: GameModule
    columns: tuple[ObservationBlock, ...]
    """Name and meaning of each column."""
    compact: NDArray[np.int16]
    """The value of each parameter for each action, of shape (actions, columns). If an action does not have a parameter,
    the value is −1 (`NONE`) in columns of categories or seats, and 0 in columns of sets or numbers."""

    @property
    def column_names(self) -> tuple[str, ...]:
        """Names of the columns: ``kind`` (the type of action), then the parameters of actions."""
        return tuple(column.name for column in self.columns)

    @cached_property
    def one_hot(self) -> NDArray[np.float32]:
        """The table in one-hot encoding, with one row for each action.

        Each column of `compact` becomes one or more columns here:

        * Categories and seats: one column for each possible value. It is 1 for the value of the action, else 0.
        * Sets: one column for each possible member. It is 1 if the set has this member, else 0.
        * Numbers: one column, with the number scaled to the range from 0 to 1.
        """
        spreading = one_hot_encoding_of(self.game, self.columns, self.game.info.seats[1])
        out = np.zeros((len(self.compact), int(spreading[-1, 0] + spreading[-1, 2])), np.float32)
        for action in range(len(out)):
            write_one_hot(self.compact, action, spreading, out, action)
        return out

    def describe_columns(self) -> str:
        """Return a text that lists the columns, one per line: index, name, and meaning of the numbers."""
        return "\n".join(f"{column.first:>3}  {column.name:<14} {column.description}" for column in self.columns)


def action_table_of(name: str | GameModule) -> ActionTable:
    """Return a table of all actions of a game, in which each row describes one action by its parameters as numbers.

    If the game does not declare its kinds of actions (`RuleSet.action_kinds`), the only column is the action itself (an
    integer). `name` is the name of the game, or its module. Raise `UnknownGame` if no game has this name.
    """
    game = load_game(name) if isinstance(name, str) else name
    acts = game.rules.action_kinds
    if acts is None:
        # The game declares no kinds of actions, so the only column is the action itself (an integer).
        columns = _compact_column_blocks([("action", OneOf(game.actions))])
        return ActionTable(game, columns, np.arange(game.actions, dtype=np.int16).reshape(-1, 1))
    meant: dict[str, Meaning] = {"kind": OneOf(len(acts))}
    for choices in game.rules.choices.values():
        meant |= {choice.name: choice.meaning for choice in choices}
    absent = {name: NONE if isinstance(meaning, OneOf | Seat) else 0 for name, meaning in meant.items()}
    kinds = list(acts)
    compact = np.zeros((game.actions, len(meant)), np.int16)
    for action in range(game.actions):
        kind = kinds.index(acts.decode(action)[0])
        compact[action] = list((absent | {"kind": kind} | decode_parameters(acts, game.rules.choices, action)).values())
    compact.flags.writeable = False
    return ActionTable(game, _compact_column_blocks(list(meant.items())), compact)


def _compact_column_blocks(columns: Sequence[tuple[str, Meaning]]) -> tuple[ObservationBlock, ...]:
    return tuple(ObservationBlock("", name, meaning, first=at) for at, (name, meaning) in enumerate(columns))
