"""Greedy bots: what looks best at once, by what the seat knows.

Each game has one compiled function ``greedy(s, seat, q) -> action`` in the module of its name here. It reads public
fields and the slots that the seat knows, so it answers alike on a state and on that seat's view: search uses it inside
compiled playouts, where states are plain, while `GreedyBot` hands it views only. `greedy` below finds the function by
the type of the record, in compiled and in plain Python code alike, as `core.generic` does for rules.
"""

from __future__ import annotations

import importlib
import importlib.util
from functools import cache
from types import ModuleType
from typing import Any

from facedown.bots.base import check_view, generator_for
from facedown.core.game import Game
from facedown.core.game import game as load_game
from facedown.core.generic import found_by_type, rules_of
from facedown.core.rule import rule


class NoGreedyBot(LookupError):
    """This game has no greedy bot."""


@cache
def module_of(name: str) -> ModuleType:
    """The greedy module of a game; `NoGreedyBot` if there is none."""
    full = f"{__name__}.{name}"
    if importlib.util.find_spec(full) is None:
        raise NoGreedyBot(f"{name} has no greedy bot")
    return importlib.import_module(full)


def _module_of_rules(rules: ModuleType) -> ModuleType:
    # facedown.games.detect.rules → detect
    return module_of(rules.__name__.split(".")[-2])


def greedy(s: Any, seat: int, q: Any) -> int:
    """The greedy action of a seat that is to act; `q` is a quick generator for choices between equals."""
    return int(_module_of_rules(rules_of(s)).greedy(s, seat, q))


found_by_type(greedy, lambda rules: _module_of_rules(rules).greedy)


@rule
def greedy_action(s: Any, seat: int, q: Any) -> int:
    """Compiled entry: the greedy action of a seat."""
    return greedy(s, seat, q)


def reason(game: Game, view: Any, seat: int, action: int) -> str:
    """Why the greedy bot of a game likes an action, in words; empty where its module has no `reason` of its own."""
    check_view(view, seat)
    said = getattr(module_of(game.name), "reason", None)
    return str(said(view, seat, action)) if said else ""


class GreedyBot:
    """Plays what looks best at once."""

    def choose(self, game: Game, view: Any, seat: int, seed: int) -> int:
        """The greedy action; `ValueError` if the seat is not to act."""
        check_view(view, seat)
        load_game(game.name)
        if not game.legal(view, seat):
            raise ValueError(f"seat {seat} is not to act")
        return int(module_of(game.name).greedy(view, seat, generator_for(seed)))
