"""Calling a bot: it is given a view of its seat, never a state; one that is given a state by mistake refuses it."""

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
    """What a bot chooses with a share of its usual effort; one that knows no such thing is asked as always.

    `ValueError` unless the effort is above 0 and at most 1.
    """
    if not 0.0 < effort <= 1.0:
        raise ValueError(f"an effort is above 0 and at most 1, not {effort}")
    if effort < 1.0 and isinstance(bot, EffortBot):
        return bot.choose_within(game, view, seat, seed, effort)
    return bot.choose(game, view, seat, seed)


class NotAView(ValueError):
    """A bot was handed something that is not a view of its seat."""


def check_view(view: Position, seat: int) -> None:
    """Raise `NotAView` unless `view` is what `seat` knows: a true state has no viewer."""
    if view.viewer != seat:
        what = "a state with every secret in it" if view.viewer == NOBODY else f"the view of {view.viewer}"
        raise NotAView(f"the bot of seat {seat} was handed {what}")


def legal_actions_of_view(game: GameModule, view: View, seat: int) -> list[int]:
    """The legal actions of a seat by its own view (else `NotAView`); `ValueError` if the seat is not to act."""
    check_view(view, seat)
    legal = game.legal(view, seat)
    if not legal:
        raise ValueError(f"seat {seat} is not to act")
    return legal


def generator_for(seed: int) -> NDArray[np.uint64]:
    """The quick generator (`core.random_numbers.quick_below`) of a bot's one choice."""
    return quick_generator(key_of(seed_from_text(str(seed))), 0)
