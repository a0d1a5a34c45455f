"""Built-in games: each package in this folder is one game.

The registry lists every package here that has an `info` module. The package itself can be called: ``facedown.games()``
returns the catalogue of games.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from facedown.core.game_registry import Info


class _Games(ModuleType):
    """Callable module type: ``facedown.games`` is both this package and a function of the public API."""

    def __call__(self) -> dict[str, Info]:
        """Return the `Info` of every game by name, in display order, without loading any rules."""
        from facedown.core.game_registry import catalogue

        return catalogue()


sys.modules[__name__].__class__ = _Games
