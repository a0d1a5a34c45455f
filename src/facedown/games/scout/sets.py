"""SCOUT's sets: how strong they are, and which ones a hand holds. Rulings (SCT-…): ``docs/rules/scout.md``."""

from __future__ import annotations

import numpy as np

from facedown.core.rule import rule
from facedown.core.state import Ints
from facedown.games.scout.cards import FACE, TURNED
from facedown.games.scout.state import ScoutPosition, number, table_slot

#: Strength of a set: 32 for each card, 16 for a match, and its lowest number. No set: 0.
PER_CARD = 32
MATCH = 16
#: A card is scouted from the left as it lies or turned, or from the right.
WAYS = 4
#: Which power of two leaves this remainder, divided by 67: all below 2**66 leave different ones.
_POWER_OF: Ints = np.array([next((n for n in range(66) if 2**n % 67 == rest), 0) for rest in range(67)], np.int64)


@rule
def lowest(bits: int) -> int:
    """The place of the lowest bit that is set."""
    return _POWER_OF[(bits & -bits) % 67]


@rule
def goes_on(equal: int, rising: int, falling: int, place: int, steps: int) -> bool:
    """Are this step of a row and as many after it all the same?"""
    run = (1 << steps + 1) - 1
    return equal >> place & run == run or rising >> place & run == run or falling >> place & run == run


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
    """The strength of the Active Set without so many cards of its ends."""
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
def scouted(s: ScoutPosition, way: int) -> int:
    """The number on the card scouted in a way: 0 and 1 the left one, as it lies or turned, 2 and 3 the right."""
    slot = table_slot(s.out + (s.active - 1) * (way // 2))
    return FACE[s.card[slot] + TURNED * (s.flip[slot] ^ way % 2)]


@rule
def strength_left(s: ScoutPosition, way: int) -> int:
    """The strength of the Active Set without the card that is scouted in a way."""
    return active_strength(s, 1 - way // 2, way // 2)


# --- a card more in a hand --------------------------------------------------------------------------------------------


@rule
def reach(s: ScoutPosition, first: int, cards: int, place: int, up: int, step: int) -> tuple[int, int]:
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
        left, right = reach(s, first, cards, place, up, step)
        if slice_strength(up - step * (place - left), step, right - left + 1) > beat:
            return True
    return False


# --- a hand in bits -------------------------------------------------------------------------------------------------
#
# What is asked at every place of a hand is worked out for all places at once, a bit for each: hidden cards make
# branches hard to predict, and these have none.


#: So many places are read into one integer that has three bits for each: hardly ever has a hand more.
PART = 21
IN_PART = (1 << PART) - 1
#: By the difference of two neighbours' numbers (below 0: counted back from `STEPS`): a bit for equal, rising, falling.
STEPS = 32
STEP: Ints = np.array([1, 1 << PART, *[0] * (STEPS - 3), 1 << 2 * PART], np.int64)


@rule
def steps(s: ScoutPosition, first: int, cards: int, low: int) -> tuple[int, int, int, int]:
    """Read the hand at slot `first` into bits, the leftmost card's lowest.

    Places whose right neighbour is equal, one higher, one lower; places with a number above `low`.
    """
    equal = 0
    rising = 0
    falling = 0
    above = 0
    before = 0
    for start in range(0, cards, PART):
        marks = 0
        for i in range(min(PART, cards - start)):
            here = number(s, first + start + i)
            marks |= STEP[here - before & STEPS - 1] << i
            above |= (here > low) << start + i
            before = here
        equal |= (marks & IN_PART) << start
        rising |= (marks >> PART & IN_PART) << start
        falling |= (marks >> 2 * PART & IN_PART) << start
    # The bit of the left neighbour was set when the right one was read.
    return equal >> 1, rising >> 1, falling >> 1, above


@rule
def beating(equal: int, rising: int, falling: int, above: int, cards: int, beat: int) -> tuple[int, int]:
    """Places where sets start that beat a strength (SCT-3): those with as many cards, those with one card more.

    `above` are the places with a number above the strength's lowest one.
    """
    need = beat // PER_CARD
    if need < 2:
        # One card: no sort of set, any pair or run of two is more.
        return above & (1 << cards) - 1, equal | rising | falling
    matches = equal
    ups = rising
    downs = falling
    for more in range(1, need - 1):
        matches &= equal >> more
        ups &= rising >> more
        downs &= falling >> more
    higher = matches & above
    if beat & MATCH == 0:
        # The lowest number of a falling run is its last.
        higher = matches | (ups & above) | (downs & above >> need - 1)
    longer = (matches & equal >> need - 1) | (ups & rising >> need - 1) | (downs & falling >> need - 1)
    return higher, longer


@rule
def can_show(s: ScoutPosition, first: int, cards: int, beat: int) -> bool:
    """Has this hand a set that beats a strength?"""
    equal, rising, falling, above = steps(s, first, cards, beat % MATCH)
    as_long, longer = beating(equal, rising, falling, above, cards, beat)
    return as_long | longer != 0


@rule
def places_to_show(s: ScoutPosition, first: int, cards: int, way: int) -> int:
    """Where a scouted card leaves a legal Show (SCT-9, SCT-10): a bit for each place that it can go to.

    A set that the card does not part still stands, or the card makes a new one.
    """
    beat = strength_left(s, way)
    up = scouted(s, way)
    if strength_of(1, False, up) > beat:
        return (1 << cards + 1) - 1
    need = beat // PER_CARD
    equal, rising, falling, above = steps(s, first, cards, beat % MATCH)
    as_long, longer = beating(equal, rising, falling, above, cards, beat)
    # To the right of the earliest end of such a set (the lowest bit), to the left of the latest start (all bits below).
    right_of = -((as_long & -as_long) << need) | -((longer & -longer) << need + 1)
    left_of = as_long | longer
    for shift in (1, 2, 4, 8, 16, 32):
        left_of |= left_of >> shift
    fine = right_of | left_of
    near = 0
    for place in range(cards):
        near |= (abs(number(s, first + place) - up) <= 1) << place
    near |= near << 1
    if need == 1:
        return fine | near
    near &= ~fine
    for place in range(cards + 1):
        if near >> place & 1 and makes_set(s, first, cards, place, up, beat):
            fine |= 1 << place
    return fine
