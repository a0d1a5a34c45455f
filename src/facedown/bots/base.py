"""Levels of bots, and the one way from a match to a bot's choice."""

from __future__ import annotations

from dataclasses import dataclass

from facedown.core.bot import Bot
from facedown.core.match import Match


@dataclass(frozen=True, slots=True)
class Level:
    """A strength that a person can pick."""

    key: str
    label: str
    says: str
    """How it plays, in a few words."""
    offered: bool = True
    """Does a form offer it? Others can be named all the same."""
    usual: bool = False
    """Is it the one that a form begins with?"""
    slow: bool = False
    """Does it think ahead, for longer than a moment?"""


def seated(bot: Bot, match: Match, seat: int, seed: int) -> int:
    """The choice of a bot that sits at `seat`, from what that seat knows."""
    return bot.choose(match.game, match.known(seat), seat, seed)
