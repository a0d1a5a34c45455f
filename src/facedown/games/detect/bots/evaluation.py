"""Evaluation of scored rounds of Detect for search bots.

The value of a round for a seat grows linearly with the seat's lead in the round: the mean points of the other players
minus the seat's own points. It is 0.5 if the seat has no lead, 1 for a lead of `MAX_LEAD` points or more, and 0 for a
lead of ``-MAX_LEAD`` or less. In the round that ends the match, the result of the match counts as well
(`MATCH_WEIGHT`).

The module also has:

* the fast policy for rollouts (simulated play that judges a move);
* the estimate of the chance to win the match.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from facedown.bots.win_probability import (
    EXPECTED_REMAINING_ROUND,
    LOGISTIC_SLOPE,
    find_lead_with_value,
    first_place_probability,
    linear_ramp,
    logistic,
)
from facedown.core.bot import Evaluation
from facedown.core.hidden_cards import put
from facedown.core.random_numbers import quick_randint
from facedown.core.rule import rule
from facedown.core.state import EMPTY, EVERYONE, RUNNING, UNKNOWN, Floats, View, cast_record
from facedown.games.detect.bots.policy import face_up_kind
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

#: Lead over the mean of the other players, in points, at which the value of a round is 1.
MAX_LEAD = 60.0
#: Weight of winning the match. The value of the round that ends the match is `MATCH_WEIGHT` × result + (1 −
#: `MATCH_WEIGHT`) × lead.
#:
#: * The result of the match is 1 for a win and 0 for a loss.
#: * The lead in this round is scaled to the range from 0 to 1: `MAX_LEAD` points are 1, equal points are 0.5.
MATCH_WEIGHT = 0.5


@rule
def round_is_terminal(s: DetectPosition) -> bool:
    """Return whether the current round is over and has been scored.

    A rollout (simulated play that judges a move) stops here, because later rounds say nothing about moves in this one.
    """
    return s.phase == Phase.SCORING


@rule
def write_leads_over_mean_of_others(s: DetectPosition, out: Floats) -> None:
    """Write each seat's lead in points to `out`, for the round that was scored most recently.

    The lead is the mean of the other players' points minus the seat's own points, because fewer points are better.
    """
    total = 0.0
    for seat in range(s.seats):
        total += s.score[seat]
    for seat in range(s.seats):
        out[seat] = (total - s.score[seat]) / (s.seats - 1) - s.score[seat]


@rule
def evaluate(s: DetectPosition, out: Floats) -> None:
    """Write the value of a scored round for each seat to `out`, from 0 to 1.

    Fewer points are better. The value grows linearly with the seat's lead: the mean points of the other players minus
    its own points.

    * Lead `MAX_LEAD` or more: 1.
    * Lead 0: 0.5.
    * Lead ``-MAX_LEAD`` or less: 0.

    In the round that ends the match, this value is multiplied by ``1 - MATCH_WEIGHT``. The seats with the lowest total
    in the match, who win it (DET-14), then share `MATCH_WEIGHT` equally and add it to their values.
    """
    write_leads_over_mean_of_others(s, out)
    lowest = min(s.total[: s.seats])
    winners = 0
    for seat in range(s.seats):
        winners += s.total[seat] == lowest
    for seat in range(s.seats):
        value = min(1.0, max(0.0, 0.5 + out[seat] / (2.0 * MAX_LEAD)))
        if s.over != RUNNING:
            value = (1.0 - MATCH_WEIGHT) * value + (MATCH_WEIGHT / winners if s.total[seat] == lowest else 0.0)
        out[seat] = value


def equivalence_key(view: View, seat: int, action: int) -> tuple[int, ...]:
    """Return a key that is the same for two actions if they lead to equivalent positions.

    Positions are equivalent if they differ only in the order of the cells in a column, or in the order of the columns.
    """
    if action < Act.TAKE:
        one, two = PAIRS[action - Act.OPEN_PAIR] // ROWS
        return (Act.OPEN_PAIR, one == two)
    kind, cell = Act.decode(action)
    if kind not in (Act.TAKE, Act.KEEP, Act.THROW):
        return (action,)
    s = cast_record(view, DetectPosition)
    first = cell - cell % ROWS
    column = sorted(face_up_kind(s, seat, other) for other in range(first, first + ROWS))
    return (kind, face_up_kind(s, seat, cell), *column)


@rule
def standard_form(s: DetectPosition) -> None:
    """Bring the position into a standard form, in place, so that a search recognises equivalent positions as equal.

    Positions are equivalent if they differ only in the order of:

    * the cells in a column;
    * the columns in a grid;
    * the discards below the top card.

    All of these are sorted by the numbers on the cards, unknown cards last. The fields about the last action are
    cleared.

    Two phases are exceptions: `Phase.OPENING`, in which players choose two cells to flip, and `Phase.SET`, in which a
    player decides whether to remove a completed column. Nothing is sorted then, because the choice is about cells at
    certain places.
    """
    s.last_seat = -1
    s.last_column = -1
    s.last_number = 0
    s.last_out = 0
    if s.phase in (Phase.OPENING, Phase.SET):
        # In these phases the choice is about cells at certain places, so the cells must not be sorted.
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
    """Sort the cards in the slots (indices in `card`) from `first` up to, but not including, `end`.

    The lowest number comes first; unknown cards come last. The field `known`, which says who knows the card in a slot,
    is updated, too: `EVERYONE` for a card, 0 for `UNKNOWN`. This is correct for cells and discards, because each card
    there is known to all players or to none.
    """
    for i, card in enumerate(sorted(s.card[first:end])):
        put(s, first + i, card, 0 if card == UNKNOWN else EVERYONE)


# --- the rollout policy -----------------------------------------------------------------------------------------------

#: Limits of the rollout policy, as numbers on cards, for a card that completes no column. `WORTH_TAKING`: highest
#: number that it takes from the discard pile. `WORTH_KEEPING`: highest number that it puts in place of a face-down
#: card.
WORTH_TAKING = 2
WORTH_KEEPING = 4
#: The rollout policy replaces a face-up card only if the new card is lower by at least this many points.
WORTH_TRADING = 3


@rule
def choose_cell(s: DetectPosition, seat: int, kind: int, q: NDArray[np.uint64]) -> tuple[int, bool]:
    """Choose a cell for a card. Return the cell, and whether the card completes a column of equal numbers there.

    `kind` is the card's number minus `LOWEST`. `q` is the state of the fast random number generator. The following
    steps are tried in this order, and the first one that finds a cell decides:

    1. If the card's number is above 0: a cell where the card completes a column.
    2. The cell with the highest face-up card, if that card is higher than this one by `WORTH_TRADING` or more.
    3. If the card's number is at most `WORTH_KEEPING`: a random face-down cell, but only if there are at least two.

    If no step finds a cell, return (-1, False): the card should not be placed.
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
                if quick_randint(q, downs) == 0:
                    down = cell
            other = cell
        if equal == s.rows - 1 and kind + LOWEST > 0:
            return other, True
    if worst < 0 and kind + LOWEST <= WORTH_KEEPING and downs > 1:
        worst = down
    return worst, False


@rule
def rollout_policy(s: DetectPosition, seat: int, q: NDArray[np.uint64]) -> int:
    """Return a reasonable action, computed fast: place low cards, replace high ones, complete columns.

    The choice uses only what the seat knows. `q` is the state of the fast random number generator.
    """
    phase = s.phase
    if phase == Phase.OPENING:
        pair = quick_randint(q, len(PAIRS))
        while (s.outside >> PAIRS[pair, 0] | s.outside >> PAIRS[pair, 1]) & 1:
            pair = quick_randint(q, len(PAIRS))
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
    """Return one of the seat's face-down cells, each equally likely, or -1 if the seat has none.

    `q` is the state of the fast random number generator.
    """
    down = face_down_mask(s, seat)
    found, n = -1, 0
    for cell in range(CELLS):
        if down >> cell & 1:
            n += 1
            if quick_randint(q, n) == 0:
                found = cell
    return found


# --- the chance to win the match --------------------------------------------------------------------------------------

#: Two constants in points. `SPREAD` is the standard deviation of one round's points between equally strong players.
#: `MOST_IN_A_ROUND` is what a player gets in a bad round, which is not rare. It is used to estimate the smallest number
#: of rounds that are left in the match.
SPREAD = 18.0
MOST_IN_A_ROUND = 25.0


def win_probability(view: View, seat: int, value: float) -> float:
    """Return the estimated chance that `seat` wins the match, if the current round has the value `value` for this seat.

    The value is a number from 0 (worst) to 1 (best), as `evaluate` writes it for a scored round. The match ends once
    any total reaches `GOAL`. Then the lowest total wins.
    """
    s = cast_record(view, DetectPosition)
    totals = [s.total[one] for one in range(s.seats)]
    rounds = (GOAL - max(totals)) / MOST_IN_A_ROUND
    scale = SPREAD * math.sqrt(max(0.0, rounds - 1) + EXPECTED_REMAINING_ROUND) / LOGISTIC_SLOPE
    # `rounds` is an estimate of the smallest number of rounds after which a total can reach `GOAL`. So the chance that
    # the current round is the last one is estimated as logistic(4 × (1 − `rounds`)). It is 0.5 if `rounds` is 1, and
    # less than 0.02 from 2 on. The factor 4 makes it fall that fast. `last` is this chance times `MATCH_WEIGHT`: the
    # weight of the match result in `value`.
    last = logistic(4 * (1 - rounds)) * MATCH_WEIGHT

    def match(lead: float) -> float:
        return first_place_probability(
            [-total + (lead if one == seat else 0.0) for one, total in enumerate(totals)], seat, scale
        )

    return match(
        find_lead_with_value(
            value, lambda lead: (1 - last) * linear_ramp(lead, MAX_LEAD) + last * match(lead), 2 * MAX_LEAD
        )
    )


EVALUATION = Evaluation(
    round_is_terminal,
    evaluate,
    rollout_policy,
    equivalence_key,
    standard_form=standard_form,
    win_probability=win_probability,
)
