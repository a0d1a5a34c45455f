"""Bots for experiments that go wrong."""

from __future__ import annotations

import os
from pathlib import Path

from facedown.core.game_registry import GameModule
from facedown.core.state import View


class First:
    """Plays the first legal action."""

    def choose(self, game: GameModule, view: View, seat: int, seed: int) -> int:
        return game.legal(view, seat)[0]


class Deadly(First):
    """Takes its process along, as often as a file says, whose first line is who may not die."""

    def choose(self, game: GameModule, view: View, seat: int, seed: int) -> int:
        file = Path(os.environ["FACEDOWN_TEST_DEATHS"])
        left = file.read_text().splitlines() if file.exists() else []
        # The check before the run asks it in the program itself.
        if len(left) > 1 and os.getpid() != int(left[0]):
            # In one step: the process may be ended in the middle, because another one has died.
            beside = file.with_name(f"{file.name}-{os.getpid()}")
            beside.write_text("\n".join([left[0], *left[2:]]))
            beside.replace(file)
            os._exit(3)
        return super().choose(game, view, seat, seed)


class Choosy:
    """Refuses every game."""

    def choose(self, game: GameModule, view: View, seat: int, seed: int) -> int:
        raise ValueError("it is too late for that")
