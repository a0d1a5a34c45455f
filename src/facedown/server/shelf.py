"""The bots that come with the house, found when they are wanted."""

from __future__ import annotations

from collections.abc import Sequence

from facedown.play import Bot, Level


class Shelf:
    """The levels of `facedown.bots`, loaded at first use: the pages start without them."""

    @property
    def levels(self) -> Sequence[Level]:
        """The levels, weakest first."""
        from facedown.bots import LEVELS

        return [Level(level.key, level.label, level.says, level.offered, level.usual) for level in LEVELS]

    def bot(self, level: str) -> Bot:
        """The bot of a level; `KeyError` if there is none."""
        from facedown.bots import bot

        return bot(level)
