"""Evaluation of SCOUT rounds: the probability that the end of a round leads a seat to the first place."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from facedown.bots.win_probability import EXPECTED_REMAINING_ROUND, first_place, lead_for
from facedown.core.bot import Evaluation
from facedown.core.random_numbers import quick_below
from facedown.core.rule import rule
from facedown.core.state import RUNNING, Floats, Ints, View, record
from facedown.games.scout.bots.policy import (
    HAND_BUFFER_SIZE,
    MOST_SHOWS,
    build_hand,
    cost_with,
    insert_card,
    longest_set_from,
    read_hand,
    remove_cards,
)
from facedown.games.scout.legal_actions import (
    PER_CARD,
    PLACES,
    WAYS,
    Act,
    legal_shows,
    makes_set,
    scouted_number,
    ways_to_scout,
)
from facedown.games.scout.state import MAX_SET, Phase, ScoutPosition, hand_start, rounds_of

#: Scale of point differences after a round: a lead of this many points makes the first place 2.7 times as likely.
SPREAD = 5.0
#: Weight of the points of the current round in the evaluation; the rest is the weight of the totals.
ROUND = 0.5


@rule
def round_is_terminal(s: ScoutPosition) -> bool:
    """Return whether the round is scored, so that a rollout stops here."""
    return s.phase == Phase.SCORING


@rule
def evaluate(s: ScoutPosition, out: Floats) -> None:
    """Write to `out` each seat's share of the first place.

    It combines the seat's points in this round with its total. The more rounds are left, the less a lead in the totals
    counts. After the match the share is 1 divided by the number of winners for each winner, and 0 for the others.
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

#: Number of places tried for a scouted card, for each end of the Active Set and each way up.
PLACES_TRIED = 3


@rule
def write_scout_costs(s: ScoutPosition, seat: int, costs: Floats) -> None:
    """Write to `costs`, by way * `PLACES` + place, the cost of the hand (`policy.hand_cost`) after each Scout.

    Entry point for callers outside compiled code.
    """
    hand = build_hand(s, seat)
    for way in range(WAYS):
        up = scouted_number(s, way)
        for place in range(s.hand[seat] + 1):
            costs[way * PLACES + place] = cost_with(hand, place, up)


def promising(view: View, seat: int, legal: Sequence[int]) -> list[int]:
    """Return the legal actions that a search should try: all except Scouts that leave an expensive hand.

    The Scouts are limited because a search has no time for all of them.
    """
    scouts = [action for action in legal if Act.SCOUT <= action < Act.KEEP]
    if not scouts:
        return list(legal)
    costs = np.full(WAYS * PLACES, np.inf)
    write_scout_costs(record(view, ScoutPosition), seat, costs)
    # Scouts and Scout-and-Shows are grouped separately, by end and way up.
    kept: dict[int, list[int]] = {}
    for action in sorted(scouts, key=lambda action: costs[(action - Act.SCOUT) % (WAYS * PLACES)]):
        kept.setdefault((action - Act.SCOUT) // PLACES, []).append(action)
    poor = {action for group in kept.values() for action in group[PLACES_TRIED:]}
    return [action for action in legal if action not in poor]


# --- the rollout policy ------------------------------------------------------------------------------------

#: Bonus for a match in the value of a hand, whose sets count with their length squared.
MATCH_BONUS = 1
#: One in this many possible Scout and Shows is played, if no plain Show is possible.
AND_SHOW = 2


@rule
def hand_value(row: Ints, cards: int) -> int:
    """Return the value of the first `cards` numbers of `row` as a hand.

    The hand is divided into its longest sets. Each counts with its length squared.
    """
    total = 0
    place = 0
    while place < cards:
        length, step = longest_set_from(row, cards, place)
        total += length * length
        if length > 1 and step == 0:
            total += MATCH_BONUS
        place += length
    # Two points are subtracted for each card, so that a single card counts −1.
    return total - 2 * cards


@rule
def best_show(s: ScoutPosition, seat: int, row: Ints, q: NDArray[np.uint64]) -> int:
    """Return the Show with the best sum of the remaining hand and the cards shown, or -1 if none is legal.

    `row` has the numbers of the hand, and `q` is the generator that breaks ties.
    """
    cards = s.hand[seat]
    found = np.empty(MOST_SHOWS, np.int32)
    rest = np.empty(HAND_BUFFER_SIZE, np.int64)
    best, best_value, ties = -1, -10_000, 0
    for i in range(legal_shows(s, seat, found)):
        place = found[i] // MAX_SET
        length = found[i] % MAX_SET + 1
        # Each card shown is worth 3: it is out of the hand, and long sets are hard to beat.
        value = hand_value(rest, remove_cards(row, cards, place, place + length, rest)) + 3 * length
        if length == cards:
            value += 1000
        if value >= best_value:
            ties = ties + 1 if value == best_value else 1
            if ties == 1 or quick_below(q, ties) == 0:
                best, best_value = found[i], value
    return best


@rule
def best_scout(s: ScoutPosition, seat: int, row: Ints, q: NDArray[np.uint64]) -> int:
    """Return the Scout that makes the best hand, as way * `PLACES` + place.

    `row` has the numbers of the hand, and `q` is the generator that breaks ties.
    """
    cards = s.hand[seat]
    longer = np.empty(HAND_BUFFER_SIZE, np.int64)
    best, best_value, ties = 0, -10_000, 0
    for way in range(ways_to_scout(s)):
        up = scouted_number(s, way)
        for place in range(cards + 1):
            insert_card(row, cards, place, up, longer)
            value = hand_value(longer, cards + 1)
            if value >= best_value:
                ties = ties + 1 if value == best_value else 1
                if ties == 1 or quick_below(q, ties) == 0:
                    best, best_value = way * PLACES + place, value
    return best


@rule
def can_show_after_scout(s: ScoutPosition, seat: int, way: int) -> bool:
    """Return whether after this Scout the seat can show a set that contains the new card.

    `way` is the way to scout * `PLACES` + the place. The set must have as many cards as the Active Set has before the
    Scout, because it then beats whatever is left.
    """
    beat = PER_CARD * s.active - 1
    return makes_set(s, hand_start(s, seat), s.hand[seat], way % PLACES, scouted_number(s, way // PLACES), beat)


@rule
def rollout_policy(s: ScoutPosition, seat: int, q: NDArray[np.uint64]) -> int:
    """Return a quick, sensible action for rollouts; `q` is the generator of random choices.

    It chooses the better way up of the hand, then the best Show, or the best Scout if no Show is legal.
    """
    if s.phase == Phase.SCORING:
        return Act.CONTINUE
    row = np.empty(HAND_BUFFER_SIZE, np.int64)
    cards = read_hand(s, seat, 0, row)
    if s.phase == Phase.FLIP:
        kept = hand_value(row, cards)
        read_hand(s, seat, 1, row)
        return Act.FLIP if hand_value(row, cards) > kept else Act.KEEP
    choice = best_show(s, seat, row, q)
    if choice >= 0 or s.phase == Phase.SHOW:
        return choice
    way = best_scout(s, seat, row, q)
    if s.marker[seat] == 1 and can_show_after_scout(s, seat, way) and quick_below(q, AND_SHOW) == 0:
        return Act.SCOUT_AND_SHOW + way
    return Act.SCOUT + way


# --- the match --------------------------------------------------------------------------------------------------------


def win_probability(view: View, seat: int, value: float) -> float:
    """Return the probability that a seat wins the match if the current round is worth `value` to it.

    The value is converted to a lead in points, which is added to the seat's total. After the last round it is returned
    unchanged.
    """
    s = record(view, ScoutPosition)
    left = rounds_of(s) - s.round_number
    if left <= 0:
        # After the last round the value is already the share of the first place.
        return value
    totals = [s.total[one] for one in range(s.seats)]
    scale = SPREAD * math.sqrt(left + EXPECTED_REMAINING_ROUND)

    def match(lead: float) -> float:
        return first_place([total + (lead if one == seat else 0.0) for one, total in enumerate(totals)], seat, scale)

    def here(lead: float) -> float:
        return first_place([lead if one == seat else 0.0 for one in range(len(totals))], seat, SPREAD)

    return match(lead_for(value, lambda lead: (1 - ROUND) * match(lead) + ROUND * here(lead), 12 * SPREAD))


EVALUATION = Evaluation(
    round_is_terminal, evaluate, rollout_policy, promising=promising, win_probability=win_probability
)
