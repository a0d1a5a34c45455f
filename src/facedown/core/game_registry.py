"""Registry of games.

A game is a package in ``facedown.games``, or a separately installed one that is declared by an entry point of the group
``facedown.games``. Its module ``info`` is loaded to list the game, its module ``game`` to play it. `core.game_module`
describes what they export.

Pages, terminal, bots and tests find games only through this registry.
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
from facedown.core.translation import Texts, cache_by_language, language

#: Package of the built-in games. It is also the name of the entry-point group in which other packages declare games, as
#: in ``kuhn = "facedown_kuhn"``.
ENTRY_POINT_GROUP = "facedown.games"


class UnknownGame(KeyError):
    """Error: no game has this name. The error message lists the names of all games."""

    def __str__(self) -> str:
        return str(self.args[0])


def _game_package_names() -> list[str]:
    """Return the package names of all games: built-in ones, then those declared by installed packages."""
    house = importlib.util.find_spec(ENTRY_POINT_GROUP)
    folders = pkgutil.iter_modules(house.submodule_search_locations if house else (), f"{ENTRY_POINT_GROUP}.")
    inside = [one.name for one in folders if one.ispkg and importlib.util.find_spec(f"{one.name}.info")]
    elsewhere = [point.value for point in importlib.metadata.entry_points(group=ENTRY_POINT_GROUP)]
    return [*inside, *elsewhere]


@lru_cache(maxsize=1)
def _games_by_name() -> dict[str, tuple[Info, str]]:
    """Return the `Info` and the package name of each game, by the game's name, in display order."""
    found: dict[str, tuple[Info, str]] = {}
    for package in _game_package_names():
        try:
            info = importlib.import_module(f"{package}.info").INFO
        except Exception:
            if package.startswith("facedown."):
                raise
            # A broken game package must not prevent the other games from loading.
            logging.getLogger("facedown").exception("cannot load the game in %s", package)
            continue
        if info.name in found:
            logging.getLogger("facedown").error(
                "%s contains another game named %s, which is ignored", package, info.name
            )
            continue
        found[info.name] = info, package
    return dict(sorted(found.items(), key=lambda item: (item[1][0].order, item[0])))


@cache_by_language
def catalogue() -> dict[str, Info]:
    """Return the `Info` of all games by name, in display order and in the current language. No rules are loaded."""
    return {name: info.translate(Texts(package)) for name, (info, package) in _games_by_name().items()}


def _find_game(name: str) -> tuple[Info, str]:
    games = _games_by_name()
    if name not in games:
        there = ", ".join(games) or _("none")
        raise UnknownGame(_("unknown game {name}; available: {games}", name=name, games=there))
    return games[name]


def info(name: str) -> Info:
    """Return the `Info` of a game (title, options and other facts) in the current language.

    Raises `UnknownGame` if there is no such game.
    """
    _find_game(name)
    return catalogue()[name]


def package_of(name: str) -> str:
    """Return the name of a game's package. Raises `UnknownGame` if there is no such game."""
    return _find_game(name)[1]


def guide(name: str) -> str | None:
    """Return the Markdown source of a game's guide; None if it has none.

    The guide is in the current language or, if it is not translated, in English.
    """
    room = resources.files(package_of(name))
    for text in (room / f"guide.{language()}.md", room / "guide.md"):
        if text.is_file():
            return text.read_text(encoding="utf-8")
    return None


@cache
def art(name: str) -> Art:
    """Return the `Art` (visual design) of a game without loading its rules. An unknown game, or one without art, gets
    the default art.
    """
    module = f"{package_of(name)}.art" if name in catalogue() else ""
    if not module or importlib.util.find_spec(module) is None:
        return Art(name)
    found: Art = importlib.import_module(module).ART
    return found


@cache
def game(name: str) -> GameModule:
    """Load a game and register its rules for the generic functions of `core.rule_dispatch`. Return the game.

    Raises `UnknownGame` if there is no such game.
    """
    from facedown.core.rule_dispatch import register_rules

    found: GameModule = importlib.import_module(f"{package_of(name)}.game").GAME
    register_rules(name, found.rules)
    return found
