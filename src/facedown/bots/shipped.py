"""The networks that come with the games, each for some numbers of players."""

from __future__ import annotations

from functools import cache
from importlib import resources

from facedown.bots.critic_search import CriticSearchBot
from facedown.bots.features import features_of
from facedown.bots.network_bot import NetworkBot
from facedown.bots.weights import Weights, load
from facedown.core.bot import Bot, chosen
from facedown.core.game import GameModule, package_of
from facedown.core.state import View


class BySeats:
    """Plays by the network that was trained for so many players, and otherwise as the bot that it is given.

    With `core.bot.Levels.worlds` it looks a turn ahead (`bots.critic_search`), else it plays what the network says.
    """

    def __init__(self, game: GameModule, otherwise: Bot) -> None:
        self._game, self._otherwise = game, otherwise

    def choose(self, game: GameModule, view: View, seat: int, seed: int) -> int:
        """The choice of the network for the players at this table, where there is one."""
        return self._bot(view.seats).choose(game, view, seat, seed)

    def choose_within(self, game: GameModule, view: View, seat: int, seed: int, effort: float) -> int:
        """The same with a share of the usual effort."""
        return chosen(self._bot(view.seats), game, view, seat, seed, effort)

    def _bot(self, seats: int) -> Bot:
        levels = self._game.levels
        for few, many, file in levels.networks:
            if few <= seats <= many:
                network = shipped(self._game.name, file)
                if levels.worlds:
                    return CriticSearchBot(network, levels.worlds, self._otherwise)
                return NetworkBot(network, levels.temperature, self._otherwise)
        return self._otherwise


@cache
def shipped(name: str, file: str) -> Weights:
    """Weights that come with a game; `Misfit` if they do not fit its features."""
    path = resources.files(package_of(name)) / "weights" / f"{file}.npz"
    with path.open("rb") as source:
        found = load(source)
    found.check(name, features_of(name).layout)
    return found
