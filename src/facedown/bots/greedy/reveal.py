"""Greedy Reveal: what a column is worth on average, by what the seat has seen.

A column is worth the cards that count with its best root: those seen, and for each unseen card the chance that it
matches. Cards are laid where they add most, cards that add less than an unseen one would are swapped, and in the end
the column with the most points on average is taken.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from facedown.core.rule import rule
from facedown.core.slots import knows
from facedown.core.state import EMPTY
from facedown.games.reveal.deck import KINDS, NAMES, WILD
from facedown.games.reveal.rules import (
    CHOOSE,
    CHOOSE_CONFIRM,
    COLUMNS,
    CONFIRM,
    CONTINUE,
    FINAL_ALTERNATE,
    FINAL_SEALED,
    MINIMUM,
    ORDERS,
    PLACE,
    PLACE_ALL,
    ROWS,
    SCORING,
    STOP,
    SWAP,
    SWAP_SET,
    side,
)

#: The other player lays cards where they match: how much likelier than an unseen card one of theirs counts in a column,
#: by the base cards that count there (one, two or three). Lines: they have chosen no column yet, this one, another.
#: Read off 4000 matches of this bot against itself.
LAID_WELL = np.array([(1.65, 2.5, 3.3), (2.2, 3.4, 4.0), (1.45, 1.65, 1.1)])
UNDECIDED = 0
CHOSEN = 1
ELSEWHERE = 2
MOST_LIKELY = 0.95
#: The chance that a row still to be laid brings the first card that opens the other side.
OPENS_LATER = 0.6
#: How much less a column counts for each card it is behind the best one: in the end only one is scored.
BEHIND = 0.8
#: A card is thrown away for an unseen one only if that is better by this much.
WORTH_SWAPPING = 0.02
NOWHERE = -1.0


@rule
def chances(s: Any, seat: int, match: NDArray[np.float64], kinds: NDArray[np.float64]) -> None:
    """Write the chance that an unseen card is of each kind, and that it matches a root of each colour."""
    unseen = 0.0
    for kind in range(KINDS):
        kinds[kind] = s.copies[kind]
        unseen += kinds[kind]
    for slot in range(int(s.cards)):
        if knows(s, slot, seat) and s.card[slot] != EMPTY:
            kinds[s.card[slot]] -= 1.0
            unseen -= 1.0
    for kind in range(KINDS):
        kinds[kind] = kinds[kind] / max(unseen, 1.0)
    for kind in range(WILD):
        match[kind] = kinds[kind] + kinds[WILD]


@rule
def worth(s: Any, seat: int, column: int, extra: int, match: NDArray[np.float64], exact: bool) -> float:
    """What a column is worth to a seat with its best root, if a card of kind `extra` (or -1) is laid there as well.

    With `exact` (all rows laid) in points on average; before that, the cards that would count.
    """
    row_now = min(int(s.row), ROWS)
    shown = min(int(s.row) + 1, ROWS)
    theirs = UNDECIDED
    if s.choice[1 - seat] >= 0:
        theirs = CHOSEN if s.choice[1 - seat] == column else ELSEWHERE
    best = 0.0
    for root_row in range(shown):
        root = np.int64(s.card[ROWS * root_row + column])
        if root == WILD:
            continue
        chance = match[root]
        base = 0
        for row in range(shown):
            kind = s.card[ROWS * row + column]
            if (kind == root) | (kind == WILD):
                base += 1
        own = 0
        for row in range(row_now):
            kind = s.card[side(seat, row, column)]
            if (kind == root) | (kind == WILD):
                own += 1
        if (extra == root) | (extra == WILD):
            own += 1
        sure = base + own
        across = min(MOST_LIKELY, LAID_WELL[theirs, base - 1] * chance)
        opens = 1.0
        if own == 0:
            opens = OPENS_LATER if row_now < ROWS - 1 else 0.0
            if s.final_unlocks == 1:
                opens = max(opens, chance)
        found = float(sure) + chance * (ROWS - shown + 1) + opens * across * ROWS
        if exact:
            found = points_on_average(sure, chance, across if own > 0 else 0.0)
            if own == 0 and s.final_unlocks == 1:
                opened = points_on_average(sure + 1, 0.0, across)
                found = chance * opened + (1.0 - chance) * float(sure if sure >= MINIMUM else 0)
        best = max(best, found)
    return best


@rule
def points_on_average(sure: int, final: float, across: float) -> float:
    """Points on average: `sure` cards count, the Final Card and the three cards across with these chances."""
    total = 0.0
    for more in range(ROWS + 1):
        ways = 3.0 if more in (1, 2) else 1.0
        chance = ways * across**more * (1.0 - across) ** (ROWS - more)
        for last in range(2):
            count = sure + more + last
            if count >= MINIMUM:
                total += chance * (final if last == 1 else 1.0 - final) * count
    return total


@rule
def gains(s: Any, seat: int, match: NDArray[np.float64], kinds: NDArray[np.float64], gain: NDArray[np.float64]) -> None:
    """Write what each hand card adds to each column, and in the last line what an unseen card adds on average."""
    plain = np.empty(COLUMNS, np.float64)
    best = 0.0
    for column in range(COLUMNS):
        plain[column] = worth(s, seat, column, -1, match, False)
        best = max(best, plain[column])
    for column in range(COLUMNS):
        share = 1.0 / (1.0 + BEHIND * (best - plain[column]))
        for kind in range(KINDS):
            # Only a colour of the base, or a wild, adds anything.
            fits = kind == WILD
            for row in range(min(int(s.row) + 1, ROWS)):
                fits = fits or s.card[ROWS * row + column] == kind
            if not fits:
                continue
            adds = share * (worth(s, seat, column, kind, match, False) - plain[column])
            for place in range(COLUMNS):
                if s.card[side(seat, int(s.row), place)] == kind:
                    gain[place, column] = adds
            gain[COLUMNS, column] += kinds[kind] * adds


@rule
def best_order(gain: NDArray[np.float64], swapped: int) -> tuple[int, float]:
    """The best way to lay the hand if the cards of a mask are replaced by unseen ones, and what it adds."""
    best = 0
    best_found = NOWHERE
    for order in range(len(ORDERS)):
        found = 0.0
        for place in range(COLUMNS):
            line = COLUMNS if swapped >> place & 1 else place
            found += gain[line, ORDERS[order, place]]
        if found > best_found:
            best = order
            best_found = found
    return best, best_found


@rule
def best_column(s: Any, seat: int, match: NDArray[np.float64]) -> int:
    """The column with the most points on average."""
    best = 0
    best_found = NOWHERE
    for column in range(COLUMNS):
        found = worth(s, seat, column, -1, match, True)
        # Rather stay than move for nothing.
        if s.choice[seat] == column:
            found += 1e-9
        if found > best_found:
            best = column
            best_found = found
    return best


@rule
def greedy(s: Any, seat: int, q: NDArray[np.uint64]) -> int:
    """The action that looks best at once."""
    if s.phase == SCORING:
        return CONTINUE
    match = np.zeros(KINDS, np.float64)
    kinds = np.empty(KINDS, np.float64)
    chances(s, seat, match, kinds)
    if (s.phase == SWAP) | (s.phase == PLACE):
        gain = np.zeros((COLUMNS + 1, COLUMNS), np.float64)
        gains(s, seat, match, kinds, gain)
        order, found = best_order(gain, 0)
        if s.phase == PLACE:
            return PLACE_ALL + order
        best = 0
        for places in range(1, 1 << COLUMNS):
            count = (places & 1) + (places >> 1 & 1) + (places >> 2)
            if count > (1 if s.one_by_one == 1 else int(s.row) + 1):
                continue
            # An unseen card may still choose its column: it is worth a little more than its average.
            fresh = best_order(gain, places)[1] - WORTH_SWAPPING * count
            if fresh > found:
                best = places
                found = fresh
        if best == 0 and s.one_by_one == 1:
            return STOP
        return SWAP_SET + best
    column = best_column(s, seat, match)
    if s.final_mode == FINAL_SEALED:
        return CHOOSE + column
    if s.choice[seat] == column:
        return CONFIRM
    return (CHOOSE_CONFIRM if s.final_mode == FINAL_ALTERNATE else CHOOSE) + column


def reason(view: Any, seat: int, action: int) -> str:
    """Why the bot likes an action, in words."""
    if int(view.phase) == SCORING:
        return ""
    match = np.zeros(KINDS)
    kinds = np.empty(KINDS)
    chances(view, seat, match, kinds)
    if action < CHOOSE:
        gain = np.zeros((COLUMNS + 1, COLUMNS))
        gains(view, seat, match, kinds, gain)
        if action >= PLACE_ALL:
            order = [int(c) for c in ORDERS[action - PLACE_ALL]]
            names = [NAMES[int(view.card[side(seat, int(view.row), p)])] for p in range(COLUMNS)]
            best = max(range(COLUMNS), key=lambda p: float(gain[p, order[p]]))
            where = ("left", "middle", "right")[order[best]]
            return f"the {names[best]} card adds most in the {where} column"
        swapped = [p for p in range(COLUMNS) if action != STOP and (action - SWAP_SET) >> p & 1]
        if not swapped:
            return "each of the three adds as much as an unseen card would"
        return "an unseen card adds more on average than what goes"
    column = int(view.choice[seat]) if action == CONFIRM else (action - CHOOSE) % COLUMNS
    found = worth(view, seat, column, -1, match, True)
    return f"this column brings {found:.1f} points on average"
