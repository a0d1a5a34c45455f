"""Random deals of the unknown cards in SCOUT that fit what a viewer knows. Bots search such deals.

All players know in which hand a scouted card is. `place_known` puts it at a random place of this hand. All players also
know two facts, which `is_consistent` checks:

* A seat that must show has a legal Show.
* A seat that was stuck (could neither show nor scout) had no legal Show.

The other unknown cards are filled in at random by the module `core.hidden_cards`.

With `scout_insert_public=yes` all players also see at which place of a hand a scouted card is put (ruling SCT-14 in
``docs/rules/scout.md``). Later, a slice (neighbouring cards) may leave this hand. The other players see which cards the
slice has, but not where in the hand they were. So they do not know whether the scouted card has moved to the left. The
position's field `said` lists both kinds of events: cards put into hands, and slices that left hands. From this list
`write_possible_places_of_known_cards` computes all places where the scouted cards of a hand can be.
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
    """Kinds of entries in the field `said`, the list of what all players know about the places of cards in hands."""

    #: * `PUT`: a card was put into the hand at a place.
    #: * `LEFT`: a slice (neighbouring cards) left the hand.
    #: * `AMONG`: a known card was in the slice of the last `LEFT` entry. `place` is its index in this slice.
    PUT = 0
    LEFT = 1
    AMONG = 2


#: Array of possible placements of the known cards in a hand, indexed by (placement, kind of card). The element is the
#: card's place in the hand, or `AWAY` if the card is not known. A kind is the index of a card's pair of numbers.
Rows = NDArray[np.int64]
#: An entry of the field `said` packs four numbers into one integer (`add_hand_knowledge_entry`). The hand is less than
#: `WHO`, and the `EntryKind` less than `WHAT`. The card (or number of cards) and the place are each less than `FIELD`.
WHO = 8
WHAT = 4
FIELD = 64
#: Largest number of possible placements of a hand's known cards that are kept. Any others are dropped. This is rare: in
#: random matches, nearly all hands had at most 400 possible placements.
MOST_WAYS = 1_024
#: Value instead of a place for a card that is not among the known cards of the hand, or of the slice.
AWAY = -1


@rule
def add_hand_knowledge_entry(s: ScoutPosition, who: int, what: int, card_or_count: int, place: int) -> None:
    """Append an entry to the field `said` (what all players know about the places of cards in hands).

    `who` is the hand: a seat, or `LEFT_OVER` for a hand that is out of play. `what` is the `EntryKind`. The meaning of
    `card_or_count` and `place` depends on it:

    * `PUT`, a card was put into the hand: `card_or_count` is its kind, and `place` is its place in the hand.
    * `LEFT`, a slice (neighbouring cards) left the hand: `card_or_count` is the number of its cards. `place` is 0.
    * `AMONG`, a known card was in this slice: `card_or_count` is its kind, and `place` is its index in the slice.

    Places and indices are counted from 0. The kind of a card is the index of its pair of numbers.
    """
    s.said[s.said_count] = ((place * FIELD + card_or_count) * WHAT + what) * WHO + who
    s.said_count += 1


@rule
def unpack_hand_knowledge_entry(s: ScoutPosition, i: int) -> tuple[int, int, int, int]:
    """Return entry `i` of the field `said` as four numbers: (hand, `EntryKind`, kind of card, place).

    For `EntryKind.LEFT` the third number is the number of cards that left the hand (see `add_hand_knowledge_entry`).
    """
    said = s.said[i]
    return said % WHO, said // WHO % WHAT, said // (WHO * WHAT) % FIELD, said // (WHO * WHAT * FIELD)


@rule
def forget_places(s: ScoutPosition) -> None:
    """Delete the known places of cards (all entries of the field `said`). The hand of each card stays known."""
    s.said[: s.said_count] = 0
    s.said_count = 0


@rule
def drop_or_move_knowledge_entries(s: ScoutPosition, who: int, to: int) -> None:
    """Change the entries about the hand `who` in the field `said` into entries about the hand `to`.

    If `to` is -1, delete them. A hand is given by its seat, or by `LEFT_OVER` for a hand that is out of play. `said`
    lists what all players know about the places of cards in hands.
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
    """Return, as a bit mask of kinds, the cards of a hand whose places are recorded in the field `said`.

    `said` lists what all players know about the places of cards in hands. `who` is the hand: a seat, or `LEFT_OVER` for
    a hand out of play. A kind is the index of a card's pair of numbers.
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
    """Add an entry to the field `said`: all players saw a card put into the hand of the seat `who` at `place`.

    `kind` is the index of the card's pair of numbers. If the field is full, first delete all its entries, for all
    hands. Random deals for a search (`place_known`) then still put the cards of the deleted entries into the right
    hands, but at random places.
    """
    if s.said_count == MAX_PLACE_ENTRIES:
        forget_places(s)
    add_hand_knowledge_entry(s, who, EntryKind.PUT, kind, place)


@rule
def append_removal_entries(s: ScoutPosition, who: int, first: int, cards: int) -> None:
    """Record in the field `said` that a slice (neighbouring cards) leaves the hand of the seat `who`.

    The slice is ``s.card[first:first+cards]``. `said` lists what all players know about the places of cards in hands.
    Do the first of the following that applies:

    * If no card of this hand has a recorded place, change nothing.
    * If `said` has no room for `cards` + 1 more entries, delete all its entries, for all hands.
    * If no card that stays in the hand has a recorded place, delete all entries about this hand.
    * Otherwise append an entry with the number of cards in the slice (`EntryKind.LEFT`). Then append an entry for each
      card of the slice with a recorded place: the card and the card's index in the slice (`EntryKind.AMONG`). Where in
      the hand the slice was is not recorded, because only the owner of the hand knows it.
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


@rule
def write_possible_places_of_known_cards(s: ScoutPosition, who: int, size: int, ways: Rows) -> int:
    """Write to `ways` all possible placements of a hand's known cards, one in each row. Return how many were written.

    A known card is a card of the hand that all players saw being put at a particular place (field `said`). If other
    cards have left the hand since then, the present place of the known card may be uncertain. A placement is an array
    indexed by kind (index of a card's pair of numbers). The element is a possible place of the card if the card is
    known, else `AWAY` (-1). If `ways` has too few rows, the remaining placements are neither written nor counted.

    `who` is the hand: a seat, or `LEFT_OVER` for a hand out of play. `size` is the number of cards in this hand now.
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
    """Return where in a slice (neighbouring cards that left a hand together) the known cards were.

    A card is known if all players saw at which place it was put into the hand. The result is an array indexed by kind
    (index of a card's pair of numbers). For a known card of the slice, the element is the card's index in the slice,
    where 0 is the leftmost card. For every other card it is `AWAY` (-1). The indices are read from the `AMONG` entries
    (see `EntryKind`) that begin at ``s.said[first]``. If there are none, the slice has no known cards.
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
    """Write to `ways` all placements that are possible after a slice (neighbouring cards) has left a hand.

    A placement says where the known cards of the hand are: the cards that all players saw being put into it. It is an
    array indexed by kind (index of a card's pair of numbers). The element is the card's place, or `AWAY` (-1) if the
    card is not known or not in the hand. Equal placements are written only once. Return the number of placements
    written. If `ways` has too few rows for all of them, the rest is left out.

    * `old`: the possible placements before the slice left, one in each row.
    * `size`: the number of cards in the hand before the slice left. `cards`: the number of cards in the slice.
    * `among`: for each kind, the card's index in the slice, or `AWAY` if the slice does not have this known card.
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
    """Write to `new` where a hand's known cards are after a slice (neighbouring cards) has left the hand.

    The slice is assumed to have had `cards` cards and to have begun at the place `start` of the hand. The three arrays
    are indexed by kind (index of a card's pair of numbers). For cards that are not known, they have `AWAY` (-1).

    * `old`: the place of a known card before the slice left;
    * `among`: the card's index in the slice, or `AWAY` if the card did not leave with the slice;
    * `new`: the card's place after the slice left, or `AWAY` if the card left with the slice.

    Return whether `old` and `among` agree that the slice began at `start`. If they do not, `new` is incomplete.
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
    """Return the bit mask of the kinds (indices of pairs of numbers) in ``s.card``. Skip cards that are `UNKNOWN`."""
    kinds = 0
    for slot in range(len(s.card)):
        if s.card[slot] < KINDS:
            kinds |= 1 << s.card[slot]
    return kinds


@rule
def filter_consistent_placements(s: ScoutPosition, first_slot: int, ways: Rows, n: int) -> int:
    """Move the rows of `ways` that do not contradict ``s.card`` to the front of `ways`. Return their number.

    Each of the first `n` rows is a placement: it gives some cards a place in a hand (see `Rows`). The first card of
    this hand is ``s.card[first_slot]``. A row must fulfil one of two conditions for each card that it gives a place:

    * In ``s.card``, this card is at that place.
    * In ``s.card``, that place has an unknown card, and this card is in no slot (index of ``s.card``).
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


#: Values of the field `held` for cards whose hand all players know, in the order in which `place_known` places these
#: cards. `ASIDE` is last, because in round two a card that was set aside may be in either hand: it gets one of the
#: slots that are free after the cards of each hand have been placed.
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
    """Return the seat to act if all players can infer that its hand can beat the set on the table, else -1.

    All players can infer this in two cases. In both, a set is on the table, and the seat must show in this turn:

    * The seat is in the second half of a Scout and Show. The Scout was legal only because a Show can follow.
    * There are two players, and the seat has no chip to scout with. If it could not show, the round would have ended.
    """
    no_chip = s.phase == Phase.TURN and s.seats == TWO_PLAYERS and s.coins[s.turn] == 0
    return s.turn if s.strength > 0 and (s.phase == Phase.SHOW or no_chip) else -1


@rule
def stuck_hand_slots_and_strength(s: ScoutPosition) -> tuple[int, int, int]:
    """Return (first, cards, strength) of a stuck hand, with which one of two players could neither show nor scout.

    A stuck hand ends the round. If this was round one, the stuck hand is also returned in round two, when its cards are
    out of play. All players know that it had no legal Show, so random deals must respect this (`is_consistent`).

    The cards of the hand are ``s.card[first:first+cards]``. `strength` is the strength of the set on the table that the
    hand could not beat. If no hand was stuck, `cards` is 0.
    """
    if s.stuck_cards > 0:
        return s.stuck_first, s.stuck_cards, s.stuck_strength
    if s.stuck >= 0:
        return hand_start(s, s.stuck), s.hand[s.stuck], s.strength
    return 0, 0, 0


@rule
def is_consistent(s: ScoutPosition, viewer: int) -> bool:
    """Return whether the hands, after unknown cards were filled in at random, fit what all players know.

    The hand of a seat that must show must have a legal Show. The hand of a seat that could neither show nor scout must
    have no legal Show. A finished match always fits. `viewer` is not used.
    """
    if s.over != RUNNING:
        return True
    seat = seat_that_must_show(s)
    first, cards, beat = stuck_hand_slots_and_strength(s)
    shows = seat < 0 or can_show(s, hand_start(s, seat), s.hand[seat], s.strength)
    return shows and (cards == 0 or not can_show(s, first, cards, beat))


@rule
def place_known(s: ScoutPosition, g: NDArray[np.uint32]) -> None:
    """Choose at random which way up each unknown card is. Then place the cards that all players know to be in a hand.

    Each of these cards replaces a random unknown card of its hand (`UNKNOWN` in ``s.card``). But if all players know
    something about where in the hand the card is (field `said`), choose a place that fits this, if there is one.
    Cards that all players know to have been set aside are placed in the same way. `g` is the random generator's state.
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
    """Choose at random which way up each unknown card is. `g` is the state of the random generator.

    Skip all cards out of play, except those of a stuck hand: a hand with which a player could neither show nor scout at
    the end of round one. All players know that a stuck hand had no legal Show. A random deal is checked for this also
    in round two (`is_consistent`), and the check depends on which way up the cards of the stuck hand are.
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

    A slot is an index of `s.card`. `where` is a value of the field `held` (where all players know a card to be):

    * a seat: the slots of its hand;
    * `LEFT_OVER`: the slots of the hand that was stuck in round one (its player could neither show nor scout);
    * `ASIDE` in round one: the slots of the cards set aside;
    * `ASIDE` in round two: the slots of both hands, because the cards set aside have been dealt to them.
    """
    if where == LEFT_OVER:
        return s.stuck_first, s.stuck_first + s.stuck_cards
    if where == ASIDE:
        return (0, s.aside) if s.aside > 0 else (0, hand_start(s, s.seats))
    first = hand_start(s, where)
    return first, first + s.hand[where]


@rule
def place_partly_located_cards(s: ScoutPosition, g: NDArray[np.uint32], where: int, first: int, end: int) -> None:
    """Place the known cards of a hand: the cards that all players saw being put at a particular place of this hand.

    If other cards have left the hand since then, a known card may now be at one of several places. They are computed
    from the field `said`, which lists these events. Choose at random one way to place all known cards. If no way fits
    ``s.card``, place no card. `where` is the hand: a seat, or `LEFT_OVER` for a hand out of play. The cards of the hand
    are ``s.card[first:end]``. `g` is the random generator's state.
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
    """Place the cards that all players know to be in a particular hand. Each gets a random place of this hand.

    Only places with an unknown card (`UNKNOWN` in ``s.card``) are used, so no known card is overwritten.

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

    ``s.flip[slot]`` is 1 if the higher number is up, else 0. If all players know which way up the card is, copy this
    from the field `way_up`. Otherwise ``s.flip[slot]`` keeps the random value from `randomize_ways_up`.
    """
    s.card[slot] = kind
    if s.way_up[kind] >= 0:
        s.flip[slot] = s.way_up[kind]
