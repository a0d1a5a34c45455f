"""SCOUT's state: where cards lie, what a set is and how strong it is. Rulings (SCT-…): ``docs/rules/scout.md``.

All hands lie in one row of slots, the first seat's leftmost card first; the cards on the table lie at the other end of
the slots. How many cards each hand has is public, so the borders between hands are, too.
"""

from __future__ import annotations

from typing import Annotated, Protocol

import numpy as np
from numpy.typing import NDArray

from facedown.core.rule import rule
from facedown.core.state import I1, U1, U2, Common, layout
from facedown.games.scout.deck import FACE, KINDS, TURNED, wide

PLAYERS = 5
#: Runs have at most ten numbers, matches nine cards.
MAX_SET = 10
#: Every other hand keeps at least one card: with 44 cards for four or 45 for five, nobody can hold more.
MAX_HAND = 41
#: The ten slots more than cards are room for a set that is being shown.
SLOTS = KINDS + MAX_SET

# --- phases
FLIPPING = 0
TURN = 1
#: The Show of a Scout and Show.
SHOWING = 2
SCORING = 3

# --- where a card is known to be, without its place (`held`): a seat, or
NOT_HELD = -1
#: among the cards set aside (two players), in round two in one of the hands dealt from them;
ASIDE = 5
#: in the hand that could not show any more at the end of round one.
LEFT_OVER = 6

#: Room for what is known of places in hands. A round that says more is hardly ever played; then places are forgotten.
SAID = 120

#: Strength of a set: 32 for each card, 16 for a match, and its lowest number. No set: 0.
PER_CARD = 32
MATCH = 16
#: No number is near this one.
FAR = 99


class State(Common, Protocol):
    """A match of SCOUT. Slots: the hands' row, preceded by the cards set aside; from the other end, the table."""

    insert_public: U1
    flip_public: U1
    reverse_flip: U1
    phase: U1
    turn: U1
    starter: U1
    round_number: U1
    turns: U2
    passes: U1
    owner: I1
    """Whose set lies active, or -1."""
    shower: I1
    """Who showed last in this round, or -1."""
    strength: U2
    """The strength of the Active Set; 0 without one."""
    active: U1
    """Cards in the Active Set."""
    out: U1
    """Cards on the table that are out of play (score piles, the leavings of round one for two)."""
    aside: U1
    """Cards set aside for round two (two players): they lie before the hands."""
    ender: I1
    stuck: I1
    """Who ended the round because they could neither show nor scout (two players), or -1."""
    stuck_strength: U2
    """In round two, if round one ended like that: the strength that the hand could not beat,"""
    stuck_first: U1
    """the slot where its first card lies now,"""
    stuck_cards: U1
    """and how many cards it has; 0 if round one ended otherwise."""
    hand: Annotated[NDArray[np.uint8], "u1", (PLAYERS,)]
    won: Annotated[NDArray[np.uint8], "u1", (PLAYERS,)]
    coins: Annotated[NDArray[np.int16], "i2", (PLAYERS,)]
    """Coins; with two players chips left to scout with."""
    marker: Annotated[NDArray[np.uint8], "u1", (PLAYERS,)]
    """1 while the seat may still use Scout and Show."""
    flipped: Annotated[NDArray[np.int8], "i1", (PLAYERS,)]
    """Did the seat flip its hand? -1: not known to all."""
    score: Annotated[NDArray[np.int16], "i2", (PLAYERS,)]
    total: Annotated[NDArray[np.int16], "i2", (PLAYERS,)]
    held: Annotated[NDArray[np.int8], "i1", (KINDS,)]
    """By kind: the hand that all know it to be in, or `NOT_HELD`."""
    way_up: Annotated[NDArray[np.int8], "i1", (KINDS,)]
    """Of a held card: which way up all know it to lie, or -1."""
    said_count: U1
    said: Annotated[NDArray[np.uint32], "u4", (SAID,)]
    """What all know of places in hands (`joint`): cards that went in and slices that left, oldest first."""
    last_seat: I1
    last_kind: I1
    """The card scouted last, or -1."""
    last_flip: U1
    """Which way up that card lay in the Active Set."""
    last_end: U1
    """From which end it was taken: 0 left, 1 right."""
    last_owner: I1
    """Whose set it was taken from."""
    last_only: U1
    """1 if it was the only card of the set."""
    last_place: I1
    """Where it went; -1 if that is not public (SCT-14)."""
    last_turn: I1
    """Was it turned? -1 if that is not public."""
    card: Annotated[NDArray[np.uint8], "u1", (SLOTS,)]
    flip: Annotated[NDArray[np.uint8], "u1", (SLOTS,)]
    """1 where the card lies with its higher number up; as secret as the card."""
    known: Annotated[NDArray[np.uint16], "u2", (SLOTS,)]


DTYPE = layout(State)


# --- where cards lie ------------------------------------------------------------------------------------------------


@rule
def base(s: State, seat: int) -> int:
    """The slot of a hand's leftmost card."""
    slot = wide(s.aside)
    for other in range(seat):
        slot += wide(s.hand[other])
    return int(slot)


@rule
def row_end(s: State) -> int:
    """The slot after the last hand's last card."""
    return base(s, PLAYERS)


@rule
def table_slot(i: int) -> int:
    """The slot of the i-th card of the table, in the order in which they came."""
    return SLOTS - 1 - i


@rule
def number(s: State, slot: int) -> int:
    """The number that is up on the card in a slot."""
    return int(FACE[wide(s.card[slot]) + TURNED * wide(s.flip[slot])])


# --- sets -----------------------------------------------------------------------------------------------------------


@rule
def strength_of(cards: int, match: bool, lowest: int) -> int:
    """Strength in one number (SCT-3): more cards, then match before run, then the higher lowest number."""
    return PER_CARD * cards + MATCH * int(match and cards > 1) + lowest


@rule
def slice_strength(first: int, step: int, cards: int) -> int:
    """The strength of a set that begins with number `first` and goes on in steps of -1, 0 or 1."""
    return strength_of(cards, step == 0, first - (cards - 1) if step < 0 else first)


@rule
def active_strength(s: State, skip_left: int, skip_right: int) -> int:
    """The strength of the Active Set without so many cards of its ends."""
    cards = int(s.active) - skip_left - skip_right
    if cards == 0:
        return 0
    left = number(s, table_slot(int(s.out) + skip_left))
    right = number(s, table_slot(int(s.out) + int(s.active) - 1 - skip_right))
    return strength_of(cards, left == right, min(left, right))


# --- a hand in bits -------------------------------------------------------------------------------------------------
#
# What is asked at every place of a hand is worked out for all places at once, a bit for each: hidden cards make
# branches hard to predict, and these have none.


@rule
def steps(s: State, first: int, cards: int, low: int) -> tuple[int, int, int, int]:
    """Read the hand at slot `first` into bits, the leftmost card's lowest.

    Places whose right neighbour is equal, one higher, one lower; places with a number above `low`.
    """
    equal = 0
    rising = 0
    falling = 0
    above = 0
    bit = 1
    before = FAR
    for slot in range(first, first + cards):
        here = FACE[wide(s.card[slot]) + TURNED * wide(s.flip[slot])]
        # The bit of the left neighbour is set when the right one is read.
        equal |= int(here == before) * bit
        rising |= int(here == before + 1) * bit
        falling |= int(here == before - 1) * bit
        above |= int(here > low) * bit
        before = here
        bit <<= 1
    return equal >> 1, rising >> 1, falling >> 1, above


@rule
def beating(equal: int, rising: int, falling: int, above: int, cards: int, beat: int) -> tuple[int, int]:
    """Places where sets start that beat a strength (SCT-3): those with as many cards, those with one card more.

    `above` are the places with a number above the strength's lowest one.
    """
    need = beat // PER_CARD
    if need < 2:
        # One card: no sort of set, any pair or run of two is more.
        return above & (1 << cards) - 1, equal | rising | falling
    matches = equal
    ups = rising
    downs = falling
    for more in range(1, need - 1):
        matches &= equal >> more
        ups &= rising >> more
        downs &= falling >> more
    higher = matches & above
    if beat & MATCH == 0:
        # The lowest number of a falling run is its last.
        higher = matches | (ups & above) | (downs & above >> need - 1)
    longer = (matches & equal >> need - 1) | (ups & rising >> need - 1) | (downs & falling >> need - 1)
    return higher, longer


@rule
def can_show(s: State, first: int, cards: int, beat: int) -> bool:
    """Has this hand a set that beats a strength?"""
    equal, rising, falling, above = steps(s, first, cards, beat % MATCH)
    as_long, longer = beating(equal, rising, falling, above, cards, beat)
    return as_long | longer != 0
