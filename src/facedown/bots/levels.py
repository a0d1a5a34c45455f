"""The bots that can be seated, by name.

A level is a plan: which bot plays which game. Beginner and casual look no further than the next move. Strong and
master think ahead (`bots.foresight`, in Uncovered! `bots.partner`), and where all is known they play without a mistake
(`bots.exact`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from facedown.bots.base import Bot, Level
from facedown.core.game import Game


class UnknownBot(KeyError):
    """No bot of that name; the text names the ones there are."""

    def __str__(self) -> str:
        return str(self.args[0])


#: How often level strong tries moves before each of its own: enough to beat casual, and to be beaten by master.
SIMULATIONS = {"detect": 300, "reveal": 40, "reveille": 40, "scout": 200}
#: What level master stops at where more brings nothing (docs/strength.md). Elsewhere it takes all its time.
ENOUGH = {"reveal": 1600, "reveille": 1600}
#: The same in Uncovered!: how often level strong looks at its swaps again.
STRONG_LOOKS = 1
#: How long level master thinks about a move, in seconds on one core; the slowest is to stay under two.
SECONDS = 1.0


class ByGame:
    """Plays each game by the bot that `pick` names for it; the bots are made when they are first asked."""

    def __init__(self, pick: Callable[[str], Bot]) -> None:
        self._pick = pick
        self._made: dict[str, Bot] = {}

    def choose(self, game: Game, view: Any, seat: int, seed: int) -> int:
        """The choice of the game's bot."""
        if game.name not in self._made:
            self._made[game.name] = self._pick(game.name)
        return self._made[game.name].choose(game, view, seat, seed)


def _random() -> Bot:
    from facedown.bots.random import RandomBot

    return RandomBot()


def _greedy() -> Bot:
    from facedown.bots.greedy import GreedyBot

    return GreedyBot()


def _beginner() -> Bot:
    from facedown.bots.beginner import BeginnerBot

    return BeginnerBot()


def strong_at(name: str) -> Bot:
    """A bot that thinks ahead for a moment."""
    return thinking(name, SIMULATIONS.get(name, STRONG_LOOKS), 0.0)


def master_at(name: str) -> Bot:
    """The same with time to think."""
    return thinking(name, ENOUGH.get(name, 0), SECONDS)


def thinking(name: str, simulations: int, seconds: float = 0.0) -> Bot:
    """A bot that thinks ahead, and plays without a mistake where a solver reaches.

    It stops at so many simulations or after so many seconds; 0: no such limit. In Uncovered! a simulation is another
    look at the swaps in question.
    """
    if name == "uncovered":
        from facedown.bots.partner import LOOKS, PartnerBot

        return PartnerBot(min(simulations or LOOKS, LOOKS))
    from facedown.bots.foresight import ForesightBot
    from facedown.bots.search import Budget

    found = ForesightBot(Budget(simulations, seconds))
    if name == "reveille":
        from facedown.bots.exact import ExactBot

        return ExactBot(found)
    return found


@dataclass(frozen=True, slots=True)
class Entry:
    """A level and what makes its bot."""

    level: Level
    make: Callable[[], Bot]


_SHELF = (
    Entry(Level("random", "Random", "plays anything that is allowed", offered=False), _random),
    Entry(Level("greedy", "Greedy", "takes what looks best at once", offered=False), _greedy),
    Entry(Level("beginner", "Beginner", "often plays just anything"), _beginner),
    Entry(Level("casual", "Casual", "takes what looks best at once", usual=True), _greedy),
    Entry(Level("strong", "Strong", "thinks ahead for a moment"), lambda: ByGame(strong_at)),
    Entry(
        Level("master", "Master", "thinks ahead, errs seldom"),
        lambda: ByGame(master_at),
    ),
)

#: The levels, weakest first; the first two are for the arena and for tables that name them.
LEVELS: tuple[Level, ...] = tuple(entry.level for entry in _SHELF)


def bot(name: str) -> Bot:
    """The bot of a level; `UnknownBot` (a `KeyError`) names the levels there are."""
    for entry in _SHELF:
        if entry.level.key == name:
            return entry.make()
    raise UnknownBot(f"unknown bot {name}: there are {', '.join(level.key for level in LEVELS)}")
