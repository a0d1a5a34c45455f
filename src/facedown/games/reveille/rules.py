"""The rules of Reveille, compiled. Every ruling cited here (RVL-…) is in ``docs/rules/reveille.md``.

A hand has two stages of seven tricks with an auction between them. Suits, ranks and points are in `cards`.
Hands are kept sorted, highest bone first, so that the order of their slots says nothing; what the other player knows of
a hand is held by bone (`taken`), not by slot. The seats are 0 and 1: across from a seat sits 1 - seat.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from facedown.core.actions import ActionKind, ActionParameter, ParametersByKind
from facedown.core.bit_masks import includes, mark_acted_is_last, set_all_acting, set_only_acting
from facedown.core.field_types import Bits, ByKind, BySeat, BySlot, Card, Number, OneOf, Seat, SlotGroup, Unobserved
from facedown.core.hidden_cards import clear, put
from facedown.core.random_numbers import generator, seat_by_chance, shuffle, stack_deck
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
    counter_points,
    follow_suit_mask,
    legal_replies,
    nonnegative_index,
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
#: Bones in a full hand, and tricks in a stage.
HAND = 7
TRICKS = 7
#: The set of all bones.
ALL_BONES = (1 << BONES) - 1
#: The last bit of a set of bones, which has 32.
LAST_BIT = 31

# --- slots: two hands, the bone that lies face up, the face-down boneyard, and the tricks of both stages (lead, reply)
UP_SLOT = PLAYERS * HAND
YARD = UP_SLOT + 1
#: The boneyard before its first bone is turned up.
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
    """Where a hand stands. The first three are stage one; with `boneyard_pick=index` players are asked for a bone."""

    TURNING_UP = 0
    STAGE_ONE = 1
    DRAWING = 2
    AUCTION = 3
    NAMING = 4
    STAGE_TWO = 5
    SCORING = 6


class EndReason(IntEnum):
    """How a hand ended."""

    PLAYED_OUT = 0
    CLAIMED = 1
    CLAIMED_FALSELY = 2
    SETTLED = 3
    THROWN_IN = 4
    STAGE_ONE = 5
    """After stage one, where it is all that is played (RVL-21)."""


#: A pass among the calls, and the standing bid when there is none.
NO_BID = 0
#: A pass, all bids from the lowest to the highest.
MOST_CALLS = 1 + HIGHEST_BID - LOWEST_BID + 1
#: In place of a seat: nobody.
NO_SEAT = -1
#: First to this many marks wins the match.
GOAL = 7
#: Guard against endless play (rules 3.10): this many hands thrown in, one after the other.
THROW_IN_CAP = 50


class ReveillePosition(Position):
    """A match of Reveille. Slots: seven for each hand, the face-up bone, the boneyard, fourteen for each stage."""

    opt: ReveilleOptions
    hand_number: Annotated[I2, Number(0, 30)]
    """The number of the hand, from 1."""
    dealer: Annotated[I1, Seat()]
    """Who has dealt this hand."""
    phase: Annotated[I1, OneOf(len(Phase))]
    """Which `Phase` the hand is at."""
    leader: Annotated[I1, Seat()]
    """Who leads, or led, to the current trick."""
    trick: Annotated[I1, Number(0, TRICKS)]
    """Finished tricks of the current stage; it starts anew with stage two."""
    yard_count: Annotated[I1, Number(0, YARD_BONES)]
    """Bones left in the face-down boneyard."""
    hand_size: Annotated[Ints, "i1", (PLAYERS,), BySeat(Number(0, HAND))]
    """Bones in each hand."""
    opener: Annotated[I1, Seat()]
    """Who speaks first in the auction; from then on they take turns."""
    call_count: Annotated[I1, Number(0, MOST_CALLS)]
    """How many calls there were in the auction."""
    calls: Annotated[Ints, "i1", (MOST_CALLS,), ByKind(Number(0, HIGHEST_BID))]
    """The auction in order: a bid's number, `NO_BID` for a pass."""
    high: Annotated[I1, Number(0, HIGHEST_BID)]
    """The standing bid, or `NO_BID`."""
    declarer: Annotated[I1, Seat()]
    """Who made the standing bid, or `NO_SEAT`."""
    contract: Annotated[I1, OneOf(NO_CONTRACT + 1)]
    """The trump suit, 0 to 6; 7 for nello, 8 for none."""
    winners: Annotated[I1, Bits(TRICKS)]
    """Stage two: bit k is the seat that won trick k."""
    points: Annotated[Ints, "i1", (PLAYERS,), BySeat(Number(0, MAX_POINTS))]
    """The points that each seat has taken in this stage."""
    tricks: Annotated[Ints, "i1", (PLAYERS,), BySeat(Number(0, TRICKS))]
    """The tricks that each seat has taken in this stage."""
    offer: Annotated[I1, Number(0, MAX_POINTS)]
    """The points that stage two is worth: 42 less the counters burnt in stage one."""
    burnt: Annotated[I4, Bits(BONES)]
    """The set of counters burnt in stage one."""
    taken: Annotated[Ints, "i4", (PLAYERS,), BySeat(Bits(BONES))]
    """Bones taken openly that are still in the seat's hand: known to all by recall."""
    barred: Annotated[Ints, "i4", (PLAYERS,), BySeat(Bits(BONES))]
    """Bones that the seat cannot hold, because it did not follow suit in stage two."""
    marks: Annotated[Ints, "i1", (PLAYERS,), BySeat(Number(0, GOAL))]
    """The marks of each seat: the first to seven wins."""
    mark_to: Annotated[I1, Seat()]
    """Who got the mark of the hand that ended, or `NO_SEAT`."""
    ended: Annotated[I1, OneOf(len(EndReason))]
    """How the hand ended."""
    thrown_in: Annotated[I1, Number(0, THROW_IN_CAP)]
    """Hands thrown in, one after the other, up to now."""
    card: Annotated[Ints, "i1", (SLOTS,), BySlot(Card(BONES), *PARTS)]
    known: Annotated[Ints, "i2", (SLOTS,), Unobserved("it follows from where a bone lies")]


class Act(ActionKind):
    """What can be done: ``PLAY + bone``, ``BIDS + bid``, ``TRUMP + contract`` (nello, too), ``PICK + place``."""

    PLAY = 0
    """Plus a bone: lead or reply with it."""
    PASS = PLAY + BONES
    """Pass in the auction."""
    BID = PASS + 1
    """Plus a bid, less 4: bid so many points."""
    TRUMP = BID + HIGHEST_BID - LOWEST_BID + 1
    """Plus a suit: name it as trumps."""
    NELLO = TRUMP + NUMBERS
    """Name nello: to take no trick, without trumps."""
    CLAIM = NELLO + 1
    """Claim that the points of finished tricks reach the bid."""
    PICK = CLAIM + 1
    """Plus a place of the boneyard: draw this bone, with `boneyard_pick=index`."""
    CONTINUE = PICK + YARD_BONES
    """Go on to the next hand."""


CHOICES: ParametersByKind = {
    Act.PLAY: (ActionParameter("bone", range(BONES)),),
    Act.BID: (ActionParameter("bid", range(LOWEST_BID, HIGHEST_BID + 1), Number(0, HIGHEST_BID)),),
    Act.TRUMP: (ActionParameter("suit", range(NUMBERS)),),
    Act.PICK: (ActionParameter("place", range(YARD_BONES)),),
}


#: A bid is the action ``BIDS + bid``.
BID_OFFSET = Act.BID - LOWEST_BID
ACTIONS = Act.CONTINUE + 1


@rule
def bone_counts(opt: ReveilleOptions) -> tuple[int, int]:
    """How many bones are dealt to each hand, and how many are played with: all, but in small variants (RVL-21)."""
    if opt.stages == Stages.BOTH:
        return HAND, BONES
    return opt.bones, PLAYERS * opt.bones + PLAYERS * (opt.tricks if opt.tricks > 0 else opt.bones)


def deck(seats: int, options: ReveilleOptions) -> Sequence[int]:
    """How many bones of each kind there are: one, but for those that a small variant leaves out (RVL-21)."""
    used = python_function(bone_counts)(options)[1]
    return [1 if bone < used else 0 for bone in range(BONES)]


# --- dealing --------------------------------------------------------------------------------------------------------


@rule
def deal(s: ReveillePosition, deck: NDArray[np.int64], first: int) -> None:
    """Deal the first hand; `first` is the dealer, or -1 for chance."""
    s.dealer = seat_by_chance(s, first)
    deal_hand(s, deck)


@rule
def deal_hand(s: ReveillePosition, deck: NDArray[np.int64]) -> None:
    """Shuffle all bones and deal a hand (rules 3.3); `deck` may name the first bones from the top."""
    each, all_bones = bone_counts(s.opt)
    bones = np.arange(BONES)
    g = generator(s.key, s.stream)
    s.stream += 1
    shuffle(g, bones, stack_deck(bones, all_bones, deck), all_bones, all_bones)
    clear_table(s)
    s.leader = s.opener = 1 - s.dealer
    lay_sorted(s, s.leader, bones[:each])
    lay_sorted(s, s.dealer, bones[each : 2 * each])
    for seat in range(PLAYERS):
        s.hand_size[seat] = each
        s.known[seat * HAND : seat * HAND + each] = 1 << seat
    lay_yard(s, bones[2 * each : all_bones])
    s.hand_number += 1
    reveal_next_bone(s)


@rule
def clear_table(s: ReveillePosition) -> None:
    """No bone lies anywhere, and nothing of the hand before counts any more."""
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
def bone_mask(s: ReveillePosition, first: int, end: int) -> int:
    """The bones in a row of slots as a set; `EMPTY` and `UNKNOWN` become its bits 30 and 31, which are no bones."""
    bones = 0
    for slot in range(first, end):
        bones |= 1 << (s.card[slot] & LAST_BIT)
    return bones & ALL_BONES


@rule
def hand_mask(s: ReveillePosition, seat: int) -> int:
    """The bones of a hand as a set."""
    first = nonnegative_index(seat) * HAND
    return bone_mask(s, first, first + HAND)


# The loops below run over all seven slots of a hand, whatever its size, and choose values instead of branching: which
# bones are higher cannot be foreseen.


@rule
def lay_sorted(s: ReveillePosition, seat: int, bones: Ints) -> None:
    """Lay the bones of a seat's hand, sorted: each bone's place is how many of the others are higher."""
    first = nonnegative_index(seat) * HAND
    for i in range(len(bones)):
        place = first
        for bone in bones:
            place += 1 if bone > bones[i] else 0
        s.card[place] = bones[i]


@rule
def add_to_hand(s: ReveillePosition, seat: int, bone: int) -> None:
    """Add a bone to a hand, which stays sorted; only its owner sees it."""
    seat = nonnegative_index(seat)
    first = seat * HAND
    size = nonnegative_index(s.hand_size[seat])
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
    """Play a bone from a hand face up to a slot; the hand closes up."""
    seat = nonnegative_index(seat)
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


# --- the boneyard: by chance the last place is used; with `boneyard_pick=index` the players pick one ------------------


@rule
def lay_yard(s: ReveillePosition, bones: Ints) -> None:
    """Lay the boneyard; where nobody picks, the bone to be used first lies last, so that nothing has to close up."""
    s.yard_count = len(bones)
    picked = s.opt.boneyard_pick == BoneyardPick.INDEX
    for place in range(len(bones)):
        put(s, YARD + place, bones[place if picked else len(bones) - 1 - place], 0)


@rule
def ask_for_pick(s: ReveillePosition, seat: int, phase: Phase) -> bool:
    """Is the seat to pick a place of the boneyard? Then it is asked for one in this phase."""
    if s.opt.boneyard_pick != BoneyardPick.INDEX:
        return False
    s.phase = phase
    set_only_acting(s, seat)
    return True


@rule
def take_from_yard(s: ReveillePosition, place: int) -> int:
    """Take the bone at a place of the boneyard, which closes up; nobody sees it yet."""
    bone = s.card[YARD + nonnegative_index(place)]
    s.yard_count -= 1
    last = YARD + nonnegative_index(s.yard_count)
    for slot in range(YARD + nonnegative_index(place), last):
        s.card[slot] = s.card[slot + 1]
    clear(s, last)
    return bone


@rule
def reveal_next_bone(s: ReveillePosition) -> None:
    """The dealer turns a bone up (RVL-12), then the leader leads; with no bone left stage one is over."""
    if s.yard_count == 0:
        if s.opt.stages == Stages.BOTH:
            start_auction(s)
        else:
            end_stage_one(s)
    elif not ask_for_pick(s, s.dealer, Phase.TURNING_UP):
        turn_up(s, s.yard_count - 1)


@rule
def turn_up(s: ReveillePosition, place: int) -> None:
    """Turn the bone at a place of the boneyard up, for the winner of the next trick."""
    put(s, UP_SLOT, take_from_yard(s, place), EVERYONE)
    s.phase = Phase.STAGE_ONE
    set_only_acting(s, s.leader)


@rule
def draw(s: ReveillePosition, seat: int, place: int) -> None:
    """The loser of a trick draws a bone that the winner does not see (RVL-11: always)."""
    add_to_hand(s, seat, take_from_yard(s, place))
    reveal_next_bone(s)


# --- legal actions ----------------------------------------------------------------------------------------------------


@rule
def legal(s: ReveillePosition, seat: int, out: NDArray[np.int32]) -> int:
    """Write the legal actions of a seat, ascending; return how many there are."""
    if not includes(s.acting, seat):
        return 0
    if s.phase == Phase.STAGE_ONE or s.phase == Phase.STAGE_TWO:
        return legal_plays(s, seat, out)
    if s.phase == Phase.AUCTION:
        lowest = max(LOWEST_BID, s.high + 1)
        out[0] = Act.PASS
        return append_actions(out, 1, BID_OFFSET + lowest, HIGHEST_BID - lowest + 1)
    if s.phase == Phase.NAMING:  # RVL-18; nello at 42 only
        return append_actions(out, 0, Act.TRUMP, NUMBERS + 1 if s.high == HIGHEST_BID else NUMBERS)
    if s.phase == Phase.SCORING:
        return append_actions(out, 0, Act.CONTINUE, 1)
    return append_actions(out, 0, Act.PICK, s.yard_count)


@rule
def append_actions(out: NDArray[np.int32], n: int, action: int, count: int) -> int:
    """Append `count` actions from this one on; return how many there are then."""
    for i in range(count):
        out[n + i] = action + i
    return n + count


@rule
def legal_plays(s: ReveillePosition, seat: int, out: NDArray[np.int32]) -> int:
    """Write the bones that may be played, lowest first, and the claim; return how many actions there are."""
    bones = hand_mask(s, seat)
    if seat != s.leader:
        bones = legal_replies(s.contract, led_bone(s), bones, s.opt.must_ruff == MustRuff.YES)
    n = 0
    first = nonnegative_index(seat) * HAND
    for slot in range(first + HAND - 1, first - 1, -1):
        bone = s.card[slot]
        out[n] = Act.PLAY + bone
        n += bones >> (bone & LAST_BIT) & 1
    if s.phase == Phase.STAGE_TWO and may_claim(s, seat):
        out[n] = Act.CLAIM
        n += 1
    return n


@rule
def may_claim(s: ReveillePosition, seat: int) -> bool:
    """Is the seat the declarer of a contract in which a claim could be true (rules 3.7, RVL-13)?"""
    return (
        seat == s.declarer and s.contract != NELLO and s.high < HIGHEST_BID and s.opt.auto_end == AutoEnd.OFF  # RVL-19
    )


@rule
def trick_slot(s: ReveillePosition) -> int:
    """The slot of the lead to the current trick; the reply lies in the next one."""
    return (STAGE_TWO_SLOT if s.phase == Phase.STAGE_TWO else STAGE_ONE_SLOT) + 2 * nonnegative_index(s.trick)


@rule
def led_bone(s: ReveillePosition) -> int:
    """The bone led to the current trick."""
    return s.card[trick_slot(s)]


# --- playing ----------------------------------------------------------------------------------------------------------


@rule
def apply(s: ReveillePosition, seat: int, action: int) -> None:
    """Play a legal action."""
    if action < Act.PASS:
        play(s, seat, action - Act.PLAY)
    elif action == Act.PASS:
        call(s, seat, NO_BID)
    elif action < Act.TRUMP:
        call(s, seat, action - BID_OFFSET)
    elif action < Act.CLAIM:
        name_contract(s, seat, action - Act.TRUMP)
    elif action == Act.CLAIM:  # RVL-15: true or false, it ends the hand
        is_true = s.points[seat] >= s.high
        end_hand(s, seat if is_true else 1 - seat, EndReason.CLAIMED if is_true else EndReason.CLAIMED_FALSELY)
    elif action < Act.CONTINUE:
        if s.phase == Phase.DRAWING:
            draw(s, seat, action - Act.PICK)
        else:
            turn_up(s, action - Act.PICK)
    elif mark_acted_is_last(s, seat):
        s.dealer = 1 - s.dealer
        deal_hand(s, np.empty(0, np.int64))


@rule
def play(s: ReveillePosition, seat: int, bone: int) -> None:
    """Lead to a trick, or reply and see who wins it."""
    slot = trick_slot(s)
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
    """Burn the trick; the winner takes the face-up bone, the loser draws (rules 3.4)."""
    s.offer -= counter_points(led, reply)
    s.burnt |= (1 << led | 1 << reply) & ALL_COUNTERS
    s.trick += 1
    s.leader = winner  # RVL-10
    prize = s.card[UP_SLOT]
    clear(s, UP_SLOT)
    add_to_hand(s, winner, prize)
    s.taken[winner] |= 1 << prize
    loser = 1 - winner
    if not ask_for_pick(s, loser, Phase.DRAWING):
        draw(s, loser, s.yard_count - 1)


@rule
def end_stage_one(s: ReveillePosition) -> None:
    """Where stage one is all that is played both show their hands, and more pips get the mark (RVL-21)."""
    ahead = 0
    s.known[: PLAYERS * HAND] = EVERYONE
    for slot in range(PLAYERS * HAND):
        if s.card[slot] != EMPTY:
            ahead += PIPS[s.card[slot]] if slot < HAND else -PIPS[s.card[slot]]
    end_hand(s, NO_SEAT if ahead == 0 else 0 if ahead > 0 else 1, EndReason.STAGE_ONE)
    s.over = DECIDED
    s.acting = 0


@rule
def start_auction(s: ReveillePosition) -> None:
    """The boneyard is empty: the players bid (rules 3.5). From the deal on the opener is who did not deal (RVL-3)."""
    s.phase = Phase.AUCTION
    if s.opt.first_bid != FirstBid.NONDEALER:
        s.opener = s.dealer if s.opt.first_bid == FirstBid.DEALER else s.leader
    set_only_acting(s, s.opener)


@rule
def call(s: ReveillePosition, seat: int, bid: int) -> None:
    """Bid, or pass (`NO_BID`). The other player speaks next, also after a pass, unless the auction is over."""
    other_passed = s.call_count > 0 and s.calls[s.call_count - 1] == NO_BID
    s.calls[s.call_count] = bid
    s.call_count += 1
    if bid != NO_BID:
        s.high = bid
        s.declarer = seat
        over = bid == HIGHEST_BID or (other_passed and s.opt.pass_final == PassFinal.YES)  # RVL-4
    elif other_passed:
        end_hand(s, NO_SEAT, EndReason.THROWN_IN)  # RVL-6
        return
    else:
        over = s.high != NO_BID
    if over:
        s.phase = Phase.NAMING
    set_only_acting(s, s.declarer if over else 1 - seat)


@rule
def name_contract(s: ReveillePosition, seat: int, contract: int) -> None:
    """The declarer names trumps or nello and leads to the first trick of stage two (rules 3.6)."""
    s.contract = contract
    s.phase = Phase.STAGE_TWO
    s.trick = 0
    s.leader = seat
    set_only_acting(s, seat)
    if s.opt.auto_end == AutoEnd.ON and is_contract_lost(s):
        score_hand(s, EndReason.SETTLED)


@rule
def end_stage_two_trick(s: ReveillePosition, led: int, reply: int, winner: int) -> None:
    """Score a trick of stage two; the winner leads on, until the last bone is played (rules 3.7)."""
    following, trumps = follow_suit_mask(s.contract, led), TRUMPS[s.contract]
    if not includes(following, reply):
        # Who should ruff and did not holds no trump either.
        no_trump = s.opt.must_ruff == MustRuff.YES and not includes(trumps, reply)
        s.barred[1 - s.leader] |= following | trumps if no_trump else following
    s.points[winner] += trick_points(led, reply)
    s.tricks[winner] += 1
    s.winners |= winner << s.trick
    s.trick += 1
    s.leader = winner
    set_only_acting(s, winner)
    if s.trick == TRICKS:
        score_hand(s, EndReason.PLAYED_OUT)
    elif s.opt.auto_end == AutoEnd.ON and (is_contract_lost(s) or is_contract_made(s)):  # RVL-19
        score_hand(s, EndReason.SETTLED)


# --- the end of a hand ------------------------------------------------------------------------------------------------


@rule
def needs_all_tricks(s: ReveillePosition) -> bool:
    """Does this contract need every trick instead of points (RVL-2)?"""
    return s.opt.bid42 == Bid42.ALL_TRICKS and s.high == HIGHEST_BID and s.contract != NELLO


@rule
def is_contract_made(s: ReveillePosition) -> bool:
    """Has the declarer of a trump contract won what it needs?"""
    if s.contract == NELLO:
        return False
    if needs_all_tricks(s):
        return s.tricks[s.declarer] == TRICKS
    return s.points[s.declarer] >= s.high


@rule
def is_contract_lost(s: ReveillePosition) -> bool:
    """Can the contract no longer be made, whatever is played?"""
    opponent = 1 - s.declarer
    if s.contract == NELLO:
        return s.tricks[s.declarer] > 0
    if needs_all_tricks(s):
        return s.tricks[opponent] > 0
    return s.offer - s.points[opponent] < s.high


@rule
def score_hand(s: ReveillePosition, how: int) -> None:
    """Give the mark (rules 3.8): nello is made without a trick (RVL-17), a trump contract with what it needs."""
    made = s.tricks[s.declarer] == 0 if s.contract == NELLO else is_contract_made(s)
    end_hand(s, s.declarer if made else 1 - s.declarer, how)


@rule
def end_hand(s: ReveillePosition, to: int, how: int) -> None:
    """End the hand with a mark for a seat, or for nobody (`NO_SEAT`); see whether the match is over."""
    s.phase = Phase.SCORING
    s.mark_to = to
    s.ended = how
    if to == NO_SEAT:
        s.thrown_in += 1
        if s.thrown_in >= THROW_IN_CAP:
            s.over = ABANDONED
    else:
        s.thrown_in = 0
        s.marks[to] += 1
        if s.marks[to] >= GOAL:
            s.over = DECIDED
    if s.over == RUNNING:
        set_all_acting(s)
    else:
        s.acting = 0


@rule
def returns(s: ReveillePosition, out: NDArray[np.float64]) -> None:
    """Each seat's marks. Nobody wins an abandoned match: all zero."""
    for seat in range(PLAYERS):
        out[seat] = 0 if s.over == ABANDONED else s.marks[seat]


# --- what is seen, and the worlds that fit it -------------------------------------------------------------------------


@rule
def shown(s: ReveillePosition, slot: int, viewer: int) -> bool:
    """Everything known lies open but the burnt tricks (RVL-20)."""
    if STAGE_ONE_SLOT <= slot < STAGE_TWO_SLOT:
        return s.phase <= Phase.DRAWING and slot >= STAGE_ONE_SLOT + 2 * s.trick
    return True


@rule
def mask_recalled(s: ReveillePosition) -> None:
    """What only a good memory knows: who took which bone, who is out of what, and the burnt counters.

    Once a contract stands, the points that it can still bring are stated on the table, with the counters they lack.
    """
    s.taken[:] = s.barred[:] = 0
    if s.contract == NO_CONTRACT:
        s.burnt = 0
        s.offer = MAX_POINTS


@rule
def place_known(s: ReveillePosition, g: NDArray[np.uint32]) -> None:
    """Place the bones that are certain to be in a hand: those taken openly, and those the other cannot hold.

    `barred` says something in stage two only, when the boneyard is empty: what one cannot hold the other does.
    """
    placed = bone_mask(s, 0, SLOTS)
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
    """Every filling fits; the filled hands are only sorted, as hands are."""
    for seat in range(PLAYERS):
        lay_sorted(s, seat, s.card[seat * HAND : seat * HAND + s.hand_size[seat]].copy())
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
