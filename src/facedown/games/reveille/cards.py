"""The twenty-eight bones of Reveille: their numbers, suits, ranks and points under every contract (rules 3.2).

A bone is a number 0..27 (`bone`), a set of bones is an integer with one bit for each (`1 << bone`).
A contract is a number too: a trump suit 0..6, `NELLO`, or `NO_CONTRACT` (stage one, where nothing is trumps).

The definitions are written once, below, in the words of the rules. They are worked out for every contract when this
module is imported and kept in small tables; the compiled rules look things up there.
"""

from __future__ import annotations

from typing import Protocol, TypeVar

import numpy as np

from facedown.core.rule import rule
from facedown.core.state import Ints

N = TypeVar("N", int, float, covariant=True)


class Grid(Protocol[N]):
    """A table of numbers, read by row and column."""

    def __getitem__(self, at: tuple[int, int], /) -> N: ...


#: Numbers on the ends of a bone: 0..6. They are also the seven suits.
NUMBERS = 7
BONES = 28

#: The suit that all doubles form in nello, where they belong to no other (rules 3.2, RVL-16).
DOUBLES = 7
SUITS = NUMBERS + 1

#: Contracts beside the trump suits 0..6.
NELLO = 7
NO_CONTRACT = 8
CONTRACTS = 9

#: Rank of a double in its number's suit: above any other number.
DOUBLE_RANK = 7
#: Rank of a bone in a suit it does not belong to.
NO_RANK = -1

#: All bits of a small number but its sign.
NOT_NEGATIVE = 0x7F

TRICK_POINTS = 1
#: All points of a stage when no counter was burnt: seven tricks and 35 in counters.
POINTS = 42

#: Counters by their numbers, higher first.
COUNTERS = {(5, 5): 10, (6, 4): 10, (3, 2): 5, (4, 1): 5, (5, 0): 5}


def _ends() -> list[tuple[int, int]]:
    """(higher, lower) number of every bone, in the order of `bone`: 00, 10, 11, 20, …, 66."""
    return [(high, low) for high in range(NUMBERS) for low in range(high + 1)]


def _is_trump(contract: int, high: int, low: int) -> bool:
    return contract in (high, low) and contract < NUMBERS


def _belongs(contract: int, high: int, low: int, suit: int) -> bool:
    """rules 3.2: a trump belongs to the trump suit alone; in nello a double belongs to the doubles alone."""
    if contract == NELLO:
        return high == low if suit == DOUBLES else high != low and suit in (high, low)
    if suit == contract:
        return _is_trump(contract, high, low)
    return suit in (high, low) and not _is_trump(contract, high, low)


def _led_suit(contract: int, high: int, low: int) -> int:
    if contract == NELLO and high == low:
        return DOUBLES
    return contract if _is_trump(contract, high, low) else high


def _rank(high: int, low: int, suit: int) -> int:
    if suit == DOUBLES:
        return high if high == low else NO_RANK
    if suit not in (high, low):
        return NO_RANK
    if high == low:
        return DOUBLE_RANK
    return low if suit == high else high


def _reply_wins(contract: int, lead: tuple[int, int], reply: tuple[int, int]) -> bool:
    suit = _led_suit(contract, *lead)
    if _belongs(contract, *reply, suit):
        return _rank(*reply, suit) > _rank(*lead, suit)
    return _is_trump(contract, *reply) and not _is_trump(contract, *lead)


def _set_of(wanted: list[bool]) -> int:
    return sum(1 << bone for bone, yes in enumerate(wanted) if yes)


_ENDS = _ends()

#: Higher and lower number of each bone.
HIGH: Ints = np.array([high for high, low in _ENDS], dtype=np.int64)
LOW: Ints = np.array([low for high, low in _ENDS], dtype=np.int64)

#: Counter points on each bone: 10, 5 or 0.
COUNTER: Ints = np.array([COUNTERS.get(ends, 0) for ends in _ENDS], dtype=np.int64)

#: The set of all counters.
ALL_COUNTERS = _set_of([ends in COUNTERS for ends in _ENDS])

#: RANK[bone, suit]: rank of the bone in the suit, `NO_RANK` if the suit is not on it.
RANK: Grid[int] = np.array([[_rank(*ends, suit) for suit in range(SUITS)] for ends in _ENDS], dtype=np.int64)

#: LED_SUIT[contract, bone]: the suit that a lead of the bone calls for.
LED_SUIT: Grid[int] = np.array([[_led_suit(c, *ends) for ends in _ENDS] for c in range(CONTRACTS)], dtype=np.int64)

#: MEMBERS[contract, suit]: the set of bones that belong to the suit.
MEMBERS: Grid[int] = np.array(
    [[_set_of([_belongs(c, *ends, suit) for ends in _ENDS]) for suit in range(SUITS)] for c in range(CONTRACTS)],
    dtype=np.int64,
)

#: FOLLOWING[contract, lead]: the set of bones that follow suit to the lead.
FOLLOWING: Grid[int] = np.array(
    [
        [_set_of([_belongs(c, *ends, _led_suit(c, *lead)) for ends in _ENDS]) for lead in _ENDS]
        for c in range(CONTRACTS)
    ],
    dtype=np.int64,
)

#: TRUMPS[contract]: the set of all trumps, empty in nello and without a contract.
TRUMPS: Ints = np.array([_set_of([_is_trump(c, *ends) for ends in _ENDS]) for c in range(CONTRACTS)], dtype=np.int64)

#: WINNERS[contract, lead]: the set of replies that win the trick.
WINNERS: Grid[int] = np.array(
    [[_set_of([_reply_wins(c, lead, reply) for reply in _ENDS]) for lead in _ENDS] for c in range(CONTRACTS)],
    dtype=np.int64,
)


@rule
def index(number: int) -> int:
    """A seat, bone or count, none of which is below zero, as an index: the compiler then knows so.

    Fields have signs, and of a number that may be negative it would ask at every row from which end to count. In the
    rules that are most used this makes random play a sixth faster.
    """
    return number & NOT_NEGATIVE


@rule
def bone(first: int, second: int) -> int:
    """The bone with these two numbers (0..6 each, in either order): 00 is 0, 10 is 1, 11 is 2, 20 is 3, … 66 is 27."""
    high, low = max(first, second), min(first, second)
    return high * (high + 1) // 2 + low


@rule
def is_trump(contract: int, bone: int) -> bool:
    """Whether the bone is a trump: the contract names a suit and the bone bears its number."""
    return TRUMPS[contract] >> bone & 1 == 1


@rule
def led_suit(contract: int, lead: int) -> int:
    """The suit that a lead calls for: trumps, the doubles (nello), or else the higher number of the bone."""
    return LED_SUIT[contract, lead]


@rule
def belongs(contract: int, bone: int, suit: int) -> bool:
    """Whether the bone belongs to the suit (0..6, or `DOUBLES` in nello)."""
    return MEMBERS[contract, suit] >> bone & 1 == 1


@rule
def rank(bone: int, suit: int) -> int:
    """Rank of a bone in a suit that it bears: the other number, 7 for the double (its number among `DOUBLES`)."""
    return RANK[bone, suit]


@rule
def reply_wins(contract: int, lead: int, reply: int) -> bool:
    """Whether the reply takes the trick from the lead."""
    # Run as plain Python, a table of numbers answers with NumPy's own kind of truth.
    return bool(WINNERS[index(contract), index(lead)] >> reply & 1)


@rule
def followers(contract: int, lead: int) -> int:
    """The set of bones that follow suit to a lead."""
    return FOLLOWING[index(contract), index(lead)]


@rule
def counters_in(lead: int, reply: int) -> int:
    """What the counters in a trick count."""
    return COUNTER[index(lead)] + COUNTER[index(reply)]


@rule
def trick_points(lead: int, reply: int) -> int:
    """Points of a stage-two trick: one, and the counters in it."""
    return TRICK_POINTS + counters_in(lead, reply)


@rule
def legal_replies(contract: int, lead: int, hand: int, must_ruff: bool) -> int:
    """The set of bones of `hand` (a set) that may be played to the lead in stage one or two.

    With a contract: a bone of the led suit if there is one, else any (rules 3.7); with `must_ruff` a hand that
    cannot follow plays a trump if it has one (RVL-7). Without a contract there is no duty to follow (rules 3.4).
    """
    if contract == NO_CONTRACT:
        return hand
    following = hand & followers(contract, lead)
    if following != 0:
        return following
    ruffing = hand & TRUMPS[contract]
    return ruffing if must_ruff and ruffing != 0 else hand


def members(bones: int) -> list[int]:
    """The bones of a set, highest first.

    >>> members(0b10011)
    [4, 1, 0]
    """
    return [bone for bone in range(BONES - 1, -1, -1) if bones >> bone & 1]


def bone_name(bone: int) -> str:
    """The two numbers of a bone, higher first: ``bone_name(4)`` is ``"21"``."""
    return f"{HIGH[bone]}{LOW[bone]}"


def bone_named(name: str) -> int:
    """The bone with this name, in either order: ``bone_named("12")`` is 4. ValueError if there is none."""
    if len(name) == 2 and all(digit in "0123456" for digit in name):
        high, low = max(int(name[0]), int(name[1])), min(int(name[0]), int(name[1]))
        return high * (high + 1) // 2 + low
    raise ValueError(f"{name!r} is no bone: two digits from 0 to 6 are wanted, such as 64")
