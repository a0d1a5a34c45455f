"""The worlds that fit a view of SCOUT: where unknown cards may lie, and which way up.

Beside faces in places, all know of some cards whose hand they are in (scouted ones): `place_known` draws where. And
sometimes a hand is known to hold something to show (a seat that must) or not (a seat that was stuck): `is_consistent`
tells. The slots that are left unknown are as good as any other and are filled by the core.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facedown.core.chance import below, next_word
from facedown.core.rule import rule
from facedown.core.state import RUNNING, UNKNOWN
from facedown.games.scout.cards import KINDS, TWO_PLAYERS
from facedown.games.scout.joint import MOST_WAYS, fitting, lying, placements, with_place
from facedown.games.scout.sets import can_show
from facedown.games.scout.state import ASIDE, LEFT_OVER, PLAYERS, SLOTS, Phase, ScoutPosition, base, is_in_deck

#: Where cards can be held; last of all the card of which two hands come into question.
HOLDERS = (LEFT_OVER, *range(PLAYERS - 1, -1, -1), ASIDE)
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
    """Turn unknown cards by chance, and place those that are known to be in a hand."""
    turn_all(s, g)
    seen = lying(s)
    for where in HOLDERS:
        first, end = zone(s, where)
        if with_place(s, where) != 0:
            place_together(s, g, where, first, end)
            seen = lying(s)
        place_anywhere(s, g, where, first, end, seen)


@rule
def turn_all(s: ScoutPosition, g: NDArray[np.uint32]) -> None:
    """Give each unknown card a random way up (in the leavings of a hand that was not stuck it means nothing)."""
    end = base(s, s.seats)
    bits = 0
    drawn = 0
    for slot in range(SLOTS):
        bound = s.stuck_first <= slot < s.stuck_first + s.stuck_cards
        if s.card[slot] == UNKNOWN and (slot < end or bound):
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
def place_together(s: ScoutPosition, g: NDArray[np.uint32], where: int, first: int, end: int) -> None:
    """Lay the cards of a hand of whose places something is known, in one of the ways in which they can lie."""
    ways = np.empty((MOST_WAYS, KINDS), np.int64)
    n = fitting(s, first, ways, placements(s, where, end - first, ways))
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
