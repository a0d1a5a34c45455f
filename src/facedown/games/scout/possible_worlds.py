"""Random deals of the unknown cards in SCOUT that fit what a viewer knows. Bots search such deals.

All players know in which hand a scouted card is. `place_known` puts it at a random place of this hand. All players also
know two facts, which `is_consistent` checks:

* A seat that must show has a legal Show.
* A seat that was stuck (could neither show nor scout) had no legal Show.

The other unknown cards are filled in at random by the module `core.hidden_cards`.

With `scout_insert_public=yes` all players also know the place of a scouted card in its hand (SCT-14). The field `said`
is a list of entries (`EntryKind`) about two kinds of events:

* A card was put into a hand. All players see its place in the hand.
* A slice (neighbouring cards) left a hand. Other players see its cards, but not their places in the hand.

Other players do not know which places a slice had in the hand that it left. So they do not know which of the remaining
cards were to the right of the slice and have moved to the left. Therefore each known card that is still in the hand may
be at one of several places. `write_possible_places_of_known_cards` lists all possibilities.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from facedown.core.random_numbers import next_word, random_below
from facedown.core.rule import rule
from facedown.core.state import RUNNING, UNKNOWN, Ints
from facedown.games.scout.info import KINDS, TWO_PLAYERS
from facedown.games.scout.legal_actions import can_show
from facedown.games.scout.state import (
    ASIDE,
    LEFT_OVER,
    MAX_PLACE_ENTRIES,
    PLAYERS,
    SLOTS,
    Phase,
    ScoutPosition,
    hand_start,
    is_in_deck,
)


class EntryKind(IntEnum):
    """Kinds of entries in the field `said`, which has what all players know about the places of cards in hands."""

    #: * `PUT`: a card was put into the hand at a place.
    #: * `LEFT`: a slice (neighbouring cards) left the hand.
    #: * `AMONG`: a certain card was in the slice of the last `LEFT` entry. The place in this entry is the index of the
    #:   card in the slice, from the left.
    PUT = 0
    LEFT = 1
    AMONG = 2


#: Array of possible placements of the known cards in a hand, indexed by (placement, kind of card). The elements are the
#: places of the cards in the hand, or `AWAY`. A kind is the index of a card's pair of numbers.
Rows = NDArray[np.int64]
#: Ranges of the four numbers that an entry of the field `said` packs into one integer (`add_hand_knowledge_entry`):
#:
#: * the hand: from 0 to `WHO` − 1;
#: * the `EntryKind`: from 0 to `WHAT` − 1;
#: * the card, or the number of cards: from 0 to `FIELD` − 1;
#: * the place: from 0 to `FIELD` − 1.
WHO = 8
WHAT = 4
FIELD = 64
#: Largest number of possible placements of a hand's known cards that are kept. Any others are dropped. This is rare: in
#: random matches, nearly all hands had at most 400 possible placements.
MOST_WAYS = 1_024
#: Place of a card that is not in the hand.
AWAY = -1


@rule
def add_hand_knowledge_entry(s: ScoutPosition, who: int, what: int, card_or_count: int, place: int) -> None:
    """Append an entry to the field `said` (what all players know about the places of cards in hands).

    `who` is the hand: a seat, or `LEFT_OVER` for a hand that is out of play. `what` is the `EntryKind`. The meaning of
    `card_or_count` and `place` depends on it:

    * `PUT`, a card was put into the hand: `card_or_count` is its kind, and `place` is its place in the hand.
    * `LEFT`, a slice (neighbouring cards) left the hand: `card_or_count` is the number of cards in the slice (not a
      kind), and `place` is 0.
    * `AMONG`, a certain card was in the slice: `card_or_count` is its kind, and `place` is its index in the slice.

    Places and indices are counted from 0. The kind of a card is the index of its pair of numbers.
    """
    s.said[s.said_count] = ((place * FIELD + card_or_count) * WHAT + what) * WHO + who
    s.said_count += 1


@rule
def unpack_hand_knowledge_entry(s: ScoutPosition, i: int) -> tuple[int, int, int, int]:
    """Return entry `i` of the field `said`, unpacked as (hand, `EntryKind`, card, place).

    The card is the index of its pair of numbers, or for `EntryKind.LEFT` the number of cards that left the hand. See
    `add_hand_knowledge_entry`.
    """
    said = s.said[i]
    return said % WHO, said // WHO % WHAT, said // (WHO * WHAT) % FIELD, said // (WHO * WHAT * FIELD)


@rule
def forget_places(s: ScoutPosition) -> None:
    """Delete all entries of the field `said` (what all players know about the places of cards in hands).

    The players still know in which hands the cards are.
    """
    s.said[: s.said_count] = 0
    s.said_count = 0


@rule
def drop_or_move_knowledge_entries(s: ScoutPosition, who: int, to: int) -> None:
    """Delete the entries about the hand `who` from the field `said`, or move them to the hand `to`.

    They are deleted if `to` is -1. `said` has what all players know about the places of cards in hands.
    """
    n = 0
    count = s.said_count
    for i in range(count):
        other = s.said[i] % WHO != who
        if other or to >= 0:
            s.said[n] = s.said[i] if other else s.said[i] + to - who
            n += 1
    s.said[n:count] = 0
    s.said_count = n


@rule
def kinds_with_recorded_places_mask(s: ScoutPosition, who: int) -> int:
    """Return, as a bit mask of kinds, the cards of the hand `who` whose places are recorded in the field `said`.

    A kind is the index of a card's pair of numbers. `said` has what all players know about the places of cards in
    hands.
    """
    kinds = 0
    for i in range(s.said_count):
        whose, what, kind, _ = unpack_hand_knowledge_entry(s, i)
        if whose == who and what == EntryKind.PUT:
            kinds |= 1 << kind
        elif whose == who and what == EntryKind.AMONG:
            kinds &= ~(1 << kind)
    return kinds


@rule
def append_insertion_entry(s: ScoutPosition, who: int, kind: int, place: int) -> None:
    """Add an entry to the field `said`: all players saw a card put into the hand `who` at `place`.

    `kind` is the index of the card's pair of numbers. If the field is full, delete all its entries first.
    """
    if s.said_count == MAX_PLACE_ENTRIES:
        forget_places(s)
    add_hand_knowledge_entry(s, who, EntryKind.PUT, kind, place)


@rule
def append_removal_entries(s: ScoutPosition, who: int, first: int, cards: int) -> None:
    """Add entries to the field `said` about `cards` neighbouring cards that leave the hand `who`.

    They are the cards from ``s.card[first]`` on. All players see these cards, but only the owner of the hand knows from
    which place they leave, so the entries do not have this place.
    """
    kinds = kinds_with_recorded_places_mask(s, who)
    if kinds == 0:
        return
    if s.said_count + 1 + cards > MAX_PLACE_ENTRIES:
        forget_places(s)
        return
    add_hand_knowledge_entry(s, who, EntryKind.LEFT, cards, 0)
    for i in range(cards):
        kind = s.card[first + i]
        if kinds >> kind & 1:
            add_hand_knowledge_entry(s, who, EntryKind.AMONG, kind, i)
            kinds &= ~(1 << kind)
    if kinds == 0:
        drop_or_move_knowledge_entries(s, who, -1)


# --- possible placements ----------------------------------------------------------------------------------------------


@rule
def write_possible_places_of_known_cards(s: ScoutPosition, who: int, size: int, ways: Rows) -> int:
    """Write all possible placements of the known cards in the hand `who` to `ways`, one in each row. Return how many.

    A placement has the place of each known card in the hand (see `Rows`). The possible ones follow from the entries in
    the field `said`. `size` is the number of cards that are in the hand now.
    """
    for i in range(s.said_count):
        whose, what, card, _ = unpack_hand_knowledge_entry(s, i)
        if whose == who and what != EntryKind.AMONG:
            size += card if what == EntryKind.LEFT else -1
    ways[0] = AWAY
    n = 1
    old = np.empty((MOST_WAYS, KINDS), np.int64)
    for i in range(s.said_count):
        whose, what, card, place = unpack_hand_knowledge_entry(s, i)
        if whose != who:
            continue
        if what == EntryKind.PUT:
            # Cards at this place or to the right of it move one place to the right.
            ways[:n] += ways[:n] >= place
            ways[:n, card] = place
            size += 1
        elif what == EntryKind.LEFT:
            old[:n] = ways[:n]
            n = remove_slice_from_placements(old[:n], size, card, known_card_places_in_removed_slice(s, i + 1), ways)
            size -= card
    return n


@rule
def known_card_places_in_removed_slice(s: ScoutPosition, first: int) -> Ints:
    """Return the places of known cards in a slice (neighbouring cards) that left a hand, as an array indexed by kind.

    A kind is the index of a card's pair of numbers. For a card that is not known to have been in the slice, the element
    is `AWAY`.

    The places are read from the `AMONG` entries of the field `said`, one for each known card of the slice. `first` is
    the index of the first of these entries.
    """
    among = np.full(KINDS, AWAY, np.int64)
    for i in range(first, s.said_count):
        _, what, kind, place = unpack_hand_knowledge_entry(s, i)
        if what != EntryKind.AMONG:
            break
        among[kind] = place
    return among


@rule
def remove_slice_from_placements(old: Rows, size: int, cards: int, among: Ints, ways: Rows) -> int:
    """Write to `ways` all different placements of known cards that are possible after a slice has left a hand.

    Return the number of placements written. A slice is a group of neighbouring cards.

    * `old`: the placements before the slice left.
    * `size`: the number of cards in the hand before.
    * `cards`: the number of cards in the slice.
    * `among`: the known cards that the slice had, with their places in it (`known_card_places_in_removed_slice`).
    """
    n = 0
    for way in range(len(old)):
        for start in range(size - cards + 1):
            if (
                n < len(ways)
                and remove_slice_from_placement(old[way], start, cards, among, ways[n])
                and is_new_placement(ways, n)
            ):
                n += 1
    return n


@rule
def remove_slice_from_placement(old: Ints, start: int, cards: int, among: Ints, new: Ints) -> bool:
    """Write to `new` the placement of a hand's known cards after a slice (neighbouring cards) has left the hand.

    * `old`: the placement before the slice left.
    * `start`: the place of the first card of the slice.
    * `cards`: the number of cards in the slice.
    * `among`: the known cards that the slice had, with their places in it (`known_card_places_in_removed_slice`).

    Return True if, in `old`, the places of the slice have exactly the known cards of `among`, in the same order. If
    not, return False. Then `old` and `start` are impossible, and `new` is incomplete.
    """
    for kind in range(KINDS):
        offset = old[kind] - start
        inside = 0 <= offset < cards
        if among[kind] != (offset if inside else AWAY):
            return False
        new[kind] = AWAY if inside else old[kind] - cards if offset >= cards else old[kind]
    return True


@rule
def is_new_placement(ways: Rows, n: int) -> bool:
    """Return whether row `n` of `ways`, a placement of known cards, differs from all rows before it."""
    for way in range(n):
        kind = 0
        while kind < KINDS and ways[way, kind] == ways[n, kind]:
            kind += 1
        if kind == KINDS:
            return False
    return True


@rule
def kinds_with_known_slots_mask(s: ScoutPosition) -> int:
    """Return the bit mask of the kinds (indices of pairs of numbers) of the known cards in ``s.card``."""
    kinds = 0
    for slot in range(len(s.card)):
        if s.card[slot] < KINDS:
            kinds |= 1 << s.card[slot]
    return kinds


@rule
def filter_consistent_placements(s: ScoutPosition, first_slot: int, ways: Rows, n: int) -> int:
    """Move the placements that do not contradict ``s.card`` to the front of `ways`. Return how many they are.

    The first `n` rows of `ways` are placements. A placement has the place of each known card in a hand (see `Rows`).
    The first card of this hand is ``s.card[first_slot]``.

    For each known card, a placement must fulfil one of two conditions:

    * In ``s.card``, this card is at the place that the placement gives for it.
    * In ``s.card``, this place has an unknown card, and this card is in no slot (index of ``s.card``).
    """
    lie = kinds_with_known_slots_mask(s)
    kept = 0
    for way in range(n):
        fits = True
        for kind in range(KINDS):
            place = ways[way, kind]
            if place >= 0:
                there = s.card[first_slot + place]
                fits = fits and (there == kind or (there == UNKNOWN and lie >> kind & 1 == 0))
        ways[kept] = ways[way]
        kept += fits
    return kept


#: Values of the field `held` (hand in which all players know a card to be). `place_known` places the cards in this
#: order of values. `ASIDE` is last, because in round two a card that was set aside may be in either hand: it gets one
#: of the slots that are free after the cards of each hand have been placed.
HOLDERS = (LEFT_OVER, *range(PLAYERS - 1, -1, -1), ASIDE)
WORD_BITS = 32


@rule
def pools(s: ScoutPosition, counts: NDArray[np.int32]) -> None:
    """Write to ``counts[0, kind]`` how many cards of each kind (index of a pair of numbers) are in the deck: 1 or 0.

    Row 0 is the only pool (set of cards from which unknown cards are drawn), because all cards come from one deck.
    """
    for kind in range(KINDS):
        counts[0, kind] = is_in_deck(s, kind)


@rule
def seat_that_must_show(s: ScoutPosition) -> int:
    """Return the seat that must show in this turn, or -1. All players know that it can beat the set on the table.

    There is such a seat in two cases, if a set is on the table:

    * The seat to act is in the second half of a Scout and Show.
    * There are two players, and the seat to act has no chip, so it cannot scout.
    """
    no_chip = s.phase == Phase.TURN and s.seats == TWO_PLAYERS and s.coins[s.turn] == 0
    return s.turn if s.strength > 0 and (s.phase == Phase.SHOW or no_chip) else -1


@rule
def stuck_hand_slots_and_strength(s: ScoutPosition) -> tuple[int, int, int]:
    """Return (first, cards, strength) of a hand whose player could neither show nor scout.

    Its cards are ``s.card[first:first+cards]``. `strength` is that of the set on the table, which the hand could not
    beat. `cards` is 0 if there is no such hand.
    """
    if s.stuck_cards > 0:
        return s.stuck_first, s.stuck_cards, s.stuck_strength
    if s.stuck >= 0:
        return hand_start(s, s.stuck), s.hand[s.stuck], s.strength
    return 0, 0, 0


@rule
def is_consistent(s: ScoutPosition, viewer: int) -> bool:
    """Return whether the hands, after unknown cards were filled in at random, fit what all players know.

    A seat that must show needs a legal Show. A seat that could neither show nor scout must have none. `viewer` is not
    used.
    """
    if s.over != RUNNING:
        return True
    seat = seat_that_must_show(s)
    first, cards, beat = stuck_hand_slots_and_strength(s)
    shows = seat < 0 or can_show(s, hand_start(s, seat), s.hand[seat], s.strength)
    return shows and (cards == 0 or not can_show(s, first, cards, beat))


@rule
def place_known(s: ScoutPosition, g: NDArray[np.uint32]) -> None:
    """Put each card that all players know to be in a certain hand into a random unknown slot of this hand.

    If all players also know something about its place in the hand (SCT-14), it is put at a place that fits this.

    Before that, choose at random which way up each unknown card is. `g` is the state of the random generator.
    """
    randomize_ways_up(s, g)
    seen = kinds_with_known_slots_mask(s)
    for where in HOLDERS:
        first, end = holder_slot_range(s, where)
        if kinds_with_recorded_places_mask(s, where) != 0:
            place_partly_located_cards(s, g, where, first, end)
            seen = kinds_with_known_slots_mask(s)
        place_known_cards_in_random_slots(s, g, where, first, end, seen)


@rule
def randomize_ways_up(s: ScoutPosition, g: NDArray[np.uint32]) -> None:
    """Choose the way up of each unknown card at random. `g` is the state of the random generator.

    Cards out of play are not changed, except those of a hand that was stuck (could neither show nor scout): all players
    know that this hand had no legal Show, which depends on the ways up of its cards.
    """
    end = hand_start(s, s.seats)
    bits = 0
    drawn = 0
    for slot in range(SLOTS):
        bound = s.stuck_first <= slot < s.stuck_first + s.stuck_cards
        if s.card[slot] == UNKNOWN and (slot < end or bound):
            if drawn % WORD_BITS == 0:
                bits = next_word(g)
            s.flip[slot] = bits >> drawn % WORD_BITS & 1
            drawn += 1


@rule
def holder_slot_range(s: ScoutPosition, where: int) -> tuple[int, int]:
    """Return the slots of a hand, or of the cards set aside, as (first, end). `end` is not included.

    `where` is a value of the field `held`, which says in which hand all players know a card to be:

    * a seat: the slots of its hand;
    * `LEFT_OVER`: the slots of the hand that was stuck in round one;
    * `ASIDE` in round one: the slots of the cards set aside;
    * `ASIDE` in round two: the slots of both hands, because the cards set aside have been dealt to them.

    A slot is an index of `s.card`.
    """
    if where == LEFT_OVER:
        return s.stuck_first, s.stuck_first + s.stuck_cards
    if where == ASIDE:
        return (0, s.aside) if s.aside > 0 else (0, hand_start(s, s.seats))
    first = hand_start(s, where)
    return first, first + s.hand[where]


@rule
def place_partly_located_cards(s: ScoutPosition, g: NDArray[np.uint32], where: int, first: int, end: int) -> None:
    """Put those cards into a hand about whose places in this hand all players know something (field `said`).

    One of the possible placements of these cards is chosen at random.

    `where` is the hand, as in the field `held`: a seat, `ASIDE` or `LEFT_OVER`. Its cards are ``s.card[first:end]``.
    `g` is the state of the random generator.
    """
    ways = np.empty((MOST_WAYS, KINDS), np.int64)
    n = filter_consistent_placements(s, first, ways, write_possible_places_of_known_cards(s, where, end - first, ways))
    if n == 0:
        return
    way = random_below(g, n)
    for kind in range(KINDS):
        place = ways[way, kind]
        if place >= 0 and s.card[first + place] == UNKNOWN:
            put_card(s, first + place, kind)


@rule
def place_known_cards_in_random_slots(
    s: ScoutPosition, g: NDArray[np.uint32], where: int, first: int, end: int, seen: int
) -> None:
    """Place the cards that all players know to be in a certain hand: each replaces a random unknown card of this hand.

    * `where`: the hand, as in the field `held`: a seat, `ASIDE` or `LEFT_OVER`. Its cards are ``s.card[first:end]``.
    * `seen`: a bit mask of kinds (indices of pairs of numbers). These cards have a place already and are skipped.
    * `g`: the state of the random generator.
    """
    free = 0
    for slot in range(first, end):
        free += s.card[slot] == UNKNOWN
    for kind in range(KINDS):
        if s.held[kind] == where and not seen >> kind & 1:
            pick = random_below(g, free)
            slot = first
            while s.card[slot] != UNKNOWN or pick > 0:
                pick -= s.card[slot] == UNKNOWN
                slot += 1
            put_card(s, slot, kind)
            free -= 1


@rule
def put_card(s: ScoutPosition, slot: int, kind: int) -> None:
    """Write the card `kind` (index of a pair of numbers) to ``s.card[slot]``.

    If all players know which of its numbers is up, write this to ``s.flip[slot]``.
    """
    s.card[slot] = kind
    if s.way_up[kind] >= 0:
        s.flip[slot] = s.way_up[kind]
