"""The auction and declaration of Reveille's second stage solved, both hands known (rules 3.5 and 3.6).

What each contract brings comes from `games.reveille.endgame`. A trump bid is made if the declarer's share reaches it,
nello if it takes no trick at all. The auction is worked out from 42 downwards: against an opponent who makes no mistake
(`judge_calls`), or as the chances against one who may (`Auction`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from facedown.core.scoresheet_input import need
from facedown.games.reveille.bots.endgame import (
    DEFAULTS,
    WIN_ALL,
    WIN_NONE,
    WIN_POINTS,
    check_hands,
    hand_values,
    list_bones,
    points_in,
)
from facedown.games.reveille.cards import NELLO, NUMBERS
from facedown.games.reveille.info import Bid42, MustRuff, PassFinal, ReveilleOptions
from facedown.games.reveille.rules import HIGHEST_BID, LOWEST_BID, NO_BID

#: What a call is worth to the player who speaks, in marks.
WON, THROWN_IN, LOST = 1, 0, -1
#: The chance that a hand that is thrown in counts as.
THROWN_IN_CHANCE = 0.5

#: Columns of `StageTwo.values`: the points of each trump, then whether nello is made, then the trumps with all tricks.
ALL_TRICKS = NUMBERS + 1
COLUMNS = NUMBERS + 2

#: Points between what can be won and the bid, over which the chance to make a contract goes from a half to 73 %.
POINTS_SCALE = 2.0
#: The chance that a contract without points (nello, all tricks) is made when the solver says yes, and when it says no.
MADE_CHANCE, FAILED_CHANCE = 0.85, 0.1
#: How much better a call must be before a noisy opponent finds it with 73 %.
CALL_SCALE = 0.15


@dataclass(frozen=True)
class StageTwo:
    """What the second stage holds for each seat as declarer, who leads to the first trick."""

    values: NDArray[np.int64]
    """By seat: in columns 0..6 the points that are certain with that trump; in column `NELLO` 1 if every trick can be
    lost, else 0; in column `ALL_TRICKS` the set of trumps with which every trick can be won (only with that option)."""

    def contracts_that_make(self, seat: int, bid: int, options: ReveilleOptions = DEFAULTS) -> list[int]:
        """The contracts (0..6, or `NELLO`) with which the seat makes the bid, whatever the other does."""
        *points, nello, sweeps = self.values[seat].tolist()
        if bid == HIGHEST_BID and options.bid42 == Bid42.ALL_TRICKS:
            trumps = [trump for trump in range(NUMBERS) if sweeps >> trump & 1]
        else:
            trumps = [trump for trump in range(NUMBERS) if points[trump] >= bid]
        return [*trumps, NELLO] if bid == HIGHEST_BID and nello == 1 else trumps


def solve_stage_two(hands: tuple[int, int], options: ReveilleOptions = DEFAULTS) -> StageTwo:
    """Every contract for both declarers. `hands` are two sets of as many bones, seven at most.

    ValueError names what is wrong with the hands.
    """
    check_hands(hands)
    bones, count, offer = list_bones(hands), hands[0].bit_count(), points_in(hands)
    ruff = options.must_ruff == MustRuff.YES
    values = np.zeros((2, COLUMNS), np.int64)
    for trump in range(NUMBERS):
        first, second = hand_values(WIN_POINTS, bones, trump, ruff)
        values[:, trump] = first, offer - second
        if options.bid42 == Bid42.ALL_TRICKS:
            first, second = hand_values(WIN_ALL, bones, trump, ruff)
            values[:, ALL_TRICKS] |= ((first == count) << trump, (second == 0) << trump)
    first, second = hand_values(WIN_NONE, bones, NELLO, ruff)
    values[:, NELLO] = first == 0, second == -count
    return StageTwo(values)


def _logistic(x: float) -> float:
    return 1.0 / (1.0 + math.exp(-x))


def contracts_at(bid: int) -> range:
    """The contracts that may be named after a bid."""
    return range(NELLO + 1 if bid == HIGHEST_BID else NUMBERS)


class Auction:
    """My chances of the mark in an auction, both hands known; a hand that is thrown in counts as a half.

    The other is noisy, in the auction and in the play after it, unless the auction is `exact`: then neither errs.
    """

    def __init__(self, stage: StageTwo, options: ReveilleOptions, me: int, exact: bool = False) -> None:
        self.stage, self.options, self.me, self.exact = stage, options, me, exact
        self._chance_at_bid: dict[tuple[int, int], float] = {}
        """My chance when a bid stands and the other player passes, which makes the bidder declarer, or raises."""
        raises: tuple[list[float], list[float]] = ([], [])
        for bid in range(HIGHEST_BID, LOWEST_BID - 1, -1):
            for bidder in range(2):
                passed = self.chance_with_declarer(bidder, bid)
                self._chance_at_bid[bidder, bid] = self._chance_of_choice(1 - bidder, passed, raises[1 - bidder])
            for bidder in range(2):
                raises[bidder].append(self._chance_at_bid[bidder, bid])

    def contract_chance(self, declarer: int, contract: int, bid: int) -> float:
        """How likely the declarer makes a contract against a noisy opponent."""
        if contract == NELLO or (bid == HIGHEST_BID and self.options.bid42 == Bid42.ALL_TRICKS):
            return (
                MADE_CHANCE
                if contract in self.stage.contracts_that_make(declarer, bid, self.options)
                else FAILED_CHANCE
            )
        return _logistic((self.stage.values[declarer, contract] - bid + 0.5) / POINTS_SCALE)

    def chance_with_declarer(self, declarer: int, bid: int) -> float:
        """My chance when a player is declarer at a bid and names the best contract."""
        if self.exact:
            made = 1.0 if self.stage.contracts_that_make(declarer, bid, self.options) else 0.0
        else:
            made = max(self.contract_chance(declarer, contract, bid) for contract in contracts_at(bid))
        return made if declarer == self.me else 1.0 - made

    def chance_after_bid(self, speaker: int, bid: int, after_pass: bool) -> float:
        """My chance when a player bids; `after_pass`: the other has passed before."""
        over = after_pass and self.options.pass_final == PassFinal.YES
        return self.chance_with_declarer(speaker, bid) if over else self._chance_at_bid[speaker, bid]

    def chance_after_pass(self, speaker: int, high: int, after_pass: bool) -> float:
        """My chance when a player passes over a standing bid (`NO_BID`: none)."""
        if high != NO_BID:
            return self.chance_with_declarer(1 - speaker, high)
        if after_pass:
            return THROWN_IN_CHANCE
        openings = [self.chance_after_bid(1 - speaker, bid, True) for bid in range(LOWEST_BID, HIGHEST_BID + 1)]
        return self._chance_of_choice(1 - speaker, THROWN_IN_CHANCE, openings)

    def call_chances(self, high: int, other_passed: bool) -> dict[int, float]:
        """My chance after each call that I may make: a pass (`NO_BID`), and the bids above the standing one."""
        bids = range(max(LOWEST_BID, high + 1), HIGHEST_BID + 1)
        passing = {NO_BID: self.chance_after_pass(self.me, high, other_passed)}
        return passing | {bid: self.chance_after_bid(self.me, bid, other_passed) for bid in bids}

    def _chance_of_choice(self, speaker: int, passing: float, bids: list[float]) -> float:
        """My chance when a player chooses between a pass and the bids: I choose the best, the other is noisy."""
        if speaker == self.me or not bids:
            return max([passing, *bids])
        best = min(bids)
        if self.exact:
            return min(best, passing)
        finds = _logistic((passing - best) / CALL_SCALE)
        return finds * best + (1.0 - finds) * passing


def judge_calls(
    stage: StageTwo, speaker: int, high: int = NO_BID, other_passed: bool = False, options: ReveilleOptions = DEFAULTS
) -> dict[int, int]:
    """What each legal call is worth to the speaker: 1 if they get the mark, −1 if the other does, 0 if neither does.

    A call is `NO_BID`, a pass, or a bid 4..42. `high` is the other player's standing bid (`NO_BID`: none),
    `other_passed` whether the other has passed before.
    ValueError names a standing bid that cannot be.
    """
    need(speaker in (0, 1), f"seat {speaker} does not play: the seats are 0 and 1")
    if high != NO_BID and not LOWEST_BID <= high < HIGHEST_BID:
        raise ValueError(f"no auction goes on over {high}: bids are {LOWEST_BID} to {HIGHEST_BID}, which ends it")
    chances = Auction(stage, options, speaker, exact=True).call_chances(high, other_passed)
    return {
        call: THROWN_IN if chance == THROWN_IN_CHANCE else WON if chance > THROWN_IN_CHANCE else LOST
        for call, chance in chances.items()
    }
