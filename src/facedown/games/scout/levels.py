"""How much SCOUT's bots think (`docs/strength.md`)."""

from facedown.core.bot import Levels

LEVELS = Levels(strong=200, master=20000, networks=((3, 5, "all"),), worlds=128)
