"""Record of a SCOUT position: its fields and slots. Rulings (SCT-…) are in ``docs/rules/scout.md``.

The record is not in the module `rules`, because `legal_actions` and `possible_worlds` need it too, and `rules` imports
both of them.

A slot is an index of the field `card`. In ascending order, the slots have:

* the cards set aside;
* the hands, seat by seat, each from left to right;
* free slots;
* the set on the table, from right to left;
* the cards out of play, the oldest in the last slot.

The number of cards in each hand is public, and so is the slot at which each hand starts.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

import numpy as np

from facedown.core.field_meanings import (
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
#: The number 1 as an unsigned integer. With unsigned indices the compiler omits the check for negative ones.
ONE = np.uint64(1)
#: Largest number of cards in a set: a run has at most ten cards, a match (equal numbers) nine.
MAX_SET = 10
#: Largest number of cards in a hand: all cards of the deck, less one for each of the other players, who have at least
#: one card each. With four players this is 44 - 3, with five players 45 - 4. With fewer players it is less.
MAX_HAND = 41
#: Number of slots (indices of the field `card`): one for each card, and ten more for the cards of a set while they are
#: moved to the table.
SLOTS = KINDS + MAX_SET
PARTS = (SlotGroup("row: cards set aside, the hands in turn, free slots, and from the other end the table", 0, SLOTS),)


class Phase(IntEnum):
    """Phases of a round. In `FLIP` players keep or flip their hands. `SHOW` is the second half of a Scout and Show."""

    FLIP = 0
    TURN = 1
    SHOW = 2
    SCORING = 3


#: Value of the field `held` of a card if not all players know where the card is. Otherwise `held` is the seat that has
#: the card, `ASIDE`, or `LEFT_OVER`.
NOT_HELD = -1
#: Value of the field `held` for a card that all players know to be one of the cards set aside (with two players). In
#: round two it is in one of the two hands.
ASIDE = 5
#: Value of the field `held` for a card that all players know to be in the hand that was stuck at the end of round one,
#: with two players. A stuck hand is one with which its player could neither show nor scout.
LEFT_OVER = 6

#: Largest number of entries in the field `said` (what all players know about the places of cards in hands). If a round
#: needs more, which is very rare, all entries are deleted.
MAX_PLACE_ENTRIES = 120


class ScoutPosition(Position):
    """Position in a match of SCOUT: a state with all cards, or a view with only the cards that one viewer knows.

    In ascending order, the slots (indices of the field `card`) have:

    * the cards set aside;
    * the hands, seat by seat, each from left to right;
    * free slots;
    * the set on the table, from right to left;
    * the cards out of play, the oldest in the last slot.
    """

    opt: ScoutOptions
    phase: Annotated[I1, OneOf(len(Phase))]
    """The `Phase` of the round."""
    turn: Annotated[I1, Seat()]
    """The seat whose turn it is."""
    starter: Annotated[I1, Seat()]
    """The seat that begins this round."""
    round_number: Annotated[I1, Number(0, PLAYERS)]
    """The number of the round, from 1."""
    turns: Annotated[I2, Number(0, 400)]
    """The number of turns taken in this round."""
    passes: Annotated[I1, Number(0, PLAYERS - 1)]
    """With three players or more: the number of plain Scouts since the last Show."""
    owner: Annotated[I1, Seat()]
    """The seat that owns the Active Set, or -1."""
    shower: Annotated[I1, Seat()]
    """The seat that made the last Show of this round, or -1."""
    strength: Annotated[I2, Number(0, 350)]
    """The strength of the Active Set, or 0."""
    active: Annotated[I1, Number(0, MAX_SET)]
    """The number of cards in the Active Set."""
    out: Annotated[I1, Number(0, KINDS)]
    """The number of cards out of play: those in score piles, and with two players those left over from round one."""
    aside: Annotated[I1, Number(0, KINDS)]
    """The number of cards set aside (two players). They come before the hands, and are dealt in round two if there is
    one."""
    ender: Annotated[I1, Seat()]
    """The seat that ended the round, or -1."""
    stuck: Annotated[I1, Seat()]
    """With two players: the seat that could neither show nor scout and so ended the round, or -1."""
    stuck_strength: Annotated[I2, Number(0, 350)]
    """In round two, if a hand was stuck at the end of round one: the strength of the set that it could not beat."""
    stuck_first: Annotated[I1, SlotNumber()]
    """In round two, if a hand was stuck at the end of round one: the slot that holds its first card now."""
    stuck_cards: Annotated[I1, Number(0, KINDS)]
    """In round two: the number of cards in the hand that was stuck at the end of round one; 0 if no hand was."""
    hand: Annotated[Ints, "i1", (PLAYERS,), BySeat(Number(0, MAX_HAND))]
    """The number of cards in each hand."""
    won: Annotated[Ints, "i1", (PLAYERS,), BySeat(Number(0, KINDS))]
    """The number of cards that each seat has won in this round."""
    coins: Annotated[Ints, "i2", (PLAYERS,), BySeat(Number(0, KINDS))]
    """The coins of each seat; with two players the chips that it has left."""
    marker: Annotated[Ints, "i1", (PLAYERS,), BySeat(OneOf(2))]
    """1 while the seat may still use Scout and Show in this round, else 0."""
    flipped: Annotated[Ints, "i1", (PLAYERS,), BySeat(OneOf(2))]
    """1 if the seat flipped its hand, 0 if it did not, -1 if this is not public."""
    score: Annotated[Ints, "i2", (PLAYERS,), BySeat(Number(-KINDS, KINDS))]
    """The points of each seat in the last scored round."""
    total: Annotated[Ints, "i2", (PLAYERS,), BySeat(Number(-2 * KINDS, 2 * KINDS))]
    """The points of each seat in all rounds so far."""
    held: Annotated[Ints, "i1", (KINDS,), ByKind(Seat(other=2))]
    """The hand in which all players know a card to be, `ASIDE`, `LEFT_OVER`, or `NOT_HELD`. Indexed by kind (index of a
    pair of numbers)."""
    way_up: Annotated[Ints, "i1", (KINDS,), ByKind(OneOf(2))]
    """1 if all players know that the higher number of a card in a hand is up, 0 if they know that the lower one is up,
    else -1. Indexed by kind (index of a pair of numbers)."""
    said_count: Annotated[I1, Number(0, MAX_PLACE_ENTRIES)]
    """The number of entries in `said` that are used."""
    said: Annotated[
        Ints,
        "i4",
        (MAX_PLACE_ENTRIES,),
        Unobserved("without its option nothing is said of places", unless=("scout_insert_public", "yes")),
    ]
    """What all players know about the places of cards in hands: which cards were put in or shown, oldest entry first.
    `possible_worlds` describes the entries."""
    last_seat: Annotated[I1, Seat()]
    """The seat that acted last in this round, or -1."""
    last_kind: Annotated[I1, OneOf(KINDS)]
    """The kind of the card that was scouted last, or -1."""
    last_flip: Annotated[I1, OneOf(2)]
    """1 if the card scouted last had its higher number up in the Active Set, else 0."""
    last_end: Annotated[I1, OneOf(2)]
    """The end of the Active Set that the card scouted last was taken from: 0 left, 1 right."""
    last_owner: Annotated[I1, Seat()]
    """The seat whose set the card scouted last was taken from."""
    last_only: Annotated[I1, OneOf(2)]
    """1 if the card scouted last was the only card of its set."""
    last_place: Annotated[I1, Number(-1, MAX_HAND)]
    """The place in the hand that the card scouted last was put at, from 0; -1 if this is not public (SCT-14)."""
    last_turn: Annotated[I1, OneOf(2)]
    """1 if the card scouted last was turned, 0 if not, -1 if this is not public."""
    card: Annotated[Ints, "i1", (SLOTS,), BySlot(Card(KINDS), *PARTS)]
    flip: Annotated[Ints, "i1", (SLOTS,), BySlot(OneOf(2))]
    """1 if the card in the slot has its higher number up, else 0. It is as secret as the card."""
    known: Annotated[Ints, "i2", (SLOTS,), Unobserved("it follows from where a card lies")]


# --- deck, hands and rounds of a match (SCT-19) -----------------------------------------------------------------------


@rule
def is_in_deck(s: ScoutPosition, kind: int) -> bool:
    """Return whether the card `kind` (index of a pair of numbers) is in the deck of this match."""
    if s.opt.deck != Deck.FULL:
        return s.opt.kinds[kind // BITS] >> kind % BITS & 1 == 1
    return is_in_full_deck(s.seats, kind)


@rule
def cards_per_hand(s: ScoutPosition) -> int:
    """Return the number of cards that are dealt to each seat."""
    return HAND_SIZES[s.seats] if s.opt.hands == Hands.FULL else s.opt.cards


@rule
def rounds_of(s: ScoutPosition) -> int:
    """Return the number of rounds in the match: the number of players, but always 1 with ``hands=small`` (SCT-19)."""
    return ROUNDS[s.seats] if s.opt.hands == Hands.FULL else 1


# --- slots of hands and table -----------------------------------------------------------------------------------------


@rule
def hand_start(s: ScoutPosition, seat: int) -> int:
    """Return the slot (index of the field `card`) of the leftmost card of a seat's hand.

    If there is no such seat, return the slot after all hands.
    """
    # The slot is never negative. With `max` the compiler knows this, and omits the check for negative indices.
    slot = s.aside
    for other in range(PLAYERS):
        slot += s.hand[other] * (other < seat)
    return max(slot, 0)


@rule
def slot_of_discard_or_table_card(i: int) -> int:
    """Return the slot (index of the field `card`) of card number `i` among the cards out of play and on the table.

    These cards are stored from the last slot downwards. So card number 0 is in the last slot, number 1 is in the slot
    before it, and so on. They are numbered in this order:

    * first the cards out of play, from the oldest to the newest;
    * then the cards of the set on the table, from left to right.
    """
    return max(SLOTS - 1 - i, 0)


@rule
def number_up_at(s: ScoutPosition, slot: int) -> int:
    """Return the number that is up on the card in a slot (index of the field `card`).

    Return 0 if the slot is empty or the card is unknown.
    """
    return FACE[s.card[slot] + TURNED * s.flip[slot] & WAYS_UP - 1]


@rule
def remove_card_and_close_gap(s: ScoutPosition, slot: int, end: int) -> None:
    """Remove the card ``s.card[slot]`` and move the cards after it, ``s.card[slot+1:end]``, one index down.

    The fields `flip` and `known` are moved in the same way.
    """
    for i in range(np.uint64(slot), np.uint64(max(end - 1, slot))):
        s.card[i] = s.card[i + ONE]
        s.flip[i] = s.flip[i + ONE]
        s.known[i] = s.known[i + ONE]


@rule
def make_gap(s: ScoutPosition, slot: int, end: int) -> None:
    """Move the cards ``s.card[slot:end]`` to ``s.card[slot+1:end+1]``, so that another card can be put into `slot`.

    The field `flip` is moved in the same way. The field `known` (which seats know the card in each slot) is not moved,
    so it may be wrong for the moved cards. The caller must correct it.
    """
    last = np.uint64(end)
    for i in range(np.uint64(max(end - slot, 0))):
        s.card[last - i] = s.card[last - i - ONE]
        s.flip[last - i] = s.flip[last - i - ONE]


@rule
def clear_slot(s: ScoutPosition, slot: int) -> None:
    """Empty a slot (index of the field `card`). All players know that it is empty."""
    s.card[slot] = EMPTY
    s.flip[slot] = 0
    s.known[slot] = EVERYONE
