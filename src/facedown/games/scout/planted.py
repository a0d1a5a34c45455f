"""Hands drawn so that they hold a set to show, when waiting for one to come by chance would take too long.

All pairs (set that beats the Active Set at a place of the hand, world that has it there) come out equally likely:
choose a set and a place, cards for it, the rest of the hand, and keep this as often as it stands for worlds; a hand
that holds several such sets is kept as much less often (Karp and Luby 1983). So the hands come out uniform.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facedown.core.chance import below
from facedown.core.rule import rule
from facedown.core.state import UNKNOWN, Ints
from facedown.games.scout.cards import FACE, KINDS, NUMBERS, TURNED
from facedown.games.scout.joint import Rows, lies_so, lying
from facedown.games.scout.sets import PER_CARD, sets_beating, slice_strength
from facedown.games.scout.state import ScoutPosition, base, is_in_deck

#: More than it ever takes.
MAX_PLANTINGS = 1_000_000
FINE = 65_536
#: Of a hand of which no places are known.
NOTHING_SAID = np.empty((0, KINDS), np.int64)


@rule
def unplaced(s: ScoutPosition, left: Ints) -> int:
    """Write the kinds of the deck that lie in no slot yet; return how many they are."""
    placed = lying(s)
    n = 0
    for kind in range(KINDS):
        if is_in_deck(s, kind) and not placed >> kind & 1:
            left[n] = kind
            n += 1
    return n


@rule
def draw(s: ScoutPosition, g: NDArray[np.uint32], left: Ints, n: int, first: int, cards: int) -> None:
    """Fill the holes of a row with random cards of `left`."""
    for slot in range(first, first + cards):
        if s.card[slot] == UNKNOWN:
            pick = below(g, n)
            s.card[slot] = left[pick]
            n -= 1
            left[pick] = left[n]


@rule
def hole(s: ScoutPosition, g: NDArray[np.uint32], first: int, holes: int) -> int:
    """A random slot of the `holes` from `first` on that have no card yet."""
    pick = below(g, holes)
    slot = first
    while s.card[slot] != UNKNOWN or pick > 0:
        pick -= s.card[slot] == UNKNOWN
        slot += 1
    return slot


@rule
def ways(n: int, k: int) -> float:
    """In how many ways `k` of `n` things can be put in a row: n (n - 1) …; 0 if there are too few."""
    product = 1.0
    for i in range(k):
        product *= max(0, n - i)
    return product


@rule
def rests(cards: int, in_set: int, held: int, used: int, others: int) -> float:
    """How many hands have a given set at a given place.

    `cards` in the hand, `in_set` of them in the set; of `held` cards that must be in the hand the set takes `used`;
    `others` is how many more unknown cards there are.
    """
    places = cards - in_set
    if places < held - used:
        return 0.0
    rest = ways(places, held - used) * ways(others - (in_set - used), places - (held - used))
    return rest * 2.0**places


@rule
def is_event(cards: int, place: int, length: int, step: int, number: int, beat: int) -> bool:
    """Is this a set that fits into the hand and beats a strength?"""
    last = number + step * (length - 1)
    if place + length > cards or length < 1 or not 1 <= last <= NUMBERS or (length == 1 and step != 0):
        return False
    return slice_strength(number, step, length) > beat


@rule
def count_events(s: ScoutPosition, first: int, cards: int, beat: int) -> int:
    """How many sets a hand holds that beat a strength and have at most one card more than they need."""
    as_long, longer = sets_beating(s, first, cards, beat)
    n = 0
    for place in range(cards):
        n += (as_long >> place & 1) + (longer >> place & 1)
    return n


@rule
def most_hands(counts: Ints, cards: int, held: int, others: int, beat: int) -> float:
    """At least as many as the hands that any one choice of a set stands for (times the choices of its cards)."""
    need = beat // PER_CARD
    most = 0.0
    for length in range(need, need + 2):
        for step in range(-1, 2):
            for number in range(1, NUMBERS + 1):
                if is_event(cards, 0, length, step, number, beat):
                    choices = 1.0
                    for i in range(length):
                        choices *= counts[number + step * i]
                    for used in range(min(length, held) + 1):
                        most = max(most, choices * rests(cards, length, held, used, others))
    return most


@rule
def plant(s: ScoutPosition, g: NDArray[np.uint32], left: Ints, seat: int, ways: Rows) -> bool:
    """Draw a seat's whole unknown hand so that it holds a set that beats the Active Set; False if it cannot.

    Its cards lie in one of these ways, if anything is known of their places (`joint`).
    """
    first = base(s, seat)
    cards = s.hand[seat]
    beat = s.strength
    s.card[first : first + cards] = UNKNOWN
    n = unplaced(s, left)
    held = 0
    counts = np.zeros(NUMBERS + 1, np.int64)
    for i in range(n):
        counts[FACE[left[i]]] += 1
        counts[FACE[left[i] + TURNED]] += 1
        held += s.held[left[i]] == seat
    most = most_hands(counts, cards, held, n - held, beat)
    if most == 0.0:
        return False
    for _ in range(MAX_PLANTINGS):
        s.card[first : first + cards] = UNKNOWN
        if plant_set(s, g, left, n, held, counts, seat, most):
            fill_hand(s, g, seat, first, cards)
            agrees = ways_up_agree(s, first, cards) and lies_so(s, first, ways)
            if agrees and below(g, count_events(s, first, cards, beat)) == 0:
                return True
    return False


@rule
def plant_set(
    s: ScoutPosition, g: NDArray[np.uint32], left: Ints, n: int, held: int, counts: Ints, seat: int, most: float
) -> bool:
    """Choose a set, a place in the hand and cards for it, and lay them there; False if the choice is not kept."""
    cards = s.hand[seat]
    beat = s.strength
    place = below(g, cards)
    length = beat // PER_CARD + below(g, 2)
    step = below(g, 3) - 1
    number = 1 + below(g, NUMBERS)
    if not is_event(cards, place, length, step, number, beat):
        return False
    choices = 1.0
    used = 0
    taken = 0
    for i in range(length):
        wanted = number + step * i
        if counts[wanted] == 0:
            return False
        choices *= counts[wanted]
        pick = below(g, counts[wanted])
        at = 0
        while (FACE[left[at]] != wanted and FACE[left[at] + TURNED] != wanted) or pick > 0:
            pick -= FACE[left[at]] == wanted or FACE[left[at] + TURNED] == wanted
            at += 1
        if taken >> at & 1:
            return False
        taken |= 1 << at
        used += s.held[left[at]] == seat
        slot = base(s, seat) + place + i
        s.card[slot] = left[at]
        s.flip[slot] = FACE[left[at]] != wanted
    kept = choices * rests(cards, length, held, used, n - held) / most
    return (below(g, FINE) * FINE + below(g, FINE)) < kept * FINE * FINE


@rule
def fill_hand(s: ScoutPosition, g: NDArray[np.uint32], seat: int, first: int, cards: int) -> None:
    """Fill the rest of a seat's hand: first the held cards anywhere, then any."""
    holes = 0
    for slot in range(first, first + cards):
        if s.card[slot] == UNKNOWN:
            s.flip[slot] = below(g, 2)
            holes += 1
    placed = lying(s)
    for kind in range(KINDS):
        if s.held[kind] == seat and not placed >> kind & 1:
            s.card[hole(s, g, first, holes)] = kind
            holes -= 1
    left = np.empty(KINDS, np.int64)
    draw(s, g, left, unplaced(s, left), first, cards)


@rule
def ways_up_agree(s: ScoutPosition, first: int, cards: int) -> bool:
    """Do the cards of which all know the way up lie so?"""
    for slot in range(first, first + cards):
        kind = s.card[slot]
        if s.held[kind] >= 0 and s.way_up[kind] >= 0 and s.way_up[kind] != s.flip[slot]:
            return False
    return True
