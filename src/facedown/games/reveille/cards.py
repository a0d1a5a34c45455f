"""The 28 bones (dominoes) of Reveille, with their suits, ranks and points under every contract (rules 3.2).

A bone is a number from 0 to 27, an index of `ENDS`. A set of bones is a bit mask: bit b is set if bone b is in the set.
A contract is a number: a trump suit from 0 to 6, `NELLO` (no trumps, and the declarer must win no trick), or
`NO_CONTRACT` (stage one, which has no trumps).

The definitions are plain Python functions that follow the wording of the rules. When this module is imported, their
results for every contract are stored in small tables. The compiled rules read only these tables.
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


#: How many numbers an end of a bone can have: 0 to 6. The same numbers are the seven suits.
NUMBERS = 7
#: The two numbers of each bone, as (higher, lower), by bone: 00, 10, 11, 20, …, 66.
ENDS = [(high, low) for high in range(NUMBERS) for low in range(high + 1)]
NAMES = [f"{high}{low}" for high, low in ENDS]
BONES = len(ENDS)

#: The suit of the doubles in nello. There a double belongs to no other suit (rules 3.2, RVL-16).
DOUBLES = 7

#: The two contract numbers that are not a trump suit.
NELLO = 7
NO_CONTRACT = 8

#: Rank of a double in the suit of its number, above all other bones of the suit.
DOUBLE_RANK = 7

TRICK_POINTS = 1
#: Points in stage two if no counter was played in stage one: one for each of the seven tricks, and 35 for the counters.
MAX_POINTS = 42

#: Points of each counter (a bone that scores points by itself), by the (higher, lower) numbers of the bone.
COUNTERS = {(5, 5): 10, (6, 4): 10, (3, 2): 5, (4, 1): 5, (5, 0): 5}


# --- suits and ranks as plain Python, in the words of the rules -------------------------------------------------------


def is_trump(contract: int, bone: int) -> bool:
    """Return whether the contract is a trump suit and the bone has its number."""
    return contract < NUMBERS and contract in ENDS[bone]


def led_suit(contract: int, lead: int) -> int:
    """Return the suit that the other player must follow when the bone `lead` is led.

    It is the trump suit if the bone is a trump, `DOUBLES` for a double in nello, and otherwise the higher number on the
    bone.
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
    """Return the rank of a bone in a suit that it belongs to. In a trick, the higher rank wins.

    The rank is the other number on the bone, or `DOUBLE_RANK` for a double. In the suit `DOUBLES` it is the number of
    the double.
    """
    high, low = ENDS[bone]
    if suit == DOUBLES:
        return high
    if high == low:
        return DOUBLE_RANK
    return low if suit == high else high


def _beats(contract: int, lead: int, reply: int) -> bool:
    suit = led_suit(contract, lead)
    if is_in_suit(contract, reply, suit):
        return rank(reply, suit) > rank(lead, suit)
    return is_trump(contract, reply) and not is_trump(contract, lead)


# --- the same rules as tables of bit masks ----------------------------------------------------------------------------


def mask_where(wanted: Callable[[int], bool]) -> int:
    """Return the bit mask of the bones for which `wanted(bone)` is true."""
    return sum(1 << bone for bone in range(BONES) if wanted(bone))


def _reply_masks(wanted: Callable[[int, int, int], bool]) -> Grid[int]:
    """Return a table of bit masks of bones, indexed by (contract, lead).

    Each mask has the replies for which `wanted(contract, lead, reply)` is true.
    """
    return np.array(
        [[mask_where(partial(wanted, c, lead)) for lead in range(BONES)] for c in range(NO_CONTRACT + 1)],
        dtype=np.int64,
    )


#: By bone: the points that it scores by itself, 10, 5 or 0.
COUNTER_POINTS: Ints = np.array([COUNTERS.get(ends, 0) for ends in ENDS], dtype=np.int64)

#: By bone: its number of pips, the sum of its two numbers.
PIPS: Ints = np.array([sum(ends) for ends in ENDS], dtype=np.int64)

#: Bit mask of all counters (bones that score points by themselves).
ALL_COUNTERS = mask_where(lambda bone: ENDS[bone] in COUNTERS)

#: By (contract, lead): bit mask of the bones that follow suit to the lead.
FOLLOW_SUIT_MASKS = _reply_masks(lambda contract, lead, reply: is_in_suit(contract, reply, led_suit(contract, lead)))

#: By (contract, lead): bit mask of the replies that win the trick.
WINNERS = _reply_masks(_beats)

#: By contract: bit mask of the trumps. It is empty for `NELLO` and `NO_CONTRACT`.
TRUMPS: Ints = np.array([mask_where(partial(is_trump, c)) for c in range(NO_CONTRACT + 1)], dtype=np.int64)


# --- lookups for the compiled rules -----------------------------------------------------------------------------------


@rule
def nonnegative_index(number: int) -> int:
    """Return a number from 0 to 127 (a seat, bone or count) unchanged, so that the compiler knows it is not negative.

    Fields of a record are signed. With a signed index, the compiled code checks at each array access whether to count
    from the end. Without these checks random matches run a sixth faster.
    """
    return number & 0x7F


@rule
def reply_wins(contract: int, lead: int, reply: int) -> bool:
    """Return whether the reply wins the trick against the lead under this contract."""
    # In interpreted code the table gives a NumPy integer, but callers need a Python bool.
    return bool(WINNERS[nonnegative_index(contract), nonnegative_index(lead)] >> reply & 1)


@rule
def follow_suit_mask(contract: int, lead: int) -> int:
    """Return the bones that follow suit to a lead, as a bit mask."""
    return FOLLOW_SUIT_MASKS[nonnegative_index(contract), nonnegative_index(lead)]


@rule
def counter_points(lead: int, reply: int) -> int:
    """Return the points that the two bones of a trick score by themselves."""
    return COUNTER_POINTS[nonnegative_index(lead)] + COUNTER_POINTS[nonnegative_index(reply)]


@rule
def trick_points(lead: int, reply: int) -> int:
    """Return the points of a trick in stage two: one for the trick, plus those that its bones score by themselves."""
    return TRICK_POINTS + counter_points(lead, reply)


@rule
def legal_replies(contract: int, lead: int, hand: int, must_ruff: bool) -> int:
    """Return the bones of the bit mask `hand` that may be played to the lead, as a bit mask.

    Under a contract, the reply must follow suit if the hand can, and otherwise may be any bone (rules 3.7). If
    `must_ruff`, a hand that cannot follow suit must play a trump if it has one (RVL-7). Under `NO_CONTRACT` (stage one)
    every bone is legal (rules 3.4).
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
    """Return the bone with this name; its digits may be in either order: ``bone_named("12")`` is 4.

    Raise `ValueError` if no bone has the name.
    """
    higher_first = "".join(sorted(name, reverse=True))
    if higher_first not in NAMES:
        raise ValueError(_("{name!r} is not a bone; expected two digits from 0 to 6, such as 64", name=name))
    return NAMES.index(higher_first)
