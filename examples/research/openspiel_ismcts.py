"""OpenSpiel's information-set tree search against random players, in rounds of a Facedown game.

``python examples/research/openspiel_ismcts.py facedown_scout --simulations 200 --rounds 10``

The search samples worlds that fit what its seat knows (``state.resample_from_infostate``). It builds one tree for all
of them, with a node for each information state. It plays each seat in turn.
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
    """Play a round with the search in seat `searcher` and random players elsewhere. Return every seat's return."""
    rnd, chance = random.Random(seed), np.random.RandomState(seed)
    bot = ISMCTSBot(game, RandomRolloutEvaluator(1, chance), 1.4, simulations, random_state=chance)
    # OpenSpiel's default sampler takes its seed from the system, so the same call would play a different round each
    # time.
    bot.set_resampler(lambda state, player: state.resample_from_infostate(player, chance.random_sample))
    state = game.new_initial_state()
    while not state.is_terminal():
        searches = state.current_player() == searcher
        # At a chance node all outcomes are equally likely, so a random legal action is correct there, too.
        state.apply_action(int(bot.step(state)) if searches else rnd.choice(state.legal_actions()))
    return state.returns()


def main(name: str, simulations: int, rounds: int) -> float:
    """Play `rounds` rounds in each seat. Return the mean return of the search, from −1 to 1."""
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
