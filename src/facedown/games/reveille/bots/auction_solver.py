"""Exact solver for the auction and the naming of the contract, with both hands known (rules 3.5 and 3.6).

The declarer (highest bidder) names a contract. A trump contract is made if the declarer's points reach the bid. Nello
is made if the declarer wins no trick.

`games.reveille.bots.endgame_solver` computes the result of each contract. From these results the auction is solved
backwards, starting with a bid of 42.

`judge_calls` returns exact results for players who make no mistakes. `Auction` computes probabilities against an
opponent who makes some mistakes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from facedown.core.scoresheet_input import require
from facedown.games.reveille.bots.endgame_solver import (
    DEFAULTS,
    WIN_ALL,
    WIN_NONE,
    WIN_POINTS,
    check_hands,
    list_bones,
    points_at_stake,
    seat_0_winnings_by_leader,
)
from facedown.games.reveille.cards import NELLO, NUMBERS
from facedown.games.reveille.info import Bid42, MustRuff, PassFinal, ReveilleOptions
from facedown.games.reveille.rules import HIGHEST_BID, LOWEST_BID, NO_BID

#: Values of a call (a bid or a pass) to the player who makes it.
#: * `WON`: this player gets the mark (point of the match).
#: * `THROWN_IN`: the hand is thrown in, because both players pass.
#: * `LOST`: the other player gets the mark.
WON, THROWN_IN, LOST = 1, 0, -1
#: Value of a thrown-in hand (both players passed), as a probability of getting the mark (point of the match). Neither
#: player gets the mark of such a hand, so it counts as half a mark for each.
THROWN_IN_CHANCE = 0.5

#: Columns of `StageTwo.values`:
#:
#: * 0 to 6: the declarer's points with each trump suit;
#: * `NELLO`: 1 if the declarer can make nello;
#: * `ALL_TRICKS`: the bit mask of the trump suits with which the declarer wins every trick.
ALL_TRICKS = NUMBERS + 1
COLUMNS = NUMBERS + 2

#: The estimated probability of making a trump contract is logistic((points - bid + 0.5) / `POINTS_SCALE`). The points
#: are those that the declarer wins if neither player makes mistakes. The 0.5 makes the probability more than one half
#: if these points just reach the bid, and less than one half if a single point is missing.
POINTS_SCALE = 2.0
#: Estimated probability to make a contract that depends on tricks instead of points. `MADE_CHANCE` is used if the
#: contract can be made against an opponent without mistakes, and `FAILED_CHANCE` if it cannot.
MADE_CHANCE, FAILED_CHANCE = 0.85, 0.1
#: An opponent who makes mistakes may pass instead of making the best bid. The probability of the bid is logistic(d /
#: `CALL_SCALE`). Here d says how much better the bid is: the opponent's probability of getting the mark after the bid,
#: minus that after a pass.
CALL_SCALE = 0.15


@dataclass(frozen=True)
class StageTwo:
    """Results of stage two for each seat as declarer (highest bidder), by contract, if neither player makes mistakes.

    The declarer leads to the first trick. The results are integers:

    * For each trump suit: the number of points that the declarer wins.
    * For nello (the contract to win no trick): 1 if the declarer can make it, else 0.
    * With ``bid42=all_tricks``: a bit mask of the trump suits with which the declarer wins every trick.
    """

    values: NDArray[np.int64]
    """Array by (seat of the declarer, column). Columns 0 to 6 have the points that this seat wins with each trump suit.
    Column `NELLO` is 1 if the seat can lose every trick, else 0. Column `ALL_TRICKS` is the bit mask of the trump suits
    with which the seat wins every trick. It is 0 without `bid42=all_tricks`."""

    def contracts_that_make(self, seat: int, bid: int, options: ReveilleOptions = DEFAULTS) -> list[int]:
        """Return the contracts (trumps 0 to 6, or `NELLO`) with which the seat makes the bid, however the opponent
        plays.
        """
        *points, nello, sweeps = self.values[seat].tolist()
        if bid == HIGHEST_BID and options.bid42 == Bid42.ALL_TRICKS:
            trumps = [trump for trump in range(NUMBERS) if sweeps >> trump & 1]
        else:
            trumps = [trump for trump in range(NUMBERS) if points[trump] >= bid]
        return [*trumps, NELLO] if bid == HIGHEST_BID and nello == 1 else trumps


def solve_stage_two(hands: tuple[int, int], options: ReveilleOptions = DEFAULTS) -> StageTwo:
    """Return the results of every contract for each seat as declarer (`StageTwo`), if neither player makes mistakes.

    `hands` has each seat's hand as a bit mask of bones. Both hands must have the same number of bones, at most seven.
    Raise `ValueError` with the reason if the hands are invalid.
    """
    check_hands(hands)
    bones, count, offer = list_bones(hands), hands[0].bit_count(), points_at_stake(hands)
    ruff = options.must_ruff == MustRuff.YES
    values = np.zeros((2, COLUMNS), np.int64)
    for trump in range(NUMBERS):
        first, second = seat_0_winnings_by_leader(WIN_POINTS, bones, trump, ruff)
        values[:, trump] = first, offer - second
        if options.bid42 == Bid42.ALL_TRICKS:
            first, second = seat_0_winnings_by_leader(WIN_ALL, bones, trump, ruff)
            values[:, ALL_TRICKS] |= ((first == count) << trump, (second == 0) << trump)
    first, second = seat_0_winnings_by_leader(WIN_NONE, bones, NELLO, ruff)
    values[:, NELLO] = first == 0, second == -count
    return StageTwo(values)


def _logistic(x: float) -> float:
    return 1.0 / (1.0 + math.exp(-x))


def contracts_at(bid: int) -> range:
    """Return the contracts that may be named after this bid: trumps 0 to 6, and `NELLO` after a bid of 42."""
    return range(NELLO + 1 if bid == HIGHEST_BID else NUMBERS)


class Auction:
    """Calculator of the probability that the seat `me` gets the mark, in an auction with both hands known.

    The mark is the point of the match for which the hand is played. If both players pass, the hand is thrown in and
    counts as 0.5. The opponent is assumed to make some mistakes in the auction and in the play after it. If the
    argument `exact` is true, the calculation assumes that neither player makes mistakes.
    """

    def __init__(self, stage: StageTwo, options: ReveilleOptions, me: int, exact: bool = False) -> None:
        self.stage, self.options, self.me, self.exact = stage, options, me, exact
        self._chance_at_bid: dict[tuple[int, int], float] = {}
        """Probability that the seat `me` gets the mark after a bid, by (seat of the bidder, bid), if the other player
        may still call."""
        raises: tuple[list[float], list[float]] = ([], [])
        for bid in range(HIGHEST_BID, LOWEST_BID - 1, -1):
            for bidder in range(2):
                passed = self.my_mark_chance_with_declarer(bidder, bid)
                self._chance_at_bid[bidder, bid] = self._my_mark_chance_of_choice(
                    1 - bidder, passed, raises[1 - bidder]
                )
            for bidder in range(2):
                raises[bidder].append(self._chance_at_bid[bidder, bid])

    def contract_chance(self, declarer: int, contract: int, bid: int) -> float:
        """Return the estimated chance that the declarer makes a contract at a bid.

        The chance is never 0 or 1, because mistakes are possible. The parameters of the estimate are `POINTS_SCALE`,
        `MADE_CHANCE` and `FAILED_CHANCE`.
        """
        if contract == NELLO or (bid == HIGHEST_BID and self.options.bid42 == Bid42.ALL_TRICKS):
            return (
                MADE_CHANCE
                if contract in self.stage.contracts_that_make(declarer, bid, self.options)
                else FAILED_CHANCE
            )
        return _logistic((self.stage.values[declarer, contract] - bid + 0.5) / POINTS_SCALE)

    def my_mark_chance_with_declarer(self, declarer: int, bid: int) -> float:
        """Return the probability that the seat `self.me` gets the mark if `declarer` has won the auction with `bid`.

        A mark is a point of the match. The declarer names the contract that is most likely to be made.
        """
        if self.exact:
            made = 1.0 if self.stage.contracts_that_make(declarer, bid, self.options) else 0.0
        else:
            made = max(self.contract_chance(declarer, contract, bid) for contract in contracts_at(bid))
        return made if declarer == self.me else 1.0 - made

    def my_mark_chance_after_bid(self, speaker: int, bid: int, after_pass: bool) -> float:
        """Return the probability that the seat `self.me` gets the mark after the seat `speaker` makes the bid `bid`.

        A mark is a point of the match. `after_pass` says whether the opponent of `speaker` has passed before.
        """
        over = after_pass and self.options.pass_final == PassFinal.YES
        return self.my_mark_chance_with_declarer(speaker, bid) if over else self._chance_at_bid[speaker, bid]

    def my_mark_chance_after_pass(self, speaker: int, high: int, after_pass: bool) -> float:
        """Return the probability that the seat `self.me` gets the mark after the seat `speaker` passes.

        A mark is a point of the match. `high` is the last bid of the opponent of `speaker`, or `NO_BID` before the
        first bid. `after_pass` says whether the opponent of `speaker` has passed before.
        """
        if high != NO_BID:
            return self.my_mark_chance_with_declarer(1 - speaker, high)
        if after_pass:
            return THROWN_IN_CHANCE
        openings = [self.my_mark_chance_after_bid(1 - speaker, bid, True) for bid in range(LOWEST_BID, HIGHEST_BID + 1)]
        return self._my_mark_chance_of_choice(1 - speaker, THROWN_IN_CHANCE, openings)

    def my_mark_chance_by_call(self, high: int, other_passed: bool) -> dict[int, float]:
        """Return the probability that the seat `self.me` gets the mark after each of its legal calls.

        The keys of the dictionary are the calls: a pass (`NO_BID`) and every bid above `high`, the highest bid so far.
        `other_passed` is whether the opponent has passed before.
        """
        bids = range(max(LOWEST_BID, high + 1), HIGHEST_BID + 1)
        passing = {NO_BID: self.my_mark_chance_after_pass(self.me, high, other_passed)}
        return passing | {bid: self.my_mark_chance_after_bid(self.me, bid, other_passed) for bid in bids}

    def _my_mark_chance_of_choice(self, speaker: int, passing: float, bids: list[float]) -> float:
        """Return the probability that the seat `self.me` gets the mark when `speaker` chooses between a pass and bids.

        A mark is a point of the match. `passing` is the probability after the pass. `bids` has the probability after
        each bid. If `bids` is empty, the result is `passing`. Otherwise it depends on which player chooses:

        * The seat `self.me` makes the best call. The result is the highest of all these probabilities.
        * If `self.exact` is true, the opponent makes no mistakes. The result is the lowest of all these probabilities.
        * If `self.exact` is false, the opponent may make mistakes. It is assumed either to make the bid that is best
          for itself, or to pass. The result is a weighted mean of the lowest number in `bids` and of `passing`. The
          weight of the bid grows with the opponent's gain from bidding instead of passing (`CALL_SCALE`).
        """
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
    """Return the value of each legal call to the player `speaker` if neither player makes mistakes.

    The value is 1 if the speaker gets the mark, −1 if the opponent gets it, and 0 if the hand is thrown in. A call is
    `NO_BID` (a pass) or a bid from 4 to 42.

    * `high`: the opponent's bid, or `NO_BID` before the first bid.
    * `other_passed`: whether the opponent has passed before.

    Raise `ValueError` if the speaker is not a seat or `high` is not a possible bid.
    """
    require(speaker in (0, 1), f"speaker must be 0 or 1, not {speaker}")
    if high != NO_BID and not LOWEST_BID <= high < HIGHEST_BID:
        raise ValueError(f"high must be {NO_BID} or from {LOWEST_BID} to {HIGHEST_BID - 1}, not {high}")
    chances = Auction(stage, options, speaker, exact=True).my_mark_chance_by_call(high, other_passed)
    return {
        call: THROWN_IN if chance == THROWN_IN_CHANCE else WON if chance > THROWN_IN_CHANCE else LOST
        for call, chance in chances.items()
    }
