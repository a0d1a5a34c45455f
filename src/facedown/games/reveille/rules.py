"""Rules of Reveille: compiled functions that take a `ReveillePosition`. Rulings (RVL-…): ``docs/rules/reveille.md``.

A round of the match is called a hand. It has two stages of seven tricks, with an auction between them. Suits, ranks and
points are in `cards`. Seats are 0 and 1; the opponent of a seat is 1 - seat.

The bones that a player holds are called the player's hand. They are always sorted, highest bone first, so that their
order gives no information. What players know about these bones is therefore stored by bone (fields `taken` and
`barred`), not by place in the hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from facedown.core.actions import ActionKind, ActionParameter, ParametersByKind
from facedown.core.bit_masks import includes, mark_acted_is_last, set_all_acting, set_only_acting
from facedown.core.field_meanings import Bits, ByKind, BySeat, BySlot, Card, Number, OneOf, Seat, SlotGroup, Unobserved
from facedown.core.hidden_cards import clear_slot_publicly, put
from facedown.core.random_numbers import generator, given_or_random_seat, shuffle, stack_deck
from facedown.core.rule import python_function, rule
from facedown.core.ruleset import RuleSet
from facedown.core.state import ABANDONED, DECIDED, EMPTY, EVERYONE, I1, I2, I4, RUNNING, UNKNOWN, Ints, Position
from facedown.games.reveille.cards import (
    ALL_COUNTERS,
    BONES,
    MAX_POINTS,
    NELLO,
    NO_CONTRACT,
    NUMBERS,
    PIPS,
    TRUMPS,
    assume_nonnegative,
    counter_points,
    follow_suit_mask,
    legal_replies,
    reply_wins,
    trick_points,
)
from facedown.games.reveille.info import (
    AutoEnd,
    Bid42,
    BoneyardPick,
    FirstBid,
    MustRuff,
    PassFinal,
    ReveilleOptions,
    Stages,
)

PLAYERS = 2
#: Number of bones in a full hand, and of tricks in each stage.
HAND = 7
TRICKS = 7
#: Bit mask of all bones.
ALL_BONES = (1 << BONES) - 1
#: Before a shift, `bone & BIT_INDEX_MASK` keeps the index of the bit below 32. A bone (0 to 27) is unchanged. `EMPTY`
#: (126) and `UNKNOWN` (127) become 30 and 31: bits that stand for no bone.
BIT_INDEX_MASK = 31

# --- slots of a position: two hands, the face-up bone, the boneyard, the tricks of both stages ------------------------
UP_SLOT = PLAYERS * HAND
YARD = UP_SLOT + 1
#: Number of bones in the boneyard (face-down stock) after the deal, before one is revealed.
YARD_BONES = BONES - PLAYERS * HAND
STAGE_ONE_SLOT = YARD + YARD_BONES
STAGE_TWO_SLOT = STAGE_ONE_SLOT + 2 * TRICKS
SLOTS = STAGE_TWO_SLOT + 2 * TRICKS
PARTS = (
    SlotGroup("hand", 0, HAND, by_seat=HAND),
    SlotGroup("face-up bone", UP_SLOT, 1),
    SlotGroup("boneyard", YARD, YARD_BONES),
    SlotGroup("tricks of stage one, lead and reply", STAGE_ONE_SLOT, 2 * TRICKS),
    SlotGroup("tricks of stage two, lead and reply", STAGE_TWO_SLOT, 2 * TRICKS),
)

LOWEST_BID = 4
HIGHEST_BID = MAX_POINTS


class Phase(IntEnum):
    """Phases of a hand. The first three belong to stage one.

    In `TURNING_UP` and `DRAWING` a player picks a face-down bone. Both occur only with `boneyard_pick=index`.
    """

    TURNING_UP = 0
    STAGE_ONE = 1
    DRAWING = 2
    AUCTION = 3
    NAMING = 4
    STAGE_TWO = 5
    SCORING = 6


class EndReason(IntEnum):
    """Reasons why a hand ended."""

    PLAYED_OUT = 0  # All tricks of stage two were played.
    CLAIMED = 1  # The declarer (highest bidder) claimed to have won the points of the bid, and this was true.
    CLAIMED_FALSELY = 2  # The declarer claimed this, but it was not true.
    SETTLED = 3  # The result was certain before the last trick (only with ``auto_end=on``).
    THROWN_IN = 4  # Both players passed in the auction.
    STAGE_ONE = 5  # Stage one is over, and the options leave out stage two (RVL-21).


#: Value of a pass in the field `calls`. The field `high` also has it before the first bid.
NO_BID = 0
#: Largest number of calls in an auction: one pass, and every bid from the lowest to the highest.
MOST_CALLS = 1 + HIGHEST_BID - LOWEST_BID + 1
#: Number that stands for no seat, for example in the field `declarer` before the first bid.
NO_SEAT = -1
#: Number of marks (points of the match, one for each hand) that wins the match.
GOAL = 7
#: If this many hands in a row are thrown in (both players pass), the match is abandoned (rules 3.10).
THROW_IN_CAP = 50


class ReveillePosition(Position):
    """Position in a match of Reveille: a state with all bones, or a view with only the bones that one viewer knows."""

    opt: ReveilleOptions
    hand_number: Annotated[I2, Number(0, 30)]
    """The number of the current hand in the match, from 1."""
    dealer: Annotated[I1, Seat()]
    """The seat that dealt this hand."""
    phase: Annotated[I1, OneOf(len(Phase))]
    """The `Phase` of the hand."""
    leader: Annotated[I1, Seat()]
    """The seat that leads to the current trick."""
    trick: Annotated[I1, Number(0, TRICKS)]
    """The number of finished tricks in the current stage; stage two starts again from 0."""
    yard_count: Annotated[I1, Number(0, YARD_BONES)]
    """The number of bones in the face-down boneyard."""
    hand_size: Annotated[Ints, "i1", (PLAYERS,), BySeat(Number(0, HAND))]
    """The number of bones in each hand."""
    opener: Annotated[I1, Seat()]
    """The seat that calls first in the auction. Calls then alternate."""
    call_count: Annotated[I1, Number(0, MOST_CALLS)]
    """The number of calls made in the auction so far."""
    calls: Annotated[Ints, "i1", (MOST_CALLS,), ByKind(Number(0, HIGHEST_BID))]
    """The calls of the auction in order: the points of a bid, or `NO_BID` for a pass."""
    high: Annotated[I1, Number(0, HIGHEST_BID)]
    """The highest bid so far, or `NO_BID`."""
    declarer: Annotated[I1, Seat()]
    """The seat that made the highest bid, or `NO_SEAT`."""
    contract: Annotated[I1, OneOf(NO_CONTRACT + 1)]
    """The trump suit, 0 to 6; 7 for nello; 8 while no contract is named."""
    winners: Annotated[I1, Bits(TRICKS)]
    """The winners of stage-two tricks as a bit mask: bit k is the seat that won trick k."""
    points: Annotated[Ints, "i1", (PLAYERS,), BySeat(Number(0, MAX_POINTS))]
    """The points that each seat has won in stage two."""
    tricks: Annotated[Ints, "i1", (PLAYERS,), BySeat(Number(0, TRICKS))]
    """The number of tricks that each seat has won in stage two."""
    offer: Annotated[I1, Number(0, MAX_POINTS)]
    """The points that can be won in stage two: 42 less the counters burnt in stage one."""
    burnt: Annotated[I4, Bits(BONES)]
    """The counters (bones that score points) that were played in stage one, as a bit mask."""
    taken: Annotated[Ints, "i4", (PLAYERS,), BySeat(Bits(BONES))]
    """The bones that each seat took face up and still holds, as a bit mask. Both players saw them."""
    barred: Annotated[Ints, "i4", (PLAYERS,), BySeat(Bits(BONES))]
    """The bones that each seat cannot hold because it did not follow suit in stage two, as a bit mask."""
    marks: Annotated[Ints, "i1", (PLAYERS,), BySeat(Number(0, GOAL))]
    """The marks of each seat. The first seat with seven wins the match."""
    mark_to: Annotated[I1, Seat()]
    """The seat that got the mark of the hand that ended, or `NO_SEAT`."""
    ended: Annotated[I1, OneOf(len(EndReason))]
    """The `EndReason` of the hand that ended."""
    thrown_in: Annotated[I1, Number(0, THROW_IN_CAP)]
    """The number of hands thrown in one after the other, up to now."""
    card: Annotated[Ints, "i1", (SLOTS,), BySlot(Card(BONES), *PARTS)]
    known: Annotated[Ints, "i2", (SLOTS,), Unobserved("it follows from where a bone lies")]


class Act(ActionKind):
    """Kinds of actions. The number of an action is the value of its kind, plus its parameter if it has one."""

    PLAY = 0
    """Lead a bone or reply with it. The parameter is the bone."""
    PASS = PLAY + BONES
    """Pass in the auction."""
    BID = PASS + 1
    """Bid a number of points. The parameter is the bid less 4."""
    TRUMP = BID + HIGHEST_BID - LOWEST_BID + 1
    """Name trumps. The parameter is the suit."""
    NELLO = TRUMP + NUMBERS
    """Name nello: a contract without trumps, to win no trick."""
    CLAIM = NELLO + 1
    """Claim that the points of finished tricks reach the bid."""
    PICK = CLAIM + 1
    """Take a bone from the boneyard, with `boneyard_pick=index`. The parameter is the place, from 0."""
    CONTINUE = PICK + YARD_BONES
    """Continue to the next hand."""


CHOICES: ParametersByKind = {
    Act.PLAY: (ActionParameter("bone", range(BONES)),),
    Act.BID: (ActionParameter("bid", range(LOWEST_BID, HIGHEST_BID + 1), Number(0, HIGHEST_BID)),),
    Act.TRUMP: (ActionParameter("suit", range(NUMBERS)),),
    Act.PICK: (ActionParameter("place", range(YARD_BONES)),),
}

#: A bid of n points is the action `BID_OFFSET + n`.
BID_OFFSET = Act.BID - LOWEST_BID
ACTIONS = Act.CONTINUE + 1


@rule
def hand_and_deal_sizes(opt: ReveilleOptions) -> tuple[int, int]:
    """Return (bones in each hand, bones in the whole deal). Small variants for research use fewer (ruling RVL-21)."""
    if opt.stages == Stages.BOTH:
        return HAND, BONES
    return opt.bones, PLAYERS * opt.bones + PLAYERS * (opt.tricks if opt.tricks > 0 else opt.bones)


def deck(seats: int, options: ReveilleOptions) -> Sequence[int]:
    """Return the number of copies of each bone: 1, or 0 for a bone that a small variant leaves out (ruling RVL-21)."""
    used = python_function(hand_and_deal_sizes)(options)[1]
    return [1 if bone < used else 0 for bone in range(BONES)]


# --- dealing --------------------------------------------------------------------------------------------------------


@rule
def deal(s: ReveillePosition, deck: NDArray[np.int64], first: int) -> None:
    """Deal the first hand. `first` is the dealer, or -1 for a random one. `deck` lists bones to be dealt first."""
    s.dealer = given_or_random_seat(s, first)
    shuffle_and_deal_hand(s, deck)


@rule
def shuffle_and_deal_hand(s: ReveillePosition, first_bones: NDArray[np.int64]) -> None:
    """Shuffle the bones and deal a hand (rules 3.3). The bones in `first_bones` are dealt first, in this order."""
    each, all_bones = hand_and_deal_sizes(s.opt)
    bones = np.arange(BONES)
    g = generator(s.key, s.stream)
    s.stream += 1
    shuffle(g, bones, stack_deck(bones, all_bones, first_bones), all_bones, all_bones)
    clear_table(s)
    s.leader = s.opener = 1 - s.dealer
    write_sorted_hand(s, s.leader, bones[:each])
    write_sorted_hand(s, s.dealer, bones[each : 2 * each])
    for seat in range(PLAYERS):
        s.hand_size[seat] = each
        s.known[seat * HAND : seat * HAND + each] = 1 << seat
    fill_boneyard(s, bones[2 * each : all_bones])
    s.hand_number += 1
    reveal_bone_or_end_stage_one(s)


@rule
def clear_table(s: ReveillePosition) -> None:
    """Empty all slots and reset the fields of the previous hand."""
    s.card[:] = EMPTY
    s.known[:] = EVERYONE
    s.points[:] = s.tricks[:] = s.taken[:] = s.barred[:] = 0
    s.trick = s.call_count = s.winners = s.burnt = 0
    s.calls[:] = s.high = NO_BID
    s.declarer = s.mark_to = NO_SEAT
    s.contract = NO_CONTRACT
    s.offer = MAX_POINTS
    s.ended = EndReason.PLAYED_OUT


# --- hands and boneyard -----------------------------------------------------------------------------------------------


@rule
def mask_of_bones_in_slots(s: ReveillePosition, first: int, end: int) -> int:
    """Return the bit mask of the bones in the slots from `first` up to, but not including, `end`.

    A slot is an index in `s.card`. Empty slots and unknown bones add nothing to the mask.
    """
    bones = 0
    for slot in range(first, end):
        # An empty slot sets bit 30, and an unknown bone sets bit 31. `ALL_BONES` clears both bits.
        bones |= 1 << (s.card[slot] & BIT_INDEX_MASK)
    return bones & ALL_BONES


@rule
def hand_mask(s: ReveillePosition, seat: int) -> int:
    """Return the bit mask of the bones in a seat's hand, as far as they are known in this position."""
    first = assume_nonnegative(seat) * HAND
    return mask_of_bones_in_slots(s, first, first + HAND)


@rule
def write_sorted_hand(s: ReveillePosition, seat: int, bones: Ints) -> None:
    """Write `bones` to the first slots of a seat's hand, highest bone first. Leave the other slots unchanged."""
    first = assume_nonnegative(seat) * HAND
    for i in range(len(bones)):
        place = first
        for bone in bones:
            place += 1 if bone > bones[i] else 0
        s.card[place] = bones[i]


# The loops of `add_to_hand` and `play_to_slot` always run over a whole hand, and select values instead of branching.
# The bones are random, so the processor would mispredict most branches.
@rule
def add_to_hand(s: ReveillePosition, seat: int, bone: int) -> None:
    """Insert a bone into a hand, which stays sorted. Only the owner of the hand sees the bone there."""
    seat = assume_nonnegative(seat)
    first = seat * HAND
    size = assume_nonnegative(s.hand_size[seat])
    lower = 0
    for slot in range(first, first + HAND):
        lower += 1 if s.card[slot] < bone else 0
    place = first + size - lower
    for slot in range(first + HAND - 1, first, -1):
        s.card[slot] = s.card[slot - 1] if place < slot <= first + size else s.card[slot]
    s.card[place] = bone
    s.known[first + size] = 1 << seat
    s.hand_size[seat] = size + 1


@rule
def play_to_slot(s: ReveillePosition, seat: int, bone: int, target: int) -> None:
    """Move a bone from a hand to the slot `target`, where all viewers see it, and close the gap in the hand."""
    seat = assume_nonnegative(seat)
    first = seat * HAND
    last = first + HAND - 1
    passed = 0
    for slot in range(first, last):
        passed |= 1 if s.card[slot] == bone else 0
        s.card[slot] = s.card[slot + passed]
    s.card[last] = EMPTY
    s.hand_size[seat] -= 1
    s.known[first + s.hand_size[seat]] = EVERYONE
    put(s, target, bone, EVERYONE)
    s.taken[seat] &= ~(1 << bone)


# --- the boneyard (face-down stock) -----------------------------------------------------------------------------------


@rule
def fill_boneyard(s: ReveillePosition, bones: Ints) -> None:
    """Write `bones` to the boneyard (face-down stock). With `boneyard_pick=index` they keep their order.

    With `boneyard_pick=auto` their order is reversed, because the bone in the last place is always taken next.
    """
    s.yard_count = len(bones)
    picked = s.opt.boneyard_pick == BoneyardPick.INDEX
    for place in range(len(bones)):
        put(s, YARD + place, bones[place if picked else len(bones) - 1 - place], 0)


@rule
def ask_for_pick_unless_auto(s: ReveillePosition, seat: int, phase: Phase) -> bool:
    """With `boneyard_pick=index`, start the phase `phase`, in which the seat picks a face-down bone of the boneyard.

    Return whether the seat has to pick. With `boneyard_pick=auto` do nothing and return False.
    """
    if s.opt.boneyard_pick != BoneyardPick.INDEX:
        return False
    s.phase = phase
    set_only_acting(s, seat)
    return True


@rule
def take_from_yard(s: ReveillePosition, place: int) -> int:
    """Remove the bone at a place of the boneyard (stock), close the gap, and return the bone. No player has seen it."""
    bone = s.card[YARD + assume_nonnegative(place)]
    s.yard_count -= 1
    last = YARD + assume_nonnegative(s.yard_count)
    for slot in range(YARD + assume_nonnegative(place), last):
        s.card[slot] = s.card[slot + 1]
    clear_slot_publicly(s, last)
    return bone


@rule
def reveal_bone_or_end_stage_one(s: ReveillePosition) -> None:
    """Reveal a bone of the boneyard (stock), or let the dealer pick it (RVL-12). If none is left, end stage one."""
    if s.yard_count == 0:
        if s.opt.stages == Stages.BOTH:
            start_auction(s)
        else:
            end_match_after_stage_one(s)
    elif not ask_for_pick_unless_auto(s, s.dealer, Phase.TURNING_UP):
        turn_up_yard_bone(s, s.yard_count - 1)


@rule
def turn_up_yard_bone(s: ReveillePosition, place: int) -> None:
    """Reveal the bone at a place of the boneyard (stock). The next trick's winner gets it. The leader acts next."""
    put(s, UP_SLOT, take_from_yard(s, place), EVERYONE)
    s.phase = Phase.STAGE_ONE
    set_only_acting(s, s.leader)


@rule
def draw_to_hand_and_reveal_next(s: ReveillePosition, seat: int, place: int) -> None:
    """Move the bone at `place` in the boneyard to the hand of the loser of a trick. Reveal the next bone (RVL-11)."""
    add_to_hand(s, seat, take_from_yard(s, place))
    reveal_bone_or_end_stage_one(s)


# --- legal actions ----------------------------------------------------------------------------------------------------


@rule
def legal(s: ReveillePosition, seat: int, out: NDArray[np.int32]) -> int:
    """Write the legal actions of a seat to `out`, in ascending order. Return how many there are."""
    if not includes(s.acting, seat):
        return 0
    if s.phase == Phase.STAGE_ONE or s.phase == Phase.STAGE_TWO:
        return legal_plays_and_claim(s, seat, out)
    if s.phase == Phase.AUCTION:
        lowest = max(LOWEST_BID, s.high + 1)
        out[0] = Act.PASS
        return append_actions(out, 1, BID_OFFSET + lowest, HIGHEST_BID - lowest + 1)
    if s.phase == Phase.NAMING:  # RVL-18; nello only after a bid of 42
        return append_actions(out, 0, Act.TRUMP, NUMBERS + 1 if s.high == HIGHEST_BID else NUMBERS)
    if s.phase == Phase.SCORING:
        return append_actions(out, 0, Act.CONTINUE, 1)
    return append_actions(out, 0, Act.PICK, s.yard_count)


@rule
def append_actions(out: NDArray[np.int32], n: int, action: int, count: int) -> int:
    """Append `count` consecutive actions, starting with `action`, to the `n` actions in `out`. Return `n + count`."""
    for i in range(count):
        out[n + i] = action + i
    return n + count


@rule
def legal_plays_and_claim(s: ReveillePosition, seat: int, out: NDArray[np.int32]) -> int:
    """Write the legal plays of a seat to `out`, lowest bone first, then `CLAIM` if it is legal. Return their number."""
    bones = hand_mask(s, seat)
    if seat != s.leader:
        bones = legal_replies(s.contract, led_bone(s), bones, s.opt.must_ruff == MustRuff.YES)
    n = 0
    first = assume_nonnegative(seat) * HAND
    for slot in range(first + HAND - 1, first - 1, -1):
        bone = s.card[slot]
        out[n] = Act.PLAY + bone
        n += bones >> (bone & BIT_INDEX_MASK) & 1
    if s.phase == Phase.STAGE_TWO and may_claim_bid_reached(s, seat):
        out[n] = Act.CLAIM
        n += 1
    return n


@rule
def may_claim_bid_reached(s: ReveillePosition, seat: int) -> bool:
    """Return whether a seat may claim in stage two that its points reach its bid (rules 3.7). A false claim is legal.

    The seat must be the declarer, the bid below 42, the contract a trump suit, and the option `auto_end=off`.
    """
    return (
        seat == s.declarer and s.contract != NELLO and s.high < HIGHEST_BID and s.opt.auto_end == AutoEnd.OFF  # RVL-19
    )


@rule
def lead_slot(s: ReveillePosition) -> int:
    """Return the index in `s.card` of the bone that is led to the current trick. The next index is for the reply."""
    return (STAGE_TWO_SLOT if s.phase == Phase.STAGE_TWO else STAGE_ONE_SLOT) + 2 * assume_nonnegative(s.trick)


@rule
def led_bone(s: ReveillePosition) -> int:
    """Return the bone that was led to the current trick, or `EMPTY` if none was led yet."""
    return s.card[lead_slot(s)]


# --- playing ----------------------------------------------------------------------------------------------------------


@rule
def apply(s: ReveillePosition, seat: int, action: int) -> None:
    """Carry out a legal action of a seat by changing `s`. Also end a trick, hand or match that the action completes."""
    if action < Act.PASS:
        play_bone(s, seat, action - Act.PLAY)
    elif action == Act.PASS:
        record_call(s, seat, NO_BID)
    elif action < Act.TRUMP:
        record_call(s, seat, action - BID_OFFSET)
    elif action < Act.CLAIM:
        name_contract(s, seat, action - Act.TRUMP)
    elif action == Act.CLAIM:  # RVL-15: a claim ends the hand, whether it is true or false
        is_true = s.points[seat] >= s.high
        end_hand_and_give_mark(
            s, seat if is_true else 1 - seat, EndReason.CLAIMED if is_true else EndReason.CLAIMED_FALSELY
        )
    elif action < Act.CONTINUE:
        if s.phase == Phase.DRAWING:
            draw_to_hand_and_reveal_next(s, seat, action - Act.PICK)
        else:
            turn_up_yard_bone(s, action - Act.PICK)
    elif mark_acted_is_last(s, seat):
        s.dealer = 1 - s.dealer
        shuffle_and_deal_hand(s, np.empty(0, np.int64))


@rule
def play_bone(s: ReveillePosition, seat: int, bone: int) -> None:
    """Play a bone as the lead, or as the reply, which ends the trick."""
    slot = lead_slot(s)
    if seat == s.leader:
        play_to_slot(s, seat, bone, slot)
        set_only_acting(s, 1 - seat)
        return
    play_to_slot(s, seat, bone, slot + 1)
    led = s.card[slot]
    winner = seat if reply_wins(s.contract, led, bone) else 1 - seat
    if s.phase == Phase.STAGE_TWO:
        end_stage_two_trick(s, led, bone, winner)
    else:
        end_stage_one_trick(s, led, bone, winner)


@rule
def end_stage_one_trick(s: ReveillePosition, led: int, reply: int, winner: int) -> None:
    """Put the bones of a trick out of play, give the face-up bone to `winner`, and let the loser draw (rules 3.4)."""
    s.offer -= counter_points(led, reply)
    s.burnt |= (1 << led | 1 << reply) & ALL_COUNTERS
    s.trick += 1
    s.leader = winner  # RVL-10
    prize = s.card[UP_SLOT]
    clear_slot_publicly(s, UP_SLOT)
    add_to_hand(s, winner, prize)
    s.taken[winner] |= 1 << prize
    loser = 1 - winner
    if not ask_for_pick_unless_auto(s, loser, Phase.DRAWING):
        draw_to_hand_and_reveal_next(s, loser, s.yard_count - 1)


@rule
def end_match_after_stage_one(s: ReveillePosition) -> None:
    """End a match that has only stage one (ruling RVL-21). Show both hands. The seat with more pips in hand wins."""
    ahead = 0
    s.known[: PLAYERS * HAND] = EVERYONE
    for slot in range(PLAYERS * HAND):
        if s.card[slot] != EMPTY:
            ahead += PIPS[s.card[slot]] if slot < HAND else -PIPS[s.card[slot]]
    end_hand_and_give_mark(s, NO_SEAT if ahead == 0 else 0 if ahead > 0 else 1, EndReason.STAGE_ONE)
    s.over = DECIDED
    s.acting = 0


@rule
def start_auction(s: ReveillePosition) -> None:
    """Start the auction (rules 3.5). The option `first_bid` decides which seat calls first (ruling RVL-3)."""
    s.phase = Phase.AUCTION
    if s.opt.first_bid != FirstBid.NONDEALER:
        s.opener = s.dealer if s.opt.first_bid == FirstBid.DEALER else s.leader
    set_only_acting(s, s.opener)


@rule
def record_call(s: ReveillePosition, seat: int, bid: int) -> None:
    """Record a bid, or a pass (`NO_BID`). The other player calls next unless the auction is over."""
    other_passed = s.call_count > 0 and s.calls[s.call_count - 1] == NO_BID
    s.calls[s.call_count] = bid
    s.call_count += 1
    if bid != NO_BID:
        s.high = bid
        s.declarer = seat
        over = bid == HIGHEST_BID or (other_passed and s.opt.pass_final == PassFinal.YES)  # RVL-4
    elif other_passed:
        end_hand_and_give_mark(s, NO_SEAT, EndReason.THROWN_IN)  # RVL-6
        return
    else:
        over = s.high != NO_BID
    if over:
        s.phase = Phase.NAMING
    set_only_acting(s, s.declarer if over else 1 - seat)


@rule
def name_contract(s: ReveillePosition, seat: int, contract: int) -> None:
    """Set the contract (a trump suit, or `NELLO`) and start stage two. `seat` is the declarer and leads (rules 3.6)."""
    s.contract = contract
    s.phase = Phase.STAGE_TWO
    s.trick = 0
    s.leader = seat
    set_only_acting(s, seat)
    if s.opt.auto_end == AutoEnd.ON and is_contract_lost(s):
        end_hand_by_contract(s, EndReason.SETTLED)


@rule
def end_stage_two_trick(s: ReveillePosition, led: int, reply: int, winner: int) -> None:
    """Add a finished trick of stage two to the score. Its winner leads next, unless the hand is over (rules 3.7)."""
    following, trumps = follow_suit_mask(s.contract, led), TRUMPS[s.contract]
    if not includes(following, reply):
        # If players must trump, a reply that neither follows suit nor is a trump shows that the hand has no trumps.
        no_trump = s.opt.must_ruff == MustRuff.YES and not includes(trumps, reply)
        s.barred[1 - s.leader] |= following | trumps if no_trump else following
    s.points[winner] += trick_points(led, reply)
    s.tricks[winner] += 1
    s.winners |= winner << s.trick
    s.trick += 1
    s.leader = winner
    set_only_acting(s, winner)
    if s.trick == TRICKS:
        end_hand_by_contract(s, EndReason.PLAYED_OUT)
    elif s.opt.auto_end == AutoEnd.ON and (is_contract_lost(s) or is_trump_contract_made(s)):  # RVL-19
        end_hand_by_contract(s, EndReason.SETTLED)


# --- the end of a hand ------------------------------------------------------------------------------------------------


@rule
def needs_all_tricks(s: ReveillePosition) -> bool:
    """Return whether a trump contract at 42 needs all seven tricks (`bid42=all_tricks`, RVL-2) instead of 42 points."""
    return s.opt.bid42 == Bid42.ALL_TRICKS and s.high == HIGHEST_BID and s.contract != NELLO


@rule
def is_trump_contract_made(s: ReveillePosition) -> bool:
    """Return whether the declarer of a trump contract has already won enough points or tricks. False for nello."""
    if s.contract == NELLO:
        return False
    if needs_all_tricks(s):
        return s.tricks[s.declarer] == TRICKS
    return s.points[s.declarer] >= s.high


@rule
def is_contract_lost(s: ReveillePosition) -> bool:
    """Return whether the declarer can no longer make the contract, whatever is played from now on."""
    opponent = 1 - s.declarer
    if s.contract == NELLO:
        return s.tricks[s.declarer] > 0
    if needs_all_tricks(s):
        return s.tricks[opponent] > 0
    return s.offer - s.points[opponent] < s.high


@rule
def end_hand_by_contract(s: ReveillePosition, how: int) -> None:
    """End the hand. The declarer gets the mark if the contract is made, else the opponent. `how` is the `EndReason`."""
    made = s.tricks[s.declarer] == 0 if s.contract == NELLO else is_trump_contract_made(s)
    end_hand_and_give_mark(s, s.declarer if made else 1 - s.declarer, how)


@rule
def end_hand_and_give_mark(s: ReveillePosition, mark_to: int, how: int) -> None:
    """End the hand and give a mark (point of the match) to the seat `mark_to`, or to none if it is `NO_SEAT`.

    `how` is the `EndReason`. End the match if a seat has `GOAL` marks, or if too many hands in a row had no mark.
    """
    s.phase = Phase.SCORING
    s.mark_to = mark_to
    s.ended = how
    if mark_to == NO_SEAT:
        s.thrown_in += 1
        if s.thrown_in >= THROW_IN_CAP:
            s.over = ABANDONED
    else:
        s.thrown_in = 0
        s.marks[mark_to] += 1
        if s.marks[mark_to] >= GOAL:
            s.over = DECIDED
    if s.over == RUNNING:
        set_all_acting(s)
    else:
        s.acting = 0


@rule
def returns(s: ReveillePosition, out: NDArray[np.float64]) -> None:
    """Write the final score of each seat to `out`: its marks, or 0 if the match was abandoned."""
    for seat in range(PLAYERS):
        out[seat] = 0 if s.over == ABANDONED else s.marks[seat]


# --- visibility of bones, and sampling of unknown bones ---------------------------------------------------------------


@rule
def shown(s: ReveillePosition, slot: int, viewer: int) -> bool:
    """Return whether a known bone is visible to the viewer now. Bones of finished stage-one tricks are not (RVL-20)."""
    if STAGE_ONE_SLOT <= slot < STAGE_TWO_SLOT:
        return s.phase <= Phase.DRAWING and slot >= STAGE_ONE_SLOT + 2 * s.trick
    return True


@rule
def mask_recalled(s: ReveillePosition) -> None:
    """In a view, reset the fields that players can know only from memory to their values at the start of a hand.

    After the contract has been named, `burnt` and `offer` stay unchanged, because the table then shows them.
    """
    s.taken[:] = s.barred[:] = 0
    if s.contract == NO_CONTRACT:
        s.burnt = 0
        s.offer = MAX_POINTS


@rule
def place_known(s: ReveillePosition, g: NDArray[np.uint32]) -> None:
    """In a view, fill unknown slots of each hand with the bones that it must have. The caller fills the other slots.

    A hand must have the bones that its seat took face up. In stage two, when the boneyard is empty, it must also have
    the bones that the other seat cannot have (`barred`). `g` is not used.
    """
    placed = mask_of_bones_in_slots(s, 0, SLOTS)
    for seat in range(PLAYERS):
        certain = (s.taken[seat] | s.barred[1 - seat]) & ~placed
        slot = seat * HAND
        for bone in range(BONES):
            if includes(certain, bone):
                while s.card[slot] != UNKNOWN:
                    slot += 1
                s.card[slot] = bone


@rule
def is_consistent(s: ReveillePosition, viewer: int) -> bool:
    """Sort both hands of a sampled world (random full deal), whose bones are in random order. Return True.

    Reveille's sampled worlds never contradict what the viewer knows. `viewer` is not used.
    """
    for seat in range(PLAYERS):
        write_sorted_hand(s, seat, s.card[seat * HAND : seat * HAND + s.hand_size[seat]].copy())
    return True


RULES = RuleSet(
    record=ReveillePosition,
    actions=ACTIONS,
    kinds=BONES,
    deck=deck,
    deal=deal,
    legal=legal,
    apply=apply,
    returns=returns,
    shown=shown,
    mask_recalled=mask_recalled,
    place_known=place_known,
    is_consistent=is_consistent,
    pause=Act.CONTINUE,
    action_kinds=Act,
    choices=CHOICES,
)
