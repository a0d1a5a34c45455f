"""Bots: each chooses an action from a view of its seat, and from nothing else."""

from facedown.bots.levels import LEVELS, Level, UnknownBot, bot, choose_for_seat
from facedown.core.bot import Bot, NotAView

__all__ = ["LEVELS", "Bot", "Level", "NotAView", "UnknownBot", "bot", "choose_for_seat"]
