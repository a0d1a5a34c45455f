"""Bots for tests of experiments that fail."""

from __future__ import annotations

import os
from pathlib import Path

from facedown.core.game_registry import GameModule
from facedown.core.state import View


class First:
    """A bot that plays the first legal action."""

    def choose(self, game: GameModule, view: View, seat: int, seed: int) -> int:
        return game.legal(view, seat)[0]


class Deadly(First):
    """A bot that ends its process.

    The first line of a file names the process that may not end. Each further line stands for one death to come.
    """

    def choose(self, game: GameModule, view: View, seat: int, seed: int) -> int:
        file = Path(os.environ["FACEDOWN_TEST_DEATHS"])
        left = file.read_text().splitlines() if file.exists() else []
        # The check before the run asks the bot in the program's own process.
        if len(left) > 1 and os.getpid() != int(left[0]):
            # Replace the file in one step: this process may be ended at any moment, because another one has died.
            beside = file.with_name(f"{file.name}-{os.getpid()}")
            beside.write_text("\n".join([left[0], *left[2:]]))
            beside.replace(file)
            os._exit(3)
        return super().choose(game, view, seat, seed)


class Choosy:
    """A bot that refuses every game."""

    def choose(self, game: GameModule, view: View, seat: int, seed: int) -> int:
        raise ValueError("it is too late for that")
