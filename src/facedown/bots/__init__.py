"""Bots: programs that choose an action from the view of their own seat and from no other data."""

from facedown.bots.levels import LEVELS, Level, UnknownBot, bot, choose_for_seat
from facedown.core.bot import Bot, NotAView

__all__ = ["LEVELS", "Bot", "Level", "NotAView", "UnknownBot", "bot", "choose_for_seat"]
