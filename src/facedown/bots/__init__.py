"""Bots: each chooses an action from a view of its seat, and from nothing else."""

from facedown.bots.base import Bot, Level, NotAView, seated
from facedown.bots.levels import LEVELS, UnknownBot, bot

__all__ = ["LEVELS", "Bot", "Level", "NotAView", "UnknownBot", "bot", "seated"]
