"""Reveille's position: its fields, and where bones lie. Rulings (RVL-…): ``docs/rules/reveille.md``."""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

from facedown.core.meaning import Bits, ByKind, BySeat, BySlot, Card, Number, OneOf, Part, Seat, Unobserved
from facedown.core.state import I1, I2, I4, Ints, Position
from facedown.games.reveille.cards import (
    BONES,
    NO_CONTRACT,
    POINTS,
)
from facedown.games.reveille.info import (
    ReveilleOptions,
)

PLAYERS = 2
#: Bones in a full hand, and tricks in a stage.
HAND = 7
TRICKS = 7
#: The set of all bones.
ALL_BONES = (1 << BONES) - 1
#: The last bit of a set of bones, which has 32.
LAST_BIT = 31

# --- slots: two hands, the bone that lies face up, the face-down boneyard, and the tricks of both stages (lead, reply)
UP = PLAYERS * HAND
YARD = UP + 1
#: The boneyard before its first bone is turned up.
YARD_BONES = BONES - PLAYERS * HAND
FIRST_STAGE = YARD + YARD_BONES
SECOND_STAGE = FIRST_STAGE + 2 * TRICKS
SLOTS = SECOND_STAGE + 2 * TRICKS
PARTS = (
    Part("hand", 0, HAND, by_seat=HAND),
    Part("face-up bone", UP, 1),
    Part("boneyard", YARD, YARD_BONES),
    Part("tricks of stage one, lead and reply", FIRST_STAGE, 2 * TRICKS),
    Part("tricks of stage two, lead and reply", SECOND_STAGE, 2 * TRICKS),
)

LOWEST_BID = 4
HIGHEST_BID = POINTS


class Phase(IntEnum):
    """Where a hand stands. The first three are stage one; with `boneyard_pick=index` players are asked for a bone."""

    TURNING_UP = 0
    STAGE_ONE = 1
    DRAWING = 2
    AUCTION = 3
    NAMING = 4
    STAGE_TWO = 5
    SCORING = 6


class Ended(IntEnum):
    """How a hand ended."""

    PLAYED_OUT = 0
    CLAIMED = 1
    CLAIMED_FALSELY = 2
    SETTLED = 3
    THROWN_IN = 4
    STAGE_ONE = 5
    """After stage one, where it is all that is played (RVL-21)."""


#: A pass among the calls, and the standing bid when there is none.
NO_BID = 0
#: A pass, all bids from the lowest to the highest.
MOST_CALLS = 1 + HIGHEST_BID - LOWEST_BID + 1
#: In place of a seat: nobody.
NO_SEAT = -1
#: First to this many marks wins the match.
GOAL = 7
#: Guard against endless play (rules 3.10): this many hands thrown in, one after the other.
THROW_IN_CAP = 50


class ReveillePosition(Position):
    """A match of Reveille. Slots: seven for each hand, the face-up bone, the boneyard, fourteen for each stage."""

    opt: ReveilleOptions
    hand_number: Annotated[I2, Number(0, 30)]
    """The number of the hand, from 1."""
    dealer: Annotated[I1, Seat()]
    """Who has dealt this hand."""
    phase: Annotated[I1, OneOf(len(Phase))]
    """Which `Phase` the hand is at."""
    leader: Annotated[I1, Seat()]
    """Who leads, or led, to the current trick."""
    trick: Annotated[I1, Number(0, TRICKS)]
    """Finished tricks of the current stage; it starts anew with stage two."""
    yard_count: Annotated[I1, Number(0, YARD_BONES)]
    """Bones left in the face-down boneyard."""
    hand_size: Annotated[Ints, "i1", (PLAYERS,), BySeat(Number(0, HAND))]
    """Bones in each hand."""
    opener: Annotated[I1, Seat()]
    """Who speaks first in the auction; from then on they take turns."""
    call_count: Annotated[I1, Number(0, MOST_CALLS)]
    """How many calls there were in the auction."""
    calls: Annotated[Ints, "i1", (MOST_CALLS,), ByKind(Number(0, HIGHEST_BID))]
    """The auction in order: a bid's number, `NO_BID` for a pass."""
    high: Annotated[I1, Number(0, HIGHEST_BID)]
    """The standing bid, or `NO_BID`."""
    declarer: Annotated[I1, Seat()]
    """Who made the standing bid, or `NO_SEAT`."""
    contract: Annotated[I1, OneOf(NO_CONTRACT + 1)]
    """The trump suit, 0 to 6; 7 for nello, 8 for none."""
    winners: Annotated[I1, Bits(TRICKS)]
    """Stage two: bit k is the seat that won trick k."""
    points: Annotated[Ints, "i1", (PLAYERS,), BySeat(Number(0, POINTS))]
    """The points that each seat has taken in this stage."""
    tricks: Annotated[Ints, "i1", (PLAYERS,), BySeat(Number(0, TRICKS))]
    """The tricks that each seat has taken in this stage."""
    offer: Annotated[I1, Number(0, POINTS)]
    """The points that stage two is worth: 42 less the counters burnt in stage one."""
    burnt: Annotated[I4, Bits(BONES)]
    """The set of counters burnt in stage one."""
    taken: Annotated[Ints, "i4", (PLAYERS,), BySeat(Bits(BONES))]
    """Bones taken openly that are still in the seat's hand: known to all by recall."""
    barred: Annotated[Ints, "i4", (PLAYERS,), BySeat(Bits(BONES))]
    """Bones that the seat cannot hold, because it did not follow suit in stage two."""
    marks: Annotated[Ints, "i1", (PLAYERS,), BySeat(Number(0, GOAL))]
    """The marks of each seat: the first to seven wins."""
    mark_to: Annotated[I1, Seat()]
    """Who got the mark of the hand that ended, or `NO_SEAT`."""
    ended: Annotated[I1, OneOf(len(Ended))]
    """How the hand ended."""
    thrown_in: Annotated[I1, Number(0, THROW_IN_CAP)]
    """Hands thrown in, one after the other, up to now."""
    card: Annotated[Ints, "i1", (SLOTS,), BySlot(Card(BONES), *PARTS)]
    known: Annotated[Ints, "i2", (SLOTS,), Unobserved("it follows from where a bone lies")]
