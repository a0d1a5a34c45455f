"""Reveille, greedily: win the bones that help the best suit in hand, bid what a quick play-out brings, win cheaply.

In stage two the other hand is what is left of the 28 bones: own hand and all played ones taken away. So the bot plays
a whole stage out in its head, both sides greedy, to see what a contract is worth.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from facedown.core.chance import quick_below
from facedown.core.rule import rule
from facedown.games.reveille.bones import (
    BONES,
    COUNTER,
    DOUBLE_RANK,
    HIGH,
    LOW,
    NELLO,
    NO_CONTRACT,
    NUMBERS,
    TRICK_POINTS,
    TRUMPS,
    WINNERS,
    legal_replies,
)
from facedown.games.reveille.rules import (
    AUCTION,
    BID,
    CLAIM,
    CONTINUE,
    DECLARE,
    FIRST_STAGE,
    HIGHEST_BID,
    LOWEST_BID,
    NAME,
    PASS,
    PICK,
    PLAY,
    PLAY_ONE,
    PLAY_TWO,
    SCORING,
    SECOND_STAGE,
    TRICKS,
    UP,
    hand_of,
    lead,
)
from facedown.games.reveille.speech import MANY, dotted, points

ALL_BONES = (1 << BONES) - 1
FAR = 1e9
#: What winning a trick is worth to somebody who must not, in points.
NELLO_TRICK = 20.0
#: How much of the other's gain counts as one's own loss in stage one.
DENIAL = 0.5


def _strengths() -> NDArray[np.float64]:
    """What a bone is worth to the hand that holds it, in tricks, under each contract."""
    table = np.zeros((NELLO + 1, BONES))
    for contract in range(NELLO + 1):
        for bone in range(BONES):
            high, low = int(HIGH[bone]), int(LOW[bone])
            double = high == low
            if contract == NELLO:
                # The lower, the better to lose with.
                table[contract, bone] = -0.1 * (high + low / 2)
            elif TRUMPS[contract] >> bone & 1:
                other = DOUBLE_RANK if double else high + low - contract
                table[contract, bone] = 0.55 + 0.07 * other
            elif double:
                table[contract, bone] = 0.6
            else:
                table[contract, bone] = 0.3 * low / high
    return table


#: STRENGTH[contract, bone]
STRENGTH = _strengths()
#: Points that a trick's worth of strength is spent for.
PRICE = 2.5


@rule
def greedy(s: Any, seat: int, q: NDArray[np.uint64]) -> int:
    """The action of a seat that is to act, by what it knows; `q` (a quick generator) breaks ties."""
    phase = int(s.phase)
    if phase == SCORING:
        return CONTINUE
    if phase == PLAY_ONE:
        return PLAY + stage_one(s, seat, q)
    if phase == PLAY_TWO:
        return stage_two(s, seat)
    if phase == AUCTION:
        return bidding(s, seat)
    if phase == DECLARE:
        return NAME + best_contract(s, seat)
    return PICK + quick_below(q, int(s.yard_count))


# --- stage one --------------------------------------------------------------------------------------------------------


@rule
def played(s: Any) -> int:
    """The set of all bones that were played in this hand, burnt ones included: everybody saw them."""
    bones = 0
    for slot in range(FIRST_STAGE, SECOND_STAGE + 2 * TRICKS):
        kind = int(s.card[slot])
        if kind < BONES:
            bones |= 1 << kind
    return bones


@rule
def stage_one(s: Any, seat: int, q: NDArray[np.uint64]) -> int:
    """The bone to lead or reply with: what the hand is worth afterwards, the face-up bone or an unseen one added."""
    mine = hand_of(s, seat)
    prize = int(s.card[UP])
    unseen = ALL_BONES & ~(mine | played(s) | 1 << prize)
    first = -1 if seat == s.leader else lead(s)
    certain = int(s.taken[1 - seat])
    size = int(s.hand_size[1 - seat])

    held = np.zeros(NUMBERS)
    drawn = np.zeros(NUMBERS)
    count = 0
    for bone in range(BONES):
        if mine >> bone & 1:
            for suit in range(NUMBERS):
                held[suit] += STRENGTH[suit, bone]
        elif unseen >> bone & 1:
            count += 1
            for suit in range(NUMBERS):
                drawn[suit] += STRENGTH[suit, bone]
    best = -1
    best_score = -FAR
    ties = 0
    for bone in range(BONES):
        if not mine >> bone & 1:
            continue
        with_prize = -FAR
        with_draw = -FAR
        denied = 0.0
        for suit in range(NUMBERS):
            without = held[suit] - STRENGTH[suit, bone]
            average = drawn[suit] / count
            with_prize = max(with_prize, without + STRENGTH[suit, prize])
            with_draw = max(with_draw, without + average)
            denied += (STRENGTH[suit, prize] - average) / NUMBERS
        if first >= 0:
            chance = 1.0 if WINNERS[NO_CONTRACT, first] >> bone & 1 else 0.0
        else:
            chance = chance_to_hold(bone, unseen, certain, count, size)
        score = chance * (with_prize + DENIAL * denied) + (1.0 - chance) * (with_draw - DENIAL * denied)
        if score > best_score + 1e-9:
            best = bone
            best_score = score
            ties = 1
        elif score > best_score - 1e-9:
            ties += 1
            if quick_below(q, ties) == 0:
                best = bone
    return best


@rule
def chance_to_hold(bone: int, unseen: int, certain: int, count: int, size: int) -> float:
    """How likely it is that the other hand (`size` bones of the `count` unseen ones) cannot beat this lead."""
    winners = int(WINNERS[NO_CONTRACT, bone])
    if winners & certain:
        return 0.0
    sure = 0
    beats = 0
    for other in range(BONES):
        sure += certain >> other & 1
        beats += (winners & unseen) >> other & 1
    others = count - sure
    chance = 1.0
    for k in range(size - sure):
        chance *= max(0.0, (others - k - beats) / (others - k))
    return chance


# --- stage two: both hands are known ----------------------------------------------------------------------------------


@rule
def spent(contract: int, bone: int) -> float:
    """What it costs to let a bone go, in points."""
    return float(PRICE * STRENGTH[contract, bone])


@rule
def prize_of(contract: int, bones: int, won: bool) -> float:
    """What a trick with counters worth `bones` brings: its points, or in nello a blow to whoever wins it."""
    value = -NELLO_TRICK if contract == NELLO else float(TRICK_POINTS + bones)
    return value if won else -value


@rule
def best_reply(contract: int, first: int, hand: int, must_ruff: bool) -> int:
    """The reply that brings the most at once, dear bones kept."""
    legal = legal_replies(contract, first, hand, must_ruff)
    best = -1
    best_score = -FAR
    for bone in range(BONES):
        if legal >> bone & 1:
            won = bool(WINNERS[contract, first] >> bone & 1)
            score = prize_of(contract, COUNTER[first] + COUNTER[bone], won) - spent(contract, bone)
            if score > best_score:
                best = bone
                best_score = score
    return best


@rule
def best_lead(contract: int, hand: int, other: int, must_ruff: bool) -> int:
    """The lead that brings the most after the other hand's best reply."""
    best = -1
    best_score = -FAR
    for bone in range(BONES):
        if hand >> bone & 1:
            reply = best_reply(contract, bone, other, must_ruff)
            won = not WINNERS[contract, bone] >> reply & 1
            score = prize_of(contract, COUNTER[bone] + COUNTER[reply], won)
            score += spent(contract, reply) - spent(contract, bone)
            if score > best_score:
                best = bone
                best_score = score
    return best


@rule
def stage_two(s: Any, seat: int) -> int:
    """Claim when the bid is reached; otherwise the best bone of this trick."""
    claims = seat == s.declarer and s.contract != NELLO and s.high < HIGHEST_BID and s.auto_end == 0
    if claims and s.points[seat] >= s.high:
        return CLAIM
    mine = hand_of(s, seat)
    contract = int(s.contract)
    ruff = s.must_ruff == 1
    if seat != s.leader:
        return PLAY + best_reply(contract, lead(s), mine, ruff)
    return PLAY + best_lead(contract, mine, ALL_BONES & ~(mine | played(s)), ruff)


@rule
def outcome(contract: int, declarer: int, other: int, must_ruff: bool) -> int:
    """What the declarer wins when both sides play greedily: points, or in nello 42 without a trick and else 0."""
    leading = declarer
    replying = other
    declarer_leads = True
    total = 0
    for _ in range(TRICKS):
        first = best_lead(contract, leading, replying, must_ruff)
        reply = best_reply(contract, first, replying, must_ruff)
        leading &= ~(1 << first)
        replying &= ~(1 << reply)
        if WINNERS[contract, first] >> reply & 1:
            swap = leading
            leading = replying
            replying = swap
            declarer_leads = not declarer_leads
        if declarer_leads:
            if contract == NELLO:
                return 0
            total += int(TRICK_POINTS + COUNTER[first] + COUNTER[reply])
    return HIGHEST_BID if contract == NELLO else total


@rule
def most(mine: int, other: int, must_ruff: bool) -> int:
    """The points of the best trump suit for the hand `mine` as declarer."""
    best = 0
    for suit in range(NUMBERS):
        best = max(best, outcome(suit, mine, other, must_ruff))
    return best


@rule
def bidding(s: Any, seat: int) -> int:
    """Bid what can be won, and no more than it takes to stop the other; 42 when nello looks safe."""
    mine = hand_of(s, seat)
    other = ALL_BONES & ~(mine | played(s))
    ruff = s.must_ruff == 1
    lowest = max(LOWEST_BID, int(s.high) + 1)
    if outcome(NELLO, mine, other, ruff) == HIGHEST_BID:
        return BID + HIGHEST_BID - LOWEST_BID
    own = most(mine, other, ruff)
    if own < lowest:
        return PASS
    theirs = most(other, mine, ruff)
    bid = own if theirs >= own else max(lowest, theirs + 1)
    return BID + bid - LOWEST_BID


@rule
def best_contract(s: Any, seat: int) -> int:
    """The suit that brings the most, or nello where it is allowed and looks safe."""
    mine = hand_of(s, seat)
    other = ALL_BONES & ~(mine | played(s))
    ruff = s.must_ruff == 1
    best = 0
    best_score = -1.0
    for contract in range(NELLO + 1 if s.high == HIGHEST_BID else NUMBERS):
        # Of contracts that bring the same, the one with most trumps.
        score = float(outcome(contract, mine, other, ruff))
        for bone in range(BONES):
            if (mine & TRUMPS[contract]) >> bone & 1:
                score += 0.1
        if score > best_score:
            best = contract
            best_score = score
    return best


# --- in words ---------------------------------------------------------------------------------------------------------


def reason(view: Any, seat: int, action: int) -> str:
    """Why the greedy bot likes an action, for the person at `seat`."""
    phase = int(view.phase)
    mine = int(hand_of(view, seat))
    unseen = ALL_BONES & ~(mine | int(played(view)))
    ruff = int(view.must_ruff) == 1
    if phase == PLAY_ONE:
        return _reason_one(view, seat, action - PLAY, unseen & ~(1 << int(view.card[UP])))
    if phase in (AUCTION, DECLARE):
        own, theirs = int(most(mine, unseen, ruff)), int(most(unseen, mine, ruff))
        if action == NAME + NELLO or action == BID + HIGHEST_BID - LOWEST_BID:
            return "with these two hands you can lose every trick"
        if phase == DECLARE:
            contract = action - NAME
            brings = points(int(outcome(contract, mine, unseen, ruff)))
            return f"by a quick count {MANY[contract]} bring {brings}"
        return f"by a quick count your best suit brings {points(own)}, the other hand's {points(theirs)}"
    if phase == PLAY_TWO and action == CLAIM:
        return "the points of the bid are won, and nothing can change that"
    if phase == PLAY_TWO:
        return _reason_two(view, seat, action - PLAY, mine, unseen)
    return ""


def _reason_one(view: Any, seat: int, bone: int, unseen: int) -> str:
    prize = dotted(int(view.card[UP]))
    if seat != int(view.leader):
        wins = bool(WINNERS[NO_CONTRACT, int(lead(view))] >> bone & 1)
        return f"it takes the {prize}, worth more than the bone it costs" if wins else "the hand misses it the least"
    beaten = (int(WINNERS[NO_CONTRACT, bone]) & unseen).bit_count()
    return f"{beaten} of the {unseen.bit_count()} bones that you cannot see beat it, and the {prize} is at stake"


def _reason_two(view: Any, seat: int, bone: int, mine: int, other: int) -> str:
    contract = int(view.contract)
    if seat != int(view.leader):
        first = int(lead(view))
        won = bool(WINNERS[contract, first] >> bone & 1)
        count = points(int(TRICK_POINTS + COUNTER[first] + COUNTER[bone]))
        return f"it wins {count}" if won else "it loses the least"
    reply = int(best_reply(contract, bone, other, int(view.must_ruff) == 1))
    won = not WINNERS[contract, bone] >> reply & 1
    return f"the other hand's best reply is the {dotted(reply)}, and the trick is {'yours' if won else 'theirs'}"
