"""SCOUT's position: its fields, and where cards lie. Rulings (SCT-…): ``docs/rules/scout.md``.

It stands apart from `rules`, for what a set is (`sets`) and what all know of hands (`joint`, `worlds`) stand between.

All hands lie in one row of slots, the first seat's leftmost card first; the cards on the table lie at the other end of
the slots. How many cards each hand has is public, so the borders between hands are, too.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

import numpy as np

from facedown.core.field_types import (
    ByKind,
    BySeat,
    BySlot,
    Card,
    Number,
    OneOf,
    Seat,
    SlotGroup,
    SlotNumber,
    Unobserved,
)
from facedown.core.rule import rule
from facedown.core.state import EMPTY, EVERYONE, I1, I2, Ints, Position
from facedown.games.scout.info import (
    BITS,
    FACE,
    HAND_SIZES,
    KINDS,
    ROUNDS,
    TURNED,
    WAYS_UP,
    Deck,
    Hands,
    ScoutOptions,
    is_in_full_deck,
)

PLAYERS = 5
#: Unsigned numbers are seen by the compiler to be no count from a row's end.
ONE = np.uint64(1)
#: Runs have at most ten numbers, matches nine cards.
MAX_SET = 10
#: Every other hand keeps at least one card: with 44 cards for four or 45 for five, nobody can hold more.
MAX_HAND = 41
#: The ten slots more than cards are room for a set that is being shown.
SLOTS = KINDS + MAX_SET
PARTS = (SlotGroup("row: cards set aside, the hands in turn, free slots, and from the other end the table", 0, SLOTS),)


class Phase(IntEnum):
    """What is going on; SHOW is the Show of a Scout and Show."""

    FLIP = 0
    TURN = 1
    SHOW = 2
    SCORING = 3


# --- where a card is known to be, without its place (`held`): a seat, or
NOT_HELD = -1
#: among the cards set aside (two players), in round two in one of the hands dealt from them;
ASIDE = 5
#: in the hand that could not show any more at the end of round one.
LEFT_OVER = 6

#: Room for what is known of places in hands. A round that says more is hardly ever played; then places are forgotten.
MAX_PLACE_ENTRIES = 120


class ScoutPosition(Position):
    """A match of SCOUT. Slots: the hands' row, preceded by the cards set aside; from the other end, the table."""

    opt: ScoutOptions
    phase: Annotated[I1, OneOf(len(Phase))]
    """Which `Phase` the round is at."""
    turn: Annotated[I1, Seat()]
    """Whose turn it is."""
    starter: Annotated[I1, Seat()]
    """Who began this round."""
    round_number: Annotated[I1, Number(0, PLAYERS)]
    """The number of the round, from 1."""
    turns: Annotated[I2, Number(0, 400)]
    """How many turns were taken in this round."""
    passes: Annotated[I1, Number(0, PLAYERS - 1)]
    """Plain Scouts since the last Show, three players or more."""
    owner: Annotated[I1, Seat()]
    """Whose set lies active, or -1."""
    shower: Annotated[I1, Seat()]
    """Who showed last in this round, or -1."""
    strength: Annotated[I2, Number(0, 350)]
    """The strength of the Active Set; 0 without one."""
    active: Annotated[I1, Number(0, MAX_SET)]
    """Cards in the Active Set."""
    out: Annotated[I1, Number(0, KINDS)]
    """Cards on the table that are out of play (score piles, the leavings of round one for two)."""
    aside: Annotated[I1, Number(0, KINDS)]
    """Cards set aside (two players), for round two if there is one: they lie before the hands."""
    ender: Annotated[I1, Seat()]
    """Who has ended the round, or -1."""
    stuck: Annotated[I1, Seat()]
    """Who ended the round because they could neither show nor scout (two players), or -1."""
    stuck_strength: Annotated[I2, Number(0, 350)]
    """In round two, if round one ended like that: the strength that the hand could not beat,"""
    stuck_first: Annotated[I1, SlotNumber()]
    """the slot where its first card lies now,"""
    stuck_cards: Annotated[I1, Number(0, KINDS)]
    """and how many cards it has; 0 if round one ended otherwise."""
    hand: Annotated[Ints, "i1", (PLAYERS,), BySeat(Number(0, MAX_HAND))]
    """Cards in each hand."""
    won: Annotated[Ints, "i1", (PLAYERS,), BySeat(Number(0, KINDS))]
    """Cards that each seat has won in this round."""
    coins: Annotated[Ints, "i2", (PLAYERS,), BySeat(Number(0, KINDS))]
    """Coins; with two players chips left to scout with."""
    marker: Annotated[Ints, "i1", (PLAYERS,), BySeat(OneOf(2))]
    """1 while the seat may still use Scout and Show."""
    flipped: Annotated[Ints, "i1", (PLAYERS,), BySeat(OneOf(2))]
    """Did the seat flip its hand? -1: not known to all."""
    score: Annotated[Ints, "i2", (PLAYERS,), BySeat(Number(-KINDS, KINDS))]
    """Of the round scored last: the points of each seat."""
    total: Annotated[Ints, "i2", (PLAYERS,), BySeat(Number(-2 * KINDS, 2 * KINDS))]
    """The points of each seat in all rounds so far."""
    held: Annotated[Ints, "i1", (KINDS,), ByKind(Seat(other=2))]
    """By kind: the hand that all know it to be in, or `NOT_HELD`."""
    way_up: Annotated[Ints, "i1", (KINDS,), ByKind(OneOf(2))]
    """Of a held card: which way up all know it to lie, or -1."""
    said_count: Annotated[I1, Number(0, MAX_PLACE_ENTRIES)]
    """How many numbers of `said` are used."""
    said: Annotated[
        Ints,
        "i4",
        (MAX_PLACE_ENTRIES,),
        Unobserved("without its option nothing is said of places", unless=("scout_insert_public", "yes")),
    ]
    """What all know of places in hands (`joint`): cards that went in and slices that left, oldest first."""
    last_seat: Annotated[I1, Seat()]
    """Who scouted last, or -1."""
    last_kind: Annotated[I1, OneOf(KINDS)]
    """The card scouted last, or -1."""
    last_flip: Annotated[I1, OneOf(2)]
    """Which way up that card lay in the Active Set."""
    last_end: Annotated[I1, OneOf(2)]
    """From which end it was taken: 0 left, 1 right."""
    last_owner: Annotated[I1, Seat()]
    """Whose set it was taken from."""
    last_only: Annotated[I1, OneOf(2)]
    """1 if it was the only card of the set."""
    last_place: Annotated[I1, Number(-1, MAX_HAND)]
    """Where it went; -1 if that is not public (SCT-14)."""
    last_turn: Annotated[I1, OneOf(2)]
    """Was it turned? -1 if that is not public."""
    card: Annotated[Ints, "i1", (SLOTS,), BySlot(Card(KINDS), *PARTS)]
    flip: Annotated[Ints, "i1", (SLOTS,), BySlot(OneOf(2))]
    """1 where the card lies with its higher number up; as secret as the card."""
    known: Annotated[Ints, "i2", (SLOTS,), Unobserved("it follows from where a card lies")]


# --- what a match is made of (SCT-19) ---------------------------------------------------------------------------------


@rule
def is_in_deck(s: ScoutPosition, kind: int) -> bool:
    """Is this card in the deck that is played with?"""
    if s.opt.deck != Deck.FULL:
        return s.opt.kinds[kind // BITS] >> kind % BITS & 1 == 1
    return is_in_full_deck(s.seats, kind)


@rule
def cards_per_hand(s: ScoutPosition) -> int:
    """How many cards each seat is dealt."""
    return HAND_SIZES[s.seats] if s.opt.hands == Hands.FULL else s.opt.cards


@rule
def rounds_of(s: ScoutPosition) -> int:
    """How many rounds the match has."""
    return ROUNDS[s.seats] if s.opt.hands == Hands.FULL else 1


# --- where cards lie ------------------------------------------------------------------------------------------------


@rule
def hand_start(s: ScoutPosition, seat: int) -> int:
    """The slot of a hand's leftmost card."""
    # It is never below 0; said so, it spares the compiler asking whether to count from the other end.
    slot = s.aside
    for other in range(PLAYERS):
        slot += s.hand[other] * (other < seat)
    return max(slot, 0)


@rule
def table_slot(i: int) -> int:
    """The slot of the i-th card of the table, in the order in which they came."""
    return max(SLOTS - 1 - i, 0)


@rule
def number(s: ScoutPosition, slot: int) -> int:
    """The number that is up on the card in a slot."""
    return FACE[s.card[slot] + TURNED * s.flip[slot] & WAYS_UP - 1]


@rule
def close_gap(s: ScoutPosition, slot: int, end: int) -> None:
    """Of the slots to before `end`: what lies behind this one moves up by one, over what lies there."""
    for i in range(np.uint64(slot), np.uint64(max(end - 1, slot))):
        s.card[i] = s.card[i + ONE]
        s.flip[i] = s.flip[i + ONE]
        s.known[i] = s.known[i + ONE]


@rule
def make_gap(s: ScoutPosition, slot: int, end: int) -> None:
    """Of the slots to before `end`: the cards at this one and behind it move on by one."""
    last = np.uint64(end)
    for i in range(np.uint64(max(end - slot, 0))):
        s.card[last - i] = s.card[last - i - ONE]
        s.flip[last - i] = s.flip[last - i - ONE]


@rule
def empty_slot(s: ScoutPosition, slot: int) -> None:
    """No card lies in this slot, for all to see."""
    s.card[slot] = EMPTY
    s.flip[slot] = 0
    s.known[slot] = EVERYONE
