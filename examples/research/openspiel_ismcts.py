"""OpenSpiel's information-set tree search against a random player, in a round of one of our games.

``python examples/research/openspiel_ismcts.py facedown_scout --simulations 200 --rounds 10``

The searcher draws worlds that it cannot tell from the real one (``state.resample_from_infostate``) and grows one tree
for all of them, with a node for each information state. It sits in each seat in turn.
"""

from __future__ import annotations

import argparse
import random

import numpy as np
import pyspiel
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

import facedown.research.openspiel  # registers the games


def play(game: pyspiel.Game, searcher: int, simulations: int, seed: int) -> list[float]:
    """Play a round with the search in one seat, random players in the others; what it comes to for each seat."""
    rnd, chance = random.Random(seed), np.random.RandomState(seed)
    bot = ISMCTSBot(game, RandomRolloutEvaluator(1, chance), 1.4, simulations, random_state=chance)
    # OpenSpiel's own sampler draws worlds from a seed of the system: the same call would play another round each time.
    bot.set_resampler(lambda state, player: state.resample_from_infostate(player, chance.random_sample))
    state = game.new_initial_state()
    while not state.is_terminal():
        searches = state.current_player() == searcher
        # What chance can deal is equally likely, too.
        state.apply_action(int(bot.step(state)) if searches else rnd.choice(state.legal_actions()))
    return state.returns()


def main(name: str, simulations: int, rounds: int) -> float:
    """Play so many rounds in each seat; how often the searcher did better, from −1 to 1 on average."""
    game = pyspiel.load_game(f"{name}(length=round,returns=win)")
    seats = game.num_players()
    won = [play(game, seat, simulations, seed)[seat] for seed in range(rounds) for seat in range(seats)]
    mean = sum(won) / len(won)
    print(f"{name}: {len(won)} rounds, {simulations} simulations a move, mean return {mean:+.2f}")
    return mean


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=facedown.research.openspiel.GAMES)
    parser.add_argument("--simulations", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=4, help="in each seat")
    asked = parser.parse_args()
    main(asked.game, asked.simulations, asked.rounds)
