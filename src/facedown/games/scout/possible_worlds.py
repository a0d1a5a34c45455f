"""Random deals of the unknown cards in SCOUT that fit what a viewer knows, for the search of the bots.

Some cards are known to be in a certain hand, because they were scouted: `place_known` puts them there at random. A seat
that must show is known to have a legal Show, and a seat that was stuck (could neither show nor scout) is known to have
none: `is_consistent` checks this. The other unknown slots are filled at random by the core.

With `scout_insert_public=yes` the place of a scouted card is public, too (SCT-14). The field `said` stores this as a
list of entries: cards put into hands, and slices (neighbouring cards) that left them. If other players do not see from
which place a slice leaves, the known cards of that hand may be at several places afterwards. `placements` lists all
possibilities.
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
    """Kinds of entries in the field `said`, which stores what all players know about places in hands."""

    #: PUT: a card was put into the hand at a place. LEFT: some cards left the hand together. AMONG: a certain card was
    #: one of them, at this index from the left.
    PUT = 0
    LEFT = 1
    AMONG = 2


#: Array of possible placements of the known cards in a hand. By (placement, kind of card): the place of the card in the
#: hand, or `AWAY`.
Rows = NDArray[np.int64]
#: An entry of `said` is packed into one integer. These are the numbers of values of its parts: the hand, the
#: `EntryKind`, and (`FIELD`, for both) the kind or number of cards and the place.
WHO = 8
WHAT = 4
FIELD = 64
#: Largest number of placements that are kept; any others are dropped. Random matches hardly ever have 400.
MOST_WAYS = 1_024
#: Place of a card that is not in the hand.
AWAY = -1


@rule
def add_entry(s: ScoutPosition, who: int, what: int, card: int, place: int) -> None:
    """Append an entry to `said`.

    `who` is the hand (a seat or another value of `held`), `what` the `EntryKind`, and `card` a kind of card or a number
    of cards.
    """
    s.said[s.said_count] = ((place * FIELD + card) * WHAT + what) * WHO + who
    s.said_count += 1


@rule
def entry(s: ScoutPosition, i: int) -> tuple[int, int, int, int]:
    """Return entry `i` of `said` as (hand, `EntryKind`, kind or number of cards, place)."""
    said = s.said[i]
    return said % WHO, said // WHO % WHAT, said // (WHO * WHAT) % FIELD, said // (WHO * WHAT * FIELD)


@rule
def forget_places(s: ScoutPosition) -> None:
    """Delete all entries of `said`.

    All players then still know in which hands the cards are, but not where in these hands.
    """
    s.said[: s.said_count] = 0
    s.said_count = 0


@rule
def drop_or_move_entries(s: ScoutPosition, who: int, to: int) -> None:
    """Delete the entries about the hand `who` from `said`, or change them to the hand `to` if `to` is 0 or more."""
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
    """Return the kinds of cards in the hand `who` about whose places `said` has entries, as a bit mask."""
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
    """Add to `said` that all players saw a card of this kind put into the hand `who` at this place."""
    if s.said_count == MAX_PLACE_ENTRIES:
        forget_places(s)
    add_entry(s, who, EntryKind.PUT, kind, place)


@rule
def record_removal(s: ScoutPosition, who: int, first: int, cards: int) -> None:
    """Add to `said` that `cards` neighbouring cards, from slot `first` on, leave the hand `who`.

    Only the owner of the hand knows from which place they leave.
    """
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


# --- possible placements ----------------------------------------------------------------------------------------------


@rule
def placements(s: ScoutPosition, who: int, size: int, ways: Rows) -> int:
    """Write all possible placements of the known cards in the hand `who` to `ways`, one in each row; return how many.

    The placements follow from the entries in `said`. `size` is the present number of cards in the hand.
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
            # Cards at this place or to the right of it move one place to the right.
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
    """Return, by kind of card, the index in a slice that left a hand, or `AWAY` for a card that was not in it.

    `first` is the index in `said` of the first `AMONG` entry about the slice.
    """
    among = np.full(KINDS, AWAY, np.int64)
    for i in range(first, s.said_count):
        _, what, kind, place = entry(s, i)
        if what != EntryKind.AMONG:
            break
        among[kind] = place
    return among


@rule
def remove_slice_from_all(old: Rows, size: int, cards: int, among: Ints, ways: Rows) -> int:
    """Write to `ways` all different placements that are possible after a slice of `cards` cards has left.

    Return how many. `old` are the placements before, and `size` is the number of cards in the hand before. `among` has
    the places of known cards in the slice (`places_in_slice`).
    """
    n = 0
    for way in range(len(old)):
        for start in range(size - cards + 1):
            if n < len(ways) and remove_slice(old[way], start, cards, among, ways[n]) and is_new(ways, n):
                n += 1
    return n


@rule
def remove_slice(old: Ints, start: int, cards: int, among: Ints, new: Ints) -> bool:
    """Write to `new` the placement that follows from `old` if the slice of `cards` cards at place `start` leaves the
    hand.

    Return False if `old` does not have the known cards of the slice, given in `among`, at just these places.
    """
    for kind in range(KINDS):
        offset = old[kind] - start
        inside = 0 <= offset < cards
        if among[kind] != (offset if inside else AWAY):
            return False
        new[kind] = AWAY if inside else old[kind] - cards if offset >= cards else old[kind]
    return True


@rule
def is_new(ways: Rows, n: int) -> bool:
    """Return whether row `n` of `ways` (a placement) differs from all rows before it."""
    for way in range(n):
        kind = 0
        while kind < KINDS and ways[way, kind] == ways[n, kind]:
            kind += 1
        if kind == KINDS:
            return False
    return True


@rule
def known_kinds_mask(s: ScoutPosition) -> int:
    """Return the kinds of cards whose slot is known in this position, as a bit mask."""
    kinds = 0
    for slot in range(len(s.card)):
        if s.card[slot] < KINDS:
            kinds |= 1 << s.card[slot]
    return kinds


@rule
def filter_consistent(s: ScoutPosition, first: int, ways: Rows, n: int) -> int:
    """Keep the placements that agree with the known cards of the hand that starts at slot `first`; return how many.

    `ways` has `n` placements. Those that are kept are moved to the front.
    """
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


#: Values of `held` (hands and others), in the order in which their cards are placed. `ASIDE` is last, because in round
#: two its cards may be in either hand.
HOLDERS = (LEFT_OVER, *range(PLAYERS - 1, -1, -1), ASIDE)
WORD_BITS = 32


@rule
def pools(s: ScoutPosition, counts: NDArray[np.int32]) -> None:
    """Write to `counts` how many cards of each kind the unknown cards are drawn from.

    The deck is one pool, with one of each.
    """
    for kind in range(KINDS):
        counts[0, kind] = is_in_deck(s, kind)


@rule
def seat_that_must_show(s: ScoutPosition) -> int:
    """Return the seat that is known to have a set stronger than the Active Set, or -1.

    It is in the second half of a Scout and Show, or it is to act without a chip (two players).
    """
    no_chip = s.phase == Phase.TURN and s.seats == TWO_PLAYERS and s.coins[s.turn] == 0
    return s.turn if s.strength > 0 and (s.phase == Phase.SHOW or no_chip) else -1


@rule
def stuck_row(s: ScoutPosition) -> tuple[int, int, int]:
    """Return the slots of the stuck hand, known to have no legal Show: (first slot, number of cards, strength to beat).

    The number of cards is 0 if there is no such hand.
    """
    if s.stuck_cards > 0:
        return s.stuck_first, s.stuck_cards, s.stuck_strength
    if s.stuck >= 0:
        return hand_start(s, s.stuck), s.hand[s.stuck], s.strength
    return 0, 0, 0


@rule
def is_consistent(s: ScoutPosition, viewer: int) -> bool:
    """Return whether the hand that must show has a legal Show, and the hand that was stuck has none."""
    if s.over != RUNNING:
        return True
    seat = seat_that_must_show(s)
    first, cards, beat = stuck_row(s)
    shows = seat < 0 or can_show(s, hand_start(s, seat), s.hand[seat], s.strength)
    return shows and (cards == 0 or not can_show(s, first, cards, beat))


@rule
def place_known(s: ScoutPosition, g: NDArray[np.uint32]) -> None:
    """Give the unknown cards a random way up, and put cards into the hands in which they are known to be.

    `g` is the state of the random generator.
    """
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
    """Give the cards in unknown slots a random way up. `g` is the state of the random generator.

    The way up of a hand that is out of play has no meaning, unless the hand was stuck: it is then known to have no
    Show.
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
def holder_slots(s: ScoutPosition, where: int) -> tuple[int, int]:
    """Return the slots in which cards with the value `where` of `held` may be, as (first slot, end slot).

    The end slot is not included.
    """
    if where == LEFT_OVER:
        return s.stuck_first, s.stuck_first + s.stuck_cards
    if where == ASIDE:
        return (0, s.aside) if s.aside > 0 else (0, hand_start(s, s.seats))
    first = hand_start(s, where)
    return first, first + s.hand[where]


@rule
def place_constrained(s: ScoutPosition, g: NDArray[np.uint32], where: int, first: int, end: int) -> None:
    """Put the cards about whose places `said` has entries into a hand, by one of their possible placements.

    `where` is the value of `held` for this hand, whose slots are `first` up to, but not including, `end`. `g` is the
    state of the random generator.
    """
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
    """Put the cards whose `held` is `where` into random unknown slots from `first` up to, but not including, `end`.

    Cards in the bit mask `seen` are in slots already. `g` is the state of the random generator.
    """
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
    """Put a card into a slot, with its way up if that is public."""
    s.card[slot] = kind
    if s.way_up[kind] >= 0:
        s.flip[slot] = s.way_up[kind]
