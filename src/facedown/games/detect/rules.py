"""Rules of Detect: compiled functions that take a `DetectPosition`.

A grid has four columns of three cells. The index of a cell is ``3 * column + row``, so the cells of a column have
consecutive indices. Bit k of a mask of cells stands for cell k. In a smaller grid (DET-17) the missing cells are marked
as removed from the start. The rulings cited here (DET-…) are in ``docs/rules/detect.md``.
"""

from __future__ import annotations

from enum import IntEnum
from itertools import combinations
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from facedown.core.actions import ActionKind, ActionParameter, ParametersByKind
from facedown.core.bit_masks import includes, mark_acted_is_last, next_seat, set_all_acting, set_only_acting
from facedown.core.field_meanings import Bits, ByKind, BySeat, BySlot, Card, Number, OneOf, Seat, SlotGroup, Unobserved
from facedown.core.hidden_cards import clear_slot_publicly, move, put
from facedown.core.options import OptionError
from facedown.core.random_numbers import generator, given_or_random_seat, random_below, shuffle, stack_deck
from facedown.core.rule import rule
from facedown.core.ruleset import RuleSet
from facedown.core.state import ABANDONED, DECIDED, EMPTY, EVERYONE, I1, I2, MAX_SEATS, OPEN, RUNNING, Ints, Position
from facedown.games.detect import info
from facedown.games.detect.cards import KINDS, LOWEST, MAX_CARDS
from facedown.games.detect.i18n import N_, _

ROWS = 3
COLUMNS = 4
CELLS = ROWS * COLUMNS
ALL_CELLS = (1 << CELLS) - 1
COLUMN_MASK = (1 << ROWS) - 1

# Order of the slots (indices in `card`): the grids, the drawn card, and the stock, which holds both piles. The bottom
# card of the draw pile is in the first slot of the stock, the bottom card of the discard pile in the last one. The
# piles never meet, because together they have at most as many cards as the deck.
DRAWN_SLOT = MAX_SEATS * CELLS
STOCK = DRAWN_SLOT + 1
SLOTS = STOCK + MAX_CARDS
PARTS = (
    SlotGroup("grid", 0, CELLS, by_seat=CELLS),
    SlotGroup("drawn card", DRAWN_SLOT, 1),
    SlotGroup("stock: the draw pile from its low end, the discard pile from its high end", STOCK, MAX_CARDS),
)

#: Pairs of cells that a player may flip at the start. The parameter of an `OPEN_PAIR` action is the index of a pair.
PAIRS = np.array(list(combinations(range(CELLS), 2)), np.int64)


class Phase(IntEnum):
    """Phase of a round: flipping two cards, start of a turn, card drawn, decision about three equal cards, or
    scoring.
    """

    OPENING = 0
    TURN = 1
    DRAWN = 2
    SET = 3
    SCORING = 4


#: Parameters of actions. Their values are bit masks of cells: two cells for each pair in `PAIRS`, or a single cell.
TWO_CELLS = ActionParameter("cells", [1 << int(a) | 1 << int(b) for a, b in PAIRS], Bits(CELLS))
ONE_CELL = ActionParameter("cells", [1 << cell for cell in range(CELLS)], Bits(CELLS))


class Act(ActionKind):
    """Kinds of actions. An action is an integer: the value of its kind, plus its parameter if it has one."""

    OPEN_PAIR = 0
    """Flip two cells at the start of the round. The action is this number plus the index of the pair in `PAIRS`."""
    TAKE = OPEN_PAIR + len(PAIRS)
    """Take the top discard and place it in a cell. The action is this number plus the cell (0 to 11)."""
    DRAW = TAKE + CELLS
    """Draw the top card of the draw pile."""
    KEEP = DRAW + 1
    """Place the drawn card in a cell. The action is this number plus the cell (0 to 11)."""
    THROW = KEEP + CELLS
    """Discard the drawn card and flip a face-down cell. The action is this number plus the cell (0 to 11)."""
    REMOVE = THROW + CELLS
    """With ``set_optional=yes``: remove the column of three equal cards that the seat has completed."""
    LEAVE = REMOVE + 1
    """With ``set_optional=yes``: keep the column of three equal cards that the seat has completed."""
    CONTINUE = LEAVE + 1
    """After the scoring: continue to the next round."""


CHOICES: ParametersByKind = {
    Act.OPEN_PAIR: (TWO_CELLS,),
    Act.TAKE: (ONE_CELL,),
    Act.KEEP: (ONE_CELL,),
    Act.THROW: (ONE_CELL,),
}
ACTIONS = Act.CONTINUE + 1
GOAL = 100
#: Limits that stop an endless match (rules 2.8): turns of each player in a round, and rounds in a match.
TURN_CAP = 200
ROUND_CAP = 100
#: A number of points above all possible scores, used as infinity.
INFINITE_POINTS = 32_000


class DetectPosition(Position):
    """State of a match of Detect with all cards, or view of it with the cards that one viewer knows.

    Slots (indices in `card`): twelve cells for each seat's grid, the drawn card, and the stock, which holds the draw
    pile and the discard pile.
    """

    opt: info.DetectOptions
    rebuilt: Annotated[I1, OneOf(2)]
    """1 if the draw pile was rebuilt from the discards in this round (rules 2.6), else 0."""
    recycled: Annotated[Ints, "i2", (KINDS,), ByKind(Number(0, MAX_CARDS))]
    """Number of cards of each kind in a rebuilt draw pile, plus a card just drawn from it. All 0 if the pile was not
    rebuilt. Players who remember the discards know these numbers."""
    draw_count: Annotated[I2, Number(0, MAX_CARDS)]
    """Number of cards on the draw pile; they are in the first slots of the stock, with the top card last."""
    discard_count: Annotated[I2, Number(0, MAX_CARDS)]
    """Number of cards on the discard pile; they are in the last slots of the stock, with the top card in the lowest
    one."""
    phase: Annotated[I1, OneOf(len(Phase))]
    """`Phase` of the round."""
    turn: Annotated[I1, Seat()]
    """Seat whose turn it is."""
    dealer: Annotated[I1, Seat()]
    """Seat that dealt this round."""
    ender: Annotated[I1, Seat()]
    """Seat that ended this round by flipping its last card, or -1."""
    last_ender: Annotated[I1, Seat()]
    """Seat that ended the previous round, or -1."""
    column: Annotated[I1, OneOf(COLUMNS)]
    """In `Phase.SET`: the column of equal cards that its owner may remove; otherwise -1."""
    playing_off: Annotated[I1, OneOf(2)]
    """1 while extra rounds are played because of a tie at the end (DET-14), else 0."""
    rows: Annotated[I1, Unobserved("it follows from the options")]
    """Number of rows of the grid; fewer than `ROWS` only in a small grid (DET-17), whose columns use their first
    cells."""
    outside: Annotated[I2, Unobserved("it follows from the options")]
    """Bit mask of the cells that a small grid does not have."""
    most_turns: Annotated[I2, Unobserved("it follows from the options")]
    """Most turns per player in a round."""
    round_number: Annotated[I2, Number(0, ROUND_CAP)]
    """Number of the round, from 1."""
    turns: Annotated[I2, Number(0, TURN_CAP * MAX_SEATS)]
    """Count of turns taken in this round, by all players."""
    up: Annotated[Ints, "i2", (MAX_SEATS,), BySeat(Bits(CELLS))]
    """Bit mask of the face-up cells of each seat's grid."""
    gone: Annotated[Ints, "i2", (MAX_SEATS,), BySeat(Bits(CELLS))]
    """Bit mask of the removed cells of each seat's grid."""
    raw: Annotated[Ints, "i2", (MAX_SEATS,), BySeat(Number(-2 * CELLS, GOAL))]
    """Sum of the numbers in each seat's grid in the last scored round, before any doubling."""
    score: Annotated[Ints, "i2", (MAX_SEATS,), BySeat(Number(-2 * CELLS, 2 * GOAL))]
    """Points that the last scored round added to each seat's total."""
    total: Annotated[Ints, "i2", (MAX_SEATS,), BySeat(Number(-GOAL, 2 * GOAL))]
    """Points of each seat in all rounds so far; the lowest total wins."""
    last_seat: Annotated[I1, Seat()]
    """Seat that took the last action, or -1."""
    last_column: Annotated[I1, OneOf(COLUMNS)]
    """Column that the last action removed, or -1."""
    last_number: Annotated[I2, Number(LOWEST, LOWEST + KINDS - 1)]
    """Number on the cards of the removed column that `last_column` names."""
    last_out: Annotated[I2, Number(LOWEST, LOWEST + KINDS - 1)]
    """Number of the card that the last exchange or discard put on the discard pile; all players saw it."""
    card: Annotated[Ints, "i1", (SLOTS,), BySlot(Card(KINDS), *PARTS)]
    known: Annotated[Ints, "i2", (SLOTS,), Unobserved("it follows from what lies open, and from who drew")]


def check(seats: int, options: info.DetectOptions) -> None:
    """Raise `OptionError` if the deck is too small for this number of players (DET-1)."""
    cards = sum(options.copies)
    cells = CELLS if options.grid == info.Grid.FULL else options.rows * options.columns
    if cards < (need := cells * seats + 2):
        wrong = N_("the deck has {cards} cards, but {seats} players need at least {need}")
        raise OptionError(_(wrong, cards=cards, seats=seats, need=need), "deck")


# --- dealing --------------------------------------------------------------------------------------------------------


@rule
def deal(s: DetectPosition, deck: NDArray[np.int64], first: int) -> None:
    """Deal the first round. `first` is the seat of the dealer, or -1 for a random one.

    `deck` lists the kinds (card number minus `LOWEST`) of the first cards from the top. It may be empty; the other
    cards are random.
    """
    s.last_ender = -1
    s.rows = ROWS
    s.most_turns = TURN_CAP
    if s.opt.grid == info.Grid.SMALL:  # small grid (DET-17)
        s.rows = s.opt.rows
        s.most_turns = s.opt.most_turns
        for cell in range(CELLS):
            if cell % ROWS >= s.opt.rows or cell // ROWS >= s.opt.columns:
                s.outside |= 1 << cell
    s.dealer = given_or_random_seat(s, first)
    deal_round(s, deck)


@rule
def deal_round(s: DetectPosition, deck: NDArray[np.int64]) -> None:
    """Shuffle all cards and deal a round (rules 2.3).

    `deck` lists the kinds (card number minus `LOWEST`) of the first cards from the top. It may be empty; the other
    cards are random.
    """
    cards = np.empty(MAX_CARDS, np.int64)
    n = expand_copies(s.opt.copies, cards)
    g = generator(s.key, s.stream)
    s.stream += 1
    shuffle(g, cards, stack_deck(cards, n, deck), n, n)

    s.card[:] = EMPTY
    s.known[:] = EVERYONE
    at = 0
    seat = s.dealer
    for _turn in range(s.seats):
        # Each player is dealt a whole grid at once, column by column. The player to the left of the dealer is first.
        seat = next_seat(s, seat)
        for cell in range(CELLS):
            if not s.outside >> cell & 1:
                put(s, seat * CELLS + cell, cards[at], 0)
                at += 1
        s.up[seat] = 0
        s.gone[seat] = s.outside
    fill_draw_pile(s, cards[at:n])
    s.discard_count = 0
    if s.opt.initial_discard == info.InitialDiscard.TURN_ONE:  # DET-2: the first discard is dealt
        s.draw_count -= 1
        discard(s, STOCK + s.draw_count)
    s.rebuilt = 0
    mask_recalled(s)
    s.round_number += 1
    s.turns = 0
    s.ender = s.column = s.last_seat = s.last_column = -1
    s.phase = Phase.OPENING
    set_all_acting(s)
    if s.opt.opening_pick == info.OpeningPick.RANDOM:  # DET-3: the opening cards are chosen at random
        pairs = np.empty(len(PAIRS), np.int32)
        there = write_opening_actions(s, pairs)
        for seat in range(s.seats):
            s.sealed[seat] = pairs[random_below(g, there)]
        flip_opening_pairs(s)


@rule
def fill_draw_pile(s: DetectPosition, cards: NDArray[np.int64]) -> None:
    """Put cards face down on the draw pile, which is empty.

    `cards` lists their kinds (card number minus `LOWEST`), the top card first.
    """
    s.draw_count = len(cards)
    for i in range(len(cards)):
        put(s, STOCK + i, cards[len(cards) - 1 - i], 0)


@rule
def expand_copies(copies: Ints, cards: NDArray[np.int64]) -> int:
    """Write the kind (card number minus `LOWEST`) of each card of a deck to the front of `cards`; return their number.

    `copies` has the number of cards of each kind. The written cards are sorted by kind.
    """
    n = 0
    for kind in range(KINDS):
        for i in range(n, n + copies[kind]):
            cards[i] = kind
        n += copies[kind]
    return n


@rule
def flip_opening_pairs(s: DetectPosition) -> None:
    """Flip the two cells that each seat has chosen for the opening, and start the first turn of the round.

    Each seat's choice is an action of the kind `OPEN_PAIR`. It is read from `sealed` and deleted there. The seat with
    the highest sum of its two flipped cards takes the first turn, unless the option `later_start` gives it to another
    seat (`starting_seat`).
    """
    for seat in range(s.seats):
        for cell in PAIRS[s.sealed[seat] - Act.OPEN_PAIR]:
            flip_up(s, seat, cell)
        s.sealed[seat] = OPEN
    give_turn(s, starting_seat(s))


@rule
def give_turn(s: DetectPosition, seat: int) -> None:
    """Start a seat's turn: only this seat is to act."""
    s.phase = Phase.TURN
    s.turn = seat
    set_only_acting(s, seat)


@rule
def starting_seat(s: DetectPosition) -> int:
    """Return the seat that takes the first turn: the one whose two face-up cards have the highest sum (DET-4).

    Among equal sums, the first seat to the left of the dealer starts. With ``later_start=ender``, the seat that ended
    the previous round starts instead. If no seat ended it, or this is the first round, the sums decide.
    """
    if s.opt.later_start == info.LaterStart.ENDER and s.last_ender >= 0:
        return s.last_ender
    best, best_sum = -1, -INFINITE_POINTS
    seat = s.dealer
    for _turn in range(s.seats):
        seat = next_seat(s, seat)
        shown_sum = sum_of(s, seat, s.up[seat])
        if shown_sum > best_sum:
            best, best_sum = seat, shown_sum
    return best


# --- cells, columns and piles -----------------------------------------------------------------------------------------


@rule
def number(s: DetectPosition, slot: int) -> int:
    """Return the number printed on the card in a slot (index in `card`)."""
    return s.card[slot] + LOWEST


@rule
def sum_of(s: DetectPosition, seat: int, cells: int) -> int:
    """Return the sum of the numbers on a seat's cards in some cells (places of the grid). `cells` is a bit mask."""
    total = 0
    for cell in range(CELLS):
        if cells >> cell & 1:
            total += number(s, seat * CELLS + cell)
    return total


@rule
def face_down_mask(s: DetectPosition, seat: int) -> int:
    """Return the bit mask of a seat's face-down cells."""
    return ALL_CELLS & ~(s.up[seat] | s.gone[seat])


@rule
def flip_up(s: DetectPosition, seat: int, cell: int) -> None:
    """Flip the card in a cell face up, so that all players know it."""
    s.up[seat] |= 1 << cell
    s.known[seat * CELLS + cell] = EVERYONE


@rule
def top_discard_slot(s: DetectPosition) -> int:
    """Return the slot (index in `card`) of the top card of the discard pile; `SLOTS` if the pile is empty."""
    return SLOTS - s.discard_count


@rule
def discard(s: DetectPosition, slot: int) -> None:
    """Move the card in a slot (index in `card`) face up onto the discard pile."""
    s.discard_count += 1
    move(s, slot, top_discard_slot(s), EVERYONE)


@rule
def is_complete_column(s: DetectPosition, seat: int, column: int) -> bool:
    """Return whether all cells of a column are face up and show the same number. Equal rows do not count (DET-5)."""
    first = ROWS * column
    slot = seat * CELLS + first
    hidden = COLUMN_MASK & ~(s.up[seat] | s.outside) >> first
    card = s.card[slot]
    # The comparisons are combined into one test, because the processor often mispredicts separate branches.
    differ = card ^ s.card[slot + 1] | card ^ s.card[slot + s.rows - 1]
    return hidden | differ == 0


@rule
def remove_column(s: DetectPosition, seat: int, column: int) -> None:
    """Remove a column of equal cards. Its cards go on top of the discard pile (DET-7)."""
    first = ROWS * column
    s.last_column = column
    s.last_number = number(s, seat * CELLS + first)
    for cell in range(first, first + s.rows):
        discard(s, seat * CELLS + cell)
    s.up[seat] &= ~(COLUMN_MASK << first) & ALL_CELLS
    s.gone[seat] |= COLUMN_MASK << first


@rule
def rebuild_draw_pile(s: DetectPosition) -> None:
    """Shuffle all discards except the top one into a new draw pile (rules 2.6); count them by kind in `s.recycled`."""
    top = s.card[top_discard_slot(s)]
    mask_recalled(s)
    for slot in range(top_discard_slot(s) + 1, SLOTS):
        s.recycled[s.card[slot]] += 1
    s.card[top_discard_slot(s) :] = EMPTY
    # The cards are sorted before the shuffle, so that a state and a view give the same result: a view does not contain
    # the order of the discards.
    cards = np.empty(MAX_CARDS, np.int64)
    n = expand_copies(s.recycled, cards)
    g = generator(s.key, s.stream)
    s.stream += 1
    shuffle(g, cards, 0, n, n)
    fill_draw_pile(s, cards[:n])
    s.discard_count = 1
    put(s, SLOTS - 1, top, EVERYONE)
    s.rebuilt = 1


# --- legal actions ---------------------------------------------------------------------------------------------------


@rule
def legal(s: DetectPosition, seat: int, out: NDArray[np.int32]) -> int:
    """Write the legal actions of a seat to `out` in ascending order; return their count."""
    if not includes(s.acting, seat):
        return 0
    if s.phase == Phase.OPENING:
        return write_opening_actions(s, out)
    if s.phase == Phase.TURN:
        n = write_cell_actions_except(s, out, Act.TAKE, s.gone[seat]) if s.discard_count > 0 else 0
        out[n] = Act.DRAW
        return n + 1
    if s.phase == Phase.DRAWN:
        n = write_cell_actions_except(s, out, Act.KEEP, s.gone[seat])
        return append_cell_actions(out, n, Act.THROW, face_down_mask(s, seat))
    if s.phase == Phase.SET:
        out[0] = Act.REMOVE
        out[1] = Act.LEAVE
        return 2
    out[0] = Act.CONTINUE
    return 1


@rule
def write_opening_actions(s: DetectPosition, out: NDArray[np.int32]) -> int:
    """Write to `out` the opening actions, each of which flips two cells of the grid; return their number."""
    n = 0
    for i in range(len(PAIRS)):
        out[n] = Act.OPEN_PAIR + i
        n += 1 - ((s.outside >> PAIRS[i, 0] | s.outside >> PAIRS[i, 1]) & 1)
    return n


@rule
def write_cell_actions_except(s: DetectPosition, out: NDArray[np.int32], action: int, gone: int) -> int:
    """Write to `out` one action for each cell that still has a card; return the number of these actions.

    `gone` is the bit mask of the removed cells. Actions are integers. The action for cell 0 is `action`, and the action
    for cell i is ``action + i``.
    """
    n = 0
    for column in range(COLUMNS):
        # Columns are removed as a whole. A column's actions are always written, but counted only if the column is still
        # there. A branch would be slower, because the processor cannot predict it.
        for row in range(ROWS):
            out[n + row] = action + ROWS * column + row
        n += s.rows * (1 - (gone >> ROWS * column & 1))
    return n


@rule
def append_cell_actions(out: NDArray[np.int32], n: int, action: int, cells: int) -> int:
    """Append the action for each cell in the bit mask `cells` to the first `n` elements of `out`; return the new count.

    Actions are integers: `action` is the action for cell 0, and ``action + i`` is the action for cell i.
    """
    for cell in range(CELLS):
        # The action is always written, but counted only if the cell is in the mask. A branch would be slower, because
        # the processor cannot predict it.
        out[n] = action + cell
        n += cells >> cell & 1
    return n


# --- playing ---------------------------------------------------------------------------------------------------------


@rule
def apply(s: DetectPosition, seat: int, action: int) -> None:
    """Carry out a legal action of a seat: change the position in place, as the rules say.

    * Choices of opening cells are only stored at first. Once all seats have chosen, the cells are flipped.
    * After the last action of a turn, the next seat is to act. If the turn was the last one of the round, the round is
      scored instead, and the match may end.
    * After the scoring, the next round is dealt once all seats have taken the action `CONTINUE`.
    """
    s.last_seat = seat
    s.last_column = -1
    if action < Act.TAKE:
        s.sealed[seat] = action
        if mark_acted_is_last(s, seat):
            flip_opening_pairs(s)
    elif action < Act.DRAW:
        replace_cell_card_and_end_turn(s, seat, action - Act.TAKE, top_discard_slot(s))
    elif action == Act.DRAW:
        draw(s, seat)
    elif action < Act.THROW:
        replace_cell_card_and_end_turn(s, seat, action - Act.KEEP, DRAWN_SLOT)
    elif action < Act.REMOVE:
        cell = action - Act.THROW
        remove_drawn_from_recycled(s)
        s.last_out = number(s, DRAWN_SLOT)
        discard(s, DRAWN_SLOT)
        flip_up(s, seat, cell)
        remove_if_complete_and_end_turn(s, seat, cell)
    elif action < Act.CONTINUE:
        if action == Act.REMOVE:
            remove_column(s, seat, s.column)
        end_turn(s, seat)
    elif mark_acted_is_last(s, seat):
        s.dealer = next_seat(s, s.dealer)
        deal_round(s, np.empty(0, np.int64))


@rule
def draw(s: DetectPosition, seat: int) -> None:
    """Move the top card of the draw pile to the slot of the drawn card. Only the seat that draws knows it (DET-12).

    If the draw pile is empty, the discards are shuffled into a new one first.
    """
    if s.draw_count == 0:
        rebuild_draw_pile(s)
    s.draw_count -= 1
    move(s, STOCK + s.draw_count, DRAWN_SLOT, 1 << seat)
    s.phase = Phase.DRAWN


@rule
def remove_drawn_from_recycled(s: DetectPosition) -> None:
    """Subtract the drawn card from `recycled` (counts of cards in a rebuilt draw pile), because it is placed or
    discarded now.

    Do nothing if the draw pile was not rebuilt in this round.
    """
    if s.rebuilt == 1 and s.card[DRAWN_SLOT] < KINDS:
        s.recycled[s.card[DRAWN_SLOT]] -= 1


@rule
def replace_cell_card_and_end_turn(s: DetectPosition, seat: int, cell: int, source: int) -> None:
    """Replace the card in a cell with the card from the slot `source`: the top discard or the drawn card.

    The new card is face up. The replaced card goes onto the discard pile.
    """
    slot = seat * CELLS + cell
    s.last_out = number(s, slot)
    kind = s.card[source]
    if source == DRAWN_SLOT:
        remove_drawn_from_recycled(s)
        clear_slot_publicly(s, DRAWN_SLOT)
    else:
        # The taken card leaves the discard pile before the replaced card is put there.
        s.discard_count -= 1
    discard(s, slot)
    put(s, slot, kind, EVERYONE)
    s.up[seat] |= 1 << cell
    remove_if_complete_and_end_turn(s, seat, cell)


@rule
def remove_if_complete_and_end_turn(s: DetectPosition, seat: int, cell: int) -> None:
    """If the column of a changed cell is complete (three equal face-up cards), remove it. Then end the turn.

    Other columns need no check, because only this one has changed. With ``set_optional=yes`` a complete column is not
    removed here, and the turn does not end yet: the owner decides first (DET-6).
    """
    column = cell // ROWS
    if is_complete_column(s, seat, column):
        if s.opt.set_optional == info.SetOptional.YES:  # DET-6: the owner decides
            s.column = column
            s.phase = Phase.SET
            return
        remove_column(s, seat, column)
    end_turn(s, seat)


@rule
def end_turn(s: DetectPosition, seat: int) -> None:
    """Count the turn, and give the next seat its turn or end the round.

    When a seat has no face-down card left, each other seat has one more turn, and then the round is over. The round is
    also over when all seats together have had the largest allowed number of turns.
    """
    s.column = -1
    s.turns += 1
    if s.ender < 0 and face_down_mask(s, seat) == 0:  # DET-9: removed cells count as face up
        s.ender = seat
    give_turn(s, next_seat(s, seat))
    capped = s.ender < 0 and s.turns >= s.most_turns * s.seats
    if s.ender == s.turn or capped:
        end_round(s)


# --- the end of a round -----------------------------------------------------------------------------------------------


@rule
def end_round(s: DetectPosition) -> None:
    """End the round: flip all cards face up, remove columns of equal cards, and score the round (rules 2.5).

    With ``set_on_final_reveal=no``, no columns are removed here (DET-8). With ``set_optional=yes``, only columns of a
    number above 0 are removed (DET-6). If the match is over after this round, end it.
    """
    for seat in range(s.seats):
        cells = face_down_mask(s, seat)
        for cell in range(CELLS):
            if cells >> cell & 1:
                flip_up(s, seat, cell)
        if s.opt.set_on_final_reveal == info.SetOnFinalReveal.YES:  # DET-8: equal columns are removed, too
            for column in range(COLUMNS):
                # A complete column that its owner has kept is removed now if it would cost points (DET-6).
                goes = s.opt.set_optional == info.SetOptional.NO or number(s, seat * CELLS + ROWS * column) > 0
                if goes and is_complete_column(s, seat, column):
                    remove_column(s, seat, column)
        s.score[seat] = s.raw[seat] = sum_of(s, seat, s.up[seat])
    if s.ender >= 0 and is_ender_penalised(s):
        s.score[s.ender] = doubled_score(s, s.ender)
    for seat in range(s.seats):
        s.total[seat] += s.score[seat]
    s.last_ender = s.ender
    s.phase = Phase.SCORING
    set_all_acting(s)
    end_match_if_over(s)


@rule
def is_ender_penalised(s: DetectPosition) -> bool:
    """Return whether another player has fewer points in this round than the seat that ended it.

    With ``ender_tie=doubled`` an equal number of points is enough (DET-10).
    """
    enough = s.raw[s.ender] + (s.opt.ender_tie == info.EnderTie.DOUBLED)
    lower = 0
    for seat in range(s.seats):
        lower += seat != s.ender and s.raw[seat] < enough
    return lower > 0


@rule
def doubled_score(s: DetectPosition, seat: int) -> int:
    """Return the points of a seat that is penalised for ending the round (`is_ender_penalised`, ruling DET-11).

    With ``double_scope=round_total`` the sum of its grid is doubled if it is above 0. With
    ``double_scope=positive_cards`` each card above 0 counts twice.
    """
    raw = s.raw[seat]
    if s.opt.double_scope == info.DoubleScope.ROUND_TOTAL:
        return 2 * raw if raw > 0 else raw
    positive = 0
    for cell in range(CELLS):
        if s.up[seat] >> cell & 1:
            positive += max(0, number(s, seat * CELLS + cell))
    return raw + positive


@rule
def end_match_if_over(s: DetectPosition) -> None:
    """End the match if a total has reached `GOAL`. On a small grid, end it after the first round.

    With ``tie=extra_round``, the match does not end while several seats share the lowest total: extra rounds are played
    (DET-14). A match that reaches `ROUND_CAP` rounds is abandoned.
    """
    highest, lowest = -INFINITE_POINTS, INFINITE_POINTS
    for seat in range(s.seats):
        highest = max(highest, s.total[seat])
        lowest = min(lowest, s.total[seat])
    shared = 0
    for seat in range(s.seats):
        shared += s.total[seat] == lowest
    if highest >= GOAL or s.playing_off == 1 or s.opt.grid == info.Grid.SMALL:
        if s.opt.tie == info.Tie.EXTRA_ROUND and shared > 1:
            s.playing_off = 1
        else:
            s.over = DECIDED
    if s.over == RUNNING and s.round_number >= ROUND_CAP:
        s.over = ABANDONED
    if s.over != RUNNING:
        s.acting = 0


@rule
def returns(s: DetectPosition, out: NDArray[np.float64]) -> None:
    """Write each seat's final score to `out`: minus its total, because the lowest total wins.

    In an abandoned match all scores are 0.
    """
    for seat in range(s.seats):
        out[seat] = 0.0 if s.over == ABANDONED else -float(s.total[seat])


# --- views and redeals ------------------------------------------------------------------------------------------------


@rule
def shown(s: DetectPosition, slot: int, viewer: int) -> bool:
    """Return whether the viewer, who knows the card in a slot, can also see it now (else the viewer must remember it).

    A slot is an index in `card`. All known cards are visible except the discards below the top one.
    """
    return slot < STOCK or slot <= top_discard_slot(s)


@rule
def mask_recalled(s: DetectPosition) -> None:
    """In a view, set the counts in `recycled` (cards of each kind in a rebuilt draw pile) to zero.

    Only players who remember all discards know these counts, so a view of what is visible now must not have them.
    """
    s.recycled[:] = 0


@rule
def pool(s: DetectPosition, slot: int) -> int:
    """Return the index of the pool (set of cards) from which an unknown card in a slot (index in `card`) comes.

    Pool 1 has the cards of a rebuilt draw pile, including the card drawn from it in this turn. Pool 0 has all other
    cards. Unknown cards in the grids have been there since the deal, before the draw pile was rebuilt. So they cannot
    come from pool 1.
    """
    return 1 if s.rebuilt == 1 and (slot == DRAWN_SLOT or STOCK <= slot < STOCK + s.draw_count) else 0


@rule
def pools(s: DetectPosition, counts: NDArray[np.int32]) -> None:
    """Write to ``counts[pool, kind]`` how many cards of each kind belong to each pool (set of cards, see `pool`).

    Pool 1 has the cards of a rebuilt draw pile, pool 0 all others.
    """
    for kind in range(KINDS):
        counts[1, kind] = s.recycled[kind]
        counts[0, kind] = s.opt.copies[kind] - s.recycled[kind]


RULES = RuleSet(
    record=DetectPosition,
    actions=ACTIONS,
    kinds=KINDS,
    deck=lambda seats, options: list(options.copies),
    check=check,
    deal=deal,
    legal=legal,
    apply=apply,
    returns=returns,
    shown=shown,
    mask_recalled=mask_recalled,
    pool=pool,
    pools=pools,
    pause=Act.CONTINUE,
    action_kinds=Act,
    choices=CHOICES,
)
