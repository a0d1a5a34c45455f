"""Greedy policy of Detect: play the action that is expected to save the most points.

The value of an action is the number of points that it saves: how far it lowers the expected sum of the seat's grid.

* A face-down card counts as the average of all cards that the seat has not seen.
* Completing a column of equal numbers saves the points of the whole column.
* Two equal face-up cards in a column save a part of these points, because a third equal card may come.
* A seat ends the round by turning its last card face up. Each other seat then has one more turn. Ending the round gains
  points if the other grids are higher, and risks a doubled score if one is lower.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facedown.core.bit_masks import count_bits, is_single
from facedown.core.bot import Policy
from facedown.core.grammar import digits
from facedown.core.hidden_cards import knows
from facedown.core.rule import rule
from facedown.core.state import EMPTY, Ints, View, cast_record
from facedown.core.translation import decimal
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

#: Estimates for two equal cards in a column:
#:
#: * `CARDS_TO_COME`: about how many more cards a seat can place in the round.
#: * `MAX_ARRIVAL_CHANCE`: largest assumed chance that a third equal card is among these.
CARDS_TO_COME = 4.0
MAX_ARRIVAL_CHANCE = 0.4
#: Average number of points that another player saves with their last turn.
LAST_TURN_SAVING = 3.0
#: Width of the range of leads, in points, over which the assumed risk of a doubled score falls from 1 to 0. The middle
#: of the range is a lead of 0.
RISK_RANGE = 8.0
#: Share of the lead, from 0 to 1, that a seat gains by ending the round instead of playing on. By playing on it would
#: probably keep the rest of the lead.
LEAD_SHARE = 0.25
#: Index in `PAIRS` of the two cells that the policy flips at the start. They are in different columns. So each of the
#: two cards may still become part of a column of equal cards.
FIRST_PAIR = 2
NO_VALUE = -1e9
#: Values used instead of a kind (card number minus `LOWEST`):
#:
#: * `BACK`: the card in the cell is face down.
#: * `NO_CARD`: the cell does not exist. On a small grid the columns have two cells and no third cell (DET-17).
BACK = -1
NO_CARD = -2


@rule
def unseen_mean_and_counts(s: DetectPosition, seat: int, left: Ints) -> float:
    """Count the cards that the seat has not seen, and return the average of the numbers on them.

    The counts are written to `left`, indexed by kind (card number minus `LOWEST`); its last element, at `KINDS`, is
    their total.
    """
    for kind in range(KINDS):
        left[kind] = s.opt.copies[kind]
    # The draw pile is skipped because no seat knows a card in it.
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
def third_card_chance(s: DetectPosition, left: Ints, kind: int) -> float:
    """Return the estimated chance that a pair in a column gets a third card of the same kind before the round ends.

    * `kind`: the card number minus `LOWEST`.
    * `left`: the count of unseen cards by kind. Its last element is their total.

    Once a seat has ended the round, the result is 0. Each other seat then plays only its last turn, and has no later
    turn in which a third card could come. The result is also 0 if there are no unseen cards.
    """
    if s.ender >= 0 or left[KINDS] == 0:
        return 0.0
    return min(MAX_ARRIVAL_CHANCE, CARDS_TO_COME * left[kind] / left[KINDS])


@rule
def column_cost(s: DetectPosition, x: int, y: int, z: int, mean: float, left: Ints) -> float:
    """Return the points that a column is expected to cost when the round is scored.

    * `x`, `y` and `z`: the kinds (card numbers minus `LOWEST`) in its cells. A face-down card is `BACK`, and `z` is
      `NO_CARD` in a column of two.
    * `mean`: the average number on unseen cards.
    * `left`: the count of unseen cards by kind. Its last element is their total.
    """
    total = points_of(x, mean) + points_of(y, mean) + points_of(z, mean)
    if x == y and z in (y, NO_CARD) and x != BACK:
        return min(0.0, total) if s.opt.set_optional == SetOptional.YES else 0.0
    if z == NO_CARD:
        # In a column of two, one face-up card already counts as a pair: an equal card completes the column.
        pair = x if y == BACK else y if x == BACK else BACK
    else:
        pair = y if y == z else x if x in (y, z) else BACK
    if pair != BACK and total > 0.0:
        return total * (1.0 - third_card_chance(s, left, pair))
    return total


@rule
def points_of(kind: int, mean: float) -> float:
    """Return the points of a card: its number (`kind` plus `LOWEST`), `mean` for a face-down card (`BACK`), 0 for
    `NO_CARD`.
    """
    return mean if kind == BACK else 0.0 if kind == NO_CARD else float(kind + LOWEST)


@rule
def face_up_kind_in_third_cell(s: DetectPosition, seat: int, first: int) -> int:
    """Return the kind (card number minus `LOWEST`) in the third cell of the column whose first cell is `first`.

    Return `BACK` if that card is face down, and `NO_CARD` in a small grid with columns of two cells.
    """
    return face_up_kind(s, seat, first + 2) if s.rows == ROWS else NO_CARD


@rule
def face_up_kind(s: DetectPosition, seat: int, cell: int) -> int:
    """Return the kind (card number minus `LOWEST`) of a cell's face-up card, or `BACK` if the cell has none."""
    return s.card[seat * CELLS + cell] if s.up[seat] >> cell & 1 else BACK


@rule
def grid_cost(s: DetectPosition, seat: int, mean: float) -> float:
    """Return the expected sum of a seat's grid, in which each face-down card counts as `mean` points."""
    total = 0.0
    for cell in range(CELLS):
        if not s.gone[seat] >> cell & 1:
            total += points_of(face_up_kind(s, seat, cell), mean)
    return total


@rule
def lowest_other_cost(s: DetectPosition, seat: int, mean: float) -> float:
    """Return the lowest sum that any other player's grid is expected to have at the end of the round.

    Each other player is assumed to save `LAST_TURN_SAVING` points in a last turn. A face-down card counts as `mean`
    points.
    """
    lowest = 1e9
    for other in range(s.seats):
        if other != seat:
            lowest = min(lowest, grid_cost(s, other, mean) - LAST_TURN_SAVING)
    return lowest


@rule
def ending_value(mine: float, lowest: float) -> float:
    """Return the points that a seat is expected to gain by ending the round now instead of playing on.

    * `mine`: the expected sum of the seat's own grid.
    * `lowest`: the lowest expected sum of the other players.

    If the seat played on, it would probably keep a part of its lead. So only the share `LEAD_SHARE` of the lead counts
    as gained. The expected loss from a doubled score is subtracted.
    """
    risk = min(1.0, max(0.0, 0.5 + (mine - lowest) / RISK_RANGE))
    return LEAD_SHARE * max(0.0, lowest - mine) - risk * max(0.0, mine)


@rule
def cell_that_would_end_round(s: DetectPosition, seat: int) -> int:
    """Return the cell of the seat's only face-down card. Flipping or replacing it would end the round.

    Return -1 if the seat has no face-down card or several. Also return -1 if another seat has already turned its last
    card face up, because the round is then ending already.
    """
    return best_cell_to_flip(s, seat) if s.ender < 0 and is_single(face_down_mask(s, seat)) else -1


@rule
def best_places(
    s: DetectPosition, seat: int, low: int, high: int, mean: float, left: Ints
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return, for each kind of card from `low` to `high`, the cell where it saves the most points, and these points.

    The number of points saved is how much lower the expected sum of the seat's grid is with the card face up in the
    cell than it is now. It is negative if the sum becomes higher. If placing the card ends the round, the expected
    gain or loss from ending it is added (`ending_value`).

    * The two returned arrays are indexed by kind (card number minus `LOWEST`). Only the elements from `low` to `high`
      have a meaning.
    * `mean`: the average number on unseen cards.
    * `left`: the count of unseen cards by kind. Its last element is their total.
    """
    places = np.empty(KINDS, np.int64)
    saved = np.empty(KINDS, np.float64)
    last = cell_that_would_end_round(s, seat)
    mine = grid_cost(s, seat, mean) if last >= 0 else 0.0
    lowest = lowest_other_cost(s, seat, mean) if last >= 0 else 0.0
    saved[low : high + 1] = NO_VALUE
    # `plain` is the best cell for a card that equals no other card of its column. A card with the number n saves `most`
    # - n points there, where `most` is what a card with the number 0 saves. So the same cell is best for all n.
    plain, most = -1, NO_VALUE
    for first in range(0, CELLS, ROWS):
        if s.gone[seat] >> first & 1:
            continue
        x = face_up_kind(s, seat, first)
        y = face_up_kind(s, seat, first + 1)
        z = face_up_kind_in_third_cell(s, seat, first)
        before = column_cost(s, x, y, z, mean, left)
        for cell in range(first, first + s.rows):
            # `here` is the kind of card in this cell; `one` and `two` are those in the other two cells of the column.
            here = x if cell == first else y if cell == first + 1 else z
            one = y if cell == first else x
            two = y if cell == first + 2 else z
            if (one == here and cell > first) or (two == here and cell == first + 2):
                # An earlier cell of this column has an equal card, and replacing that card has the same result.
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
    """Return the cell in which a card lowers the expected sum of the seat's grid most, and by how many points.

    The card is placed face up. The number of points is negative if the card raises the sum in every cell. If placing
    the card ends the round, the expected gain or loss from ending it is added (`ending_value`).

    * `kind`: the card's number minus `LOWEST`.
    * `mean`: the average number on unseen cards.
    * `left`: the count of unseen cards by kind. Its last element is their total.
    """
    places, saved = best_places(s, seat, kind, kind, mean, left)
    return places[kind], saved[kind]


@rule
def discard_and_flip_value(s: DetectPosition, seat: int, mean: float) -> float:
    """Return the points that a seat is expected to gain by discarding the drawn card and flipping a face-down card.

    A flip of the seat's last face-down card ends the round: each other seat then has only one more turn. The result is
    the expected gain or loss from ending the round instead of playing on (`ending_value`). The result is 0 for any
    other flip, and also if another seat has already ended the round. Such a flip gains 0 points on average, because a
    face-down card already counts as `mean`, the average number on unseen cards.
    """
    if cell_that_would_end_round(s, seat) < 0:
        return 0.0
    return ending_value(grid_cost(s, seat, mean), lowest_other_cost(s, seat, mean))


@rule
def draw_value(s: DetectPosition, seat: int, mean: float, left: Ints) -> float:
    """Return the points that a seat is expected to gain by drawing a card from the draw pile.

    The result is an average over all unseen cards, because each of them is equally likely to be the drawn card. For
    each card, the higher one of two gains is used:

    * The gain from placing the card in the best cell: how far this lowers the expected sum of the seat's grid
      (`best_places`).
    * The gain from discarding the card and flipping a face-down card (`discard_and_flip_value`).

    `mean` is the average number on unseen cards. `left` has the count of unseen cards by kind (card number minus
    `LOWEST`), and as its last element their total. If this total is 0, the result is that of `discard_and_flip_value`.
    """
    thrown = discard_and_flip_value(s, seat, mean)
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
    """Return the face-down cell whose column has the most face-up cards, or -1 if the seat has no face-down cell.

    In such a column the flipped card is most likely to equal another one.
    """
    best = most = -1
    for cell in range(CELLS):
        open_cards = count_bits(s.up[seat] & COLUMN_MASK << (cell - cell % ROWS))
        if face_down_mask(s, seat) >> cell & 1 and open_cards > most:
            best, most = cell, open_cards
    return best


@rule
def greedy(s: DetectPosition, seat: int, q: NDArray[np.uint64]) -> int:
    """Return the action of the greedy policy for a seat that is to act.

    The choice uses only what the seat knows. `q`, the state of the fast random number generator, is not used.
    """
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
        new = saved < discard_and_flip_value(s, seat, mean) or saved < draw_value(s, seat, mean, left)
        return Act.DRAW if new else Act.TAKE + place
    if s.phase == Phase.DRAWN:
        place, saved = best_place(s, seat, s.card[DRAWN_SLOT], mean, left)
        turn = best_cell_to_flip(s, seat)
        return Act.THROW + turn if turn >= 0 and discard_and_flip_value(s, seat, mean) > saved else Act.KEEP + place
    return Act.CONTINUE


def reason(view: View, seat: int, action: int) -> str:
    """Return a phrase that explains to the player at `seat` why the greedy policy chooses an action.

    Numbers in it are estimates of this policy. The phrase is empty for `CONTINUE`.
    """
    s = cast_record(view, DetectPosition)
    left = np.empty(KINDS + 1, np.int64)
    mean = unseen_mean_and_counts(s, seat, left)
    kind, cell = Act.decode(action)
    match kind:
        case Act.OPEN_PAIR:
            return _("cards in two different columns give you two chances to make a set")
        case Act.REMOVE:
            return _("you get rid of the points on these cards")
        case Act.LEAVE:
            return _("these cards are worth zero or less")
        case Act.CONTINUE:
            return ""
    if kind in (Act.TAKE, Act.DRAW) and s.discard_count == 0:
        return _("the discard pile is empty")
    card = s.card[top_discard_slot(s) if kind in (Act.TAKE, Act.DRAW) else DRAWN_SLOT]
    named = digits(number_of(card))
    if kind == Act.KEEP:
        points = _points(_points_saved(s, seat, cell, card, mean, left))
        return _("at a rough estimate, swapping in the {card} saves {points}", card=named, points=points)
    saved = _points(best_place(s, seat, card, mean, left)[1])
    if kind == Act.THROW:
        return _("at a rough estimate, keeping the {card} would save {points}", card=named, points=saved)
    text = N_("at a rough estimate, taking the {card} saves {taken}, while drawing a card saves {new} on average")
    return _(text, card=named, taken=saved, new=_amount(draw_value(s, seat, mean, left)))


def _amount(saved: float) -> str:
    """Return a number of points saved, rounded to tenths, as text: "4.5", "1", or "nothing" if it is not above 0."""
    # `round` is called first, so that the number in the text is the one that is compared with 0. `decimal(saved, 1)`
    # would round some numbers differently (such as 0.35), and would write "1.0" for 1.
    return decimal(round(saved, 1)) if round(saved, 1) > 0 else _("nothing")


def _points_saved(s: DetectPosition, seat: int, cell: int, kind: int, mean: float, left: Ints) -> float:
    """Return by how many points the expected cost of a column falls if a new card replaces the card in `cell`.

    The new card is face up. The result is negative if the cost rises. The value of ending the round is not included.

    * `kind`: the number on the new card, minus `LOWEST`.
    * `mean`: the average number on unseen cards.
    * `left`: the count of unseen cards by kind. Its last element is their total.
    """
    first = cell - cell % ROWS
    x, y, z = face_up_kind(s, seat, first), face_up_kind(s, seat, first + 1), face_up_kind_in_third_cell(s, seat, first)
    before = column_cost(s, x, y, z, mean, left)
    x, y, z = (kind if first + row == cell else other for row, other in enumerate((x, y, z)))
    return before - column_cost(s, x, y, z, mean, left)


def _points(saved: float) -> str:
    if round(saved, 1) <= 0:
        return _("nothing")
    return _("1 point") if round(saved, 1) == 1 else _("{points} points", points=_amount(saved))


POLICY = Policy(greedy, reason)
