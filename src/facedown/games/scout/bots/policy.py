"""Greedy policy of SCOUT.

The policy estimates the cost of a hand, in points. A hand costs more if more turns are needed to empty it. To compute
the cost, the hand is divided into sets in the cheapest way:

* Long sets cost little, because they beat most sets when they are shown.
* Single low cards cost the most.

The value of an action, also in points, depends on the cards and coins that it wins or gives away, and on the cost of
the hand that it leaves. The policy reads only its own hand and public information.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from facedown.core.bot import Policy
from facedown.core.random_numbers import quick_randint
from facedown.core.rule import python_function, rule
from facedown.core.state import Floats, Ints, View, cast_record
from facedown.games.scout.i18n import _, n_
from facedown.games.scout.info import FACE, TURNED, TWO_PLAYERS
from facedown.games.scout.legal_actions import (
    PLACES,
    Act,
    active_strength_after_scout,
    can_scout,
    legal_shows,
    scout_way_count,
    scouted_number,
    set_bounds_with_new_card,
    strength_from_first_number,
)
from facedown.games.scout.state import MAX_HAND, MAX_SET, Phase, ScoutPosition, hand_start
from facedown.games.scout.view import hand_of, up_numbers

#: Lengths of two kinds of buffers:
#:
#: * `HAND_BUFFER_SIZE`: room for the numbers of a hand and of a scouted card, and for one element that `hand_cost`
#:   writes after them.
#: * `MOST_SHOWS`: room for all Shows of a hand: one for each place of the first card and each number of cards.
HAND_BUFFER_SIZE = MAX_HAND + 2
MOST_SHOWS = MAX_HAND * MAX_SET
#: The cost of a set in hand is `SET_COST` less `NUMBER_WORTH` times its lowest number. Both constants are indexed by
#: the number of cards in the set. If all numbers of the set are equal, `MATCH_WORTH` is subtracted as well.
SET_COST = np.array((0.0, 1.7, 1.45, 0.95, 0.45, 0.15, 0.0, 0.0, 0.0, 0.0, 0.0))
NUMBER_WORTH = np.array((0.0, 0.09, 0.04, 0.02, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
MATCH_WORTH = 0.12
#: Cost of each card in hand, in points: `CARD_COST` + `CARD_HASTE` / (1 + n). Here n is the number of cards in the
#: smallest hand of the other players.
CARD_COST = 0.22
CARD_HASTE = 1.3
#: Value of each card of a set that is shown. A set with more cards is harder to beat. So other players must scout,
#: which costs them turns and may bring coins to the owner of the set. The cards that the set wins are counted
#: separately.
SHOWN = 0.33
#: Costs of actions, in points:
#:
#: * `COIN_COST`: giving a coin to another player.
#: * `CHIP_COST`: paying a chip (with two players).
#: * `MARKER_COST`: using the seat's only Scout and Show of the round (field `marker`).
COIN_COST = 0.45
CHIP_COST = 1.2
MARKER_COST = 1.1
#: The value of ending the round is `OUT_WORTH` times the mean number of cards in the hands of the other seats.
OUT_WORTH = 0.9
NEVER = -1e9
#: Value of the step (difference from each number of a set to the next) for a single card, which has no next number.
NO_STEP = 9
#: A hand with memory for computations. The elements are:
#:
#: * the numbers that are up, from left to right;
#: * the number of cards;
#: * the cost in points that `hand_cost` adds for each card left in the hand;
#: * a buffer for the numbers of a changed hand;
#: * a buffer for `hand_cost`.
Hand = tuple[Ints, int, float, Ints, Floats]


@rule
def hand_cost(row: Ints, cards: int, card_cost: float, best: Floats) -> float:
    """Return an estimate of how many points a hand costs its owner, compared with an empty hand.

    A hand costs more if more turns are needed to empty it. It is divided into sets in the cheapest way. The cost of a
    set depends on its number of cards, its lowest number, and on whether all its numbers are equal (see `SET_COST`).
    The cost of the hand is the sum over all sets, plus `card_cost` for each card.

    * `row`: its first `cards` elements are the numbers in the hand.
    * `card_cost`: the cost of each card, in points. It is higher if another player has few cards (see `CARD_COST`).
    * `best`: a buffer. `best[i]` is set to the lowest cost of the cards from place i to the end of the hand, without
      `card_cost`.
    """
    best[cards] = 0.0
    length, step = 0, NO_STEP
    for place in range(cards - 1, -1, -1):
        # The next lines update `length` and `step` to the longest set that starts at `place`.
        ahead = row[place + 1] - row[place] if place + 1 < cards else NO_STEP
        if -1 <= ahead <= 1:
            length = length + 1 if ahead == step else 2
            step = ahead
        else:
            length, step = 1, NO_STEP
        cheapest = 1e9
        for cut in range(1, min(length, MAX_SET) + 1):
            lowest = row[place] - (cut - 1) if step == -1 else row[place]
            cost = SET_COST[cut] - NUMBER_WORTH[cut] * lowest + best[place + cut]
            if step == 0 and cut > 1:
                cost -= MATCH_WORTH
            cheapest = min(cheapest, cost)
        best[place] = cheapest
    return best[0] + card_cost * cards


@rule
def longest_set_length_and_step(row: Ints, cards: int, place: int) -> tuple[int, int]:
    """Return (number of cards, step) of the longest set of neighbouring cards whose first card is at `place`.

    The step is the difference from each number of the set to the next: -1, 0 or 1, or `NO_STEP` for a single card. The
    numbers in the hand are the first `cards` elements of `row`.
    """
    step = row[place + 1] - row[place] if place + 1 < cards else NO_STEP
    if step < -1 or step > 1:
        return 1, NO_STEP
    end = place + 1
    while end + 1 < cards and row[end + 1] - row[end] == step:
        end += 1
    return end - place + 1, step


@rule
def write_hand_numbers(s: ScoutPosition, seat: int, turned: int, row: Ints) -> int:
    """Write the number that is up on each card of a seat's hand to `row`, from left to right.

    If `turned` is 1, write the other number of each card instead, in the same order. Return the number of cards.
    """
    first = hand_start(s, seat)
    cards = s.hand[seat]
    for place in range(cards):
        row[place] = FACE[s.card[first + place] + TURNED * (s.flip[first + place] ^ turned)]
    return cards


@rule
def copy_with_card_inserted(row: Ints, cards: int, place: int, up: int, rest: Ints) -> None:
    """Copy the first `cards` numbers of `row` to `rest`, with the number `up` inserted at `place`."""
    for i in range(place):
        rest[i] = row[i]
    rest[place] = up
    for i in range(place, cards):
        rest[i + 1] = row[i]


@rule
def copy_without_cards(row: Ints, cards: int, first: int, end: int, rest: Ints) -> int:
    """Copy the first `cards` numbers of `row` to `rest`, without those from index `first` up to, but not including,
    `end`.

    Return how many numbers are left.
    """
    for place in range(first):
        rest[place] = row[place]
    for place in range(end, cards):
        rest[first + place - end] = row[place]
    return first + cards - end


@rule
def fewest_cards_of_others(s: ScoutPosition, seat: int) -> int:
    """Return the number of cards in the smallest hand of the other players."""
    fewest = MAX_HAND
    for other in range(s.seats):
        if other != seat:
            fewest = min(fewest, s.hand[other])
    return fewest


@rule
def card_count_of_others(s: ScoutPosition, seat: int) -> int:
    """Return the total number of cards in the hands of the other players."""
    return sum(s.hand) - s.hand[seat]


@rule
def build_hand(s: ScoutPosition, seat: int) -> Hand:
    """Return a seat's hand as a tuple `Hand`.

    The elements are:

    * the numbers that are up, from left to right;
    * the number of cards;
    * the cost in points that `hand_cost` adds for each card left in the hand (higher if another player has few cards);
    * a buffer for the numbers of a changed hand;
    * a buffer for `hand_cost`.
    """
    row = np.empty(HAND_BUFFER_SIZE, np.int64)
    cards = write_hand_numbers(s, seat, 0, row)
    card_cost = CARD_COST + CARD_HASTE / (1.0 + fewest_cards_of_others(s, seat))
    return row, cards, card_cost, np.empty(HAND_BUFFER_SIZE, np.int64), np.empty(HAND_BUFFER_SIZE, np.float64)


@rule
def hand_cost_with_card(hand: Hand, place: int, up: int) -> float:
    """Return an estimate of how many points a hand costs its owner after a card is inserted at `place` (`hand_cost`).

    `up` is the number that is up on the inserted card. The cards of `hand` stay unchanged. The first of its two buffers
    receives the numbers of the hand with the inserted card.
    """
    row, cards, card_cost, rest, best = hand
    copy_with_card_inserted(row, cards, place, up, rest)
    return hand_cost(rest, cards + 1, card_cost, best)


@rule
def greedy(s: ScoutPosition, seat: int, q: NDArray[np.uint64]) -> int:
    """Return the action of the greedy policy for a seat that is to act, chosen from what the seat knows.

    `q` is the state of the random generator, which chooses among equally good actions.
    """
    if s.phase == Phase.SCORING:
        return Act.CONTINUE
    hand = build_hand(s, seat)
    if s.phase == Phase.FLIP:
        row, cards, card_cost, rest, best = hand
        write_hand_numbers(s, seat, 1, rest)
        kept = hand_cost(row, cards, card_cost, best)
        turned = hand_cost(rest, cards, card_cost, best)
        return Act.FLIP if turned < kept or (turned == kept and quick_randint(q, 2) == 0) else Act.KEEP
    found = np.empty(MOST_SHOWS, np.int32)
    choice, value = -1, NEVER
    for i in range(legal_shows(s, seat, found)):
        worth = worth_of_show(s, seat, hand, found[i])
        if worth > value or (worth == value and quick_randint(q, 2) == 0):
            choice, value = found[i], worth
    if not can_scout(s, seat):
        return choice
    plain, worth = best_scout(s, seat, hand)
    if worth > value:
        choice, value = plain, worth
    if s.marker[seat] == 1:
        for way in range(scout_way_count(s)):
            both, worth = best_scout_and_show(s, seat, way, hand)
            if worth > value:
                choice, value = both, worth
    return choice


@rule
def worth_of_show(s: ScoutPosition, seat: int, hand: Hand, action: int) -> float:
    """Return the value of a Show, in points.

    If cards are left in the hand, the value is a sum:

    * 1 for each card that the Show wins;
    * `SHOWN` for each card that is shown;
    * minus the cost of the hand that is left.

    If no cards are left, the Show ends the round. Then the value is 1 for each card that the Show wins, plus
    `worth_of_ending_round`.
    """
    row, cards, card_cost, rest, best = hand
    first = action // MAX_SET
    length = action % MAX_SET + 1
    left = copy_without_cards(row, cards, first, first + length, rest)
    if left == 0:
        return s.active + worth_of_ending_round(s, seat)
    return s.active + SHOWN * length - hand_cost(rest, left, card_cost, best)


@rule
def worth_of_ending_round(s: ScoutPosition, seat: int) -> float:
    """Return the value of ending the round now, in points.

    It is `OUT_WORTH` times the mean number of cards in the hands of the other seats, because each of these seats loses
    a point for each card in its hand. The seat's own hand does not count, because the seat that ends the round loses no
    points for it.
    """
    return OUT_WORTH * card_count_of_others(s, seat) / (s.seats - 1)


@rule
def scout_cost(s: ScoutPosition, seat: int) -> float:
    """Return the cost of a plain Scout (with no Show after it), in points.

    * With two players: the cost of paying a chip (`CHIP_COST`).
    * With more players: the cost of giving a coin to the owner of the set on the table (`COIN_COST`). If the Scout ends
      the round, 1 is added for each card in the seat's own hand, because the seat loses these points.
    """
    if s.seats == TWO_PLAYERS:
        return CHIP_COST
    return COIN_COST + (s.hand[seat] if s.passes + 2 == s.seats else 0)


@rule
def best_scout(s: ScoutPosition, seat: int, hand: Hand) -> tuple[int, float]:
    """Return the best plain Scout (with no Show after it), as (action, value in points).

    It is the Scout after which the hand has the lowest cost (`hand_cost`). The value is minus the sum of two costs: the
    cost of the hand after the Scout, and the cost of the Scout itself (`scout_cost`).
    """
    choice, value = -1, NEVER
    for way in range(scout_way_count(s)):
        up = scouted_number(s, way)
        for place in range(s.hand[seat] + 1):
            worth = -hand_cost_with_card(hand, place, up)
            if worth > value:
                choice, value = Act.SCOUT + way * PLACES + place, worth
    return choice, value - scout_cost(s, seat)


@rule
def best_scout_and_show(s: ScoutPosition, seat: int, way: int, hand: Hand) -> tuple[int, float]:
    """Return (action, value) of the best Scout and Show for one of the ways to take a card from the set on the table.

    `way` (0 to 3, see `WAYS`) says which end card of the set is taken and whether it is turned the other way up. Only
    shown sets that contain the new card are considered. The value is in points. If there is no such Scout and Show, the
    action is -1.
    """
    row, cards, card_cost, rest, best = hand
    first = hand_start(s, seat)
    beat = active_strength_after_scout(s, way)
    up = scouted_number(s, way)
    choice, value = -1, NEVER
    for place in range(cards + 1):
        for step in range(-1, 2):
            left, end = set_bounds_with_new_card(s, first, cards, place, up, step)
            length = end - left + 1
            strength = strength_from_first_number(up - step * (place - left), step, length)
            if strength <= beat or (length == 1 and step != 0):
                continue
            worth = s.active - 1.0 + SHOWN * length - COIN_COST - MARKER_COST
            if length > cards:
                worth += worth_of_ending_round(s, seat)
            else:
                worth -= hand_cost(rest, copy_without_cards(row, cards, left, end, rest), card_cost, best)
            if worth > value:
                choice, value = Act.SCOUT_AND_SHOW + way * PLACES + place, worth
    return choice, value


def reason(view: View, seat: int, action: int) -> str:
    """Return a phrase that explains to the player at `seat` why the greedy policy chooses `action`.

    `action` must be the policy's choice in this view. The phrase is empty for `CONTINUE`, which needs no explanation.
    """
    s = cast_record(view, ScoutPosition)
    cards = [card for card in hand_of(s, seat) if card]
    hand = up_numbers(cards)
    kind, which = Act.decode(action)
    match kind:
        case Act.KEEP:
            return _reason_for_flip_choice(hand, [card.down for card in cards])
        case Act.FLIP:
            return _reason_for_flip_choice([card.down for card in cards], hand)
        case Act.SHOW:
            first, more = divmod(which, MAX_SET)
            return _reason_for_show(s, seat, hand[:first] + hand[first + more + 1 :])
        case Act.SCOUT:
            way, place = divmod(which, PLACES)
            return _reason_for_scout(
                s, seat, hand, [*hand[:place], python_function(scouted_number)(s, way), *hand[place:]]
            )
        case Act.SCOUT_AND_SHOW if s.active > 1:
            return n_(
                "you can show a set straight away and win {count} card",
                "you can show a set straight away and win {count} cards",
                s.active - 1,
            )
        case Act.SCOUT_AND_SHOW:
            return _("you can show a set straight away")
    return ""


def fewest_shows_to_empty_hand(numbers: Sequence[int]) -> int:
    """Return the smallest number of Shows that empty a hand if any set may be shown, whatever is on the table.

    `numbers` are the numbers of the hand. Two cards become neighbours when all cards between them have been shown.

    >>> fewest_shows_to_empty_hand([4, 5, 6, 9, 2, 2])
    3
    >>> fewest_shows_to_empty_hand([1, 2, 3, 3, 3])
    2
    >>> fewest_shows_to_empty_hand([5, 9, 5])
    2
    """

    @cache
    def empty(first: int, end: int) -> int:
        """Return the smallest number of Shows for the cards from index `first` up to, but not including, `end`."""
        return min(empty_with_set(first, end, step) for step in (-1, 0, 1)) if first < end else 0

    @cache
    def empty_with_set(first: int, end: int, step: int) -> int:
        """Return the smallest number of Shows for the cards from index `first` up to, but not including, `end`.

        The card at `first` is shown in a set in which each number is `step` more than the one before.
        """
        fewest = 1 + empty(first + 1, end)
        for at in range(first + 1, end):
            if numbers[at] == numbers[first] + step:
                fewest = min(fewest, empty(first + 1, at) + empty_with_set(at, end, step))
        return fewest

    return empty(0, len(numbers))


def _reason_for_flip_choice(this: Sequence[int], other: Sequence[int]) -> str:
    mine, others = fewest_shows_to_empty_hand(this), fewest_shows_to_empty_hand(other)
    if mine < others:
        return _(
            "this way up, you can show your whole hand in fewer sets: {few} instead of {many}", few=mine, many=others
        )
    if mine == others:
        return _(
            "either way up, showing your whole hand takes the same number of sets ({count}), but this way looks better",
            count=mine,
        )
    return _(
        "this way up, showing your whole hand takes {many} sets instead of {few}, but those sets look better",
        many=mine,
        few=others,
    )


def _reason_for_show(s: ScoutPosition, seat: int, left: Sequence[int]) -> str:
    """Return the reason for a Show, as a phrase. `left` are the numbers that remain in the hand after it."""
    if not left:
        cards = python_function(card_count_of_others)(s, seat)
        return n_(
            "ending the round now costs the others {count} point",
            "ending the round now costs the others {count} points",
            cards,
        )
    after = n_(
        "you can show the rest of your hand in {count} more set",
        "you can show the rest of your hand in {count} more sets",
        fewest_shows_to_empty_hand(left),
    )
    if not s.active:
        return after
    return n_("you win {count} card, and {after}", "you win {count} cards, and {after}", s.active, after=after)


def _reason_for_scout(s: ScoutPosition, seat: int, hand: Sequence[int], then: Sequence[int]) -> str:
    """Return the reason for a Scout, as a phrase. `hand` and `then` are the numbers in the hand before and after it."""
    before, after = fewest_shows_to_empty_hand(hand), fewest_shows_to_empty_hand(then)
    if after < before:
        return _(
            "with this card, you can show your whole hand in fewer sets: {few} instead of {many}",
            few=after,
            many=before,
        )
    if not legal_shows(s, seat, np.empty(MOST_SHOWS, np.int32)):
        return n_(
            "nothing in your hand beats the set on the table; with this card, you can show your whole hand in "
            "{count} set",
            "nothing in your hand beats the set on the table; with this card, you can show your whole hand in "
            "{count} sets",
            after,
        )
    if after == before:
        return n_(
            "even with one more card, you can show your whole hand in just {count} set",
            "even with one more card, you can show your whole hand in just {count} sets",
            after,
        )
    return _("it looks better to save your sets for later")


POLICY = Policy(greedy, reason)
