"""Recorded rounds of OpenSpiel's games as text. ``python -m tests.research.playthroughs`` writes the files again."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pyspiel

from facedown.core.game_registry import catalogue
from facedown.research import openspiel as ours

FOLDER = Path(__file__).with_name("golden")
MOVES = 60


def lines(name: str) -> Iterator[str]:
    """Yield a round of random moves: the game's properties, each move with the number of alternatives, the result."""
    game = pyspiel.load_game(f"{ours.PREFIX}{name}(length=round,seed=1,deals=100)")
    kind = game.get_type()
    yield f"game {game}"
    yield f"players {game.num_players()}, actions {game.num_distinct_actions()}, length {game.max_game_length()}"
    yield f"utility {kind.utility.name} {game.min_utility():g} to {game.max_utility():g}"
    choose = random.Random(1)
    state = game.new_initial_state()
    for move in range(MOVES):
        if state.is_terminal():
            break
        legal, player = state.legal_actions(), state.current_player()
        action = choose.choice(legal)
        yield f"{move} player {player}, one of {len(legal)}: {action} {state.action_to_string(action)}"
        state.apply_action(action)
    yield f"returns {state.returns()}"
    for player in range(game.num_players()):
        yield f"observation of player {player}: {state.observation_string(player)}"


def playthrough(name: str) -> str:
    """Return the text of a game's file."""
    return "\n".join([*lines(name), ""])


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in catalogue():
        (FOLDER / f"{name}.txt").write_text(playthrough(name), encoding="utf-8")
