"""The random bot: any legal action, all equally likely."""

from __future__ import annotations

from facedown.core.bot import choices, generator_for
from facedown.core.chance import quick_below
from facedown.core.game import GameModule
from facedown.core.state import View


class RandomBot:
    """Plays any legal action, all equally likely."""

    def choose(self, game: GameModule, view: View, seat: int, seed: int) -> int:
        """A random legal action; `ValueError` if the seat has none."""
        actions = choices(game, view, seat)
        return actions[int(quick_below(generator_for(seed), len(actions)))]
