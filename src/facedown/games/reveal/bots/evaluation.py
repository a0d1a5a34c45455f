"""Evaluation of a scored hand of Reveal for search.

A seat's value is a weighted mean of its chance to win the match and its lead in the hand, from 0 to 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from facedown.bots.win_probability import EXPECTED_REMAINING_ROUND, LOGISTIC_SLOPE, lead_for, linear, logistic
from facedown.core.bot import Evaluation
from facedown.core.rule import rule
from facedown.core.state import RUNNING, Floats, View, record
from facedown.games.reveal.info import End
from facedown.games.reveal.rules import SEATS, Act, Phase, RevealPosition

#: Standard deviation of the difference in points of one hand between equally strong players.
SPREAD = 4.0
#: Points that a good column scores in a hand; used to estimate how many hands remain until the goal.
POINTS_PER_HAND = 6.0
#: Weight of the hand's own result in the value (ratio); without it, hands early in a match would hardly differ.
HAND_WEIGHT = 0.5
#: Lead in a hand, in points, at which its own result is worth 1.
WIDE = 10.0


@rule
def round_is_terminal(s: RevealPosition) -> bool:
    """Return whether the hand is scored, so that playing on says nothing about its moves."""
    return s.phase == Phase.SCORING


@rule
def hands_left(s: RevealPosition) -> float:
    """Return the expected number of hands left in the match."""
    if s.opt.end == End.GOAL:
        return max(0.0, (s.opt.end_at - max(s.total[0], s.total[1])) / POINTS_PER_HAND)
    return max(0.0, s.opt.end_at - s.hand_number)


@rule
def evaluate(s: RevealPosition, out: Floats) -> None:
    """Write the value of a scored hand for each seat, from 0 to 1; 0.5 means that no seat is ahead.

    The value is a weighted mean of the chance to win the match, given the lead and the hands left, and of the lead in
    this hand (weight `HAND_WEIGHT`).
    """
    for seat in range(SEATS):
        lead = s.total[seat] - s.total[1 - seat]
        if s.over != RUNNING:
            match = 0.5 if lead == 0 else 1.0 if lead > 0 else 0.0
        else:
            # A logistic curve of this slope approximates the normal distribution.
            match = 1.0 / (1.0 + np.exp(-LOGISTIC_SLOPE * lead / (SPREAD * np.sqrt(hands_left(s) + 0.25))))
        hand = 0.5 + (s.score[seat] - s.score[1 - seat]) / (2.0 * WIDE)
        out[seat] = (1.0 - HAND_WEIGHT) * match + HAND_WEIGHT * min(1.0, max(0.0, hand))


def win_probability(view: View, seat: int, value: float) -> float:
    """Return the estimated chance that `seat` wins the match if the hand is worth `value` to it.

    `value` is as written by `evaluate`.
    """
    s = record(view, RevealPosition)
    ahead = s.total[seat] - s.total[1 - seat]
    left = max(0.0, hands_left(s) - (s.opt.end == End.GOAL))

    def match(lead: float) -> float:
        return logistic(LOGISTIC_SLOPE * (ahead + lead) / (SPREAD * math.sqrt(left + EXPECTED_REMAINING_ROUND)))

    return match(
        lead_for(value, lambda lead: (1 - HAND_WEIGHT) * match(lead) + HAND_WEIGHT * linear(lead, WIDE), 4 * WIDE)
    )


def chooses_again(view: View, seat: int, action: int) -> bool:
    """Return whether an action chooses the seat's present column again.

    Pages do not offer such a choice, because confirming the column has the same result.
    """
    s = record(view, RevealPosition)
    chosen = s.choice[seat]
    return s.phase == Phase.FINAL and chosen >= 0 and action in (Act.CHOOSE + chosen, Act.CHOOSE_CONFIRM + chosen)


def promising(view: View, seat: int, legal: Sequence[int]) -> list[int]:
    """Return the legal actions that pages offer: all except choosing the present column again."""
    return [action for action in legal if not chooses_again(view, seat, action)]


def equivalence_key(view: View, seat: int, action: int) -> int:
    """Return a key that is equal for actions with equivalent results: choosing the present column again equals
    `CONFIRM`.
    """
    return int(Act.CONFIRM) if chooses_again(view, seat, action) else action


EVALUATION = Evaluation(
    round_is_terminal, evaluate, equivalence_key=equivalence_key, promising=promising, win_probability=win_probability
)
