"""The worlds that fit a view of SCOUT: where unknown cards may lie, and which way up.

Beside faces in places, all know of some cards whose hand they are in (scouted ones): `place_known` draws where. And
sometimes a hand is known to hold something to show (a seat that must) or not (a seat that was stuck): `is_consistent`
tells. The slots that are left unknown are as good as any other and are filled by the core.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from facedown.core.random_numbers import below, next_word
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
    """What an entry tells."""

    #: A card went into the hand at a place; so many cards left it; a card was among them, so many from the left.
    PUT = 0
    LEFT = 1
    AMONG = 2


#: The ways in which cards can lie in a hand, a row for each: the place of each kind.
Rows = NDArray[np.int64]
#: An entry: whose hand (3 bits), what (2), a kind or a number of cards (6), a place (6).
WHO = 8
WHAT = 4
FIELD = 64
#: Number of ways that are kept, the first ones found. Random play hardly ever comes to 400.
MOST_WAYS = 1_024
#: Not in the hand.
AWAY = -1


@rule
def add_entry(s: ScoutPosition, who: int, what: int, card: int, place: int) -> None:
    """Add an entry."""
    s.said[s.said_count] = ((place * FIELD + card) * WHAT + what) * WHO + who
    s.said_count += 1


@rule
def entry(s: ScoutPosition, i: int) -> tuple[int, int, int, int]:
    """An entry: whose hand, what it tells, a kind or a number of cards, a place."""
    said = s.said[i]
    return said % WHO, said // WHO % WHAT, said // (WHO * WHAT) % FIELD, said // (WHO * WHAT * FIELD)


@rule
def forget_places(s: ScoutPosition) -> None:
    """Forget all places: the cards are known to be in their hands only."""
    s.said[: s.said_count] = 0
    s.said_count = 0


@rule
def drop_or_move_entries(s: ScoutPosition, who: int, to: int) -> None:
    """Forget what was said of one hand, or keep it for the hand of another name (`to` ≥ 0)."""
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
def placed_kinds_mask(s: ScoutPosition, who: int) -> int:
    """The set of kinds in a hand of whose places something was said."""
    kinds = 0
    for i in range(s.said_count):
        whose, what, kind, _ = entry(s, i)
        if whose == who and what == EntryKind.PUT:
            kinds |= 1 << kind
        elif whose == who and what == EntryKind.AMONG:
            kinds &= ~(1 << kind)
    return kinds


@rule
def record_insertion(s: ScoutPosition, who: int, kind: int, place: int) -> None:
    """All see a card go into a hand, at this place."""
    if s.said_count == MAX_PLACE_ENTRIES:
        forget_places(s)
    add_entry(s, who, EntryKind.PUT, kind, place)


@rule
def record_removal(s: ScoutPosition, who: int, first: int, cards: int) -> None:
    """All see the cards from slot `first` on leave a hand, from places that only its owner sees."""
    kinds = placed_kinds_mask(s, who)
    if kinds == 0:
        return
    if s.said_count + 1 + cards > MAX_PLACE_ENTRIES:
        forget_places(s)
        return
    add_entry(s, who, EntryKind.LEFT, cards, 0)
    for i in range(cards):
        kind = s.card[first + i]
        if kinds >> kind & 1:
            add_entry(s, who, EntryKind.AMONG, kind, i)
            kinds &= ~(1 << kind)
    if kinds == 0:
        drop_or_move_entries(s, who, -1)


# --- the ways in which cards can lie ----------------------------------------------------------------------------------


@rule
def placements(s: ScoutPosition, who: int, size: int, ways: Rows) -> int:
    """Write the place of each kind of which places are known, `AWAY` for others, a row for each way; return how many.

    `size` is how many cards the hand has now.
    """
    for i in range(s.said_count):
        whose, what, card, _ = entry(s, i)
        if whose == who and what != EntryKind.AMONG:
            size += card if what == EntryKind.LEFT else -1
    ways[0] = AWAY
    n = 1
    old = np.empty((MOST_WAYS, KINDS), np.int64)
    for i in range(s.said_count):
        whose, what, card, place = entry(s, i)
        if whose != who:
            continue
        if what == EntryKind.PUT:
            # What lies from there on moves up by one.
            ways[:n] += ways[:n] >= place
            ways[:n, card] = place
            size += 1
        elif what == EntryKind.LEFT:
            old[:n] = ways[:n]
            n = remove_slice_from_all(old[:n], size, card, places_in_slice(s, i + 1), ways)
            size -= card
    return n


@rule
def places_in_slice(s: ScoutPosition, first: int) -> Ints:
    """The place in a slice of each kind that was seen to leave with it, by the entries from `first` on, else `AWAY`."""
    among = np.full(KINDS, AWAY, np.int64)
    for i in range(first, s.said_count):
        _, what, kind, place = entry(s, i)
        if what != EntryKind.AMONG:
            break
        among[kind] = place
    return among


@rule
def remove_slice_from_all(old: Rows, size: int, cards: int, among: Ints, ways: Rows) -> int:
    """A slice leaves: write each way that this can have made of the old ones, once; return how many."""
    n = 0
    for way in range(len(old)):
        for start in range(size - cards + 1):
            if n < len(ways) and remove_slice(old[way], start, cards, among, ways[n]) and is_new(ways, n):
                n += 1
    return n


@rule
def remove_slice(old: Ints, start: int, cards: int, among: Ints, new: Ints) -> bool:
    """Write how cards lie after the slice at `start` left; False if it would have shown others than `among`."""
    for kind in range(KINDS):
        offset = old[kind] - start
        inside = 0 <= offset < cards
        if among[kind] != (offset if inside else AWAY):
            return False
        new[kind] = AWAY if inside else old[kind] - cards if offset >= cards else old[kind]
    return True


@rule
def is_new(ways: Rows, n: int) -> bool:
    """Is the way in row `n` unlike all before it?"""
    for way in range(n):
        kind = 0
        while kind < KINDS and ways[way, kind] == ways[n, kind]:
            kind += 1
        if kind == KINDS:
            return False
    return True


@rule
def known_kinds_mask(s: ScoutPosition) -> int:
    """The set of the kinds that are known to lie in some slot."""
    kinds = 0
    for slot in range(len(s.card)):
        if s.card[slot] < KINDS:
            kinds |= 1 << s.card[slot]
    return kinds


@rule
def filter_consistent(s: ScoutPosition, first: int, ways: Rows, n: int) -> int:
    """Keep those ways that go with the cards that are known to lie in slots from `first` on; return how many."""
    lie = known_kinds_mask(s)
    kept = 0
    for way in range(n):
        fits = True
        for kind in range(KINDS):
            place = ways[way, kind]
            if place >= 0:
                there = s.card[first + place]
                fits = fits and (there == kind or (there == UNKNOWN and lie >> kind & 1 == 0))
        ways[kept] = ways[way]
        kept += fits
    return kept


#: Where cards can be held; last of all the card of which two hands come into question.
HOLDERS = (LEFT_OVER, *range(PLAYERS - 1, -1, -1), ASIDE)
WORD_BITS = 32


@rule
def pools(s: ScoutPosition, counts: NDArray[np.int32]) -> None:
    """The cards of the deck, one of each."""
    for kind in range(KINDS):
        counts[0, kind] = is_in_deck(s, kind)


@rule
def seat_that_must_show(s: ScoutPosition) -> int:
    """The seat that is known to hold a set which beats the Active Set, or -1.

    It is about to show after its Scout, or it is to act and has no chip left to scout with (two players).
    """
    no_chip = s.phase == Phase.TURN and s.seats == TWO_PLAYERS and s.coins[s.turn] == 0
    return s.turn if s.strength > 0 and (s.phase == Phase.SHOW or no_chip) else -1


@rule
def stuck_row(s: ScoutPosition) -> tuple[int, int, int]:
    """The row of cards that is known to hold nothing to show: first slot, length (0: none), what it had to beat."""
    if s.stuck_cards > 0:
        return s.stuck_first, s.stuck_cards, s.stuck_strength
    if s.stuck >= 0:
        return hand_start(s, s.stuck), s.hand[s.stuck], s.strength
    return 0, 0, 0


@rule
def is_consistent(s: ScoutPosition, viewer: int) -> bool:
    """Can the hand that must show do so, and could the hand that was stuck not?"""
    if s.over != RUNNING:
        return True
    seat = seat_that_must_show(s)
    first, cards, beat = stuck_row(s)
    shows = seat < 0 or can_show(s, hand_start(s, seat), s.hand[seat], s.strength)
    return shows and (cards == 0 or not can_show(s, first, cards, beat))


@rule
def place_known(s: ScoutPosition, g: NDArray[np.uint32]) -> None:
    """Turn unknown cards by chance, and place those that are known to be in a hand."""
    randomize_ways_up(s, g)
    seen = known_kinds_mask(s)
    for where in HOLDERS:
        first, end = holder_slots(s, where)
        if placed_kinds_mask(s, where) != 0:
            place_constrained(s, g, where, first, end)
            seen = known_kinds_mask(s)
        place_anywhere(s, g, where, first, end, seen)


@rule
def randomize_ways_up(s: ScoutPosition, g: NDArray[np.uint32]) -> None:
    """Give each unknown card a random way up (in the leavings of a hand that was not stuck it means nothing)."""
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
def holder_slots(s: ScoutPosition, where: int) -> tuple[int, int]:
    """The slots in which a held card may lie: the first, and the one after the last."""
    if where == LEFT_OVER:
        return s.stuck_first, s.stuck_first + s.stuck_cards
    if where == ASIDE:
        return (0, s.aside) if s.aside > 0 else (0, hand_start(s, s.seats))
    first = hand_start(s, where)
    return first, first + s.hand[where]


@rule
def place_constrained(s: ScoutPosition, g: NDArray[np.uint32], where: int, first: int, end: int) -> None:
    """Lay the cards of a hand of whose places something is known, in one of the ways in which they can lie."""
    ways = np.empty((MOST_WAYS, KINDS), np.int64)
    n = filter_consistent(s, first, ways, placements(s, where, end - first, ways))
    if n == 0:
        return
    way = below(g, n)
    for kind in range(KINDS):
        place = ways[way, kind]
        if place >= 0 and s.card[first + place] == UNKNOWN:
            lay(s, first + place, kind)


@rule
def place_anywhere(s: ScoutPosition, g: NDArray[np.uint32], where: int, first: int, end: int, seen: int) -> None:
    """Lay the cards held in one zone, but for the set `seen`, into any places of it."""
    free = 0
    for slot in range(first, end):
        free += s.card[slot] == UNKNOWN
    for kind in range(KINDS):
        if s.held[kind] == where and not seen >> kind & 1:
            pick = below(g, free)
            slot = first
            while s.card[slot] != UNKNOWN or pick > 0:
                pick -= s.card[slot] == UNKNOWN
                slot += 1
            lay(s, slot, kind)
            free -= 1


@rule
def lay(s: ScoutPosition, slot: int, kind: int) -> None:
    """Lay a held card, the way up that all know."""
    s.card[slot] = kind
    if s.way_up[kind] >= 0:
        s.flip[slot] = s.way_up[kind]
