"""The rules of Reveal, compiled. Every ruling cited here (REV-…) is in ``docs/rules/reveal.md``.

A slot of the layout is the place of its card in the deal (rules 1.3), so that dealing a hand is the shuffle itself. The
play stack of a row, the hand taken from it and the row it is laid into are the same three slots: at first the cards'
places in the hand, then the columns.

In a smaller layout (REV-17) the slots of the other rows and columns stay empty.
"""

from __future__ import annotations

from enum import IntEnum
from itertools import permutations
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from facedown.core.actions import ActionKind, ActionParameter, ParametersByKind
from facedown.core.bit_masks import includes, mark_acted_is_last, set_all_acting, set_only_acting
from facedown.core.field_types import Bits, BySeat, BySlot, Card, Number, OneOf, Seat, SeatMask, SlotGroup, Unobserved
from facedown.core.hidden_cards import put
from facedown.core.options import OptionError
from facedown.core.random_numbers import generator, shuffle, stack_deck
from facedown.core.rule import rule
from facedown.core.ruleset import RuleSet
from facedown.core.state import ABANDONED, DECIDED, EMPTY, EVERYONE, I1, I2, OPEN, RUNNING, Ints, Position
from facedown.games.reveal import info
from facedown.games.reveal.cards import DEALT_CARDS, KINDS, MAX_CARDS, MIN_DECK_SIZE, WILD

SEATS = 2
ROWS = 3
COLUMNS = 3
BOTH = (1 << SEATS) - 1

# --- slots
SIDES = ROWS * COLUMNS
#: The slots of a row of both sides.
SIDE_ROW = SEATS * COLUMNS
FINALS = SIDES + ROWS * SIDE_ROW
#: Behind the layout: the discard pile (bottom first), then the draw pile (its top first), then what earlier hands have
#: used up. A swap exchanges a card of a hand with the top of the draw pile, which so becomes the top discard.
STOCK = FINALS + SEATS
SLOTS = MAX_CARDS
assert STOCK == DEALT_CARDS
PARTS = (
    *(SlotGroup(f"base row {row + 1}", COLUMNS * row, COLUMNS) for row in range(ROWS)),
    *(
        SlotGroup(f"side of row {row + 1}", SIDES + SIDE_ROW * row, COLUMNS, by_seat=1, step=SEATS)
        for row in range(ROWS)
    ),
    SlotGroup("Final Card", FINALS, 1, by_seat=1),
    SlotGroup("stock: discards, draw pile, what earlier hands have used up", STOCK, SLOTS - STOCK),
)

#: The ways to lay the hand: the column of each hand card.
ORDERS = np.array(list(permutations(range(COLUMNS))), np.int64)


#: How many hand cards a mask of places swaps.
SWAP_COUNTS = np.array([places.bit_count() for places in range(1 << COLUMNS)], np.int64)


class Phase(IntEnum):
    """What a hand is at."""

    SWAP = 0
    PLACE = 1
    FINAL = 2
    SCORING = 3


class Act(ActionKind):
    """The kinds of actions."""

    SWAP = 0
    """Plus a mask of hand places: swap these cards (the empty mask: none)."""
    STOP = SWAP + (1 << COLUMNS)
    """With ``swap_batch=no``: swap no more."""
    PLACE = STOP + 1
    """Plus the number of an order (`ORDERS`): lay the three hand cards."""
    CHOOSE = PLACE + len(ORDERS)
    """Plus a column: lay the Final Card at its end."""
    CHOOSE_CONFIRM = CHOOSE + COLUMNS
    """Plus a column, with ``final_mode=alternate``: choose and confirm in one turn."""
    CONFIRM = CHOOSE_CONFIRM + COLUMNS
    """Confirm the column that was chosen."""
    CONTINUE = CONFIRM + 1
    """Go on to the next hand."""


CHOICES: ParametersByKind = {
    Act.SWAP: (ActionParameter("swapped", range(1 << COLUMNS), Bits(COLUMNS)),),
    Act.PLACE: (ActionParameter("order", range(len(ORDERS))),),
    Act.CHOOSE: (ActionParameter("column", range(COLUMNS)),),
    Act.CHOOSE_CONFIRM: (ActionParameter("column", range(COLUMNS)),),
}
ACTIONS = Act.CONTINUE + 1

#: Fewer counted cards than this are worth nothing (rules 1.5).
MINIMUM = 3
#: Guard against endless play (rules 1.7): hands in a match whose options set no bound.
HAND_CAP = 100


class RevealPosition(Position):
    """A match of Reveal. Slots: base rows, both sides row by row, Final Cards, and the piles."""

    opt: info.RevealOptions
    rows: Annotated[I1, Unobserved("it follows from the options")]
    """The rows and columns that are played."""
    columns: Annotated[I1, Unobserved("it follows from the options")]
    """How many columns are played: all, but in a smaller layout."""
    cards: Annotated[I2, Number(0, MAX_CARDS)]
    """How many cards the deck has."""
    phase: Annotated[I1, OneOf(len(Phase))]
    """Which `Phase` the hand is at."""
    row: Annotated[I1, OneOf(ROWS + 1)]
    """The row being played, 0 to 2; the number of rows from the final round on."""
    hand_number: Annotated[I2, Number(0, HAND_CAP)]
    """The number of the hand, from 1."""
    live: Annotated[I2, Number(0, MAX_CARDS)]
    """How many cards are left of the deck for this hand, the layout included (all, unless dealt on)."""
    drawn: Annotated[I1, Number(0, SLOTS - STOCK)]
    """Cards swapped in this hand: on the discard pile and off the draw pile."""
    swapped: Annotated[Ints, "i1", (SEATS,), BySeat(Number(0, COLUMNS))]
    """How many cards each seat has swapped for this row."""
    first_in: Annotated[I1, Seat()]
    """Who committed first to the swap under way (with ``swap_order=arrival``), or -1."""
    choice: Annotated[Ints, "i1", (SEATS,), BySeat(OneOf(COLUMNS))]
    """The column of each Final Card, or -1."""
    confirmed: Annotated[I1, SeatMask()]
    """A bit for each seat that has confirmed its column."""
    changes: Annotated[Ints, "i1", (SEATS,), BySeat(Number(0, 10))]
    """How often each seat has chosen in this final round."""
    score: Annotated[Ints, "i1", (SEATS,), BySeat(Number(0, 10))]
    """The points of the hand scored last."""
    colour: Annotated[Ints, "i1", (SEATS,), BySeat(OneOf(WILD))]
    """The colour each seat scored with in that hand, or -1."""
    total: Annotated[Ints, "i2", (SEATS,), BySeat(Number(0, 50))]
    """The points of each seat in all hands so far."""
    card: Annotated[Ints, "i1", (SLOTS,), BySlot(Card(KINDS), *PARTS)]
    # What everybody knows of the other slots follows from the phase, the row and the piles.
    known: Annotated[Ints, "i2", (SLOTS,), BySlot(SeatMask(), *PARTS[3:7])]


def check(seats: int, options: info.RevealOptions) -> None:
    """Raise `OptionError` if a match cannot be set up like this (rules 1.2: a hand needs 41 cards)."""
    cards = sum(options.copies)
    if options.layout == info.Layout.SMALL:
        check_small(options, cards)
    elif cards < MIN_DECK_SIZE:
        colours = sum(copies > 0 for copies in options.copies[:WILD])
        copies, wilds = options.copies[0], options.copies[WILD]
        named = f"{colours} colours of {copies} and {wilds} wilds are {cards} cards"
        raise OptionError(f"deck: {named}, a hand needs at least {MIN_DECK_SIZE}", "deck")
    elif cards > MAX_CARDS:
        raise OptionError(f"deck: {cards} cards, there is room for {MAX_CARDS}", "deck")


def check_small(options: info.RevealOptions, cards: int) -> None:
    """The same for a smaller layout: the deck must have what is dealt, and what is drawn at the most."""
    laid = dealt_card_count(options.rows, options.columns)
    # In each row both swap as many cards as its number.
    need = laid + SEATS * sum(range(1, options.rows + 1))
    most = MAX_CARDS - DEALT_CARDS + laid
    if not need <= cards <= most:
        raise OptionError(f"deck: {cards} cards, this layout needs {need} and has room for {most}", "deck")
    if options.reshuffle != info.Reshuffle.EVERY_HAND:
        raise OptionError("reshuffle: in a smaller layout all cards are shuffled for every hand", "reshuffle")


def dealt_card_count(rows: int, columns: int) -> int:
    """How many cards a hand deals: the base, both sides, the Final Cards."""
    return (1 + SEATS) * rows * columns + SEATS


# --- slots and masks --------------------------------------------------------------------------------------------------


@rule
def base_slot(row: int, column: int) -> int:
    """The slot of a base card."""
    return COLUMNS * row + column


@rule
def side_slot(seat: int, row: int, place: int) -> int:
    """The slot of a seat's side: place in the hand or column of a row."""
    return SIDES + SIDE_ROW * row + SEATS * place + seat


@rule
def column_of(action: int) -> int:
    """The column that a choice of one names, confirmed with it or not."""
    return (action - Act.CHOOSE) % COLUMNS


# --- dealing --------------------------------------------------------------------------------------------------------


@rule
def deal(s: RevealPosition, deck: NDArray[np.int64], first: int) -> None:
    """Deal the first hand. Chance picks no seat in Reveal: `first` has no effect (REV-13)."""
    s.card[:] = EMPTY
    s.known[:] = EVERYONE
    s.colour[:] = -1
    small = s.opt.layout == info.Layout.SMALL  # REV-17
    s.rows = s.opt.rows if small else ROWS
    s.columns = s.opt.columns if small else COLUMNS
    collect_cards(s)
    shuffle_below(s, stack_deck(s.card, s.cards, deck))
    begin_hand(s)


@rule
def next_hand(s: RevealPosition) -> None:
    """Shuffle everything, or deal on from the draw pile while it lasts (REV-14)."""
    used = DEALT_CARDS + s.drawn
    if s.opt.reshuffle == info.Reshuffle.EVERY_HAND or s.live - used < MIN_DECK_SIZE:
        collect_cards(s)
        shuffle_below(s, 0)
    else:
        deal_from_remaining(s, used)
    begin_hand(s)


@rule
def collect_cards(s: RevealPosition) -> None:
    """Bring all cards together, kind by kind: the slots of the layout are the deck, so that a shuffle deals."""
    n = 0
    for kind in range(KINDS):
        for _ in range(s.opt.copies[kind]):
            s.card[n] = kind
            n += 1
    s.known[:n] = 0
    s.cards = s.live = n


@rule
def shuffle_below(s: RevealPosition, dealt: int) -> None:
    """Shuffle the deck below the first cards, which an explicit deal has named."""
    # With a fresh shuffle for every hand nobody ever sees a card below the 41st.
    stop = MIN_DECK_SIZE if s.opt.reshuffle == info.Reshuffle.EVERY_HAND else s.cards
    shuffle(generator(s.key, s.stream), s.card, dealt, s.cards, min(stop, s.cards))
    s.stream += 1
    if s.opt.layout == info.Layout.SMALL:
        deal_small_layout(s)


@rule
def is_slot_in_layout(s: RevealPosition, slot: int) -> bool:
    """Is this slot of the layout part of it, or is it left out (REV-17)?"""
    if slot < SIDES:
        return slot // COLUMNS < s.rows and slot % COLUMNS < s.columns
    if slot < FINALS:
        at = slot - SIDES
        return at // SIDE_ROW < s.rows and at % SIDE_ROW // SEATS < s.columns
    return True


@rule
def deal_small_layout(s: RevealPosition) -> None:
    """Deal the shuffled deck into the slots that a smaller layout plays with, in their order, and the rest behind."""
    deck = s.card[: s.cards].copy()
    s.card[:] = EMPTY
    s.known[:] = EVERYONE
    slot = 0
    for kind in deck:
        while not is_slot_in_layout(s, slot):
            slot += 1
        put(s, slot, kind, 0)
        slot += 1


@rule
def deal_from_remaining(s: RevealPosition, used: int) -> None:
    """Move up what is left of the deck, and behind it the cards used in the hand before (`used` of them)."""
    card, known = s.card[: s.live].copy(), s.known[: s.live].copy()
    for slot in range(s.live):
        source = slot + used if slot + used < s.live else slot + used - s.live
        put(s, slot, card[source], known[source])
    s.live -= used


@rule
def begin_hand(s: RevealPosition) -> None:
    """The cards lie as they were dealt: begin with row 1."""
    s.hand_number += 1
    if s.opt.first_dealt == info.FirstDealt.ALTERNATE and s.hand_number % 2 == 0:  # REV-13
        for slot in range(SIDES, STOCK, SEATS):
            s.card[slot], s.card[slot + 1] = s.card[slot + 1], s.card[slot]
    s.drawn = s.confirmed = s.row = 0
    s.choice[:] = -1
    s.changes[:] = 0
    begin_row(s)


@rule
def begin_row(s: RevealPosition) -> None:
    """REVEAL and DRAW: the base row is turned up (REV-9), each player takes the row's play stack."""
    row = s.row
    for column in range(s.columns):
        s.known[base_slot(row, column)] = EVERYONE
        for seat in range(SEATS):
            s.known[side_slot(seat, row, column)] = 1 << seat
    s.swapped[:] = 0
    s.first_in = -1
    s.phase = Phase.SWAP
    set_all_acting(s)


# --- legal actions ----------------------------------------------------------------------------------------------------


@rule
def legal(s: RevealPosition, seat: int, out: NDArray[np.int32]) -> int:
    """Write the legal actions of a seat, ascending; return how many there are."""
    if not includes(s.acting, seat):
        return 0
    if s.phase == Phase.SWAP:
        return legal_swaps(s, out)
    if s.phase == Phase.PLACE:
        return legal_orders(s, out)
    if s.phase == Phase.FINAL:
        return legal_choices(s, seat, out)
    out[0] = Act.CONTINUE
    return 1


@rule
def legal_orders(s: RevealPosition, out: NDArray[np.int32]) -> int:
    """Write the ways to lay the hand: where there are fewer columns, the places that are not held stay as they are."""
    n = 0
    for order in range(len(ORDERS)):
        out[n] = Act.PLACE + order
        n += keeps_unplayed_places(order, s.columns)
    return n


@rule
def keeps_unplayed_places(order: int, columns: int) -> bool:
    """Does this order leave the places from `columns` on as they are?"""
    moved = 0
    for place in range(columns, COLUMNS):
        moved += ORDERS[order, place] != place
    return moved == 0


@rule
def legal_swaps(s: RevealPosition, out: NDArray[np.int32]) -> int:
    """Write the ways to swap: as many cards as the row's number, or one by one (REV-8)."""
    if s.opt.swap_batch == info.SwapBatch.NO:
        for place in range(s.columns):
            out[place] = Act.SWAP + (1 << place)
        out[s.columns] = Act.STOP
        return s.columns + 1
    n = 0
    for places in range(1 << s.columns):
        out[n] = Act.SWAP + places
        n += SWAP_COUNTS[places] <= s.row + 1
    return n


@rule
def legal_choices(s: RevealPosition, seat: int, out: NDArray[np.int32]) -> int:
    """Write the choices of a column, and, once one is chosen, that it may be confirmed (REV-6)."""
    # The choices that are confirmed at once follow those that are not.
    n = 0
    for i in range(2 * COLUMNS if s.opt.final_mode == info.FinalMode.ALTERNATE else COLUMNS):
        out[n] = Act.CHOOSE + i
        n += i % COLUMNS < s.columns
    # Written always, counted if there is something to confirm: a branch would be hard to predict.
    out[n] = Act.CONFIRM
    return n + (s.choice[seat] >= 0)


# --- playing ----------------------------------------------------------------------------------------------------------


@rule
def apply(s: RevealPosition, seat: int, action: int) -> None:
    """Play a legal action."""
    if s.phase == Phase.FINAL and s.opt.final_mode != info.FinalMode.SEALED:
        apply_open_choice(s, seat, action)
        return
    last = mark_acted_is_last(s, seat)
    if s.phase != Phase.SCORING:
        s.sealed[seat] = action
    if s.opt.swap_order == info.SwapOrder.ARRIVAL and s.phase == Phase.SWAP and s.first_in < 0:
        s.first_in = seat
    if last:
        if s.phase == Phase.SWAP:
            swap_all(s)
        elif s.phase == Phase.PLACE:
            place_all(s)
        elif s.phase == Phase.FINAL:
            reveal_sealed_choices(s)
        else:
            next_hand(s)


@rule
def swap_all(s: RevealPosition) -> None:
    """All have chosen: discard and draw, one seat after the other (REV-7)."""
    first = max(0, s.first_in)
    going_on = 0
    for turn in range(SEATS):
        seat = first ^ turn
        action = s.sealed[seat]
        # One by one, a seat that is finished has chosen nothing.
        if action == OPEN:
            continue
        s.sealed[seat] = OPEN
        if action != Act.STOP:
            swap(s, seat, action - Act.SWAP)
            if s.opt.swap_batch == info.SwapBatch.NO and s.swapped[seat] <= s.row:
                going_on |= 1 << seat
    s.first_in = -1
    s.acting = going_on
    if going_on == 0:
        s.phase = Phase.PLACE
        set_all_acting(s)


@rule
def swap(s: RevealPosition, seat: int, places: int) -> None:
    """Discard the hand cards at these places face down and draw as many, the lowest place first."""
    for place in range(COLUMNS):
        if includes(places, place):
            held = side_slot(seat, s.row, place)
            top = STOCK + s.drawn
            kind = s.card[held]
            put(s, held, s.card[top], 1 << seat)
            put(s, top, kind, 1 << seat)
            s.drawn += 1
            s.swapped[seat] += 1


@rule
def place_all(s: RevealPosition) -> None:
    """Both have chosen: lay the hands face down into the row, one card in each column (REV-10, REV-11)."""
    row = s.row
    for seat in range(SEATS):
        order = s.sealed[seat] - Act.PLACE
        s.sealed[seat] = OPEN
        held = s.card[side_slot(seat, row, 0)], s.card[side_slot(seat, row, 1)], s.card[side_slot(seat, row, 2)]
        for place in range(COLUMNS):
            s.card[side_slot(seat, row, ORDERS[order, place])] = held[place]
    s.row += 1
    if s.row < s.rows:
        begin_row(s)
    else:
        s.phase = Phase.FINAL
        s.acting = 1 if s.opt.final_mode == info.FinalMode.ALTERNATE else BOTH


@rule
def apply_open_choice(s: RevealPosition, seat: int, action: int) -> None:
    """The open final round (REV-6): choose a column, confirm it, or both."""
    # To confirm is the last of the actions from `Act.CHOOSE_CONFIRM` on.
    for_good = action >= Act.CHOOSE_CONFIRM or s.changes[seat] >= s.opt.most_changes
    if action != Act.CONFIRM:
        s.choice[seat] = column_of(action)
        s.changes[seat] += 1
    if for_good:
        s.confirmed |= 1 << seat
    waiting = BOTH & ~s.confirmed
    if waiting == 0:
        grand_reveal(s)
    elif s.opt.final_mode == info.FinalMode.ALTERNATE and waiting == BOTH:
        set_only_acting(s, 1 - seat)
    else:
        s.acting = waiting


@rule
def reveal_sealed_choices(s: RevealPosition) -> None:
    """The sealed final round: both choices are shown, and stand (REV-6)."""
    for seat in range(SEATS):
        s.choice[seat] = column_of(s.sealed[seat])
        s.changes[seat] = 1
        s.sealed[seat] = OPEN
    s.confirmed = BOTH
    grand_reveal(s)


# --- the end of a hand ------------------------------------------------------------------------------------------------


@rule
def grand_reveal(s: RevealPosition) -> None:
    """Turn everything up and score; the four steps decide nothing, a table shows them one after the other."""
    for slot in range(STOCK):
        s.known[slot] = EVERYONE
    for seat in range(SEATS):
        score_seat(s, seat)
        s.total[seat] += s.score[seat]
    s.phase = Phase.SCORING
    set_all_acting(s)
    end_match_if_over(s)


@rule
def score_seat(s: RevealPosition, seat: int) -> None:
    """Points of a seat for the hand: its best colour with a scoring root, 0 below the minimum (rules 1.5, REV-1)."""
    column = s.choice[seat]
    s.score[seat] = 0
    s.colour[seat] = -1
    best = MINIMUM - 1
    for row in range(ROWS):
        root = s.card[base_slot(row, column)]
        if root < WILD:  # REV-2: a wild is never a root; nor is a row that is not played
            counted = count_cards_for_root(s, seat, column, root)
            if counted > best:
                best = counted
                s.score[seat] = counted
                s.colour[seat] = root


@rule
def matches(kind: int, root: int) -> bool:
    """Does a card of this kind count with a root of this colour?"""
    return (kind == root) | (kind == WILD)


@rule
def count_cards_for_root(s: RevealPosition, seat: int, column: int, root: int) -> int:
    """How many cards count for a seat in a column with a root of this colour: those of the colour, and wilds."""
    base = 0
    own = 0
    opposite = 0
    for row in range(ROWS):
        base += matches(s.card[base_slot(row, column)], root)
        own += matches(s.card[side_slot(seat, row, column)], root)
        opposite += matches(s.card[side_slot(1 - seat, row, column)], root)
    final = matches(s.card[FINALS + seat], root)
    opened = own > 0 or (s.opt.final_unlocks == info.FinalUnlocks.YES and final)  # REV-3, REV-4
    return base + own + (opposite if opened else 0) + final


@rule
def end_match_if_over(s: RevealPosition) -> None:
    """Over after the set number of hands or at the goal, unless equal totals are played off (REV-15)."""
    so_far = max(s.total[0], s.total[1]) if s.opt.end == info.End.GOAL else s.hand_number
    done = so_far >= s.opt.end_at
    if done and not (s.opt.tie == info.Tie.EXTRA_HAND and s.total[0] == s.total[1]):
        s.over = DECIDED
    elif s.hand_number >= HAND_CAP:
        s.over = ABANDONED
    if s.over != RUNNING:
        s.acting = 0


# --- what is seen, and the worlds that fit it -------------------------------------------------------------------------


@rule
def shown(s: RevealPosition, slot: int, viewer: int) -> bool:
    """A card you have laid is not looked at again without peeking; discards and used cards never are (rules 1.6)."""
    if slot >= STOCK:
        return False
    if s.phase == Phase.SCORING or slot < SIDES or s.opt.peeking == info.Peeking.ON:
        return True
    # The hand; a row laid already lies face down.
    return s.row < s.rows and (slot - SIDES) // SIDE_ROW == s.row


@rule
def pools(s: RevealPosition, counts: NDArray[np.int32]) -> None:
    """The whole deck is one pool."""
    for kind in range(KINDS):
        counts[0, kind] = s.opt.copies[kind]


RULES = RuleSet(
    record=RevealPosition,
    actions=ACTIONS,
    kinds=KINDS,
    deck=lambda seats, options: list(options.copies),
    check=check,
    deal=deal,
    legal=legal,
    apply=apply,
    shown=shown,
    pools=pools,
    pause=Act.CONTINUE,
    action_kinds=Act,
    choices=CHOICES,
)
