"""The 28 bones (dominoes) of Reveille, with their suits, ranks and points under every contract (rules 3.2).

* A bone is a number from 0 to 27, an index of `ENDS`.
* A set of bones is a bit mask: bit b is set if bone b is in the set.
* A contract is a number: a trump suit from 0 to 6, `NELLO` (no trumps, and the declarer must win no trick), or
  `NO_CONTRACT` (stage one, which has no trumps).

The definitions are plain Python functions that follow the wording of the rules. When this module is imported, their
results for every contract are stored in small tables. Compiled functions read only these tables.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Protocol, TypeVar

import numpy as np

from facedown.core.rule import rule
from facedown.core.state import Ints
from facedown.games.reveille.i18n import _

N = TypeVar("N", int, float, covariant=True)


class Grid(Protocol[N]):
    """Two-dimensional array of numbers, indexed by (row, column). This type is used in annotations only."""

    def __getitem__(self, at: tuple[int, int], /) -> N: ...


#: Count of the numbers that an end of a bone (domino) can have, 0 to 6. Each of these numbers is also a suit.
NUMBERS = 7
#: The two numbers of each bone, as (higher, lower). Bone 0 is 00, bone 1 is 10, then come 11, 20, …, 66.
ENDS = [(high, low) for high in range(NUMBERS) for low in range(high + 1)]
NAMES = [f"{high}{low}" for high, low in ENDS]
BONES = len(ENDS)

#: The suit of doubles, as an index after the suits 0 to 6. It exists only in nello, where a double has no other suit
#: (rules 3.2, and ruling RVL-16 in ``docs/rules/reveille.md``).
DOUBLES = 7

#: Contracts that are not a trump suit: nello (the declarer must win no trick), and the value while none is named.
NELLO = 7
NO_CONTRACT = 8

#: Rank of a double in the suit of its number. It is above all other bones of this suit, whose ranks are 0 to 6.
DOUBLE_RANK = 7

TRICK_POINTS = 1
#: Points that can be won in stage two if no counter (bone that scores points) was played in stage one: one for each of
#: the seven tricks, and 35 for the counters.
MAX_POINTS = 42

#: The counters (bones that score points by themselves), as (higher, lower) number, with their points.
COUNTERS = {(5, 5): 10, (6, 4): 10, (3, 2): 5, (4, 1): 5, (5, 0): 5}


# --- suits and ranks as plain Python, in the words of the rules -------------------------------------------------------


def is_trump(contract: int, bone: int) -> bool:
    """Return whether the contract is a trump suit and one end of the bone has the number of this suit."""
    return contract < NUMBERS and contract in ENDS[bone]


def led_suit(contract: int, lead: int) -> int:
    """Return the suit that the other player must follow when the bone `lead` is led.

    The result is the trump suit if the bone is a trump, `DOUBLES` for a double in nello, and otherwise the higher
    number on the bone.
    """
    high, low = ENDS[lead]
    if contract == NELLO and high == low:
        return DOUBLES
    return contract if is_trump(contract, lead) else high


def is_in_suit(contract: int, bone: int, suit: int) -> bool:
    """Return whether a bone belongs to a suit (0 to 6, or `DOUBLES` in nello).

    A trump belongs only to the trump suit. In nello a double belongs only to `DOUBLES` (rules 3.2).
    """
    high, low = ENDS[bone]
    if contract == NELLO:
        return high == low if suit == DOUBLES else high != low and suit in (high, low)
    return suit in (high, low) and is_trump(contract, bone) == (suit == contract)


def rank(bone: int, suit: int) -> int:
    """Return the rank of a bone in `suit`, to which the bone must belong. In a trick, the higher rank wins.

    The rank is the number on the other end of the bone, or `DOUBLE_RANK` for a double. In the suit `DOUBLES` it is the
    number of the double.
    """
    high, low = ENDS[bone]
    if suit == DOUBLES:
        return high
    if high == low:
        return DOUBLE_RANK
    return low if suit == high else high


def _reply_beats_lead(contract: int, lead: int, reply: int) -> bool:
    suit = led_suit(contract, lead)
    if is_in_suit(contract, reply, suit):
        return rank(reply, suit) > rank(lead, suit)
    return is_trump(contract, reply) and not is_trump(contract, lead)


# --- suits and winning replies as tables of bit masks -----------------------------------------------------------------


def mask_where(wanted: Callable[[int], bool]) -> int:
    """Return the bit mask of the bones for which `wanted(bone)` is true: bit b is set if bone b is one of them."""
    return sum(1 << bone for bone in range(BONES) if wanted(bone))


def _reply_masks(wanted: Callable[[int, int, int], bool]) -> Grid[int]:
    """Return a table of bit masks of bones, indexed by (contract, lead).

    Each mask contains the bones `reply` for which `wanted(contract, lead, reply)` is true.
    """
    return np.array(
        [[mask_where(partial(wanted, c, lead)) for lead in range(BONES)] for c in range(NO_CONTRACT + 1)],
        dtype=np.int64,
    )


#: Points that each bone scores by itself: 10, 5 or 0. Indexed by bone.
COUNTER_POINTS: Ints = np.array([COUNTERS.get(ends, 0) for ends in ENDS], dtype=np.int64)

#: Number of pips on each bone, the sum of its two numbers. Indexed by bone.
PIPS: Ints = np.array([sum(ends) for ends in ENDS], dtype=np.int64)

#: Bit mask of all counters (bones that score points by themselves).
ALL_COUNTERS = mask_where(lambda bone: ENDS[bone] in COUNTERS)

#: Bit masks of the bones that belong to the suit led. Indexed by (contract, bone that was led).
FOLLOW_SUIT_MASKS = _reply_masks(lambda contract, lead, reply: is_in_suit(contract, reply, led_suit(contract, lead)))

#: Bit masks of the bones that win the trick as the reply. Indexed by (contract, bone that was led).
WINNERS = _reply_masks(_reply_beats_lead)

#: Bit mask of the trumps under each contract, empty for `NELLO` and `NO_CONTRACT`. Indexed by contract.
TRUMPS: Ints = np.array([mask_where(partial(is_trump, c)) for c in range(NO_CONTRACT + 1)], dtype=np.int64)


# --- lookups for compiled functions -----------------------------------------------------------------------------------


@rule
def assume_nonnegative(number: int) -> int:
    """Return a number from 0 to 127 unchanged. The compiler then knows that it is not negative.

    Seats, bones and counts come from signed fields of a position. With a signed index, compiled code must check at each
    array access whether to count from the end of the array. Without these checks random matches run a sixth faster.
    """
    return number & 0x7F


@rule
def reply_wins(contract: int, lead: int, reply: int) -> bool:
    """Return whether the bone `reply` wins the trick against the bone `lead` under this contract."""
    # In interpreted code this expression is a NumPy integer, but callers need a Python bool.
    return bool(WINNERS[assume_nonnegative(contract), assume_nonnegative(lead)] >> reply & 1)


@rule
def follow_suit_mask(contract: int, lead: int) -> int:
    """Return the bit mask of all bones that follow suit to the bone `lead` under this contract."""
    return FOLLOW_SUIT_MASKS[assume_nonnegative(contract), assume_nonnegative(lead)]


@rule
def counter_points(lead: int, reply: int) -> int:
    """Return the points that the two bones of a trick score by themselves, without the point for the trick."""
    return COUNTER_POINTS[assume_nonnegative(lead)] + COUNTER_POINTS[assume_nonnegative(reply)]


@rule
def trick_points(lead: int, reply: int) -> int:
    """Return the points of a trick in stage two: one for the trick, plus the points of its counters (scoring bones)."""
    return TRICK_POINTS + counter_points(lead, reply)


@rule
def legal_replies(contract: int, lead: int, hand: int, must_ruff: bool) -> int:
    """Return the bit mask of the bones in `hand` (also a bit mask) that may be played in reply to the bone `lead`.

    * Stage one (`NO_CONTRACT`): every bone is legal (rules 3.4).
    * Stage two: a hand that can follow suit must do so. Otherwise every bone is legal (rules 3.7). But if `must_ruff`
      is true, a hand that cannot follow suit must play a trump if it has one (ruling RVL-7 in
      ``docs/rules/reveille.md``).
    """
    if contract == NO_CONTRACT:
        return hand
    following = hand & follow_suit_mask(contract, lead)
    if following != 0:
        return following
    ruffing = hand & TRUMPS[contract]
    return ruffing if must_ruff and ruffing != 0 else hand


def bones_in_set(bones: int) -> list[int]:
    """Return the bones of a bit mask as a list, highest number first.

    >>> bones_in_set(0b10011)
    [4, 1, 0]
    """
    return [bone for bone in range(BONES - 1, -1, -1) if bones >> bone & 1]


def bone_name(bone: int) -> str:
    """Return the two digits of a bone, higher number first: ``bone_name(4)`` is ``"21"``."""
    return NAMES[bone]


def bone_named(name: str) -> int:
    """Return the bone (a number from 0 to 27) with this name, two digits in either order: ``bone_named("12")`` is 4.

    Raise `ValueError` if no bone has the name.
    """
    higher_first = "".join(sorted(name, reverse=True))
    if higher_first not in NAMES:
        raise ValueError(_("{name!r} is not a bone; expected two digits from 0 to 6, such as 64", name=name))
    return NAMES.index(higher_first)
