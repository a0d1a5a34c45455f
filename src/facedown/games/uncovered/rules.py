"""The rules of Uncovered!, compiled. Every ruling cited here (UNC-…) is in ``docs/rules/uncovered.md``.

A slot is a place of a hand: ``4 * seat + place``, places counted from 0. `known` is the game's own visibility
matrix V: who knows which place is public (rules 4.5).
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from facedown.core.actions import ActionKind, ActionParameter, ParametersByKind
from facedown.core.bit_masks import next_seat, set_only_acting
from facedown.core.disclosures import Disclosure
from facedown.core.field_types import Bits, BySlot, Card, Number, OneOf, Seat, SeatMask, SlotGroup, SlotNumber
from facedown.core.hidden_cards import knows
from facedown.core.options import OptionError
from facedown.core.random_numbers import below, generator, shuffle, stack_deck
from facedown.core.rule import rule
from facedown.core.ruleset import RuleSet
from facedown.core.state import (
    ABANDONED,
    DECIDED,
    EMPTY,
    EVERYONE,
    I1,
    I2,
    RUNNING,
    SPECTATOR,
    Ints,
    Position,
    View,
    record,
)
from facedown.games.uncovered.i18n import N_, _
from facedown.games.uncovered.info import (
    KINDS,
    LOWEST,
    MOST_PLAYERS,
    NUMBERS,
    PLACES,
    Mode,
    Score,
    SingleColourWin,
    Start,
    SwapVisibility,
    Tracking,
    Turning,
    UncoveredOptions,
)
from facedown.games.uncovered.optimal_turns import ANYONE, fewest_turns

#: Advanced needs so many players (UNC-9).
FEWEST_ADVANCED = 3
SLOTS = MOST_PLAYERS * PLACES
#: In `could`: nothing is ruled out.
ANY_KIND = (1 << KINDS) - 1
#: In `swapped`, `swapped_with` and `deciding`: no slot.
NOWHERE = -1

PAIRS = PLACES * PLACES


class Phase(IntEnum):
    """What is decided: a turn, or whether a card is turned."""

    PLAYING = 0
    TURNING = 1
    FINISHED = 2


class Act(ActionKind):
    """The kinds of actions; a swap adds 16 × the other seat + 4 × own place + their place."""

    SWAP = 0
    """Plus 16 × the other seat + 4 × own place + their place, places from 0: swap these two cards."""
    UNCOVER = MOST_PLAYERS * PAIRS
    """Uncover all hands: all win, or lose."""
    TURN = UNCOVER + 1
    """Turn the card that came to face its owner."""
    LEAVE = TURN + 1
    """Leave it as it is."""


CHOICES: ParametersByKind = {
    Act.SWAP: (
        ActionParameter("other", range(MOST_PLAYERS), Seat()),
        ActionParameter("own place", range(PLACES)),
        ActionParameter("their place", range(PLACES)),
    )
}
ACTIONS = Act.LEAVE + 1

#: The guard against endless play (rules 4.8): so many swaps.
TURN_CAP = 200
#: What a lost or abandoned game returns: below any won game, whose score stays under the guard.
LOST = -200.0


class UncoveredPosition(Position):
    """A game of Uncovered!. Slots: four places for each of six hands."""

    opt: UncoveredOptions
    phase: Annotated[I1, OneOf(len(Phase))]
    """Which `Phase` the game is at."""
    start: Annotated[I1, Seat()]
    """The seat that has turn 0."""
    turn: Annotated[I2, Number(0, TURN_CAP)]
    """The turn number t: how many swaps were made."""
    won: Annotated[I1, OneOf(2)]
    """1 when all have won."""
    swapped: Annotated[I1, SlotNumber()]
    """The slot of the last swap's mover, `NOWHERE` before the first swap."""
    swapped_with: Annotated[I1, SlotNumber()]
    """The slot of the other card of the last swap, `NOWHERE` before the first swap."""
    deciding: Annotated[I1, SlotNumber()]
    """In `Phase.TURNING`: the slot of the card that its owner may turn, else `NOWHERE`."""
    gave: Annotated[I1, Number(0, NUMBERS)]
    """Views only: the number that the mover of the last swap gave away, 0 if the viewer was not shown it."""
    took: Annotated[I1, Number(0, NUMBERS)]
    """Views only: the number that the mover took."""
    turned: Annotated[Ints, "i1", (SLOTS,), BySlot(OneOf(2))]
    """1 where a card was turned to face its owner (intermediate)."""
    origin: Annotated[Ints, "i1", (SLOTS,), BySlot(SlotNumber())]
    """The slot where the card that lies here was dealt: public, as all saw the swaps. So the deal is never lost."""
    could: Annotated[Ints, "i1", (SLOTS,), BySlot(Bits(KINDS))]
    """A bit for each kind that the card here can be, by what turning or not turning it told everybody."""
    card: Annotated[Ints, "i1", (SLOTS,), BySlot(Card(KINDS), SlotGroup("hand", 0, PLACES, by_seat=PLACES))]
    known: Annotated[Ints, "i2", (SLOTS,), BySlot(SeatMask())]


def check(seats: int, options: UncoveredOptions) -> None:
    """Raise `OptionError` if a match cannot be set up like this (UNC-9, UNC-14)."""
    if options.mode == Mode.ADVANCED and seats < FEWEST_ADVANCED:
        wrong = _("mode = advanced needs three players or more: two can play beginner or intermediate")
        raise OptionError(wrong, "mode")
    seat = options.named_seat
    if options.start == Start.NAMED and seat >= seats:
        wrong = N_("start: there is no seat {seat} at a table of {seats}, they are 0 to {last}")
        raise OptionError(_(wrong, seat=seat, seats=seats, last=seats - 1), "start")


# --- dealing ---------------------------------------------------------------------------------------------------------


@rule
def deal(s: UncoveredPosition, deck: NDArray[np.int64], first: int) -> None:
    """Shuffle and deal four cards to each; `first` has turn 0, or -1 for chance (UNC-14)."""
    n = s.seats * PLACES
    for slot in range(SLOTS):
        s.card[slot] = slot % KINDS if slot < n else EMPTY
        s.known[slot] = initial_viewers_mask(s.opt.mode, slot // PLACES) if slot < n else EVERYONE
        s.origin[slot] = slot
        s.could[slot] = ANY_KIND
    g = generator(s.key, s.stream)
    s.stream += 1
    shuffle(g, s.card, stack_deck(s.card, n, deck), n, n)
    # Drawn after the cards, so that who starts never changes the deal.
    if s.opt.start == Start.NAMED:
        s.start = s.opt.named_seat
    else:
        s.start = first if first >= 0 else below(g, s.seats)
    s.phase = Phase.PLAYING
    s.swapped = s.swapped_with = s.deciding = NOWHERE
    set_only_acting(s, s.start)


@rule
def initial_viewers_mask(mode: int, owner: int) -> int:
    """Who sees a hand as it is dealt (rules 4.3), as a mask."""
    if mode == Mode.BEGINNER:
        return EVERYONE
    if mode == Mode.INTERMEDIATE:
        return EVERYONE & ~(1 << SPECTATOR | 1 << owner)
    return 1 << owner


# --- actions ---------------------------------------------------------------------------------------------------------


@rule
def swap_action(place: int, other: int, theirs: int) -> int:
    """The swap of the mover's place with a place of another seat, places counted from 0."""
    return PAIRS * other + PLACES * place + theirs


@rule
def swap_parts(action: int) -> tuple[int, int, int]:
    """Of a swap: the mover's place, the other seat and its place, all counted from 0.

    >>> swap_parts(swap_action(3, 1, 2))
    (3, 1, 2)
    """
    return action // PLACES % PLACES, action // PAIRS, action % PLACES


@rule
def swap_slots(seat: int, action: int) -> tuple[int, int]:
    """Of a swap that a seat makes: the slots of its own place and of the other one."""
    place, other, theirs = swap_parts(action)
    return PLACES * seat + place, PLACES * other + theirs


@rule
def legal(s: UncoveredPosition, seat: int, out: NDArray[np.int32]) -> int:
    """Write the legal actions of a seat, ascending; return how many there are. There is no pass (UNC-3)."""
    if not s.acting >> seat & 1:  # written out: random play takes a tenth longer with `includes`
        return 0
    if s.phase == Phase.TURNING:
        out[0] = Act.TURN
        out[1] = Act.LEAVE
        return 2
    # Every place with every place of every other hand, equal cards too (UNC-4); those of the own hand are left out.
    n = PAIRS * (s.seats - 1)
    for i in range(n):
        out[i] = i if i < PAIRS * seat else i + PAIRS
    out[n] = Act.UNCOVER
    return n + 1


# --- playing ---------------------------------------------------------------------------------------------------------


@rule
def apply(s: UncoveredPosition, seat: int, action: int) -> None:
    """Play a legal action."""
    if action < Act.UNCOVER:
        own, theirs = swap_slots(seat, action)
        swap(s, own, theirs)
    elif action == Act.UNCOVER:
        s.won = wins(s)
        finish(s, DECIDED)
    else:
        # UNC-6: nobody is asked again, so a card left unturned cannot be turned later.
        s.turned[s.deciding] = action == Act.TURN
        if s.deciding == s.swapped_with or not turn_or_ask_owner(s, s.swapped_with):
            next_turn(s)


@rule
def swap(s: UncoveredPosition, own: int, theirs: int) -> None:
    """The cards of two slots change places; those that come home may be turned, the mover's first (rules 4.6)."""
    s.card[own], s.card[theirs] = s.card[theirs], s.card[own]
    s.origin[own], s.origin[theirs] = s.origin[theirs], s.origin[own]
    update_known_after_swap(s, own, theirs)
    s.swapped = own
    s.swapped_with = theirs
    # UNC-6: with `off`, and in the other modes, a swap is all: no mark is ever set and nobody has a `TURN` or `LEAVE`.
    if s.opt.mode == Mode.INTERMEDIATE and s.opt.turning != Turning.OFF:
        s.turned[own] = s.turned[theirs] = 0  # the mark goes when the card leaves
        s.could[own], s.could[theirs] = s.could[theirs], s.could[own]
        if turn_or_ask_owner(s, own) or turn_or_ask_owner(s, theirs):
            return
    next_turn(s)


@rule
def update_known_after_swap(s: UncoveredPosition, own: int, theirs: int) -> None:
    """Who knows the two cards of a swap from now on (UNC-5)."""
    if s.opt.swap_visibility == SwapVisibility.FACE_UP:
        s.known[own] = EVERYONE
        s.known[theirs] = EVERYONE
    else:
        # The parties see both cards; what others knew moves with the card (rules 4.5).
        parties = 1 << own // PLACES | 1 << theirs // PLACES
        s.known[own], s.known[theirs] = s.known[theirs] | parties, s.known[own] | parties


@rule
def turn_or_ask_owner(s: UncoveredPosition, slot: int) -> bool:
    """Must the owner of the card that came to a slot decide first? If not, it is turned now if it came home."""
    home = slot % PLACES
    if s.card[slot] != home:
        s.could[slot] &= ~(1 << home)
        return False
    s.could[slot] = 1 << home
    if s.opt.turning == Turning.AUTO:
        s.turned[slot] = 1
        return False
    s.deciding = slot
    s.phase = Phase.TURNING
    set_only_acting(s, slot // PLACES)
    return True


@rule
def next_turn(s: UncoveredPosition) -> None:
    """The turn number goes up; the guard is looked at after the swap has been carried out."""
    s.phase = Phase.PLAYING
    s.deciding = NOWHERE
    s.turn += 1
    if s.turn >= TURN_CAP:
        finish(s, ABANDONED)
    else:
        set_only_acting(s, next_seat(s, s.swapped // PLACES))


@rule
def finish(s: UncoveredPosition, how: int) -> None:
    """The game is over: all hands are opened."""
    s.over = how
    s.phase = Phase.FINISHED
    s.deciding = NOWHERE
    s.acting = 0
    s.known[:] = EVERYONE


# --- the goal and the score ------------------------------------------------------------------------------------------


@rule
def wins(s: UncoveredPosition) -> bool:
    """Do all hands show one sequence (UNC-8: with the option also, four hands of one number each)?"""
    alike, single = True, single_colour_wins(s)
    for slot in range(PLACES * s.seats):
        place = slot % PLACES
        alike &= s.card[slot] == s.card[place]
        single &= s.card[slot] == s.card[slot - place]
    return alike or single


@rule
def single_colour_wins(s: UncoveredPosition) -> bool:
    """Do hands of one number each win here? Only with four players there can be such hands (UNC-8)."""
    return s.opt.single_colour_win == SingleColourWin.YES and s.seats == NUMBERS


@rule
def dealt_hands(s: UncoveredPosition) -> NDArray[np.int64]:
    """The hands as they were dealt, as numbers 1..4, a row for each seat. All cards must be known."""
    hands = np.empty((s.seats, PLACES), np.int64)
    for slot in range(PLACES * s.seats):
        origin = s.origin[slot]
        hands[origin // PLACES, origin % PLACES] = s.card[slot] + LOWEST
    return hands


@rule
def reference_swaps(s: UncoveredPosition) -> int:
    """What the swaps made are compared with: T* (UNC-1), the least number of swaps out of turn, or nothing.

    Costs a search: ask only when a game is over.
    """
    if s.opt.score == Score.RAW_TURNS:
        return 0
    first = ANYONE if s.opt.score == Score.FREE_REGRET else s.start
    return fewest_turns(dealt_hands(s), first, single_colour_wins(s))


@rule
def returns(s: UncoveredPosition, out: NDArray[np.float64]) -> None:
    """The same for all seats: a won game's score, negated; `LOST` for a lost or abandoned one; 0 before the end."""
    value = 0.0
    if s.over != RUNNING:
        value = reference_swaps(s) - s.turn if s.won == 1 else LOST
    for seat in range(s.seats):
        out[seat] = value


# --- what is seen, and the worlds that fit it ------------------------------------------------------------------------


@rule
def shown(s: UncoveredPosition, slot: int, viewer: int) -> bool:
    """With tracking everything known; without it what the mode shows, and turned cards (rules 4.5)."""
    if s.opt.tracking == Tracking.ON or s.phase == Phase.FINISHED or s.turned[slot] == 1:
        return True
    return initial_viewers_mask(s.opt.mode, slot // PLACES) >> viewer & 1 == 1


@rule
def mask_recalled(s: UncoveredPosition) -> None:
    """Nothing is kept that only a good memory knows but cards in slots; what turning told is not on the table."""
    s.could[:] = ANY_KIND


@rule
def mask_secrets(s: UncoveredPosition, viewer: int) -> None:
    """Note in the view what the last swap showed the viewer. The two cards still lie where it put them."""
    s.gave = s.took = 0
    if s.swapped != NOWHERE and has_witnessed_swap(s, viewer):
        if knows(s, s.swapped_with, viewer):
            s.gave = s.card[s.swapped_with] + LOWEST
        if knows(s, s.swapped, viewer):
            s.took = s.card[s.swapped] + LOWEST


@rule
def has_witnessed_swap(s: UncoveredPosition, viewer: int) -> bool:
    """Did the viewer see the cards of the last swap as they were swapped?"""
    if s.opt.swap_visibility == SwapVisibility.FACE_UP or s.opt.tracking == Tracking.ON or s.opt.mode != Mode.ADVANCED:
        return True
    return viewer in (s.swapped // PLACES, s.swapped_with // PLACES)


@rule
def pools(s: UncoveredPosition, counts: NDArray[np.int32]) -> None:
    """One card of each number for every player."""
    for kind in range(KINDS):
        counts[0, kind] = s.seats


@rule
def place_known(s: UncoveredPosition, g: NDArray[np.uint32]) -> None:
    """A card that was turned, or could have been, is of its place's number, also for those who did not see it."""
    for slot in range(SLOTS):
        if not knows(s, slot, s.viewer):
            for kind in range(KINDS):
                if s.could[slot] == 1 << kind:
                    s.card[slot] = kind


@rule
def is_consistent(s: UncoveredPosition, viewer: int) -> bool:
    """A card that came home would have been turned, or its owner asked: no card is what that rules out."""
    # All are counted: a way out of the loop would be hard to predict.
    ruled_out = 0
    for slot in range(PLACES * s.seats):
        ruled_out += 1 - (s.could[slot] >> s.card[slot] & 1)
    return ruled_out == 0


def may_disclose_turning(before: View | None, after: View) -> bool:
    """Can a step have shown a spectator of a face-down swap that a card came home?"""
    s = record(after, UncoveredPosition)
    return (
        before is not None
        and s.viewer == SPECTATOR
        and s.opt.mode == Mode.INTERMEDIATE
        and s.opt.swap_visibility == SwapVisibility.FACE_DOWN
        and s.opt.turning != Turning.OFF
    )


RULES = RuleSet(
    record=UncoveredPosition,
    actions=ACTIONS,
    kinds=KINDS,
    deck=lambda seats, options: [seats] * KINDS,
    check=check,
    deal=deal,
    legal=legal,
    apply=apply,
    returns=returns,
    shown=shown,
    mask_secrets=mask_secrets,
    mask_recalled=mask_recalled,
    pools=pools,
    place_known=place_known,
    is_consistent=is_consistent,
    turns=lambda s: s.turn,
    action_kinds=Act,
    choices=CHOICES,
    loss_return=LOST,
    disclosures=(
        Disclosure(
            ("turned", "could", "phase", "acting", "deciding", "turn"),
            "UNC-6: a card that a swap brought home is turned or its owner asked, also before those who did not see it",
            may_disclose_turning,
        ),
    ),
)
