"""Settings for the tests of the adapters: every game with three sets of options."""

from __future__ import annotations

import random
from dataclasses import dataclass

from facedown.check.random_matches import GAMES, match_with_random_options
from facedown.core.match import Match


@dataclass(frozen=True)
class Setting:
    """A game with a number of seats and options."""

    game: str
    seats: int
    options: tuple[tuple[str, str], ...]

    @property
    def chosen(self) -> dict[str, str]:
        """Return the options by name."""
        return dict(self.options)

    def __str__(self) -> str:
        return f"{self.game}-{self.seats}-{'-'.join(value for _, value in self.options)[:24] or 'default'}"


def settings(game: str) -> list[Setting]:
    """Return the default with the fewest seats, and two tables with other options and numbers of seats."""
    from facedown.core.game_registry import info

    found = [Setting(game, info(game).seats[0], ())]
    for number in range(2):
        match = match_with_random_options(game, random.Random(f"research {game} {number}"))
        found.append(Setting(game, match.seats, tuple(sorted(match.options.items()))))
    return found


def play_pauses(match: Match) -> None:
    """Play the pauses after a round, as environments do by themselves."""
    pause = match.game.rules.pause
    while not match.over and pause >= 0 and match.legal(match.acting[0]) == [pause]:
        match.play(match.acting[0], pause)


ALL = [setting for game in GAMES for setting in settings(game)]
