"""The rules of Uncovered!, compiled. Every ruling cited here (UNC-…) is in ``docs/rules/uncovered.md``.

A slot is a place of a hand: ``4 * seat + place``, places counted from 0. `known` is the game's own visibility
matrix V: who knows which place is public (rules 4.5).
"""

from __future__ import annotations

from typing import Annotated, Protocol

import numpy as np
from numpy.typing import NDArray

from facedown.core.chance import below, generator, shuffle, stack
from facedown.core.options import index_of
from facedown.core.rule import rule, wide
from facedown.core.slots import knows
from facedown.core.state import (
    ABANDONED,
    DECIDED,
    EMPTY,
    EVERYONE,
    I1,
    MAX_SEATS,
    OPEN,
    RUNNING,
    SPECTATOR,
    U1,
    Common,
    layout,
)
from facedown.core.told import Told
from facedown.games.uncovered import MOST_SEATS, OPTIONS
from facedown.games.uncovered.fewest import ANYONE, MOST_TURNS, NUMBERS, PLACES, fewest_line

#: Kinds of cards: the numbers 1..4 are kinds 0..3, so that a card at home at place k is of kind k.
KINDS = NUMBERS
SLOTS = MOST_SEATS * PLACES
ANY_KIND = (1 << KINDS) - 1

# --- modes
BEGINNER = 0
INTERMEDIATE = 1
ADVANCED = 2

# --- turning
AUTO = 0
CHOICE = 1
NEVER = 2

# --- scores
REGRET = 0
RAW_TURNS = 1
FREE_REGRET = 2

# --- phases
PLAYING = 0
TURNING = 1
FINISHED = 2

# --- actions: swap = 16 × the other seat + 4 × own place + their place
PAIRS = PLACES * PLACES
SWAPS = MOST_SEATS * PAIRS
UNCOVER = SWAPS
TURN = UNCOVER + 1
LEAVE = TURN + 1
ACTIONS = LEAVE + 1

#: The guard against endless play (rules 4.8): so many swaps.
TURN_CAP = 200
#: What a lost or abandoned game returns: below any won game, whose score stays under the guard.
LOST = -200.0

# --- options, as positions in the encoded array
_AT = {o.name: index_of(OPTIONS.options, o.name) for o in OPTIONS.options}
AT_MODE = _AT["mode"]
AT_SWAP_VISIBILITY = _AT["swap_visibility"]
AT_TURNING = _AT["turning"]
AT_TRACKING = _AT["tracking"]
AT_SINGLE_COLOUR_WIN = _AT["single_colour_win"]
AT_SCORE = _AT["score"]
AT_START = _AT["start"]

TOLD = (
    Told(
        ("turned", "could", "phase", "acting", "deciding", "turn"),
        "UNC-6: a card that a swap brought home is turned or its owner asked, also before those who did not see it",
        lambda before, after: bool(
            after.mode == INTERMEDIATE
            and after.face_down == 1
            and after.turning != NEVER
            and after.viewer == SPECTATOR
            and before is not None
        ),
    ),
)


class State(Common, Protocol):
    """A game of Uncovered!. Slots: four places for each of six hands."""

    mode: U1
    face_down: U1
    """Swaps are face down: only the two parties see the cards (UNC-5)."""
    turning: U1
    tracking_off: U1
    single_colour_wins: U1
    scoring: U1
    phase: U1
    start: U1
    """The seat that has turn 0."""
    turn: U1
    """The turn number t: how many swaps were made."""
    won: U1
    swapped: I1
    """The slot of the last swap's mover, -1 before the first swap."""
    swapped_with: I1
    deciding: I1
    """In TURNING: the slot of the card that its owner may turn, else -1."""
    gave: U1
    """Views only: the number that the mover of the last swap gave away, 0 if the viewer was not shown it."""
    took: U1
    """Views only: the number that the mover took."""
    turned: Annotated[NDArray[np.uint8], "u1", (SLOTS,)]
    """1 where a card was turned to face its owner (intermediate)."""
    origin: Annotated[NDArray[np.uint8], "u1", (SLOTS,)]
    """The slot where the card that lies here was dealt: public, as all saw the swaps. So the deal is never lost."""
    could: Annotated[NDArray[np.uint8], "u1", (SLOTS,)]
    """A bit for each kind that the card here can be, by what turning or not turning it told everybody."""
    card: Annotated[NDArray[np.uint8], "u1", (SLOTS,)]
    known: Annotated[NDArray[np.uint16], "u2", (SLOTS,)]


DTYPE = layout(State)


def check(seats: int, options: NDArray[np.int32]) -> str:
    """Why a match cannot be set up like this, or nothing."""
    if options[AT_MODE] == ADVANCED and seats < 3:
        return "mode = advanced needs three players or more: two can play beginner or intermediate"
    if options[AT_START] == 1 and options[AT_START + 1] >= seats:
        return f"start: there is no seat {options[AT_START + 1]} at a table of {seats}, they are 0 to {seats - 1}"
    return ""


def deck(seats: int, options: NDArray[np.int32], counts: NDArray[np.int32]) -> None:
    """Write how many cards of each kind the deck has: one of each number for every player."""
    counts[:] = seats


# --- dealing ---------------------------------------------------------------------------------------------------------


@rule
def deal(
    s: State,
    seats: int,
    options: NDArray[np.int32],
    key: NDArray[np.uint32],
    deck: NDArray[np.uint8],
    first: int,
) -> None:
    """Shuffle and deal four cards to each; `first` has turn 0, or -1 for chance (UNC-14)."""
    s.seats = seats
    s.viewer = -1
    for i in range(8):
        s.key[i] = key[i]
    s.mode = options[AT_MODE]
    s.face_down = options[AT_SWAP_VISIBILITY]
    s.turning = options[AT_TURNING]
    s.tracking_off = options[AT_TRACKING]
    s.single_colour_wins = options[AT_SINGLE_COLOUR_WIN]
    s.scoring = options[AT_SCORE]
    for seat in range(MAX_SEATS):
        s.sealed[seat] = OPEN
    cards = np.empty(SLOTS, np.uint8)
    n = seats * PLACES
    for i in range(n):
        cards[i] = i & (KINDS - 1)
    dealt = stack(cards, n, deck) if len(deck) > 0 else 0
    g = generator(s.key, 0)
    s.stream = 1
    shuffle(g, cards, dealt, n, n)
    # Drawn after the cards, so that who starts never changes the deal.
    start = first
    if options[AT_START] == 1:
        start = int(options[AT_START + 1])
    elif first < 0:
        start = below(g, seats)
    s.start = start
    for slot in range(SLOTS):
        s.card[slot] = cards[slot] if slot < n else EMPTY
    for slot in range(SLOTS):
        s.known[slot] = first_sight(wide(s.mode), slot // PLACES) if slot < n else EVERYONE
    for slot in range(SLOTS):
        s.turned[slot] = 0
        s.origin[slot] = slot
        s.could[slot] = ANY_KIND
    s.over = RUNNING
    s.phase = PLAYING
    s.turn = 0
    s.won = 0
    s.swapped = -1
    s.swapped_with = -1
    s.deciding = -1
    s.gave = 0
    s.took = 0
    s.acting = 1 << start


@rule
def first_sight(mode: int, owner: int) -> int:
    """Who sees a hand as it is dealt (rules 4.3), as a mask."""
    if mode == BEGINNER:
        return EVERYONE
    if mode == INTERMEDIATE:
        return (EVERYONE & ~(1 << SPECTATOR)) & ~(1 << owner)
    return 1 << owner


# --- legal actions ---------------------------------------------------------------------------------------------------


@rule
def legal(s: State, seat: int, out: NDArray[np.int32]) -> int:
    """Write the legal actions of a seat, ascending; return how many there are. There is no pass (UNC-3)."""
    if (np.int64(s.acting) >> seat) & 1 == 0:
        return 0
    if s.phase == TURNING:
        out[0] = TURN
        out[1] = LEAVE
        return 2
    # Every place with every place of every other hand, equal cards too (UNC-4).
    before = PAIRS * seat
    for i in range(before):
        out[i] = i
    n = PAIRS * (np.int64(s.seats) - 1)
    for i in range(before, n):
        out[i] = i + PAIRS
    out[n] = UNCOVER
    return int(n + 1)


# --- playing ---------------------------------------------------------------------------------------------------------


@rule
def apply(s: State, seat: int, action: int) -> None:
    """Play a legal action."""
    if action < SWAPS:
        other = action // PAIRS
        swap(s, seat, PLACES * seat + (action // PLACES) % PLACES, other, PLACES * other + action % PLACES)
    elif action == UNCOVER:
        s.won = wins(s)
        finish(s, DECIDED)
    else:
        s.turned[s.deciding] = action == TURN
        if s.deciding == s.swapped:
            decide(s, False)
        else:
            next_turn(s)


@rule
def swap(s: State, seat: int, own: int, other: int, theirs: int) -> None:
    """The cards of two slots change places; then they may be turned, and the next turn begins."""
    card = s.card[own]
    s.card[own] = s.card[theirs]
    s.card[theirs] = card
    origin = s.origin[own]
    s.origin[own] = s.origin[theirs]
    s.origin[theirs] = origin
    if s.face_down == 0:
        s.known[own] = EVERYONE
        s.known[theirs] = EVERYONE
    else:
        # The parties see both cards; what others knew moves with the card (rules 4.5).
        parties = 1 << seat | 1 << other
        mask = np.int64(s.known[own])
        s.known[own] = np.int64(s.known[theirs]) | parties
        s.known[theirs] = mask | parties
    s.swapped = own
    s.swapped_with = theirs
    if s.mode == INTERMEDIATE and s.turning != NEVER:
        s.turned[own] = 0  # UNC-6: the mark goes when the card leaves
        s.turned[theirs] = 0
        could = s.could[own]
        s.could[own] = s.could[theirs]
        s.could[theirs] = could
        decide(s, True)
    else:
        next_turn(s)


@rule
def decide(s: State, both: bool) -> None:
    """Cards that a swap brought home are turned, or their owners asked: the mover first (rules 4.6)."""
    if both and arrives(s, wide(s.swapped)):
        return
    if arrives(s, wide(s.swapped_with)):
        return
    next_turn(s)


@rule
def arrives(s: State, slot: int) -> bool:
    """Settle whether the card that came to a slot is turned; True if its owner has to be asked first."""
    home = slot % PLACES
    if s.card[slot] != home:
        s.could[slot] = np.int64(s.could[slot]) & ~(1 << home)
        return False
    s.could[slot] = 1 << home
    if s.turning == AUTO:
        s.turned[slot] = 1
        return False
    s.deciding = slot
    s.phase = TURNING
    s.acting = 1 << slot // PLACES
    return True


@rule
def next_turn(s: State) -> None:
    """The turn number goes up; the guard is looked at after the swap has been carried out."""
    s.phase = PLAYING
    s.deciding = -1
    s.turn += 1
    if s.turn >= TURN_CAP:
        finish(s, ABANDONED)
    else:
        # The one after whoever has just swapped; counted on, as a division would cost more than the rest of the turn.
        seat = int(np.int64(s.swapped)) // PLACES + 1
        s.acting = 1 << (seat if seat < np.int64(s.seats) else 0)


@rule
def finish(s: State, how: int) -> None:
    """The game is over: all hands are opened."""
    s.over = how
    s.phase = FINISHED
    s.deciding = -1
    s.acting = 0
    for slot in range(SLOTS):
        s.known[slot] = EVERYONE


# --- the goal and the score ------------------------------------------------------------------------------------------


@rule
def wins(s: State) -> bool:
    """Do all hands show one sequence (UNC-8: with the option also, four hands of one number each)?"""
    alike = True
    single = s.single_colour_wins == 1 and s.seats == NUMBERS
    for slot in range(PLACES * np.int64(s.seats)):
        if s.card[slot] != s.card[slot % PLACES]:
            alike = False
        if s.card[slot] != s.card[slot - slot % PLACES]:
            single = False
    return alike or single


@rule
def dealt_hands(s: State) -> NDArray[np.int64]:
    """The hands as they were dealt, as numbers 1..4, a row for each seat. All cards must be known."""
    hands = np.empty((np.int64(s.seats), PLACES), np.int64)
    for slot in range(PLACES * np.int64(s.seats)):
        at = np.int64(s.origin[slot])
        hands[at // PLACES, at % PLACES] = np.int64(s.card[slot]) + 1
    return hands


@rule
def par(s: State) -> int:
    """What the swaps made are compared with: T* (UNC-1), the least number of swaps out of turn, or nothing.

    Costs a search: ask only when a game is over.
    """
    if s.scoring == RAW_TURNS:
        return 0
    first = ANYONE if s.scoring == FREE_REGRET else int(np.int64(s.start))
    line = np.empty((MOST_TURNS, 4), np.int64)
    return fewest_line(dealt_hands(s), first, s.single_colour_wins == 1, line)


@rule
def returns(s: State, out: NDArray[np.float64]) -> None:
    """The same for all seats: a won game's score, negated; `LOST` for a lost or abandoned one; 0 before the end."""
    value = 0.0
    if s.over != RUNNING:
        value = float(par(s) - np.int64(s.turn)) if s.won == 1 else LOST
    for seat in range(np.int64(s.seats)):
        out[seat] = value


# --- what is seen, and the worlds that fit it ------------------------------------------------------------------------


@rule
def shown(s: State, slot: int, viewer: int) -> bool:
    """With tracking everything known; without it what the mode shows, and turned cards (rules 4.5)."""
    if s.tracking_off == 0 or s.phase == FINISHED or s.turned[slot] == 1:
        return True
    return bool((first_sight(wide(s.mode), slot // PLACES) >> np.int64(viewer)) & 1 == 1)


@rule
def forget(s: State) -> None:
    """Nothing is kept that only a good memory knows but cards in slots; what turning told is not on the table."""
    for slot in range(SLOTS):
        s.could[slot] = ANY_KIND


@rule
def conceal(s: State, viewer: int) -> None:
    """Note in the view what the last swap showed the viewer. The two cards still lie where it put them."""
    s.gave = 0
    s.took = 0
    if s.swapped >= 0 and witnessed(s, viewer):
        if knows(s, wide(s.swapped_with), viewer):
            s.gave = int(s.card[s.swapped_with] + 1)
        if knows(s, wide(s.swapped), viewer):
            s.took = int(s.card[s.swapped] + 1)


@rule
def witnessed(s: State, viewer: int) -> bool:
    """Did the viewer see the cards of the last swap as they were swapped?"""
    if s.face_down == 0 or s.tracking_off == 0 or s.mode != ADVANCED:
        return True
    return viewer == s.swapped // PLACES or viewer == s.swapped_with // PLACES


@rule
def pool(s: State, slot: int) -> int:
    """All cards are of one deck."""
    return 0


@rule
def pools(s: State, counts: NDArray[np.int32]) -> None:
    """One card of each number for every player."""
    for kind in range(KINDS):
        counts[0, kind] = s.seats


@rule
def settle(s: State, g: NDArray[np.uint32]) -> None:
    """A card that was turned, or could have been, is of its place's number, also for those who did not see it."""
    for slot in range(SLOTS):
        if not knows(s, slot, int(s.viewer)):
            for kind in range(KINDS):
                if s.could[slot] == 1 << kind:
                    s.card[slot] = kind


@rule
def fits(s: State, viewer: int) -> bool:
    """A card that came home would have been turned, or its owner asked: no card is what that rules out."""
    ruled_out = 0
    for slot in range(PLACES * np.int64(s.seats)):
        ruled_out += (np.int64(s.could[slot]) >> np.int64(s.card[slot])) & 1 == 0
    return ruled_out == 0
