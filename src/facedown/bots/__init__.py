"""Bots: each chooses an action from a view of its seat, and from nothing else."""

from facedown.bots.base import Level, seated
from facedown.bots.levels import LEVELS, UnknownBot, bot
from facedown.core.bot import Bot, NotAView

__all__ = ["LEVELS", "Bot", "Level", "NotAView", "UnknownBot", "bot", "seated"]
