"""The rules of Reveille, compiled. Every ruling cited here (RVL-…) is in ``docs/rules/reveille.md``.

A hand has two stages of seven tricks with an auction between them. Suits, ranks and points are in `bones`.
Hands are kept sorted, highest bone first, so that the order of their slots says nothing; what the other player knows of
a hand is held by bone (`taken`), not by slot.
"""

from __future__ import annotations

from typing import Annotated, Protocol

import numpy as np
from numpy.typing import NDArray

from facedown.core.chance import below, generator, shuffle, stack
from facedown.core.options import index_of
from facedown.core.rule import rule, wide
from facedown.core.slots import clear, put
from facedown.core.state import (
    ABANDONED,
    DECIDED,
    EMPTY,
    EVERYONE,
    I1,
    MAX_SEATS,
    NOBODY,
    OPEN,
    RUNNING,
    U1,
    U2,
    UNKNOWN,
    Common,
    layout,
)
from facedown.games.reveille import OPTIONS
from facedown.games.reveille.bones import (
    BONES,
    COUNTER,
    LED_SUIT,
    MEMBERS,
    NELLO,
    NO_CONTRACT,
    NUMBERS,
    POINTS,
    TRUMPS,
    legal_replies,
    reply_wins,
    trick_points,
)

PLAYERS = 2
KINDS = BONES
#: Bones in a full hand, and tricks in a stage.
HAND = 7
TRICKS = 7
BOTH = 0b11
ALL_BONES = (1 << BONES) - 1
#: A set of bones has 32 bits.
BIT = 31

# --- slots: two hands, the bone that lies face up, the face-down boneyard, and the tricks of both stages (lead, reply)
UP = PLAYERS * HAND
YARD = UP + 1
#: The boneyard before its first bone is turned up.
YARD_BONES = BONES - PLAYERS * HAND
FIRST_STAGE = YARD + YARD_BONES
SECOND_STAGE = FIRST_STAGE + 2 * TRICKS
SLOTS = SECOND_STAGE + 2 * TRICKS

# --- phases; the first three are stage one
TURN_UP = 0
PLAY_ONE = 1
DRAW = 2
AUCTION = 3
DECLARE = 4
PLAY_TWO = 5
SCORING = 6

# --- actions
PLAY = 0
PASS = PLAY + BONES
LOWEST_BID = 4
HIGHEST_BID = POINTS
BID = PASS + 1
NAME = BID + HIGHEST_BID - LOWEST_BID + 1
NAME_NELLO = NAME + NELLO
CLAIM = NAME_NELLO + 1
PICK = CLAIM + 1
CONTINUE = PICK + YARD_BONES
ACTIONS = CONTINUE + 1

#: A pass, all bids from the lowest to the highest.
MOST_CALLS = 1 + HIGHEST_BID - LOWEST_BID + 1
#: First to this many marks wins the match.
GOAL = 7
#: Guard against endless play (rules 3.10): this many hands thrown in, one after the other.
THROW_IN_CAP = 50

# --- how a hand ended
PLAYED_OUT = 0
CLAIMED = 1
CLAIMED_FALSELY = 2
SETTLED = 3
THROWN_IN = 4

# --- options, as positions in the encoded array
_AT = {o.name: index_of(OPTIONS.options, o.name) for o in OPTIONS.options}
AT_BONEYARD_PICK = _AT["boneyard_pick"]
AT_FIRST_BID = _AT["first_bid"]
AT_PASS_FINAL = _AT["pass_final"]
AT_BID42 = _AT["bid42"]
AT_MUST_RUFF = _AT["must_ruff"]
AT_AUTO_END = _AT["auto_end"]
BY_DEALER = 1
BY_LAST_WINNER = 2


class State(Common, Protocol):
    """A match of Reveille. Slots: seven for each hand, the face-up bone, the boneyard, fourteen for each stage."""

    picked: U1
    first_bid: U1
    pass_final: U1
    all_tricks: U1
    must_ruff: U1
    auto_end: U1
    hand_number: U2
    dealer: U1
    phase: U1
    leader: U1
    """Who leads, or led, to the current trick."""
    trick: U1
    """Finished tricks of the current stage; it starts anew with stage two."""
    yard_count: U1
    hand_size: Annotated[NDArray[np.uint8], "u1", (PLAYERS,)]
    opener: U1
    """Who speaks first in the auction; from then on they take turns."""
    call_count: U1
    calls: Annotated[NDArray[np.uint8], "u1", (MOST_CALLS,)]
    """The auction in order: a bid's number, 0 for a pass."""
    high: U1
    """The standing bid, 0 for none."""
    declarer: I1
    """Who made the standing bid; -1 for nobody."""
    contract: U1
    winners: U1
    """Stage two: bit k is the seat that won trick k."""
    points: Annotated[NDArray[np.uint8], "u1", (PLAYERS,)]
    tricks: Annotated[NDArray[np.uint8], "u1", (PLAYERS,)]
    offer: U1
    """The points that stage two is worth: 42 less the counters burnt in stage one."""
    burnt: Annotated[int, "u4"]
    """The set of counters burnt in stage one."""
    taken: Annotated[NDArray[np.uint32], "u4", (PLAYERS,)]
    """Bones taken openly that are still in the seat's hand: known to all by recall."""
    barred: Annotated[NDArray[np.uint32], "u4", (PLAYERS,)]
    """Bones that the seat cannot hold, because it did not follow suit in stage two."""
    marks: Annotated[NDArray[np.uint8], "u1", (PLAYERS,)]
    mark_to: I1
    """Who got the mark of the hand that ended; -1 for nobody."""
    ended: U1
    """How the hand ended."""
    thrown_in: U1
    """Hands thrown in, one after the other, up to now."""
    card: Annotated[NDArray[np.uint8], "u1", (SLOTS,)]
    known: Annotated[NDArray[np.uint16], "u2", (SLOTS,)]


DTYPE = layout(State)


def deck(seats: int, options: NDArray[np.int32], counts: NDArray[np.int32]) -> None:
    """Write how many bones of each kind there are: one."""
    counts[:] = 1


# --- dealing --------------------------------------------------------------------------------------------------------


@rule
def deal(
    s: State,
    seats: int,
    options: NDArray[np.int32],
    key: NDArray[np.uint32],
    deck: NDArray[np.uint8],
    first: int,
) -> None:
    """Set up a match and deal its first hand; `first` is the dealer, or -1 for chance."""
    s.seats = seats
    s.viewer = NOBODY
    for i in range(8):
        s.key[i] = key[i]
    s.picked = options[AT_BONEYARD_PICK]
    s.first_bid = options[AT_FIRST_BID]
    s.pass_final = options[AT_PASS_FINAL]
    s.all_tricks = options[AT_BID42]
    s.must_ruff = options[AT_MUST_RUFF]
    s.auto_end = options[AT_AUTO_END]
    s.over = RUNNING
    s.stream = 0
    s.hand_number = 0
    s.thrown_in = 0
    for seat in range(MAX_SEATS):
        s.sealed[seat] = OPEN
    for seat in range(PLAYERS):
        s.marks[seat] = 0
    dealer = first
    if dealer < 0:
        dealer = below(generator(s.key, wide(s.stream)), seats)
    s.stream += 1
    s.dealer = dealer
    deal_hand(s, deck)


@rule
def deal_hand(s: State, deck: NDArray[np.uint8]) -> None:
    """Shuffle all bones and deal a hand (rules 3.3); `deck` may name the first bones from the top."""
    cards = np.empty(BONES, np.uint8)
    for bone in range(BONES):
        cards[bone] = bone
    g = generator(s.key, wide(s.stream))
    s.stream += 1
    shuffle(g, cards, stack(cards, BONES, deck), BONES, BONES)

    for slot in range(SLOTS):
        s.card[slot] = EMPTY
        s.known[slot] = EVERYONE
    for seat in range(PLAYERS):
        s.points[seat] = 0
        s.tricks[seat] = 0
        s.taken[seat] = 0
        s.barred[seat] = 0
    other = 1 - int(s.dealer)
    deal_bones(s, other, cards[:HAND])
    deal_bones(s, 1 - other, cards[HAND : 2 * HAND])
    s.yard_count = YARD_BONES
    for place in range(YARD_BONES):
        # By chance: the last place is used first, so that nothing has to close up.
        at = PLAYERS * HAND + place if s.picked == 1 else BONES - 1 - place
        put(s, YARD + place, cards[at], 0)
    s.hand_number += 1
    s.trick = 0
    s.leader = other
    s.call_count = 0
    for i in range(MOST_CALLS):
        s.calls[i] = 0
    s.high = 0
    s.opener = other
    s.declarer = -1
    s.contract = NO_CONTRACT
    s.winners = 0
    s.offer = POINTS
    s.burnt = 0
    s.mark_to = -1
    s.ended = PLAYED_OUT
    next_bone(s)


# --- hands and boneyard -----------------------------------------------------------------------------------------------


@rule
def hand_of(s: State, seat: int) -> int:
    """The bones of a hand as a set."""
    bones = 0
    for slot in range(seat * HAND, seat * HAND + HAND):
        # `EMPTY` and `UNKNOWN` become bits 30 and 31, which are no bones.
        bones |= 1 << (int(s.card[slot]) & BIT)
    return bones & ALL_BONES


# The loops below run over all seven slots of a hand, whatever its size: random bones make branches that no processor
# foresees, and choosing between two values costs less than a branch mistaken.


@rule
def deal_bones(s: State, seat: int, cards: NDArray[np.uint8]) -> None:
    """Give a seat a whole hand, sorted: each bone's place is how many of the others are higher."""
    first = seat * HAND
    for i in range(HAND):
        place = first
        for j in range(HAND):
            place += 1 if cards[j] > cards[i] else 0
        s.card[place] = cards[i]
        s.known[first + i] = 1 << seat
    s.hand_size[seat] = HAND


@rule
def add_to_hand(s: State, seat: int, bone: int) -> None:
    """Add a bone to a hand, which stays sorted; only its owner sees it."""
    first = seat * HAND
    size = int(s.hand_size[seat])
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
def lay(s: State, seat: int, bone: int, target: int) -> None:
    """Play a bone from a hand face up to a slot; the hand closes up."""
    first = seat * HAND
    last = first + HAND - 1
    passed = 0
    for slot in range(first, last):
        passed |= 1 if s.card[slot] == bone else 0
        s.card[slot] = s.card[slot + passed]
    s.card[last] = EMPTY
    s.hand_size[seat] -= 1
    s.known[first + int(s.hand_size[seat])] = EVERYONE
    put(s, target, bone, EVERYONE)
    s.taken[seat] = int(s.taken[seat]) & ~(1 << bone)


@rule
def take_from_yard(s: State, place: int) -> int:
    """Take the bone at a place of the boneyard, which closes up; nobody sees it yet."""
    bone = int(s.card[YARD + place])
    s.yard_count -= 1
    last = YARD + int(s.yard_count)
    for slot in range(YARD + place, last):
        s.card[slot] = s.card[slot + 1]
    clear(s, last)
    return bone


@rule
def next_bone(s: State) -> None:
    """The dealer turns a bone up (RVL-12), then the leader leads; with no bone left stage one is over."""
    if s.yard_count == 0:
        start_auction(s)
    elif s.picked == 1:
        s.phase = TURN_UP
        s.acting = 1 << int(s.dealer)
    else:
        turn_up(s, int(s.yard_count) - 1)


@rule
def turn_up(s: State, place: int) -> None:
    """Turn the bone at a place of the boneyard up, for the winner of the next trick."""
    put(s, UP, take_from_yard(s, place), EVERYONE)
    s.phase = PLAY_ONE
    s.acting = 1 << int(s.leader)


@rule
def draw(s: State, seat: int, place: int) -> None:
    """The loser of a trick draws a bone that the winner does not see (RVL-11: always)."""
    add_to_hand(s, seat, take_from_yard(s, place))
    next_bone(s)


# --- legal actions ----------------------------------------------------------------------------------------------------


@rule
def legal(s: State, seat: int, out: NDArray[np.int32]) -> int:
    """Write the legal actions of a seat, ascending; return how many there are."""
    if not int(s.acting) >> seat & 1:
        return 0
    n = 0
    if s.phase == PLAY_ONE or s.phase == PLAY_TWO:
        playable = hand_of(s, seat)
        if seat != s.leader:
            playable = legal_replies(int(s.contract), lead(s), playable, s.must_ruff == 1)
        # Hands are sorted downwards.
        first = seat * HAND
        for slot in range(first + HAND - 1, first - 1, -1):
            bone = int(s.card[slot])
            out[n] = PLAY + bone
            n += playable >> (bone & BIT) & 1
        if s.phase == PLAY_TWO and may_claim(s, seat):
            out[n] = CLAIM
            n += 1
        return n
    if s.phase == AUCTION:
        out[0] = PASS
        n = 1
        for bid in range(max(LOWEST_BID, int(s.high) + 1), HIGHEST_BID + 1):
            out[n] = BID + bid - LOWEST_BID
            n += 1
        return n
    if s.phase == DECLARE:
        n = NUMBERS + 1 if s.high == HIGHEST_BID else NUMBERS  # RVL-18; nello at 42 only
        for contract in range(n):
            out[contract] = NAME + contract
        return n
    if s.phase == SCORING:
        out[0] = CONTINUE
        return 1
    n = int(s.yard_count)
    for place in range(n):
        out[place] = PICK + place
    return n


@rule
def may_claim(s: State, seat: int) -> bool:
    """Is the seat the declarer of a contract in which a claim could be true (rules 3.7, RVL-13)?"""
    return bool(seat == s.declarer and s.contract != NELLO and s.high < HIGHEST_BID and s.auto_end == 0)


@rule
def lead(s: State) -> int:
    """The bone led to the current trick."""
    first = SECOND_STAGE if s.phase == PLAY_TWO else FIRST_STAGE
    return int(s.card[first + 2 * int(s.trick)])


# --- playing ----------------------------------------------------------------------------------------------------------


@rule
def apply(s: State, seat: int, action: int) -> None:
    """Play a legal action."""
    if action < PASS:
        play(s, seat, action - PLAY)
    elif action == PASS:
        call(s, seat, 0)
    elif action < NAME:
        call(s, seat, action - BID + LOWEST_BID)
    elif action < CLAIM:
        name(s, seat, action - NAME)
    elif action == CLAIM:
        claim(s, seat)
    elif action < CONTINUE:
        if s.phase == DRAW:
            draw(s, seat, action - PICK)
        else:
            turn_up(s, action - PICK)
    else:
        s.acting = int(s.acting) & ~(1 << seat)
        if s.acting == 0:
            s.dealer = 1 - int(s.dealer)
            deal_hand(s, np.empty(0, np.uint8))


@rule
def play(s: State, seat: int, bone: int) -> None:
    """Lead to a trick, or reply and see who wins it."""
    first = SECOND_STAGE if s.phase == PLAY_TWO else FIRST_STAGE
    slot = first + 2 * int(s.trick)
    if seat == s.leader:
        lay(s, seat, bone, slot)
        s.acting = 1 << (1 - seat)
        return
    lay(s, seat, bone, slot + 1)
    led = int(s.card[slot])
    winner = seat if reply_wins(int(s.contract), led, bone) else 1 - seat
    if s.phase == PLAY_TWO:
        end_trick_two(s, seat, led, bone, winner)
    else:
        end_trick_one(s, led, bone, winner)


@rule
def end_trick_one(s: State, led: int, reply: int, winner: int) -> None:
    """Burn the trick; the winner takes the face-up bone, the loser draws (rules 3.4)."""
    for bone in (led, reply):
        if COUNTER[bone] > 0:
            s.offer -= COUNTER[bone]
            s.burnt = int(s.burnt) | 1 << bone
    s.trick += 1
    s.leader = winner  # RVL-10
    prize = int(s.card[UP])
    clear(s, UP)
    add_to_hand(s, winner, prize)
    s.taken[winner] = int(s.taken[winner]) | 1 << prize
    if s.picked == 1:
        s.phase = DRAW
        s.acting = 1 << (1 - winner)
    else:
        draw(s, 1 - winner, int(s.yard_count) - 1)


@rule
def start_auction(s: State) -> None:
    """The boneyard is empty: the players bid (rules 3.5)."""
    s.phase = AUCTION
    if s.first_bid == BY_DEALER:  # RVL-3
        s.opener = s.dealer
    elif s.first_bid == BY_LAST_WINNER:
        s.opener = s.leader
    else:
        s.opener = 1 - int(s.dealer)
    s.acting = 1 << int(s.opener)


@rule
def call(s: State, seat: int, bid: int) -> None:
    """Bid, or pass (0). The other player speaks next, also after a pass (RVL-4), unless the auction is over."""
    s.calls[s.call_count] = bid
    s.call_count += 1
    over = bid == HIGHEST_BID
    if bid > 0:
        s.high = bid
        s.declarer = seat
        if s.pass_final == 1 and s.call_count > 1 and s.calls[int(s.call_count) - 2] == 0:
            over = True
    elif s.high > 0:
        over = True
    elif s.call_count > 1:
        end_hand(s, -1, THROWN_IN)  # RVL-6
        return
    if over:
        s.phase = DECLARE
        s.acting = 1 << int(s.declarer)
    else:
        s.acting = 1 << (1 - seat)


@rule
def name(s: State, seat: int, contract: int) -> None:
    """The declarer names trumps or nello and leads to the first trick of stage two (rules 3.6)."""
    s.contract = contract
    s.phase = PLAY_TWO
    s.trick = 0
    s.leader = seat
    s.acting = 1 << seat
    if s.auto_end == 1 and out_of_reach(s):
        settle_hand(s, SETTLED)


@rule
def end_trick_two(s: State, seat: int, led: int, reply: int, winner: int) -> None:
    """Score a trick of stage two; the winner leads on, until the last bone is played."""
    contract = int(s.contract)
    following = int(MEMBERS[contract, LED_SUIT[contract, led]])
    if not following >> reply & 1:
        trumps = int(TRUMPS[contract])
        cannot_hold = following
        if s.must_ruff == 1 and not trumps >> reply & 1:
            cannot_hold |= trumps
        s.barred[seat] = int(s.barred[seat]) | cannot_hold
    s.points[winner] += trick_points(led, reply)
    s.tricks[winner] += 1
    s.winners |= winner << int(s.trick)
    s.trick += 1
    s.leader = winner
    s.acting = 1 << winner
    if s.trick == TRICKS:
        settle_hand(s, PLAYED_OUT)
    elif s.auto_end == 1 and (out_of_reach(s) or in_hand(s)):
        settle_hand(s, SETTLED)


@rule
def claim(s: State, seat: int) -> None:
    """The declarer claims to have won the points of the bid (RVL-14: true or false, the hand ends)."""
    if s.points[seat] >= s.high:
        end_hand(s, seat, CLAIMED)
    else:
        end_hand(s, 1 - seat, CLAIMED_FALSELY)


# --- the end of a hand ------------------------------------------------------------------------------------------------


@rule
def needs_all_tricks(s: State) -> bool:
    """Does this contract need every trick instead of points (RVL-2)?"""
    return bool(s.all_tricks == 1 and s.high == HIGHEST_BID and s.contract != NELLO)


@rule
def in_hand(s: State) -> bool:
    """Has the declarer of a trump contract won what it needs?"""
    if s.contract == NELLO:
        return False
    if needs_all_tricks(s):
        return bool(s.tricks[s.declarer] == TRICKS)
    return bool(s.points[s.declarer] >= s.high)


@rule
def out_of_reach(s: State) -> bool:
    """Can the contract no longer be made, whatever is played?"""
    opponent = 1 - int(s.declarer)
    if s.contract == NELLO:
        return bool(s.tricks[s.declarer] > 0)
    if needs_all_tricks(s):
        return bool(s.tricks[opponent] > 0)
    return int(s.offer) - int(s.points[opponent]) < int(s.high)


@rule
def settle_hand(s: State, how: int) -> None:
    """Give the mark (rules 3.8): nello is made without a trick (RVL-17), a trump contract with what it needs."""
    made = s.tricks[s.declarer] == 0 if s.contract == NELLO else in_hand(s)
    end_hand(s, int(s.declarer) if made else 1 - int(s.declarer), how)


@rule
def end_hand(s: State, to: int, how: int) -> None:
    """End the hand with a mark for a seat, or for nobody (-1); see whether the match is over."""
    s.phase = SCORING
    s.acting = BOTH
    s.mark_to = to
    s.ended = how
    if to < 0:
        s.thrown_in += 1
        if s.thrown_in >= THROW_IN_CAP:
            s.over = ABANDONED
    else:
        s.thrown_in = 0
        s.marks[to] += 1
        if s.marks[to] >= GOAL:
            s.over = DECIDED
    if s.over != RUNNING:
        s.acting = 0


@rule
def returns(s: State, out: NDArray[np.float64]) -> None:
    """Each seat's marks. Nobody wins an abandoned match: all zero."""
    for seat in range(PLAYERS):
        out[seat] = 0.0 if s.over == ABANDONED else float(s.marks[seat])


# --- what is seen, and the worlds that fit it -------------------------------------------------------------------------


@rule
def shown(s: State, slot: int, viewer: int) -> bool:
    """Everything known lies open but the burnt tricks (RVL-20)."""
    if FIRST_STAGE <= slot < SECOND_STAGE:
        return bool(s.phase <= DRAW and slot >= FIRST_STAGE + 2 * int(s.trick))
    return True


@rule
def forget(s: State) -> None:
    """What only a good memory knows: who took which bone, who is out of what, and the burnt counters.

    Once a contract stands, the points that it can still bring are stated on the table, with the counters they lack.
    """
    for seat in range(PLAYERS):
        s.taken[seat] = 0
        s.barred[seat] = 0
    if s.contract == NO_CONTRACT:
        s.burnt = 0
        s.offer = POINTS


@rule
def conceal(s: State, viewer: int) -> None:
    """Reveille has no secrets outside slots."""


@rule
def pool(s: State, slot: int) -> int:
    """All bones nobody showed are one pool."""
    return 0


@rule
def pools(s: State, counts: NDArray[np.int32]) -> None:
    """One bone of each kind."""
    for bone in range(BONES):
        counts[0, bone] = 1


@rule
def settle(s: State, g: NDArray[np.uint32]) -> None:
    """Place the bones that are certain to be in a hand: those taken openly, and those the other cannot hold.

    `barred` says something in stage two only, when the boneyard is empty: what one cannot hold the other does.
    """
    placed = 0
    for slot in range(SLOTS):
        if s.card[slot] < BONES:
            placed |= 1 << int(s.card[slot])
    for seat in range(PLAYERS):
        certain = (int(s.taken[seat]) | int(s.barred[1 - seat])) & ~placed
        slot = seat * HAND
        for bone in range(BONES):
            if certain >> bone & 1:
                while s.card[slot] != UNKNOWN:
                    slot += 1
                s.card[slot] = bone


@rule
def fits(s: State, viewer: int) -> bool:
    """Every filling fits; the filled hands are only sorted, as hands are."""
    for seat in range(PLAYERS):
        first = seat * HAND
        for slot in range(first + 1, first + int(s.hand_size[seat])):
            bone = s.card[slot]
            at = slot
            while at > first and s.card[at - 1] < bone:
                s.card[at] = s.card[at - 1]
                at -= 1
            s.card[at] = bone
    return True
