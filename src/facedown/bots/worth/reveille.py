"""What a hand of Reveille is worth: the mark, or, once both hands are known, how likely they bring it.

From the auction on nothing is hidden and `bots.exact` plays without a mistake, so a search of stage one stops there.
Solving the auction takes milliseconds, too long for the end of a rollout: a small network with two hidden layers judges
the two hands in a microsecond. It has learnt from 216,000 auctions that were solved exactly, and names the winner of
four in five that it has not seen (`scripts/learn_reveille.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from facedown.bots.greedy.reveille import STRENGTH, greedy
from facedown.core.chance import quick_below
from facedown.core.rule import rule, wide
from facedown.games.reveille.bones import BONES, NO_CONTRACT, NUMBERS, WINNERS, legal_replies
from facedown.games.reveille.rules import AUCTION, PICK, PLAY, PLAY_ONE, PLAYERS, SCORING, hand_of, lead
from facedown.games.reveille.rules import DRAW as DRAWING
from facedown.games.reveille.rules import TURN_UP as TURNING_UP
from facedown.games.reveille.rules import UP as FACE_UP

#: The network sees a one for each bone in the opener's hand, and in the other's.
INPUTS = 2 * BONES
LAYERS = (64, 32, 1)
WEIGHTS = Path(__file__).with_suffix(".npy")


def _layers() -> Iterator[tuple[NDArray[np.float32], NDArray[np.float32]]]:
    """The weights and the biases of each layer."""
    rest: NDArray[np.float32] = np.load(WEIGHTS)
    for below, above in pairwise((INPUTS, *LAYERS)):
        layer, rest = np.split(rest, [(below + 1) * above])
        yield layer[:-above].reshape(below, above), layer[-above:]


(FIRST, FIRST_BIAS), (SECOND, SECOND_BIAS), (LAST, LAST_BIAS) = _layers()

#: For the light policy, what each bone adds to its hand, a line for each higher number: doubles do, 5/5 above all, and
#: 0/0 for nello; and what the strength of its best suit adds.
_LINES = (
    (0.52,),
    (0.12, 0.19),
    (0.04, -0.10, 0.20),
    (0.20, -0.02, -0.34, 0.14),
    (0.17, -0.25, -0.13, -0.32, 0.08),
    (-0.23, -0.03, -0.18, -0.33, -0.18, 0.54),
    (-0.08, -0.07, 0.03, -0.11, 0.13, -0.14, 0.16),
)
BONE = np.array([value for line in _LINES for value in line])
BEST_SUIT = 0.54


@rule
def settled(s: Any) -> bool:
    """Decided when the mark is given; and before the first call, for from there on the exact solver plays."""
    return bool(s.phase == SCORING or (s.phase == AUCTION and s.call_count == 0))


@rule
def opener_wins(opening: int, other: int) -> float:
    """The chance that whoever speaks first gets the mark, both hands known and both playing without a mistake."""
    first = np.empty(LAYERS[0], np.float32)
    for i in range(LAYERS[0]):
        first[i] = FIRST_BIAS[i]
    for bone in range(BONES):
        if opening >> bone & 1:
            for i in range(LAYERS[0]):
                first[i] += FIRST[bone, i]
        if other >> bone & 1:
            for i in range(LAYERS[0]):
                first[i] += FIRST[BONES + bone, i]
    second = np.empty(LAYERS[1], np.float32)
    for j in range(LAYERS[1]):
        second[j] = SECOND_BIAS[j]
    for i in range(LAYERS[0]):
        if first[i] > 0:
            for j in range(LAYERS[1]):
                second[j] += first[i] * SECOND[i, j]
    out = float(LAST_BIAS[0])
    for j in range(LAYERS[1]):
        if second[j] > 0:
            out += float(second[j] * LAST[j, 0])
    return float(1.0 / (1.0 + np.exp(-out)))


@rule
def worth(s: Any, out: NDArray[np.float64]) -> None:
    """The chance of the mark: one or none once it is given, a half if the hand was thrown in."""
    if s.phase == SCORING:
        for seat in range(PLAYERS):
            out[seat] = 0.5 if s.mark_to < 0 else 1.0 if s.mark_to == seat else 0.0
        return
    opener = wide(s.opener)
    out[opener] = opener_wins(hand_of(s, opener), hand_of(s, 1 - opener))
    out[1 - opener] = 1.0 - out[opener]


# --- a light policy for rollouts ------------------------------------------------------------------------------------


def _keeping() -> NDArray[np.float64]:
    """How gladly a bone is kept in stage one."""
    kept: NDArray[np.float64] = BONE + BEST_SUIT * STRENGTH[:NUMBERS].max(axis=0)
    return kept


KEEPING = _keeping()
#: A face-up bone that is better than an unseen one is worth winning.
AVERAGE = float(KEEPING.mean())
#: One lead in so many is any bone.
ANY_LEAD = 3


@rule
def least(bones: int) -> int:
    """The bone of a set that is given away most gladly; -1 of none."""
    found = -1
    for bone in range(BONES):
        if bones >> bone & 1 and (found < 0 or KEEPING[bone] < KEEPING[found]):
            found = bone
    return found


@rule
def light(s: Any, seat: int, q: NDArray[np.uint64]) -> int:
    """A quick, sensible move in stage one: cheap bones go, and a good bone is won if it is worth its price."""
    phase = wide(s.phase)
    if phase != PLAY_ONE:
        if phase in (DRAWING, TURNING_UP):
            return PICK + quick_below(q, wide(s.yard_count))
        return greedy(s, seat, q)
    hand = hand_of(s, seat)
    prize = KEEPING[wide(s.card[FACE_UP])]
    if seat == s.leader:
        if quick_below(q, ANY_LEAD) == 0:
            pick = quick_below(q, wide(s.hand_size[seat]))
            for bone in range(BONES):
                if hand >> bone & 1:
                    if pick == 0:
                        return PLAY + bone
                    pick -= 1
        return PLAY + least(hand)
    playable = legal_replies(NO_CONTRACT, lead(s), hand, s.must_ruff == 1)
    winning = least(playable & wide(WINNERS[NO_CONTRACT, lead(s)]))
    losing = least(playable & ~wide(WINNERS[NO_CONTRACT, lead(s)]))
    if losing < 0 or (winning >= 0 and KEEPING[winning] - KEEPING[losing] < prize - AVERAGE):
        return PLAY + winning
    return PLAY + losing
