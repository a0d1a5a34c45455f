"""Greedy policy of Reveal: place, swap and choose so that the most cards count in one column.

A column has base cards, which belong to neither player. One of them is the *root*: cards of its colour count, and wild
cards always count. The policy takes the root for which the expected number of counting cards is highest. A known card
adds 1 to this number if it counts, else 0. An unseen card adds the chance that it counts.

* Hand cards are placed where they add the most.
* A hand card is swapped if an unseen card is expected to add more.
* In the final round, the column with the highest expected points is chosen.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facedown.core.bit_masks import includes
from facedown.core.bot import Policy
from facedown.core.hidden_cards import knows
from facedown.core.rule import rule
from facedown.core.state import EMPTY, Floats, View, cast_record
from facedown.core.translation import decimal
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
    matches_root,
    side_slot,
)

#: Factors by which a card that the other player has placed is likelier to count in its column than a random unseen
#: card. They are above 1, because players place cards where they count. They were measured in 4000 matches of this bot
#: against itself.
#: * First index: the other player has chosen no column yet, this column, or another one.
#: * Second index: 1, 2 or 3 base cards count.
OPPONENT_MATCH_FACTORS = np.array([(1.65, 2.5, 3.3), (2.2, 3.4, 4.0), (1.45, 1.65, 1.1)])
UNDECIDED, CHOSEN, ELSEWHERE = range(3)
MOST_LIKELY = 0.95
#: Assumed chance that a seat will still place a card that counts on its own side of a column if it has none there yet.
#: Only with such a card can the cards on the other player's side count.
OPENS_LATER = 0.6
#: Only one column is scored in the end, so columns worse than the best one have less weight. If n fewer cards are
#: expected to count in a column than in the best one, its weight is 1 / (1 + `BEHIND_PENALTY` × n).
BEHIND_PENALTY = 0.8
#: The policy swaps cards only if the expected number of cards that count rises by more than this for each swapped card.
WORTH_SWAPPING = 0.02
NOWHERE = -1.0


@rule
def unseen_kind_chances(s: RevealPosition, seat: int) -> NDArray[np.float64]:
    """Return, for each kind of card, the chance that a card which the seat has not seen is of this kind.

    The array is indexed by kind (index of a colour, or `WILD`).
    """
    kinds = np.empty(KINDS, np.float64)
    unseen = 0.0
    for kind in range(KINDS):
        kinds[kind] = s.opt.copies[kind]
        unseen += kinds[kind]
    # In a small layout there are empty slots between the cards, so all slots must be searched.
    for slot in range(s.cards if s.opt.layout == Layout.FULL else SLOTS):
        if knows(s, slot, seat) and s.card[slot] != EMPTY:
            kinds[s.card[slot]] -= 1.0
            unseen -= 1.0
    for kind in range(KINDS):
        kinds[kind] /= max(unseen, 1.0)
    return kinds


@rule
def column_value(s: RevealPosition, seat: int, column: int, extra: int, kinds: Floats, exact: bool) -> float:
    """Return the value of a column for a seat, with the root (base card whose colour counts) that is best for the seat.

    * `extra`: the kind (index of a colour, or `WILD`) of one more card that is placed there, or -1 for none.
    * `kinds`: for each kind, the chance that an unseen card is of this kind.
    * `exact`: True if all rows have been placed. Then the value is the expected number of points; otherwise it is the
      expected number of cards that count.
    """
    # The constant `ROWS` tells the compiler an upper limit for the loops over rows.
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
            base += matches_root(s.card[base_slot(row, column)], root)
        own = 0
        for row in range(laid):
            own += matches_root(s.card[side_slot(seat, row, column)], root)
        own += matches_root(extra, root)
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
    """Return the chance that cards on the other player's side of a column can count for a seat.

    They can count once a card on the seat's own side of the column counts. With ``final_unlocks=yes``, it is also
    enough if the seat's Final Card counts.

    * `own`: the number of cards on the seat's own side that count already.
    * `chance`: the chance that an unseen card counts.
    """
    if own > 0:
        return 1.0
    later = OPENS_LATER if s.row < s.rows - 1 else 0.0
    return max(later, chance) if s.opt.final_unlocks == FinalUnlocks.YES else later


@rule
def expected_column_points(
    s: RevealPosition, base: int, own: int, final_card_chance: float, across_card_chance: float
) -> float:
    """Return the expected points of a column for a seat after all rows have been placed.

    * `base`: the number of base cards that count.
    * `own`: the number of cards on the seat's own side that count.
    * `final_card_chance`: the probability that the seat's Final Card counts.
    * `across_card_chance`: the probability that a card on the other player's side of the column has the scoring colour
      or is wild.

    Cards on the other player's side count only if a card on the seat's own side counts. With ``final_unlocks=yes``, it
    is also enough if the seat's Final Card counts.
    """
    if own > 0:
        return expected_points(s.rows, base + own, final_card_chance, across_card_chance)
    if s.opt.final_unlocks == FinalUnlocks.NO:
        return expected_points(s.rows, base, final_card_chance, 0.0)
    shut = base if base >= MINIMUM else 0
    return (
        final_card_chance * expected_points(s.rows, base + 1, 0.0, across_card_chance)
        + (1.0 - final_card_chance) * shut
    )


@rule
def expected_points(across_cards: int, sure: int, final_card_chance: float, across_card_chance: float) -> float:
    """Return the expected points of a column: 1 for each card that counts, but 0 if fewer than `MINIMUM` cards count.

    * `across_cards`: the number of cards on the other player's side of the column, at most 3.
    * `sure`: the number of cards that count for certain.
    * `final_card_chance`: the probability that the seat's Final Card counts.
    * `across_card_chance`: the probability that any one card on the other player's side of the column counts.
    """
    total = 0.0
    for more in range(across_cards + 1):
        ways = 1.0 if more in (0, across_cards) else float(across_cards)
        chance = ways * across_card_chance**more * (1.0 - across_card_chance) ** (across_cards - more)
        for last in range(2):
            count = sure + more + last
            if count >= MINIMUM:
                total += chance * (final_card_chance if last == 1 else 1.0 - final_card_chance) * count
    return total


@rule
def placement_gains(s: RevealPosition, seat: int, kinds: Floats) -> NDArray[np.float64]:
    """Return how much each hand card is worth in each column, as an array ``gain[place, column]``.

    The gain is the increase in the expected number of cards that count (score points) in the column, if the card is
    placed there. Only one column is scored in the end. So the gain is reduced (`BEHIND_PENALTY`) in a column in which
    fewer cards are expected to count than in the best one.

    * `place`: the card's place in the hand, 0 to 2. The extra place `COLUMNS` (3) stands for an average unseen card.
    * `kinds`: for each kind (index of a colour, or `WILD`), the chance that an unseen card is of this kind.
    """
    gain = np.zeros((COLUMNS + 1, COLUMNS), np.float64)
    plain = np.empty(COLUMNS, np.float64)
    best = 0.0
    for column in range(s.columns):
        plain[column] = column_value(s, seat, column, -1, kinds, False)
        best = max(best, plain[column])
    for column in range(s.columns):
        share = 1.0 / (1.0 + BEHIND_PENALTY * (best - plain[column]))
        for kind in range(KINDS):
            # Only wilds and cards of a base card's colour can count in this column.
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
def best_placement_order(gain: NDArray[np.float64], swapped: int, columns: int) -> tuple[int, float]:
    """Return the best assignment of the hand cards to the columns, as (index in `ORDERS`, total gain).

    * `gain`: what each hand card adds to each column, as ``gain[place, column]`` (the result of `placement_gains`).
    * `swapped`: a bit mask of places in the hand. The cards at these places are to be swapped, so each of them is
      valued as an average unseen card.
    * `columns`: the number of columns in the layout.
    """
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
    """Return the column with the highest expected points for a seat.

    `kinds` has, by kind (index of a colour, or `WILD`), the chance that an unseen card is of this kind.
    """
    best, best_found = 0, NOWHERE
    for column in range(s.columns):
        found = column_value(s, seat, column, -1, kinds, True)
        # A small bonus for the column chosen already prevents changes that gain nothing.
        if s.choice[seat] == column:
            found += 1e-9
        if found > best_found:
            best, best_found = column, found
    return best


@rule
def greedy(s: RevealPosition, seat: int, q: NDArray[np.uint64]) -> int:
    """Return the action of the greedy policy for a seat that is to act.

    The choice uses only what the seat knows. `q`, the state of the fast random number generator, is not used.
    """
    if s.phase == Phase.SCORING:
        return Act.CONTINUE
    kinds = unseen_kind_chances(s, seat)
    if s.phase != Phase.FINAL:
        gain = placement_gains(s, seat, kinds)
        return best_swap(s, gain) if s.phase == Phase.SWAP else Act.PLACE + best_placement_order(gain, 0, s.columns)[0]
    column = best_column(s, seat, kinds)
    if s.opt.final_mode == FinalMode.SEALED:
        return Act.CHOOSE + column
    if s.choice[seat] == column:
        return Act.CONFIRM
    return (Act.CHOOSE_CONFIRM if s.opt.final_mode == FinalMode.ALTERNATE else Act.CHOOSE) + column


@rule
def best_swap(s: RevealPosition, gain: NDArray[np.float64]) -> int:
    """Return the best swap action: exchange the hand cards that are worth less than an average unseen card.

    ``gain[place, column]`` is the worth of the hand card at `place` in a column. The place `COLUMNS` stands for an
    average unseen card (`placement_gains`).

    The worth of a hand is the sum of these gains when its cards are placed in the best way. After a swap, each swapped
    card is valued as an average unseen card, and `WORTH_SWAPPING` is subtracted for it. The swap with the highest
    result is chosen. If no swap is better than keeping all cards, the action is `SWAP` without cards or, with
    ``swap_batch=no``, `STOP`.
    """
    one_by_one = s.opt.swap_batch == SwapBatch.NO
    most = 1 if one_by_one else s.row + 1
    best, best_found = 0, best_placement_order(gain, 0, s.columns)[1]
    for places in range(1, 1 << s.columns):
        count = SWAP_COUNTS[places]
        if count > most:
            continue
        # The estimate of the gain is a little too low: the drawn card counts as an average card in one column. But once
        # the card is known, it can be placed in its best column.
        found = best_placement_order(gain, places, s.columns)[1] - WORTH_SWAPPING * count
        if found > best_found:
            best, best_found = places, found
    return Act.STOP if best == 0 and one_by_one else Act.SWAP + best


def reason(view: View, seat: int, action: int) -> str:
    """Return a phrase that explains to the player at `seat` why the greedy policy chooses an action.

    It is based on the estimates of this policy. The phrase is empty after the hand has been scored.
    """
    s = cast_record(view, RevealPosition)
    if s.phase == Phase.SCORING:
        return ""
    kinds = unseen_kind_chances(s, seat)
    if s.phase == Phase.FINAL:
        column = s.choice[seat] if action == Act.CONFIRM else column_of(action)
        found = column_value(s, seat, column, -1, kinds, True)
        return _("at a rough estimate, this column is worth {points} points", points=decimal(round(found, 1), 1))
    if s.phase == Phase.SWAP:
        if action in (Act.STOP, Act.SWAP):
            return _("at a rough estimate, unseen cards are worth no more on average than yours")
        return _("at a rough estimate, unseen cards are worth more on average than the ones you swap")
    gain = placement_gains(s, seat, kinds)
    order = ORDERS[action - Act.PLACE].tolist()
    best = max(range(s.columns), key=lambda place: gain[place, order[place]])
    card, where = card_subject(int(s.card[side_slot(seat, s.row, best)])), column_adjective(order[best])
    return _("at a rough estimate, {card} adds the most points in the {side} column", card=card, side=where)


POLICY = Policy(greedy, reason)
