"""Evaluation of SCOUT: a fast policy for rollouts, and estimates of each seat's probability of winning the match.

A rollout simulates the rest of the current round.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from facedown.bots.win_probability import EXPECTED_REMAINING_ROUND, find_lead_with_value, first_place_probability
from facedown.core.bot import Evaluation
from facedown.core.random_numbers import quick_randint
from facedown.core.rule import rule
from facedown.core.state import RUNNING, Floats, Ints, View, cast_record
from facedown.games.scout.bots.policy import (
    HAND_BUFFER_SIZE,
    MOST_SHOWS,
    build_hand,
    copy_with_card_inserted,
    copy_without_cards,
    hand_cost_with_card,
    longest_set_length_and_step,
    write_hand_numbers,
)
from facedown.games.scout.legal_actions import (
    PER_CARD,
    PLACES,
    WAYS,
    Act,
    card_makes_stronger_set,
    legal_shows,
    scout_way_count,
    scouted_number,
)
from facedown.games.scout.state import MAX_SET, Phase, ScoutPosition, hand_start, rounds_of

#: Scale of point differences after a round, in points. A seat that is ahead of another by this many points is e (2.7)
#: times as likely to win.
SPREAD = 5.0
#: Weight, from 0 to 1, of the points of the current round in the evaluation. The totals have the weight 1 - `ROUND`.
ROUND = 0.5


@rule
def round_is_terminal(s: ScoutPosition) -> bool:
    """Return whether the round has been scored.

    A rollout stops at such a position, because later rounds say nothing about moves in this one.
    """
    return s.phase == Phase.SCORING


@rule
def evaluate(s: ScoutPosition, out: Floats) -> None:
    """Write the value of a position for each seat to `out`, from 0 to 1. The values of all seats add up to 1.

    The round must have been scored. If the match is over, the winners share the value 1 equally, and all other seats
    have 0. Otherwise the value is a weighted mean of two estimates:

    * the probability of winning the match, estimated from the total points. The more rounds are left, the less a lead
      in total points counts.
    * the probability of winning if only the points of this round counted. This estimate has the weight `ROUND`.
    """
    best = -10_000
    for seat in range(s.seats):
        best = max(best, s.total[seat])
    scale = SPREAD * np.sqrt(rounds_of(s) - s.round_number + 0.5)
    whole, here, winners = 0.0, 0.0, 0
    for seat in range(s.seats):
        whole += np.exp((s.total[seat] - best) / scale)
        here += np.exp(s.score[seat] / SPREAD)
        winners += s.total[seat] == best
    for seat in range(s.seats):
        first = np.exp((s.total[seat] - best) / scale) / whole
        if s.over != RUNNING:
            out[seat] = 1.0 / winners if s.total[seat] == best else 0.0
        else:
            out[seat] = (1.0 - ROUND) * first + ROUND * np.exp(s.score[seat] / SPREAD) / here


# --- actions that a search tries --------------------------------------------------------------------------------------

#: Number of places in the hand that a search tries for a scouted card, for each end of the Active Set and each way up.
PLACES_TRIED = 3


@rule
def write_hand_costs_after_scouts(s: ScoutPosition, seat: int, costs: Floats) -> None:
    """Compute the cost that a seat's hand would have after each possible Scout, and write these costs to `costs`.

    A cost is an estimate in points (`policy.hand_cost`). Lower is better. A Scout takes an end card of the set on the
    table into the hand. The cost after it is written to ``costs[way * PLACES + place]``:

    * `way` (0 to 3, see `WAYS`) says which end card is taken and whether it is turned the other way up.
    * `place` is where this card is put into the hand: the number of cards to the left of it.

    Elements for places that the hand does not have stay unchanged.
    """
    hand = build_hand(s, seat)
    for way in range(WAYS):
        up = scouted_number(s, way)
        for place in range(s.hand[seat] + 1):
            costs[way * PLACES + place] = hand_cost_with_card(hand, place, up)


def promising_moves(view: View, seat: int, legal: Sequence[int]) -> list[int]:
    """Return the actions in `legal` that a search should try: all actions except the less promising Scouts.

    There are too many Scouts to try them all. They are grouped by three properties:

    * the kind of action (Scout, or Scout and Show);
    * the end of the Active Set (set on the table) from which the card is taken;
    * which way up the card is put into the hand.

    From each group, only `PLACES_TRIED` Scouts are returned: those after which the hand has the lowest cost. The cost
    is an estimate in points (`policy.hand_cost`), and lower is better.
    """
    scouts = [action for action in legal if Act.SCOUT <= action < Act.KEEP]
    if not scouts:
        return list(legal)
    costs = np.full(WAYS * PLACES, np.inf)
    write_hand_costs_after_scouts(cast_record(view, ScoutPosition), seat, costs)
    # The actions are grouped by kind (Scout, or Scout and Show), end of the set on the table, and whether the card is
    # turned.
    kept: dict[int, list[int]] = {}
    for action in sorted(scouts, key=lambda action: costs[(action - Act.SCOUT) % (WAYS * PLACES)]):
        kept.setdefault((action - Act.SCOUT) // PLACES, []).append(action)
    poor = {action for group in kept.values() for action in group[PLACES_TRIED:]}
    return [action for action in legal if action not in poor]


# --- the rollout policy ------------------------------------------------------------------------------------

#: Bonus for a match (set of equal numbers) in the value of a hand (`hand_value`). It is added to the square of the
#: match's length.
MATCH_BONUS = 1
#: If no Show is legal but a Scout and Show is possible, the rollout policy plays it with probability 1 / `AND_SHOW`.
AND_SHOW = 2


@rule
def hand_value(row: Ints, cards: int) -> int:
    """Return the value of the hand whose numbers are the first `cards` elements of `row`. Higher is better.

    The hand is divided into sets from left to right. Each set is as long as possible. It adds the square of its length
    to the value, and a match (set of equal numbers) also adds `MATCH_BONUS`. Each card subtracts 2.
    """
    total = 0
    place = 0
    while place < cards:
        length, step = longest_set_length_and_step(row, cards, place)
        total += length * length
        if length > 1 and step == 0:
            total += MATCH_BONUS
        place += length
    # With a cost of 2 for each card, a single card counts 1 − 2 = −1, and longer sets count 0 or more.
    return total - 2 * cards


@rule
def best_show(s: ScoutPosition, seat: int, row: Ints, q: NDArray[np.uint64]) -> int:
    """Return the action of the best Show, or -1 if no Show is legal.

    Each Show is rated by a sum:

    * 3 points for each card that is shown;
    * the value of the hand that is left (`hand_value`);
    * 1000 points if no hand is left, because the Show then ends the round.

    `row` has the numbers in the hand before the Show. `q` is the state of the fast random number generator, which
    chooses among equally good Shows.
    """
    cards = s.hand[seat]
    found = np.empty(MOST_SHOWS, np.int32)
    rest = np.empty(HAND_BUFFER_SIZE, np.int64)
    best, best_value, ties = -1, -10_000, 0
    for i in range(legal_shows(s, seat, found)):
        place = found[i] // MAX_SET
        length = found[i] % MAX_SET + 1
        # The value of a Show is the value of the remaining hand, plus 3 for each card shown: fewer cards are left in
        # the hand, and a longer set is harder to beat. A Show of the whole hand ends the round, so it adds 1000.
        value = hand_value(rest, copy_without_cards(row, cards, place, place + length, rest)) + 3 * length
        if length == cards:
            value += 1000
        if value >= best_value:
            ties = ties + 1 if value == best_value else 1
            if ties == 1 or quick_randint(q, ties) == 0:
                best, best_value = found[i], value
    return best


@rule
def best_scout_way_and_place(s: ScoutPosition, seat: int, row: Ints, q: NDArray[np.uint64]) -> int:
    """Return the Scout that makes the best hand (`hand_value`), as the integer ``way * PLACES + place``.

    * `way` (0 to 3, see `WAYS`) says which end card of the set on the table is taken and whether it is turned the other
      way up.
    * `place` is where this card is put into the hand: the number of cards to the left of it.

    `row` has the numbers in the hand before the Scout. `q` is the state of the random generator, which chooses among
    equally good Scouts.
    """
    cards = s.hand[seat]
    longer = np.empty(HAND_BUFFER_SIZE, np.int64)
    best, best_value, ties = 0, -10_000, 0
    for way in range(scout_way_count(s)):
        up = scouted_number(s, way)
        for place in range(cards + 1):
            copy_with_card_inserted(row, cards, place, up, longer)
            value = hand_value(longer, cards + 1)
            if value >= best_value:
                ties = ties + 1 if value == best_value else 1
                if ties == 1 or quick_randint(q, ties) == 0:
                    best, best_value = way * PLACES + place, value
    return best


@rule
def can_show_scouted_card(s: ScoutPosition, seat: int, way_and_place_code: int) -> bool:
    """Return whether a seat that takes a card from the Active Set could then show a set with this card.

    The Active Set is the set on the table. To take a card from it is called a Scout. `way_and_place_code` says which
    card is taken and where it is put in the hand, as `best_scout_way_and_place` encodes it.

    The function considers only sets with at least as many cards as the Active Set before the Scout. They beat what is
    left of the Active Set, because it has one card fewer. Smaller sets are ignored, although some of them can be shown.
    """
    beat = PER_CARD * s.active - 1
    return card_makes_stronger_set(
        s,
        hand_start(s, seat),
        s.hand[seat],
        way_and_place_code % PLACES,
        scouted_number(s, way_and_place_code // PLACES),
        beat,
    )


@rule
def rollout_policy(s: ScoutPosition, seat: int, q: NDArray[np.uint64]) -> int:
    """Return an action for a rollout, chosen by simple and fast rules. `q` is the state of the random generator.

    * Before the first turn, the policy keeps or flips the hand, whichever has the higher value.
    * In a turn it takes the best Show.
    * If no Show is legal, it takes the best Scout. If a Scout and Show with the same card is possible, it takes this
      instead with probability 1 / `AND_SHOW`.
    """
    if s.phase == Phase.SCORING:
        return Act.CONTINUE
    row = np.empty(HAND_BUFFER_SIZE, np.int64)
    cards = write_hand_numbers(s, seat, 0, row)
    if s.phase == Phase.FLIP:
        kept = hand_value(row, cards)
        write_hand_numbers(s, seat, 1, row)
        return Act.FLIP if hand_value(row, cards) > kept else Act.KEEP
    choice = best_show(s, seat, row, q)
    if choice >= 0 or s.phase == Phase.SHOW:
        return choice
    way = best_scout_way_and_place(s, seat, row, q)
    if s.marker[seat] == 1 and can_show_scouted_card(s, seat, way) and quick_randint(q, AND_SHOW) == 0:
        return Act.SCOUT_AND_SHOW + way
    return Act.SCOUT + way


# --- the match --------------------------------------------------------------------------------------------------------


def win_probability(view: View, seat: int, value: float) -> float:
    """Return the estimated probability that a seat wins the match.

    `value` is the seat's mean result of `evaluate` in a search of the current round. It mixes two things: the chance of
    winning the match, and the points of this round. In the last round `value` already is the probability of winning the
    match, so it is returned unchanged. In an earlier round the two are separated:

    1. Find the lead in this round (points by which the seat is ahead) at which `evaluate` would give `value`.
    2. Add this lead to the seat's total points.
    3. Return the probability that these total points win the match (`first_place_probability`).
    """
    s = cast_record(view, ScoutPosition)
    left = rounds_of(s) - s.round_number
    if left <= 0:
        # In the last round `evaluate` already returns the probability of winning the match.
        return value
    totals = [s.total[one] for one in range(s.seats)]
    scale = SPREAD * math.sqrt(left + EXPECTED_REMAINING_ROUND)

    def match(lead: float) -> float:
        return first_place_probability(
            [total + (lead if one == seat else 0.0) for one, total in enumerate(totals)], seat, scale
        )

    def here(lead: float) -> float:
        return first_place_probability([lead if one == seat else 0.0 for one in range(len(totals))], seat, SPREAD)

    return match(find_lead_with_value(value, lambda lead: (1 - ROUND) * match(lead) + ROUND * here(lead), 12 * SPREAD))


EVALUATION = Evaluation(
    round_is_terminal, evaluate, rollout_policy, promising=promising_moves, win_probability=win_probability
)
