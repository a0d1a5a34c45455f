"""The play of Reveille's second stage solved, both hands known (rules 3.7 and 3.8).

When stage two begins each player can tell the other's hand: 28 bones less his own 7 and the 14 that were burnt. What
is left is a game without chance or secrets, and a small one. Between two tricks a position is which bones each player
still holds, equally many, and who leads: C(14, 7) = 3432 pairs of sets, times two leaders. So nothing is searched:
starting from empty hands, the value of *every* such position is worked out once from those with one bone less, which
settles the best play of a whole contract in some ten thousand steps.

Two things can be worked out like this (`Objective`). Without a declarer it is what seat 0 wins if both play without a
mistake: its points (the points on offer are the same however they are shared, so what one wins the other loses), its
tricks, or in nello minus its tricks. With a declarer it is *my* chance of the mark when I play best and the other is
noisy: plays best most of the time, and anything legal otherwise. Against a perfect player many bones are equally good;
against a real one those are better that leave more ways to go wrong.
The claim and `auto_end` never change who gets the mark (RVL-13, RVL-19), so they do not occur here.

A bone is a number 0..27, a hand a set of bones: an integer with a bit for each (`facedown.games.reveille.cards`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from facedown.core import scoresheet_input
from facedown.core.rule import rule
from facedown.core.state import Floats
from facedown.games.reveille.cards import (
    BONES,
    COUNTER_POINTS,
    NELLO,
    NUMBERS,
    TRICK_POINTS,
    TRUMPS,
    bone_name,
    bones_in_set,
    follow_suit_mask,
    nonnegative_index,
    reply_wins,
    trick_points,
)
from facedown.games.reveille.info import Bid42, MustRuff, ReveilleOptions
from facedown.games.reveille.rules import HAND, HIGHEST_BID, LOWEST_BID, NO_SEAT

#: A position between two tricks is a number: the leader's bit above the places held by seat 0 and by seat 1.
LEADER_AT = 2 * HAND
POSITIONS = 2 << LEADER_AT

#: SIZE[set] and LOWEST[set]: number of members of a set of places in a hand, and its lowest member.
SIZE = np.array([places.bit_count() for places in range(1 << HAND)], dtype=np.int64)
LOWEST = np.array([(places & -places).bit_length() - 1 for places in range(1 << HAND)], dtype=np.int64)

#: What the declarer is to do: win points or every trick (trump contracts), or win none (nello).
WIN_POINTS = 0
WIN_ALL = 1
WIN_NONE = 2

#: What is played for: what the declarer has to do (`WIN_POINTS` …), who that is (`NO_SEAT`: it is not for the mark but
#: for what seat 0 wins), who I am (then seat 0), whether one must ruff, and how often the other plays anything legal.
Objective = tuple[int, int, int, bool, float]
#: What each lead allows and leads to (`build_trick_tables`): follow, ruff, change, gain.
TrickTables = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]
#: What every position is worth to me, by its number and the points that the declarer still needs (else 0).
Values = NDArray[np.float32]

#: Larger than any value.
FAR = 100.0


@rule
def position_number(leader: int, held0: int, held1: int) -> int:
    """A position between two tricks: who leads, and which places of each hand are still held (sets)."""
    return leader << LEADER_AT | held0 << HAND | held1


def list_bones(hands: tuple[int, int]) -> NDArray[np.int64]:
    """The bones of two hands (sets) of as many, ascending, a row for each seat."""
    return np.array([bones_in_set(hand)[::-1] for hand in hands])


@rule
def build_trick_tables(duel: Objective, bones: NDArray[np.int64], contract: int) -> TrickTables:
    """What each lead allows and leads to; `bones` are those of both hands (`list_bones`).

    By leader and i, a place in the leader's hand, `follow` and `ruff`: the replies that follow suit, those that are
    trumps (sets of places in the other hand). With j, the place of the reply, `change`: the bits of a position's number
    that the trick changes; `gain`: what it pays to the declarer, or to seat 0, if they win it: its points, 1 or −1 by
    the goal.
    """
    goal, declarer, me, _, _ = duel
    paid = me if declarer == NO_SEAT else declarer
    follow = np.zeros((2, HAND), np.int64)
    ruff = np.zeros((2, HAND), np.int64)
    change = np.zeros((2, HAND, HAND), np.int64)
    gain = np.zeros((2, HAND, HAND), np.int64)
    count = bones.shape[1]
    for leader in range(2):
        for i in range(count):
            lead = bones[leader, i]
            for j in range(count):
                reply = bones[1 - leader, j]
                follow[leader, i] |= (follow_suit_mask(contract, lead) >> reply & 1) << j
                ruff[leader, i] |= (TRUMPS[contract] >> reply & 1) << j
                winner = 1 - leader if reply_wins(contract, lead, reply) else leader
                played0, played1 = (i, j) if leader == 0 else (j, i)
                change[leader, i, j] = position_number(winner, 1 << played0, 1 << played1)
                if winner == paid:
                    gain[leader, i, j] = (
                        trick_points(lead, reply) if goal == WIN_POINTS else 1 if goal == WIN_ALL else -1
                    )
    return follow, ruff, change, gain


@rule
def legal_reply_places(tricks: TrickTables, leader: int, i: int, theirs: int, must_ruff: bool) -> int:
    """The places held (`theirs`) with which the lead of place i may be answered."""
    follow, ruff, _, _ = tricks
    replies = theirs & follow[leader, i]
    if replies == 0 and must_ruff:
        replies = theirs & ruff[leader, i]
    return replies if replies != 0 else theirs


@rule
def value_after(
    duel: Objective, tricks: TrickTables, leader: int, i: int, j: int, number: int, need: int, values: Values
) -> float:
    """What it is worth to lead place i and answer with j; `number` is the position's without its leader."""
    goal, declarer, me, _, _ = duel
    _, _, change, gain = tricks
    leader, i, j = nonnegative_index(leader), nonnegative_index(i), nonnegative_index(j)
    step = change[leader, i, j]
    # The table is narrow, but sums of what stands in it are not: also in plain Python.
    if declarer == NO_SEAT:
        return float(values[number ^ step, 0] + gain[leader, i, j])
    left = 0
    if goal == WIN_POINTS:
        left = need - gain[leader, i, j]
        if left <= 0:
            return 1.0 if me == declarer else 0.0
    elif (step >> LEADER_AT == declarer) != (goal == WIN_ALL):
        return 0.0 if me == declarer else 1.0
    return float(values[number ^ step, left])


@rule
def choice_value(mine: bool, best: float, worst: float, total: float, count: int, noise: float) -> float:
    """The value of a choice: I take the best, the other what is worst for me, or now and then any."""
    return best if mine else (1.0 - noise) * worst + noise * total / count


@rule
def value_of_leads(
    duel: Objective, tricks: TrickTables, leader: int, leads: int, theirs: int, number: int, need: int, values: Values
) -> float:
    """What it is worth that one of the places `leads` is led, and answered from the places `theirs`."""
    _, _, me, must_ruff, noise = duel
    best, worst, total, count = -FAR, FAR, 0.0, SIZE[leads]
    while leads:
        i = LOWEST[leads]
        leads &= leads - 1
        replies = legal_reply_places(tricks, leader, i, theirs, must_ruff)
        best_reply, worst_reply, total_reply, replying = -FAR, FAR, 0.0, SIZE[replies]
        while replies:
            j = LOWEST[replies]
            replies &= replies - 1
            value = value_after(duel, tricks, leader, i, j, number, need, values)
            best_reply = max(best_reply, value)
            worst_reply = min(worst_reply, value)
            total_reply += value
        value = choice_value(leader != me, best_reply, worst_reply, total_reply, replying, noise)
        best = max(best, value)
        worst = min(worst, value)
        total += value
    return choice_value(leader == me, best, worst, total, count, noise)


@rule
def solve_play(duel: Objective, bones: NDArray[np.int64], contract: int, most: int) -> tuple[TrickTables, Values]:
    """Work out the value of every position that two hands (`list_bones`) of at most seven bones can come to.

    Returns the tricks (`build_trick_tables`) and the values, by `position_number` and the points that the declarer
    still needs, up to `most` (0 where points do not count).
    """
    goal, declarer, me, _, _ = duel
    for_mark = declarer != NO_SEAT
    tricks = build_trick_tables(duel, bones, contract)
    values = np.zeros((POSITIONS, most + 1), np.float32)
    for leader in range(2):
        for need in range(most + 1):
            made = goal != WIN_POINTS or need == 0
            values[position_number(leader, 0, 0), need] = 1.0 if for_mark and made == (me == declarer) else 0.0
    for held0 in range(1, 1 << bones.shape[1]):
        for held1 in range(1, 1 << bones.shape[1]):
            if SIZE[held0] == SIZE[held1]:
                number = position_number(0, held0, held1)
                for leader in range(2):
                    leads, theirs = (held0, held1) if leader == 0 else (held1, held0)
                    for need in range(1 if for_mark and goal == WIN_POINTS else 0, most + 1):
                        values[number | leader << LEADER_AT, need] = value_of_leads(
                            duel, tricks, leader, leads, theirs, number, need, values
                        )
    return tricks, values


@rule
def hand_values(goal: int, bones: NDArray[np.int64], contract: int, must_ruff: bool) -> tuple[float, float]:
    """Compiled entry: what seat 0 wins of the first trick and all after it, led by seat 0, and led by seat 1."""
    _, values = solve_play((goal, NO_SEAT, 0, must_ruff, 0.0), bones, contract, 0)
    everything = (1 << bones.shape[1]) - 1
    return values[position_number(0, everything, everything), 0], values[position_number(1, everything, everything), 0]


@rule
def play_values(
    duel: Objective, bones: NDArray[np.int64], contract: int, need: int, leader: int, lead: int, plays: Floats
) -> None:
    """Compiled entry: write the value of every legal play, this trick included, by bone.

    `lead` is the bone of the leader's hand that lies on the table, or −1 if `leader` is to lead. `need` is what the
    declarer still needs in points, 0 if it is not about them.
    """
    _, _, _, must_ruff, _ = duel
    tricks, values = solve_play(duel, bones, contract, need)
    count = bones.shape[1]
    everything = (1 << count) - 1
    number = position_number(0, everything, everything)
    for i in range(count):
        led = bones[leader, i]
        if lead < 0:
            plays[led] = value_of_leads(duel, tricks, leader, 1 << i, everything, number, need, values)
        elif led == lead:
            replies = legal_reply_places(tricks, leader, i, everything, must_ruff)
            for j in range(count):
                if replies >> j & 1:
                    reply = bones[1 - leader, j]
                    plays[reply] = value_after(duel, tricks, leader, i, j, number, need, values)


# --- for people, hints and analysis


#: The readings of the rules if nothing else is chosen.
DEFAULTS = ReveilleOptions.from_texts({})


@dataclass(frozen=True)
class EndgamePosition:
    """A position of stage two after the declaration, both hands known."""

    hands: tuple[int, int]
    """The bones still in hand (sets); a bone that was led lies on the table."""
    contract: int
    declarer: int
    bid: int
    leader: int
    lead: int | None = None
    """The bone on the table, to which the other one is to reply."""
    points: tuple[int, int] = (0, 0)
    """Points won so far in stage two."""
    tricks: tuple[int, int] = (0, 0)
    """Tricks won so far in stage two."""

    @property
    def full_hands(self) -> tuple[int, int]:
        """Both hands, the bone on the table counted in its player's."""
        led = 0 if self.lead is None else 1 << self.lead
        first, second = self.hands
        return (first | led, second) if self.leader == 0 else (first, second | led)

    def goal(self, options: ReveilleOptions) -> int:
        """What the declarer has to do."""
        if self.contract == NELLO:
            return WIN_NONE
        return WIN_ALL if self.bid == HIGHEST_BID and options.bid42 == Bid42.ALL_TRICKS else WIN_POINTS

    @property
    def tricks_left(self) -> int:
        """Tricks still to be won, the one on the table included."""
        return self.hands[1 - self.leader].bit_count()

    def values(self, duel: Objective, need: int = 0) -> dict[int, float]:
        """The value of each legal bone, ascending (`play_values`)."""
        plays = np.full(BONES, np.nan)
        lead = -1 if self.lead is None else self.lead
        play_values(duel, list_bones(self.full_hands), self.contract, need, self.leader, lead, plays)
        return {bone: value for bone, value in enumerate(plays.tolist()) if not math.isnan(value)}

    def declarer_shares(self, goal: int, must_ruff: bool) -> dict[int, int]:
        """For each legal bone what the declarer still gets if neither player errs: points, or tricks."""
        offer = points_in(self.full_hands) if goal == WIN_POINTS else self.tricks_left
        sign = -1 if goal == WIN_NONE else 1
        won = {bone: sign * round(won) for bone, won in self.values((goal, NO_SEAT, 0, must_ruff, 0.0)).items()}
        return won if self.declarer == 0 else {bone: offer - share for bone, share in won.items()}


@dataclass(frozen=True)
class Play:
    """A legal play, and what comes of it if both go on without a mistake."""

    bone: int
    declarer_wins: bool
    """Whether the declarer gets the mark."""
    points: int
    """The declarer's points when the hand is played out, with this play aiming at points; in nello his tricks."""

    def __str__(self) -> str:
        return f"{bone_name(self.bone)}: {'made' if self.declarer_wins else 'set'}, {self.points}"


def judge_plays(position: EndgamePosition, options: ReveilleOptions = DEFAULTS) -> list[Play]:
    """Every legal play of the player to act, ascending by bone, with its value for the mark and in points.

    ValueError names what is wrong with the position.
    """
    _check_position(position)
    goal = position.goal(options)
    ruff = options.must_ruff == MustRuff.YES
    shares = position.declarer_shares(WIN_NONE if goal == WIN_NONE else WIN_POINTS, ruff)
    sofar = (position.tricks if goal == WIN_NONE else position.points)[position.declarer]
    totals = {bone: sofar + share for bone, share in shares.items()}
    if goal == WIN_ALL:
        wanted = position.tricks_left if position.tricks[1 - position.declarer] == 0 else math.inf
        won = position.declarer_shares(WIN_ALL, ruff)
        return [Play(bone, won[bone] == wanted, total) for bone, total in totals.items()]
    least, most = (0, 0) if goal == WIN_NONE else (position.bid, math.inf)
    return [Play(bone, least <= total <= most, total) for bone, total in totals.items()]


def points_in(hands: tuple[int, int]) -> int:
    """The points on offer in two hands of equal size: one for each trick, and the counters."""
    return TRICK_POINTS * hands[0].bit_count() + sum(COUNTER_POINTS[bone] for bone in bones_in_set(hands[0] | hands[1]))


def check_hands(hands: tuple[int, int]) -> None:
    """`ValueError` names what is wrong with two hands (sets): as many bones each, seven at most."""
    first, second = hands
    for seat, hand in enumerate(hands):
        scoresheet_input.need(hand >> BONES == 0, f"the hand of seat {seat} holds a bone that does not exist")
    if first & second:
        raise ValueError(f"both hands hold {bone_name(bones_in_set(first & second)[-1])}")
    mine, theirs = first.bit_count(), second.bit_count()
    scoresheet_input.need(
        mine == theirs <= HAND, f"{mine} bones against {theirs}: as many each are wanted, {HAND} at most"
    )


def _check_position(position: EndgamePosition) -> None:
    contract, bid = position.contract, position.bid
    scoresheet_input.need(
        {position.leader, position.declarer} <= {0, 1}, "the leader and the declarer are seats 0 or 1"
    )
    scoresheet_input.need(
        0 <= contract <= NELLO, f"contract {contract}: a trump 0 to {NUMBERS - 1} or {NELLO} for nello is wanted"
    )
    scoresheet_input.need(LOWEST_BID <= bid <= HIGHEST_BID, f"bid {bid}: bids are {LOWEST_BID} to {HIGHEST_BID}")
    if position.lead is not None:
        scoresheet_input.need(0 <= position.lead < BONES, f"{position.lead} on the table is no bone")
        in_hand = position.hands[position.leader] >> position.lead & 1
        scoresheet_input.need(not in_hand, f"{bone_name(position.lead)} is on the table and in its player's hand")
    check_hands(position.full_hands)
    scoresheet_input.need(any(position.full_hands), "the hand is over: no bones are left")
