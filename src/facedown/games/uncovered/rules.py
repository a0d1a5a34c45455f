"""Rules of Uncovered!, as compiled functions over `UncoveredPosition`.

A slot is a place of a hand. Its number is ``4 * seat + place``, with places counted from 0. The field `known` is the
visibility matrix V of the rules: which players know which card. It is public (rules 4.5). The rulings cited here
(UNC-…) are in ``docs/rules/uncovered.md``.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from facedown.core.actions import ActionKind, ActionParameter, ParametersByKind
from facedown.core.bit_masks import next_seat, set_only_acting
from facedown.core.disclosures import Disclosure
from facedown.core.field_meanings import Bits, BySlot, Card, Number, OneOf, Seat, SeatMask, SlotGroup, SlotNumber
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
#: Value of `could` for a card that may have any number.
ANY_KIND = (1 << KINDS) - 1
#: Value of `swapped`, `swapped_with` and `deciding` if there is no such slot.
NOWHERE = -1

PAIRS = PLACES * PLACES


class Phase(IntEnum):
    """Phase of the game: a turn, the decision of an owner whether to turn a card, or the end."""

    PLAYING = 0
    TURNING = 1
    FINISHED = 2


class Act(ActionKind):
    """Kinds of actions. The number of a swap is 16 × other seat + 4 × own place + place of the other seat."""

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

#: Largest number of swaps in a game. It stops an endless game (rules 4.8).
TURN_CAP = 200
#: Final score of a lost or abandoned game. It is lower than that of any won game, whose score is limited by `TURN_CAP`.
LOST = -200.0


class UncoveredPosition(Position):
    """State of a game of Uncovered! with all cards, or view of it with the cards that one viewer knows.

    Slots: four places for each of six hands.
    """

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
    """For each slot, a bit mask of the kinds that its card can be. All players can infer this from which cards were
    turned when a swap brought them to a place, and which were not."""
    card: Annotated[Ints, "i1", (SLOTS,), BySlot(Card(KINDS), SlotGroup("hand", 0, PLACES, by_seat=PLACES))]
    known: Annotated[Ints, "i2", (SLOTS,), BySlot(SeatMask())]


def check(seats: int, options: UncoveredOptions) -> None:
    """Raise `OptionError` if a match with these options is not possible.

    Advanced mode needs three players (UNC-9). A named start player must be a seat (UNC-14).
    """
    if options.mode == Mode.ADVANCED and seats < FEWEST_ADVANCED:
        wrong = _("mode = advanced needs three players or more: two can play beginner or intermediate")
        raise OptionError(wrong, "mode")
    seat = options.named_seat
    if options.start == Start.NAMED and seat >= seats:
        wrong = N_("start: there is no seat {seat} at a table of {seats}; seats are numbered from 0 to {last}")
        raise OptionError(_(wrong, seat=seat, seats=seats, last=seats - 1), "start")


# --- dealing ---------------------------------------------------------------------------------------------------------


@rule
def deal(s: UncoveredPosition, deck: NDArray[np.int64], first: int) -> None:
    """Shuffle the cards and deal four to each seat.

    `deck` may list the kinds (indices of numbers) of the first cards; the others are random. `first` is the seat that
    has turn 0, or -1 for a random one (UNC-14).
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
    # The start player is drawn after the cards, so that this choice never changes the deal.
    if s.opt.start == Start.NAMED:
        s.start = s.opt.named_seat
    else:
        s.start = first if first >= 0 else below(g, s.seats)
    s.phase = Phase.PLAYING
    s.swapped = s.swapped_with = s.deciding = NOWHERE
    set_only_acting(s, s.start)


@rule
def initial_viewers_mask(mode: int, owner: int) -> int:
    """Return the viewers who see the hand of the seat `owner` as it is dealt, as a bit mask (rules 4.3)."""
    if mode == Mode.BEGINNER:
        return EVERYONE
    if mode == Mode.INTERMEDIATE:
        return EVERYONE & ~(1 << SPECTATOR | 1 << owner)
    return 1 << owner


# --- actions ----------------------------------------------------------------------------------------------------------


@rule
def swap_action(place: int, other: int, theirs: int) -> int:
    """Return the action that swaps a card of the mover with a card of another seat.

    `place` is the mover's place, `other` the other seat and `theirs` its place, all counted from 0.
    """
    return PAIRS * other + PLACES * place + theirs


@rule
def swap_parts(action: int) -> tuple[int, int, int]:
    """Return what a swap action names: the mover's place, the other seat, and its place, all counted from 0.

    >>> swap_parts(swap_action(3, 1, 2))
    (3, 1, 2)
    """
    return action // PLACES % PLACES, action // PAIRS, action % PLACES


@rule
def swap_slots(seat: int, action: int) -> tuple[int, int]:
    """Return the two slots of a swap by `seat`: that of the mover's place and that of the other seat's place."""
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
    # Any card of the own hand may be swapped with any card of another hand, also with an equal one (UNC-4). The action
    # numbers for swaps with the own seat are skipped.
    n = PAIRS * (s.seats - 1)
    for i in range(n):
        out[i] = i if i < PAIRS * seat else i + PAIRS
    out[n] = Act.UNCOVER
    return n + 1


# --- playing ---------------------------------------------------------------------------------------------------------


@rule
def apply(s: UncoveredPosition, seat: int, action: int) -> None:
    """Apply a legal action of a seat to the position."""
    if action < Act.UNCOVER:
        own, theirs = swap_slots(seat, action)
        swap(s, own, theirs)
    elif action == Act.UNCOVER:
        s.won = wins(s)
        finish(s, DECIDED)
    else:
        # UNC-6: the owner decides only once. A card that is not turned now cannot be turned in a later turn.
        s.turned[s.deciding] = action == Act.TURN
        if s.deciding == s.swapped_with or not turn_or_ask_owner(s, s.swapped_with):
            next_turn(s)


@rule
def swap(s: UncoveredPosition, own: int, theirs: int) -> None:
    """Swap the cards in two slots. After that, cards that came home (to the place of their number) may be turned.

    The mover's card is first (rules 4.6).
    """
    s.card[own], s.card[theirs] = s.card[theirs], s.card[own]
    s.origin[own], s.origin[theirs] = s.origin[theirs], s.origin[own]
    update_known_after_swap(s, own, theirs)
    s.swapped = own
    s.swapped_with = theirs
    # UNC-6: with `turning=off`, and in the other modes, no card is ever turned, so the turn ends here.
    if s.opt.mode == Mode.INTERMEDIATE and s.opt.turning != Turning.OFF:
        s.turned[own] = s.turned[theirs] = 0  # a card that leaves its place is no longer turned
        s.could[own], s.could[theirs] = s.could[theirs], s.could[own]
        if turn_or_ask_owner(s, own) or turn_or_ask_owner(s, theirs):
            return
    next_turn(s)


@rule
def update_known_after_swap(s: UncoveredPosition, own: int, theirs: int) -> None:
    """Update which viewers know the two cards that were swapped (UNC-5)."""
    if s.opt.swap_visibility == SwapVisibility.FACE_UP:
        s.known[own] = EVERYONE
        s.known[theirs] = EVERYONE
    else:
        # The two players see both cards. Other viewers still know a card that they knew, at its new place (rules 4.5).
        parties = 1 << own // PLACES | 1 << theirs // PLACES
        s.known[own], s.known[theirs] = s.known[theirs] | parties, s.known[own] | parties


@rule
def turn_or_ask_owner(s: UncoveredPosition, slot: int) -> bool:
    """Turn the card that a swap brought to a slot if it is home (at the place of its number), or ask its owner first.

    Return whether the owner must decide (with ``turning=choice``). The field `could` is updated, because all players
    learn whether the card is home.
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
    """Start the next turn. If the turn number has reached `TURN_CAP`, the game is abandoned instead."""
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
    """Return whether all hands have the same numbers in the same order.

    With the option `single_colour_win`, four hands that each have a single number win too (UNC-8).
    """
    alike, single = True, single_colour_wins(s)
    for slot in range(PLACES * s.seats):
        place = slot % PLACES
        alike &= s.card[slot] == s.card[place]
        single &= s.card[slot] == s.card[slot - place]
    return alike or single


@rule
def single_colour_wins(s: UncoveredPosition) -> bool:
    """Return whether four hands that each have a single number win this game.

    This needs the option `single_colour_win` and four players (UNC-8).
    """
    return s.opt.single_colour_win == SingleColourWin.YES and s.seats == NUMBERS


@rule
def dealt_hands(s: UncoveredPosition) -> NDArray[np.int64]:
    """Return the hands as they were dealt, as an array ``[seat, place]`` of numbers 1 to 4. All cards must be known."""
    hands = np.empty((s.seats, PLACES), np.int64)
    for slot in range(PLACES * s.seats):
        origin = s.origin[slot]
        hands[origin // PLACES, origin % PLACES] = s.card[slot] + LOWEST
    return hands


@rule
def reference_swaps(s: UncoveredPosition) -> int:
    """Return the number of swaps that is subtracted from the swaps of a game to give its score (UNC-1).

    By option, it is the fewest swaps with turn order (T*), the fewest swaps without turn order, or 0. Finding it needs
    a search, so call this only when a game is over.
    """
    if s.opt.score == Score.RAW_TURNS:
        return 0
    first = ANYONE if s.opt.score == Score.FREE_REGRET else s.start
    return fewest_turns(dealt_hands(s), first, single_colour_wins(s))


@rule
def returns(s: UncoveredPosition, out: NDArray[np.float64]) -> None:
    """Write the final score to `out`, the same for every seat; higher is better.

    It is minus the score of a won game, `LOST` for a lost or abandoned one, and 0 before the end.
    """
    value = 0.0
    if s.over != RUNNING:
        value = reference_swaps(s) - s.turn if s.won == 1 else LOST
    for seat in range(s.seats):
        out[seat] = value


# --- views and redeals ------------------------------------------------------------------------------------------------


@rule
def shown(s: UncoveredPosition, slot: int, viewer: int) -> bool:
    """Return whether a viewer who knows the card in a slot may look at it now.

    With `tracking=on`, all known cards may be seen. Without it, these are the cards that the mode shows at the deal,
    and turned cards (rules 4.5).
    """
    if s.opt.tracking == Tracking.ON or s.phase == Phase.FINISHED or s.turned[slot] == 1:
        return True
    return initial_viewers_mask(s.opt.mode, slot // PLACES) >> viewer & 1 == 1


@rule
def mask_recalled(s: UncoveredPosition) -> None:
    """Reset `could`, which kinds each card can be.

    Players infer this from earlier turns; the table does not show it.
    """
    s.could[:] = ANY_KIND


@rule
def mask_secrets(s: UncoveredPosition, viewer: int) -> None:
    """Write the two numbers that the viewer saw in the last swap to the fields `gave` and `took` of the view.

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
    """Return whether the viewer could see the two cards of the last swap while they were swapped."""
    if s.opt.swap_visibility == SwapVisibility.FACE_UP or s.opt.tracking == Tracking.ON or s.opt.mode != Mode.ADVANCED:
        return True
    return viewer in (s.swapped // PLACES, s.swapped_with // PLACES)


@rule
def pools(s: UncoveredPosition, counts: NDArray[np.int32]) -> None:
    """Write to `counts` how many cards of each kind the unknown cards are drawn from. There is one pool.

    It has as many cards of each number as there are players.
    """
    for kind in range(KINDS):
        counts[0, kind] = s.seats


@rule
def place_known(s: UncoveredPosition, g: NDArray[np.uint32]) -> None:
    """Put each card that all players can infer, because `could` has only one kind for it, into its slot of a view.

    The other unknown slots are then filled at random. The generator `g` is not used.
    """
    for slot in range(SLOTS):
        if not knows(s, slot, s.viewer):
            for kind in range(KINDS):
                if s.could[slot] == 1 << kind:
                    s.card[slot] = kind


@rule
def is_consistent(s: UncoveredPosition, viewer: int) -> bool:
    """Return whether a random deal of the unknown cards agrees with `could`: which cards were turned, and which were
    not.
    """
    # All slots are counted. Leaving the loop early would be slower, because the processor cannot predict it.
    ruled_out = 0
    for slot in range(PLACES * s.seats):
        ruled_out += 1 - (s.could[slot] >> s.card[slot] & 1)
    return ruled_out == 0


def may_disclose_turning(before: View | None, after: View) -> bool:
    """Return whether a step may show spectators that a card came home, although they did not see it in the swap.

    This is so if cards are swapped face down and turned afterwards. `before` is None at the deal.
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
