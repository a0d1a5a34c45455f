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

    This compiled function is an entry point for Python code.
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
    """Result of an evaluation of a network against greedy bots."""

    mean: float
    """Mean reward of the network per round, in the unit of `core.features.Features.rewards`; 0 if it is as strong as
    the greedy bot."""
    margin: float
    """Half width of the 95 % confidence interval of the mean."""
    ahead: float
    """Share of rounds with a positive reward; rounds with reward 0 count half."""

    @classmethod
    def from_points(cls, points: NDArray[np.float64]) -> MatchEvaluation:
        """Return the statistics of many rounds played with the network at one seat.

        ``points[deal, seat]`` is the network's reward in the round with this deal in which it played this seat.
        """
        means = points.mean(axis=1)
        margin = WIDE * float(means.std(ddof=1)) / len(means) ** 0.5 if len(means) > 1 else float("inf")
        return cls(float(means.mean()), margin, float((points > 0).mean() + (points == 0).mean() / 2))


def evaluate_against_greedy(game: GameModule, seats: int, tower: Tower, deals: int) -> MatchEvaluation:
    """Evaluate the network `tower` at one seat against greedy bots at all others.

    Each of `deals` deals is played as a single round, once with the network at each seat.
    """
    key = seed_from_text("measure")
    begun, scratch = np.zeros(1, game.dtype), np.zeros(1, game.dtype)
    begun[0] = game.undealt_state(seats, game.check_options(seats, {}), key)
    points = np.zeros((deals, seats))
    play_rounds_against_greedy(scratch, begun, key_of(key), tower, points)
    return MatchEvaluation.from_points(points)
