"""What a bot is: a choice made from a view of its seat.

`choose` is handed a view, never a state. `seated` is the one way from a match to a bot's choice, and it calls
`core.slots.observe`; a bot that is handed a state by mistake refuses it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from facedown.core.chance import key_of
from facedown.core.game import Game
from facedown.core.match import Match, seed_from_text
from facedown.core.state import NOBODY


class Bot(Protocol):
    """Chooses actions, and sees nothing but views from `core.slots.observe`."""

    def choose(self, game: Game, view: Any, seat: int, seed: int) -> int:
        """A legal action of `seat`; the same arguments give the same action."""


@dataclass(frozen=True, slots=True)
class Level:
    """A strength that a person can pick."""

    key: str
    label: str
    says: str
    """How it plays, in a few words."""
    offered: bool = True
    """Does a form offer it? Others can be named all the same."""
    usual: bool = False
    """Is it the one that a form begins with?"""


class NotAView(ValueError):
    """A bot was handed something that is not a view of its seat."""


def check_view(view: Any, seat: int) -> None:
    """Raise `NotAView` unless `view` is what `seat` knows: a true state has no viewer."""
    viewer = int(view.viewer)
    if viewer != seat:
        what = "a state with every secret in it" if viewer == NOBODY else f"the view of {viewer}"
        raise NotAView(f"the bot of seat {seat} was handed {what}")


def generator_for(seed: int) -> NDArray[np.uint64]:
    """The quick generator (`core.chance.quick_below`) of a bot's one choice."""
    from facedown.core.chance import quick_seed

    return quick_seed(key_of(seed_from_text(str(seed))), 0)


def seated(bot: Bot, match: Match, seat: int, seed: int) -> int:
    """The choice of a bot that sits at `seat`, from what that seat knows."""
    return bot.choose(match.game, match.view(seat), seat, seed)
