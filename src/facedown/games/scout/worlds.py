"""The worlds that fit a view of SCOUT: where unknown cards may lie, and which way up.

Beside faces in places, all know of some cards whose hand they are in (scouted ones), and sometimes that a hand can show
something (a seat that must) or cannot (a seat that was stuck). `place_known` draws what this concerns; the slots that
it leaves unknown are as good as any other and are filled by the core.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facedown.core.chance import below, next_word
from facedown.core.rule import rule
from facedown.core.state import RUNNING, UNKNOWN, Ints
from facedown.games.scout.cards import KINDS, TWO_PLAYERS
from facedown.games.scout.joint import MOST_WAYS, fitting, lying, placements, with_place
from facedown.games.scout.planted import NOTHING_SAID, draw, hole, plant, unplaced
from facedown.games.scout.sets import can_show
from facedown.games.scout.state import ASIDE, LEFT_OVER, NOT_HELD, SLOTS, Phase, ScoutPosition, base, is_in_deck

#: So often hands are drawn as they come, until one can show (or not, as is known); then sets are planted.
PLAIN_TRIES = 2_000
MAX_TRIES = 400_000
#: Hands that cards can be held in: the seats', and what `ASIDE` and `LEFT_OVER` name.
NAMES = LEFT_OVER + 1
BITS = 32


@rule
def pools(s: ScoutPosition, counts: NDArray[np.int32]) -> None:
    """The cards of the deck, one of each."""
    for kind in range(KINDS):
        counts[0, kind] = is_in_deck(s, kind)


@rule
def must_show(s: ScoutPosition) -> int:
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
        return base(s, s.stuck), s.hand[s.stuck], s.strength
    return 0, 0, 0


@rule
def is_consistent(s: ScoutPosition, viewer: int) -> bool:
    """Can the hand that must show do so, and could the hand that was stuck not?"""
    if s.over != RUNNING:
        return True
    seat = must_show(s)
    first, cards, beat = stuck_row(s)
    shows = seat < 0 or can_show(s, base(s, seat), s.hand[seat], s.strength)
    return shows and (cards == 0 or not can_show(s, first, cards, beat))


@rule
def place_known(s: ScoutPosition, g: NDArray[np.uint32]) -> None:
    """Turn unknown cards by chance, and place those that are known to be in a hand or to make it able to show."""
    holes = 0
    for slot in range(SLOTS):
        holes |= (s.card[slot] == UNKNOWN) << slot
    if holes == 0:
        return
    left = np.empty(KINDS, np.int64)
    counts = np.zeros(NAMES, np.int64)
    ways = ways_to_lie(s, g, counts)
    for attempt in range(MAX_TRIES):
        for slot in range(SLOTS):
            if holes >> slot & 1:
                s.card[slot] = UNKNOWN
        turn_all(s, g, holes)
        place_held(s, g, lying(s), ways, counts)
        if draw_bound_hands(s, g, left, attempt >= PLAIN_TRIES, ways, counts):
            return


@rule
def turn_all(s: ScoutPosition, g: NDArray[np.uint32], holes: int) -> None:
    """Give each unknown card a random way up (in the leavings of a hand that was not stuck it means nothing)."""
    end = base(s, s.seats)
    bits = 0
    drawn = 0
    for slot in range(SLOTS):
        bound = s.stuck_first <= slot < s.stuck_first + s.stuck_cards
        if holes >> slot & 1 and (slot < end or bound):
            if drawn % BITS == 0:
                bits = next_word(g)
            s.flip[slot] = bits >> drawn % BITS & 1
            drawn += 1


@rule
def zone(s: ScoutPosition, where: int) -> tuple[int, int]:
    """The slots in which a held card may lie: the first, and the one after the last."""
    if where == LEFT_OVER:
        return s.stuck_first, s.stuck_first + s.stuck_cards
    if where == ASIDE:
        return (0, s.aside) if s.aside > 0 else (0, base(s, s.seats))
    first = base(s, where)
    return first, first + s.hand[where]


@rule
def ways_to_lie(s: ScoutPosition, g: NDArray[np.uint32], counts: Ints) -> NDArray[np.int64]:
    """For each hand of which places are known: all the ways in which its cards can lie, and how many (`joint`)."""
    ways = np.empty((NAMES if s.said_count > 0 else 0, MOST_WAYS, KINDS), np.int64)
    for where in range(len(ways)):
        if where != ASIDE and with_place(s, where) != 0:
            first, end = zone(s, where)
            counts[where] = fitting(s, first, ways[where], placements(s, where, end - first, ways[where], g))
    return ways


@rule
def place_held(s: ScoutPosition, g: NDArray[np.uint32], seen: int, ways: NDArray[np.int64], counts: Ints) -> None:
    """Lay the cards that are known to be in a hand: in one of the ways that all know, or anywhere in it."""
    for where in range(LEFT_OVER, NOT_HELD, -1):
        if where != ASIDE:
            if counts[where] > 0:
                first, _ = zone(s, where)
                way = below(g, counts[where])
                for kind in range(KINDS):
                    place = ways[where, way, kind]
                    if place >= 0 and not seen >> kind & 1:
                        lay(s, first + place, kind)
                        seen |= 1 << kind
            place_anywhere(s, g, seen, where)
    # Last of all the card of which two hands come into question.
    place_anywhere(s, g, seen, ASIDE)


@rule
def place_anywhere(s: ScoutPosition, g: NDArray[np.uint32], seen: int, where: int) -> None:
    """Lay the cards held in one zone into any places of it."""
    first, end = zone(s, where)
    free = 0
    for slot in range(first, end):
        free += s.card[slot] == UNKNOWN
    for kind in range(KINDS):
        if s.held[kind] == where and not seen >> kind & 1:
            lay(s, hole(s, g, first, free), kind)
            free -= 1


@rule
def lay(s: ScoutPosition, slot: int, kind: int) -> None:
    """Lay a held card, the way up that all know."""
    s.card[slot] = kind
    if s.way_up[kind] >= 0:
        s.flip[slot] = s.way_up[kind]


@rule
def draw_bound_hands(
    s: ScoutPosition, g: NDArray[np.uint32], left: Ints, planting: bool, ways: NDArray[np.int64], counts: Ints
) -> bool:
    """Draw the cards of hands of which more is known; False if what came does not agree with it."""
    seat = must_show(s)
    stuck_first, stuck_cards, stuck_beat = stuck_row(s)
    if seat >= 0 and planting and s.viewer != seat:
        if not plant(s, g, left, seat, ways[seat][: counts[seat]] if counts[seat] > 0 else NOTHING_SAID):
            return False
    elif seat >= 0:
        draw(s, g, left, unplaced(s, left), base(s, seat), s.hand[seat])
        if not can_show(s, base(s, seat), s.hand[seat], s.strength):
            return False
    if stuck_cards > 0:
        draw(s, g, left, unplaced(s, left), stuck_first, stuck_cards)
        return not can_show(s, stuck_first, stuck_cards, stuck_beat)
    return True
