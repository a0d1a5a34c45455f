"""How SCOUT's rounds are dealt (rules 5.3, 5.7), compiled. Every ruling cited here is in ``docs/rules/scout.md``."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facedown.core.chance import generator, next_word, shuffle, stack
from facedown.core.rule import rule
from facedown.core.state import EMPTY, EVERYONE
from facedown.games.scout.cards import DECK, DECK_SIZE, KINDS, TURNED, TWO_PLAYERS, Deck
from facedown.games.scout.info import Hands
from facedown.games.scout.joint import drop, silence
from facedown.games.scout.sets import lowest
from facedown.games.scout.state import (
    ASIDE,
    LEFT_OVER,
    NOT_HELD,
    ONE,
    SLOTS,
    Phase,
    ScoutPosition,
    base,
    dealt_to_each,
    empty,
    is_in_deck,
    table_slot,
)
from facedown.games.scout.worlds import BITS

#: Chips to scout with, for two players.
CHIPS = 3


@rule
def deal_first(s: ScoutPosition, deck: NDArray[np.int64]) -> None:
    """Deal the first round; `deck` names the first cards from the top, with `TURNED` added where they lie turned."""
    cards, n = whole_deck(s)
    kinds = np.empty(len(deck), np.int64)
    for i in range(len(deck)):
        kinds[i] = deck[i] % TURNED
    named = stack(cards, n, kinds)
    shuffle_and_deal(s, cards, n, named)
    dealt = s.seats * dealt_to_each(s)
    for i in range(named):
        s.flip[i + s.aside if i < dealt else i - dealt] = deck[i] // TURNED


@rule
def deal_next(s: ScoutPosition) -> None:
    """Shuffle everything and deal the next round."""
    cards, n = whole_deck(s)
    shuffle_and_deal(s, cards, n, 0)


@rule
def whole_deck(s: ScoutPosition) -> tuple[NDArray[np.int64], int]:
    """The kinds in the deck that is played with, and room; how many they are."""
    cards = np.empty(KINDS, np.int64)
    # All of the row, so that it is copied as one.
    for i in range(KINDS):
        cards[i] = DECK[s.seats, i]
    if s.opt.deck == Deck.FULL:
        return cards, DECK_SIZE[s.seats]
    n = 0
    for kind in range(KINDS):  # SCT-19
        if is_in_deck(s, kind):
            cards[n] = kind
            n += 1
    return cards, n


@rule
def shuffle_and_deal(s: ScoutPosition, cards: NDArray[np.int64], n: int, named: int) -> None:
    """Shuffle all but the first of these `n` cards, turn each by chance, deal whole hands (rules 5.3)."""
    g = generator(s.key, s.stream)
    s.stream += 1
    shuffle(g, cards, named, n, n)
    # The ways up; there are more cards than bits in a word, and fewer than in two.
    turns = next_word(g) | next_word(g) << BITS
    # Loops of their own, so that each becomes a plain fill of memory.
    for slot in range(SLOTS):
        s.card[slot] = EMPTY
    for slot in range(SLOTS):
        s.flip[slot] = 0
    for slot in range(SLOTS):
        s.known[slot] = EVERYONE
    dealt = s.seats * dealt_to_each(s)
    s.aside = n - dealt
    # The cards set aside come last, and lie before the hands.
    lay(s, cards, turns, 0, dealt, s.aside)
    lay(s, cards, turns, dealt, n, 0)
    for slot in range(s.aside):
        s.known[slot] = 0
    give_hands(s)
    s.out = s.stuck_strength = s.stuck_first = s.stuck_cards = 0
    for kind in range(KINDS):
        s.held[kind] = NOT_HELD
        s.way_up[kind] = -1
    silence(s)
    begin_round(s)


@rule
def lay(s: ScoutPosition, cards: NDArray[np.int64], turns: int, first: int, end: int, slot: int) -> None:
    """Lay cards[first:end] from a slot on; `turns` has a bit for each card that lies with the higher number up."""
    # Unsigned, so that the compiler knows them for no counts from the end.
    source, target = np.uint64(first), np.uint64(slot)
    for i in range(np.uint64(end - first)):
        s.card[target + i] = cards[source + i]
    ups = np.uint64(turns >> first)
    for i in range(np.uint64(end - first)):
        s.flip[target + i] = int(ups >> i & ONE)


@rule
def tell_holder(s: ScoutPosition, kind: int) -> int:
    """All learn whose hand a card was dealt to, or that it was set aside; return the seat, below 0 for the latter."""
    slot = 0
    while s.card[slot] != kind:
        slot += 1
    holder = (slot - s.aside) // dealt_to_each(s)
    s.held[kind] = ASIDE if holder < 0 else holder
    return holder


@rule
def give_hands(s: ScoutPosition) -> None:
    """The row behind the cards set aside is cut into hands: each seat knows its own."""
    each = dealt_to_each(s)
    for seat in range(s.seats):
        first = s.aside + seat * each
        for slot in range(np.uint64(first), np.uint64(first + each)):
            s.known[slot] = 1 << seat


@rule
def begin_round(s: ScoutPosition) -> None:
    """The hands lie ready: everybody may flip."""
    seats = s.seats
    each = dealt_to_each(s)
    chips = CHIPS if s.opt.hands == Hands.FULL else s.opt.chips
    for seat in range(len(s.hand)):
        s.hand[seat] = each if seat < seats else 0
        s.won[seat] = 0
        s.coins[seat] = chips if seats == TWO_PLAYERS and seat < seats else 0
        s.marker[seat] = 1 if seats > TWO_PLAYERS and seat < seats else 0
        s.flipped[seat] = -1
    s.round_number += 1
    s.turns = s.passes = 0
    s.active = s.strength = 0
    s.owner = s.shower = s.ender = s.stuck = -1
    s.last_seat = s.last_kind = s.last_owner = s.last_place = s.last_turn = -1
    s.last_flip = s.last_end = s.last_only = 0
    s.phase = Phase.FLIP
    s.acting = (1 << seats) - 1


@rule
def deal_second(s: ScoutPosition) -> None:
    """Round two of two players: what is left goes out of play, the cards set aside become the hands (rules 5.7)."""
    s.out += s.active
    # By slot: kind and way up. The cards that go out may come to lie where the hands are.
    row = np.empty((SLOTS, 2), np.int64)
    for slot in range(s.aside, base(s, TWO_PLAYERS)):
        row[slot, 0], row[slot, 1] = s.card[slot], s.flip[slot]
        empty(s, slot)
    for seat in range(TWO_PLAYERS):
        if seat == s.stuck:
            discard_stuck(s, seat, row)
        else:
            discard_sorted(s, seat, row)
    keep_held(s)
    s.aside = 0
    give_hands(s)
    begin_round(s)


@rule
def discard(s: ScoutPosition, kind: int, way_up: int, who: int) -> None:
    """A card goes out of play; the seats of mask `who` know it."""
    slot = table_slot(s.out)
    s.card[slot] = kind
    s.flip[slot] = way_up
    s.known[slot] = who
    s.out += 1


@rule
def discard_stuck(s: ScoutPosition, seat: int, row: NDArray[np.int64]) -> None:
    """The hand that could not go on keeps its order, its last card goes first: that it had no Show is still known."""
    first = base(s, seat)
    for slot in range(first + s.hand[seat] - 1, first - 1, -1):
        discard(s, row[slot, 0], row[slot, 1], 1 << seat)
    s.stuck_strength = s.strength
    s.stuck_cards = s.hand[seat]
    s.stuck_first = table_slot(s.out - 1)


@rule
def discard_sorted(s: ScoutPosition, seat: int, row: NDArray[np.int64]) -> None:
    """A hand whose order says nothing any more: cards known to be in it go first, all in the order of their kinds."""
    first = base(s, seat)
    public = 0
    secret = 0
    for slot in range(first, first + s.hand[seat]):
        kind = row[slot, 0]
        is_held = s.held[kind] == seat
        public |= is_held << kind
        secret |= (not is_held) << kind
    discard_each(s, public, EVERYONE)
    discard_each(s, secret, 1 << seat)


@rule
def discard_each(s: ScoutPosition, kinds: int, who: int) -> None:
    """The cards of a set of kinds go out of play; the seats of mask `who` know them."""
    while kinds != 0:
        discard(s, lowest(kinds), 0, who)
        kinds &= kinds - 1


@rule
def keep_held(s: ScoutPosition) -> None:
    """Of the hands of round one only the stuck one still says something: what is known of it is kept."""
    for kind in range(KINDS):
        if s.stuck >= 0 and s.held[kind] == s.stuck:
            s.held[kind] = LEFT_OVER
        elif s.held[kind] != ASIDE:
            s.held[kind] = NOT_HELD
    for seat in range(TWO_PLAYERS):
        drop(s, seat, LEFT_OVER if seat == s.stuck else -1)
