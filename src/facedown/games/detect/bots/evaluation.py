"""What a round of Detect is worth: the points of the others less one's own, squeezed between 0 and 1."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from facedown.bots.win_probability import (
    EXPECTED_REMAINING_ROUND,
    LOGISTIC_SLOPE,
    first_place,
    lead_for,
    linear,
    logistic,
)
from facedown.core.bot import Evaluation
from facedown.core.hidden_cards import put
from facedown.core.random_numbers import quick_below
from facedown.core.rule import rule
from facedown.core.state import EMPTY, EVERYONE, RUNNING, UNKNOWN, Floats, View, record
from facedown.games.detect.bots.policy import open_kind
from facedown.games.detect.cards import LOWEST
from facedown.games.detect.rules import (
    CELLS,
    COLUMNS,
    DRAWN_SLOT,
    GOAL,
    PAIRS,
    ROWS,
    SLOTS,
    Act,
    DetectPosition,
    Phase,
    face_down_mask,
    top_discard_slot,
)

#: A round won by so many points against the best other is worth everything.
WIDE = 60.0
#: What the match's end adds: winning it is what the rounds are for.
MATCH = 0.5


@rule
def round_is_terminal(s: DetectPosition) -> bool:
    """A round is decided when it is scored."""
    return s.phase == Phase.SCORING


@rule
def write_leads(s: DetectPosition, out: Floats) -> None:
    """The points of the others on average less one's own, in the round scored last."""
    total = 0.0
    for seat in range(s.seats):
        total += s.score[seat]
    for seat in range(s.seats):
        out[seat] = (total - s.score[seat]) / (s.seats - 1) - s.score[seat]


@rule
def evaluate(s: DetectPosition, out: Floats) -> None:
    """Half for nobody ahead; a lead over the mean of the others counts, and so does winning the match.

    Who shares the lowest total shares the win (DET-14).
    """
    write_leads(s, out)
    lowest = min(s.total[: s.seats])
    winners = 0
    for seat in range(s.seats):
        winners += s.total[seat] == lowest
    for seat in range(s.seats):
        value = min(1.0, max(0.0, 0.5 + out[seat] / (2.0 * WIDE)))
        if s.over != RUNNING:
            value = (1.0 - MATCH) * value + (MATCH / winners if s.total[seat] == lowest else 0.0)
        out[seat] = value


def equivalence_key(view: View, seat: int, action: int) -> tuple[int, ...]:
    """The same for moves that come to the same: a column's cells may change places, and so may whole columns."""
    if action < Act.TAKE:
        one, two = PAIRS[action - Act.OPEN_PAIR] // ROWS
        return (Act.OPEN_PAIR, one == two)
    kind, cell = Act.decode(action)
    if kind not in (Act.TAKE, Act.KEEP, Act.THROW):
        return (action,)
    s = record(view, DetectPosition)
    first = cell - cell % ROWS
    column = sorted(open_kind(s, seat, other) for other in range(first, first + ROWS))
    return (kind, open_kind(s, seat, cell), *column)


@rule
def standard_form(s: DetectPosition) -> None:
    """The cells of a column in order, the columns in order, the discards below the top in order; what happened last is
    forgotten. Cards that nobody has seen are blank.
    """
    s.last_seat = -1
    s.last_column = -1
    s.last_number = 0
    s.last_out = 0
    if s.phase in (Phase.OPENING, Phase.SET):
        # A choice is made, or asked for, that names cells as they lie.
        return
    sort_slots(s, top_discard_slot(s) + 1, SLOTS)
    for seat in range(s.seats):
        columns = np.full(COLUMNS, -1, np.int64)
        for column in range(COLUMNS):
            first = seat * CELLS + ROWS * column
            if not s.outside >> ROWS * column & 1:
                sort_slots(s, first, first + s.rows)
                columns[column] = (s.card[first] << 16) + (s.card[first + 1] << 8) + s.card[first + ROWS - 1]
        there = np.sort(columns[columns >= 0])
        s.up[seat] = 0
        s.gone[seat] = s.outside
        for cell in range(CELLS):
            if not s.outside >> cell & 1:
                card = there[cell // ROWS] >> 8 * (ROWS - 1 - cell % ROWS) & 255
                put(s, seat * CELLS + cell, card, 0 if card == UNKNOWN else EVERYONE)
                s.up[seat] |= (card < EMPTY) << cell
                s.gone[seat] |= (card == EMPTY) << cell


@rule
def sort_slots(s: DetectPosition, first: int, end: int) -> None:
    """Sort the cards of the slots from `first` to before `end`; those that are not known come last."""
    for i, card in enumerate(sorted(s.card[first:end])):
        put(s, first + i, card, 0 if card == UNKNOWN else EVERYONE)


# --- the rollout policy ------------------------------------------------------------------------------------

#: A card up to here is worth taking without looking for a better one; up to the next it is worth keeping once drawn.
WORTH_TAKING = 2
WORTH_KEEPING = 4
#: An open card is traded for one that is lower by at least this.
WORTH_TRADING = 3


@rule
def choose_cell(s: DetectPosition, seat: int, kind: int, q: NDArray[np.uint64]) -> tuple[int, bool]:
    """A good cell for a card of a kind, and whether it completes a column there.

    If it completes none, that of the highest open card, or of a back; -1 if no cell is good.
    """
    base = seat * CELLS
    up = s.up[seat]
    gone = s.gone[seat]
    worst, high = -1, kind + WORTH_TRADING - 1
    down, downs = -1, 0
    for first in range(0, CELLS, ROWS):
        if gone >> first & 1:
            continue
        equal = 0
        other = first
        for cell in range(first, first + s.rows):
            if up >> cell & 1:
                there = s.card[base + cell]
                if there == kind:
                    equal += 1
                    continue
                if there > high:
                    worst, high = cell, there
            else:
                downs += 1
                if quick_below(q, downs) == 0:
                    down = cell
            other = cell
        if equal == s.rows - 1 and kind + LOWEST > 0:
            return other, True
    if worst < 0 and kind + LOWEST <= WORTH_KEEPING and downs > 1:
        worst = down
    return worst, False


@rule
def rollout_policy(s: DetectPosition, seat: int, q: NDArray[np.uint64]) -> int:
    """A quick, sensible move: low cards in, high cards out, columns completed; by what the seat knows."""
    phase = s.phase
    if phase == Phase.OPENING:
        pair = quick_below(q, len(PAIRS))
        while (s.outside >> PAIRS[pair, 0] | s.outside >> PAIRS[pair, 1]) & 1:
            pair = quick_below(q, len(PAIRS))
        return Act.OPEN_PAIR + pair
    if phase == Phase.TURN:
        if s.discard_count == 0:
            return Act.DRAW
        top = s.card[top_discard_slot(s)]
        cell, completes = choose_cell(s, seat, top, q)
        takes = completes or (cell >= 0 and top + LOWEST <= WORTH_TAKING)
        return Act.TAKE + cell if takes else Act.DRAW
    if phase == Phase.DRAWN:
        cell, _completes = choose_cell(s, seat, s.card[DRAWN_SLOT], q)
        return Act.KEEP + cell if cell >= 0 else Act.THROW + random_face_down_cell(s, seat, q)
    if phase == Phase.SET:
        return Act.REMOVE if s.card[seat * CELLS + s.column * ROWS] + LOWEST > 0 else Act.LEAVE
    return Act.CONTINUE


@rule
def random_face_down_cell(s: DetectPosition, seat: int, q: NDArray[np.uint64]) -> int:
    """A face-down cell of the seat, any with the same chance."""
    down = face_down_mask(s, seat)
    found, n = -1, 0
    for cell in range(CELLS):
        if down >> cell & 1:
            n += 1
            if quick_below(q, n) == 0:
                found = cell
    return found


# --- the match --------------------------------------------------------------------------------------------------------

#: Between equals, the points of one round differ by about this much (standard deviation); the most that a seat of a
#: table takes in one is about this.
SPREAD = 18.0
MOST_IN_A_ROUND = 25.0


def win_probability(view: View, seat: int, value: float) -> float:
    """The fewest points win when somebody has `GOAL`; a round counts against the mean of the others."""
    s = record(view, DetectPosition)
    totals = [s.total[one] for one in range(s.seats)]
    rounds = (GOAL - max(totals)) / MOST_IN_A_ROUND
    scale = SPREAD * math.sqrt(max(0.0, rounds - 1) + EXPECTED_REMAINING_ROUND) / LOGISTIC_SLOPE
    # How likely this is the last round: only then the worth of the round says something about the match.
    last = logistic(4 * (1 - rounds)) * MATCH

    def match(lead: float) -> float:
        return first_place([-total + (lead if one == seat else 0.0) for one, total in enumerate(totals)], seat, scale)

    return match(lead_for(value, lambda lead: (1 - last) * linear(lead, WIDE) + last * match(lead), 2 * WIDE))


EVALUATION = Evaluation(
    round_is_terminal,
    evaluate,
    rollout_policy,
    equivalence_key,
    standard_form=standard_form,
    win_probability=win_probability,
)
