"""Facedown: tabletop card games of hidden information.

This module exports the names that most programs need. `docs/reference` describes all public modules.

>>> import facedown
>>> name, *others = facedown.games()
>>> match = facedown.Match(name, seats=2, seed=facedown.seed_from_text("front door"))
>>> bot = facedown.bot("random")
>>> while not match.over:
...     seat = match.acting[0]
...     step = match.play(seat, facedown.choose_for_seat(bot, match, seat, seed=match.ply))
>>> facedown.read(facedown.write(match)).match.returns == match.returns
True
>>> facedown.playouts(name, 100, seats=2, seed="front door").returns.shape
(100, 2)

Importing the package is cheap: NumPy, the rules and every exported name are loaded on first use.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any
from warnings import warn

if TYPE_CHECKING:
    from facedown.bots import bot, choose_for_seat
    from facedown.core.game_registry import catalogue as games
    from facedown.core.match import IllegalMove, Match
    from facedown.core.match_file import read, verify, write
    from facedown.core.seeds import seed_from_text
    from facedown.core.table import Table
    from facedown.simulate.random_playouts import playouts

__version__ = "0.1.0"

__all__ = [
    "IllegalMove",
    "Match",
    "__version__",
    "bot",
    "choose_for_seat",
    "games",
    "playouts",
    "read",
    "seed_from_text",
    "svg",
    "verify",
    "write",
]

#: Module that defines each exported name.
_EXPORT_MODULES = {
    "IllegalMove": "facedown.core.match",
    "Match": "facedown.core.match",
    "bot": "facedown.bots",
    "playouts": "facedown.simulate.random_playouts",
    "read": "facedown.core.match_file",
    "choose_for_seat": "facedown.bots",
    "seed_from_text": "facedown.core.seeds",
    "verify": "facedown.core.match_file",
    "write": "facedown.core.match_file",
}


def svg(table: Table) -> str:
    """Return an SVG picture of a match as one viewer sees it. For seat 0: ``facedown.svg(match.table(0))``."""
    drawn: str = import_module("facedown.server.rendering.preview_images").svg(table)
    return drawn


def __getattr__(name: str) -> Any:
    """Import an exported name on its first use (PEP 562)."""
    if name == "games":
        # `facedown.games` is a package that can also be called: `facedown.games()` returns all games by name.
        return import_module("facedown.games")
    if name == "seated":
        warn("facedown.seated is now choose_for_seat", DeprecationWarning, stacklevel=2)
        name = "choose_for_seat"
    if name not in _EXPORT_MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(_EXPORT_MODULES[name]), name)
    return found


def __dir__() -> list[str]:
    return list(__all__)


class _OldNameFinder:
    """Import hook that keeps the old names of renamed public modules, functions and methods working."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> Any:
        """Return the import spec of a renamed module or of a module with renamed members, else None."""
        if not name.startswith("facedown.") or name == "facedown._renamed":
            return None
        return import_module("facedown._renamed").find_spec(name, path)


sys.meta_path.insert(0, _OldNameFinder)
