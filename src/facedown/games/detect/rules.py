"""The rules of Detect, compiled. Every ruling cited here (DET-…) is in ``docs/rules/detect.md``.

A grid has four columns of three; cell ``3 * column + row``, so that a column's cells stand side by side. In a smaller
grid (DET-17) the other cells are gone from the start.
"""

from __future__ import annotations

from enum import IntEnum
from itertools import combinations
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from facedown.core.actions import ActionKind, ActionParameter, ParametersByKind
from facedown.core.bit_masks import includes, mark_acted_is_last, next_seat, set_all_acting, set_only_acting
from facedown.core.field_types import Bits, ByKind, BySeat, BySlot, Card, Number, OneOf, Seat, SlotGroup, Unobserved
from facedown.core.hidden_cards import clear, move, put
from facedown.core.options import OptionError
from facedown.core.random_numbers import below, generator, seat_by_chance, shuffle, stack_deck
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

# --- slots: the grids, the drawn card, and the stock, which holds the draw pile from its low end up (its top last) and
# the discard pile from its high end down (its top lowest): together they never outgrow the deck.
DRAWN_SLOT = MAX_SEATS * CELLS
STOCK = DRAWN_SLOT + 1
SLOTS = STOCK + MAX_CARDS
PARTS = (
    SlotGroup("grid", 0, CELLS, by_seat=CELLS),
    SlotGroup("drawn card", DRAWN_SLOT, 1),
    SlotGroup("stock: the draw pile from its low end, the discard pile from its high end", STOCK, MAX_CARDS),
)

#: The pairs of cells that a player may turn up at the start.
PAIRS = np.array(list(combinations(range(CELLS), 2)), np.int64)


class Phase(IntEnum):
    """What a round is at."""

    OPENING = 0
    TURN = 1
    DRAWN = 2
    SET = 3
    SCORING = 4


#: Cells as sets, a bit each: those of each pair, and each by itself.
TWO_CELLS = ActionParameter("cells", [1 << int(a) | 1 << int(b) for a, b in PAIRS], Bits(CELLS))
ONE_CELL = ActionParameter("cells", [1 << cell for cell in range(CELLS)], Bits(CELLS))


class Act(ActionKind):
    """The kinds of actions; added is the number of a pair (`PAIRS`) or a cell."""

    OPEN_PAIR = 0
    """Plus the number of a pair: turn these two cells up at the start."""
    TAKE = OPEN_PAIR + len(PAIRS)
    """Plus a cell: take the top discard in its place."""
    DRAW = TAKE + CELLS
    """Draw the top card of the draw pile."""
    KEEP = DRAW + 1
    """Plus a cell: lay the drawn card in its place."""
    THROW = KEEP + CELLS
    """Plus a face-down cell: throw the drawn card away and turn this one up."""
    REMOVE = THROW + CELLS
    """Take the column of three equal cards away."""
    LEAVE = REMOVE + 1
    """Leave it."""
    CONTINUE = LEAVE + 1
    """Go on to the next round."""


CHOICES: ParametersByKind = {
    Act.OPEN_PAIR: (TWO_CELLS,),
    Act.TAKE: (ONE_CELL,),
    Act.KEEP: (ONE_CELL,),
    Act.THROW: (ONE_CELL,),
}
ACTIONS = Act.CONTINUE + 1
GOAL = 100
#: Guards against endless play (rules 2.8): turns a player in a round, rounds in a match.
TURN_CAP = 200
ROUND_CAP = 100
#: More than any score can be.
FAR = 32_000


class DetectPosition(Position):
    """A match of Detect. Slots: 12 for each seat's grid, the drawn card, the stock."""

    opt: info.DetectOptions
    rebuilt: Annotated[I1, OneOf(2)]
    """Was the draw pile rebuilt from discards this round (rules 2.6)?"""
    recycled: Annotated[Ints, "i2", (KINDS,), ByKind(Number(0, MAX_CARDS))]
    """The kinds that are in the rebuilt draw pile or were drawn from it and not yet laid: public by recall."""
    draw_count: Annotated[I2, Number(0, MAX_CARDS)]
    """Cards on the draw pile: they lie in the first slots of the stock, its top last."""
    discard_count: Annotated[I2, Number(0, MAX_CARDS)]
    """Cards on the discard pile: they lie in the last slots of the stock, its top lowest."""
    phase: Annotated[I1, OneOf(len(Phase))]
    """Which `Phase` the round is at."""
    turn: Annotated[I1, Seat()]
    """Whose turn it is."""
    dealer: Annotated[I1, Seat()]
    """Who has dealt this round."""
    ender: Annotated[I1, Seat()]
    """Who has ended the round by turning up the last card, or -1."""
    last_ender: Annotated[I1, Seat()]
    """Who ended the round before, or -1."""
    column: Annotated[I1, OneOf(COLUMNS)]
    """In `Phase.SET`: the column its owner decides about."""
    playing_off: Annotated[I1, OneOf(2)]
    """Totals tied at the end, extra rounds are played (DET-14)."""
    rows: Annotated[I1, Unobserved("it follows from the options")]
    """The cells of a column: its first ones, where they are fewer than `ROWS`."""
    outside: Annotated[I2, Unobserved("it follows from the options")]
    """The mask of the cells that the grid does not have."""
    most_turns: Annotated[I2, Unobserved("it follows from the options")]
    """So many turns a player may be taken in a round."""
    round_number: Annotated[I2, Number(0, ROUND_CAP)]
    """The number of the round, from 1."""
    turns: Annotated[I2, Number(0, TURN_CAP * MAX_SEATS)]
    """How many turns were taken in this round."""
    up: Annotated[Ints, "i2", (MAX_SEATS,), BySeat(Bits(CELLS))]
    """The cells of each grid that are face up, as bits."""
    gone: Annotated[Ints, "i2", (MAX_SEATS,), BySeat(Bits(CELLS))]
    """The cells of each grid whose cards were taken away, as bits."""
    raw: Annotated[Ints, "i2", (MAX_SEATS,), BySeat(Number(-2 * CELLS, GOAL))]
    """Of the round scored last: the sum of each grid, before any doubling."""
    score: Annotated[Ints, "i2", (MAX_SEATS,), BySeat(Number(-2 * CELLS, 2 * GOAL))]
    """Of the round scored last: what it adds to each total."""
    total: Annotated[Ints, "i2", (MAX_SEATS,), BySeat(Number(-GOAL, 2 * GOAL))]
    """The points of each seat in all rounds so far: the fewest win."""
    last_seat: Annotated[I1, Seat()]
    """Who took the last action, or -1."""
    last_column: Annotated[I1, OneOf(COLUMNS)]
    """The column that the last action removed, or -1."""
    last_number: Annotated[I2, Number(LOWEST, LOWEST + KINDS - 1)]
    """The number of the cards in that column."""
    last_out: Annotated[I2, Number(LOWEST, LOWEST + KINDS - 1)]
    """The number that the last exchange or throw put on the discard pile (all saw it land there)."""
    card: Annotated[Ints, "i1", (SLOTS,), BySlot(Card(KINDS), *PARTS)]
    known: Annotated[Ints, "i2", (SLOTS,), Unobserved("it follows from what lies open, and from who drew")]


def check(seats: int, options: info.DetectOptions) -> None:
    """Raise `OptionError` if a match cannot be set up like this (DET-1: the deck must last)."""
    cards = sum(options.copies)
    cells = CELLS if options.grid == info.Grid.FULL else options.rows * options.columns
    if cards < (need := cells * seats + 2):
        wrong = N_("the deck has {cards} cards, {seats} players need at least {need}")
        raise OptionError(_(wrong, cards=cards, seats=seats, need=need), "deck")


# --- dealing --------------------------------------------------------------------------------------------------------


@rule
def deal(s: DetectPosition, deck: NDArray[np.int64], first: int) -> None:
    """Deal the first round; `first` is the dealer, or -1 for chance."""
    s.last_ender = -1
    s.rows = ROWS
    s.most_turns = TURN_CAP
    if s.opt.grid == info.Grid.SMALL:  # DET-17
        s.rows = s.opt.rows
        s.most_turns = s.opt.most_turns
        for cell in range(CELLS):
            if cell % ROWS >= s.opt.rows or cell // ROWS >= s.opt.columns:
                s.outside |= 1 << cell
    s.dealer = seat_by_chance(s, first)
    deal_round(s, deck)


@rule
def deal_round(s: DetectPosition, deck: NDArray[np.int64]) -> None:
    """Shuffle everything and deal a round (rules 2.3); `deck` may name the first cards from the top."""
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
        # Whole grids, the dealer's left first, column by column.
        seat = next_seat(s, seat)
        for cell in range(CELLS):
            if not s.outside >> cell & 1:
                put(s, seat * CELLS + cell, cards[at], 0)
                at += 1
        s.up[seat] = 0
        s.gone[seat] = s.outside
    fill_draw_pile(s, cards[at:n])
    s.discard_count = 0
    if s.opt.initial_discard == info.InitialDiscard.TURN_ONE:  # DET-2
        s.draw_count -= 1
        discard(s, STOCK + s.draw_count)
    s.rebuilt = 0
    mask_recalled(s)
    s.round_number += 1
    s.turns = 0
    s.ender = s.column = s.last_seat = s.last_column = -1
    s.phase = Phase.OPENING
    set_all_acting(s)
    if s.opt.opening_pick == info.OpeningPick.RANDOM:  # DET-3
        pairs = np.empty(len(PAIRS), np.int32)
        there = write_opening_actions(s, pairs)
        for seat in range(s.seats):
            s.sealed[seat] = pairs[below(g, there)]
        flip_opening_pairs(s)


@rule
def fill_draw_pile(s: DetectPosition, cards: NDArray[np.int64]) -> None:
    """Lay these cards face down on the empty draw pile, the first one on top."""
    s.draw_count = len(cards)
    for i in range(len(cards)):
        put(s, STOCK + i, cards[len(cards) - 1 - i], 0)


@rule
def expand_copies(copies: Ints, cards: NDArray[np.int64]) -> int:
    """Write so many cards of each kind, kind by kind; return how many they are."""
    n = 0
    for kind in range(KINDS):
        for i in range(n, n + copies[kind]):
            cards[i] = kind
        n += copies[kind]
    return n


@rule
def flip_opening_pairs(s: DetectPosition) -> None:
    """All have picked their two cells: turn them up and find who starts."""
    for seat in range(s.seats):
        for cell in PAIRS[s.sealed[seat] - Act.OPEN_PAIR]:
            turn_up(s, seat, cell)
        s.sealed[seat] = OPEN
    give_turn(s, starter(s))


@rule
def give_turn(s: DetectPosition, seat: int) -> None:
    """It is this seat's turn."""
    s.phase = Phase.TURN
    s.turn = seat
    set_only_acting(s, seat)


@rule
def starter(s: DetectPosition) -> int:
    """Highest sum of the two opened cards; of those tied the first from the dealer's left (DET-4)."""
    if s.opt.later_start == info.LaterStart.ENDER and s.last_ender >= 0:
        return s.last_ender
    best, best_sum = -1, -FAR
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
    """The number on the card in a slot."""
    return s.card[slot] + LOWEST


@rule
def sum_of(s: DetectPosition, seat: int, cells: int) -> int:
    """The sum of the numbers in a mask of cells."""
    total = 0
    for cell in range(CELLS):
        if cells >> cell & 1:
            total += number(s, seat * CELLS + cell)
    return total


@rule
def face_down_mask(s: DetectPosition, seat: int) -> int:
    """The mask of a seat's face-down cells."""
    return ALL_CELLS & ~(s.up[seat] | s.gone[seat])


@rule
def turn_up(s: DetectPosition, seat: int, cell: int) -> None:
    """Turn a cell up for all to see."""
    s.up[seat] |= 1 << cell
    s.known[seat * CELLS + cell] = EVERYONE


@rule
def top_discard_slot(s: DetectPosition) -> int:
    """The slot of the top card of the discard pile."""
    return SLOTS - s.discard_count


@rule
def discard(s: DetectPosition, slot: int) -> None:
    """Put the card of a slot face up on the discard pile."""
    s.discard_count += 1
    move(s, slot, top_discard_slot(s), EVERYONE)


@rule
def is_complete_column(s: DetectPosition, seat: int, column: int) -> bool:
    """Are all the column's cells face up with the same number (DET-5: columns only)?"""
    first = ROWS * column
    slot = seat * CELLS + first
    hidden = COLUMN_MASK & ~(s.up[seat] | s.outside) >> first
    card = s.card[slot]
    # One question of three: each is nearly always answered no, and hidden cards make branches hard to predict.
    differ = card ^ s.card[slot + 1] | card ^ s.card[slot + s.rows - 1]
    return hidden | differ == 0


@rule
def remove(s: DetectPosition, seat: int, column: int) -> None:
    """Take a set away: its cards go on top of the discard pile (DET-7)."""
    first = ROWS * column
    s.last_column = column
    s.last_number = number(s, seat * CELLS + first)
    for cell in range(first, first + s.rows):
        discard(s, seat * CELLS + cell)
    s.up[seat] &= ~(COLUMN_MASK << first) & ALL_CELLS
    s.gone[seat] |= COLUMN_MASK << first


@rule
def rebuild_draw_pile(s: DetectPosition) -> None:
    """Keep the top discard, shuffle the rest into a new draw pile (rules 2.6)."""
    top = s.card[top_discard_slot(s)]
    mask_recalled(s)
    for slot in range(top_discard_slot(s) + 1, SLOTS):
        s.recycled[s.card[slot]] += 1
    s.card[top_discard_slot(s) :] = EMPTY
    # Kind by kind: the order before the shuffle must not matter, for a view does not show it.
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
    """Write the legal actions of a seat, ascending; return how many there are."""
    if not includes(s.acting, seat):
        return 0
    if s.phase == Phase.OPENING:
        return write_opening_actions(s, out)
    if s.phase == Phase.TURN:
        n = write_remaining_cell_actions(s, out, Act.TAKE, s.gone[seat]) if s.discard_count > 0 else 0
        out[n] = Act.DRAW
        return n + 1
    if s.phase == Phase.DRAWN:
        n = write_remaining_cell_actions(s, out, Act.KEEP, s.gone[seat])
        return append_cell_actions(out, n, Act.THROW, face_down_mask(s, seat))
    if s.phase == Phase.SET:
        out[0] = Act.REMOVE
        out[1] = Act.LEAVE
        return 2
    out[0] = Act.CONTINUE
    return 1


@rule
def write_opening_actions(s: DetectPosition, out: NDArray[np.int32]) -> int:
    """Write the openings of two cells that the grid has; return how many there are."""
    n = 0
    for i in range(len(PAIRS)):
        out[n] = Act.OPEN_PAIR + i
        n += 1 - ((s.outside >> PAIRS[i, 0] | s.outside >> PAIRS[i, 1]) & 1)
    return n


@rule
def write_remaining_cell_actions(s: DetectPosition, out: NDArray[np.int32], action: int, gone: int) -> int:
    """Write ``action + cell`` for each cell that is not gone; return how many there are."""
    n = 0
    for column in range(COLUMNS):
        # Columns go whole. Written always, counted if it is there: a branch would be hard to predict.
        for row in range(ROWS):
            out[n + row] = action + ROWS * column + row
        n += s.rows * (1 - (gone >> ROWS * column & 1))
    return n


@rule
def append_cell_actions(out: NDArray[np.int32], n: int, action: int, cells: int) -> int:
    """Append ``action + cell`` for each cell of a mask; return the new count."""
    for cell in range(CELLS):
        # Written always, counted if it is one: hidden cards make a branch here hard to predict.
        out[n] = action + cell
        n += cells >> cell & 1
    return n


# --- playing ---------------------------------------------------------------------------------------------------------


@rule
def apply(s: DetectPosition, seat: int, action: int) -> None:
    """Play a legal action."""
    s.last_seat = seat
    s.last_column = -1
    if action < Act.TAKE:
        s.sealed[seat] = action
        if mark_acted_is_last(s, seat):
            flip_opening_pairs(s)
    elif action < Act.DRAW:
        exchange(s, seat, action - Act.TAKE, top_discard_slot(s))
    elif action == Act.DRAW:
        draw(s, seat)
    elif action < Act.THROW:
        exchange(s, seat, action - Act.KEEP, DRAWN_SLOT)
    elif action < Act.REMOVE:
        cell = action - Act.THROW
        remove_drawn_from_pool(s)
        s.last_out = number(s, DRAWN_SLOT)
        discard(s, DRAWN_SLOT)
        turn_up(s, seat, cell)
        check_changed_column(s, seat, cell)
    elif action < Act.CONTINUE:
        if action == Act.REMOVE:
            remove(s, seat, s.column)
        end_turn(s, seat)
    elif mark_acted_is_last(s, seat):
        s.dealer = next_seat(s, s.dealer)
        deal_round(s, np.empty(0, np.int64))


@rule
def draw(s: DetectPosition, seat: int) -> None:
    """Look at the top card of the draw pile (DET-12: the drawer alone)."""
    if s.draw_count == 0:
        rebuild_draw_pile(s)
    s.draw_count -= 1
    move(s, STOCK + s.draw_count, DRAWN_SLOT, 1 << seat)
    s.phase = Phase.DRAWN


@rule
def remove_drawn_from_pool(s: DetectPosition) -> None:
    """The drawn card comes to lie open: it leaves the pool it was drawn from."""
    if s.rebuilt == 1 and s.card[DRAWN_SLOT] < KINDS:
        s.recycled[s.card[DRAWN_SLOT]] -= 1


@rule
def exchange(s: DetectPosition, seat: int, cell: int, source: int) -> None:
    """The card at `source` (top discard or drawn) goes face up into the cell, the cell's card on the discard pile."""
    slot = seat * CELLS + cell
    s.last_out = number(s, slot)
    kind = s.card[source]
    if source == DRAWN_SLOT:
        remove_drawn_from_pool(s)
        clear(s, DRAWN_SLOT)
    else:
        # The taken card leaves the pile before the other lands on it.
        s.discard_count -= 1
    discard(s, slot)
    put(s, slot, kind, EVERYONE)
    s.up[seat] |= 1 << cell
    check_changed_column(s, seat, cell)


@rule
def check_changed_column(s: DetectPosition, seat: int, cell: int) -> None:
    """SET CHECK on the changed cell's column: no other can have become complete."""
    column = cell // ROWS
    if is_complete_column(s, seat, column):
        if s.opt.set_optional == info.SetOptional.YES:  # DET-6: its owner decides
            s.column = column
            s.phase = Phase.SET
            return
        remove(s, seat, column)
    end_turn(s, seat)


@rule
def end_turn(s: DetectPosition, seat: int) -> None:
    """END CHECK and the next player; the round ends when the turn would come back to the ender."""
    s.column = -1
    s.turns += 1
    if s.ender < 0 and face_down_mask(s, seat) == 0:  # DET-9: removed cells count as revealed
        s.ender = seat
    give_turn(s, next_seat(s, seat))
    capped = s.ender < 0 and s.turns >= s.most_turns * s.seats
    if s.ender == s.turn or capped:
        end_round(s)


# --- the end of a round -----------------------------------------------------------------------------------------------


@rule
def end_round(s: DetectPosition) -> None:
    """Turn everything up, take the last sets away, score, and see whether the match is over (rules 2.5)."""
    for seat in range(s.seats):
        cells = face_down_mask(s, seat)
        for cell in range(CELLS):
            if cells >> cell & 1:
                turn_up(s, seat, cell)
        if s.opt.set_on_final_reveal == info.SetOnFinalReveal.YES:  # DET-8
            for column in range(COLUMNS):
                # A set its owner left is complete, too: it goes now if it costs points (DET-6).
                goes = s.opt.set_optional == info.SetOptional.NO or number(s, seat * CELLS + ROWS * column) > 0
                if goes and is_complete_column(s, seat, column):
                    remove(s, seat, column)
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
    """Has somebody fewer points than the ender (or as few, with ``ender_tie=doubled``; DET-10)?"""
    enough = s.raw[s.ender] + (s.opt.ender_tie == info.EnderTie.DOUBLED)
    lower = 0
    for seat in range(s.seats):
        lower += seat != s.ender and s.raw[seat] < enough
    return lower > 0


@rule
def doubled_score(s: DetectPosition, seat: int) -> int:
    """The penalty (DET-11): twice a total above zero, or twice the cards above zero."""
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
    """Over when a total has reached 100, unless a shared lowest total is played off (DET-14)."""
    highest, lowest = -FAR, FAR
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
    """Each seat's total, negated: higher is better. Nobody wins an abandoned match: all zero."""
    for seat in range(s.seats):
        out[seat] = 0.0 if s.over == ABANDONED else -float(s.total[seat])


# --- what is seen, and the worlds that fit it -------------------------------------------------------------------------


@rule
def shown(s: DetectPosition, slot: int, viewer: int) -> bool:
    """Everything known lies open but the discards below the top."""
    return slot < STOCK or slot <= top_discard_slot(s)


@rule
def mask_recalled(s: DetectPosition) -> None:
    """Blank what only a good memory knows: the kinds in a rebuilt draw pile."""
    s.recycled[:] = 0


@rule
def pool(s: DetectPosition, slot: int) -> int:
    """Cards of a rebuilt draw pile cannot be under a cell that was dealt before: they are a pool of their own."""
    return 1 if s.rebuilt == 1 and (slot == DRAWN_SLOT or STOCK <= slot < STOCK + s.draw_count) else 0


@rule
def pools(s: DetectPosition, counts: NDArray[np.int32]) -> None:
    """All cards are in pool 0, but for those shuffled anew in this round."""
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
