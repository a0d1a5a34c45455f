"""What a bot knows of Kuhn poker: how to play so that nobody gains by it, and what a hand is worth."""

import numpy as np
from numpy.typing import NDArray

from facedown.core.random_numbers import quick_below
from facedown.core.rule import rule
from facedown.core.state import Floats
from facedown_kuhn.rules import BET, CALL, CHECK, CONTINUE, FOLD, JACK, KING, OPEN, PLAYERS, SCORING, KuhnPosition


@rule
def greedy(s: KuhnPosition, seat: int, q: NDArray[np.uint64]) -> int:
    """An equilibrium: kings bet and call, a third of the jacks bluffs, and queens call just often enough."""
    if s.phase == SCORING:
        return CONTINUE
    third = quick_below(q, 3) == 0
    if s.phase == OPEN:
        return BET if s.card[seat] == KING or (s.card[seat] == JACK and third) else CHECK
    # A queen that has checked calls two times of three, the other one once.
    doubts = third == (seat != s.starter)
    return CALL if s.card[seat] == KING or (s.card[seat] != JACK and doubts) else FOLD


@rule
def round_is_terminal(s: KuhnPosition) -> bool:
    """A hand is decided when it is scored."""
    return s.phase == SCORING


@rule
def evaluate(s: KuhnPosition, out: Floats) -> None:
    """Two chips lost are worth nothing, two won everything."""
    for seat in range(PLAYERS):
        out[seat] = (s.score[seat] + 2) / 4
