"""Contest of Facedown's search bots with OpenSpiel's Python IS-MCTS: ``python benchmarks/openspiel_ismcts_contest.py``.

An adapter presents a round of a Facedown game as an OpenSpiel state. The state can be copied, played, and dealt again
from what the seat to act knows. OpenSpiel's rollouts are random, up to the end of the round. In Reveille they end with
stage one, after which the exact bot plays for both sides. Both bots get the same evaluation of the position in which a
rollout ends.

With ``--to-the-end``, OpenSpiel's rollouts of Reveille continue to the end of the hand. Then OpenSpiel does not benefit
from Facedown's trained evaluation.

The bots play rounds on paired deals, with the same number of simulations or the same time per move. Needs
``pip install open-spiel``.
"""

from __future__ import annotations

import argparse
import time
from types import SimpleNamespace
from typing import Any

import numpy as np

from facedown.bots.evaluation_dispatch import evaluate, round_is_terminal
from facedown.bots.rollout_search import RolloutSearchBot
from facedown.bots.search_common import Budget
from facedown.bots.tree_search import SearchBot
from facedown.core.bot import Bot
from facedown.core.game_registry import GameModule
from facedown.core.hidden_cards import known_view, redeal
from facedown.core.random_numbers import key_of
from facedown.core.rule import rule
from facedown.core.rule_dispatch import lowest_acting
from facedown.core.seeds import seed_from_text
from facedown.core.state import MAX_SEATS, RUNNING, copy
from facedown.games.reveille.bots.endgame_bot import EndgameBot
from facedown.games.reveille.rules import Phase
from facedown.simulate.arena import hold_contest
from facedown.simulate.contest import Contest

#: Exploration constant of UCB1 for returns from −1 to 1. Facedown's is 0.7, for returns from 0 to 1.
EXPLORATION = 1.4


@rule
def is_round_decided(s: Any) -> bool:
    """Return whether the round is decided; compiled entry point."""
    return bool(s.over != 0 or round_is_terminal(s))


@rule
def write_round_worth(s: Any, out: Any) -> None:
    """Write the evaluation of a position for each seat to `out`; compiled entry point."""
    evaluate(s, out)


class RoundState:
    """A round with the subset of OpenSpiel's state interface that IS-MCTS needs."""

    def __init__(self, game: GameModule, state: Any, to_the_end: bool = False) -> None:
        self.game = game
        self.state = state
        self.to_the_end = to_the_end

    def get_game(self) -> Any:
        """Return the game, of which the search uses only the type."""
        import pyspiel

        kind = pyspiel.GameType
        dynamics, information = kind.Dynamics.SEQUENTIAL, kind.Information.IMPERFECT_INFORMATION
        return SimpleNamespace(get_type=lambda: SimpleNamespace(dynamics=dynamics, information=information))

    def is_chance_node(self) -> bool:
        """Return False: all chance events are determined by the sampled world."""
        return False

    def is_terminal(self) -> bool:
        """Return whether the round is decided."""
        if self.to_the_end and int(self.state.over) == RUNNING and int(self.state.phase) == Phase.AUCTION:
            return False
        return bool(is_round_decided(self.state))

    def current_player(self) -> int:
        """Return the lowest seat that is to act."""
        return int(lowest_acting(self.state))

    def legal_actions(self, seat: int | None = None) -> list[int]:
        """Return the legal actions of a seat, by default of the seat to act."""
        return self.game.legal(self.state, self.current_player() if seat is None else seat)

    def apply_action(self, action: int) -> None:
        """Play an action of the seat to act."""
        self.game.rules.apply(self.state, self.current_player(), int(action))

    def clone(self) -> RoundState:
        """Return a copy of the round."""
        return RoundState(self.game, copy(self.state), self.to_the_end)

    def returns(self) -> list[float]:
        """Return the evaluation of the round for each seat, from −1 to 1."""
        out = np.zeros(MAX_SEATS)
        write_round_worth(self.state, out)
        return [2.0 * float(value) - 1.0 for value in out[: int(self.state.seats)]]

    def information_state_string(self, seat: int | None = None) -> bytes:
        """Return everything that a seat knows, by default the seat to act, as bytes."""
        found: bytes = known_view(self.state, self.current_player() if seat is None else seat).tobytes()
        return found


class OutsideBot:
    """A bot that uses OpenSpiel's Python IS-MCTS with a number of simulations, or with a number of seconds per move."""

    def __init__(self, simulations: int, seconds: float = 0.0, to_the_end: bool = False) -> None:
        self.simulations = simulations
        self.seconds = seconds
        self.to_the_end = to_the_end

    def choose(self, game: GameModule, view: Any, seat: int, seed: int) -> int:
        """Return the most visited action."""
        from open_spiel.python.algorithms.ismcts import ISMCTSBot
        from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

        rng = np.random.RandomState(seed % 2**32)
        started = time.perf_counter()
        late = False

        def world(state: RoundState, player: int) -> RoundState:
            drawn = redeal(view, key_of(seed_from_text(f"outside {seed} {rng.randint(2**31)}")))
            return RoundState(game, drawn, self.to_the_end)

        root = world(RoundState(game, view), seat)
        if len(root.legal_actions()) == 1:
            return root.legal_actions()[0]
        searcher = ISMCTSBot(None, RandomRolloutEvaluator(1, rng), EXPLORATION, self.simulations or 1, random_state=rng)
        searcher.set_resampler(world)
        if self.seconds:
            # OpenSpiel's search has no time limit, so simulations are added to one tree until the time is over.
            searcher.reset()
            searcher._root_node = searcher.create_new_node(root)
            while not late or searcher._root_node.total_visits == 0:
                searcher.run_simulation(world(root, seat))
                late = time.perf_counter() - started >= self.seconds
            policy = searcher.get_final_policy(root, searcher._root_node)
        else:
            policy = searcher.run_search(root)
        return int(max(policy, key=lambda found: found[1])[0])


def contest_row(game: str, ours: Bot, theirs: Bot, deals: int) -> str:
    """Return a row of the table: the share of rounds that Facedown's bot won, and both bots' points and times."""
    if game == "reveille":
        ours, theirs = EndgameBot(ours), EndgameBot(theirs)
    bots = {"ours": lambda: ours, "outside": lambda: theirs}
    rounds = Contest(game, tuple(bots), rounds=1, deals=deals, seed="outside", stop=False, makers=bots)
    *_, standing = hold_contest(rounds)
    mine, other = standing.rows
    share = mine.first_place_share
    ms = [1000 * row.seconds / max(1, row.moves) for row in (mine, other)]
    return (
        f"{100 * share.mean:6.1f} % ({100 * share.low:.0f} … {100 * share.high:.0f}) of {2 * deals} rounds, "
        f"points {mine.mean_score_estimate.mean:.1f} : {other.mean_score_estimate.mean:.1f}, "
        f"ms per move {ms[0]:.1f} : {ms[1]:.1f}"
    )


def main() -> None:
    """Parse the command line, play the contests, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="+", default=["reveille", "detect"])
    parser.add_argument("--simulations", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=2.0, help="time per move in the last row")
    parser.add_argument("--deals", type=int, default=30, help="deals for the rows with simulations (0: skip them)")
    parser.add_argument("--long-deals", type=int, default=10, help="deals for the row with seconds (0: skip it)")
    parser.add_argument(
        "--to-the-end", action="store_true", help="play OpenSpiel’s rollouts of Reveille to the end of the hand"
    )
    asked = parser.parse_args()
    n = asked.simulations
    for game in asked.games:
        whole = asked.to_the_end and game == "reveille"
        tried = (("search", SearchBot(Budget(n))), ("foresight", RolloutSearchBot(Budget(n)))) if asked.deals else ()
        for what, ours in tried:
            row = contest_row(game, ours, OutsideBot(n, to_the_end=whole), asked.deals)
            print(f"{game:9} {what:9} {n} simulations : {n} simulations   {row}", flush=True)
        if asked.long_deals:
            seconds = asked.seconds
            row = contest_row(
                game, RolloutSearchBot(Budget(0, seconds)), OutsideBot(0, seconds, whole), asked.long_deals
            )
            print(f"{game:9} foresight {seconds:g} s : {seconds:g} s   {row}", flush=True)


if __name__ == "__main__":
    main()
