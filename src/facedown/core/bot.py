"""Helper functions for bots and for code that calls bots.

A bot is called with a view, which has only what the bot's seat knows. Bots check this (`check_view`). If a bot is
called with a state, which has all hidden cards, `NotAView` is raised. So no bot can use hidden cards by mistake.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facedown.core.game_module import Bot as Bot
from facedown.core.game_module import EffortBot as EffortBot
from facedown.core.game_module import Evaluation as Evaluation
from facedown.core.game_module import GameModule
from facedown.core.game_module import Levels as Levels
from facedown.core.game_module import Policy as Policy
from facedown.core.random_numbers import key_of, quick_generator
from facedown.core.seeds import seed_from_text
from facedown.core.state import NOBODY, Position, View


def choose_with_effort(bot: Bot, game: GameModule, view: View, seat: int, seed: int, effort: float = 1.0) -> int:
    """Return the action that a bot chooses with only the share `effort` of its usual time and number of simulations.

    `effort` is above 0 and at most 1, else `ValueError`. A bot that does not implement `EffortBot` ignores it.
    """
    if not 0.0 < effort <= 1.0:
        raise ValueError(f"effort must be above 0 and at most 1, not {effort}")
    if effort < 1.0 and isinstance(bot, EffortBot):
        return bot.choose_within(game, view, seat, seed, effort)
    return bot.choose(game, view, seat, seed)


class NotAView(ValueError):
    """A bot was called with a state, or with the view of another seat."""


def check_view(view: Position, seat: int) -> None:
    """Raise `NotAView` unless `view` is the view of this seat. A state, in which all cards are known, is no view."""
    if view.viewer != seat:
        what = "a state with every secret in it" if view.viewer == NOBODY else f"the view of seat {view.viewer}"
        raise NotAView(f"the bot of seat {seat} was given {what}")


def legal_actions_of_view(game: GameModule, view: View, seat: int) -> list[int]:
    """Return the legal actions of a seat, computed from the seat's own view.

    Raises `NotAView` for a state or the view of another seat, and `ValueError` if the seat is not to act.
    """
    check_view(view, seat)
    legal = game.legal(view, seat)
    if not legal:
        raise ValueError(f"seat {seat} cannot move now")
    return legal


def generator_for(seed: int) -> NDArray[np.uint64]:
    """Return the state of a fast random number generator (`core.random_numbers.quick_generator`) for a bot's choice."""
    return quick_generator(key_of(seed_from_text(str(seed))), 0)
