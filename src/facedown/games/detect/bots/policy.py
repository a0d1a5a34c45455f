"""Greedy Detect: every place is worth its number, or what an unseen card is worth on average.

The average is taken over the cards that the seat has not seen. A column that gets complete is worth all it held; two
equal open cards are worth a little for the third that may come. Ending the round is good against higher grids and
costs the doubling against lower ones. Every figure is in points saved.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facedown.core.bit_masks import count_bits, is_single
from facedown.core.bot import Policy
from facedown.core.grammar import digits
from facedown.core.hidden_cards import knows
from facedown.core.language import decimal
from facedown.core.rule import rule
from facedown.core.state import EMPTY, Ints, View, record
from facedown.games.detect.cards import KINDS, LOWEST, number_of
from facedown.games.detect.i18n import N_, _
from facedown.games.detect.info import SetOptional
from facedown.games.detect.rules import (
    CELLS,
    COLUMN_MASK,
    DRAWN_SLOT,
    ROWS,
    SLOTS,
    Act,
    DetectPosition,
    Phase,
    face_down_mask,
    top_discard_slot,
)

#: How many more cards come by in a round, of which one may complete a pair; and the most such a hope is worth.
CARDS_TO_COME = 4.0
MAX_ARRIVAL_CHANCE = 0.4
#: What another player saves on average by the one turn they have left.
LAST_TURN_SAVING = 3.0
#: Over so many points between two grids the risk of the doubling goes from certain to none.
RISK_RANGE = 8.0
#: The share of a lead that is won by ending the round before others catch up.
LEAD_SHARE = 0.25
#: The two cells turned up at the start: two columns, so that each may find its own pair (if there are two).
FIRST_PAIR = 2
NO_VALUE = -1e9
#: In place of a kind: a face-down card, and no card at all, where columns are of two (DET-17).
BACK = -1
NO_CARD = -2


@rule
def unseen_mean_and_counts(s: DetectPosition, seat: int, left: Ints) -> float:
    """Write how many cards of each kind the seat has not seen; return their average number."""
    for kind in range(KINDS):
        left[kind] = s.opt.copies[kind]
    # Nobody knows a card of the draw pile: only grids, the drawn card and the discard pile are looked at.
    for first, end in ((0, s.seats * CELLS), (DRAWN_SLOT, DRAWN_SLOT + 1), (top_discard_slot(s), SLOTS)):
        for slot in range(first, end):
            if knows(s, slot, seat) and s.card[slot] != EMPTY:
                left[s.card[slot]] -= 1
    total, points = 0, 0.0
    for kind in range(KINDS):
        total += left[kind]
        points += left[kind] * (kind + LOWEST)
    left[KINDS] = total
    return points / total if total > 0 else 0.0


@rule
def arrival_chance(s: DetectPosition, left: Ints, kind: int) -> float:
    """The chance that a card of this kind still comes in time."""
    if s.ender >= 0 or left[KINDS] == 0:
        return 0.0
    return min(MAX_ARRIVAL_CHANCE, CARDS_TO_COME * left[kind] / left[KINDS])


@rule
def column_cost(s: DetectPosition, x: int, y: int, z: int, mean: float, left: Ints) -> float:
    """What a column of cards of these kinds (`BACK`: a face-down one, `NO_CARD`: no third) costs in the end."""
    total = points_of(x, mean) + points_of(y, mean) + points_of(z, mean)
    if x == y and z in (y, NO_CARD) and x != BACK:
        return min(0.0, total) if s.opt.set_optional == SetOptional.YES else 0.0
    if z == NO_CARD:
        # One open card waits for its equal already.
        pair = x if y == BACK else y if x == BACK else BACK
    else:
        pair = y if y == z else x if x in (y, z) else BACK
    if pair != BACK and total > 0.0:
        return total * (1.0 - arrival_chance(s, left, pair))
    return total


@rule
def points_of(kind: int, mean: float) -> float:
    """What a card counts: its number, or for a face-down one the average of the unseen cards."""
    return mean if kind == BACK else 0.0 if kind == NO_CARD else float(kind + LOWEST)


@rule
def third_kind(s: DetectPosition, seat: int, first: int) -> int:
    """What lies in the third cell of the column that begins with `first`: `NO_CARD` where columns are of two."""
    return open_kind(s, seat, first + 2) if s.rows == ROWS else NO_CARD


@rule
def open_kind(s: DetectPosition, seat: int, cell: int) -> int:
    """The kind of the open card in a cell; `BACK` for a face-down one."""
    return s.card[seat * CELLS + cell] if s.up[seat] >> cell & 1 else BACK


@rule
def grid_cost(s: DetectPosition, seat: int, mean: float) -> float:
    """What a seat's grid is worth as it lies: open cards, and the average for each face-down one."""
    total = 0.0
    for cell in range(CELLS):
        if not s.gone[seat] >> cell & 1:
            total += points_of(open_kind(s, seat, cell), mean)
    return total


@rule
def lowest_other_cost(s: DetectPosition, seat: int, mean: float) -> float:
    """The lowest grid of the others, after the turn they have left."""
    lowest = 1e9
    for other in range(s.seats):
        if other != seat:
            lowest = min(lowest, grid_cost(s, other, mean) - LAST_TURN_SAVING)
    return lowest


@rule
def ending_value(mine: float, lowest: float) -> float:
    """What it is worth to end the round with a grid of `mine` points: a lead kept, less the risk of the doubling."""
    risk = min(1.0, max(0.0, 0.5 + (mine - lowest) / RISK_RANGE))
    return LEAD_SHARE * max(0.0, lowest - mine) - risk * max(0.0, mine)


@rule
def only_face_down_cell(s: DetectPosition, seat: int) -> int:
    """The cell of the seat's only face-down card, with which it would end the round; -1 if there are more, or none."""
    return best_cell_to_flip(s, seat) if s.ender < 0 and is_single(face_down_mask(s, seat)) else -1


@rule
def best_places(
    s: DetectPosition, seat: int, low: int, high: int, mean: float, left: Ints
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """For a card of each kind from `low` to `high` the cell where it saves most, and how many points."""
    places = np.empty(KINDS, np.int64)
    saved = np.empty(KINDS, np.float64)
    last = only_face_down_cell(s, seat)
    mine = grid_cost(s, seat, mean) if last >= 0 else 0.0
    lowest = lowest_other_cost(s, seat, mean) if last >= 0 else 0.0
    saved[low : high + 1] = NO_VALUE
    # The best place for a card that goes with nothing, and what it frees there.
    plain, most = -1, NO_VALUE
    for first in range(0, CELLS, ROWS):
        if s.gone[seat] >> first & 1:
            continue
        x = open_kind(s, seat, first)
        y = open_kind(s, seat, first + 1)
        z = third_kind(s, seat, first)
        before = column_cost(s, x, y, z, mean, left)
        for cell in range(first, first + s.rows):
            # The card there, and the two others of the column.
            here = x if cell == first else y if cell == first + 1 else z
            one = y if cell == first else x
            two = y if cell == first + 2 else z
            if (one == here and cell > first) or (two == here and cell == first + 2):
                # Equal neighbours: one is as good as the other.
                continue
            freed = before - points_of(one, mean) - points_of(two, mean)
            if freed > most and cell != last and (one != two or one == BACK):
                plain, most = cell, freed
            for kind in range(low, high + 1):
                if cell == last or kind in (one, two) or two == NO_CARD or (one == two and one != BACK):
                    points = before - column_cost(s, kind, one, two, mean, left)
                    if cell == last:
                        points += ending_value(mine - points, lowest)
                    if points > saved[kind]:
                        places[kind], saved[kind] = cell, points
    for kind in range(low, high + 1):
        if most - (kind + LOWEST) > saved[kind]:
            saved[kind] = most - (kind + LOWEST)
            places[kind] = plain
    return places, saved


@rule
def best_place(s: DetectPosition, seat: int, kind: int, mean: float, left: Ints) -> tuple[int, float]:
    """The cell where an open card of a kind saves most, and how many points."""
    places, saved = best_places(s, seat, kind, kind, mean, left)
    return places[kind], saved[kind]


@rule
def throw_value(s: DetectPosition, seat: int, mean: float) -> float:
    """What throwing the drawn card and turning one of one's own is worth: nothing, unless it ends the round."""
    if only_face_down_cell(s, seat) < 0:
        return 0.0
    return ending_value(grid_cost(s, seat, mean), lowest_other_cost(s, seat, mean))


@rule
def draw_value(s: DetectPosition, seat: int, mean: float, left: Ints) -> float:
    """What a new card saves on average."""
    thrown = throw_value(s, seat, mean)
    if left[KINDS] == 0:
        return thrown
    low = 0
    while left[low] == 0:
        low += 1
    high = KINDS - 1
    while left[high] == 0:
        high -= 1
    _places, saved = best_places(s, seat, low, high, mean, left)
    total = 0.0
    for kind in range(low, high + 1):
        if left[kind] > 0:
            total += left[kind] * max(thrown, saved[kind])
    return total / left[KINDS]


@rule
def best_cell_to_flip(s: DetectPosition, seat: int) -> int:
    """The face-down cell to turn up: beside most open cards, where it may find its equals."""
    best = most = -1
    for cell in range(CELLS):
        open_cards = count_bits(s.up[seat] & COLUMN_MASK << (cell - cell % ROWS))
        if face_down_mask(s, seat) >> cell & 1 and open_cards > most:
            best, most = cell, open_cards
    return best


@rule
def greedy(s: DetectPosition, seat: int, q: NDArray[np.uint64]) -> int:
    """The action of a seat that is to act; it reads public fields and slots that the seat knows, nothing else."""
    if s.phase == Phase.OPENING:
        return FIRST_PAIR if not s.outside >> ROWS & 1 else 0
    if s.phase == Phase.SET:
        return Act.REMOVE if s.card[seat * CELLS + s.column * ROWS] + LOWEST > 0 else Act.LEAVE
    left = np.empty(KINDS + 1, np.int64)
    mean = unseen_mean_and_counts(s, seat, left)
    if s.phase == Phase.TURN:
        if s.discard_count == 0:
            return Act.DRAW
        place, saved = best_place(s, seat, s.card[top_discard_slot(s)], mean, left)
        new = saved < throw_value(s, seat, mean) or saved < draw_value(s, seat, mean, left)
        return Act.DRAW if new else Act.TAKE + place
    if s.phase == Phase.DRAWN:
        place, saved = best_place(s, seat, s.card[DRAWN_SLOT], mean, left)
        turn = best_cell_to_flip(s, seat)
        return Act.THROW + turn if turn >= 0 and throw_value(s, seat, mean) > saved else Act.KEEP + place
    return Act.CONTINUE


def reason(view: View, seat: int, action: int) -> str:
    """Why the greedy bot likes an action, for the person at `seat`."""
    s = record(view, DetectPosition)
    left = np.empty(KINDS + 1, np.int64)
    mean = unseen_mean_and_counts(s, seat, left)
    kind, cell = Act.decode(action)
    match kind:
        case Act.OPEN_PAIR:
            return _("two columns may each find an equal card")
        case Act.REMOVE:
            return _("that takes their points away")
        case Act.LEAVE:
            return _("they count zero or less")
        case Act.CONTINUE:
            return ""
    if kind in (Act.TAKE, Act.DRAW) and s.discard_count == 0:
        return _("there is nothing to take")
    card = s.card[top_discard_slot(s) if kind in (Act.TAKE, Act.DRAW) else DRAWN_SLOT]
    named = digits(number_of(card))
    if kind == Act.KEEP:
        points = _points(_saved(s, seat, cell, card, mean, left))
        return _("by a quick count, the {card} saves {points} there", card=named, points=points)
    saved = _points(best_place(s, seat, card, mean, left)[1])
    if kind == Act.THROW:
        return _("by a quick count, the {card} saves {points}", card=named, points=saved)
    text = N_("by a quick count, taking the {card} saves {taken}, a new card {new} on average")
    return _(text, card=named, taken=saved, new=_amount(draw_value(s, seat, mean, left)))


def _amount(saved: float) -> str:
    """Points in tenths, without a zero after the point: "4.5", "1", or "nothing"."""
    # Rounded here: what is passed on goes by its decimal digits, and would round some halves the other way.
    return decimal(round(saved, 1)) if round(saved, 1) > 0 else _("nothing")


def _saved(s: DetectPosition, seat: int, cell: int, kind: int, mean: float, left: Ints) -> float:
    """The points that an open card of a kind saves in a cell, but for what ending the round is worth."""
    first = cell - cell % ROWS
    x, y, z = open_kind(s, seat, first), open_kind(s, seat, first + 1), third_kind(s, seat, first)
    before = column_cost(s, x, y, z, mean, left)
    x, y, z = (kind if first + row == cell else other for row, other in enumerate((x, y, z)))
    return before - column_cost(s, x, y, z, mean, left)


def _points(saved: float) -> str:
    if round(saved, 1) <= 0:
        return _("nothing")
    return _("1 point") if round(saved, 1) == 1 else _("{points} points", points=_amount(saved))


POLICY = Policy(greedy, reason)
