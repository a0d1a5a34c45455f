"""What all know *together* about places in a hand of SCOUT, with ``scout_insert_public=yes`` (SCT-14).

All see where a scouted card goes, nobody but its owner sees from where a Show comes. Two cards put side by side stay
side by side until one is shown, wherever they have moved up to: so places are not known card by card. What was said is
kept in order (`said`); `placements` goes through it and finds all the ways in which the cards can lie in a hand now.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from facedown.core.chance import below
from facedown.core.rule import rule
from facedown.core.state import UNKNOWN
from facedown.games.scout.cards import KINDS
from facedown.games.scout.state import SAID, ScoutPosition


class Said(IntEnum):
    """What an entry tells."""

    #: A card went into the hand at a place; so many cards left it; a card was among them, so many from the left.
    PUT = 0
    LEFT = 1
    AMONG = 2


#: Numbers in rows: mostly a way in each, the place of each kind.
Rows = NDArray[np.int64]
#: An entry: whose hand (3 bits), what (2), a kind or a number of cards (6), a place (6).
WHO = 8
WHAT = 4
FIELD = 64
#: So many ways are kept; if there are ever more, a random choice of them.
MOST_WAYS = 4_096
TABLE = 4 * MOST_WAYS
#: Not in the hand.
AWAY = -1


@rule
def note(s: ScoutPosition, who: int, what: int, card: int, place: int) -> None:
    """Add an entry."""
    s.said[s.said_count] = ((place * FIELD + card) * WHAT + what) * WHO + who
    s.said_count += 1


@rule
def entry(s: ScoutPosition, i: int) -> tuple[int, int, int, int]:
    """An entry: whose hand, what it tells, a kind or a number of cards, a place."""
    said = s.said[i]
    return said % WHO, said // WHO % WHAT, said // (WHO * WHAT) % FIELD, said // (WHO * WHAT * FIELD)


@rule
def silence(s: ScoutPosition) -> None:
    """Forget all places: the cards are known to be in their hands only."""
    s.said[: s.said_count] = 0
    s.said_count = 0


@rule
def drop(s: ScoutPosition, who: int, to: int) -> None:
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
def with_place(s: ScoutPosition, who: int) -> int:
    """The set of kinds in a hand of whose places something was said."""
    kinds = 0
    for i in range(s.said_count):
        whose, what, kind, _ = entry(s, i)
        if whose == who and what == Said.PUT:
            kinds |= 1 << kind
        elif whose == who and what == Said.AMONG:
            kinds &= ~(1 << kind)
    return kinds


@rule
def put_in(s: ScoutPosition, who: int, kind: int, place: int) -> None:
    """All see a card go into a hand, at this place."""
    if s.said_count == SAID:
        silence(s)
    note(s, who, Said.PUT, kind, place)


@rule
def leave(s: ScoutPosition, who: int, first: int, cards: int) -> None:
    """All see the cards from slot `first` on leave a hand, from places that only its owner sees."""
    kinds = with_place(s, who)
    if kinds == 0:
        return
    if s.said_count + 1 + cards > SAID:
        silence(s)
        return
    note(s, who, Said.LEFT, cards, 0)
    for i in range(cards):
        kind = s.card[first + i]
        if kinds >> kind & 1:
            note(s, who, Said.AMONG, kind, i)
            kinds &= ~(1 << kind)
    if kinds == 0:
        drop(s, who, -1)


# --- the ways in which cards can lie ----------------------------------------------------------------------------------


@rule
def placements(s: ScoutPosition, who: int, size: int, ways: Rows, g: NDArray[np.uint32]) -> int:
    """Write the place of each kind of which places are known, `AWAY` for others, a row for each way; return how many.

    `size` is how many cards the hand has now.
    """
    for i in range(s.said_count):
        whose, what, card, _ = entry(s, i)
        if whose == who and what != Said.AMONG:
            size += card if what == Said.LEFT else -1
    ways[0] = AWAY
    n = 1
    old = np.empty((MOST_WAYS, KINDS), np.int64)
    gone = np.empty((KINDS, 2), np.int64)
    for i in range(s.said_count):
        whose, what, card, place = entry(s, i)
        if whose != who:
            continue
        if what == Said.PUT:
            # What lies from there on moves up by one.
            ways[:n] += ways[:n] >= place
            ways[:n, card] = place
            size += 1
        elif what == Said.LEFT:
            among = seen_among(s, i + 1, gone)
            old[:n] = ways[:n]
            n = take_each(old[:n], size, card, gone[:among], ways, g)
            size -= card
    return n


@rule
def seen_among(s: ScoutPosition, first: int, gone: Rows) -> int:
    """Write which cards a slice took along, and from where in it, by the entries behind its own; return how many."""
    among = 0
    for i in range(first, s.said_count):
        _, what, kind, place = entry(s, i)
        if what != Said.AMONG:
            break
        gone[among, 0], gone[among, 1] = kind, place
        among += 1
    return among


@rule
def take_each(old: Rows, size: int, cards: int, gone: Rows, ways: Rows, g: NDArray[np.uint32]) -> int:
    """A slice leaves: from each way, all ways that this can have made of it, each written once."""
    met_at = np.full(TABLE, -1, np.int32)
    new = np.empty(KINDS, np.int64)
    kept = 0
    met = 0
    for way in range(len(old)):
        taken = 0
        for kind in range(KINDS):
            if old[way, kind] >= 0:
                taken |= 1 << old[way, kind]
        for start in range(size - cards + 1):
            if may_leave(old, way, taken, start, cards, gone):
                # What lay behind the slice moves up.
                for kind in range(KINDS):
                    place = old[way, kind]
                    new[kind] = place if place < start else place - cards if place >= start + cards else AWAY
                kept, met = keep(new, ways, met_at, kept, met, g)
    return kept


@rule
def may_leave(old: Rows, way: int, taken: int, start: int, cards: int, gone: Rows) -> bool:
    """Can this slice have left? `taken` are the places of known cards; those in it must be just those of `gone`."""
    inside = 0
    for i in range(len(gone)):
        if old[way, gone[i, 0]] != start + gone[i, 1]:
            return False
        inside |= 1 << gone[i, 1]
    if inside == 0 and start > 0 and taken >> start - 1 & 1 == 0:
        # Of the places between two known cards one stands for all: nothing tells them apart.
        return False
    return taken >> start & (1 << cards) - 1 == inside


@rule
def keep(
    new: NDArray[np.int64], ways: Rows, met_at: NDArray[np.int32], kept: int, met: int, g: NDArray[np.uint32]
) -> tuple[int, int]:
    """Write a new way, unless it is there already; return how many are kept and how many were met."""
    value = 0
    for kind in range(KINDS):
        value = (value * 61 + new[kind] + 2) & 0xFFFFFFFF
    at = (value ^ value >> 15) % TABLE
    while met_at[at] >= 0:
        if (ways[met_at[at]] == new).all():
            return kept, met
        at = (at + 1) % TABLE
    row = kept
    if kept < MOST_WAYS:
        met_at[at] = row
    else:
        row = below(g, met + 1)
        if row >= MOST_WAYS:
            return kept, met + 1
    ways[row] = new
    return min(kept + 1, MOST_WAYS), met + 1


@rule
def lying(s: ScoutPosition) -> int:
    """The set of the kinds that are known to lie in some slot."""
    kinds = 0
    for slot in range(len(s.card)):
        if s.card[slot] < KINDS:
            kinds |= 1 << s.card[slot]
    return kinds


@rule
def fits(s: ScoutPosition, first: int, ways: Rows, way: int, placed: int) -> bool:
    """Does a way go with what lies in slots from `first` on? Cards of the set `placed` lie in none that is unknown."""
    for kind in range(KINDS):
        place = ways[way, kind]
        if place >= 0:
            there = s.card[first + place]
            if there != kind and (there != UNKNOWN or placed >> kind & 1):
                return False
    return True


@rule
def fitting(s: ScoutPosition, first: int, ways: Rows, n: int) -> int:
    """Keep those ways that go with the cards that are known to lie in slots from `first` on; return how many."""
    placed = lying(s)
    kept = 0
    for way in range(n):
        if fits(s, first, ways, way, placed):
            ways[kept] = ways[way]
            kept += 1
    return kept


@rule
def lies_so(s: ScoutPosition, first: int, ways: Rows) -> bool:
    """Does the hand at slot `first`, which has no unknown card, lie in one of these ways, if there are any?"""
    for way in range(len(ways)):
        if fits(s, first, ways, way, 0):
            return True
    return len(ways) == 0
