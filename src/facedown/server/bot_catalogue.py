"""The bots that come with Facedown, found when they are asked for."""

from __future__ import annotations

from collections.abc import Sequence

from facedown.play import Bot, Level


class BotCatalogue:
    """The levels of `facedown.bots`, loaded at first use: the pages start without them."""

    @property
    def levels(self) -> Sequence[Level]:
        """The levels, weakest first."""
        from facedown.bots import LEVELS

        return LEVELS

    def bot(self, level: str) -> Bot:
        """The bot of a level; `KeyError` if there is none."""
        from facedown.bots import bot

        return bot(level)
