"""Evaluation of a network against greedy bots, in one compiled loop.

Each deal is played as a single round, as many times as there are seats: the network takes each seat once, and greedy
bots play all other seats.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from facedown.bots.evaluation_dispatch import round_is_terminal
from facedown.bots.feature_dispatch import pay
from facedown.bots.network import Tower
from facedown.bots.network_bot import network_move
from facedown.bots.simple_bots import greedy
from facedown.core import rule_dispatch
from facedown.core.game_registry import GameModule
from facedown.core.random_numbers import key_of
from facedown.core.rule import rule
from facedown.core.rule_dispatch import lowest_acting
from facedown.core.seeds import seed_from_text
from facedown.core.state import MAX_SEATS, RUNNING
from facedown.simulate.random_playouts import deal_match

#: Half width of the 95 % confidence interval of a mean, in standard errors.
WIDE = 1.96


@rule
def play_rounds_against_greedy(
    scratch: NDArray[Any], begun: NDArray[Any], master: NDArray[np.uint32], tower: Tower, points: NDArray[np.float64]
) -> None:
    """Play each deal as a single round, once with the network at each seat, against greedy bots at all other seats.

    * ``points[deal, seat]``: the network's reward at a seat is written here.
    * `begun`: an array of one record, a match before the deal.
    * `master`: the key from which the random keys of all deals are derived.
    * `tower`: the network.
    * `scratch`: an array of one record, which is overwritten.

    The first call for each game takes longer, because the function is then compiled for that game.
    """
    payoff = np.empty(MAX_SEATS, np.float64)
    q = np.empty(1, np.uint64)
    for deal in range(len(points)):
        for mine in range(points.shape[1]):
            scratch[0] = begun[0]
            s = scratch[0]
            deal_match(s, master, deal, q)
            while s.over == RUNNING and not round_is_terminal(s):
                seat = lowest_acting(s)
                if seat == mine:
                    action = network_move(s, seat, tower, 0.0, q)
                else:
                    action = greedy(s, seat, q)
                rule_dispatch.apply(s, seat, action)
            pay(s, payoff)
            points[deal, mine] = payoff[mine]


@dataclass(frozen=True)
class MatchEvaluation:
    """Statistics of the rewards of a network in many rounds against greedy bots.

    They are the mean reward, its margin of error, and the share of rounds with a positive reward.

    The unit of a reward depends on the game. If the game declares features for networks, it is the unit of
    `core.features.Features.rewards`. Otherwise the rewards are points (`ObservedTables.against_greedy`).
    """

    mean: float
    """Mean reward of the network per round; 0 if the network is as strong as the greedy bot."""
    margin: float
    """Half width of the 95 % confidence interval of the mean."""
    ahead: float
    """Share of rounds with a positive reward; rounds with reward 0 count half."""

    @classmethod
    def from_points(cls, points: NDArray[np.float64]) -> MatchEvaluation:
        """Return the statistics of the rewards in many rounds.

        ``points[deal, seat]`` is the reward of the network when it played the deal with this index at this seat. If
        there is only one deal, the confidence interval of the mean is unknown, and `margin` is infinite.
        """
        means = points.mean(axis=1)
        margin = WIDE * float(means.std(ddof=1)) / len(means) ** 0.5 if len(means) > 1 else float("inf")
        return cls(float(means.mean()), margin, float((points > 0).mean() + (points == 0).mean() / 2))


def evaluate_against_greedy(game: GameModule, seats: int, tower: Tower, deals: int) -> MatchEvaluation:
    """Evaluate the network `tower` at one seat against greedy bots at all others.

    Play `deals` deals, each of them once with the network at each seat. Each match is a single round. The deals are the
    same at every call, so that results can be compared.
    """
    key = seed_from_text("measure")
    begun, scratch = np.zeros(1, game.dtype), np.zeros(1, game.dtype)
    begun[0] = game.undealt_state(seats, game.check_options(seats, {}), key)
    points = np.zeros((deals, seats))
    play_rounds_against_greedy(scratch, begun, key_of(key), tower, points)
    return MatchEvaluation.from_points(points)
