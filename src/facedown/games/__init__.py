"""The games: each package here is one game, found by the registry because it stands here.

Called, the package lists them: ``facedown.games()``.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from facedown.core.game_registry import Info


class _Games(ModuleType):
    """A module that can be called: its name is that of the package as well as of the front door's function."""

    def __call__(self) -> dict[str, Info]:
        """All games by name, in the order of the house, without loading any rules."""
        from facedown.core.game_registry import catalogue

        return catalogue()


sys.modules[__name__].__class__ = _Games
