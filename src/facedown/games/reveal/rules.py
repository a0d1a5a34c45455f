"""Rules of Reveal: compiled functions that take a `RevealPosition`.

A round of the match is called a hand. The cards that a player holds are called hand cards.

A slot is an index in the array `card` of a position. The slots are in the order in which cards are dealt (rules 1.3),
so shuffling the array deals a hand. Each player has three slots for each row. In the course of the hand, their content
changes twice:

1. First they contain the face-down stack dealt for the row.
2. When the player picks up this stack, they contain the player's hand cards, from left to right.
3. When the player has placed these cards, they contain the cards in the three columns of the row.

In a small layout (fewer rows or columns, ruling REV-17) the slots of unused rows and columns stay empty. The rulings
cited here (REV-…) are in ``docs/rules/reveal.md``.
"""

from __future__ import annotations

from enum import IntEnum
from itertools import permutations
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from facedown.core.actions import ActionKind, ActionParameter, ParametersByKind
from facedown.core.bit_masks import includes, mark_acted_is_last, set_all_acting, set_only_acting
from facedown.core.field_meanings import (
    Bits,
    BySeat,
    BySlot,
    Card,
    Number,
    OneOf,
    Seat,
    SeatMask,
    SlotGroup,
    Unobserved,
)
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

# The slots (indices in `card`) are in the order of dealing: first the base rows, then both players' sides row by row,
# the Final Cards and the piles. `SIDES`, `FINALS` and `STOCK` are the first slots of the groups after the base rows.
SIDES = ROWS * COLUMNS
#: Number of slots in one row of both players' sides together.
SIDE_ROW = SEATS * COLUMNS
FINALS = SIDES + ROWS * SIDE_ROW
#: First slot after the Final Cards. The slots from here on hold the discard pile (bottom card first), then the draw
#: pile (top card first), then the cards used in earlier hands. A swap exchanges a hand card with the top card of the
#: draw pile. From then on, the slot of that top card belongs to the discard pile.
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

#: All ways to place the three hand cards: ``ORDERS[order, place]`` is the column (0 to 2) of the card at this place (0
#: to 2) in the hand.
ORDERS = np.array(list(permutations(range(COLUMNS))), np.int64)


#: Number of hand cards that a swap exchanges, indexed by the bit mask of the cards' places in the hand.
SWAP_COUNTS = np.array([places.bit_count() for places in range(1 << COLUMNS)], np.int64)


class Phase(IntEnum):
    """Phase of a hand. In each row, both players may swap cards that they hold (`SWAP`). Then they place their cards
    (`PLACE`). After the last row, they choose columns (`FINAL`). At the end the hand is scored (`SCORING`).
    """

    SWAP = 0
    PLACE = 1
    FINAL = 2
    SCORING = 3


class Act(ActionKind):
    """Kinds of actions. An action is an integer: the value of its kind, plus its parameter if it has one."""

    SWAP = 0
    """Swap hand cards. The action is this number plus the bit mask of their places in the hand; mask 0 swaps none."""
    STOP = SWAP + (1 << COLUMNS)
    """With ``swap_batch=no`` (cards are swapped one by one): stop swapping in this row."""
    PLACE = STOP + 1
    """Place the three hand cards in the row. The action is this number plus the index of the order in `ORDERS`."""
    CHOOSE = PLACE + len(ORDERS)
    """Place the Final Card at the end of a column. The action is this number plus the column (0 to 2)."""
    CHOOSE_CONFIRM = CHOOSE + COLUMNS
    """With ``final_mode=alternate``: choose a column and confirm it in one turn. The action is this number plus the
    column."""
    CONFIRM = CHOOSE_CONFIRM + COLUMNS
    """Confirm the column that the seat has chosen for its Final Card."""
    CONTINUE = CONFIRM + 1
    """After the scoring: continue to the next hand."""


CHOICES: ParametersByKind = {
    Act.SWAP: (ActionParameter("swapped", range(1 << COLUMNS), Bits(COLUMNS)),),
    Act.PLACE: (ActionParameter("order", range(len(ORDERS))),),
    Act.CHOOSE: (ActionParameter("column", range(COLUMNS)),),
    Act.CHOOSE_CONFIRM: (ActionParameter("column", range(COLUMNS)),),
}
ACTIONS = Act.CONTINUE + 1

#: Smallest number of cards that must count in a column to give points. Fewer are worth 0 (rules 1.5).
MINIMUM = 3
#: Largest number of hands in a match. It stops an endless match if the options set no smaller number (rules 1.7).
HAND_CAP = 100


class RevealPosition(Position):
    """Position in a match of Reveal: a state with all cards, or a view with only the cards that one viewer knows.

    The slots (indices in `card`) contain these cards, in this order:

    1. the base cards, row by row;
    2. the cards on the two players' sides, row by row;
    3. the two Final Cards;
    4. the discard pile, then the draw pile, then the cards used in earlier hands (rounds).
    """

    opt: info.RevealOptions
    rows: Annotated[I1, Unobserved("it follows from the options")]
    """Number of rows in the layout; fewer than `ROWS` only in a small layout (ruling REV-17)."""
    columns: Annotated[I1, Unobserved("it follows from the options")]
    """Number of columns in the layout; fewer than `COLUMNS` only in a small layout (ruling REV-17)."""
    cards: Annotated[I2, Number(0, MAX_CARDS)]
    """Number of cards in the deck."""
    phase: Annotated[I1, OneOf(len(Phase))]
    """`Phase` of the hand."""
    row: Annotated[I1, OneOf(ROWS + 1)]
    """Current row, from 0; equal to `rows` from the final round on."""
    hand_number: Annotated[I2, Number(0, HAND_CAP)]
    """Number of the hand in the match, from 1."""
    live: Annotated[I2, Number(0, MAX_CARDS)]
    """Number of cards from which this hand is dealt and drawn. It is smaller than `cards` if cards used in earlier
    hands have not been shuffled again (``reshuffle=continue``)."""
    drawn: Annotated[I1, Number(0, SLOTS - STOCK)]
    """Number of cards that both seats have swapped in this hand, which is also the size of the discard pile."""
    swapped: Annotated[Ints, "i1", (SEATS,), BySeat(Number(0, COLUMNS))]
    """Number of cards that each seat has swapped in this row."""
    first_in: Annotated[I1, Seat()]
    """With ``swap_order=arrival``: seat that was first to choose its swap in this row; -1 if no seat has chosen."""
    choice: Annotated[Ints, "i1", (SEATS,), BySeat(OneOf(COLUMNS))]
    """Column that each seat has chosen for its Final Card, or -1 before the choice."""
    confirmed: Annotated[I1, SeatMask()]
    """Bit mask of the seats that have confirmed their column."""
    changes: Annotated[Ints, "i1", (SEATS,), BySeat(Number(0, 10))]
    """Number of times that each seat has chosen a column in this final round."""
    score: Annotated[Ints, "i1", (SEATS,), BySeat(Number(0, 10))]
    """Points of each seat in the last scored hand."""
    colour: Annotated[Ints, "i1", (SEATS,), BySeat(OneOf(WILD))]
    """Colour in which each seat scored in the last scored hand, as its index in the list of colours; -1 if it got no
    points."""
    total: Annotated[Ints, "i2", (SEATS,), BySeat(Number(0, 50))]
    """Points of each seat in all hands so far."""
    card: Annotated[Ints, "i1", (SLOTS,), BySlot(Card(KINDS), *PARTS)]
    # `PARTS[3:7]` are the slots of the two sides and of the Final Cards. Observations (inputs of learning programs)
    # include elements of `known` only for these slots. All other elements of `known` follow from the phase, the row and
    # the sizes of the piles.
    known: Annotated[Ints, "i2", (SLOTS,), BySlot(SeatMask(), *PARTS[3:7])]


def check(seats: int, options: info.RevealOptions) -> None:
    """Raise `OptionError` if the deck has fewer than 41 cards (enough for one hand, rules 1.2) or more than 200.

    With ``layout=small`` (fewer columns or rows, ruling REV-17) `check_small_layout` checks other limits instead.
    """
    cards = sum(options.copies)
    if options.layout == info.Layout.SMALL:
        check_small_layout(options, cards)
    elif cards < MIN_DECK_SIZE:
        colours = sum(copies > 0 for copies in options.copies[:WILD])
        copies, wilds = options.copies[0], options.copies[WILD]
        named = f"{colours} colours of {copies} and {wilds} wilds are {cards} cards"
        raise OptionError(f"deck: {named}, a hand needs at least {MIN_DECK_SIZE}", "deck")
    elif cards > MAX_CARDS:
        raise OptionError(f"deck: {cards} cards, there is room for {MAX_CARDS}", "deck")


def check_small_layout(options: info.RevealOptions, cards: int) -> None:
    """Raise `OptionError` if a match with ``layout=small`` cannot be played with these options.

    In such a match there are fewer columns or rows than usual (ruling REV-17). `cards` is the number of cards in the
    deck. It must fulfil two conditions:

    * It is enough for the cards that are dealt, plus one new card from the draw pile for each card that the players may
      swap.
    * It is not too large for the array `card` of a position, in which the slots of missing columns and rows stay empty.

    The option `reshuffle` must be set to shuffle all cards before every hand.
    """
    laid = dealt_card_count(options.rows, options.columns)
    # In row n each player may swap up to n cards.
    need = laid + SEATS * sum(range(1, options.rows + 1))
    most = MAX_CARDS - DEALT_CARDS + laid
    if not need <= cards <= most:
        raise OptionError(f"deck: {cards} cards, this layout needs {need} and has room for {most}", "deck")
    if options.reshuffle != info.Reshuffle.EVERY_HAND:
        raise OptionError("reshuffle: in a smaller layout all cards are shuffled for every hand", "reshuffle")


def dealt_card_count(rows: int, columns: int) -> int:
    """Return how many cards are dealt in one round of the match if the layout has this many rows and columns.

    It is the number of cards for the base, both players' sides and both Final Cards together: 29 in the full layout.
    """
    return (1 + SEATS) * rows * columns + SEATS


# --- slot numbers -----------------------------------------------------------------------------------------------------


@rule
def base_slot(row: int, column: int) -> int:
    """Return the slot (index in `card`) of the base card in a row and column, both counted from 0."""
    return COLUMNS * row + column


@rule
def side_slot(seat: int, row: int, place: int) -> int:
    """Return the slot (index in `card`) of one of a seat's cards for a row.

    `row` and `place` count from 0. Until the seat has placed its cards in the row, `place` is the place of the card in
    the hand, from left to right. Afterwards `place` is the card's column.
    """
    return SIDES + SIDE_ROW * row + SEATS * place + seat


@rule
def column_of(action: int) -> int:
    """Return the column (0 to 2) that an action of kind `CHOOSE` or `CHOOSE_CONFIRM` names."""
    return (action - Act.CHOOSE) % COLUMNS


# --- dealing --------------------------------------------------------------------------------------------------------


@rule
def deal(s: RevealPosition, deck: NDArray[np.int64], first: int) -> None:
    """Deal the first hand of a match.

    `deck` lists the kinds (index of a colour, or `WILD`) of the first cards of the deck, from the top. All cards below
    them are in random order. If `deck` is empty, the whole deck is in random order.

    `first` is a parameter of this function in all games: the seat that begins. Reveal ignores it (ruling REV-13).
    """
    s.card[:] = EMPTY
    s.known[:] = EVERYONE
    s.colour[:] = -1
    small = s.opt.layout == info.Layout.SMALL  # small layout (ruling REV-17)
    s.rows = s.opt.rows if small else ROWS
    s.columns = s.opt.columns if small else COLUMNS
    collect_cards(s)
    shuffle_deck(s, stack_deck(s.card, s.cards, deck))
    begin_hand(s)


@rule
def deal_next_hand(s: RevealPosition) -> None:
    """Deal the next hand.

    With ``reshuffle=continue`` it is dealt from the draw pile as long as that has at least `MIN_DECK_SIZE` cards
    (ruling REV-14). Otherwise all cards are shuffled first.
    """
    used = DEALT_CARDS + s.drawn
    if s.opt.reshuffle == info.Reshuffle.EVERY_HAND or s.live - used < MIN_DECK_SIZE:
        collect_cards(s)
        shuffle_deck(s, 0)
    else:
        deal_from_remaining(s, used)
    begin_hand(s)


@rule
def collect_cards(s: RevealPosition) -> None:
    """Put all cards of the deck into the first elements of `s.card`, sorted by colour, wild cards last.

    Mark these cards as known to no player. The caller must then shuffle these elements (`shuffle_deck`). The index of a
    card in `s.card` decides whether it is dealt to a player, to the base or to the draw pile.
    """
    n = 0
    for kind in range(KINDS):
        for _ in range(s.opt.copies[kind]):
            s.card[n] = kind
            n += 1
    s.known[:n] = 0
    s.cards = s.live = n


@rule
def shuffle_deck(s: RevealPosition, fixed_on_top: int) -> None:
    """Shuffle the deck except its first `fixed_on_top` cards, whose order the caller has given.

    With ``layout=small`` there are fewer rows or columns than usual (ruling REV-17). In this case, the shuffled cards
    are also moved, so that the slots (indices in `card`) of missing rows and columns are empty.
    """
    # If all cards are shuffled before every hand, at most the first 41 (`MIN_DECK_SIZE`) are dealt or drawn in a hand.
    # Then it is enough to choose these at random; the order of the other cards does not matter.
    stop = MIN_DECK_SIZE if s.opt.reshuffle == info.Reshuffle.EVERY_HAND else s.cards
    shuffle(generator(s.key, s.stream), s.card, fixed_on_top, s.cards, min(stop, s.cards))
    s.stream += 1
    if s.opt.layout == info.Layout.SMALL:
        move_to_small_layout(s)


@rule
def is_slot_in_layout(s: RevealPosition, slot: int) -> bool:
    """Return whether a slot (index in `card`) is used in the layout of this match.

    With ``layout=small`` there are fewer rows or columns than usual (ruling REV-17). A slot of the base or of a
    player's side is used if the layout has the row and the column of this slot. All slots from `FINALS` on are used:
    those of Final Cards and piles.
    """
    if slot < SIDES:
        return slot // COLUMNS < s.rows and slot % COLUMNS < s.columns
    if slot < FINALS:
        at = slot - SIDES
        return at // SIDE_ROW < s.rows and at % SIDE_ROW // SEATS < s.columns
    return True


@rule
def move_to_small_layout(s: RevealPosition) -> None:
    """With ``layout=small``, move the shuffled cards so that the slots of missing rows and columns are empty.

    The cards keep their order. Those that are not dealt become the draw pile, in the slots after the Final Cards.
    """
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
    """Deal a hand (round) from the draw pile: move the cards that are not used yet to the first slots of `s.card`.

    `used` is the number of cards that were dealt and drawn in the previous hand. Before the call, these used cards are
    in the first slots. The call moves them behind the unused cards.
    """
    card, known = s.card[: s.live].copy(), s.known[: s.live].copy()
    for slot in range(s.live):
        source = slot + used if slot + used < s.live else slot + used - s.live
        put(s, slot, card[source], known[source])
    s.live -= used


@rule
def begin_hand(s: RevealPosition) -> None:
    """Start a hand (a round of the match) whose cards are already in their slots (indices in `card`).

    Reset the fields that hold the players' choices and the counts of this hand. Then start the first row of the layout.

    With ``first_dealt=alternate`` the seats first exchange their cards in every second hand (ruling REV-13).
    """
    s.hand_number += 1
    if s.opt.first_dealt == info.FirstDealt.ALTERNATE and s.hand_number % 2 == 0:  # REV-13: seat 1 is dealt first
        for slot in range(SIDES, STOCK, SEATS):
            s.card[slot], s.card[slot + 1] = s.card[slot + 1], s.card[slot]
    s.drawn = s.confirmed = s.row = 0
    s.choice[:] = -1
    s.changes[:] = 0
    reveal_base_row_and_begin_swaps(s)


@rule
def reveal_base_row_and_begin_swaps(s: RevealPosition) -> None:
    """Start a row of the layout: turn its base cards face up, and show each player their own hand cards for this row.

    Both players are then to choose which of these hand cards they swap (`Phase.SWAP`). The first base row is turned
    face up when the hand (round of the match) begins, before any choice (ruling REV-9).
    """
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
    """Write the legal actions of a seat to `out` in ascending order; return their count."""
    if not includes(s.acting, seat):
        return 0
    if s.phase == Phase.SWAP:
        return legal_swaps(s, out)
    if s.phase == Phase.PLACE:
        return legal_placements(s, out)
    if s.phase == Phase.FINAL:
        return legal_final_round_actions(s, seat, out)
    out[0] = Act.CONTINUE
    return 1


@rule
def legal_placements(s: RevealPosition, out: NDArray[np.int32]) -> int:
    """Write the legal `PLACE` actions to `out`; return their number.

    Each action assigns a column to each of the three places in the hand. In a match with two columns, the third place
    in the hand has no card, and the third column does not exist. An action is then legal only if it assigns the third
    column to the third place (`keeps_unplayed_places`).
    """
    n = 0
    for order in range(len(ORDERS)):
        out[n] = Act.PLACE + order
        n += keeps_unplayed_places(order, s.columns)
    return n


@rule
def keeps_unplayed_places(order: int, columns: int) -> bool:
    """Return whether a player may place the hand cards as ``ORDERS[order]`` says, if there are 2 or 3 columns.

    Each element of `ORDERS` assigns a column to each of the three places in the hand. With three columns, every element
    is allowed. With two columns, a player holds only two cards. An element is then allowed only if it assigns the third
    column, which does not exist, to the third place, which is empty.
    """
    moved = 0
    for place in range(columns, COLUMNS):
        moved += ORDERS[order, place] != place
    return moved == 0


@rule
def legal_swaps(s: RevealPosition, out: NDArray[np.int32]) -> int:
    """Write the legal swap actions to `out`; return their number.

    In row n (from 1) a seat may swap up to n cards. With ``swap_batch=no`` each action swaps one card, and `STOP` is
    legal too (ruling REV-8).
    """
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
def legal_final_round_actions(s: RevealPosition, seat: int, out: NDArray[np.int32]) -> int:
    """Write the legal actions of the final round to `out`; return their number.

    The seat may choose a column for its Final Card and, once it has chosen one, confirm it (ruling REV-6).
    """
    # Actions are integers. Those of kind `CHOOSE_CONFIRM` directly follow those of kind `CHOOSE`, so one loop writes
    # both.
    n = 0
    for i in range(2 * COLUMNS if s.opt.final_mode == info.FinalMode.ALTERNATE else COLUMNS):
        out[n] = Act.CHOOSE + i
        n += i % COLUMNS < s.columns
    # `CONFIRM` is always written, but counted only if there is a column to confirm. A branch would be slower, because
    # the processor cannot predict it.
    out[n] = Act.CONFIRM
    return n + (s.choice[seat] >= 0)


# --- playing ----------------------------------------------------------------------------------------------------------


@rule
def apply(s: RevealPosition, seat: int, action: int) -> None:
    """Carry out a legal action of a seat: change the position in place, as the rules say.

    A secret choice is only stored at first. Once both seats have chosen, both choices are carried out.
    """
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
            apply_chosen_swaps(s)
        elif s.phase == Phase.PLACE:
            apply_chosen_placements(s)
        elif s.phase == Phase.FINAL:
            reveal_sealed_choices(s)
        else:
            deal_next_hand(s)


@rule
def apply_chosen_swaps(s: RevealPosition) -> None:
    """Carry out the swaps that both seats have chosen (ruling REV-7).

    The seat `s.first_in` swaps first, or seat 0 if `s.first_in` is -1.
    With ``swap_batch=no``, the seats that may swap another card then choose again. If there is no such seat, the seats
    place their cards next.
    """
    first = max(0, s.first_in)
    going_on = 0
    for turn in range(SEATS):
        seat = first ^ turn
        action = s.sealed[seat]
        # With ``swap_batch=no``, a seat that has finished swapping makes no more choices, so none is stored.
        if action == OPEN:
            continue
        s.sealed[seat] = OPEN
        if action != Act.STOP:
            swap_with_draw_pile(s, seat, action - Act.SWAP)
            if s.opt.swap_batch == info.SwapBatch.NO and s.swapped[seat] <= s.row:
                going_on |= 1 << seat
    s.first_in = -1
    s.acting = going_on
    if going_on == 0:
        s.phase = Phase.PLACE
        set_all_acting(s)


@rule
def swap_with_draw_pile(s: RevealPosition, seat: int, places: int) -> None:
    """Discard some hand cards face down and draw new ones for their places, lowest place first.

    `places` is the bit mask of these places in the hand.
    """
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
def apply_chosen_placements(s: RevealPosition) -> None:
    """Place both players' hand cards face down in the row, one card in each column (rulings REV-10 and REV-11).

    Then start the next row or the final round.
    """
    row = s.row
    for seat in range(SEATS):
        order = s.sealed[seat] - Act.PLACE
        s.sealed[seat] = OPEN
        held = s.card[side_slot(seat, row, 0)], s.card[side_slot(seat, row, 1)], s.card[side_slot(seat, row, 2)]
        for place in range(COLUMNS):
            s.card[side_slot(seat, row, ORDERS[order, place])] = held[place]
    s.row += 1
    if s.row < s.rows:
        reveal_base_row_and_begin_swaps(s)
    else:
        s.phase = Phase.FINAL
        s.acting = 1 if s.opt.final_mode == info.FinalMode.ALTERNATE else BOTH


@rule
def apply_open_choice(s: RevealPosition, seat: int, action: int) -> None:
    """Apply an action of a final round with open choices (ruling REV-6): choose a column, confirm it, or both.

    Score the hand once both seats have confirmed.
    """
    # `CONFIRM` has a higher number than all `CHOOSE_CONFIRM` actions, so one comparison covers both.
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
    """Make public which columns both seats have chosen in secret, and score the hand (ruling REV-6)."""
    for seat in range(SEATS):
        s.choice[seat] = column_of(s.sealed[seat])
        s.changes[seat] = 1
        s.sealed[seat] = OPEN
    s.confirmed = BOTH
    grand_reveal(s)


# --- the end of a hand ------------------------------------------------------------------------------------------------


@rule
def grand_reveal(s: RevealPosition) -> None:
    """Flip all cards on the table and score the hand (round). End the match if this was its last hand.

    Pages show the flipping step by step, as the Grand Reveal.
    """
    for slot in range(STOCK):
        s.known[slot] = EVERYONE
    for seat in range(SEATS):
        set_hand_score_and_colour(s, seat)
        s.total[seat] += s.score[seat]
    s.phase = Phase.SCORING
    set_all_acting(s)
    end_match_if_over(s)


@rule
def set_hand_score_and_colour(s: RevealPosition, seat: int) -> None:
    """Set a seat's points for the hand and the colour in which it scores (rules 1.5, ruling REV-1).

    The seat scores in the column that it has chosen, in the colour of one of the base cards there. Cards of this colour
    and wild cards count. The base card for which the most cards count is used; it is called the *root*. If fewer than
    `MINIMUM` cards count, the seat scores 0 and the colour is -1.
    """
    column = s.choice[seat]
    s.score[seat] = 0
    s.colour[seat] = -1
    best = MINIMUM - 1
    for row in range(ROWS):
        root = s.card[base_slot(row, column)]
        if root < WILD:  # REV-2: a wild card is never the root, and `EMPTY` (unused row) is not, either
            counted = count_scoring_cards(s, seat, column, root)
            if counted > best:
                best = counted
                s.score[seat] = counted
                s.colour[seat] = root


@rule
def matches_root(kind: int, root: int) -> bool:
    """Return whether a card counts in a column that is scored in the colour `root` (index of the colour).

    `kind` is the index of the card's colour, or `WILD`.
    """
    return (kind == root) | (kind == WILD)


@rule
def count_scoring_cards(s: RevealPosition, seat: int, column: int, root: int) -> int:
    """Return how many cards count for a seat in a column that is scored in the colour `root` (index of the colour).

    Only cards of this colour and wild cards can count:

    * in the base, on the seat's own side and as the seat's Final Card: always;
    * on the other player's side: only if a card on the seat's own side counts or, with ``final_unlocks=yes``, if the
      seat's Final Card counts (rulings REV-3 and REV-4).
    """
    base = 0
    own = 0
    opposite = 0
    for row in range(ROWS):
        base += matches_root(s.card[base_slot(row, column)], root)
        own += matches_root(s.card[side_slot(seat, row, column)], root)
        opposite += matches_root(s.card[side_slot(1 - seat, row, column)], root)
    final = matches_root(s.card[FINALS + seat], root)
    opened = own > 0 or (s.opt.final_unlocks == info.FinalUnlocks.YES and final)  # REV-3, REV-4
    return base + own + (opposite if opened else 0) + final


@rule
def end_match_if_over(s: RevealPosition) -> None:
    """End the match after the set number of hands, or when a total has reached the target score (ruling REV-15).

    With equal totals, an extra hand follows if the options say so. A match that reaches `HAND_CAP` hands is abandoned.
    """
    so_far = max(s.total[0], s.total[1]) if s.opt.end == info.End.GOAL else s.hand_number
    done = so_far >= s.opt.end_at
    if done and not (s.opt.tie == info.Tie.EXTRA_HAND and s.total[0] == s.total[1]):
        s.over = DECIDED
    elif s.hand_number >= HAND_CAP:
        s.over = ABANDONED
    if s.over != RUNNING:
        s.acting = 0


# --- views and redeals ------------------------------------------------------------------------------------------------


@rule
def shown(s: RevealPosition, slot: int, viewer: int) -> bool:
    """Return whether the viewer, who knows the card in a slot, can also see it now (else the viewer must remember it).

    A slot is an index in `card`. Base cards and hand cards are visible. Placed cards are visible with ``peeking=on`` or
    once the hand is scored. Discards and cards used in earlier hands are never visible (rules 1.6).
    """
    if slot >= STOCK:
        return False
    if s.phase == Phase.SCORING or slot < SIDES or s.opt.peeking == info.Peeking.ON:
        return True
    # The cards of the current row are hand cards, which their owner sees. In other rows the cards are face down.
    return s.row < s.rows and (slot - SIDES) // SIDE_ROW == s.row


@rule
def pools(s: RevealPosition, deck_counts: NDArray[np.int32]) -> None:
    """Write the number of cards of each kind (index of a colour, or `WILD`) in the deck to ``deck_counts[0, kind]``.

    The first index is the pool: the group of cards from which an unknown card is sampled. Reveal has only pool 0.
    """
    for kind in range(KINDS):
        deck_counts[0, kind] = s.opt.copies[kind]


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
