"""Rules of Uncovered!, as compiled functions over `UncoveredPosition`.

A slot is a place of a hand: ``4 * seat + place``, with places counted from 0. The field `known` is the visibility
matrix V of the rules: which players know which card; it is public (rules 4.5). All rulings cited here (UNC-…) are in
``docs/rules/uncovered.md``.
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

#: Fewest players in advanced mode (UNC-9).
FEWEST_ADVANCED = 3
SLOTS = MOST_PLAYERS * PLACES
#: Value of `could` for a card that can be of any kind.
ANY_KIND = (1 << KINDS) - 1
#: Value of `swapped`, `swapped_with` and `deciding` for "no slot".
NOWHERE = -1

PAIRS = PLACES * PLACES


class Phase(IntEnum):
    """Phase of the game: a turn, an owner's decision about turning a card, or the end."""

    PLAYING = 0
    TURNING = 1
    FINISHED = 2


class Act(ActionKind):
    """Kinds of actions. A swap's number is 16 × other seat + 4 × own place + the other seat's place."""

    SWAP = 0
    """Plus 16 × other seat + 4 × own place + the other seat's place, places from 0: swap these two cards."""
    UNCOVER = MOST_PLAYERS * PAIRS
    """Uncover all hands, which wins or loses the game for all players."""
    TURN = UNCOVER + 1
    """Turn the card that a swap brought home, so that it faces its owner."""
    LEAVE = TURN + 1
    """Do not turn the card that a swap brought home."""


CHOICES: ParametersByKind = {
    Act.SWAP: (
        ActionParameter("other", range(MOST_PLAYERS), Seat()),
        ActionParameter("own place", range(PLACES)),
        ActionParameter("their place", range(PLACES)),
    )
}
ACTIONS = Act.LEAVE + 1

#: Most swaps in a game, against endless play (rules 4.8).
TURN_CAP = 200
#: Return of a lost or abandoned game: lower than that of any won game, because `TURN_CAP` limits the score.
LOST = -200.0


class UncoveredPosition(Position):
    """State or view of a game of Uncovered!. Slots: four places for each of six hands."""

    opt: UncoveredOptions
    phase: Annotated[I1, OneOf(len(Phase))]
    """`Phase` of the game."""
    start: Annotated[I1, Seat()]
    """Seat that has turn 0."""
    turn: Annotated[I2, Number(0, TURN_CAP)]
    """Turn number t: the number of swaps made so far."""
    won: Annotated[I1, OneOf(2)]
    """1 if the players have won, else 0."""
    swapped: Annotated[I1, SlotNumber()]
    """Slot of the mover's place in the last swap; `NOWHERE` before the first swap."""
    swapped_with: Annotated[I1, SlotNumber()]
    """Slot of the other place in the last swap; `NOWHERE` before the first swap."""
    deciding: Annotated[I1, SlotNumber()]
    """In `Phase.TURNING`: slot of the card that its owner may turn; otherwise `NOWHERE`."""
    gave: Annotated[I1, Number(0, NUMBERS)]
    """In views only: number that the mover of the last swap gave away; 0 if the viewer was not shown it."""
    took: Annotated[I1, Number(0, NUMBERS)]
    """In views only: number that the mover of the last swap received; 0 if the viewer was not shown it."""
    turned: Annotated[Ints, "i1", (SLOTS,), BySlot(OneOf(2))]
    """1 for each slot whose card was turned to face its owner (intermediate mode), else 0."""
    origin: Annotated[Ints, "i1", (SLOTS,), BySlot(SlotNumber())]
    """For each slot, the slot to which its card was dealt. It is public, because all players see which places are
    swapped; with it the deal can be restored."""
    could: Annotated[Ints, "i1", (SLOTS,), BySlot(Bits(KINDS))]
    """For each slot, a bit mask of the kinds that its card can be, as all players can infer from turned and unturned
    cards."""
    card: Annotated[Ints, "i1", (SLOTS,), BySlot(Card(KINDS), SlotGroup("hand", 0, PLACES, by_seat=PLACES))]
    known: Annotated[Ints, "i2", (SLOTS,), BySlot(SeatMask())]


def check(seats: int, options: UncoveredOptions) -> None:
    """Raise `OptionError` if a match with these options cannot be set up (UNC-9, UNC-14)."""
    if options.mode == Mode.ADVANCED and seats < FEWEST_ADVANCED:
        wrong = _("mode = advanced needs three players or more: two can play beginner or intermediate")
        raise OptionError(wrong, "mode")
    seat = options.named_seat
    if options.start == Start.NAMED and seat >= seats:
        wrong = N_("start: there is no seat {seat} at a table of {seats}; seats go from 0 to {last}")
        raise OptionError(_(wrong, seat=seat, seats=seats, last=seats - 1), "start")


# --- dealing ---------------------------------------------------------------------------------------------------------


@rule
def deal(s: UncoveredPosition, deck: NDArray[np.int64], first: int) -> None:
    """Shuffle and deal four cards to each seat. `first` is the seat that has turn 0, or -1 for a random one (UNC-14).

    `deck` may hold the kinds of the first cards.
    """
    n = s.seats * PLACES
    for slot in range(SLOTS):
        s.card[slot] = slot % KINDS if slot < n else EMPTY
        s.known[slot] = initial_viewers_mask(s.opt.mode, slot // PLACES) if slot < n else EVERYONE
        s.origin[slot] = slot
        s.could[slot] = ANY_KIND
    g = generator(s.key, s.stream)
    s.stream += 1
    shuffle(g, s.card, stack_deck(s.card, n, deck), n, n)
    # Drawn after the cards, so that the choice of the starting seat never changes the deal.
    if s.opt.start == Start.NAMED:
        s.start = s.opt.named_seat
    else:
        s.start = first if first >= 0 else below(g, s.seats)
    s.phase = Phase.PLAYING
    s.swapped = s.swapped_with = s.deciding = NOWHERE
    set_only_acting(s, s.start)


@rule
def initial_viewers_mask(mode: int, owner: int) -> int:
    """Return the bit mask of the viewers who see a hand as it is dealt (rules 4.3)."""
    if mode == Mode.BEGINNER:
        return EVERYONE
    if mode == Mode.INTERMEDIATE:
        return EVERYONE & ~(1 << SPECTATOR | 1 << owner)
    return 1 << owner


# --- actions ----------------------------------------------------------------------------------------------------------


@rule
def swap_action(place: int, other: int, theirs: int) -> int:
    """Return the action that swaps the mover's place with a place of another seat; places are counted from 0."""
    return PAIRS * other + PLACES * place + theirs


@rule
def swap_parts(action: int) -> tuple[int, int, int]:
    """Return the parts of a swap action: the mover's place, the other seat, and its place, all counted from 0.

    >>> swap_parts(swap_action(3, 1, 2))
    (3, 1, 2)
    """
    return action // PLACES % PLACES, action // PAIRS, action % PLACES


@rule
def swap_slots(seat: int, action: int) -> tuple[int, int]:
    """Return the slots of the mover's place and of the other place in a swap by `seat`."""
    place, other, theirs = swap_parts(action)
    return PLACES * seat + place, PLACES * other + theirs


@rule
def legal(s: UncoveredPosition, seat: int, out: NDArray[np.int32]) -> int:
    """Write the legal actions of a seat to `out` in ascending order; return their count. There is no pass (UNC-3)."""
    if not s.acting >> seat & 1:  # not `includes`: random play takes a tenth longer with it
        return 0
    if s.phase == Phase.TURNING:
        out[0] = Act.TURN
        out[1] = Act.LEAVE
        return 2
    # Any own place with any place of another hand, equal cards included (UNC-4). Numbers of the own seat are skipped.
    n = PAIRS * (s.seats - 1)
    for i in range(n):
        out[i] = i if i < PAIRS * seat else i + PAIRS
    out[n] = Act.UNCOVER
    return n + 1


# --- playing ---------------------------------------------------------------------------------------------------------


@rule
def apply(s: UncoveredPosition, seat: int, action: int) -> None:
    """Play a legal action of a seat."""
    if action < Act.UNCOVER:
        own, theirs = swap_slots(seat, action)
        swap(s, own, theirs)
    elif action == Act.UNCOVER:
        s.won = wins(s)
        finish(s, DECIDED)
    else:
        # UNC-6: the owner decides only once, so a card that is not turned now cannot be turned later.
        s.turned[s.deciding] = action == Act.TURN
        if s.deciding == s.swapped_with or not turn_or_ask_owner(s, s.swapped_with):
            next_turn(s)


@rule
def swap(s: UncoveredPosition, own: int, theirs: int) -> None:
    """Swap the cards of two slots; then cards that came home may be turned, the mover's first (rules 4.6)."""
    s.card[own], s.card[theirs] = s.card[theirs], s.card[own]
    s.origin[own], s.origin[theirs] = s.origin[theirs], s.origin[own]
    update_known_after_swap(s, own, theirs)
    s.swapped = own
    s.swapped_with = theirs
    # UNC-6: with `off`, and in the other modes, no card is ever turned, so the turn ends here.
    if s.opt.mode == Mode.INTERMEDIATE and s.opt.turning != Turning.OFF:
        s.turned[own] = s.turned[theirs] = 0  # a card that leaves its place is no longer turned
        s.could[own], s.could[theirs] = s.could[theirs], s.could[own]
        if turn_or_ask_owner(s, own) or turn_or_ask_owner(s, theirs):
            return
    next_turn(s)


@rule
def update_known_after_swap(s: UncoveredPosition, own: int, theirs: int) -> None:
    """Update which viewers know the two cards of a swap (UNC-5)."""
    if s.opt.swap_visibility == SwapVisibility.FACE_UP:
        s.known[own] = EVERYONE
        s.known[theirs] = EVERYONE
    else:
        # The two players see both cards; what other viewers knew about a card moves with it (rules 4.5).
        parties = 1 << own // PLACES | 1 << theirs // PLACES
        s.known[own], s.known[theirs] = s.known[theirs] | parties, s.known[own] | parties


@rule
def turn_or_ask_owner(s: UncoveredPosition, slot: int) -> bool:
    """Handle the card that a swap brought to a slot: turn it if it is home, or ask its owner.

    Return whether the owner must decide first (with ``turning=choice``). Also update `could`, because the result tells
    all players whether the card is home.
    """
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
    """Start the next turn, or abandon the game if the turn number has reached `TURN_CAP`."""
    s.phase = Phase.PLAYING
    s.deciding = NOWHERE
    s.turn += 1
    if s.turn >= TURN_CAP:
        finish(s, ABANDONED)
    else:
        set_only_acting(s, next_seat(s, s.swapped // PLACES))


@rule
def finish(s: UncoveredPosition, how: int) -> None:
    """End the game with the result `how` (`DECIDED` or `ABANDONED`) and show all hands to all viewers."""
    s.over = how
    s.phase = Phase.FINISHED
    s.deciding = NOWHERE
    s.acting = 0
    s.known[:] = EVERYONE


# --- the goal and the score ------------------------------------------------------------------------------------------


@rule
def wins(s: UncoveredPosition) -> bool:
    """Return whether all hands show the same sequence.

    With the option of UNC-8, four hands of one number each win too.
    """
    alike, single = True, single_colour_wins(s)
    for slot in range(PLACES * s.seats):
        place = slot % PLACES
        alike &= s.card[slot] == s.card[place]
        single &= s.card[slot] == s.card[slot - place]
    return alike or single


@rule
def single_colour_wins(s: UncoveredPosition) -> bool:
    """Return whether four hands of one number each win this game; it needs the option and four players (UNC-8)."""
    return s.opt.single_colour_win == SingleColourWin.YES and s.seats == NUMBERS


@rule
def dealt_hands(s: UncoveredPosition) -> NDArray[np.int64]:
    """Return the dealt hands as an array ``[seat, place]`` of numbers 1 to 4; all cards must be known."""
    hands = np.empty((s.seats, PLACES), np.int64)
    for slot in range(PLACES * s.seats):
        origin = s.origin[slot]
        hands[origin // PLACES, origin % PLACES] = s.card[slot] + LOWEST
    return hands


@rule
def reference_swaps(s: UncoveredPosition) -> int:
    """Return the number of swaps with which the swaps made are compared for the score (UNC-1).

    It is T*, the fewest swaps without turn order, or 0, by option. It needs a search, so call it only when a game is
    over.
    """
    if s.opt.score == Score.RAW_TURNS:
        return 0
    first = ANYONE if s.opt.score == Score.FREE_REGRET else s.start
    return fewest_turns(dealt_hands(s), first, single_colour_wins(s))


@rule
def returns(s: UncoveredPosition, out: NDArray[np.float64]) -> None:
    """Write the final score of every seat to `out`, the same for all.

    It is the negated score of a won game, `LOST` for a lost or abandoned one, and 0 before the end.
    """
    value = 0.0
    if s.over != RUNNING:
        value = reference_swaps(s) - s.turn if s.won == 1 else LOST
    for seat in range(s.seats):
        out[seat] = value


# --- views and redeals ------------------------------------------------------------------------------------------------


@rule
def shown(s: UncoveredPosition, slot: int, viewer: int) -> bool:
    """Return whether the viewer may look at a card that they know.

    With tracking, all such cards are shown; without it, those that the mode shows at the deal, and turned cards (rules
    4.5).
    """
    if s.opt.tracking == Tracking.ON or s.phase == Phase.FINISHED or s.turned[slot] == 1:
        return True
    return initial_viewers_mask(s.opt.mode, slot // PLACES) >> viewer & 1 == 1


@rule
def mask_recalled(s: UncoveredPosition) -> None:
    """Reset `could`, which players infer from earlier turns and which is not visible on the table."""
    s.could[:] = ANY_KIND


@rule
def mask_secrets(s: UncoveredPosition, viewer: int) -> None:
    """Write into a view the two numbers that the last swap showed its viewer: `gave` and `took`.

    Both cards are still in the slots to which the swap moved them.
    """
    s.gave = s.took = 0
    if s.swapped != NOWHERE and has_witnessed_swap(s, viewer):
        if knows(s, s.swapped_with, viewer):
            s.gave = s.card[s.swapped_with] + LOWEST
        if knows(s, s.swapped, viewer):
            s.took = s.card[s.swapped] + LOWEST


@rule
def has_witnessed_swap(s: UncoveredPosition, viewer: int) -> bool:
    """Return whether the viewer could see the two cards of the last swap during the swap."""
    if s.opt.swap_visibility == SwapVisibility.FACE_UP or s.opt.tracking == Tracking.ON or s.opt.mode != Mode.ADVANCED:
        return True
    return viewer in (s.swapped // PLACES, s.swapped_with // PLACES)


@rule
def pools(s: UncoveredPosition, counts: NDArray[np.int32]) -> None:
    """Write the count of each kind in the pool of hidden cards: one card per player."""
    for kind in range(KINDS):
        counts[0, kind] = s.seats


@rule
def place_known(s: UncoveredPosition, g: NDArray[np.uint32]) -> None:
    """Before a redeal, fill in the hidden cards whose kind all players can infer: `could` leaves only one kind."""
    for slot in range(SLOTS):
        if not knows(s, slot, s.viewer):
            for kind in range(KINDS):
                if s.could[slot] == 1 << kind:
                    s.card[slot] = kind


@rule
def is_consistent(s: UncoveredPosition, viewer: int) -> bool:
    """Return whether a filled-in world agrees with `could`, that is with which cards were and were not turned."""
    # All slots are counted, because leaving the loop early would be slower (the processor cannot predict it).
    ruled_out = 0
    for slot in range(PLACES * s.seats):
        ruled_out += 1 - (s.could[slot] >> s.card[slot] & 1)
    return ruled_out == 0


def may_disclose_turning(before: View | None, after: View) -> bool:
    """Return whether a step may show a spectator of a face-down swap that a card came home.

    `before` is None at the deal.
    """
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
