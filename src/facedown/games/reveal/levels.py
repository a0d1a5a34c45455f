"""How much Reveal's bots think (`docs/strength.md`)."""

from facedown.core.bot import Levels

LEVELS = Levels(strong=40, master=1600)
