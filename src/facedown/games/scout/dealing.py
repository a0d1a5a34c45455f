"""How SCOUT's rounds are dealt (rules 5.3, 5.7), compiled. Every ruling cited here is in ``docs/rules/scout.md``."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facedown.core.chance import generator, next_word, shuffle, stack
from facedown.core.masks import all_act
from facedown.core.rule import rule
from facedown.core.state import EMPTY, EVERYONE, Ints
from facedown.games.scout.cards import KINDS, TURNED, TWO_PLAYERS
from facedown.games.scout.info import Hands
from facedown.games.scout.joint import drop, silence
from facedown.games.scout.state import (
    ASIDE,
    LEFT_OVER,
    NOT_HELD,
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
def deal_round(s: ScoutPosition, deck: NDArray[np.int64]) -> None:
    """Shuffle everything, turn each card by chance, deal whole hands (rules 5.3).

    `deck` names the first cards from the top, with `TURNED` added where they lie turned.
    """
    s.card[:] = EMPTY
    cards = np.empty(KINDS, np.int64)
    n = 0
    for kind in range(KINDS):
        if is_in_deck(s, kind):
            cards[n] = kind
            n += 1
    named = stack(cards, n, deck % TURNED)
    g = generator(s.key, s.stream)
    s.stream += 1
    shuffle(g, cards, named, n, n)
    # The ways up; there are more cards than bits in a word, and fewer than in two.
    turns = next_word(g) | next_word(g) << BITS
    s.flip[:] = 0
    s.known[:] = EVERYONE
    dealt = s.seats * dealt_to_each(s)
    s.aside = n - dealt
    # The cards set aside come last, and lie before the hands.
    for i in range(n):
        slot = i + s.aside if i < dealt else i - dealt
        s.card[slot] = cards[i]
        s.flip[slot] = turns >> i & 1 if i >= named else deck[i] // TURNED
    s.known[: s.aside] = 0
    give_hands(s)
    s.out = s.stuck_strength = s.stuck_first = s.stuck_cards = 0
    s.held[:] = NOT_HELD
    s.way_up[:] = -1
    silence(s)
    begin_round(s)


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
        s.known[first : first + each] = 1 << seat


@rule
def begin_round(s: ScoutPosition) -> None:
    """The hands lie ready: everybody may flip."""
    s.hand[:] = s.won[:] = s.coins[:] = s.marker[:] = 0
    s.flipped[:] = -1
    s.hand[: s.seats] = dealt_to_each(s)
    if s.seats == TWO_PLAYERS:
        s.coins[:TWO_PLAYERS] = CHIPS if s.opt.hands == Hands.FULL else s.opt.chips
    else:
        s.marker[: s.seats] = 1
    s.round_number += 1
    s.turns = s.passes = s.active = s.strength = 0
    s.owner = s.shower = s.ender = s.stuck = -1
    s.last_seat = s.last_kind = s.last_owner = s.last_place = s.last_turn = -1
    s.last_flip = s.last_end = s.last_only = 0
    s.phase = Phase.FLIP
    all_act(s)


@rule
def deal_second(s: ScoutPosition) -> None:
    """Round two of two players: what is left goes out of play, the cards set aside become the hands (rules 5.7)."""
    s.out += s.active
    # The cards that go out may come to lie where the hands are.
    card, flip = s.card.copy(), s.flip.copy()
    for slot in range(s.aside, base(s, TWO_PLAYERS)):
        empty(s, slot)
    for seat in range(TWO_PLAYERS):
        if seat == s.stuck:
            discard_stuck(s, seat, card, flip)
        else:
            discard_sorted(s, seat, card)
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
def discard_stuck(s: ScoutPosition, seat: int, card: Ints, flip: Ints) -> None:
    """The hand that could not go on keeps its order, its last card goes first: that it had no Show is still known."""
    first = base(s, seat)
    for slot in range(first + s.hand[seat] - 1, first - 1, -1):
        discard(s, card[slot], flip[slot], 1 << seat)
    s.stuck_strength = s.strength
    s.stuck_cards = s.hand[seat]
    s.stuck_first = table_slot(s.out - 1)


@rule
def discard_sorted(s: ScoutPosition, seat: int, card: Ints) -> None:
    """A hand whose order says nothing any more: cards known to be in it go first, all in the order of their kinds."""
    first = base(s, seat)
    kinds = 0
    for slot in range(first, first + s.hand[seat]):
        kinds |= 1 << card[slot]
    for who in (EVERYONE, 1 << seat):
        for kind in range(KINDS):
            if kinds >> kind & 1 and (s.held[kind] == seat) == (who == EVERYONE):
                discard(s, kind, 0, who)


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
