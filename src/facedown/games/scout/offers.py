"""SCOUT's actions as numbers, and the list of what is legal on a turn. Rulings (SCT-…): ``docs/rules/scout.md``.

Where hidden cards choose what is legal, branches would be hard to predict. So actions are looked up and written several
at a time, and those that come next write over what is too much.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from facedown.core.actions import Actions, Choice, Choices
from facedown.core.meaning import Number
from facedown.core.rule import rule
from facedown.core.state import Ints
from facedown.games.scout import sets
from facedown.games.scout.cards import TWO_PLAYERS
from facedown.games.scout.state import MAX_HAND, MAX_SET, Phase, ScoutPosition, base

#: Places where a scouted card can go: to the left of everything, or after any card but one more than a hand can take.
PLACES = MAX_HAND
PLACE = Choice("place", range(PLACES))


class Act(Actions):
    """The kinds of actions, and what is added to each."""

    SHOW = 0
    """The place of the first card * `MAX_SET` + the number of cards - 1."""
    SCOUT = SHOW + MAX_HAND * MAX_SET
    """The way * `PLACES` + the place; ways 0 and 1 take the left card as it lies or turned, 2 and 3 the right one."""
    SCOUT_AND_SHOW = SCOUT + sets.WAYS * PLACES
    """The same as of a Scout; a Show of the same seat comes next."""
    KEEP = SCOUT_AND_SHOW + sets.WAYS * PLACES
    """Keep the hand the way up it was dealt."""
    FLIP = KEEP + 1
    """Turn the whole hand around, before the first turn."""
    CONTINUE = FLIP + 1
    """Go on to the next round."""


CHOICES: Choices = {
    Act.SHOW: (PLACE, Choice("cards", range(1, MAX_SET + 1), Number(0, MAX_SET))),
    Act.SCOUT: (Choice("way", range(sets.WAYS)), PLACE),
    Act.SCOUT_AND_SHOW: (Choice("way", range(sets.WAYS)), PLACE),
}


#: No list of actions is longer than this and one: a number cut off here is seen by the compiler to be no count from the
#: list's end, which it would have to look for at each of them.
LAST_OFFER = 1023
#: So many are looked up and written at once.
OFFERED = 8
ANY_OFFER = (1 << OFFERED) - 1
#: Shows are looked up for four places at once: a bit for each that begins a set of as many cards as are needed, then a
#: bit for each that begins one of a card more.
FOUR = 4
ANY_FOUR = (1 << FOUR) - 1
#: A row of Scouts is written sixteen at a time.
ROW = 16


def steps_to(places: Iterable[int]) -> int:
    """What is added to an action to get others of a list, eight bits for each."""
    return sum(place << OFFERED * i for i, place in enumerate(places))


#: By the bits of eight places: those that have one.
PLACES_OF: Ints = np.array(
    [steps_to(place for place in range(OFFERED) if bits >> place & 1) for bits in range(ANY_OFFER + 1)], np.int64
)
#: By the bits of four places: the sets that begin there, as what is added to the action of the shortest at the first.
SETS_OF: Ints = np.array(
    [
        steps_to(
            place * MAX_SET + longer
            for place in range(FOUR)
            for longer in range(2)
            if bits >> longer * FOUR + place & 1
        )
        for bits in range(ANY_OFFER + 1)
    ],
    np.int64,
)
#: How many of eight bits are set.
HOW_MANY: Ints = np.array([bits.bit_count() for bits in range(ANY_OFFER + 1)], np.int64)


@rule
def can_scout(s: ScoutPosition, seat: int) -> bool:
    """May the seat that is to play take a card of the Active Set? With two players that costs a chip."""
    return s.phase == Phase.TURN and s.active > 0 and (s.seats > TWO_PLAYERS or s.coins[seat] > 0)


@rule
def turns(s: ScoutPosition, seat: int, out: NDArray[np.int32]) -> int:
    """Write what the seat on turn may do, or which Shows may end its Scout and Show."""
    first, cards = base(s, seat), s.hand[seat]
    hand = sets.read(s, first, cards)
    stepping = sets.steps(hand, cards)
    n = shows_of(hand, stepping, cards, s.strength, out)
    if not can_scout(s, seat):
        return n
    n = scouts(s, Act.SCOUT, cards, out, n)
    if s.marker[seat] == 0:
        return n
    if s.active == 1:
        # Nothing is left to beat (SCT-9): any card can be shown.
        return scouts(s, Act.SCOUT_AND_SHOW, cards, out, n)
    for way in range(sets.WAYS):
        fine = sets.places_to_show(s, first, cards, hand, stepping, way)
        for place in range(0, cards + 1, OFFERED):
            bits = fine >> place & ANY_OFFER
            n = offer(out, n, Act.SCOUT_AND_SHOW + way * PLACES + place, PLACES_OF[bits], HOW_MANY[bits])
    return n


@rule
def shows(s: ScoutPosition, seat: int, out: NDArray[np.int32]) -> int:
    """Write the Shows of a seat's hand that beat the Active Set, ascending; return how many there are."""
    cards = s.hand[seat]
    hand = sets.read(s, base(s, seat), cards)
    return shows_of(hand, sets.steps(hand, cards), cards, s.strength, out)


@rule
def shows_of(hand: sets.Bits, stepping: sets.Steps, cards: int, beat: int, out: NDArray[np.int32]) -> int:
    """Write the Shows of a hand in bits that beat a strength (SCT-2, SCT-3), ascending; return how many there are."""
    need = max(1, beat // sets.PER_CARD)
    as_long, longer = sets.beating(hand, stepping, beat)
    equal, rising, falling = stepping
    joined = longer & (equal & equal >> need | rising & rising >> need | falling & falling >> need)
    n = 0
    for start in range(0, cards, FOUR):
        action = Act.SHOW + start * MAX_SET + need - 1
        if joined >> start & ANY_FOUR == 0:
            bits = as_long >> start & ANY_FOUR | (longer >> start & ANY_FOUR) << FOUR
            n = offer(out, n, action, SETS_OF[bits], HOW_MANY[bits])
            continue
        for place in range(start, start + FOUR):
            n = offer_if(out, n, action, as_long >> place & 1)
            n = offer_if(out, n, action + 1, longer >> place & 1)
            if joined >> place & 1:
                # Sets with two cards more are rare; what they go on with is asked step by step.
                more = need
                while sets.same_steps(stepping, more + 1) >> place & 1:
                    more += 1
                    n = offer_if(out, n, action + more - need + 1, 1)
            action += MAX_SET
    return n


@rule
def scouts(s: ScoutPosition, action: int, cards: int, out: NDArray[np.int32], n: int) -> int:
    """Append the Scouts to all places of a hand (SCT-1), of which the first is this action."""
    for way in range(sets.ways_to_scout(s)):
        at = n & LAST_OFFER
        # Whole rows: what is too much is written over, or lies behind the list's end.
        for place in range(cards + ROW & -ROW):
            out[at + place] = action + way * PLACES + place
        n += cards + 1
    return n


@rule
def offer(out: NDArray[np.int32], n: int, action: int, steps: int, count: int) -> int:
    """Append actions: the first of these `steps` from `action` (`steps_to`); return how many there are then."""
    at = n & LAST_OFFER
    # A list always has room for so many; the compiler, which does not know, makes one step of them.
    for i in range(min(OFFERED, len(out))):
        out[at + i] = action + (steps >> OFFERED * i & ANY_OFFER)
    return n + count


@rule
def offer_if(out: NDArray[np.int32], n: int, action: int, is_legal: int) -> int:
    """Append an action if `is_legal` is 1; return how many there are then."""
    out[n & LAST_OFFER] = action
    return n + is_legal
