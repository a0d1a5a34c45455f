"""The second stage of Reveille solved: auction, declaration and play, both hands known (rules 3.5 to 3.8).

When stage two begins each player can tell the other's hand: 28 bones less his own 7 and the 14 that were burnt. What
is left is a game without chance or secrets, and a small one. Between two tricks a position is which bones each player
still holds, equally many, and who leads: C(14, 7) = 3432 pairs of sets, times two leaders. So nothing is searched:
starting from empty hands, the value of *every* such position is worked out once from those with one bone less, which
settles the best play of a whole contract in some ten thousand steps.

One number serves both players, the payoff of seat 0: in a trump contract his points (the points on offer are the same
however they are shared, so what one wins the other loses), in nello minus his tricks. Seat 0 makes it as large as he
can, seat 1 as small. A trump bid is made if the declarer's share reaches it, nello if it is no trick at all.
The claim and `auto_end` never change who gets the mark (RVL-13, RVL-19), so they do not occur here.

A bone is a number 0..27, a hand a set of bones: an integer with a bit for each (`facedown.games.reveille.cards`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from facedown.core.rule import rule
from facedown.core.scoring import need
from facedown.core.state import Ints
from facedown.games.reveille.cards import (
    BONES,
    COUNTER,
    NELLO,
    NUMBERS,
    TRICK_POINTS,
    TRUMPS,
    Grid,
    bone_name,
    followers,
    members,
    reply_wins,
    trick_points,
)
from facedown.games.reveille.state import HAND, HIGHEST_BID, LOWEST_BID, NO_BID

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

#: What each lead allows and leads to (`prepare`): follow, ruff, change, gain.
Tricks = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]

#: Room for what is said of each call: `NO_BID` (a pass) and the bids up to the highest.
CALLS = HIGHEST_BID + 1

#: Marks as `call_values` counts them, for the player who speaks.
WON, THROWN_IN, LOST, NOT_LEGAL = 1, 0, -1, -2

#: Columns of `contract_values`: the points of each trump, then whether nello is made, then the trumps with all tricks.
ALL_TRICKS = NUMBERS + 1
COLUMNS = NUMBERS + 2

#: Larger than any payoff.
FAR = 100


@rule
def list_bones(hand: int, bones: NDArray[np.int64]) -> int:
    """Write the bones of a hand, ascending, and return how many they are."""
    count = 0
    for bone in range(BONES):
        if (hand >> bone) & 1:
            bones[count] = bone
            count += 1
    return count


@rule
def position_number(leader: int, held0: int, held1: int) -> int:
    """A position between two tricks: who leads, and which places of each hand are still held (sets)."""
    return leader << LEADER_AT | held0 << HAND | held1


@rule
def prepare(hands: tuple[int, int], contract: int, goal: int, paid: int, bones: NDArray[np.int64]) -> Tricks:
    """What each lead allows and leads to; `bones` (2 × 7) receives the bones of both hands, ascending.

    By leader and i, a place in the leader's hand, `follow` and `ruff`: the replies that follow suit, those that are
    trumps (sets of places in the other hand). With j, the place of the reply, `change`: the bits of a position's number
    that the trick changes; `gain`: what it pays to the seat `paid` if that wins it: its points, 1 or −1 by the goal.
    """
    follow = np.zeros((2, HAND), np.int64)
    ruff = np.zeros((2, HAND), np.int64)
    change = np.zeros((2, HAND, HAND), np.int64)
    gain = np.zeros((2, HAND, HAND), np.int64)
    count = list_bones(hands[0], bones[0])
    list_bones(hands[1], bones[1])
    for leader in range(2):
        for i in range(count):
            lead = bones[leader, i]
            for j in range(count):
                reply = bones[1 - leader, j]
                follow[leader, i] |= (followers(contract, lead) >> reply & 1) << j
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
def answers(tricks: Tricks, leader: int, i: int, theirs: int, must_ruff: bool) -> int:
    """The places held (`theirs`) with which the lead of place i may be answered."""
    follow, ruff, _, _ = tricks
    replies = theirs & follow[leader, i]
    if replies == 0 and must_ruff:
        replies = theirs & ruff[leader, i]
    return replies if replies != 0 else theirs


@rule
def best_of(
    tricks: Tricks, leader: int, mine: int, theirs: int, number: int, must_ruff: bool, values: NDArray[np.int8]
) -> int:
    """What it is worth to seat 0 that the leader leads the best of the places `mine`, each met by the best reply.

    `theirs` are the places that the other holds, `number` is the position's without its leader.
    """
    _, _, change, gain = tricks
    sign = 1 - 2 * leader
    best = -FAR
    while mine != 0:
        i = LOWEST[mine]
        mine &= mine - 1
        replies = answers(tricks, leader, i, theirs, must_ruff)
        worst = FAR
        while replies != 0 and worst > best:
            j = LOWEST[replies]
            replies &= replies - 1
            worst = min(worst, sign * (values[number ^ change[leader, i, j]] + gain[leader, i, j]))
        best = max(best, worst)
    return sign * best


@rule
def solve_play(tricks: Tricks, count: int, must_ruff: bool, values: NDArray[np.int8]) -> None:
    """Work out the play of two hands of `count` bones (7 at most), from every position that can arise.

    `values[position_number(leader, held0, held1)]` receives the payoff of seat 0 from there on (places count the bones
    of a hand in ascending order). It must have `POSITIONS` elements.
    """
    for leader in range(2):
        values[position_number(leader, 0, 0)] = 0
    for held0 in range(1, 1 << count):
        for held1 in range(1, 1 << count):
            if SIZE[held0] == SIZE[held1]:
                number = position_number(0, held0, held1)
                for leader in range(2):
                    mine, theirs = (held0, held1) if leader == 0 else (held1, held0)
                    value = best_of(tricks, leader, mine, theirs, number, must_ruff, values)
                    values[number | leader << LEADER_AT] = value


@rule
def points_in(hand0: int, hand1: int) -> int:
    """The points on offer in two hands of equal size: one for each trick, and the counters."""
    points = 0
    for bone in range(BONES):
        points += TRICK_POINTS * ((hand0 >> bone) & 1) + COUNTER[bone] * (((hand0 | hand1) >> bone) & 1)
    return points


@rule
def contract_values(hand0: int, hand1: int, must_ruff: bool, all_tricks: bool, values: NDArray[np.int64]) -> None:
    """What every contract is worth to each player as declarer, who leads to the first trick.

    `values` (2 × 9) receives for each seat: in columns 0..6 the points he can be sure of with that trump; in column
    `NELLO` 1 if he can lose every trick, else 0; in column `ALL_TRICKS` the set of trumps with which he can win every
    trick (worked out only if `all_tricks`, otherwise 0).
    """
    hands = (hand0, hand1)
    bones = np.zeros((2, HAND), np.int64)
    count = list_bones(hand0, bones[0])
    everything = (1 << count) - 1
    first, second = position_number(0, everything, everything), position_number(1, everything, everything)
    offer = points_in(hand0, hand1)
    table = np.zeros(POSITIONS, np.int8)
    values[:, ALL_TRICKS] = 0
    for trump in range(NUMBERS):
        solve_play(prepare(hands, trump, WIN_POINTS, 0, bones), count, must_ruff, table)
        values[0, trump] = table[first]
        values[1, trump] = offer - table[second]
        if all_tricks:
            solve_play(prepare(hands, trump, WIN_ALL, 0, bones), count, must_ruff, table)
            values[0, ALL_TRICKS] |= 1 << trump if table[first] == count else 0
            values[1, ALL_TRICKS] |= 1 << trump if table[second] == 0 else 0
    solve_play(prepare(hands, NELLO, WIN_NONE, 0, bones), count, must_ruff, table)
    values[0, NELLO] = 1 if table[first] == 0 else 0
    values[1, NELLO] = 1 if table[second] == -count else 0


@rule
def contract_makes(values: Grid[int], declarer: int, contract: int, bid: int, all_tricks: bool) -> bool:
    """Whether the declarer can make a contract at a bid; `values` are those of `contract_values`."""
    if contract == NELLO:
        return bid == HIGHEST_BID and values[declarer, NELLO] == 1
    if bid == HIGHEST_BID and all_tricks:
        return values[declarer, ALL_TRICKS] >> contract & 1 == 1
    return values[declarer, contract] >= bid


@rule
def declared(values: Grid[int], declarer: int, bid: int, all_tricks: bool) -> int:
    """What the auction is worth to seat 0 once somebody is declarer: 1 if he gets the mark, −1 if seat 1 does."""
    makes = False
    for contract in range(NELLO + 1):
        makes = makes or contract_makes(values, declarer, contract, bid, all_tricks)
    return 1 if makes == (declarer == 0) else -1


@rule
def solve_auction(values: Grid[int], all_tricks: bool, standing: NDArray[np.int64]) -> None:
    """`standing[p, b]` receives what it is worth to seat 0 that p's bid of b stands and the other is to speak.

    He may pass, which makes p declarer, or raise; 42 is the end of it (rules 3.5). Worked out from 42 downwards.
    """
    for bid in range(HIGHEST_BID, LOWEST_BID - 1, -1):
        for bidder in range(2):
            other = 1 - bidder
            sign = 1 if other == 0 else -1
            best = sign * declared(values, bidder, bid, all_tricks)
            for higher in range(bid + 1, HIGHEST_BID + 1):
                best = max(best, sign * standing[other, higher])
            standing[bidder, bid] = declared(values, bidder, bid, all_tricks) if bid == HIGHEST_BID else sign * best


@rule
def call_values(
    values: Grid[int], all_tricks: bool, pass_final: bool, speaker: int, high: int, other_passed: bool, calls: Ints
) -> int:
    """What every call is worth to the speaker, both hands known and both playing on without a mistake.

    `high` is the other player's standing bid, or `NO_BID`; `other_passed` whether he has passed before. `calls` (43)
    receives at `NO_BID`, a pass, and at each bid 4..42: `WON` (the speaker gets the mark), `LOST`, `THROWN_IN`, or
    `NOT_LEGAL`. Returns the best of them.
    """
    standing = np.zeros((2, CALLS), np.int64)
    solve_auction(values, all_tricks, standing)
    other = 1 - speaker
    sign = 1 if speaker == 0 else -1
    best = LOST
    for call in range(CALLS):
        calls[call] = NOT_LEGAL
        if call >= LOWEST_BID and call > high:
            over = pass_final and other_passed
            calls[call] = sign * (declared(values, speaker, call, all_tricks) if over else standing[speaker, call])
            best = max(best, calls[call])
    if high != NO_BID:
        calls[NO_BID] = sign * declared(values, other, high, all_tricks)
    elif other_passed:
        calls[NO_BID] = THROWN_IN
    else:  # the other one is left to open: he takes his best bid, or passes too
        calls[NO_BID] = THROWN_IN
        for bid in range(LOWEST_BID, HIGHEST_BID + 1):
            opened = declared(values, other, bid, all_tricks) if pass_final else standing[other, bid]
            calls[NO_BID] = min(calls[NO_BID], sign * opened)
    return max(best, calls[NO_BID])


@rule
def play_values(
    hands: tuple[int, int], contract: int, goal: int, must_ruff: bool, leader: int, lead: int, plays: NDArray[np.int64]
) -> int:
    """What every legal play is worth to seat 0, from here on and this trick included.

    `lead` is the bone of the leader's hand that lies on the table, or −1 if `leader` is to lead.
    `plays` (28) receives the payoff at each legal bone. Returns the set of legal bones.
    """
    bones = np.zeros((2, HAND), np.int64)
    tricks = prepare(hands, contract, goal, 0, bones)
    _, _, change, gain = tricks
    count = list_bones(hands[0], bones[0])
    everything = (1 << count) - 1
    number = position_number(0, everything, everything)
    table = np.zeros(POSITIONS, np.int8)
    solve_play(tricks, count, must_ruff, table)
    legal = 0
    for i in range(count):
        led = bones[leader, i]
        if lead < 0:
            plays[led] = best_of(tricks, leader, 1 << i, everything, number, must_ruff, table)
            legal |= 1 << led
        elif led == lead:
            replies = answers(tricks, leader, i, everything, must_ruff)
            for j in range(count):
                if replies >> j & 1:
                    reply = bones[1 - leader, j]
                    plays[reply] = table[number ^ change[leader, i, j]] + gain[leader, i, j]
                    legal |= 1 << reply
    return legal


# --- for people, hints and analysis


@dataclass(frozen=True)
class EndgameOptions:
    """The options of Reveille that stage two depends on."""

    must_ruff: bool = False
    all_tricks: bool = False
    """`bid42=all_tricks`: a trump contract at 42 needs every trick instead of 42 points."""
    pass_final: bool = False


DEFAULTS = EndgameOptions()


@dataclass(frozen=True)
class StageTwo:
    """What the second stage holds for each seat as declarer."""

    values: NDArray[np.int64]
    """What each contract is worth to each seat, by the columns of `contract_values`: first the points by trump."""

    def contracts_that_make(self, seat: int, bid: int, options: EndgameOptions = DEFAULTS) -> list[int]:
        """The contracts (0..6, or `NELLO`) with which the seat makes the bid, whatever the other does."""
        makes = (contract_makes(self.values, seat, contract, bid, options.all_tricks) for contract in range(NELLO + 1))
        return [contract for contract, yes in enumerate(makes) if yes]


def solve_stage_two(hands: Sequence[int], options: EndgameOptions = DEFAULTS) -> StageTwo:
    """Every contract for both declarers. `hands` are two sets of as many bones, seven at most.

    ValueError names what is wrong with the hands.
    """
    _check_hands(hands)
    values = np.zeros((2, COLUMNS), np.int64)
    contract_values(hands[0], hands[1], options.must_ruff, options.all_tricks, values)
    return StageTwo(values)


def judge_calls(
    stage: StageTwo, speaker: int, high: int = NO_BID, other_passed: bool = False, options: EndgameOptions = DEFAULTS
) -> dict[int, int]:
    """What each legal call is worth to the speaker: 1 he gets the mark, −1 the other, 0 nobody.

    A call is `NO_BID`, a pass, or a bid 4..42. `high` is the other player's standing bid (`NO_BID`: none),
    `other_passed` whether he has passed before.
    ValueError names a standing bid that cannot be.
    """
    need(speaker in (0, 1), f"seat {speaker} does not play: the seats are 0 and 1")
    if high != NO_BID and not LOWEST_BID <= high < HIGHEST_BID:
        raise ValueError(f"no auction goes on over {high}: bids are {LOWEST_BID} to {HIGHEST_BID}, which ends it")
    calls = np.zeros(CALLS, np.int64)
    call_values(stage.values, options.all_tricks, options.pass_final, speaker, high, other_passed, calls)
    return {call: value for call, value in enumerate(calls.tolist()) if value != NOT_LEGAL}


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
    def led(self) -> int:
        """The bone on the table, or −1: so the compiled functions take it."""
        return -1 if self.lead is None else self.lead

    @property
    def whole(self) -> tuple[int, int]:
        """Both hands, the bone on the table counted in its player's."""
        led = 0 if self.lead is None else 1 << self.lead
        first, second = self.hands
        return (first | led, second) if self.leader == 0 else (first, second | led)

    def goal(self, options: EndgameOptions) -> int:
        """What the declarer has to do."""
        if self.contract == NELLO:
            return WIN_NONE
        return WIN_ALL if self.bid == HIGHEST_BID and options.all_tricks else WIN_POINTS


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


def judge_plays(position: EndgamePosition, options: EndgameOptions = DEFAULTS) -> list[Play]:
    """Every legal play of the player to act, ascending by bone, with its value for the mark and in points.

    ValueError names what is wrong with the position.
    """
    _check_position(position)
    goal = position.goal(options)
    shares = _shares(position, WIN_NONE if goal == WIN_NONE else WIN_POINTS, options)
    sofar = (position.tricks if goal == WIN_NONE else position.points)[position.declarer]
    totals = {bone: sofar + share for bone, share in shares.items()}
    if goal == WIN_ALL:
        swept = position.tricks[1 - position.declarer] == 0
        won = _shares(position, WIN_ALL, options)
        makes = {bone: swept and share == _tricks_left(position) for bone, share in won.items()}
    else:
        makes = {bone: total == 0 if goal == WIN_NONE else total >= position.bid for bone, total in totals.items()}
    return [Play(bone, made, totals[bone]) for bone, made in makes.items()]


def _shares(position: EndgamePosition, goal: int, options: EndgameOptions) -> dict[int, int]:
    """For each legal bone what the declarer still gets: points, or tricks."""
    plays = np.zeros(BONES, np.int64)
    ruff, leader = options.must_ruff, position.leader
    legal = play_values(position.whole, position.contract, goal, ruff, leader, position.led, plays)
    offer = points_in(*position.whole) if goal == WIN_POINTS else _tricks_left(position)
    worth: list[int] = (-plays if goal == WIN_NONE else plays).tolist()
    return {bone: worth[bone] if position.declarer == 0 else offer - worth[bone] for bone in _ascending(legal)}


def _tricks_left(position: EndgamePosition) -> int:
    """Tricks still to be won, the one on the table included."""
    return position.hands[1 - position.leader].bit_count()


def _ascending(places: int) -> tuple[int, ...]:
    return tuple(reversed(members(places)))


def _check_hands(hands: Sequence[int]) -> None:
    first, second = hands
    for seat, hand in enumerate(hands):
        need(hand >> BONES == 0, f"the hand of seat {seat} holds a bone that does not exist")
    if first & second:
        raise ValueError(f"both hands hold {bone_name(_ascending(first & second)[0])}")
    mine, theirs = first.bit_count(), second.bit_count()
    need(mine == theirs <= HAND, f"{mine} bones against {theirs}: as many each are wanted, {HAND} at most")


def _check_position(position: EndgamePosition) -> None:
    contract, bid = position.contract, position.bid
    need({position.leader, position.declarer} <= {0, 1}, "the leader and the declarer are seats 0 or 1")
    need(0 <= contract <= NELLO, f"contract {contract}: a trump 0 to {NUMBERS - 1} or {NELLO} for nello is wanted")
    need(LOWEST_BID <= bid <= HIGHEST_BID, f"bid {bid}: bids are {LOWEST_BID} to {HIGHEST_BID}")
    if position.lead is not None:
        need(0 <= position.lead < BONES, f"{position.lead} on the table is no bone")
        if position.hands[position.leader] >> position.lead & 1:
            raise ValueError(f"{bone_name(position.lead)} is on the table and in its player's hand")
    _check_hands(position.whole)
    need(any(position.whole), "the hand is over: no bones are left")
