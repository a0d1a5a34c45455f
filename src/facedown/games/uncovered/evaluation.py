"""What a position of Uncovered! is worth to everybody: how few turns the game takes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from facedown.core.bot import Evaluation
from facedown.core.rule import rule
from facedown.core.state import RUNNING, Floats, View, record
from facedown.games.uncovered.partner_bot import CANDIDATES, promise
from facedown.games.uncovered.rules import ACTIONS, TURN_CAP, Act, UncoveredPosition


@rule
def round_is_terminal(s: UncoveredPosition) -> bool:
    """The game is a single round."""
    return s.over != RUNNING


@rule
def evaluate(s: UncoveredPosition, out: Floats) -> None:
    """The share of the turn cap that a won game leaves over; 0 for a game that is lost or does not end."""
    worth = 1.0 - s.turn / TURN_CAP if s.won == 1 else 0.0
    for seat in range(s.seats):
        out[seat] = worth


def promising(view: View, seat: int, legal: Sequence[int]) -> list[int]:
    """The swaps that promise most at first sight, and uncovering; all there is when a card may be turned."""
    if Act.UNCOVER not in legal:
        return list(legal)
    values = np.empty(ACTIONS)
    promise(record(view, UncoveredPosition), seat, values)
    return sorted([*np.argsort(values)[: -1 - CANDIDATES : -1].tolist(), int(Act.UNCOVER)])


EVALUATION = Evaluation(round_is_terminal, evaluate, promising=promising, turns=TURN_CAP)
