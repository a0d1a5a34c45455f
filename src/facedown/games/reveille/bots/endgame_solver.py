"""Exact solver for the play of Reveille's second stage, with both hands known (rules 3.7 and 3.8).

When stage two begins, each player can deduce the other hand. It is what remains of the 28 bones after the player's own
7 and the 14 that were played in stage one. So stage two is a small game without chance or hidden information.

A position between two tricks consists of the bones that each player still holds and of the player who leads. Both
players still hold the same number k of their seven bones. So there are 3432 pairs of hands: the sum of C(7, k)² for k
from 0 to 7. With two possible leaders this makes 6864 positions. For a contract, the value of each position is computed
once. The computation starts from empty hands and proceeds to larger ones (retrograde analysis).

The argument `objective` of the functions says which of two kinds of values is computed (`Objective`).

* If it names no declarer, the value is what seat 0 wins when neither player makes a mistake. The unit is points or
  tricks. In nello the value is minus the number of tricks.
* If it names a declarer, the value is the probability that one seat gets the mark (point of the match). `objective`
  also names this seat, `me`. The seat `me` plays best. The opponent makes some mistakes: it usually plays the best
  bone, and otherwise a random legal one. Against such an opponent, bones that give it more chances for mistakes are
  better.

Claims and the early end of a round (`auto_end`) never change who gets the mark (rulings RVL-13 and RVL-19 in
``docs/rules/reveille.md``), so the solver ignores them.

A bone is a number from 0 to 27. A hand is a bit mask of bones (`facedown.games.reveille.cards`).
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
    assume_nonnegative,
    bone_name,
    bones_in_set,
    follow_suit_mask,
    reply_wins,
    trick_points,
)
from facedown.games.reveille.info import Bid42, MustRuff, ReveilleOptions
from facedown.games.reveille.rules import HAND, HIGHEST_BID, LOWEST_BID, NO_SEAT

#: A position between two tricks is written as a number of 15 bits:
#:
#: * the highest bit, at index `LEADER_AT`: the seat of the leader;
#: * the next 7 bits: the places in the hand of seat 0 that still have a bone;
#: * the last 7 bits: the places in the hand of seat 1 that still have a bone.
LEADER_AT = 2 * HAND
POSITIONS = 2 << LEADER_AT

#: Two tables that are indexed by a bit mask of places in a hand. `SIZE` has the number of places in the mask, `LOWEST`
#: the lowest of them (−1 for the empty mask).
SIZE = np.array([places.bit_count() for places in range(1 << HAND)], dtype=np.int64)
LOWEST = np.array([(places & -places).bit_length() - 1 for places in range(1 << HAND)], dtype=np.int64)

#: Goals of a declarer (highest bidder): to win enough points, to win every trick, or to win no trick (in nello).
WIN_POINTS = 0
WIN_ALL = 1
WIN_NONE = 2

#: What a computation is to find, as (goal, declarer, me, must_ruff, noise).
#: * `goal` is `WIN_POINTS`, `WIN_ALL` or `WIN_NONE`.
#: * `declarer` is a seat if the values are probabilities of getting the mark. It is `NO_SEAT` if they are what seat 0
#:   wins.
#: * `me` is the seat whose value is computed (0 without a declarer).
#: * `must_ruff` is whether a player who cannot follow suit must play a trump.
#: * `noise` is the probability with which the opponent plays a random legal bone instead of the best one.
Objective = tuple[int, int, int, bool, float]
#: Tables about every possible trick: (follow, ruff, change, gain). `build_trick_tables` describes them.
TrickTables = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]
#: Value of every position for the seat `me`. The first index is the position (`position_number`), the second the points
#: that the declarer still needs. The second index is always 0 if the goal is to win every trick or no trick, or if
#: there is no declarer.
Values = NDArray[np.float32]

#: Number larger than any value of a position.
FAR = 100.0


@rule
def position_number(leader: int, held_places0: int, held_places1: int) -> int:
    """Return the index of a position between two tricks in the array of values (`Values`).

    The highest of its 15 bits is the seat of the leader. The next 7 bits are `held_places0`, the last 7 bits
    `held_places1`: bit masks of the places in the hands of seats 0 and 1 that still have a bone.
    """
    return leader << LEADER_AT | held_places0 << HAND | held_places1


def list_bones(hands: tuple[int, int]) -> NDArray[np.int64]:
    """Return the bones of two hands as an array indexed by (seat, place in the hand). Each hand is in ascending order.

    The hands are given as bit masks of bones. Both must have the same number of bones.
    """
    return np.array([bones_in_set(hand)[::-1] for hand in hands])


@rule
def build_trick_tables(objective: Objective, bones: NDArray[np.int64], contract: int) -> TrickTables:
    """Return the tables about every trick that can be played between two hands under a contract.

    * `objective`: the goal, the declarer, and the seat whose values are computed (`Objective`).
    * `bones`: both hands, as returned by `list_bones`. A place is the index of a bone in its hand.

    The leader plays the bone at place i, and the other player replies with the bone at place j of the other hand. The
    tables are:

    * ``follow[leader, i]``: bit mask of the places in the other hand whose bones follow suit.
    * ``ruff[leader, i]``: bit mask of the places in the other hand whose bones are trumps. It is the same for every
      place i that has a bone.
    * ``change[leader, i, j]``: bit mask that turns the number of the position before the trick into that of the
      position after it, by XOR. The number before the trick is always ``position_number(0, …)``, whichever seat leads.
      XOR removes the two played bones and sets the winner of the trick as the leader.
    * ``gain[leader, i, j]``: what the trick is worth to one seat: the declarer, or seat 0 if there is no declarer. If
      this seat loses the trick, the gain is 0. If this seat wins the trick, the gain depends on the goal:
      - `WIN_POINTS`: the points of the trick;
      - `WIN_ALL`: 1;
      - `WIN_NONE`: −1.
    """
    goal, declarer, me, _, _ = objective
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
    """Return the bit mask of the places whose bones may be played in reply to the bone at place i of the leader's hand.

    * `theirs`: the bit mask of the places in the replying player's hand that still have a bone.
    * `must_ruff`: whether a player who cannot follow suit must play a trump.
    * `tricks`: the result of `build_trick_tables`.
    """
    follow, ruff, _, _ = tricks
    replies = theirs & follow[leader, i]
    if replies == 0 and must_ruff:
        replies = theirs & ruff[leader, i]
    return replies if replies != 0 else theirs


@rule
def value_after_trick(
    objective: Objective, tricks: TrickTables, leader: int, i: int, j: int, number: int, need: int, values: Values
) -> float:
    """Return the value of a position between two tricks if a given trick is played next. The value includes this trick.

    In this trick, the leader plays the bone at place i of its hand, and the other player replies with the bone at place
    j of the other hand. If `objective` names no declarer, the value is what seat 0 wins in this and all later tricks,
    in points or tricks. Otherwise it is the probability that the seat `me` of `objective` gets the mark (point of the
    match). The other parameters are:

    * `objective` says what is computed, and for which seat `me` (`Objective`).
    * `tricks` is the result of `build_trick_tables`.
    * `number` says which bones both players hold before the trick: ``position_number(0, held_places0, held_places1)``.
      The first argument is 0 whichever seat leads, because the seat of the leader is passed as `leader`.
    * `need` is the number of points that the declarer lacks before the trick. It is 0 if the goal is to win every trick
      or no trick, or if there is no declarer.
    * `values` has the values of all positions with fewer bones.
    """
    goal, declarer, me, _, _ = objective
    _, _, change, gain = tricks
    leader, i, j = assume_nonnegative(leader), assume_nonnegative(i), assume_nonnegative(j)
    step = change[leader, i, j]
    # The values are float32. `float` makes the result a Python float in interpreted code as well.
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
    """Return the expected value of a position in which a player chooses one of `count` bones.

    All values are for one seat, the seat `me` of the `Objective`.

    * `mine`: True if this seat chooses. It takes the bone with the highest value. Otherwise its opponent chooses, and
      takes the bone with the lowest value or, with probability `noise`, a random one.
    * `best`, `worst` and `total`: the highest value, the lowest value and the sum of the values after these bones.
    """
    return best if mine else (1.0 - noise) * worst + noise * total / count


@rule
def value_before_lead(
    objective: Objective,
    tricks: TrickTables,
    leader: int,
    leads: int,
    theirs: int,
    number: int,
    need: int,
    values: Values,
) -> float:
    """Return the value of a position between two tricks, in which the leader is to lead a bone.

    If `objective` names no declarer, the value is what seat 0 wins in the remaining tricks, in points or tricks.
    Otherwise it is the probability that the seat `me` of `objective` gets the mark (point of the match).

    * `leads` is the bit mask of the places in the leader's hand whose bones may be led.
    * `theirs` is the bit mask of the places in the other hand that still have a bone.
    * `number` says which bones both players hold: ``position_number(0, held_places0, held_places1)``. The first
      argument is 0 whichever seat leads, because the seat of the leader is passed as `leader`.
    * `need` is the number of points that the declarer lacks. It is 0 if the goal is to win every trick or no trick, or
      if there is no declarer.
    * `objective`, `tricks` and `values` are as in `value_after_trick`.
    """
    _, _, me, must_ruff, noise = objective
    best, worst, total, count = -FAR, FAR, 0.0, SIZE[leads]
    while leads:
        i = LOWEST[leads]
        leads &= leads - 1
        replies = legal_reply_places(tricks, leader, i, theirs, must_ruff)
        best_reply, worst_reply, total_reply, replying = -FAR, FAR, 0.0, SIZE[replies]
        while replies:
            j = LOWEST[replies]
            replies &= replies - 1
            value = value_after_trick(objective, tricks, leader, i, j, number, need, values)
            best_reply = max(best_reply, value)
            worst_reply = min(worst_reply, value)
            total_reply += value
        value = choice_value(leader != me, best_reply, worst_reply, total_reply, replying, noise)
        best = max(best, value)
        worst = min(worst, value)
        total += value
    return choice_value(leader == me, best, worst, total, count, noise)


@rule
def solve_all_positions(
    objective: Objective, bones: NDArray[np.int64], contract: int, most_points_needed: int
) -> tuple[TrickTables, Values]:
    """Compute the value of every position that can arise from two hands of at most seven bones.

    * `objective`: the kind of value that is computed, and the seat whose values these are (`Objective`).
    * `bones`: both hands, as returned by `list_bones`.
    * `contract`: a trump suit, 0 to 6, or `NELLO`.
    * `most_points_needed`: the largest number of points that the declarer may still need. It is 0 if the goal is to win
      every trick or no trick instead of points, or if there is no declarer.

    Return the tables of tricks (`build_trick_tables`), and the values as an array indexed by (`position_number`, points
    that the declarer still needs).
    """
    goal, declarer, me, _, _ = objective
    for_mark = declarer != NO_SEAT
    tricks = build_trick_tables(objective, bones, contract)
    values = np.zeros((POSITIONS, most_points_needed + 1), np.float32)
    for leader in range(2):
        for need in range(most_points_needed + 1):
            made = goal != WIN_POINTS or need == 0
            values[position_number(leader, 0, 0), need] = 1.0 if for_mark and made == (me == declarer) else 0.0
    for held0 in range(1, 1 << bones.shape[1]):
        for held1 in range(1, 1 << bones.shape[1]):
            if SIZE[held0] == SIZE[held1]:
                number = position_number(0, held0, held1)
                for leader in range(2):
                    leads, theirs = (held0, held1) if leader == 0 else (held1, held0)
                    for need in range(1 if for_mark and goal == WIN_POINTS else 0, most_points_needed + 1):
                        values[number | leader << LEADER_AT, need] = value_before_lead(
                            objective, tricks, leader, leads, theirs, number, need, values
                        )
    return tricks, values


@rule
def seat_0_winnings_by_leader(
    goal: int, bones: NDArray[np.int64], contract: int, must_ruff: bool
) -> tuple[float, float]:
    """Return what seat 0 wins in all tricks together if neither player makes a mistake, as two numbers.

    The first number is for the case that seat 0 leads first, the second for the case that seat 1 leads first. `bones`
    has both hands, as returned by `list_bones`. The unit depends on `goal`:

    * `WIN_POINTS`: points;
    * `WIN_ALL`: tricks;
    * `WIN_NONE`: minus the number of tricks.
    """
    _, values = solve_all_positions((goal, NO_SEAT, 0, must_ruff, 0.0), bones, contract, 0)
    everything = (1 << bones.shape[1]) - 1
    return values[position_number(0, everything, everything), 0], values[position_number(1, everything, everything), 0]


@rule
def write_play_values(
    objective: Objective, bones: NDArray[np.int64], contract: int, need: int, leader: int, lead: int, plays: Floats
) -> None:
    """Write the value of every legal play to `plays`, indexed by bone. Elements of other bones stay unchanged.

    The value includes the current trick. The parameters are:

    * `objective` says what is computed, and for which seat (`Objective`).
    * `bones` has both hands, as returned by `list_bones`. If a bone has been led, the leader's hand still includes it.
    * `contract` is a trump suit, 0 to 6, or `NELLO`.
    * `need` is the number of points that the declarer still lacks. It is 0 if the goal is to win every trick or no
      trick, or if there is no declarer.
    * `leader` is the seat that leads to the current trick.
    * `lead` is the bone that was led, or −1 if `leader` has yet to lead.
    """
    _, _, _, must_ruff, _ = objective
    tricks, values = solve_all_positions(objective, bones, contract, need)
    count = bones.shape[1]
    everything = (1 << count) - 1
    number = position_number(0, everything, everything)
    for i in range(count):
        led = bones[leader, i]
        if lead < 0:
            plays[led] = value_before_lead(objective, tricks, leader, 1 << i, everything, number, need, values)
        elif led == lead:
            replies = legal_reply_places(tricks, leader, i, everything, must_ruff)
            for j in range(count):
                if replies >> j & 1:
                    reply = bones[1 - leader, j]
                    plays[reply] = value_after_trick(objective, tricks, leader, i, j, number, need, values)


# --- Python interface for hints and analysis --------------------------------------------------------------------------


#: The default values of all options of the game.
DEFAULTS = ReveilleOptions.from_texts({})


@dataclass(frozen=True)
class EndgamePosition:
    """A position of stage two with both hands known. The contract has been named."""

    hands: tuple[int, int]
    """The bones still in the hands of seat 0 and seat 1, as bit masks. A bone that was led is not included."""
    contract: int
    declarer: int
    bid: int
    leader: int
    lead: int | None = None
    """The bone that was led and is to be answered, or None between tricks."""
    points: tuple[int, int] = (0, 0)
    """Points that each seat has won in stage two so far."""
    tricks: tuple[int, int] = (0, 0)
    """Number of tricks that each seat has won in stage two so far."""

    @property
    def full_hands(self) -> tuple[int, int]:
        """The hands of seat 0 and seat 1, in this order, as bit masks of bones.

        The leader's hand includes a bone that was led but not yet answered.
        """
        led = 0 if self.lead is None else 1 << self.lead
        first, second = self.hands
        return (first | led, second) if self.leader == 0 else (first, second | led)

    def goal(self, options: ReveilleOptions) -> int:
        """Return the declarer's goal.

        In nello it is `WIN_NONE` (win no trick). After a bid of 42 with ``bid42=all_tricks`` and with trumps, it is
        `WIN_ALL` (win every trick). In all other cases it is `WIN_POINTS` (win at least the points of the bid).
        """
        if self.contract == NELLO:
            return WIN_NONE
        return WIN_ALL if self.bid == HIGHEST_BID and options.bid42 == Bid42.ALL_TRICKS else WIN_POINTS

    @property
    def tricks_left(self) -> int:
        """Number of tricks that can still be won, including the current trick if a bone has been led."""
        return self.hands[1 - self.leader].bit_count()

    def values(self, objective: Objective, need: int = 0) -> dict[int, float]:
        """Return the value of each legal play, as a dictionary with the bones as keys, in ascending order.

        `objective` says what is computed, and for which seat (`Objective`). `need` is the number of points that the
        declarer still lacks. It is 0 if the goal is to win every trick or no trick, or if there is no declarer.
        """
        plays = np.full(BONES, np.nan)
        lead = -1 if self.lead is None else self.lead
        write_play_values(objective, list_bones(self.full_hands), self.contract, need, self.leader, lead, plays)
        return {bone: value for bone, value in enumerate(plays.tolist()) if not math.isnan(value)}

    def declarer_winnings_by_play(self, goal: int, must_ruff: bool) -> dict[int, int]:
        """Return what the declarer wins from this trick on, for each legal play, if neither player makes a mistake.

        The keys of the dictionary are the bones. The values are points if `goal` is `WIN_POINTS`, and otherwise tricks.
        `must_ruff` says whether a player who cannot follow suit must play a trump.
        """
        offer = points_at_stake(self.full_hands) if goal == WIN_POINTS else self.tricks_left
        sign = -1 if goal == WIN_NONE else 1
        won = {bone: sign * round(won) for bone, won in self.values((goal, NO_SEAT, 0, must_ruff, 0.0)).items()}
        return won if self.declarer == 0 else {bone: offer - share for bone, share in won.items()}


@dataclass(frozen=True)
class Play:
    """A legal play, and its result if neither player makes a mistake afterwards."""

    bone: int
    declarer_wins: bool
    """Whether the declarer gets the mark."""
    points: int
    """The declarer's points at the end of the hand if both players play for points. In nello it is the number of tricks
    that the declarer wins."""

    def __str__(self) -> str:
        return f"{bone_name(self.bone)}: {'made' if self.declarer_wins else 'set'}, {self.points}"


def judge_plays(position: EndgamePosition, options: ReveilleOptions = DEFAULTS) -> list[Play]:
    """Return every legal play of the player to act, and how the hand ends after it if neither player makes a mistake.

    Each `Play` says whether the declarer gets the mark, and how many points (in nello: tricks) the declarer has at the
    end. The plays are in ascending order of their bones, which are numbers from 0 to 27. Raise `ValueError` with the
    reason if the position is impossible.
    """
    _check_position(position)
    goal = position.goal(options)
    ruff = options.must_ruff == MustRuff.YES
    shares = position.declarer_winnings_by_play(WIN_NONE if goal == WIN_NONE else WIN_POINTS, ruff)
    sofar = (position.tricks if goal == WIN_NONE else position.points)[position.declarer]
    totals = {bone: sofar + share for bone, share in shares.items()}
    if goal == WIN_ALL:
        wanted = position.tricks_left if position.tricks[1 - position.declarer] == 0 else math.inf
        won = position.declarer_winnings_by_play(WIN_ALL, ruff)
        return [Play(bone, won[bone] == wanted, total) for bone, total in totals.items()]
    least, most = (0, 0) if goal == WIN_NONE else (position.bid, math.inf)
    return [Play(bone, least <= total <= most, total) for bone, total in totals.items()]


def points_at_stake(hands: tuple[int, int]) -> int:
    """Return the points that can be won with two hands: one for each trick, plus the points of their counters.

    A counter is a bone that scores points by itself. The hands are bit masks of bones. Both have the same number of
    bones.
    """
    return TRICK_POINTS * hands[0].bit_count() + sum(COUNTER_POINTS[bone] for bone in bones_in_set(hands[0] | hands[1]))


def check_hands(hands: tuple[int, int]) -> None:
    """Raise `ValueError` if two hands, as bit masks of bones, are impossible.

    They must have no bone in common, the same number of bones, at most seven each, and only bones that exist.
    """
    first, second = hands
    for seat, hand in enumerate(hands):
        scoresheet_input.require(hand >> BONES == 0, f"the hand of seat {seat} holds a bone that does not exist")
    if first & second:
        raise ValueError(f"both hands contain {bone_name(bones_in_set(first & second)[-1])}")
    mine, theirs = first.bit_count(), second.bit_count()
    scoresheet_input.require(
        mine == theirs <= HAND, f"{mine} bones against {theirs}: as many each are wanted, {HAND} at most"
    )


def _check_position(position: EndgamePosition) -> None:
    contract, bid = position.contract, position.bid
    scoresheet_input.require(
        {position.leader, position.declarer} <= {0, 1}, "the leader and the declarer are seats 0 or 1"
    )
    scoresheet_input.require(
        0 <= contract <= NELLO, f"contract {contract}: a trump 0 to {NUMBERS - 1} or {NELLO} for nello is wanted"
    )
    scoresheet_input.require(LOWEST_BID <= bid <= HIGHEST_BID, f"bid {bid}: bids are {LOWEST_BID} to {HIGHEST_BID}")
    if position.lead is not None:
        scoresheet_input.require(0 <= position.lead < BONES, f"{position.lead} on the table is no bone")
        in_hand = position.hands[position.leader] >> position.lead & 1
        scoresheet_input.require(not in_hand, f"{bone_name(position.lead)} is on the table and in its player's hand")
    check_hands(position.full_hands)
    scoresheet_input.require(any(position.full_hands), "the hand is over: no bones are left")
