"""Evaluation of a hand of Reveal (round of the match) that has been scored, for search bots.

The value of a hand for a seat, from 0 to 1, is a weighted mean of two numbers: the seat's chance to win the match, and
the seat's lead in this hand (its points minus the other seat's, on a scale from 0 to 1).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from facedown.bots.win_probability import (
    EXPECTED_REMAINING_ROUND,
    LOGISTIC_SLOPE,
    find_lead_with_value,
    linear_ramp,
    logistic,
)
from facedown.core.bot import Evaluation
from facedown.core.rule import rule
from facedown.core.state import RUNNING, Floats, View, cast_record
from facedown.games.reveal.info import End
from facedown.games.reveal.rules import SEATS, Act, Phase, RevealPosition

#: Standard deviation of the difference between the points of two equally strong players in one hand.
SPREAD = 4.0
#: Points that a good column scores in a hand; used to estimate how many hands remain until a total reaches the target
#: score.
POINTS_PER_HAND = 6.0
#: Weight of the lead in a hand. The value of a hand is `HAND_WEIGHT` × lead + (1 − `HAND_WEIGHT`) × chance to win the
#: match. The lead in the hand is scaled to the range from 0 to 1 (`MAX_LEAD`). With the weight 0, the results of hands
#: early in a match would hardly differ in value.
HAND_WEIGHT = 0.5
#: Lead in one hand, in points, that counts as 1 on a scale from 0 to 1. Equal points count as 0.5.
MAX_LEAD = 10.0


@rule
def round_is_terminal(s: RevealPosition) -> bool:
    """Return whether the current hand (round of the match) is over and has been scored.

    A rollout (simulated play that judges a move) stops here, because later hands say nothing about moves in this one.
    """
    return s.phase == Phase.SCORING


@rule
def expected_hands_left(s: RevealPosition) -> float:
    """Return the expected number of further hands in the match.

    In a match to a target score, it is estimated from the points that the leading seat still needs.
    """
    if s.opt.end == End.GOAL:
        return max(0.0, (s.opt.end_at - max(s.total[0], s.total[1])) / POINTS_PER_HAND)
    return max(0.0, s.opt.end_at - s.hand_number)


@rule
def evaluate(s: RevealPosition, out: Floats) -> None:
    """Write the value of a scored hand (round of the match) for each seat to `out`, from 0 (worst) to 1 (best).

    The value is a weighted mean of two numbers from 0 to 1:

    * The seat's chance to win the match has the weight ``1 - HAND_WEIGHT``. It is estimated from the total points of
      both seats and from the expected number of further hands.
    * The seat's lead in this hand has the weight `HAND_WEIGHT`. A lead of `MAX_LEAD` points or more counts as 1, equal
      points count as 0.5, and a deficit of `MAX_LEAD` points or more counts as 0.

    If the seats have equal totals and equal points in this hand, the value is 0.5.
    """
    for seat in range(SEATS):
        lead = s.total[seat] - s.total[1 - seat]
        if s.over != RUNNING:
            match = 0.5 if lead == 0 else 1.0 if lead > 0 else 0.0
        else:
            # The lead after n more hands is the lead now plus a random number with the standard deviation `SPREAD` ×
            # √n. So the chance to win the match is the normal distribution function of lead / (`SPREAD` × √n). A
            # logistic function with `LOGISTIC_SLOPE` approximates it. The 0.25 avoids a division by 0 before an extra
            # hand, when n (`expected_hands_left`) is 0.
            match = 1.0 / (1.0 + np.exp(-LOGISTIC_SLOPE * lead / (SPREAD * np.sqrt(expected_hands_left(s) + 0.25))))
        hand = 0.5 + (s.score[seat] - s.score[1 - seat]) / (2.0 * MAX_LEAD)
        out[seat] = (1.0 - HAND_WEIGHT) * match + HAND_WEIGHT * min(1.0, max(0.0, hand))


def win_probability(view: View, seat: int, value: float) -> float:
    """Return the estimated chance that a seat wins the match, if the current hand has the value `value` for this seat.

    `value` is a number from 0 (worst) to 1 (best), as `evaluate` writes it for a scored hand. It is a weighted mean of
    two numbers from 0 to 1: the seat's chance to win the match, and its lead in this hand, scaled by `MAX_LEAD`. Both
    depend on how many points the seat leads by in this hand. The function finds the number of points for which this
    mean is `value`, and returns the chance to win the match after a hand with this lead.
    """
    s = cast_record(view, RevealPosition)
    ahead = s.total[seat] - s.total[1 - seat]
    left = max(0.0, expected_hands_left(s) - (s.opt.end == End.GOAL))

    def match(lead: float) -> float:
        return logistic(LOGISTIC_SLOPE * (ahead + lead) / (SPREAD * math.sqrt(left + EXPECTED_REMAINING_ROUND)))

    return match(
        find_lead_with_value(
            value,
            lambda lead: (1 - HAND_WEIGHT) * match(lead) + HAND_WEIGHT * linear_ramp(lead, MAX_LEAD),
            4 * MAX_LEAD,
        )
    )


def chooses_already_chosen_column(view: View, seat: int, action: int) -> bool:
    """Return whether an action chooses the column that the seat has already chosen for its Final Card.

    Bots do not search such an action, because the seat can confirm this column instead (`CONFIRM`).
    """
    s = cast_record(view, RevealPosition)
    chosen = s.choice[seat]
    return s.phase == Phase.FINAL and chosen >= 0 and action in (Act.CHOOSE + chosen, Act.CHOOSE_CONFIRM + chosen)


def promising_moves(view: View, seat: int, legal: Sequence[int]) -> list[int]:
    """Return the actions of `legal` that are worth searching, in the same order.

    Once the seat has chosen a column for its Final Card, actions that choose this column a second time are left out.
    The seat can confirm its choice instead (`CONFIRM`).
    """
    return [action for action in legal if not chooses_already_chosen_column(view, seat, action)]


def equivalence_key(view: View, seat: int, action: int) -> int:
    """Return a key that is equal for two actions if search treats them as equivalent, and different otherwise.

    Once a seat has chosen a column, choosing it again is treated like confirming it. So all these actions have the key
    `CONFIRM`. Every other action is its own key.
    """
    return int(Act.CONFIRM) if chooses_already_chosen_column(view, seat, action) else action


EVALUATION = Evaluation(
    round_is_terminal,
    evaluate,
    equivalence_key=equivalence_key,
    promising=promising_moves,
    win_probability=win_probability,
)
