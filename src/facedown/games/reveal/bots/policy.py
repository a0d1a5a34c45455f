"""Greedy Reveal: what a column is worth on average, by what the seat has seen.

A column is worth the cards that count with its best root: those seen, and for each unseen card the chance that it
matches. Cards are laid where they add most, cards that add less than an unseen one would are swapped, and in the end
the column with the most points on average is taken.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facedown.core.bit_masks import includes
from facedown.core.bot import Policy
from facedown.core.hidden_cards import knows
from facedown.core.language import decimal
from facedown.core.rule import rule
from facedown.core.state import EMPTY, Floats, View, record
from facedown.games.reveal.cards import KINDS, WILD, card_subject, column_adjective
from facedown.games.reveal.i18n import _
from facedown.games.reveal.info import FinalMode, FinalUnlocks, Layout, SwapBatch
from facedown.games.reveal.rules import (
    COLUMNS,
    MINIMUM,
    ORDERS,
    ROWS,
    SLOTS,
    SWAP_COUNTS,
    Act,
    Phase,
    RevealPosition,
    base_slot,
    column_of,
    keeps_unplayed_places,
    matches,
    side_slot,
)

#: The other player lays cards where they match: how much likelier than an unseen card one of theirs counts in a column,
#: by the base cards that count there (one, two or three). Lines: they have chosen no column yet, this one, another.
#: Read off 4000 matches of this bot against itself.
OPPONENT_MATCH_FACTORS = np.array([(1.65, 2.5, 3.3), (2.2, 3.4, 4.0), (1.45, 1.65, 1.1)])
UNDECIDED, CHOSEN, ELSEWHERE = range(3)
MOST_LIKELY = 0.95
#: The chance that a row still to be laid brings the first card that opens the other side.
OPENS_LATER = 0.6
#: How much less a column counts for each card it is behind the best one: in the end only one is scored.
BEHIND_PENALTY = 0.8
#: A card is thrown away for an unseen one only if that is better by this much.
WORTH_SWAPPING = 0.02
NOWHERE = -1.0


@rule
def unseen_kind_chances(s: RevealPosition, seat: int) -> NDArray[np.float64]:
    """The chance that an unseen card is of each kind."""
    kinds = np.empty(KINDS, np.float64)
    unseen = 0.0
    for kind in range(KINDS):
        kinds[kind] = s.opt.copies[kind]
        unseen += kinds[kind]
    # In a smaller layout the cards do not lie side by side.
    for slot in range(s.cards if s.opt.layout == Layout.FULL else SLOTS):
        if knows(s, slot, seat) and s.card[slot] != EMPTY:
            kinds[s.card[slot]] -= 1.0
            unseen -= 1.0
    for kind in range(KINDS):
        kinds[kind] /= max(unseen, 1.0)
    return kinds


@rule
def column_value(s: RevealPosition, seat: int, column: int, extra: int, kinds: Floats, exact: bool) -> float:
    """What a column is worth to a seat with its best root, if a card of kind `extra` (or -1) is laid there as well.

    With `exact` (all rows laid) in points on average; before that, the cards that would count.
    """
    # Never more than three: said aloud, so that compiled loops over rows have an end that is known.
    laid = min(s.row, s.rows, ROWS)
    turned = min(s.row + 1, s.rows, ROWS)
    theirs = UNDECIDED
    if s.choice[1 - seat] >= 0:
        theirs = CHOSEN if s.choice[1 - seat] == column else ELSEWHERE
    best = 0.0
    for root_row in range(turned):
        root = s.card[base_slot(root_row, column)]
        if root >= WILD:
            continue
        base = 0
        for row in range(turned):
            base += matches(s.card[base_slot(row, column)], root)
        own = 0
        for row in range(laid):
            own += matches(s.card[side_slot(seat, row, column)], root)
        own += matches(extra, root)
        chance = kinds[root] + kinds[WILD]
        across = min(MOST_LIKELY, OPPONENT_MATCH_FACTORS[theirs, base - 1] * chance)
        if exact:
            found = expected_column_points(s, base, own, chance, across)
        else:
            found = (
                base + own + chance * (s.rows - turned + 1) + other_side_open_chance(s, own, chance) * across * s.rows
            )
        best = max(best, found)
    return best


@rule
def other_side_open_chance(s: RevealPosition, own: int, chance: float) -> float:
    """The chance that the other side will be open, with so many own cards that count."""
    if own > 0:
        return 1.0
    later = OPENS_LATER if s.row < s.rows - 1 else 0.0
    return max(later, chance) if s.opt.final_unlocks == FinalUnlocks.YES else later


@rule
def expected_column_points(s: RevealPosition, base: int, own: int, chance: float, across: float) -> float:
    """Points on average, all rows laid: `base` and `own` cards count, the Final Card with `chance`, and each card
    on the other side with chance `across` if that is open.
    """
    if own > 0:
        return points_on_average(s.rows, base + own, chance, across)
    if s.opt.final_unlocks == FinalUnlocks.NO:
        return points_on_average(s.rows, base, chance, 0.0)
    shut = base if base >= MINIMUM else 0
    return chance * points_on_average(s.rows, base + 1, 0.0, across) + (1.0 - chance) * shut


@rule
def points_on_average(rows: int, sure: int, final: float, across: float) -> float:
    """Points on average: `sure` cards count, the Final Card and the cards across, one a row, with these chances."""
    total = 0.0
    for more in range(rows + 1):
        ways = 1.0 if more in (0, rows) else float(rows)
        chance = ways * across**more * (1.0 - across) ** (rows - more)
        for last in range(2):
            count = sure + more + last
            if count >= MINIMUM:
                total += chance * (final if last == 1 else 1.0 - final) * count
    return total


@rule
def placement_gains(s: RevealPosition, seat: int, kinds: Floats) -> NDArray[np.float64]:
    """What each hand card adds to each column, and in the last line what an unseen card adds on average."""
    gain = np.zeros((COLUMNS + 1, COLUMNS), np.float64)
    plain = np.empty(COLUMNS, np.float64)
    best = 0.0
    for column in range(s.columns):
        plain[column] = column_value(s, seat, column, -1, kinds, False)
        best = max(best, plain[column])
    for column in range(s.columns):
        share = 1.0 / (1.0 + BEHIND_PENALTY * (best - plain[column]))
        for kind in range(KINDS):
            # Only a colour of the base, or a wild, adds anything.
            fits = kind == WILD
            for row in range(min(s.row + 1, s.rows)):
                fits = fits or s.card[base_slot(row, column)] == kind
            if not fits:
                continue
            adds = share * (column_value(s, seat, column, kind, kinds, False) - plain[column])
            for place in range(COLUMNS):
                if s.card[side_slot(seat, s.row, place)] == kind:
                    gain[place, column] = adds
            gain[COLUMNS, column] += kinds[kind] * adds
    return gain


@rule
def best_order(gain: NDArray[np.float64], swapped: int, columns: int) -> tuple[int, float]:
    """The best way to lay the hand if the cards of a mask are replaced by unseen ones, and what it adds."""
    best, best_found = 0, NOWHERE
    for order in range(len(ORDERS)):
        if columns < COLUMNS and not keeps_unplayed_places(order, columns):
            continue
        found = 0.0
        for place in range(COLUMNS):
            line = COLUMNS if includes(swapped, place) else place
            found += gain[line, ORDERS[order, place]]
        if found > best_found:
            best, best_found = order, found
    return best, best_found


@rule
def best_column(s: RevealPosition, seat: int, kinds: Floats) -> int:
    """The column with the most points on average."""
    best, best_found = 0, NOWHERE
    for column in range(s.columns):
        found = column_value(s, seat, column, -1, kinds, True)
        # Rather stay than move for nothing.
        if s.choice[seat] == column:
            found += 1e-9
        if found > best_found:
            best, best_found = column, found
    return best


@rule
def greedy(s: RevealPosition, seat: int, q: NDArray[np.uint64]) -> int:
    """The action that looks best at once."""
    if s.phase == Phase.SCORING:
        return Act.CONTINUE
    kinds = unseen_kind_chances(s, seat)
    if s.phase != Phase.FINAL:
        gain = placement_gains(s, seat, kinds)
        return best_swap(s, gain) if s.phase == Phase.SWAP else Act.PLACE + best_order(gain, 0, s.columns)[0]
    column = best_column(s, seat, kinds)
    if s.opt.final_mode == FinalMode.SEALED:
        return Act.CHOOSE + column
    if s.choice[seat] == column:
        return Act.CONFIRM
    return (Act.CHOOSE_CONFIRM if s.opt.final_mode == FinalMode.ALTERNATE else Act.CHOOSE) + column


@rule
def best_swap(s: RevealPosition, gain: NDArray[np.float64]) -> int:
    """The cards to throw away: those that add less than unseen ones would."""
    one_by_one = s.opt.swap_batch == SwapBatch.NO
    most = 1 if one_by_one else s.row + 1
    best, best_found = 0, best_order(gain, 0, s.columns)[1]
    for places in range(1, 1 << s.columns):
        count = SWAP_COUNTS[places]
        if count > most:
            continue
        # An unseen card may still choose its column: it is worth a little more than its average.
        found = best_order(gain, places, s.columns)[1] - WORTH_SWAPPING * count
        if found > best_found:
            best, best_found = places, found
    return Act.STOP if best == 0 and one_by_one else Act.SWAP + best


def reason(view: View, seat: int, action: int) -> str:
    """Why the greedy bot likes an action, in words."""
    s = record(view, RevealPosition)
    if s.phase == Phase.SCORING:
        return ""
    kinds = unseen_kind_chances(s, seat)
    if s.phase == Phase.FINAL:
        column = s.choice[seat] if action == Act.CONFIRM else column_of(action)
        found = column_value(s, seat, column, -1, kinds, True)
        return _("by a quick count, this column brings {points} points", points=decimal(round(found, 1), 1))
    if s.phase == Phase.SWAP:
        if action in (Act.STOP, Act.SWAP):
            return _("by a quick count, no unseen card would add more")
        return _("by a quick count, unseen cards add more on average than the ones you swap")
    gain = placement_gains(s, seat, kinds)
    order = ORDERS[action - Act.PLACE].tolist()
    best = max(range(s.columns), key=lambda place: gain[place, order[place]])
    card, where = card_subject(int(s.card[side_slot(seat, s.row, best)])), column_adjective(order[best])
    return _("by a quick count, {card} adds most in the {side} column", card=card, side=where)


POLICY = Policy(greedy, reason)
