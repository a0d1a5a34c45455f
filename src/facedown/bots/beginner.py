"""The beginner: a greedy bot that often plays just anything, but no move that loses for certain."""

from __future__ import annotations

from facedown.bots.greedy import GreedyBot, policy_of
from facedown.core.bot import check_view, generator_for
from facedown.core.chance import quick_below
from facedown.core.game import GameModule
from facedown.core.state import View

#: So many moves of a hundred are any of those that are allowed.
ANYTHING = 50
#: The same where all win or lose together: a partner who spoils everything is no fun.
ANYTHING_TOGETHER = 20


class BeginnerBot:
    """Plays greedily, but for many moves that come by chance."""

    def choose(self, game: GameModule, view: View, seat: int, seed: int) -> int:
        """The greedy action or a random one; `ValueError` if the seat is not to act."""
        check_view(view, seat)
        q = generator_for(seed)
        by_chance = int(quick_below(q, 100)) < (ANYTHING_TOGETHER if game.info.together else ANYTHING)
        reckless = policy_of(game.name).reckless
        anything = [a for a in game.legal(view, seat) if not reckless(view, seat, a)] if by_chance else []
        if not anything:
            return GreedyBot().choose(game, view, seat, seed)
        return anything[int(quick_below(q, len(anything)))]
