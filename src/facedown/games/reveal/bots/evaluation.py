"""What a hand of Reveal is worth: how likely its end leaves a seat to win the match."""

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

#: Between equals, the points of one hand differ by about this much (standard deviation).
SPREAD = 4.0
#: Points that a good column brings: so many hands are left until a goal is reached.
POINTS_PER_HAND = 6.0
#: The hand itself counts this much beside the match, so that far from the match's end differences still show.
HAND_WEIGHT = 0.5
#: A hand won by so many points is worth everything.
WIDE = 10.0


@rule
def round_is_terminal(s: RevealPosition) -> bool:
    """A hand is decided when it is scored."""
    return s.phase == Phase.SCORING


@rule
def hands_left(s: RevealPosition) -> float:
    """How many hands the match still has, about."""
    if s.opt.end == End.GOAL:
        return max(0.0, (s.opt.end_at - max(s.total[0], s.total[1])) / POINTS_PER_HAND)
    return max(0.0, s.opt.end_at - s.hand_number)


@rule
def evaluate(s: RevealPosition, out: Floats) -> None:
    """Half for nobody ahead; the lead in the hand counts, and the lead in the match by how much is still to come."""
    for seat in range(SEATS):
        lead = s.total[seat] - s.total[1 - seat]
        if s.over != RUNNING:
            match = 0.5 if lead == 0 else 1.0 if lead > 0 else 0.0
        else:
            # The logistic curve that comes closest to the normal one.
            match = 1.0 / (1.0 + np.exp(-LOGISTIC_SLOPE * lead / (SPREAD * np.sqrt(hands_left(s) + 0.25))))
        hand = 0.5 + (s.score[seat] - s.score[1 - seat]) / (2.0 * WIDE)
        out[seat] = (1.0 - HAND_WEIGHT) * match + HAND_WEIGHT * min(1.0, max(0.0, hand))


def win_probability(view: View, seat: int, value: float) -> float:
    """A hand counts by its points, the lead in the match by how much is still to come."""
    s = record(view, RevealPosition)
    ahead = s.total[seat] - s.total[1 - seat]
    left = max(0.0, hands_left(s) - (s.opt.end == End.GOAL))

    def match(lead: float) -> float:
        return logistic(LOGISTIC_SLOPE * (ahead + lead) / (SPREAD * math.sqrt(left + EXPECTED_REMAINING_ROUND)))

    return match(
        lead_for(value, lambda lead: (1 - HAND_WEIGHT) * match(lead) + HAND_WEIGHT * linear(lead, WIDE), 4 * WIDE)
    )


def chooses_again(view: View, seat: int, action: int) -> bool:
    """Does it choose the column that is chosen once more? No table offers that: to confirm comes to the same."""
    s = record(view, RevealPosition)
    chosen = s.choice[seat]
    return s.phase == Phase.FINAL and chosen >= 0 and action in (Act.CHOOSE + chosen, Act.CHOOSE_CONFIRM + chosen)


def promising(view: View, seat: int, legal: Sequence[int]) -> list[int]:
    """All that the table offers."""
    return [action for action in legal if not chooses_again(view, seat, action)]


def equivalence_key(view: View, seat: int, action: int) -> int:
    """To choose the chosen column once more is judged as confirming it."""
    return int(Act.CONFIRM) if chooses_again(view, seat, action) else action


EVALUATION = Evaluation(
    round_is_terminal, evaluate, equivalence_key=equivalence_key, promising=promising, win_probability=win_probability
)
