"""How much Detect's bots think (`docs/strength.md`)."""

from facedown.core.bot import Levels

LEVELS = Levels(strong=300)
