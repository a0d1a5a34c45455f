"""Input features of SCOUT for neural networks.

There are features of the whole position, and features of each candidate. A candidate is an action worth considering,
described together with the hand that it leaves. The candidates are:

* the Shows that the greedy policy values the most;
* for each of the four ways to scout (take the left or right end card of the set on the table, as it is or turned the
  other way up): the Scouts to the two best places in the hand, and the best Scout and Show.

The features contain only the player's own hand and public information, for example the cards that are publicly known to
be in another hand. In training, the critic (a network that estimates values) also gets the other hands.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facedown.core.features import (
    FEATURE_UNIT,
    MAX_FEATURE,
    NO_MOVE,
    FeatureLayout,
    Features,
    flag,
    numbered_names,
    write_features,
)
from facedown.core.hidden_cards import knows
from facedown.core.rule import rule
from facedown.core.state import EMPTY, Floats, Ints, View, cast_record
from facedown.games.scout.bots.policy import (
    MOST_SHOWS,
    NEVER,
    Hand,
    best_scout_and_show,
    build_hand,
    card_count_of_others,
    copy_with_card_inserted,
    copy_without_cards,
    fewest_cards_of_others,
    hand_cost,
    hand_cost_with_card,
    longest_set_length_and_step,
    scout_cost,
    worth_of_show,
    write_hand_numbers,
)
from facedown.games.scout.info import FACE, INFO, KINDS, NUMBERS, TURNED, TWO_PLAYERS
from facedown.games.scout.legal_actions import (
    MATCH,
    PER_CARD,
    PLACES,
    WAYS,
    Act,
    active_strength_after_scout,
    can_scout,
    can_show,
    legal_shows,
    scout_way_count,
    scouted_number,
    set_bounds_with_new_card,
    strength_from_first_number,
)
from facedown.games.scout.state import MAX_SET, PLAYERS, SLOTS, Phase, ScoutPosition, hand_start, is_in_deck

#: Value of the best Show in the features if no Show is legal. The same value is used for the best Scout if no Scout is
#: legal, and for the best Scout and Show if none is legal.
FAR_BELOW = -30.0
#: Number of Shows among the candidates (actions worth considering).
SHOWS = 24
#: Number of Scouts among the candidates for each of the `WAYS` to scout (end of the Active Set and way up of the card).
BEST_PLACES = 2
#: Number of all Scouts among the candidates.
SCOUTS = WAYS * BEST_PLACES
#: Number of all candidates: the Shows, the Scouts, and one Scout and Show for each of the `WAYS`.
CANDIDATES = SHOWS + SCOUTS + WAYS
OTHERS = PLAYERS - 1
#: Points by which a seat must be ahead of the mean of the other seats for a training reward of 1.
WORTH = 6.0
#: Names of the features that describe the sets in a hand (`write_hand_set_features`): the lengths of the two longest
#: sets, the number of single cards, the number of sets including single cards, and the strength of the strongest set.
SHAPE = ("longest", "second", "singles", "sets", "strongest")

_OF_OTHERS = ("seat", "cards", "coins", "won", "marker", "owns", "standing", "known cards")
_OF_SECRETS = (*SHAPE, "cost", "beats it")

LAYOUT = FeatureLayout(
    table=(
        *("flip", "turn", "show"),
        *numbered_names("players", 4, 2),
        *("cards", "marker", "coins", "won", "standing", "passes left", "round", "turns"),
        *("active cards", "active match", "active lowest", "active strength", "owned"),
        *SHAPE,
        *(f"turned {one}" for one in SHAPE),
        *("cost", "turned cost", "fewest others", "cards of others"),
        *numbered_names("own", NUMBERS, 1),
        *numbered_names("unseen", NUMBERS, 1),
        *(f"{what} of {place}" for place in range(1, PLAYERS) for what in _OF_OTHERS),
        *("shows", "best show", "best scout", "best both"),
    ),
    item=(
        *("there", "show", "scout", "both", "right", "turned"),
        *("cards shown", "shown match", "shown lowest", "shown strength", "wins", "goes out"),
        *("cards after", "cost after", *(f"{one} after" for one in SHAPE)),
        *("worth", "behind the best", "number", "set of it", "strength left", "cards left", "last pass"),
        *("others who may beat it", "fewest others"),
    ),
    groups=(0,) * SHOWS + (1,) * (SCOUTS + WAYS),
    items_with_outputs=CANDIDATES,
    item_outputs=("take it",),
    outputs=("keep", "flip"),
    secret_table=(
        *(f"{what} of {place}" for place in range(1, PLAYERS) for what in _OF_SECRETS),
        *(f"{what} of {place}" for place in range(1, PLAYERS) for what in numbered_names("number", NUMBERS, 1)),
    ),
)
TABLE = len(LAYOUT.table)
ITEM = len(LAYOUT.item)
SHAPES = len(SHAPE)


@rule
def write_number_count_features(row: Ints, cards: int, out: NDArray[np.int8], at: int) -> None:
    """Write ten features of a hand to `out`, from index `at` on: how many cards show each number from 1 to 10.

    The feature of a number is its count × `FEATURE_UNIT` / 2, but at most `MAX_FEATURE`. The numbers in the hand are
    the first `cards` elements of `row`. The caller must have set the ten elements of `out` to 0.
    """
    for place in range(cards):
        number = at + row[place] - 1
        out[number] = min(MAX_FEATURE, out[number] + FEATURE_UNIT // 2)


@rule
def write_hand_set_features(row: Ints, cards: int, out: NDArray[np.int8], at: int) -> int:
    """Write to `out` the features of the sets in a hand, from index `at` on. Return the index after these features.

    The numbers in the hand are the first `cards` elements of `row`. The hand is divided into sets from left to right:
    the first set is the longest one that starts with the first card, the next set is the longest one that starts with
    the card after it, and so on. A single card is a set, too. The features (`SHAPE`) are:

    * the lengths of the two longest sets;
    * the number of single cards;
    * the number of sets, including single cards;
    * the strength of the strongest set.
    """
    longest, second, singles, count, strongest = 0, 0, 0, 0, 0
    place = 0
    while place < cards:
        length, step = longest_set_length_and_step(row, cards, place)
        if length > longest:
            longest, second = length, longest
        elif length > second:
            second = length
        singles += length == 1
        count += 1
        strongest = max(strongest, strength_from_first_number(row[place], step if length > 1 else 1, length))
        place += length
    return write_features(out, at, (longest / 5.0, second / 5.0, singles / 5.0, count / 5.0, strongest / 128.0))


# --- candidates -------------------------------------------------------------------------------------------------------


@rule
def write_candidates(s: ScoutPosition, seat: int, hand: Hand, actions: NDArray[np.int32], worth: Floats) -> None:
    """Write the candidates (actions worth considering) to `actions`, and the value of each candidate to `worth`.

    The values are those that the greedy policy gives to the actions, in points. Both arrays have `CANDIDATES` elements:

    * first, `SHOWS` elements for Shows, the best one first;
    * then, for each of the `WAYS` to scout, `BEST_PLACES` elements for plain Scouts, the best one first;
    * then, for each of the `WAYS` to scout, one element for a Scout and Show.

    An element without a candidate is `NO_MOVE` in `actions` and `NEVER` in `worth`. `hand` is the seat's hand, as
    returned by `build_hand`.
    """
    actions[:] = NO_MOVE
    worth[:] = NEVER
    found = np.empty(MOST_SHOWS, np.int32)
    for i in range(legal_shows(s, seat, found)):
        insert_candidate(actions[:SHOWS], worth[:SHOWS], found[i], worth_of_show(s, seat, hand, found[i]))
    if not can_scout(s, seat):
        return
    cost = scout_cost(s, seat)
    for way in range(scout_way_count(s)):
        up = scouted_number(s, way)
        first, end = SHOWS + BEST_PLACES * way, SHOWS + BEST_PLACES * (way + 1)
        for place in range(s.hand[seat] + 1):
            value = -hand_cost_with_card(hand, place, up) - cost
            insert_candidate(actions[first:end], worth[first:end], Act.SCOUT + way * PLACES + place, value)
        if s.marker[seat] == 1:
            at = SHOWS + SCOUTS + way
            actions[at], worth[at] = best_scout_and_show(s, seat, way, hand)


@rule
def insert_candidate(actions: NDArray[np.int32], worth: Floats, action: int, value: float) -> None:
    """Insert an action and its value into the lists `actions` and `worth`, which are sorted by value, best first.

    The lists keep their length, so the last action is dropped. If the new action is not better than the last one,
    nothing changes.
    """
    at = len(actions) - 1
    if value <= worth[at]:
        return
    while at > 0 and worth[at - 1] < value:
        worth[at], actions[at] = worth[at - 1], actions[at - 1]
        at -= 1
    worth[at], actions[at] = value, action


@rule
def write_output_actions(s: ScoutPosition, seat: int, out: NDArray[np.int32]) -> int:
    """Write to `out` which action each output of the network stands for in this position.

    An output that stands for no action gets `NO_MOVE`. Return the number of outputs that stand for an action.
    """
    out[:] = NO_MOVE
    if s.phase == Phase.SCORING or not s.acting >> seat & 1:
        return 0
    if s.phase == Phase.FLIP:
        out[CANDIDATES] = Act.KEEP
        out[CANDIDATES + 1] = Act.FLIP
        return 2
    write_candidates(s, seat, build_hand(s, seat), out[:CANDIDATES], np.empty(CANDIDATES, np.float64))
    return int((out != NO_MOVE).sum())


# --- features from what the seat knows --------------------------------------------------------------------------------


@rule
def write_feature_vector(s: ScoutPosition, seat: int, out: NDArray[np.int8]) -> None:
    """Write all input features for `seat`, which is to act, to `out`. They depend only on what the seat knows."""
    out[:] = 0
    hand = build_hand(s, seat)
    write_position_features(s, seat, hand, out)
    if s.phase not in (Phase.TURN, Phase.SHOW):
        return
    actions = np.empty(CANDIDATES, np.int32)
    worth = np.empty(CANDIDATES, np.float64)
    write_candidates(s, seat, hand, actions, worth)
    show, scout, both = worth[:SHOWS].max(), worth[SHOWS : SHOWS + SCOUTS].max(), worth[SHOWS + SCOUTS :].max()
    greatest = max(FAR_BELOW, show, scout, both)
    count = 0
    for i in range(CANDIDATES):
        if actions[i] != NO_MOVE:
            count += i < SHOWS
            write_candidate_features(
                s, seat, actions[i], hand, (worth[i] / 8.0, (greatest - worth[i]) / 4.0), out, TABLE + i * ITEM
            )
    best = (max(FAR_BELOW, show) / 8.0, max(FAR_BELOW, scout) / 8.0, max(FAR_BELOW, both) / 8.0)
    write_features(out, write_features(out, TABLE - 4, (count / 8.0,)), best)


@rule
def write_position_features(s: ScoutPosition, seat: int, hand: Hand, out: NDArray[np.int8]) -> None:
    """Write the features of the position to `out`, without those that describe candidates (actions worth considering).

    `hand` is the seat's hand, as returned by `build_hand`.
    """
    row, cards, card_cost, rest, best = hand
    if s.phase < Phase.SCORING:
        out[s.phase] = FEATURE_UNIT
    out[3 + s.seats - 2] = FEATURE_UNIT
    at = write_features(out, 7, (cards / 8.0, flag(s.marker[seat] == 1), s.coins[seat] / 4.0, s.won[seat] / 8.0))
    at = write_features(out, at, (round_score_if_another_seat_ends(s, seat) / 8.0, (s.seats - 1 - s.passes) / 4.0))
    at = write_features(out, at, (s.round_number / 4.0, s.turns / (8.0 * s.seats)))
    at = write_features(out, at, (s.active / 4.0, flag(s.strength & MATCH > 0), s.strength % MATCH / 8.0))
    at = write_features(out, at, (s.strength / 128.0, flag(s.owner == seat)))
    at = write_hand_set_features(row, cards, out, at)
    cost, turned_cost = hand_cost(row, cards, card_cost, best), 0.0
    if s.phase == Phase.FLIP:
        write_hand_numbers(s, seat, 1, rest)
        write_hand_set_features(rest, cards, out, at)
        turned_cost = hand_cost(rest, cards, card_cost, best)
    others = card_count_of_others(s, seat) / (8.0 * (s.seats - 1))
    at = write_features(
        out, at + SHAPES, (cost / 8.0, turned_cost / 8.0, fewest_cards_of_others(s, seat) / 8.0, others)
    )
    write_number_count_features(row, cards, out, at)
    write_unseen_number_count_features(s, seat, out, at + NUMBERS)
    at += 2 * NUMBERS
    other = seat
    for _place in range(1, s.seats):
        other = other + 1 if other + 1 < s.seats else 0
        at = write_other_player_features(s, seat, other, out, at)


@rule
def round_score_if_another_seat_ends(s: ScoutPosition, seat: int) -> int:
    """Return the points that a seat would score in this round if another seat ended it now."""
    return s.won[seat] + s.coins[seat] - s.hand[seat]


@rule
def write_other_player_features(s: ScoutPosition, seat: int, other: int, out: NDArray[np.int8], at: int) -> int:
    """Write the features of another player to `out`, from index `at` on. Return the index after these features.

    `other` is the seat of this player. The features depend on public information only. One of them is the difference of
    two scores in this round (`round_score_if_another_seat_ends`): the score of `other` less the score of `seat`.
    """
    held = 0
    for kind in range(KINDS):
        held += s.held[kind] == other
    ahead = round_score_if_another_seat_ends(s, other) - round_score_if_another_seat_ends(s, seat)
    at = write_features(out, at, (1.0, s.hand[other] / 8.0, s.coins[other] / 4.0, s.won[other] / 8.0))
    return write_features(out, at, (flag(s.marker[other] == 1), flag(s.owner == other), ahead / 8.0, held / 4.0))


@rule
def write_unseen_number_count_features(s: ScoutPosition, seat: int, out: NDArray[np.int8], at: int) -> None:
    """Write ten features to `out`, from index `at` on: how many unseen cards have each number from 1 to 10.

    Unseen cards are those that the seat does not know. Each of them counts for both its numbers. The feature of a
    number is its count × `FEATURE_UNIT` / 8. The caller must have set the ten elements of `out` to 0.
    """
    seen = 0
    for slot in range(SLOTS):
        if s.card[slot] < EMPTY and knows(s, slot, seat):
            seen |= 1 << s.card[slot]
    for kind in range(KINDS):
        if is_in_deck(s, kind) and seen >> kind & 1 == 0:
            out[at + FACE[kind] - 1] += 4
            out[at + FACE[kind + TURNED] - 1] += 4


@rule
def write_candidate_features(
    s: ScoutPosition, seat: int, action: int, hand: Hand, judged: tuple[float, float], out: NDArray[np.int8], at: int
) -> None:
    """Write the features of a candidate (an action worth considering) to `out`, from index `at` on.

    `hand` is the seat's hand, as returned by `build_hand`. `judged` has two numbers that are written as features:

    * the value that the greedy policy gives to the action, divided by 8;
    * the value of the best candidate less the value of this action, divided by 4.
    """
    row, cards, card_cost, rest, best = hand
    both = action >= Act.SCOUT_AND_SHOW
    shown, strength, right, turned = 0, 0, 0, 0
    number, longest, strength_then, cards_then, last_pass = 0, 0, 0, 0, False
    if action < Act.SCOUT:
        first = action // MAX_SET
        shown = action % MAX_SET + 1
        step = row[first + 1] - row[first] if shown > 1 else 1
        strength = strength_from_first_number(row[first], step, shown)
        after = copy_without_cards(row, cards, first, first + shown, rest)
    else:
        way = (action - Act.SCOUT) // PLACES % WAYS
        place = (action - Act.SCOUT) % PLACES
        right, turned = way // 2, way % 2
        number = scouted_number(s, way)
        left, end = place, place
        for direction in range(-1, 2):
            low, high = set_bounds_with_new_card(s, hand_start(s, seat), cards, place, number, direction)
            worth = strength_from_first_number(number - direction * (place - low), direction, high - low + 1)
            if worth > strength:
                longest, strength, left, end = high - low + 1, worth, low, high
        if both:
            shown = longest
            after = copy_without_cards(row, cards, left, end, rest)
        else:
            copy_with_card_inserted(row, cards, place, number, rest)
            after = cards + 1
        strength_then, cards_then = active_strength_after_scout(s, way), s.active - 1
        last_pass = not both and s.seats > TWO_PLAYERS and s.passes + 2 == s.seats
    at = write_features(
        out, at, (1.0, flag(action < Act.SCOUT), flag(Act.SCOUT <= action < Act.SCOUT_AND_SHOW), flag(both))
    )
    at = write_features(out, at, (flag(right == 1), flag(turned == 1)))
    able = 0
    if shown > 0:
        wins = s.active if action < Act.SCOUT else s.active - 1
        # Count the other seats that have more hand cards than the set that is on the table after this action. Such a
        # seat may have a longer set.
        for other in range(s.seats):
            able += other != seat and s.hand[other] > strength // PER_CARD
        write_features(out, at, (shown / 4.0, flag(strength & MATCH > 0), strength % MATCH / 8.0, strength / 128.0))
        write_features(out, at + 4, (wins / 4.0, flag(after == 0)))
    at = write_features(out, at + 6, (after / 8.0, hand_cost(rest, after, card_cost, best) / 8.0))
    at = write_features(out, write_hand_set_features(rest, after, out, at), judged)
    at = write_features(
        out, at, (number / 8.0, longest / 4.0, strength_then / 128.0, cards_then / 4.0, flag(last_pass))
    )
    write_features(out, at, (able / 2.0, fewest_cards_of_others(s, seat) / 8.0))


# --- features for the critic only -------------------------------------------------------------------------------------


@rule
def write_secret_features(s: ScoutPosition, seat: int, out: NDArray[np.int8]) -> None:
    """Write the features of the other players' hands to `out`. Only the critic gets them, and only in training.

    The critic is a network that estimates values.
    """
    out[:] = 0
    other = seat
    each = SHAPES + 2
    for place in range(s.seats - 1):
        other = other + 1 if other + 1 < s.seats else 0
        row, cards, card_cost, _, best = build_hand(s, other)
        at = write_hand_set_features(row, cards, out, place * each)
        shows_now = can_show(s, hand_start(s, other), cards, s.strength)
        write_features(out, at, (hand_cost(row, cards, card_cost, best) / 8.0, flag(shows_now)))
        write_number_count_features(row, cards, out, OTHERS * each + place * NUMBERS)


@rule
def write_rewards(s: ScoutPosition, out: Floats) -> None:
    """Write each seat's training reward for this round to `out`.

    The reward is the seat's points less the mean of the other seats' points, divided by `WORTH`.
    """
    total = sum(s.score)
    for seat in range(s.seats):
        out[seat] = (s.score[seat] - (total - s.score[seat]) / (s.seats - 1)) / WORTH


_DEFAULT_OPTIONS = INFO.options_record(INFO.complete(INFO.seats[0], {}))


def is_supported(view: View) -> bool:
    """Return whether the match has the default options. The features cannot describe matches with other options."""
    return bool(cast_record(view, ScoutPosition).opt == _DEFAULT_OPTIONS)


FEATURES = Features(
    LAYOUT, write_feature_vector, write_output_actions, write_secret_features, write_rewards, is_supported
)
