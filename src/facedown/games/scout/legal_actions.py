"""SCOUT's sets and how strong they are, its actions as numbers, and which of them are legal on a turn.

Rulings (SCT-…): ``docs/rules/scout.md``. Where hidden cards choose what is legal, branches would be hard to predict. So
actions are looked up and written several at a time, and those that come next write over what is too much.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from facedown.core.actions import ActionKind, ActionParameter, ParametersByKind
from facedown.core.field_types import Number
from facedown.core.rule import rule
from facedown.core.state import Ints
from facedown.games.scout.info import FACE, TURNED, TWO_PLAYERS, WAYS_UP
from facedown.games.scout.state import MAX_HAND, MAX_SET, SLOTS, Phase, ScoutPosition, hand_start, number, table_slot

#: Strength of a set: 32 for each card, 16 for a match, and its lowest number. No set: 0.
PER_CARD = 32
MATCH = 16
#: A card is scouted from the left as it lies or turned, or from the right.
WAYS = 4


@rule
def strength_of(cards: int, match: bool, lowest: int) -> int:
    """Strength in one number (SCT-3): more cards, then match before run, then the higher lowest number."""
    return PER_CARD * cards + MATCH * (match and cards > 1) + lowest


@rule
def slice_strength(first: int, step: int, cards: int) -> int:
    """The strength of a set that begins with number `first` and goes on in steps of -1, 0 or 1."""
    return strength_of(cards, step == 0, first - (cards - 1) if step < 0 else first)


@rule
def active_strength(s: ScoutPosition, skip_left: int, skip_right: int) -> int:
    """The strength of the Active Set without its first `skip_left` and last `skip_right` cards."""
    cards = s.active - skip_left - skip_right
    if cards == 0:
        return 0
    left = number(s, table_slot(s.out + skip_left))
    right = number(s, table_slot(s.out + s.active - 1 - skip_right))
    return strength_of(cards, left == right, min(left, right))


@rule
def ways_to_scout(s: ScoutPosition) -> int:
    """In how many ways a card may be taken from the Active Set: an only card is the left one (SCT-1)."""
    return WAYS if s.active > 1 else WAYS // 2


@rule
def scouted_number(s: ScoutPosition, way: int) -> int:
    """The number on the card scouted in a way: 0 and 1 the left one, as it lies or turned, 2 and 3 the right."""
    slot = table_slot(s.out + (s.active - 1) * (way // 2))
    return FACE[s.card[slot] + TURNED * (s.flip[slot] ^ way % 2)]


@rule
def strength_left(s: ScoutPosition, way: int) -> int:
    """The strength of the Active Set without the card that is scouted in a way."""
    return active_strength(s, 1 - way // 2, way // 2)


# --- a card more in a hand --------------------------------------------------------------------------------------------


@rule
def set_neighbours(s: ScoutPosition, first: int, cards: int, place: int, up: int, step: int) -> tuple[int, int]:
    """The neighbours that a card with `up` up has in a set with steps of `step`, put at a place of the hand at `first`.

    They are those from the first of these places to before the second.
    """
    left = place
    while left > 0 and number(s, first + left - 1) == up - step * (place - left + 1):
        left -= 1
    right = place
    while right < cards and number(s, first + right) == up + step * (right - place + 1):
        right += 1
    return left, right


@rule
def makes_set(s: ScoutPosition, first: int, cards: int, place: int, up: int, beat: int) -> bool:
    """Would a card with `up` up, put at this place of a hand, make a set that beats a strength?"""
    for step in range(-1, 2):
        left, right = set_neighbours(s, first, cards, place, up, step)
        if slice_strength(up - step * (place - left), step, right - left + 1) > beat:
            return True
    return False


# --- a hand in bits -------------------------------------------------------------------------------------------------
#
# What is asked at every place of a hand is worked out for all places at once, a bit for each: hidden cards make
# branches hard to predict, and these have none.


#: Number of places that are read into one integer, four bits each. Few hands are longer.
PART = 16
#: By kind and way up: the four bits of the number that is up, each as far from the next as there are places in a part.
SPREAD: Ints = np.array([sum((up >> bit & 1) << PART * bit for bit in range(4)) for up in FACE], np.int64)
#: Of each bit of a number (1, 2, 4, 8): the places of a hand that have it, the leftmost card's lowest.
HandBits = tuple[int, int, int, int]
#: Places whose right neighbour is equal, one higher, one lower.
Steps = tuple[int, int, int]


@rule
def read_part(s: ScoutPosition, first: int, cards: int) -> HandBits:
    """The `cards` cards from slot `first` on in bits; at most `PART` of them."""
    # All slots of a part are read, so that there is no loop; near the end of the slots, from some slots before.
    slot = max(min(first, SLOTS - PART), 0)
    bits = 0
    for i in range(PART):
        bits |= SPREAD[s.card[slot + i] + TURNED * s.flip[slot + i] & WAYS_UP - 1] << i
    here = (1 << cards) - 1
    bits >>= first - slot
    return bits & here, bits >> PART & here, bits >> 2 * PART & here, bits >> 3 * PART & here


@rule
def read_hand_bits(s: ScoutPosition, first: int, cards: int) -> HandBits:
    """The hand at slot `first` in bits; where it has no card there are zeros."""
    bit1, bit2, bit4, bit8 = read_part(s, first, min(PART, cards))
    for start in range(PART, cards, PART):
        part1, part2, part4, part8 = read_part(s, first + start, min(PART, cards - start))
        bit1 |= part1 << start
        bit2 |= part2 << start
        bit4 |= part4 << start
        bit8 |= part8 << start
    return bit1, bit2, bit4, bit8


@rule
def step_masks(hand: HandBits, cards: int) -> Steps:
    """Places whose right neighbour is equal, one higher, one lower."""
    bit1, bit2, bit4, bit8 = hand
    next1, next2, next4, next8 = bit1 >> 1, bit2 >> 1, bit4 >> 1, bit8 >> 1
    other = bit1 ^ next1 | bit2 ^ next2 | bit4 ^ next4 | bit8 ^ next8
    # One more: the 1 changes, and every bit below which all are set.
    uneven = ~(bit1 ^ next1)
    no_rise = uneven | bit2 ^ bit1 ^ next2 | bit4 ^ bit2 & bit1 ^ next4 | bit8 ^ bit4 & bit2 & bit1 ^ next8
    no_fall = uneven | next2 ^ next1 ^ bit2 | next4 ^ next2 & next1 ^ bit4 | next8 ^ next4 & next2 & next1 ^ bit8
    pairs = (1 << cards) - 1 >> 1
    return ~other & pairs, ~no_rise & pairs, ~no_fall & pairs


@rule
def places_above(hand: HandBits, low: int) -> int:
    """Places with a number above `low`."""
    bit1, bit2, bit4, bit8 = hand
    low2, low4, low8 = -(low >> 1 & 1), -(low >> 2 & 1), -(low >> 3)
    higher = bit1 & (low & 1) - 1
    higher = bit2 & ~low2 | higher & ~(bit2 ^ low2)
    higher = bit4 & ~low4 | higher & ~(bit4 ^ low4)
    return bit8 & ~low8 | higher & ~(bit8 ^ low8)


@rule
def places_with_number(hand: HandBits, up: int) -> int:
    """Places with the number `up`; if it is 0, those that have no card."""
    bit1, bit2, bit4, bit8 = hand
    return ~(bit1 ^ -(up & 1) | bit2 ^ -(up >> 1 & 1) | bit4 ^ -(up >> 2 & 1) | bit8 ^ -(up >> 3))


@rule
def beating_set_starts(hand: HandBits, stepping: Steps, beat: int) -> tuple[int, int]:
    """Places where sets start that beat a strength (SCT-3): those with as many cards, those with one card more.

    `stepping` are the hand's `step_masks`.
    """
    equal, rising, falling = stepping
    higher = places_above(hand, beat % MATCH)
    need = beat // PER_CARD
    if need < 2:
        # One card: no sort of set, any pair or run of two is more.
        return higher, equal | rising | falling
    matches, ups, downs = (
        step_run_starts(equal, need - 1),
        step_run_starts(rising, need - 1),
        step_run_starts(falling, need - 1),
    )
    as_long = matches & higher
    if beat & MATCH == 0:
        # The lowest number of a falling run is its last.
        as_long = matches | (ups & higher) | (downs & higher >> need - 1)
    longer = (matches & equal >> need - 1) | (ups & rising >> need - 1) | (downs & falling >> need - 1)
    return as_long, longer


@rule
def step_run_starts(step: int, count: int) -> int:
    """Places where `count` steps of this sort follow each other."""
    found = step
    for more in range(1, count):
        found &= step >> more
    return found


@rule
def any_step_run_starts(stepping: Steps, count: int) -> int:
    """Places where this many steps of one sort follow each other."""
    equal, rising, falling = stepping
    return step_run_starts(equal, count) | step_run_starts(rising, count) | step_run_starts(falling, count)


@rule
def can_show(s: ScoutPosition, first: int, cards: int, beat: int) -> bool:
    """Has the hand at slot `first` a set that beats a strength?"""
    hand = read_hand_bits(s, first, cards)
    as_long, longer = beating_set_starts(hand, step_masks(hand, cards), beat)
    return as_long | longer != 0


@rule
def scout_places_before_show(
    s: ScoutPosition, first: int, cards: int, hand: HandBits, stepping: Steps, way: int
) -> int:
    """Where a scouted card leaves a legal Show (SCT-9, SCT-10): a bit for each place that it can go to.

    A set that the card does not part still stands, or the card makes a new one.
    """
    beat = strength_left(s, way)
    up = scouted_number(s, way)
    all_places = (1 << cards + 1) - 1
    if strength_of(1, False, up) > beat:
        return all_places
    need = beat // PER_CARD
    as_long, longer = beating_set_starts(hand, stepping, beat)
    # To the right of the earliest end of such a set (the lowest bit), to the left of the latest start (all bits below).
    right_of = -((as_long & -as_long) << need) | -((longer & -longer) << need + 1)
    left_of = as_long | longer
    for shift in (1, 2, 4, 8, 16, 32):
        left_of |= left_of >> shift
    fine = (right_of | left_of) & all_places
    near = places_with_number(hand, up) | places_with_number(hand, up - 1) | places_with_number(hand, up + 1)
    near &= (1 << cards) - 1
    near |= near << 1
    if need == 1:
        return fine | near
    near &= ~fine
    for place in range(cards + 1):
        if near >> place & 1 and makes_set(s, first, cards, place, up, beat):
            fine |= 1 << place
    return fine


#: Places where a scouted card can go: to the left of everything, or after any card but one more than a hand can take.
PLACES = MAX_HAND
PLACE = ActionParameter("place", range(PLACES))


class Act(ActionKind):
    """The kinds of actions, and what is added to each."""

    SHOW = 0
    """The place of the first card * `MAX_SET` + the number of cards - 1."""
    SCOUT = SHOW + MAX_HAND * MAX_SET
    """The way * `PLACES` + the place; ways 0 and 1 take the left card as it lies or turned, 2 and 3 the right one."""
    SCOUT_AND_SHOW = SCOUT + WAYS * PLACES
    """The same as of a Scout; a Show of the same seat comes next."""
    KEEP = SCOUT_AND_SHOW + WAYS * PLACES
    """Keep the hand the way up it was dealt."""
    FLIP = KEEP + 1
    """Turn the whole hand around, before the first turn."""
    CONTINUE = FLIP + 1
    """Go on to the next round."""


CHOICES: ParametersByKind = {
    Act.SHOW: (PLACE, ActionParameter("cards", range(1, MAX_SET + 1), Number(0, MAX_SET))),
    Act.SCOUT: (ActionParameter("way", range(WAYS)), PLACE),
    Act.SCOUT_AND_SHOW: (ActionParameter("way", range(WAYS)), PLACE),
}


#: No list of actions is longer than this and one: a number cut off here is seen by the compiler to be no count from the
#: list's end, which it would have to look for at each of them.
LAST_ACTION_INDEX = 1023
#: Number of actions that are looked up and written at once.
ACTION_BATCH = 8
ACTION_BATCH_MASK = (1 << ACTION_BATCH) - 1
#: Shows are looked up for four places at once: a bit for each that begins a set of as many cards as are needed, then a
#: bit for each that begins one of a card more.
FOUR = 4
ANY_FOUR = (1 << FOUR) - 1
#: A row of Scouts is written sixteen at a time.
ROW = 16


def pack_offsets(places: Iterable[int]) -> int:
    """What is added to an action to get others of a list, eight bits for each."""
    return sum(place << ACTION_BATCH * i for i, place in enumerate(places))


#: By the bits of eight places: those that have one.
PLACES_OF: Ints = np.array(
    [
        pack_offsets(place for place in range(ACTION_BATCH) if bits >> place & 1)
        for bits in range(ACTION_BATCH_MASK + 1)
    ],
    np.int64,
)
#: By the bits of four places: the sets that begin there, as what is added to the action of the shortest at the first.
SETS_OF: Ints = np.array(
    [
        pack_offsets(
            place * MAX_SET + longer
            for place in range(FOUR)
            for longer in range(2)
            if bits >> longer * FOUR + place & 1
        )
        for bits in range(ACTION_BATCH_MASK + 1)
    ],
    np.int64,
)
#: How many of eight bits are set.
HOW_MANY: Ints = np.array([bits.bit_count() for bits in range(ACTION_BATCH_MASK + 1)], np.int64)


@rule
def can_scout(s: ScoutPosition, seat: int) -> bool:
    """May the seat that is to play take a card of the Active Set? With two players that costs a chip."""
    return s.phase == Phase.TURN and s.active > 0 and (s.seats > TWO_PLAYERS or s.coins[seat] > 0)


@rule
def legal_turn_actions(s: ScoutPosition, seat: int, out: NDArray[np.int32]) -> int:
    """Write what the seat on turn may do, or which Shows may end its Scout and Show."""
    first, cards = hand_start(s, seat), s.hand[seat]
    hand = read_hand_bits(s, first, cards)
    stepping = step_masks(hand, cards)
    n = legal_shows_from_bits(hand, stepping, cards, s.strength, out)
    if not can_scout(s, seat):
        return n
    n = append_scouts(s, Act.SCOUT, cards, out, n)
    if s.marker[seat] == 0:
        return n
    if s.active == 1:
        # Nothing is left to beat (SCT-9): any card can be shown.
        return append_scouts(s, Act.SCOUT_AND_SHOW, cards, out, n)
    for way in range(WAYS):
        fine = scout_places_before_show(s, first, cards, hand, stepping, way)
        for place in range(0, cards + 1, ACTION_BATCH):
            bits = fine >> place & ACTION_BATCH_MASK
            n = append_actions(out, n, Act.SCOUT_AND_SHOW + way * PLACES + place, PLACES_OF[bits], HOW_MANY[bits])
    return n


@rule
def legal_shows(s: ScoutPosition, seat: int, out: NDArray[np.int32]) -> int:
    """Write the Shows of a seat's hand that beat the Active Set, ascending; return how many there are."""
    cards = s.hand[seat]
    hand = read_hand_bits(s, hand_start(s, seat), cards)
    return legal_shows_from_bits(hand, step_masks(hand, cards), cards, s.strength, out)


@rule
def legal_shows_from_bits(hand: HandBits, stepping: Steps, cards: int, beat: int, out: NDArray[np.int32]) -> int:
    """Write the Shows of a hand in bits that beat a strength (SCT-2, SCT-3), ascending; return how many there are."""
    need = max(1, beat // PER_CARD)
    as_long, longer = beating_set_starts(hand, stepping, beat)
    equal, rising, falling = stepping
    joined = longer & (equal & equal >> need | rising & rising >> need | falling & falling >> need)
    n = 0
    for start in range(0, cards, FOUR):
        action = Act.SHOW + start * MAX_SET + need - 1
        if joined >> start & ANY_FOUR == 0:
            bits = as_long >> start & ANY_FOUR | (longer >> start & ANY_FOUR) << FOUR
            n = append_actions(out, n, action, SETS_OF[bits], HOW_MANY[bits])
            continue
        for place in range(start, start + FOUR):
            n = append_action_if(out, n, action, as_long >> place & 1)
            n = append_action_if(out, n, action + 1, longer >> place & 1)
            if joined >> place & 1:
                # Sets with two cards more are rare; what they go on with is asked step by step.
                more = need
                while any_step_run_starts(stepping, more + 1) >> place & 1:
                    more += 1
                    n = append_action_if(out, n, action + more - need + 1, 1)
            action += MAX_SET
    return n


@rule
def append_scouts(s: ScoutPosition, action: int, cards: int, out: NDArray[np.int32], n: int) -> int:
    """Append the Scouts to all places of a hand (SCT-1), of which the first is this action."""
    for way in range(ways_to_scout(s)):
        at = n & LAST_ACTION_INDEX
        # Whole rows: what is too much is written over, or lies behind the list's end.
        for place in range(cards + ROW & -ROW):
            out[at + place] = action + way * PLACES + place
        n += cards + 1
    return n


@rule
def append_actions(out: NDArray[np.int32], n: int, action: int, steps: int, count: int) -> int:
    """Append the actions of a step mask, counted from `action` (`pack_offsets`); return the new number of actions."""
    at = n & LAST_ACTION_INDEX
    # Lists have room for `ACTION_BATCH` more. The compiler does not know that: `min` lets it write them in one step.
    for i in range(min(ACTION_BATCH, len(out))):
        out[at + i] = action + (steps >> ACTION_BATCH * i & ACTION_BATCH_MASK)
    return n + count


@rule
def append_action_if(out: NDArray[np.int32], n: int, action: int, is_legal: int) -> int:
    """Append an action if `is_legal` is 1; return how many there are then."""
    out[n & LAST_ACTION_INDEX] = action
    return n + is_legal
