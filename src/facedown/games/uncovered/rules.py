"""Rules of Uncovered!: compiled functions that take an `UncoveredPosition`.

* The code counts the places of a hand from 0 to 3. Players count them from 1 to 4.
* A slot is an index of the field `card`: ``4 * seat + place``, with the place counted from 0.
* The field `known` says which players know the card in each slot. All players may see this field (rules 4.5).
* The kind of a card is its number minus 1, so it is 0 to 3.
* A card matches its place if its kind is equal to the place. To players, this is the place that is equal to the card's
  number.

The rules and rulings cited here, such as rules 4.5 and ruling UNC-5, are in ``docs/rules/uncovered.md``.
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
from facedown.core.random_numbers import generator, random_below, shuffle, stack_deck
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
    cast_record,
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

#: Fewest players in advanced mode (ruling UNC-9).
FEWEST_ADVANCED = 3
SLOTS = MOST_PLAYERS * PLACES
#: Value of the field `could`, a bit mask of kinds (number minus 1), for a card that may have any number.
ANY_KIND = (1 << KINDS) - 1
#: Value of the fields `swapped` and `swapped_with` before the first swap, and of `deciding` while no owner decides.
NOWHERE = -1

PAIRS = PLACES * PLACES


class Phase(IntEnum):
    """Phases of the game.

    In `TURNING`, the last swap has moved a card to the place of its number. The player who now has this card decides
    whether to turn it, so that it faces this player. If the swap has moved two such cards, both players decide, one
    after the other. Then the next turn begins.
    """

    PLAYING = 0
    TURNING = 1
    FINISHED = 2


class Act(ActionKind):
    """Kinds of actions: swap two cards, uncover all hands, turn a card, or leave a card as it is.

    An action is an integer. A swap is the integer 16 × other seat + 4 × own place + place in the other hand, from 0 to
    95. Seats and places are counted from 0. Each of the other three kinds has only one action: 96, 97 and 98.
    """

    SWAP = 0
    """Swap a card of the mover with a card of another seat (see `encode_swap`)."""
    UNCOVER = MOST_PLAYERS * PAIRS
    """Uncover all hands, which wins or loses the game for all players."""
    TURN = UNCOVER + 1
    """Turn the card that a swap moved to the place that matches its number, so that it faces its owner."""
    LEAVE = TURN + 1
    """Do not turn the card that a swap moved to the place that matches its number."""


CHOICES: ParametersByKind = {
    Act.SWAP: (
        ActionParameter("other", range(MOST_PLAYERS), Seat()),
        ActionParameter("own place", range(PLACES)),
        ActionParameter("their place", range(PLACES)),
    )
}
ACTIONS = Act.LEAVE + 1

#: Largest number of swaps in a game. The limit stops endless games (rules 4.8).
TURN_CAP = 200
#: Result that `returns` writes for a lost or abandoned game. It is lower than the result of any won game.
LOST = -200.0


class UncoveredPosition(Position):
    """Position in a game of Uncovered!: a state with all cards, or a view with only the cards that one viewer knows.

    A position has 24 slots: four places for each of six hands.
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
    swapped. From it the deal can be restored at the end."""
    could: Annotated[Ints, "i1", (SLOTS,), BySlot(Bits(KINDS))]
    """For each slot, a bit mask of the kinds (number minus 1) that its card can be. All players can infer these kinds,
    because a swap shows whether a swapped card is now at the place of its number (`is_consistent`)."""
    card: Annotated[Ints, "i1", (SLOTS,), BySlot(Card(KINDS), SlotGroup("hand", 0, PLACES, by_seat=PLACES))]
    known: Annotated[Ints, "i2", (SLOTS,), BySlot(SeatMask())]


def check(seats: int, options: UncoveredOptions) -> None:
    """Raise `OptionError` if a match with these options is not possible.

    Advanced mode needs three players or more (ruling UNC-9). If the options name the seat that starts, this seat must
    exist (ruling UNC-14).
    """
    if options.mode == Mode.ADVANCED and seats < FEWEST_ADVANCED:
        wrong = _("mode = advanced needs three players or more; with two, choose beginner or intermediate")
        raise OptionError(wrong, "mode")
    seat = options.named_seat
    if options.start == Start.NAMED and seat >= seats:
        wrong = N_("start: there is no seat {seat} at a table for {seats}; seats are numbered from 0 to {last}")
        raise OptionError(_(wrong, seat=seat, seats=seats, last=seats - 1), "start")


# --- dealing ---------------------------------------------------------------------------------------------------------


@rule
def deal(s: UncoveredPosition, deck: NDArray[np.int64], first: int) -> None:
    """Shuffle the cards and deal four to each seat.

    `deck` may list the first cards to be dealt, each as its number minus 1. All other cards are random.

    `first` is the seat that has the first turn, turn 0. If it is -1, this seat is random. If the options already say
    which seat starts, that seat has turn 0, and `first` is ignored (ruling UNC-14).
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
    # The player with the first turn is drawn after the cards are shuffled, so that the deal does not depend on it.
    if s.opt.start == Start.NAMED:
        s.start = s.opt.named_seat
    else:
        s.start = first if first >= 0 else random_below(g, s.seats)
    s.phase = Phase.PLAYING
    s.swapped = s.swapped_with = s.deciding = NOWHERE
    set_only_acting(s, s.start)


@rule
def initial_viewers_mask(mode: int, owner: int) -> int:
    """Return the bit mask of the viewers (seats, spectator) who see the hand of `owner` as it is dealt (rules 4.3)."""
    if mode == Mode.BEGINNER:
        return EVERYONE
    if mode == Mode.INTERMEDIATE:
        return EVERYONE & ~(1 << SPECTATOR | 1 << owner)
    return 1 << owner


# --- actions ----------------------------------------------------------------------------------------------------------


@rule
def encode_swap(place: int, other_seat: int, theirs: int) -> int:
    """Return the action that swaps a card of the mover with a card of another seat.

    * `place`: the place of the mover's card.
    * `other_seat`: the seat with which the mover swaps.
    * `theirs`: the place of that seat's card.

    Places are counted from 0.
    """
    return PAIRS * other_seat + PLACES * place + theirs


@rule
def decode_swap(action: int) -> tuple[int, int, int]:
    """Return (mover's place, other seat, place of the other seat's card) of a swap, all counted from 0.

    >>> decode_swap(encode_swap(3, 1, 2))
    (3, 1, 2)
    """
    return action // PLACES % PLACES, action // PAIRS, action % PLACES


@rule
def slots_of_swap(seat: int, action: int) -> tuple[int, int]:
    """Return the two slots of a swap by `seat`: first that of its own card, then that of the other seat's card.

    A slot is 4 × seat + place, with places counted from 0.
    """
    place, other, theirs = decode_swap(action)
    return PLACES * seat + place, PLACES * other + theirs


@rule
def legal(s: UncoveredPosition, seat: int, out: NDArray[np.int32]) -> int:
    """Write the legal actions of a seat to `out`, in ascending order. Return how many there are.

    A player may not pass (ruling UNC-3).
    """
    if not s.acting >> seat & 1:  # with the function `includes`, random play would take a tenth longer
        return 0
    if s.phase == Phase.TURNING:
        out[0] = Act.TURN
        out[1] = Act.LEAVE
        return 2
    # A seat may swap any of its cards with any card of another hand, even with an equal one (UNC-4). The actions
    # (integers) for swaps of a seat with itself are skipped.
    n = PAIRS * (s.seats - 1)
    for i in range(n):
        out[i] = i if i < PAIRS * seat else i + PAIRS
    out[n] = Act.UNCOVER
    return n + 1


# --- playing ---------------------------------------------------------------------------------------------------------


@rule
def apply(s: UncoveredPosition, seat: int, action: int) -> None:
    """Carry out a legal action of a seat: change the position in place, as the rules say.

    If the action ends the turn, also start the next one. If it ends the game, also show all hands to all viewers.
    """
    if action < Act.UNCOVER:
        own, theirs = slots_of_swap(seat, action)
        swap_and_turn_matching_cards(s, own, theirs)
    elif action == Act.UNCOVER:
        s.won = is_winning_position(s)
        finish(s, DECIDED)
    else:
        # UNC-6: the owner decides only once. A card that is not turned now cannot be turned in a later turn.
        s.turned[s.deciding] = action == Act.TURN
        if s.deciding == s.swapped_with or not turn_matching_card_or_ask(s, s.swapped_with):
            start_next_turn(s)


@rule
def swap_and_turn_matching_cards(s: UncoveredPosition, own: int, theirs: int) -> None:
    """Swap the cards in two slots, and turn each swapped card whose number matches its new place.

    A turned card faces its owner (rules 4.6). Cards are turned only in intermediate mode, and not with ``turning=off``.
    With ``turning=choice`` the owner of a matching card decides whether to turn it. If both players must decide, the
    mover decides first. The next turn begins at once if no player must decide.

    `own` is the slot of the mover's card, and `theirs` is the slot of the other player's card. A slot is
    4 × seat + place, with places counted from 0.
    """
    s.card[own], s.card[theirs] = s.card[theirs], s.card[own]
    s.origin[own], s.origin[theirs] = s.origin[theirs], s.origin[own]
    update_known_after_swap(s, own, theirs)
    s.swapped = own
    s.swapped_with = theirs
    # Cards are turned to face their owner only in intermediate mode, and not with `turning=off` (UNC-6). In all other
    # cases the next turn begins at once.
    if s.opt.mode == Mode.INTERMEDIATE and s.opt.turning != Turning.OFF:
        s.turned[own] = s.turned[theirs] = 0  # a card that leaves its place is no longer turned
        s.could[own], s.could[theirs] = s.could[theirs], s.could[own]
        if turn_matching_card_or_ask(s, own) or turn_matching_card_or_ask(s, theirs):
            return
    start_next_turn(s)


@rule
def update_known_after_swap(s: UncoveredPosition, own: int, theirs: int) -> None:
    """Record in the field `known` which viewers know the two cards of a swap, each at its new place.

    With ``swap_visibility=face_up`` all viewers see both cards. With ``swap_visibility=face_down`` only the two players
    of the swap see them. Each other viewer who knew one of the cards still knows it at its new place.

    `own` and `theirs` are the two slots (4 × seat + place, with places counted from 0).
    """
    if s.opt.swap_visibility == SwapVisibility.FACE_UP:
        s.known[own] = EVERYONE
        s.known[theirs] = EVERYONE
    else:
        # The two players see both cards. Other viewers still know a card that they knew, at its new place (rules 4.5,
        # ruling UNC-5).
        parties = 1 << own // PLACES | 1 << theirs // PLACES
        s.known[own], s.known[theirs] = s.known[theirs] | parties, s.known[own] | parties


@rule
def turn_matching_card_or_ask(s: UncoveredPosition, slot: int) -> bool:
    """Turn the card that a swap has moved to `slot`, if the card matches its new place.

    The card with the number k matches the k-th place of a hand. A turned card faces its owner. With ``turning=choice``
    the owner decides instead whether to turn a matching card. Return True if the owner must decide now, else False.

    Also update the field `could` (the numbers that each card can have): all players learn whether the card matches.

    `slot` is 4 × seat + place, with places counted from 0.
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
def start_next_turn(s: UncoveredPosition) -> None:
    """Add 1 to the turn number and start the next turn. If the number is then `TURN_CAP`, abandon the game instead."""
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
def is_winning_position(s: UncoveredPosition) -> bool:
    """Return whether all hands have the same numbers in the same order.

    With the option `single_colour_win` and four players, also return True if each hand has all four cards of one number
    (ruling UNC-8).
    """
    alike, single = True, is_single_colour_win_enabled(s)
    for slot in range(PLACES * s.seats):
        place = slot % PLACES
        alike &= s.card[slot] == s.card[place]
        single &= s.card[slot] == s.card[slot - place]
    return alike or single


@rule
def is_single_colour_win_enabled(s: UncoveredPosition) -> bool:
    """Return whether the players of this game also win if each hand has all four cards of one number.

    This win needs the option `single_colour_win` and four players (ruling UNC-8). In the option's name, "single colour"
    means that all cards have the same number.
    """
    return s.opt.single_colour_win == SingleColourWin.YES and s.seats == NUMBERS


@rule
def dealt_hands(s: UncoveredPosition) -> NDArray[np.int64]:
    """Return the hands as they were dealt, as an array of numbers (1 to 4) by (seat, place).

    All cards must be known.
    """
    hands = np.empty((s.seats, PLACES), np.int64)
    for slot in range(PLACES * s.seats):
        origin = s.origin[slot]
        hands[origin // PLACES, origin % PLACES] = s.card[slot] + LOWEST
    return hands


@rule
def reference_swap_count(s: UncoveredPosition) -> int:
    """Return the number that is subtracted from the number of swaps of a won game to give its score (ruling UNC-1).

    The option `score` decides which number this is: the smallest number of swaps that wins in turn order, the smallest
    number without turn order, or 0. Computing the number needs a search, so call this function only when a game is
    over.
    """
    if s.opt.score == Score.RAW_TURNS:
        return 0
    first = ANYONE if s.opt.score == Score.FREE_REGRET else s.start
    return fewest_turns(dealt_hands(s), first, is_single_colour_win_enabled(s))


@rule
def returns(s: UncoveredPosition, out: NDArray[np.float64]) -> None:
    """Write the result of the game to `out`, the same for every seat. A higher result is better.

    * If the game is won, the result is minus the game's score, because a lower score is better in this game.
    * If the game is lost or abandoned, the result is `LOST`.
    * Before the end, the result is 0.
    """
    value = 0.0
    if s.over != RUNNING:
        value = reference_swap_count(s) - s.turn if s.won == 1 else LOST
    for seat in range(s.seats):
        out[seat] = value


# --- visibility of cards, and sampling of unknown cards ---------------------------------------------------------------


@rule
def shown(s: UncoveredPosition, slot: int, viewer: int) -> bool:
    """Return whether the table shows the card in a slot now to a viewer who knows it (rules 4.5).

    With `tracking=on`, and at the end of the game, the table shows all cards that the viewer knows. Otherwise it shows
    only turned cards (which face their owner), and the cards in the hands that the viewer sees from the deal on. The
    viewer must remember all others.

    A slot is 4 × seat + place, with places counted from 0.
    """
    if s.opt.tracking == Tracking.ON or s.phase == Phase.FINISHED or s.turned[slot] == 1:
        return True
    return initial_viewers_mask(s.opt.mode, slot // PLACES) >> viewer & 1 == 1


@rule
def mask_recalled(s: UncoveredPosition) -> None:
    """Set the field `could` to "any number" for every card of the view `s`.

    After that, the view has only what the viewer can see now. Before, `could` has a bit mask for each card: the numbers
    that are still possible after earlier swaps. Viewers must remember these swaps, because the table does not show them
    any longer.
    """
    s.could[:] = ANY_KIND


@rule
def mask_secrets(s: UncoveredPosition, viewer: int) -> None:
    """In a view, set the fields `gave` and `took`: the numbers of the two cards of the last swap.

    * `gave`: the number of the card that the mover gave away.
    * `took`: the number of the card that the mover received.

    A field is 0 if the viewer did not see this card in the swap. The numbers are read from the slots to which the swap
    moved the two cards, because the cards are still there.
    """
    s.gave = s.took = 0
    if s.swapped != NOWHERE and may_have_seen_swapped_cards(s, viewer):
        if knows(s, s.swapped_with, viewer):
            s.gave = s.card[s.swapped_with] + LOWEST
        if knows(s, s.swapped, viewer):
            s.took = s.card[s.swapped] + LOWEST


@rule
def may_have_seen_swapped_cards(s: UncoveredPosition, viewer: int) -> bool:
    """Return whether the viewer may know the two cards of the last swap from watching it.

    This is False only for a face-down swap in advanced mode with `tracking=off`, if the viewer was not one of the two
    players.
    """
    if s.opt.swap_visibility == SwapVisibility.FACE_UP or s.opt.tracking == Tracking.ON or s.opt.mode != Mode.ADVANCED:
        return True
    return viewer in (s.swapped // PLACES, s.swapped_with // PLACES)


@rule
def pools(s: UncoveredPosition, counts: NDArray[np.int32]) -> None:
    """Write to ``counts[0, kind]`` how many cards of each kind (number minus 1) are in the deck: one for each player.

    Row 0 is the only pool (set of cards from which unknown cards are drawn), because all cards come from one deck.
    """
    for kind in range(KINDS):
        counts[0, kind] = s.seats


@rule
def place_known(s: UncoveredPosition, g: NDArray[np.uint32]) -> None:
    """In a view, fill in each unknown card whose number all players can infer.

    All players can infer a card's number if the field `could`, a bit mask of the numbers that the card can have, has
    only one number left. The caller then draws the other unknown cards at random. `g` is the state of the caller's
    random number generator. It is a parameter because other games need it; this function does not use it.
    """
    for slot in range(SLOTS):
        if not knows(s, slot, s.viewer):
            for kind in range(KINDS):
                if s.could[slot] == 1 << kind:
                    s.card[slot] = kind


@rule
def is_consistent(s: UncoveredPosition, viewer: int) -> bool:
    """Return whether each card of a randomly completed view has a number that is possible after the swaps so far.

    `s` is a view whose unknown cards have been drawn at random. The field `could` has, for each card, a bit mask of the
    numbers that are possible.

    In intermediate mode (unless ``turning=off``), swaps rule out numbers. If the number of a swapped card matches its
    new place, the card is turned to face its owner, or the owner is asked whether to turn it. Neither happens to a
    swapped card that does not match. All players see this, so they learn whether the card matches.

    `viewer` is not used, because all players learn the same.
    """
    # The loop always covers all slots. To leave it early would be slower, because this needs a branch that the
    # processor often mispredicts.
    ruled_out = 0
    for slot in range(PLACES * s.seats):
        ruled_out += 1 - (s.could[slot] >> s.card[slot] & 1)
    return ruled_out == 0


def may_disclose_matching_card(before: View | None, after: View) -> bool:
    """Return whether spectators may have learnt from an action that a card is at the place that matches its number.

    This can happen in intermediate mode if cards are swapped face down. Then spectators do not see the numbers. But
    they see whether a swapped card is turned to face its owner, or the owner is asked whether to turn it. One of these
    happens if and only if the card matches its new place.

    `before` and `after` are the views of one viewer before and after the action. The result is False if this viewer is
    not a spectator. It is also False at the deal, when `before` is None. Otherwise the result depends only on the
    options, so it can be True after an action that is not a swap.
    """
    s = cast_record(after, UncoveredPosition)
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
            may_disclose_matching_card,
        ),
    ),
)
