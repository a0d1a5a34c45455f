"""Evaluation of Reveille positions: the probability that a seat gets the mark (point of the match) of the hand.

From the auction on, both hands are known, and `games.reveille.bots.endgame_bot` plays by an exact solution. So rollouts
(simulated plays) of stage one end at the beginning of the auction. Solving the auction takes milliseconds, which is too
slow for the end of a rollout. Instead a small neural network with two hidden layers evaluates the two hands in a
microsecond.

The network was trained on 216,000 exactly solved auctions (`scripts/train_reveille_auction.py`). It predicts the winner
correctly in four of five auctions that were not used for training.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from facedown.core.bot import Evaluation
from facedown.core.random_numbers import quick_randint
from facedown.core.rule import rule
from facedown.core.state import Floats, View, cast_record
from facedown.games.reveille.bots.policy import STRENGTH, greedy
from facedown.games.reveille.cards import BONES, NO_CONTRACT, NUMBERS, WINNERS
from facedown.games.reveille.rules import (
    GOAL,
    HAND,
    NO_SEAT,
    UP_SLOT,
    Act,
    Phase,
    ReveillePosition,
    hand_mask,
    led_bone,
)

#: Number of inputs of the network. The first 28 say for each bone whether the player who calls first has it (1 or 0).
#: The other 28 say the same of the other player.
INPUTS = 2 * BONES
LAYERS = (64, 32, 1)
WEIGHTS = Path(__file__).with_suffix(".npy")


def _layers() -> Iterator[tuple[NDArray[np.float32], NDArray[np.float32]]]:
    """Yield (weights, biases) of each layer of the neural network, from the first layer to the last.

    The weights are indexed by (input, output). They are read from the file `WEIGHTS`.
    """
    rest: NDArray[np.float32] = np.load(WEIGHTS)
    for below, above in pairwise((INPUTS, *LAYERS)):
        layer, rest = np.split(rest, [(below + 1) * above])
        yield layer[:-above].reshape(below, above), layer[-above:]


(FIRST, FIRST_BIAS), (SECOND, SECOND_BIAS), (LAST, LAST_BIAS) = _layers()


@rule
def round_is_terminal(s: ReveillePosition) -> bool:
    """Return whether a rollout stops at this position: the hand is over, or the auction is about to begin.

    A position before the auction is evaluated by a neural network (`evaluate`).
    """
    return s.phase == Phase.SCORING or (s.phase == Phase.AUCTION and s.call_count == 0)


@rule
def opener_win_chance(opener_hand: int, other_hand: int) -> float:
    """Return the network's estimate of the probability that the player who calls first in the auction gets the mark.

    `opener_hand` is that player's hand and `other_hand` the other hand, as bit masks of bones.
    """
    first = FIRST_BIAS.copy()
    for bone in range(BONES):
        if opener_hand >> bone & 1:
            first += FIRST[bone]
        if other_hand >> bone & 1:
            first += FIRST[BONES + bone]
    second = SECOND_BIAS.copy()
    for i in range(LAYERS[0]):
        if first[i] > 0:
            second += first[i] * SECOND[i]
    out = LAST_BIAS[0]
    for j in range(LAYERS[1]):
        if second[j] > 0:
            out += second[j] * LAST[j, 0]
    chance: float = 1.0 / (1.0 + np.exp(-out))
    return chance


@rule
def evaluate(s: ReveillePosition, out: Floats) -> None:
    """Write to `out` each seat's expected share of the mark (point of the match) of this hand, from 0 to 1.

    The hand must be over, or the auction about to begin (`round_is_terminal`). For other positions the result has no
    meaning.

    * If the hand is over: 1 for the seat that got the mark, and 0 for the other seat. If neither seat got it: 0.5.
    * At the beginning of the auction: the neural network's estimate of the probability that the seat gets the mark.
    """
    opener = s.opener
    if s.phase == Phase.SCORING:
        out[opener] = 0.5 if s.mark_to == NO_SEAT else 1.0 if s.mark_to == opener else 0.0
    else:
        out[opener] = opener_win_chance(hand_mask(s, opener), hand_mask(s, 1 - opener))
    out[1 - opener] = 1.0 - out[opener]


# --- the rollout policy -----------------------------------------------------------------------------------------------

#: Value of each bone to the player who holds it, fitted to the results of many hands (rounds of play). `_LINES[h][l]`
#: is the value of the bone with the numbers h and l, where l is not above h. Doubles are worth most, especially 5·5.
#: 0·0 is worth much because it helps in nello.
_LINES = (
    (0.52,),
    (0.12, 0.19),
    (0.04, -0.10, 0.20),
    (0.20, -0.02, -0.34, 0.14),
    (0.17, -0.25, -0.13, -0.32, 0.08),
    (-0.23, -0.03, -0.18, -0.33, -0.18, 0.54),
    (-0.08, -0.07, 0.03, -0.11, 0.13, -0.14, 0.16),
)
#: Factor with which a bone's strength in its best trump suit (`STRENGTH`) is added to its value in `_LINES`.
BEST_SUIT = 0.54

#: Value of keeping each bone in hand in stage one. Indexed by bone.
KEEP_VALUES = np.concatenate(_LINES) + BEST_SUIT * np.asarray(STRENGTH)[:NUMBERS].max(axis=0)
#: Average value of a bone. A face-up bone above this value is worth winning, because the loser of the trick draws an
#: average bone.
AVERAGE = KEEP_VALUES.mean()
#: In rollouts, one lead in `ANY_LEAD` is a random bone of the hand. The other leads are the bone of the lowest value.
ANY_LEAD = 3


@rule
def cheapest_bone(bones: int) -> int:
    """Return the bone with the lowest value (`KEEP_VALUES`) in a bit mask of bones, or -1 if the mask is empty."""
    found = -1
    for bone in range(BONES):
        if bones >> bone & 1 and (found < 0 or KEEP_VALUES[bone] < KEEP_VALUES[found]):
            found = bone
    return found


@rule
def rollout_policy(s: ReveillePosition, seat: int, q: NDArray[np.uint64]) -> int:
    """Return an action for a rollout (simulated play), chosen by simple and fast rules.

    * Lead in stage one: usually the bone with the lowest value (`KEEP_VALUES`), sometimes a random bone.
    * Reply in stage one: win the trick with the cheapest bone that wins it, if the gain is larger than the cost or if
      every bone wins. Otherwise lose the trick with the cheapest bone that loses it. The gain is the value of the
      face-up bone, which the winner gets, minus the value of an average bone, which the loser draws. The cost is the
      value of the winning bone minus the value of the losing bone.
    * Pick from the boneyard (face-down stock): a random bone.
    * Everything else, such as the auction and stage two: the action of the greedy policy (`greedy`).

    `q` is the state of the fast random number generator.
    """
    if s.phase == Phase.DRAWING or s.phase == Phase.TURNING_UP:
        return Act.PICK + quick_randint(q, s.yard_count)
    if s.phase != Phase.STAGE_ONE:
        return greedy(s, seat, q)
    hand = hand_mask(s, seat)
    if seat == s.leader:
        if quick_randint(q, ANY_LEAD) > 0:
            return Act.PLAY + cheapest_bone(hand)
        return Act.PLAY + s.card[seat * HAND + s.hand_size[seat] - 1 - quick_randint(q, s.hand_size[seat])]
    # In stage one any bone is a legal reply, so the cheapest winning bone and the cheapest losing bone are both legal.
    winning = cheapest_bone(hand & WINNERS[NO_CONTRACT, led_bone(s)])
    losing = cheapest_bone(hand & ~WINNERS[NO_CONTRACT, led_bone(s)])
    gained = KEEP_VALUES[s.card[UP_SLOT]] - AVERAGE
    if losing < 0 or (winning >= 0 and KEEP_VALUES[winning] - KEEP_VALUES[losing] < gained):
        return Act.PLAY + winning
    return Act.PLAY + losing


# --- the match --------------------------------------------------------------------------------------------------------


@cache
def race_win_chance(my_marks_needed: int, their_marks_needed: int) -> float:
    """Return the probability of winning the match for a player who gets each mark with probability 1/2.

    A mark is a point of the match. `my_marks_needed` is the number of marks that this player still needs to win the
    match, `their_marks_needed` the number that the other player needs.

    >>> race_win_chance(1, 2)
    0.75
    """
    if my_marks_needed <= 0:
        return 1.0
    if their_marks_needed <= 0:
        return 0.0
    return (
        race_win_chance(my_marks_needed - 1, their_marks_needed)
        + race_win_chance(my_marks_needed, their_marks_needed - 1)
    ) / 2


def win_probability(view: View, seat: int, value: float) -> float:
    """Return the probability that a seat wins the match if `value` is the seat's expected share of this hand's mark.

    A mark is a point of the match. If it is certain that one player will get the mark, `value` is the probability that
    the seat gets it. A hand in which neither player gets the mark counts as a share of 0.5, as in `evaluate`. In each
    later hand, each player is assumed to get the mark with probability 1/2.
    """
    s = cast_record(view, ReveillePosition)
    mine, theirs = GOAL - s.marks[seat], GOAL - s.marks[1 - seat]
    return value * race_win_chance(mine - 1, theirs) + (1 - value) * race_win_chance(mine, theirs - 1)


EVALUATION = Evaluation(round_is_terminal, evaluate, rollout_policy, win_probability=win_probability)
