"""Legal actions of a turn in SCOUT, the integers that stand for actions, and the strength of sets.

The rulings cited here (SCT-…) are in ``docs/rules/scout.md``.

Hands are random, so the processor would mispredict branches that depend on the cards of a hand. The functions avoid
such branches. Instead, actions are copied from precomputed tables, always a fixed number at a time. If fewer actions
are legal, the surplus ones are overwritten by the next write.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from facedown.core.actions import ActionKind, ActionParameter, ParametersByKind
from facedown.core.field_meanings import Number
from facedown.core.rule import rule
from facedown.core.state import Ints
from facedown.games.scout.info import FACE, TURNED, TWO_PLAYERS, WAYS_UP
from facedown.games.scout.state import (
    MAX_HAND,
    MAX_SET,
    SLOTS,
    Phase,
    ScoutPosition,
    hand_start,
    number_up_at,
    slot_of_discard_or_table_card,
)

#: The strength of a set is 32 for each card, plus 16 for a match (two or more equal numbers), plus its lowest number.
#: The strength 0 stands for no set.
PER_CARD = 32
MATCH = 16
#: Number of ways to scout a card. A way is an integer:
#:
#: * 0: take the left card of the Active Set (set on the table) as it is;
#: * 1: take the left card, turned the other way up;
#: * 2: take the right card as it is;
#: * 3: take the right card, turned the other way up.
WAYS = 4


@rule
def strength_of(cards: int, match: bool, lowest: int) -> int:
    """Return the strength of a set with `cards` cards. A set beats another one if its strength is higher.

    The strength is 32 × `cards`, plus 16 if the set is a match (two or more equal numbers), plus its lowest number. So
    more cards win. With equally many cards, a match beats a run. Of two matches or two runs with equally many cards,
    the set whose lowest number is higher wins (ruling SCT-3).
    """
    return PER_CARD * cards + MATCH * (match and cards > 1) + lowest


@rule
def strength_from_first_number(first: int, step: int, cards: int) -> int:
    """Return the strength of a set with `cards` cards whose leftmost number is `first`.

    `step` is the difference from each number to the next: 0 in a match (equal numbers), 1 or -1 in a run. The strength
    is 32 × `cards`, plus 16 for a match of two or more cards, plus the lowest number. A higher strength wins.
    """
    return strength_of(cards, step == 0, first - (cards - 1) if step < 0 else first)


@rule
def active_set_strength(s: ScoutPosition, skip_left: int, skip_right: int) -> int:
    """Return the strength of the Active Set (set on the table) without some cards at its left and right end.

    `skip_left` and `skip_right` say how many cards are left out at each end. The strength is 0 if no cards are left.
    """
    cards = s.active - skip_left - skip_right
    if cards == 0:
        return 0
    left = number_up_at(s, slot_of_discard_or_table_card(s.out + skip_left))
    right = number_up_at(s, slot_of_discard_or_table_card(s.out + s.active - 1 - skip_right))
    return strength_of(cards, left == right, min(left, right))


@rule
def scout_way_count(s: ScoutPosition) -> int:
    """Return the number of ways to scout a card: four, or two if the Active Set (set on the table) has a single card.

    A way (see `WAYS`) says which end card of the Active Set is taken and whether it is turned the other way up. A
    single card counts as the left end only (ruling SCT-1).
    """
    return WAYS if s.active > 1 else WAYS // 2


@rule
def scouted_number(s: ScoutPosition, way: int) -> int:
    """Return the number that will be up on a scouted card.

    `way` (0 to 3, see `WAYS`) says which end card of the Active Set (set on the table) is taken and whether it is
    turned the other way up.
    """
    slot = slot_of_discard_or_table_card(s.out + (s.active - 1) * (way // 2))
    return FACE[s.card[slot] + TURNED * (s.flip[slot] ^ way % 2)]


@rule
def active_strength_after_scout(s: ScoutPosition, way: int) -> int:
    """Return the strength of the Active Set (set on the table) after a card is scouted from one of its ends.

    `way` (0 to 3, see `WAYS`) says which end card of the Active Set is taken and whether it is turned the other way up.
    """
    return active_set_strength(s, 1 - way // 2, way // 2)


# --- sets with one more card in a hand --------------------------------------------------------------------------------


@rule
def set_bounds_with_new_card(
    s: ScoutPosition, first: int, cards: int, place: int, up: int, step: int
) -> tuple[int, int]:
    """Return (start, end): the range of places in a hand whose cards form a set with a new card. `end` is not included.

    If no neighbouring card fits, the range is empty: `start` and `end` are both `place`.

    * ``s.card[first:first+cards]`` are the cards of the hand.
    * `up` is the number of the new card.
    * `place` is the place where the new card is put: the number of cards to the left of it.
    * `step` is the difference from each number of the set to the next: -1, 0 or 1.

    Places are counted from 0 at the left end of the hand, without the new card. For example, a 5 is put between the 4
    and the 6 of the hand 9 4 6. With `step` 1 it forms a set with the cards at places 1 and 2, so the result is (1, 3).
    """
    left = place
    while left > 0 and number_up_at(s, first + left - 1) == up - step * (place - left + 1):
        left -= 1
    right = place
    while right < cards and number_up_at(s, first + right) == up + step * (right - place + 1):
        right += 1
    return left, right


@rule
def card_makes_stronger_set(s: ScoutPosition, first: int, cards: int, place: int, up: int, beat: int) -> bool:
    """Return whether a new card with the number `up`, put at `place` in a hand, is part of a set stronger than `beat`.

    `beat` is the strength of a set (`strength_of`). The cards of the hand are ``s.card[first:first+cards]``.
    """
    for step in range(-1, 2):
        left, right = set_bounds_with_new_card(s, first, cards, place, up, step)
        if strength_from_first_number(up - step * (place - left), step, right - left + 1) > beat:
            return True
    return False


# --- hands as bit masks -----------------------------------------------------------------------------------------------
#
# Properties of a hand are computed for all its places at once, with one bit for each place. This needs no branches that
# depend on the cards, which the processor would often mispredict.


#: Number of places of a hand that are read into one integer, with four bits for each. Few hands are longer.
PART = 16
#: The number that is up on a card, with its four bits moved to bits 0, 16, 32 and 48. Indexed like `FACE`.
SPREAD: Ints = np.array([sum((up >> bit & 1) << PART * bit for bit in range(4)) for up in FACE], np.int64)
#: A hand as four bit masks of places, one for each bit (1, 2, 4, 8) of the numbers in the hand. Each mask has the
#: places whose number has this bit set. The leftmost card is bit 0 of each mask.
HandBits = tuple[int, int, int, int]
#: Three bit masks of places in a hand. The first mask has the places where the next number is equal, the second those
#: where it is one higher, and the third those where it is one lower.
Steps = tuple[int, int, int]


@rule
def read_hand_part_bits(s: ScoutPosition, first: int, cards: int) -> HandBits:
    """Return `cards` cards of a hand, from ``s.card[first]`` on, as bit masks (`HandBits`).

    `cards` is at most `PART`: the numbers are collected in one integer of 64 bits, and each number needs four bits.
    """
    # The loop always reads `PART` elements of `s.card`, so that the compiler can unroll it. If fewer elements follow
    # the index `first`, it starts at an earlier index.
    slot = max(min(first, SLOTS - PART), 0)
    bits = 0
    for i in range(PART):
        bits |= SPREAD[s.card[slot + i] + TURNED * s.flip[slot + i] & WAYS_UP - 1] << i
    here = (1 << cards) - 1
    bits >>= first - slot
    return bits & here, bits >> PART & here, bits >> 2 * PART & here, bits >> 3 * PART & here


@rule
def read_hand_bits(s: ScoutPosition, first: int, cards: int) -> HandBits:
    """Return a hand as bit masks (`HandBits`). The cards of the hand are ``s.card[first:first+cards]``.

    The bits of places after the hand are 0.
    """
    bit1, bit2, bit4, bit8 = read_hand_part_bits(s, first, min(PART, cards))
    for start in range(PART, cards, PART):
        part1, part2, part4, part8 = read_hand_part_bits(s, first + start, min(PART, cards - start))
        bit1 |= part1 << start
        bit2 |= part2 << start
        bit4 |= part4 << start
        bit8 |= part8 << start
    return bit1, bit2, bit4, bit8


@rule
def step_masks(hand: HandBits, cards: int) -> Steps:
    """Return three bit masks of places in a hand that has `cards` cards.

    The first mask has the places where the next number is equal, the second those where it is one higher, and the third
    those where it is one lower.
    """
    bit1, bit2, bit4, bit8 = hand
    next1, next2, next4, next8 = bit1 >> 1, bit2 >> 1, bit4 >> 1, bit8 >> 1
    other = bit1 ^ next1 | bit2 ^ next2 | bit4 ^ next4 | bit8 ^ next8
    # The numbers are compared bit by bit, for all places at once. Adding 1 to a number flips its lowest bit, and each
    # higher bit if all bits below it are set.
    #
    # * `same_parity`: the places where this number and the next one have the same lowest bit, so that they cannot
    #   differ by 1;
    # * `no_rise`: the places where the next number is not this number plus 1;
    # * `no_fall`: the places where this number is not the next number plus 1.
    same_parity = ~(bit1 ^ next1)
    no_rise = same_parity | bit2 ^ bit1 ^ next2 | bit4 ^ bit2 & bit1 ^ next4 | bit8 ^ bit4 & bit2 & bit1 ^ next8
    no_fall = same_parity | next2 ^ next1 ^ bit2 | next4 ^ next2 & next1 ^ bit4 | next8 ^ next4 & next2 & next1 ^ bit8
    pairs = (1 << cards) - 1 >> 1
    return ~other & pairs, ~no_rise & pairs, ~no_fall & pairs


@rule
def mask_of_places_with_number_above(hand: HandBits, low: int) -> int:
    """Return the bit mask of the places in a hand with a number above `low`."""
    bit1, bit2, bit4, bit8 = hand
    low2, low4, low8 = -(low >> 1 & 1), -(low >> 2 & 1), -(low >> 3)
    higher = bit1 & (low & 1) - 1
    higher = bit2 & ~low2 | higher & ~(bit2 ^ low2)
    higher = bit4 & ~low4 | higher & ~(bit4 ^ low4)
    return bit8 & ~low8 | higher & ~(bit8 ^ low8)


@rule
def mask_of_places_with_number(hand: HandBits, up: int) -> int:
    """Return the bit mask of the places in a hand with the number `up`.

    `up` may also be 0 or 11, which are one below and one above the numbers on cards. For 11 the result is 0. For 0 the
    result has the bits of all places after the end of the hand, so the caller must clear these bits.
    """
    bit1, bit2, bit4, bit8 = hand
    return ~(bit1 ^ -(up & 1) | bit2 ^ -(up >> 1 & 1) | bit4 ^ -(up >> 2 & 1) | bit8 ^ -(up >> 3))


@rule
def stronger_set_start_masks(hand: HandBits, stepping: Steps, beat: int) -> tuple[int, int]:
    """Return two bit masks of the places in a hand at which sets stronger than `beat` start.

    `beat` is the strength of the set to beat (`strength_of`), or 0 for no set. `stepping` is the result of `step_masks`
    for the hand.

    * The first mask is for sets with as many cards as the set to beat (single cards if there is no set to beat).
    * The second mask is for sets with one card more.

    No mask is needed for still larger sets. Each of them starts with a set that has one card more than the set to beat,
    so its place is in the second mask, too.
    """
    equal, rising, falling = stepping
    higher = mask_of_places_with_number_above(hand, beat % MATCH)
    need = beat // PER_CARD
    if need < 2:
        # If at most one card is to be beaten, any higher card is enough, and so is any set of two cards.
        return higher, equal | rising | falling
    matches, ups, downs = (
        bit_run_start_mask(equal, need - 1),
        bit_run_start_mask(rising, need - 1),
        bit_run_start_mask(falling, need - 1),
    )
    as_long = matches & higher
    if beat & MATCH == 0:
        # In a falling run, the lowest number is that of the last card.
        as_long = matches | (ups & higher) | (downs & higher >> need - 1)
    longer = (matches & equal >> need - 1) | (ups & rising >> need - 1) | (downs & falling >> need - 1)
    return as_long, longer


@rule
def bit_run_start_mask(step: int, count: int) -> int:
    """Return the bit mask of the places in a hand at which sets of one kind with `count` + 1 cards start.

    `step` is one of the three bit masks that `step_masks` returns. It determines the kind of the sets:

    * matches, if `step` has the places where the next number is equal;
    * rising runs, if it has the places where the next number is one higher;
    * falling runs, if it has the places where the next number is one lower.

    A set of `count` + 1 cards starts at place i if bits i to i + `count` - 1 of `step` are all 1.
    """
    found = step
    for more in range(1, count):
        found &= step >> more
    return found


@rule
def set_start_mask(stepping: Steps, step_count: int) -> int:
    """Return the bit mask of the places in a hand at which sets of `step_count` + 1 cards start.

    A step leads from one card of a set to the next, so a set has one card more than steps. `stepping` is the result of
    `step_masks` for the hand.
    """
    equal, rising, falling = stepping
    return (
        bit_run_start_mask(equal, step_count)
        | bit_run_start_mask(rising, step_count)
        | bit_run_start_mask(falling, step_count)
    )


@rule
def can_show(s: ScoutPosition, first: int, cards: int, beat: int) -> bool:
    """Return whether a hand has a set stronger than `beat`, the strength of a set (0 for no set).

    The cards of the hand are ``s.card[first:first+cards]``.
    """
    hand = read_hand_bits(s, first, cards)
    as_long, longer = stronger_set_start_masks(hand, step_masks(hand, cards), beat)
    return as_long | longer != 0


@rule
def place_mask_for_scout_and_show(
    s: ScoutPosition, first: int, cards: int, hand: HandBits, stepping: Steps, way: int
) -> int:
    """Return the bit mask of the places where a scouted card can be put so that a Show is legal next.

    The Scout takes an end card of the Active Set (set on the table). The Show must then beat the rest of the Active Set
    (rulings SCT-9 and SCT-10). This is possible in two cases:

    * The hand already has a set that beats this rest, and the scouted card is not put between the cards of that set.
    * The scouted card becomes part of a set that beats this rest.

    A place is the number of cards of the hand to the left of the scouted card.

    * `first` and `cards`: the cards of the hand before the Scout are ``s.card[first:first+cards]``.
    * `hand`: the same hand encoded as `HandBits`.
    * `stepping`: the result of `step_masks` for this hand.
    * `way` (0 to 3, see `WAYS`): which end card is scouted, and whether it is turned the other way up.
    """
    beat = active_strength_after_scout(s, way)
    up = scouted_number(s, way)
    all_places = (1 << cards + 1) - 1
    if strength_of(1, False, up) > beat:
        return all_places
    need = beat // PER_CARD
    as_long, longer = stronger_set_start_masks(hand, stepping, beat)
    # If the hand already has strong enough sets, the scouted card must leave one of them whole. It may then go to two
    # groups of places:
    #
    # * `right_of`: all places to the right of the set that ends first;
    # * `left_of`: all places to the left of the set that starts last.
    right_of = -((as_long & -as_long) << need) | -((longer & -longer) << need + 1)
    left_of = as_long | longer
    for shift in (1, 2, 4, 8, 16, 32):
        left_of |= left_of >> shift
    fine = (right_of | left_of) & all_places
    near = (
        mask_of_places_with_number(hand, up)
        | mask_of_places_with_number(hand, up - 1)
        | mask_of_places_with_number(hand, up + 1)
    )
    near &= (1 << cards) - 1
    near |= near << 1
    if need == 1:
        return fine | near
    near &= ~fine
    for place in range(cards + 1):
        if near >> place & 1 and card_makes_stronger_set(s, first, cards, place, up, beat):
            fine |= 1 << place
    return fine


#: Largest number of places in a hand where a scouted card can go. A hand of n cards has n + 1 such places: before the
#: first card, and after each card. The Scout adds a card to the hand, so n is at most `MAX_HAND` - 1 before it.
PLACES = MAX_HAND
PLACE = ActionParameter("place", range(PLACES))


class Act(ActionKind):
    """Kinds of actions. An action is an integer: the value of its kind, plus its parameter if it has one."""

    SHOW = 0
    """Show a set. The parameter is the place of its first card * `MAX_SET` + the number of its cards - 1."""
    SCOUT = SHOW + MAX_HAND * MAX_SET
    """Scout a card. The parameter is the way to scout * `PLACES` + the place in the hand. Ways 0 and 1 take the left
    card as it is or turned the other way up, ways 2 and 3 do the same with the right card."""
    SCOUT_AND_SHOW = SCOUT + WAYS * PLACES
    """Scout a card and then show a set. The parameter is as in `SCOUT`. The next action is the Show."""
    KEEP = SCOUT_AND_SHOW + WAYS * PLACES
    """Keep the hand as it was dealt, before the first turn."""
    FLIP = KEEP + 1
    """Flip the whole hand, before the first turn."""
    CONTINUE = FLIP + 1
    """Continue to the next round."""


CHOICES: ParametersByKind = {
    Act.SHOW: (PLACE, ActionParameter("cards", range(1, MAX_SET + 1), Number(0, MAX_SET))),
    Act.SCOUT: (ActionParameter("way", range(WAYS)), PLACE),
    Act.SCOUT_AND_SHOW: (ActionParameter("way", range(WAYS)), PLACE),
}


#: Largest index in a list of actions. Indices are masked with it, so that the compiler omits the check for negative
#: ones.
LAST_ACTION_INDEX = 1023
#: Number of actions that are looked up and written at once.
ACTION_BATCH = 8
ACTION_BATCH_MASK = (1 << ACTION_BATCH) - 1
#: Number of neighbouring places in a hand whose Shows are looked up at once in `SETS_OF`. The index in `SETS_OF` is a
#: bit mask of eight bits:
#:
#: * Bits 0 to 3, one for each place: a strong enough set with as many cards as the set to beat starts there.
#: * Bits 4 to 7, one for each place: a strong enough set with one card more than the set to beat starts there.
FOUR = 4
ANY_FOUR = (1 << FOUR) - 1
#: Number of Scouts that are written at once.
ROW = 16


def pack_offsets(places: Iterable[int]) -> int:
    """Return up to eight numbers packed into one integer, eight bits for each. The first one has the lowest bits.

    Each number is an offset: an action (an integer) less a base action (see `append_actions_at_packed_offsets`).
    """
    return sum(place << ACTION_BATCH * i for i, place in enumerate(places))


#: ``PLACES_OF[mask]`` has the indices of all 1 bits in `mask`, a bit mask of eight bits. These indices are packed into
#: one integer by `pack_offsets`.
PLACES_OF: Ints = np.array(
    [
        pack_offsets(place for place in range(ACTION_BATCH) if bits >> place & 1)
        for bits in range(ACTION_BATCH_MASK + 1)
    ],
    np.int64,
)
#: The Shows of the sets that start at four neighbouring places of a hand, indexed by the bit mask described at `FOUR`.
#:
#: Each Show is given as an offset: its action (an integer) less a base action. The base action is the Show that starts
#: at the first of the four places and has as many cards as the set to beat. The offsets of all Shows for an index are
#: packed into one integer (`pack_offsets`).
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
#: ``HOW_MANY[mask]`` is the number of 1 bits in `mask`, a bit mask of eight bits.
HOW_MANY: Ints = np.array([bits.bit_count() for bits in range(ACTION_BATCH_MASK + 1)], np.int64)


@rule
def can_scout(s: ScoutPosition, seat: int) -> bool:
    """Return whether the seat, which is to act, may scout. There must be a set on the table.

    With two players, the seat must also have a chip.
    """
    return s.phase == Phase.TURN and s.active > 0 and (s.seats > TWO_PLAYERS or s.coins[seat] > 0)


@rule
def legal_turn_actions(s: ScoutPosition, seat: int, out: NDArray[np.int32]) -> int:
    """Write to `out` the legal actions of the seat whose turn it is, in ascending order. Return how many there are.

    In the second half of a Scout and Show, only Shows are legal.
    """
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
        # If the set on the table has only one card, no set is left after the Scout, so any card can be shown (SCT-9).
        return append_scouts(s, Act.SCOUT_AND_SHOW, cards, out, n)
    for way in range(WAYS):
        fine = place_mask_for_scout_and_show(s, first, cards, hand, stepping, way)
        for place in range(0, cards + 1, ACTION_BATCH):
            bits = fine >> place & ACTION_BATCH_MASK
            action = Act.SCOUT_AND_SHOW + way * PLACES + place
            n = append_actions_at_packed_offsets(out, n, action, PLACES_OF[bits], HOW_MANY[bits])
    return n


@rule
def legal_shows(s: ScoutPosition, seat: int, out: NDArray[np.int32]) -> int:
    """Write to `out` the Shows of a seat's hand that beat the Active Set (set on the table), in ascending order.

    Return how many there are.
    """
    cards = s.hand[seat]
    hand = read_hand_bits(s, hand_start(s, seat), cards)
    return legal_shows_from_bits(hand, step_masks(hand, cards), cards, s.strength, out)


@rule
def legal_shows_from_bits(hand: HandBits, stepping: Steps, cards: int, beat: int, out: NDArray[np.int32]) -> int:
    """Write to `out` all actions that show a set stronger than `beat` (rulings SCT-2 and SCT-3). Return their number.

    * `hand`: the hand from which the set is shown, encoded as `HandBits`.
    * `stepping`: the result of `step_masks` for this hand.
    * `cards`: the number of cards in this hand.
    * `beat`: the strength of the set to beat, or 0 for no set.
    * `out`: receives the actions, in ascending order. Some elements after them may be overwritten, too.
    """
    need = max(1, beat // PER_CARD)
    as_long, longer = stronger_set_start_masks(hand, stepping, beat)
    equal, rising, falling = stepping
    joined = longer & (equal & equal >> need | rising & rising >> need | falling & falling >> need)
    n = 0
    for start in range(0, cards, FOUR):
        action = Act.SHOW + start * MAX_SET + need - 1
        if joined >> start & ANY_FOUR == 0:
            bits = as_long >> start & ANY_FOUR | (longer >> start & ANY_FOUR) << FOUR
            n = append_actions_at_packed_offsets(out, n, action, SETS_OF[bits], HOW_MANY[bits])
            continue
        for place in range(start, start + FOUR):
            n = append_action_if(out, n, action, as_long >> place & 1)
            n = append_action_if(out, n, action + 1, longer >> place & 1)
            if joined >> place & 1:
                # Sets with at least two cards more than `need` are rare, so they are searched one length after the
                # other.
                more = need
                while set_start_mask(stepping, more + 1) >> place & 1:
                    more += 1
                    n = append_action_if(out, n, action + more - need + 1, 1)
            action += MAX_SET
    return n


@rule
def append_scouts(s: ScoutPosition, action: int, cards: int, out: NDArray[np.int32], n: int) -> int:
    """Append all Scouts (ruling SCT-1) to the `n` actions in `out`. Return the new number of actions.

    For each way to scout (see `WAYS`) and each place in the hand, ``action + way * PLACES + place`` is appended.
    `action` is `Act.SCOUT` or `Act.SCOUT_AND_SHOW`. `cards` is the number of cards in the hand.
    """
    for way in range(scout_way_count(s)):
        at = n & LAST_ACTION_INDEX
        # For each way, the actions are written in blocks of `ROW`, so some surplus actions follow after the legal ones.
        # The next way overwrites them. After the last way they are beyond the end of the list, and are ignored.
        for place in range(cards + ROW & -ROW):
            out[at + place] = action + way * PLACES + place
        n += cards + 1
    return n


@rule
def append_actions_at_packed_offsets(out: NDArray[np.int32], n: int, action: int, steps: int, count: int) -> int:
    """Append `count` actions to the `n` actions in `out`. Return the new number of actions.

    Each appended action is the sum of the base action `action` and an offset. `steps` has `count` offsets, packed into
    one integer by `pack_offsets`.
    """
    at = n & LAST_ACTION_INDEX
    # `out` always has room for `ACTION_BATCH` more actions, so `min` never changes the number of actions written. It is
    # there for the compiler, which can then write all of them in one step.
    for i in range(min(ACTION_BATCH, len(out))):
        out[at + i] = action + (steps >> ACTION_BATCH * i & ACTION_BATCH_MASK)
    return n + count


@rule
def append_action_if(out: NDArray[np.int32], n: int, action: int, is_legal: int) -> int:
    """Append an action to the `n` actions in `out` if `is_legal` is 1. Return the new number of actions.

    If `is_legal` is 0, the number stays `n`. The element ``out[n]`` is overwritten in both cases.
    """
    out[n & LAST_ACTION_INDEX] = action
    return n + is_legal
