"""How much Reveille's bots think (`docs/strength.md`), and who plays when both hands are known."""

from facedown.core.bot import Levels
from facedown.games.reveille.endgame_bot import EndgameBot

LEVELS = Levels(strong=40, master=1600, expert=EndgameBot)
