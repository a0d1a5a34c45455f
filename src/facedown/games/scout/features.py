"""SCOUT as a network is told of it: candidate moves, each with the hand that it leaves, and what lies open.

The items are candidates: the Shows that the greedy bot likes best, the best two places for each way to scout, and one
Scout and Show for each way. Nothing is looked at but the own hand, what lies open, and which cards all know to be in a
hand; the critic is told the other hands in training.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facedown.core.features import NO_MOVE, Features, Layout, byte, numbered
from facedown.core.rule import rule
from facedown.core.slots import knows
from facedown.core.state import EMPTY, Floats, Ints, View, record
from facedown.games.scout.cards import FACE, KINDS, NUMBERS, TURNED, TWO_PLAYERS
from facedown.games.scout.info import INFO
from facedown.games.scout.offers import PLACES, Act, can_scout, shows
from facedown.games.scout.policy import (
    MOST_SHOWS,
    NEVER,
    ROOM,
    cards_of_others,
    cost_of_a_card,
    cost_with,
    fewest_of_others,
    hand_cost,
    read_hand,
    scout_and_show_by,
    scout_cost,
    set_from,
    show_worth,
    with_card,
    without,
)
from facedown.games.scout.sets import (
    MATCH,
    PER_CARD,
    WAYS,
    can_show,
    reach,
    scouted,
    slice_strength,
    strength_left,
    ways_to_scout,
)
from facedown.games.scout.state import MAX_SET, PLAYERS, SLOTS, Phase, ScoutPosition, base, is_in_deck

#: Candidates of each kind.
SHOWS = 24
BEST_PLACES = 2
SCOUTS = WAYS * BEST_PLACES
CANDIDATES = SHOWS + SCOUTS + WAYS
OTHERS = PLAYERS - 1
#: A round won by so many points against the mean of the others is worth 1 in training.
WORTH = 6.0
#: What is told of a hand as a row of sets, in this order; the strongest set is told by its strength.
SHAPE = ("longest", "second", "singles", "sets", "strongest")

_OF_OTHERS = ("seat", "cards", "coins", "won", "marker", "owns", "standing", "known cards")
_OF_SECRETS = (*SHAPE, "cost", "beats it")

LAYOUT = Layout(
    table=(
        *("flip", "turn", "show"),
        *numbered("players", 4, 2),
        *("cards", "marker", "coins", "won", "standing", "passes left", "round", "turns"),
        *("active cards", "active match", "active lowest", "active strength", "owned"),
        *SHAPE,
        *(f"turned {one}" for one in SHAPE),
        *("cost", "turned cost", "fewest others", "cards of others"),
        *numbered("own", NUMBERS, 1),
        *numbered("unseen", NUMBERS, 1),
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
    pointed=CANDIDATES,
    item_outputs=("take it",),
    outputs=("keep", "flip"),
    secret_table=(
        *(f"{what} of {place}" for place in range(1, PLAYERS) for what in _OF_SECRETS),
        *(f"{what} of {place}" for place in range(1, PLAYERS) for what in numbered("number", NUMBERS, 1)),
    ),
)
TABLE = len(LAYOUT.table)
ITEM = len(LAYOUT.item)
SIZE = LAYOUT.size
MOVES = LAYOUT.moves
SECRET_SIZE = LAYOUT.secret_size
SHAPES = len(SHAPE)


# --- hands as rows of sets --------------------------------------------------------------------------------------------


@rule
def shape_of(row: Ints, cards: int, out: NDArray[np.int8], at: int) -> None:
    """Write what a row of numbers is as a hand (`SHAPE`): its longest sets from left to right."""
    longest, second, singles, count, strongest = 0, 0, 0, 0, 0
    place = 0
    while place < cards:
        length, step = set_from(row, cards, place)
        if length > longest:
            longest, second = length, longest
        elif length > second:
            second = length
        singles += length == 1
        count += 1
        strongest = max(strongest, slice_strength(row[place], step if length > 1 else 1, length))
        place += length
    out[at] = byte(longest / 5.0)
    out[at + 1] = byte(second / 5.0)
    out[at + 2] = byte(singles / 5.0)
    out[at + 3] = byte(count / 5.0)
    out[at + 4] = byte(strongest / 128.0)


# --- candidates -------------------------------------------------------------------------------------------------------


@rule
def candidates(s: ScoutPosition, seat: int, row: Ints, actions: NDArray[np.int32], worth: Floats) -> None:
    """Write the action of each candidate and what the greedy bot thinks of it; `NO_MOVE` where there is none."""
    for i in range(CANDIDATES):
        actions[i] = NO_MOVE
        worth[i] = NEVER
    rest = np.empty(ROOM, np.int64)
    best = np.empty(ROOM, np.float64)
    card_cost = cost_of_a_card(s, seat)
    best_shows(s, seat, row, card_cost, rest, best, actions, worth)
    if not can_scout(s, seat):
        return
    cost = scout_cost(s, seat)
    cards = s.hand[seat]
    for way in range(ways_to_scout(s)):
        up = scouted(s, way)
        first = SHOWS + BEST_PLACES * way
        for place in range(cards + 1):
            found = -cost_with(row, cards, place, up, card_cost, rest, best) - cost
            action = Act.SCOUT + way * PLACES + place
            if found > worth[first]:
                worth[first + 1], actions[first + 1] = worth[first], actions[first]
                worth[first], actions[first] = found, action
            elif found > worth[first + 1]:
                worth[first + 1], actions[first + 1] = found, action
        if s.marker[seat] == 1:
            at = SHOWS + SCOUTS + way
            actions[at], worth[at] = scout_and_show_by(s, seat, way, row, card_cost, rest, best)


@rule
def best_shows(
    s: ScoutPosition,
    seat: int,
    row: Ints,
    card_cost: float,
    rest: Ints,
    best: Floats,
    actions: NDArray[np.int32],
    worth: Floats,
) -> None:
    """Write the Shows, the best first, as many as there are candidates."""
    found = np.empty(MOST_SHOWS, np.int32)
    n = 0
    for i in range(shows(s, seat, found)):
        value = show_worth(s, seat, row, found[i], card_cost, rest, best)
        if n == SHOWS and value <= worth[SHOWS - 1]:
            continue
        at = min(n, SHOWS - 1)
        while at > 0 and worth[at - 1] < value:
            worth[at], actions[at] = worth[at - 1], actions[at - 1]
            at -= 1
        worth[at], actions[at] = value, found[i]
        n = min(SHOWS, n + 1)


@rule
def moves(s: ScoutPosition, seat: int, out: NDArray[np.int32]) -> int:
    """Write the action of each output, or `NO_MOVE`; return how many are open."""
    for i in range(MOVES):
        out[i] = NO_MOVE
    if s.phase == Phase.SCORING or not s.acting >> seat & 1:
        return 0
    if s.phase == Phase.FLIP:
        out[CANDIDATES] = Act.KEEP
        out[CANDIDATES + 1] = Act.FLIP
        return 2
    row = np.empty(ROOM, np.int64)
    worth = np.empty(CANDIDATES, np.float64)
    read_hand(s, seat, 0, row)
    candidates(s, seat, row, out, worth)
    n = 0
    for i in range(CANDIDATES):
        n += out[i] != NO_MOVE
    return n


# --- what the seat knows ----------------------------------------------------------------------------------------------


@rule
def write(s: ScoutPosition, seat: int, out: NDArray[np.int8]) -> None:
    """Write the features of the seat that is to act."""
    for i in range(SIZE):
        out[i] = 0
    row = np.empty(ROOM, np.int64)
    rest = np.empty(ROOM, np.int64)
    best = np.empty(ROOM, np.float64)
    cards = read_hand(s, seat, 0, row)
    table_of(s, seat, row, cards, rest, best, out)
    if s.phase not in (Phase.TURN, Phase.SHOW):
        return
    actions = np.empty(CANDIDATES, np.int32)
    worth = np.empty(CANDIDATES, np.float64)
    candidates(s, seat, row, actions, worth)
    greatest = NEVER
    for i in range(CANDIDATES):
        greatest = max(greatest, worth[i])
    count = 0
    for i in range(CANDIDATES):
        if actions[i] != NO_MOVE:
            count += i < SHOWS
            at = TABLE + i * ITEM
            item_of(s, seat, actions[i], row, cards, rest, best, out, at)
            out[at + 14 + SHAPES] = byte(worth[i] / 8.0)
            out[at + 15 + SHAPES] = byte((greatest - worth[i]) / 4.0)
    at = TABLE - 4
    out[at] = byte(count / 8.0)
    out[at + 1] = byte(best_of(worth, 0, SHOWS) / 8.0)
    out[at + 2] = byte(best_of(worth, SHOWS, SHOWS + SCOUTS) / 8.0)
    out[at + 3] = byte(best_of(worth, SHOWS + SCOUTS, CANDIDATES) / 8.0)


@rule
def best_of(worth: Floats, first: int, end: int) -> float:
    """The greatest of some worths; nothing is far below all."""
    found = -30.0
    for i in range(first, end):
        found = max(found, worth[i])
    return found


@rule
def table_of(
    s: ScoutPosition, seat: int, row: Ints, cards: int, rest: Ints, best: Floats, out: NDArray[np.int8]
) -> None:
    """Write the features of the table, but for those of the candidates."""
    if s.phase < Phase.SCORING:
        out[s.phase] = 32
    out[3 + s.seats - 2] = 32
    at = 7
    out[at] = byte(cards / 8.0)
    out[at + 1] = 32 * s.marker[seat]
    out[at + 2] = byte(s.coins[seat] / 4.0)
    out[at + 3] = byte(s.won[seat] / 8.0)
    out[at + 4] = byte(standing(s, seat) / 8.0)
    out[at + 5] = byte((s.seats - 1 - s.passes) / 4.0)
    out[at + 6] = byte(s.round_number / 4.0)
    out[at + 7] = byte(s.turns / (8.0 * s.seats))
    at += 8
    out[at] = byte(s.active / 4.0)
    out[at + 1] = 32 if s.strength & MATCH else 0
    out[at + 2] = byte(s.strength % MATCH / 8.0)
    out[at + 3] = byte(s.strength / 128.0)
    out[at + 4] = 32 if s.owner == seat else 0
    at += 5
    card_cost = cost_of_a_card(s, seat)
    shape_of(row, cards, out, at)
    out[at + 2 * SHAPES] = byte(hand_cost(row, cards, card_cost, best) / 8.0)
    if s.phase == Phase.FLIP:
        read_hand(s, seat, 1, rest)
        shape_of(rest, cards, out, at + SHAPES)
        out[at + 2 * SHAPES + 1] = byte(hand_cost(rest, cards, card_cost, best) / 8.0)
    at += 2 * SHAPES + 2
    out[at] = byte(fewest_of_others(s, seat) / 8.0)
    out[at + 1] = byte(cards_of_others(s, seat) / (8.0 * (s.seats - 1)))
    at += 2
    for place in range(cards):
        out[at + row[place] - 1] = min(127, out[at + row[place] - 1] + 16)
    unseen_of(s, seat, out, at + NUMBERS)
    at += 2 * NUMBERS
    other = seat
    for _place in range(1, s.seats):
        other = other + 1 if other + 1 < s.seats else 0
        other_of(s, seat, other, out, at)
        at += 8


@rule
def standing(s: ScoutPosition, seat: int) -> int:
    """What a seat would score if the round ended now."""
    return s.won[seat] + s.coins[seat] - s.hand[seat]


@rule
def other_of(s: ScoutPosition, seat: int, other: int, out: NDArray[np.int8], at: int) -> None:
    """Write what lies open of another player."""
    out[at] = 32
    out[at + 1] = byte(s.hand[other] / 8.0)
    out[at + 2] = byte(s.coins[other] / 4.0)
    out[at + 3] = byte(s.won[other] / 8.0)
    out[at + 4] = 32 * s.marker[other]
    out[at + 5] = 32 if s.owner == other else 0
    out[at + 6] = byte((standing(s, other) - standing(s, seat)) / 8.0)
    held = 0
    for kind in range(KINDS):
        held += s.held[kind] == other
    out[at + 7] = byte(held / 4.0)


@rule
def unseen_of(s: ScoutPosition, seat: int, out: NDArray[np.int8], at: int) -> None:
    """Write for each number on how many cards it stands that the seat has not seen."""
    seen = 0
    for slot in range(SLOTS):
        if s.card[slot] < EMPTY and knows(s, slot, seat):
            seen |= 1 << s.card[slot]
    for kind in range(KINDS):
        if is_in_deck(s, kind) and seen >> kind & 1 == 0:
            low = at + FACE[kind] - 1
            high = at + FACE[kind + TURNED] - 1
            out[low] += 4
            out[high] += 4


@rule
def item_of(
    s: ScoutPosition,
    seat: int,
    action: int,
    row: Ints,
    cards: int,
    rest: Ints,
    best: Floats,
    out: NDArray[np.int8],
    at: int,
) -> None:
    """Write the features of a candidate, but for what the greedy bot thinks of it."""
    out[at] = 32
    after = cards
    shown, strength = 0, 0
    if action < Act.SCOUT:
        out[at + 1] = 32
        first = action // MAX_SET
        shown = action % MAX_SET + 1
        step = row[first + 1] - row[first] if shown > 1 else 1
        strength = slice_strength(row[first], step, shown)
        after = without(row, cards, first, first + shown, rest)
    else:
        both = action >= Act.SCOUT_AND_SHOW
        way = (action - Act.SCOUT) // PLACES % WAYS
        place = (action - Act.SCOUT) % PLACES
        up = scouted(s, way)
        out[at + 3 if both else at + 2] = 32
        out[at + 4] = 32 * (way // 2)
        out[at + 5] = 32 * (way % 2)
        longest = 0
        left, end = place, place
        for direction in range(-1, 2):
            low, high = reach(s, base(s, seat), cards, place, up, direction)
            worth = slice_strength(up - direction * (place - low), direction, high - low + 1)
            if high - low + 1 > longest or (high - low + 1 == longest and worth > strength):
                longest, strength = high - low + 1, worth
                left, end = low, high
        if both:
            shown = longest
            after = without(row, cards, left, end, rest)
        else:
            with_card(row, cards, place, up, rest)
            after = cards + 1
        more = at + 16 + SHAPES
        out[more] = byte(up / 8.0)
        out[more + 1] = byte(longest / 4.0)
        out[more + 2] = byte(strength_left(s, way) / 128.0)
        out[more + 3] = byte((s.active - 1) / 4.0)
        out[more + 4] = 32 if not both and s.seats > TWO_PLAYERS and s.passes + 2 == s.seats else 0
    if shown > 0:
        out[at + 6] = byte(shown / 4.0)
        out[at + 7] = 32 if strength & MATCH else 0
        out[at + 8] = byte(strength % MATCH / 8.0)
        out[at + 9] = byte(strength / 128.0)
        out[at + 10] = byte((s.active if action < Act.SCOUT else s.active - 1) / 4.0)
        out[at + 11] = 32 if after == 0 else 0
        out[at + 21 + SHAPES] = byte(able_to_beat(s, seat, strength) / 2.0)
    out[at + 12] = byte(after / 8.0)
    out[at + 13] = byte(hand_cost(rest, after, cost_of_a_card(s, seat), best) / 8.0)
    shape_of(rest, after, out, at + 14)
    out[at + 22 + SHAPES] = byte(fewest_of_others(s, seat) / 8.0)


@rule
def able_to_beat(s: ScoutPosition, seat: int, strength: int) -> int:
    """How many of the others hold so many cards that they could have more than a set of this strength."""
    able = 0
    for other in range(s.seats):
        able += other != seat and s.hand[other] > strength // PER_CARD
    return able


# --- what only a critic is told ---------------------------------------------------------------------------------------


@rule
def secrets(s: ScoutPosition, seat: int, out: NDArray[np.int8]) -> None:
    """Write what the others hold."""
    for i in range(SECRET_SIZE):
        out[i] = 0
    row = np.empty(ROOM, np.int64)
    best = np.empty(ROOM, np.float64)
    other = seat
    each = SHAPES + 2
    for place in range(s.seats - 1):
        other = other + 1 if other + 1 < s.seats else 0
        cards = read_hand(s, other, 0, row)
        at = place * each
        shape_of(row, cards, out, at)
        out[at + SHAPES] = byte(hand_cost(row, cards, cost_of_a_card(s, other), best) / 8.0)
        out[at + SHAPES + 1] = 32 if can_show(s, base(s, other), cards, s.strength) else 0
        at = OTHERS * each + place * NUMBERS
        for i in range(cards):
            out[at + row[i] - 1] = min(127, out[at + row[i] - 1] + 16)


@rule
def pay(s: ScoutPosition, out: Floats) -> None:
    """The points of the round less those of the others on average."""
    total = 0.0
    for seat in range(s.seats):
        total += s.score[seat]
    for seat in range(s.seats):
        out[seat] = (s.score[seat] - (total - s.score[seat]) / (s.seats - 1)) / WORTH


_USUAL = INFO.chosen(INFO.complete(INFO.seats[0], {}))


def suits(view: View) -> bool:
    """The usual rules."""
    return bool(record(view, ScoutPosition).opt == _USUAL)


FEATURES = Features(LAYOUT, write, moves, secrets, pay, suits)
