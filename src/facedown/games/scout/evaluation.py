"""What a round of SCOUT is worth: how likely its end leaves a seat to take the first place."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from facedown.bots.win_probability import HALF, first_place, lead_for
from facedown.core.bot import Evaluation
from facedown.core.chance import quick_below
from facedown.core.rule import rule
from facedown.core.state import RUNNING, Floats, Ints, View, record
from facedown.games.scout.policy import (
    CARD_COST,
    CARD_HASTE,
    ROOM,
    fewest_elsewhere,
    hand_cost,
    read_hand,
    scouted,
    with_card,
)
from facedown.games.scout.rules import (
    CONTINUE,
    FLIP,
    KEEP,
    PLACES,
    SCOUT,
    SCOUT_AND_SHOW,
    SHOW,
    rounds,
    shows,
)
from facedown.games.scout.sets import can_show
from facedown.games.scout.state import FLIPPING, MAX_HAND, MAX_SET, SCORING, SHOWING, ScoutPosition, base

#: Points by which seats differ after a round, about; a lead of so many makes the first place 2.7 times as likely.
SPREAD = 5.0
#: The round just played counts for so much by itself.
ROUND = 0.5
#: A card is scouted from the left or the right, as it lies or turned.
WAYS = 4


@rule
def round_is_terminal(s: ScoutPosition) -> bool:
    """A round is decided when it is scored."""
    return s.phase == SCORING


@rule
def evaluate(s: ScoutPosition, out: Floats) -> None:
    """Each seat's share of the first place: by the round's points and by the totals, by how much is still to come."""
    seats = s.seats
    best = -10_000
    for seat in range(seats):
        best = max(best, s.total[seat])
    scale = SPREAD * np.sqrt(rounds(s) - s.round_number + 0.5)
    whole = 0.0
    here = 0.0
    winners = 0
    for seat in range(seats):
        whole += np.exp((s.total[seat] - best) / scale)
        here += np.exp(s.score[seat] / SPREAD)
        winners += s.total[seat] == best
    for seat in range(seats):
        first = np.exp((s.total[seat] - best) / scale) / whole
        if s.over != RUNNING:
            out[seat] = 1.0 / winners if s.total[seat] == best else 0.0
        else:
            out[seat] = (1.0 - ROUND) * first + ROUND * np.exp(s.score[seat] / SPREAD) / here


# --- which moves are worth a thought ---------------------------------------------------------------------------------

#: Of the places for a scouted card the best few are tried, for each end of the Active Set and each way up.
PLACES_TRIED = 3


@rule
def costs_after(s: ScoutPosition, seat: int, costs: Floats) -> None:
    """Compiled entry: what the hand costs (`policy.hand_cost`) after each way to scout a card."""
    row = np.empty(ROOM, np.int64)
    longer = np.empty(ROOM, np.int64)
    best = np.empty(ROOM, np.float64)
    cards = read_hand(s, seat, 0, row)
    card_cost = CARD_COST + CARD_HASTE / (1.0 + fewest_elsewhere(s, seat))
    for way in range(WAYS):
        up = scouted(s, way)
        for place in range(cards + 1):
            with_card(row, cards, place, up, longer)
            costs[way * PLACES + place] = hand_cost(longer, cards + 1, card_cost, best)


def promising(view: View, seat: int, legal: Sequence[int]) -> list[int]:
    """All Shows; of the Scouts those that put the card where the hand is cheapest, as a search has no time for all."""
    if not any(SCOUT <= action < KEEP for action in legal):
        return list(legal)
    costs = np.full(WAYS * PLACES, np.inf)
    costs_after(record(view, ScoutPosition), seat, costs)
    kept: dict[int, list[int]] = {}
    # Scouts and Scouts and Shows alike, by end and way up.
    for action in sorted((a for a in legal if SCOUT <= a < KEEP), key=lambda a: costs[(a - SCOUT) % (WAYS * PLACES)]):
        kept.setdefault((action - SCOUT) // PLACES, []).append(action)
    scouts = {action for group in kept.values() for action in group[:PLACES_TRIED]}
    return [action for action in legal if action in scouts or not SCOUT <= action < KEEP]


# --- the rollout policy ------------------------------------------------------------------------------------

#: A hand is as good as the sum of its sets' lengths to the power of two; a match is a little better than a run.
MATCH_BONUS = 1
#: Of so many chances to Scout and Show one is taken where no plain Show is possible.
AND_SHOW = 2


@rule
def value_of(row: Ints, cards: int) -> int:
    """How good a row of numbers is as a hand: long sets count with their length squared."""
    total = 0
    place = 0
    while place < cards:
        end = place
        step = 0
        if place + 1 < cards:
            step = row[place + 1] - row[place]
            if -1 <= step <= 1:
                end += 1
                while end + 1 < cards and row[end + 1] - row[end] == step:
                    end += 1
        length = end - place + 1
        total += length * length
        if length > 1 and step == 0:
            total += MATCH_BONUS
        place = end + 1
    # Every card more is a point less.
    return total - 2 * cards


@rule
def without(row: Ints, cards: int, place: int, length: int, rest: Ints) -> int:
    """What the hand is worth without a slice."""
    n = 0
    for i in range(cards):
        if i < place or i >= place + length:
            rest[n] = row[i]
            n += 1
    return value_of(rest, n)


@rule
def best_show(s: ScoutPosition, seat: int, row: Ints, q: NDArray[np.uint64]) -> int:
    """The Show that leaves the best hand for the cards it sheds and wins, or -1 if nothing beats the Active Set."""
    cards = s.hand[seat]
    found = np.empty(MAX_HAND * MAX_SET, np.int32)
    n = shows(s, seat, found)
    rest = np.empty(MAX_HAND + 1, np.int64)
    best = -1
    best_value = -10_000
    ties = 0
    for i in range(n):
        place = found[i] // MAX_SET
        length = found[i] % MAX_SET + 1
        # Cards that leave the hand no longer cost anything, and long sets are hard to beat.
        value = without(row, cards, place, length, rest) + 3 * length
        if length == cards:
            value += 1000
        if value > best_value:
            best = SHOW + found[i]
            best_value = value
            ties = 1
        elif value == best_value:
            ties += 1
            if quick_below(q, ties) == 0:
                best = SHOW + found[i]
    return best


@rule
def best_scout(s: ScoutPosition, seat: int, row: Ints, q: NDArray[np.uint64]) -> int:
    """The Scout that makes the best hand, as a way to take a card and a place."""
    cards = s.hand[seat]
    longer = np.empty(MAX_HAND + 1, np.int64)
    best = 0
    best_value = -10_000
    ties = 0
    for right in range(2 if s.active > 1 else 1):
        for turn in range(2):
            up = scouted(s, 2 * right + turn)
            for place in range(cards + 1):
                for i in range(place):
                    longer[i] = row[i]
                longer[place] = up
                for i in range(place, cards):
                    longer[i + 1] = row[i]
                value = value_of(longer, cards + 1)
                way = (2 * right + turn) * PLACES + place
                if value > best_value:
                    best = way
                    best_value = value
                    ties = 1
                elif value == best_value:
                    ties += 1
                    if quick_below(q, ties) == 0:
                        best = way
    return best


@rule
def shows_after(s: ScoutPosition, seat: int, row: Ints, way: int) -> bool:
    """Could the seat show after this Scout? Looked at on the cards alone: a set through the new card must beat it."""
    place = way % PLACES
    cards = s.hand[seat]
    if s.active == 1:
        return True
    up = scouted(s, way // PLACES)
    longest = 1
    for step in range(-1, 2):
        left = place
        while left > 0 and row[left - 1] == up - step * (place - left + 1):
            left -= 1
        end = place
        while end < cards and row[end] == up + step * (end - place + 1):
            end += 1
        longest = max(longest, end - left + 1)
    # One card more than what is left of the Active Set beats it for sure.
    return longest >= s.active


@rule
def rollout_policy(s: ScoutPosition, seat: int, q: NDArray[np.uint64]) -> int:
    """A quick, sensible move: the hand the better way up, good Shows, and else the card that fits best."""
    if s.phase == SCORING:
        return CONTINUE
    row = np.empty(MAX_HAND + 1, np.int64)
    if s.phase == FLIPPING:
        cards = read_hand(s, seat, 0, row)
        kept = value_of(row, cards)
        read_hand(s, seat, 1, row)
        return FLIP if value_of(row, cards) > kept else KEEP
    cards = read_hand(s, seat, 0, row)
    show = -1
    if can_show(s, base(s, seat), cards, s.strength):
        show = best_show(s, seat, row, q)
    if show >= 0 or s.phase == SHOWING:
        return show
    way = best_scout(s, seat, row, q)
    if s.marker[seat] == 1 and shows_after(s, seat, row, way) and quick_below(q, AND_SHOW) == 0:
        return SCOUT_AND_SHOW + way
    return SCOUT + way


# --- the match --------------------------------------------------------------------------------------------------------


def win_probability(view: View, seat: int, value: float) -> float:
    """The highest total wins after the last round; a round counts by the points that it puts a seat ahead."""
    s = record(view, ScoutPosition)
    left = rounds(s) - s.round_number
    if left <= 0:
        # The last round's worth is the first place itself.
        return value
    totals = [s.total[one] for one in range(s.seats)]
    scale = SPREAD * math.sqrt(left + HALF)

    def match(lead: float) -> float:
        return first_place([total + (lead if one == seat else 0.0) for one, total in enumerate(totals)], seat, scale)

    def here(lead: float) -> float:
        return first_place([lead if one == seat else 0.0 for one in range(len(totals))], seat, SPREAD)

    return match(lead_for(value, lambda lead: (1 - ROUND) * match(lead) + ROUND * here(lead), 12 * SPREAD))


EVALUATION = Evaluation(
    round_is_terminal=round_is_terminal,
    evaluate=evaluate,
    rollout_policy=rollout_policy,
    promising=promising,
    win_probability=win_probability,
)
