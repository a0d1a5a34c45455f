"""The bot of Kuhn poker, which plays a Nash equilibrium, and the evaluation of a hand."""

import numpy as np
from numpy.typing import NDArray

from facedown.core.random_numbers import quick_randint
from facedown.core.rule import rule
from facedown.core.state import Floats
from facedown_kuhn.rules import BET, CALL, CHECK, CONTINUE, FOLD, JACK, KING, OPEN, PLAYERS, SCORING, KuhnPosition


@rule
def greedy(s: KuhnPosition, seat: int, q: NDArray[np.uint64]) -> int:
    """Play a Nash equilibrium: kings bet and call, a third of the jacks bluff (`q` decides), and some queens call."""
    if s.phase == SCORING:
        return CONTINUE
    third = quick_randint(q, 3) == 0
    if s.phase == OPEN:
        return BET if s.card[seat] == KING or (s.card[seat] == JACK and third) else CHECK
    # A queen calls with probability 2/3 if she has checked, and otherwise with probability 1/3.
    doubts = third == (seat != s.starter)
    return CALL if s.card[seat] == KING or (s.card[seat] != JACK and doubts) else FOLD


@rule
def round_is_terminal(s: KuhnPosition) -> bool:
    """Return whether the hand is scored."""
    return s.phase == SCORING


@rule
def evaluate(s: KuhnPosition, out: Floats) -> None:
    """Write to `out` the value of the hand for each seat: 0 for two chips lost, up to 1 for two chips won."""
    for seat in range(PLAYERS):
        out[seat] = (s.score[seat] + 2) / 4
