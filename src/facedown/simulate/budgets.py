"""Bots of the arena that think for so many simulations: ``strong@1600``, ``search@400``.

With them one sees how strength grows with the budget, and gets the same table on every machine. ``strong@N`` is level
strong with N simulations a move, ``search@N`` information-set tree search with a light policy for its rollouts; both
play without a mistake where a solver of the game reaches.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from facedown.bots.levels import ByGame, thinking
from facedown.core.bot import Bot
from facedown.core.game import GameModule
from facedown.core.game import game as load_game
from facedown.core.language import listed
from facedown.simulate.texts import _


class NoBudget(ValueError):
    """A budget that no bot can have; the text says why in one line."""


def _searching(game: GameModule, simulations: int) -> Bot:
    from facedown.bots.search import Budget, SearchBot

    found = SearchBot(Budget(simulations), noise=0)
    return found if game.levels.expert is None else game.levels.expert(found)


KINDS: dict[str, Callable[[GameModule, int], Bot]] = {"strong": thinking, "search": _searching}


def trained(name: str, folder: str = "") -> Bot | None:
    """The bot of a trained network whose file is named, as ``run/network.npz``; None for another name.

    ``run/network.npz@1`` mixes its moves by their odds at temperature 1. The path is looked at from `folder`.
    Raises `Misfit` if the file does not fit.

    >>> trained("greedy") is None
    True
    """
    given = re.fullmatch(r"(.+\.npz)(?:@(\d+(?:\.\d+)?))?", name)
    if not given:
        return None
    from facedown.bots.network_bot import NetworkBot
    from facedown.bots.weights import load

    network, temperature = load(Path(folder, given[1])), float(given[2] or 0)
    if load_game(network.game).features is not None:
        return NetworkBot(network, temperature)
    # Trained on the observation, which belongs to research: a layer that is not loaded for anything else here.
    observed: Any = importlib.import_module("facedown.research.learning.observed")
    player: Bot = observed.ObservationBot(network, temperature)
    return player


def with_budget(name: str) -> Bot | None:
    """The bot of a name like ``strong@1600``; None for a name without a budget.

    Raises `NoBudget` for a budget that is no number above zero, or a bot that takes none.

    >>> with_budget("greedy") is None
    True
    """
    kind, at, number = name.partition("@")
    if not at:
        return None
    if kind not in KINDS:
        raise NoBudget(_("{name}: only {kinds} take a number of simulations", name=name, kinds=listed(list(KINDS))))
    if not (number.isascii() and number.isdigit() and int(number) > 0):
        raise NoBudget(_("{name}: write {kind}@ and a number of simulations above zero", name=name, kind=kind))
    simulations = int(number)
    return ByGame(lambda game: KINDS[kind](game, simulations))
