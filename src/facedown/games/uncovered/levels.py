"""How much Uncovered!'s bots think (`docs/strength.md`): so often they look again at the swaps in question."""

from facedown.core.bot import Bot, Levels
from facedown.games.uncovered.partner_bot import LOOKS, PartnerBot


def thinking(simulations: int) -> Bot:
    """The partner bot with so many looks, at most those that help; 0: all of them."""
    return PartnerBot(min(simulations or LOOKS, LOOKS))


LEVELS = Levels(strong=1, thinking=thinking)
