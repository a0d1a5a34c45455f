"""How much Detect's bots think (`docs/strength.md`)."""

from facedown.core.bot import Levels

LEVELS = Levels(strong=300, networks=((2, 8, "all"),), worlds=128)
