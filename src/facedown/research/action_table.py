"""What each action of a game is about, as rows of numbers: for learners that judge actions one by one.

Some games have hundreds of actions that are alike: the same set from another place, the same card to another gap. A
network that is told what an action picks learns of one what holds for the others. The table is made from the game's
declaration of its actions (`core.actions`) and is the same at every table.

>>> from facedown.core.game_registry import catalogue
>>> table = actions_of(next(iter(catalogue())))
>>> table.names
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

from facedown.bots.observation import one_hot_columns_of, write_one_hot
from facedown.bots.observation_codegen import ObservationBlock
from facedown.core.actions import decode_parameters
from facedown.core.field_types import Meaning, OneOf, Seat
from facedown.core.game_registry import GameModule
from facedown.core.game_registry import game as load_game

#: In a column that is not about an action: none of the things that it names; of sets and numbers 0.
NONE = -1


@dataclass(frozen=True, eq=False)
class ActionTable:
    """What the actions of a game are about, a row for each."""

    game: GameModule
    columns: tuple[ObservationBlock, ...]
    """What each number of a row is."""
    compact: NDArray[np.int16]
    """(actions, columns); −1 for none of the things that a column names, of sets and numbers 0."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns: the kind of the action, then what it picks."""
        return tuple(column.name for column in self.columns)

    @cached_property
    def one_hot(self) -> NDArray[np.float32]:
        """The same spread out as observations are: things as noughts and a one, sets as bits, numbers scaled."""
        spreading = one_hot_columns_of(self.game, self.columns, self.game.info.seats[1])
        out = np.zeros((len(self.compact), int(spreading[-1, 0] + spreading[-1, 2])), np.float32)
        for action in range(len(out)):
            write_one_hot(self.compact, action, spreading, out, action)
        return out

    def describe_columns(self) -> str:
        """Column by column, for people: its name, what its numbers mean."""
        return "\n".join(f"{column.first:>3}  {column.name:<14} {column.description}" for column in self.columns)


def actions_of(name: str | GameModule) -> ActionTable:
    """The table of a game's actions; `UnknownGame` for a game that there is not."""
    game = load_game(name) if isinstance(name, str) else name
    acts = game.rules.action_kinds
    if acts is None:
        # Nothing is known of them but that they differ.
        columns = _blocks([("action", OneOf(game.actions))])
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
    return ActionTable(game, _blocks(list(meant.items())), compact)


def _blocks(columns: Sequence[tuple[str, Meaning]]) -> tuple[ObservationBlock, ...]:
    return tuple(ObservationBlock("", name, meaning, first=at) for at, (name, meaning) in enumerate(columns))
