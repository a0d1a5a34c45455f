"""How a network does against the greedy bot: whole rounds on paired deals, in one compiled loop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from facedown.bots.evaluation import round_is_terminal
from facedown.bots.features import pay
from facedown.bots.network import Tower
from facedown.bots.network_bot import network_move
from facedown.bots.simple_bots import greedy
from facedown.core import dispatch
from facedown.core.dispatch import lowest_acting
from facedown.core.game_registry import GameModule
from facedown.core.random_numbers import key_of
from facedown.core.rule import rule
from facedown.core.seeds import seed_from_text
from facedown.core.state import MAX_SEATS, RUNNING
from facedown.simulate.random_playouts import deal_match

#: The 95 % interval of a mean reaches so many standard errors.
WIDE = 1.96


@rule
def play_duels(
    scratch: NDArray[Any], begun: NDArray[Any], master: NDArray[np.uint32], tower: Tower, points: NDArray[np.float64]
) -> None:
    """Compiled entry: the first deals, a round each, the network at every seat in turn, greedy elsewhere.

    ``points[deal, seat]`` receives what the round was worth to the network at that seat. `begun` is one record, a match
    before any deal; `master` is the key from which those of the deals follow; `tower` is the network, and `scratch` is
    room for a match.
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
                dispatch.apply(s, seat, action)
            pay(s, payoff)
            points[deal, mine] = payoff[mine]


@dataclass(frozen=True)
class MatchEvaluation:
    """What came of a measurement."""

    mean: float
    """What a round was worth on average, as `core.features.Features.rewards` counts; 0 is level."""
    margin: float
    """The 95 % interval reaches so far to either side."""
    ahead: float
    """The share of rounds that were worth more than nothing; level ones count half."""

    @classmethod
    def from_points(cls, points: NDArray[np.float64]) -> MatchEvaluation:
        """What ``points[deal, seat]`` come to: what a round was worth to the network at each seat of each deal."""
        means = points.mean(axis=1)
        margin = WIDE * float(means.std(ddof=1)) / len(means) ** 0.5 if len(means) > 1 else float("inf")
        return cls(float(means.mean()), margin, float((points > 0).mean() + (points == 0).mean() / 2))


def against_greedy(game: GameModule, seats: int, tower: Tower, deals: int) -> MatchEvaluation:
    """The network `tower` at one seat, greedy bots at all others, every deal from every seat."""
    key = seed_from_text("measure")
    begun, scratch = np.zeros(1, game.dtype), np.zeros(1, game.dtype)
    begun[0] = game.undealt_state(seats, game.check_options(seats, {}), key)
    points = np.zeros((deals, seats))
    play_duels(scratch, begun, key_of(key), tower, points)
    return MatchEvaluation.from_points(points)
