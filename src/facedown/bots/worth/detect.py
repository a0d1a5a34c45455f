"""What a round of Detect is worth: the points of the others less one's own, squeezed between 0 and 1."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from facedown.core.chance import quick_below
from facedown.core.rule import rule, wide
from facedown.core.state import RUNNING
from facedown.games.detect.deck import LOWEST
from facedown.games.detect.rules import (
    ALL_CELLS,
    CELLS,
    CONTINUE,
    DRAW,
    DRAWN,
    HAND,
    KEEP,
    LEAVE,
    OPEN_PAIR,
    OPENING,
    PAIRS,
    REMOVE,
    ROWS,
    SCORING,
    SET,
    SLOTS,
    TAKE,
    THROW,
    TURN,
)

#: A round won by so many points against the best other is worth everything.
WIDE = 60.0
#: What the match's end adds: winning it is what the rounds are for.
MATCH = 0.5


@rule
def settled(s: Any) -> bool:
    """A round is decided when it is scored."""
    return bool(s.phase == SCORING)


@rule
def worth(s: Any, out: NDArray[np.float64]) -> None:
    """Half for nobody ahead; a lead over the mean of the others counts, and so does winning the match."""
    seats = wide(s.seats)
    total = 0.0
    lowest = 1e9
    for seat in range(seats):
        total += s.score[seat]
        lowest = min(lowest, float(s.total[seat]))
    for seat in range(seats):
        others = (total - s.score[seat]) / (seats - 1)
        lead = (others - s.score[seat]) / (2.0 * WIDE)
        value = min(1.0, max(0.0, 0.5 + lead))
        if s.over != RUNNING:
            won = 1.0 if s.total[seat] == lowest else 0.0
            value = (1.0 - MATCH) * value + MATCH * won
        out[seat] = value


def alike(view: Any, seat: int, action: int) -> tuple[int, ...]:
    """The same for moves that come to the same: a column's cells may change places, and so may whole columns."""
    if action < TAKE:
        one, two = (int(cell) // ROWS for cell in PAIRS[action - OPEN_PAIR])
        return (OPEN_PAIR, int(one == two))
    for first in (TAKE, KEEP, THROW):
        cell = action - first
        if 0 <= cell < CELLS:
            start = cell - cell % ROWS
            column = sorted(_open_kind(view, seat, other) for other in range(start, start + ROWS))
            return (first, _open_kind(view, seat, cell), *column)
    return (action,)


def _open_kind(view: Any, seat: int, cell: int) -> int:
    """The kind of an open card, or -1 for a face-down one."""
    return int(view.card[seat * CELLS + cell]) if int(view.up[seat]) >> cell & 1 else -1


# --- a light policy for rollouts ------------------------------------------------------------------------------------

#: A card up to here is worth taking without looking for a better one; up to the next it is worth keeping once drawn.
WORTH_TAKING = 2
WORTH_KEEPING = 4
#: An open card is traded for one that is lower by at least this.
WORTH_TRADING = 3


@rule
def place_for(s: Any, seat: int, number: int, q: NDArray[np.uint64]) -> int:
    """A good cell for an open `number`: one that completes a column, else the highest open card, else a back; or -1."""
    base = seat * CELLS
    up = wide(s.up[seat])
    gone = wide(s.gone[seat])
    worst = -1
    high = number + WORTH_TRADING - 1
    down = -1
    downs = 0
    for first in range(0, CELLS, ROWS):
        if gone >> first & 1:
            continue
        equal = 0
        other = first
        for cell in range(first, first + ROWS):
            if up >> cell & 1:
                n = wide(s.card[base + cell]) + LOWEST
                if n == number:
                    equal += 1
                    continue
                if n > high:
                    high = n
                    worst = cell
            else:
                downs += 1
                if quick_below(q, downs) == 0:
                    down = cell
            other = cell
        if equal == ROWS - 1 and number > 0:
            return other
    if worst >= 0:
        return worst
    return down if number <= WORTH_KEEPING and downs > 1 else -1


@rule
def light(s: Any, seat: int, q: NDArray[np.uint64]) -> int:
    """A quick, sensible move: low cards in, high cards out, columns completed; by what the seat knows."""
    phase = s.phase
    if phase == OPENING:
        return OPEN_PAIR + quick_below(q, len(PAIRS))
    if phase == TURN:
        if s.discard_count == 0:
            return DRAW
        top = wide(s.card[SLOTS - wide(s.discard_count)]) + LOWEST
        cell = place_for(s, seat, top, q)
        if cell >= 0 and (top <= WORTH_TAKING or completing(s, seat, cell, top)):
            return TAKE + cell
        return DRAW
    if phase == DRAWN:
        drawn = wide(s.card[HAND]) + LOWEST
        cell = place_for(s, seat, drawn, q)
        if cell >= 0:
            return KEEP + cell
        return THROW + any_back(s, seat, q)
    if phase == SET:
        return REMOVE if wide(s.card[seat * CELLS + wide(s.column) * ROWS]) + LOWEST > 0 else LEAVE
    return CONTINUE


@rule
def completing(s: Any, seat: int, cell: int, number: int) -> bool:
    """Do the two other cards of the cell's column show this number?"""
    first = cell - cell % ROWS
    for c in range(first, first + ROWS):
        if c != cell:
            if not wide(s.up[seat]) >> c & 1:
                return False
            if wide(s.card[seat * CELLS + c]) + LOWEST != number:
                return False
    return True


@rule
def any_back(s: Any, seat: int, q: NDArray[np.uint64]) -> int:
    """A face-down cell of the seat, any with the same chance."""
    down = ALL_CELLS & ~(wide(s.up[seat]) | wide(s.gone[seat]))
    found = -1
    n = 0
    for cell in range(CELLS):
        if down >> cell & 1:
            n += 1
            if quick_below(q, n) == 0:
                found = cell
    return found
