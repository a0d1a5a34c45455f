"""The registry of games.

A game is a package: one below ``facedown.games``, or one that is installed beside Facedown and named by an entry point
of the group ``facedown.games``. Its module ``info`` is loaded to list it, its module ``game`` when it is played
(`core.game_module` says what they export). Pages, terminal, bots and tests find games by the registry alone.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import logging
import pkgutil
from functools import cache, lru_cache
from importlib import resources

from facedown.core.art import Art
from facedown.core.game_module import GameModule as GameModule
from facedown.core.game_module import Info as Info
from facedown.core.game_module import ObservedAction as ObservedAction
from facedown.core.game_module import Scorekeeper as Scorekeeper
from facedown.core.game_module import Tables as Tables
from facedown.core.game_module import Words as Words
from facedown.core.i18n import _
from facedown.core.language import Texts, cache_by_language, language

#: The package of the house's games, and the group in which packages from elsewhere declare theirs:
#: ``kuhn = "facedown_kuhn"``.
ENTRY_POINT_GROUP = "facedown.games"


class UnknownGame(KeyError):
    """No game of that name; the text names the ones there are."""

    def __str__(self) -> str:
        return str(self.args[0])


def _packages() -> list[str]:
    """The packages of all games: those of the house, and those that installed packages declare."""
    house = importlib.util.find_spec(ENTRY_POINT_GROUP)
    folders = pkgutil.iter_modules(house.submodule_search_locations if house else (), f"{ENTRY_POINT_GROUP}.")
    inside = [one.name for one in folders if one.ispkg and importlib.util.find_spec(f"{one.name}.info")]
    elsewhere = [point.value for point in importlib.metadata.entry_points(group=ENTRY_POINT_GROUP)]
    return [*inside, *elsewhere]


@lru_cache(maxsize=1)
def _games_by_name() -> dict[str, tuple[Info, str]]:
    """All games by name, in their order: what is said of each, and its package."""
    found: dict[str, tuple[Info, str]] = {}
    for package in _packages():
        try:
            info = importlib.import_module(f"{package}.info").INFO
        except Exception:
            if package.startswith("facedown."):
                raise
            # A game from elsewhere that cannot be loaded takes no other with it.
            logging.getLogger("facedown").exception("the game of %s cannot be loaded", package)
            continue
        if info.name in found:
            logging.getLogger("facedown").error("%s brings another game named %s: it is left out", package, info.name)
            continue
        found[info.name] = info, package
    return dict(sorted(found.items(), key=lambda item: (item[1][0].order, item[0])))


@cache_by_language
def catalogue() -> dict[str, Info]:
    """All games by name, in their order, without loading any rules; their words in the language that is spoken."""
    return {name: info.translate(Texts(package)) for name, (info, package) in _games_by_name().items()}


def _find_game(name: str) -> tuple[Info, str]:
    games = _games_by_name()
    if name not in games:
        there = ", ".join(games) or _("none")
        raise UnknownGame(_("unknown game {name}: there are {games}", name=name, games=there))
    return games[name]


def info(name: str) -> Info:
    """The information on a game in the language that is spoken; `UnknownGame` names the ones there are."""
    _find_game(name)
    return catalogue()[name]


def package_of(name: str) -> str:
    """The package that a game stands in; `UnknownGame` names the ones there are."""
    return _find_game(name)[1]


def guide(name: str) -> str | None:
    """The guide of a game as it is written (Markdown), in the language that is spoken or else in English; None where
    it has none.
    """
    room = resources.files(package_of(name))
    for text in (room / f"guide.{language()}.md", room / "guide.md"):
        if text.is_file():
            return text.read_text(encoding="utf-8")
    return None


@cache
def art(name: str) -> Art:
    """What a game looks like, without loading its rules; plain art for a game without any, or of no game."""
    module = f"{package_of(name)}.art" if name in catalogue() else ""
    if not module or importlib.util.find_spec(module) is None:
        return Art(name)
    found: Art = importlib.import_module(module).ART
    return found


@cache
def game(name: str) -> GameModule:
    """A game with its rules loaded and known to the generic functions."""
    from facedown.core.dispatch import register_rules

    found: GameModule = importlib.import_module(f"{package_of(name)}.game").GAME
    register_rules(name, found.rules)
    return found
