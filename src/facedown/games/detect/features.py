"""Detect as a network is told of it: columns, and the card in question.

A column is a multiset: its cells are told in the order of their numbers, face-down ones last. The items are the four
columns of the seat itself and those of the next player, who gets what it throws away; the other players are told by
what their grids cost. A card in question is the top discard, or the one just drawn.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facedown.core.features import NO_MOVE, Features, Layout, byte, numbered
from facedown.core.masks import count_bits, following, includes, is_single
from facedown.core.rule import rule
from facedown.core.slots import knows
from facedown.core.state import EMPTY, Floats, Ints, View, record
from facedown.games.detect.cards import KINDS, LOWEST, STANDARD, kind_of
from facedown.games.detect.info import INFO
from facedown.games.detect.policy import (
    BACK,
    best_place,
    column_cost,
    drawing,
    ending,
    grid_cost,
    lowest_other,
    open_kind,
    throwing,
    unseen,
)
from facedown.games.detect.rules import (
    CELLS,
    COLUMNS,
    HAND,
    ROWS,
    STOCK,
    Act,
    DetectPosition,
    Phase,
    face_down,
    number,
    sum_of,
    top_discard,
)

#: The kinds of the standard deck: the network knows no others.
FIRST = kind_of(min(STANDARD))
NUMBERS = max(STANDARD) - min(STANDARD) + 1
#: The other players beside the next one.
OTHERS = 6
#: The critic is told so many cards of the draw pile.
COMING = 8
#: A round won by so many points against the mean of the others is worth 1 in training.
WORTH = 20.0
#: The first cell of each column, as a mask: columns go whole.
FIRST_CELLS = sum(1 << first for first in range(0, CELLS, ROWS))
#: Sorts face-down cells behind all numbers.
BEHIND = KINDS
#: The openings that differ: two cells of one column, or of two.
SAME_COLUMN = 0
TWO_COLUMNS = 2

_LOW = min(STANDARD)
_PLACES = ("low", "middle", "high")

LAYOUT = Layout(
    table=(
        *("opening", "turn", "drawn", "setting aside"),
        *numbered("card in question", NUMBERS, _LOW),
        *("its number", "none in question"),
        *numbered("unseen", NUMBERS, _LOW),
        *("unseen mean", "draw pile", "pile rebuilt"),
        *("round is ending", "next ended it", "turns left", "players", "turns"),
        *numbered("own backs", 5),
        *("own backs", "own columns"),
        *("own cost", "next cost", "lowest other", "mean of others", "ender's cost", "lead", "lead on next"),
        *("next wants it", "others want it"),
        *("saved by it", "by a new card", "by ending"),
        *(f"{what} of {place}" for place in range(2, 2 + OTHERS) for what in ("seat", "backs", "cost")),
        *("next backs", "fewest backs"),
    ),
    item=(
        *("there", "own"),
        *(f"{place} is {what}" for what in ("a back", "worth") for place in _PLACES),
        *numbered("one", NUMBERS, _LOW),
        *numbered("two", NUMBERS, _LOW),
        *("open", "cost"),
        *(f"{what} at {place}" for what in ("saves", "completes", "feeds", "ends") for place in _PLACES),
        *("throw ends", "pair", "pair unseen", "pair number", "equals", "best unseen"),
    ),
    groups=(0,) * COLUMNS + (1,) * COLUMNS,
    pointed=COLUMNS,
    item_outputs=(*(f"to {place}" for place in _PLACES), "turn up"),
    outputs=("draw", "open one column", "open two columns", "remove", "leave"),
    secret_table=(*numbered("coming", COMING), *("true own", "true next", "true lowest", "true mean")),
    secret_item=(*(f"{place} hides" for place in _PLACES), *numbered("hidden", NUMBERS, _LOW), "true sum", "true set"),
)
TABLE = len(LAYOUT.table)
ITEM = len(LAYOUT.item)
SIZE = LAYOUT.size
OWN_OUTPUTS = len(LAYOUT.item_outputs)
DRAW = COLUMNS * OWN_OUTPUTS
SECRET_TABLE = len(LAYOUT.secret_table)
SECRET_ITEM = len(LAYOUT.secret_item)
SECRET_SIZE = LAYOUT.secret_size
MOVES = LAYOUT.moves


@rule
def in_question(s: DetectPosition, seat: int) -> int:
    """The kind of the card that the seat may place now, or `BACK`: there is none, or it is not known."""
    if s.phase == Phase.DRAWN:
        return s.card[HAND] if knows(s, HAND, seat) and s.card[HAND] != EMPTY else BACK
    return s.card[top_discard(s)] if s.discard_count > 0 else BACK


@rule
def in_order(s: DetectPosition, owner: int, column: int) -> tuple[int, int, int]:
    """The cells of a column in the order of their open numbers, face-down ones last, equal ones as they lie."""
    a = ROWS * column
    b, c = a + 1, a + 2
    if sorting(s, owner, b) < sorting(s, owner, a):
        a, b = b, a
    if sorting(s, owner, c) < sorting(s, owner, b):
        b, c = c, b
        if sorting(s, owner, b) < sorting(s, owner, a):
            a, b = b, a
    return a, b, c


@rule
def sorting(s: DetectPosition, owner: int, cell: int) -> int:
    """What cells are sorted by."""
    kind = open_kind(s, owner, cell)
    return BEHIND if kind == BACK else kind


@rule
def wanted(s: DetectPosition, owner: int, kind: int) -> int:
    """How many cards of this kind lie open together in the fullest column of a player: 0, 1 or 2."""
    most = 0
    for first in range(0, CELLS, ROWS):
        if s.gone[owner] >> first & 1 == 0:
            equal = 0
            for cell in range(first, first + ROWS):
                equal += open_kind(s, owner, cell) == kind
            most = max(most, equal)
    return most


# --- what the seat knows ----------------------------------------------------------------------------------------------


@rule
def write(s: DetectPosition, seat: int, out: NDArray[np.int8]) -> None:
    """Write the features of the seat that is to act."""
    out[:SIZE] = 0
    left = np.empty(KINDS + 1, np.int64)
    mean = unseen(s, seat, left)
    card = in_question(s, seat)
    table_of(s, seat, card, mean, left, out)
    for item in range(2 * COLUMNS):
        column_of(s, seat, item, card, mean, left, out)


@rule
def table_of(s: DetectPosition, seat: int, card: int, mean: float, left: Ints, out: NDArray[np.int8]) -> None:
    """Write the features of the table."""
    if s.phase < Phase.SCORING:
        out[s.phase] = 32
    at = 4
    if card == BACK:
        out[at + NUMBERS + 1] = 32
    else:
        if FIRST <= card < FIRST + NUMBERS:
            out[at + card - FIRST] = 32
        out[at + NUMBERS] = byte((card + LOWEST) / 8.0)
    at += NUMBERS + 2
    share = 10.0 / max(1, left[KINDS])
    for i in range(NUMBERS):
        out[at + i] = byte(share * left[FIRST + i])
    at += NUMBERS
    after = following(s, seat)
    out[at] = byte(mean / 8.0)
    out[at + 1] = byte(s.draw_count / 64.0)
    out[at + 2] = 32 * s.rebuilt
    ender = s.ender
    if ender >= 0:
        out[at + 3] = 32
        out[at + 4] = 32 if ender == after else 0
        out[at + 5] = byte((ender - seat if ender > seat else ender - seat + s.seats) / 4.0)
    out[at + 6] = byte(s.seats / 4.0)
    out[at + 7] = byte(s.turns / (16.0 * s.seats))
    at += 8
    backs = backs_of(s, seat)
    out[at + min(4, backs)] = 32
    out[at + 5] = byte(backs / 4.0)
    out[at + 6] = byte(count_bits(FIRST_CELLS & ~s.gone[seat]) / 4.0)
    at += 7
    costs_of(s, seat, mean, out, at)
    at += 7
    if card != BACK:
        out[at] = 16 * wanted(s, after, card)
        most = 0
        for other in range(s.seats):
            if other not in (seat, after):
                most = max(most, wanted(s, other, card))
        out[at + 1] = 16 * most
    if s.phase in (Phase.TURN, Phase.DRAWN):
        if card != BACK:
            out[at + 2] = byte(best_place(s, seat, card, mean, left)[1] / 8.0)
        out[at + 3] = byte(drawing(s, seat, mean, left) / 8.0)
        out[at + 4] = byte(throwing(s, seat, mean) / 8.0)
    at += 5
    end = at + 3 * OTHERS
    fewest = backs_of(s, after)
    out[end] = byte(fewest / 4.0)
    other = after
    for _place in range(2, s.seats):
        other = following(s, other)
        fewest = min(fewest, backs_of(s, other))
        out[at] = 32
        out[at + 1] = byte(backs_of(s, other) / 4.0)
        out[at + 2] = byte(grid_cost(s, other, mean) / 32.0)
        at += 3
    out[end + 1] = byte(fewest / 4.0)


@rule
def costs_of(s: DetectPosition, seat: int, mean: float, out: NDArray[np.int8], at: int) -> None:
    """Write what the grids cost as they lie."""
    mine = grid_cost(s, seat, mean)
    after = grid_cost(s, following(s, seat), mean)
    total, lowest = 0.0, 1e9
    for other in range(s.seats):
        if other != seat:
            cost = grid_cost(s, other, mean)
            total += cost
            lowest = min(lowest, cost)
    out[at] = byte(mine / 32.0)
    out[at + 1] = byte(after / 32.0)
    out[at + 2] = byte(lowest / 32.0)
    out[at + 3] = byte(total / (32.0 * (s.seats - 1)))
    if s.ender >= 0:
        out[at + 4] = byte(grid_cost(s, s.ender, mean) / 32.0)
    out[at + 5] = byte((lowest - mine) / 16.0)
    out[at + 6] = byte((after - mine) / 16.0)


@rule
def backs_of(s: DetectPosition, seat: int) -> int:
    """How many face-down cards a seat has."""
    return count_bits(face_down(s, seat))


@rule
def owner_of(s: DetectPosition, seat: int, item: int) -> int:
    """Whose column an item is: the first ones are the seat's own, then come those of the next player."""
    return seat if item < COLUMNS else following(s, seat)


@rule
def column_of(
    s: DetectPosition, seat: int, item: int, card: int, mean: float, left: Ints, out: NDArray[np.int8]
) -> None:
    """Write the features of a column of the seat itself, or of the next player; nothing if it is gone."""
    owner, column = owner_of(s, seat, item), item % COLUMNS
    if s.gone[owner] >> ROWS * column & 1:
        return
    at = TABLE + item * ITEM
    out[at] = 32
    out[at + 1] = 32 if owner == seat else 0
    cells = in_order(s, owner, column)
    x = open_kind(s, owner, cells[0])
    y = open_kind(s, owner, cells[1])
    z = open_kind(s, owner, cells[2])
    cost = column_cost(s, x, y, z, mean, left)
    after = following(s, seat)
    down = face_down(s, owner)
    last = s.ender < 0 and is_single(down)
    counts = at + 2 + 2 * ROWS
    places = counts + 2 * NUMBERS + 2
    up, equals, pair, hope = 0, 0, BACK, 0
    for row in range(ROWS):
        kind = x if row == 0 else y if row == 1 else z
        one = y if row == 0 else x
        two = y if row == 2 else z
        if kind == BACK:
            out[at + 2 + row] = 32
        else:
            up += 1
            equals += kind == card
            hope = max(hope, left[kind])
            out[at + 2 + ROWS + row] = byte((kind + LOWEST) / 8.0)
            if kind in (one, two):
                pair = kind
            if FIRST <= kind < FIRST + NUMBERS:
                place = counts + kind - FIRST
                if out[place] != 0:
                    out[place + NUMBERS] = 32
                out[place] = 32
            if owner == seat:
                out[places + 2 * ROWS + row] = 16 * wanted(s, after, kind)
        if card != BACK:
            saved = cost - column_cost(s, card, one, two, mean, left)
            if last and kind == BACK:
                out[places + 3 * ROWS + row] = 32
                if owner == seat:
                    saved += ending(grid_cost(s, seat, mean) - saved, lowest_other(s, seat, mean))
            out[places + row] = byte(saved / 8.0)
            if one == two and one == card:
                out[places + ROWS + row] = 32
    out[counts + 2 * NUMBERS] = 16 * up
    out[counts + 2 * NUMBERS + 1] = byte(cost / 16.0)
    at = places + 4 * ROWS
    out[at] = 32 if last and up < ROWS else 0
    unknown = max(1, left[KINDS])
    if pair != BACK:
        out[at + 1] = 32
        out[at + 2] = byte(10.0 * left[pair] / unknown)
        out[at + 3] = byte((pair + LOWEST) / 8.0)
    out[at + 4] = 16 * equals
    out[at + 5] = byte(10.0 * hope / unknown)


# --- the moves --------------------------------------------------------------------------------------------------------


@rule
def moves(s: DetectPosition, seat: int, out: NDArray[np.int32]) -> int:
    """Write the action of each output, or `NO_MOVE`; return how many are open."""
    out[:MOVES] = NO_MOVE
    if s.phase == Phase.SCORING or not includes(s.acting, seat):
        return 0
    if s.phase == Phase.OPENING:
        out[DRAW + 1] = Act.OPEN_PAIR + SAME_COLUMN
        out[DRAW + 2] = Act.OPEN_PAIR + TWO_COLUMNS
        return 2
    if s.phase == Phase.SET:
        out[DRAW + 3] = Act.REMOVE
        out[DRAW + 4] = Act.LEAVE
        return 2
    n = 0
    if s.phase == Phase.TURN:
        out[DRAW] = Act.DRAW
        n = 1
        if s.discard_count == 0:
            return n
    for column in range(COLUMNS):
        if s.gone[seat] >> ROWS * column & 1:
            continue
        cells = in_order(s, seat, column)
        base = OWN_OUTPUTS * column
        before = BEHIND + 1
        for row in range(ROWS):
            kind = sorting(s, seat, cells[row])
            # Of equal cells one is as good as the other.
            if kind != before:
                out[base + row] = (Act.TAKE if s.phase == Phase.TURN else Act.KEEP) + cells[row]
                n += 1
            before = kind
        if s.phase == Phase.DRAWN and before == BEHIND:
            out[base + ROWS] = Act.THROW + cells[ROWS - 1]
            n += 1
    return n


# --- what only a critic is told ---------------------------------------------------------------------------------------


@rule
def secrets(s: DetectPosition, seat: int, out: NDArray[np.int8]) -> None:
    """Write what lies face down in the grids, and the next cards of the draw pile."""
    out[:SECRET_SIZE] = 0
    for i in range(min(COMING, s.draw_count)):
        out[i] = byte(number(s, STOCK + s.draw_count - 1 - i) / 8.0)
    after = following(s, seat)
    total, lowest = 0, 1000
    for other in range(s.seats):
        if other != seat:
            points = sum_of(s, other, ~s.gone[other])
            total += points
            lowest = min(lowest, points)
    out[COMING] = byte(sum_of(s, seat, ~s.gone[seat]) / 32.0)
    out[COMING + 1] = byte(sum_of(s, after, ~s.gone[after]) / 32.0)
    out[COMING + 2] = byte(lowest / 32.0)
    out[COMING + 3] = byte(total / (32.0 * (s.seats - 1)))
    for item in range(2 * COLUMNS):
        hidden_in(s, seat, item, out)


@rule
def hidden_in(s: DetectPosition, seat: int, item: int, out: NDArray[np.int8]) -> None:
    """Write what the face-down cells of a column hide."""
    owner, column = owner_of(s, seat, item), item % COLUMNS
    if s.gone[owner] >> ROWS * column & 1:
        return
    at = SECRET_TABLE + item * SECRET_ITEM
    cells = in_order(s, owner, column)
    total = 0
    for row in range(ROWS):
        kind = s.card[owner * CELLS + cells[row]]
        total += kind + LOWEST
        if open_kind(s, owner, cells[row]) == BACK:
            out[at + row] = byte((kind + LOWEST) / 8.0)
            if FIRST <= kind < FIRST + NUMBERS:
                out[at + ROWS + kind - FIRST] += 16
    base = owner * CELLS + ROWS * column
    out[at + ROWS + NUMBERS] = byte(total / 16.0)
    out[at + ROWS + NUMBERS + 1] = 32 if s.card[base] == s.card[base + 1] == s.card[base + 2] else 0


@rule
def pay(s: DetectPosition, out: Floats) -> None:
    """The points of the others on average less one's own."""
    total = 0.0
    for seat in range(s.seats):
        total += s.score[seat]
    for seat in range(s.seats):
        out[seat] = ((total - s.score[seat]) / (s.seats - 1) - s.score[seat]) / WORTH


_USUAL = INFO.chosen(INFO.complete(INFO.seats[0], {}))


def suits(view: View) -> bool:
    """The usual deck and rules."""
    mine = record(view, DetectPosition).opt
    return bool(mine == _USUAL)


FEATURES = Features(LAYOUT, write, moves, secrets, pay, suits)
