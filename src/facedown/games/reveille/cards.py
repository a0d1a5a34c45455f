"""The twenty-eight bones of Reveille: their numbers, suits, ranks and points under every contract (rules 3.2).

A bone is a number 0..27 (`ENDS`), a set of bones is an integer with one bit for each (`1 << bone`).
A contract is a number too: a trump suit 0..6, `NELLO`, or `NO_CONTRACT` (stage one, where nothing is trumps).

The definitions are written once, below, in the words of the rules. They are worked out for every contract when this
module is imported and kept in small tables; the compiled rules look things up there.
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
    """A table of numbers, read by row and column."""

    def __getitem__(self, at: tuple[int, int], /) -> N: ...


#: Numbers on the ends of a bone: 0..6. They are also the seven suits.
NUMBERS = 7
#: (higher, lower) number of every bone, in the order of the bones: 00, 10, 11, 20, …, 66.
ENDS = [(high, low) for high in range(NUMBERS) for low in range(high + 1)]
NAMES = [f"{high}{low}" for high, low in ENDS]
BONES = len(ENDS)

#: The suit that all doubles form in nello, where they belong to no other (rules 3.2, RVL-16).
DOUBLES = 7

#: Contracts beside the trump suits 0..6.
NELLO = 7
NO_CONTRACT = 8

#: Rank of a double in its number's suit: above any other number.
DOUBLE_RANK = 7

TRICK_POINTS = 1
#: All points of a stage when no counter was burnt: seven tricks and 35 in counters.
MAX_POINTS = 42

#: Counters by their numbers, higher first.
COUNTERS = {(5, 5): 10, (6, 4): 10, (3, 2): 5, (4, 1): 5, (5, 0): 5}


# --- the rules of suits and ranks, in plain Python --------------------------------------------------------------------


def is_trump(contract: int, bone: int) -> bool:
    """Whether the bone is a trump: the contract names a suit and the bone bears its number."""
    return contract < NUMBERS and contract in ENDS[bone]


def led_suit(contract: int, lead: int) -> int:
    """The suit that a lead calls for: trumps, the doubles (nello), or else the higher number of the bone."""
    high, low = ENDS[lead]
    if contract == NELLO and high == low:
        return DOUBLES
    return contract if is_trump(contract, lead) else high


def is_in_suit(contract: int, bone: int, suit: int) -> bool:
    """Whether the bone belongs to the suit (0..6, or `DOUBLES` in nello).

    A trump belongs to the trump suit alone; in nello a double belongs to the doubles alone (rules 3.2).
    """
    high, low = ENDS[bone]
    if contract == NELLO:
        return high == low if suit == DOUBLES else high != low and suit in (high, low)
    return suit in (high, low) and is_trump(contract, bone) == (suit == contract)


def rank(bone: int, suit: int) -> int:
    """Rank of a bone in a suit that it belongs to: the other number, 7 for the double (its number among `DOUBLES`)."""
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


# --- the same in tables: sets of bones --------------------------------------------------------------------------------


def mask_where(wanted: Callable[[int], bool]) -> int:
    """The set of the bones that are wanted."""
    return sum(1 << bone for bone in range(BONES) if wanted(bone))


def _reply_masks(wanted: Callable[[int, int, int], bool]) -> Grid[int]:
    """By contract and lead: the set of the replies that are wanted."""
    return np.array(
        [[mask_where(partial(wanted, c, lead)) for lead in range(BONES)] for c in range(NO_CONTRACT + 1)],
        dtype=np.int64,
    )


#: Counter points on each bone: 10, 5 or 0.
COUNTER_POINTS: Ints = np.array([COUNTERS.get(ends, 0) for ends in ENDS], dtype=np.int64)

#: The pips on each bone.
PIPS: Ints = np.array([sum(ends) for ends in ENDS], dtype=np.int64)

#: The set of all counters.
ALL_COUNTERS = mask_where(lambda bone: ENDS[bone] in COUNTERS)

#: FOLLOWING[contract, lead]: the set of bones that follow suit to the lead.
FOLLOW_SUIT_MASKS = _reply_masks(lambda contract, lead, reply: is_in_suit(contract, reply, led_suit(contract, lead)))

#: WINNERS[contract, lead]: the set of replies that win the trick.
WINNERS = _reply_masks(_beats)

#: TRUMPS[contract]: the set of all trumps, empty in nello and without a contract.
TRUMPS: Ints = np.array([mask_where(partial(is_trump, c)) for c in range(NO_CONTRACT + 1)], dtype=np.int64)


# --- what the compiled rules ask --------------------------------------------------------------------------------------


@rule
def nonnegative_index(number: int) -> int:
    """A seat, bone or count, none of which is below zero, as an index: the compiler then knows so.

    Fields have signs, and of a number that may be negative it would ask at every row from which end to count. In the
    rules that are most used this makes random play a sixth faster.
    """
    return number & 0x7F


@rule
def reply_wins(contract: int, lead: int, reply: int) -> bool:
    """Whether the reply takes the trick from the lead."""
    # Run as plain Python, a table of numbers answers with NumPy's own kind of truth.
    return bool(WINNERS[nonnegative_index(contract), nonnegative_index(lead)] >> reply & 1)


@rule
def follow_suit_mask(contract: int, lead: int) -> int:
    """The set of bones that follow suit to a lead."""
    return FOLLOW_SUIT_MASKS[nonnegative_index(contract), nonnegative_index(lead)]


@rule
def counter_points(lead: int, reply: int) -> int:
    """What the counters in a trick count."""
    return COUNTER_POINTS[nonnegative_index(lead)] + COUNTER_POINTS[nonnegative_index(reply)]


@rule
def trick_points(lead: int, reply: int) -> int:
    """Points of a stage-two trick: one, and the counters in it."""
    return TRICK_POINTS + counter_points(lead, reply)


@rule
def legal_replies(contract: int, lead: int, hand: int, must_ruff: bool) -> int:
    """The set of bones of `hand` (a set) that may be played to the lead in stage one or two.

    With a contract: a bone of the led suit if there is one, else any (rules 3.7); with `must_ruff` a hand that
    cannot follow plays a trump if it has one (RVL-7). Without a contract there is no duty to follow (rules 3.4).
    """
    if contract == NO_CONTRACT:
        return hand
    following = hand & follow_suit_mask(contract, lead)
    if following != 0:
        return following
    ruffing = hand & TRUMPS[contract]
    return ruffing if must_ruff and ruffing != 0 else hand


def bones_in_set(bones: int) -> list[int]:
    """The bones of a set, highest first.

    >>> bones_in_set(0b10011)
    [4, 1, 0]
    """
    return [bone for bone in range(BONES - 1, -1, -1) if bones >> bone & 1]


def bone_name(bone: int) -> str:
    """The two numbers of a bone, higher first: ``bone_name(4)`` is ``"21"``."""
    return NAMES[bone]


def bone_named(name: str) -> int:
    """The bone with this name, in either order: ``bone_named("12")`` is 4. ValueError if there is none."""
    higher_first = "".join(sorted(name, reverse=True))
    if higher_first not in NAMES:
        raise ValueError(_("{name!r} is not a bone: two digits from 0 to 6 are wanted, such as 64", name=name))
    return NAMES.index(higher_first)
