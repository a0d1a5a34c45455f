"""Reveille's second stage without a mistake, and with an eye on the other player's.

When the boneyard is empty the other hand is what is left of the 28 bones, so auction, declaration and play are solved
outright (`solvers.reveille`). A call, a contract or a bone that is not best against a perfect player is never chosen.
Several are often equally good then, or equally lost: among these the bot takes the one that does best against a player
who trembles (`bots.tremble`). Stage one is left to another bot.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from facedown.bots.base import Bot, check_view
from facedown.bots.tremble import WIN_ALL, WIN_NONE, WIN_POINTS, chances_of_plays
from facedown.core.game import Game
from facedown.games.reveille.bones import BONES, NELLO, NUMBERS
from facedown.games.reveille.rules import (
    AUCTION,
    BID,
    CLAIM,
    DECLARE,
    FIRST_STAGE,
    NAME,
    PASS,
    PLAY,
    PLAY_TWO,
    SLOTS,
    hand_of,
    lead,
    may_claim,
)
from facedown.solvers.reveille import (
    HIGHEST_BID,
    LOWEST_BID,
    Options,
    Position,
    StageTwo,
    judge_calls,
    judge_plays,
    solve_stage_two,
)
from facedown.solvers.reveille import PASS as PASSED

ALL_BONES = (1 << BONES) - 1

#: How often a player who trembles plays any legal bone instead of the best one.
TREMBLE = 0.25
#: Points between what can be won and the bid, over which the chance to make a contract goes from a half to 73 %.
DOUBT = 2.0
#: The chance that a contract without points (nello, all tricks) is made when the solver says yes, and when it says no.
MADE, BROKEN = 0.85, 0.1
#: How much better a call must be before a player who trembles finds it with 73 %.
CALL_DOUBT = 0.15


class OnlyReveille(ValueError):
    """The exact bot was asked to play another game."""


@dataclass(frozen=True, slots=True)
class Judged:
    """An action in stage two."""

    action: int
    value: int
    """Who gets the mark if both go on without a mistake: 1 I do, −1 the other, 0 nobody (the hand is thrown in)."""
    points: int
    """In play: what I win of the points that the declarer and I share if both aim at points (nello: minus tricks)."""
    chance: float
    """My chance of the mark if the other one trembles."""

    @property
    def rank(self) -> tuple[int, float, int]:
        """What the bot goes by: the mark first, then the chance, then the points."""
        return self.value, round(self.chance, 6), self.points


def known_hands(view: Any, seat: int) -> tuple[int, int]:
    """Both hands (sets of bones), by seat, as `seat` knows them once the boneyard is empty."""
    mine = int(hand_of(view, seat))
    gone = 0
    for slot in range(FIRST_STAGE, SLOTS):
        if int(view.card[slot]) < BONES:
            gone |= 1 << int(view.card[slot])
    other = ALL_BONES & ~(mine | gone)
    return (mine, other) if seat == 0 else (other, mine)


def options_of(view: Any) -> Options:
    """The options that stage two depends on."""
    return Options(int(view.must_ruff) == 1, int(view.all_tricks) == 1, int(view.pass_final) == 1)


def in_stage_two(view: Any) -> bool:
    """Are both hands known: is it the auction, the declaration or the play after it?"""
    return int(view.phase) in (AUCTION, DECLARE, PLAY_TWO)


def judge(view: Any, seat: int) -> list[Judged]:
    """Every legal action of a seat that is to act in stage two, ascending, but for false claims."""
    check_view(view, seat)
    phase = int(view.phase)
    if phase == AUCTION:
        return _judge_calls(view, seat)
    if phase == DECLARE:
        return _judge_contracts(view, seat)
    if phase == PLAY_TWO:
        return _judge_bones(view, seat)
    raise ValueError("stage two has not begun: the other hand is not known")


# --- the auction ------------------------------------------------------------------------------------------------------


def _logistic(x: float) -> float:
    return 1.0 / (1.0 + math.exp(-x))


class Auction:
    """The chances of an auction whose second speaker trembles, from both hands."""

    def __init__(self, stage: StageTwo, options: Options, me: int) -> None:
        self.stage = stage
        self.options = options
        self.me = me
        self._standing: dict[tuple[int, int], float] = {}

    def contract(self, declarer: int, contract: int, bid: int) -> float:
        """How likely the declarer makes a contract."""
        if contract == NELLO or (bid == HIGHEST_BID and self.options.all_tricks):
            return MADE if contract in self.stage.contracts_that_make(declarer, bid, self.options) else BROKEN
        return _logistic((self.stage.points[declarer][contract] - bid + 0.5) / DOUBT)

    def declared(self, declarer: int, bid: int) -> float:
        """My chance when somebody is declarer at a bid, and names the best contract."""
        contracts = range(NELLO + 1) if bid == HIGHEST_BID else range(NUMBERS)
        made = max(self.contract(declarer, contract, bid) for contract in contracts)
        return made if declarer == self.me else 1.0 - made

    def called(self, speaker: int, bid: int, after_pass: bool) -> float:
        """My chance when somebody bids; `after_pass`: the other has passed before."""
        if bid == HIGHEST_BID or (after_pass and self.options.pass_final):
            return self.declared(speaker, bid)
        key = (speaker, bid)
        if key not in self._standing:
            other = 1 - speaker
            passed = self.declared(speaker, bid)
            raises = [self.called(other, higher, False) for higher in range(bid + 1, HIGHEST_BID + 1)]
            self._standing[key] = self._choose(other, passed, raises)
        return self._standing[key]

    def passed(self, speaker: int, high: int, after_pass: bool) -> float:
        """My chance when somebody passes over a standing bid (`PASSED`: none)."""
        if high != PASSED:
            return self.declared(1 - speaker, high)
        if after_pass:
            return 0.5
        openings = [self.called(1 - speaker, bid, True) for bid in range(LOWEST_BID, HIGHEST_BID + 1)]
        return self._choose(1 - speaker, 0.5, openings)

    def _choose(self, speaker: int, passing: float, bids: list[float]) -> float:
        """My chance when somebody chooses between passing and the bids: I choose the best, the other trembles."""
        if speaker == self.me:
            return max(passing, *bids)
        best = min(bids)
        finds = _logistic((passing - best) / CALL_DOUBT)
        return finds * best + (1.0 - finds) * passing


def _judge_calls(view: Any, seat: int) -> list[Judged]:
    options = options_of(view)
    stage = solve_stage_two(known_hands(view, seat), options)
    high = int(view.high) or PASSED
    other_passed = high == PASSED and int(view.call_count) > 0
    auction = Auction(stage, options, seat)
    found = []
    for call, value in judge_calls(stage, seat, high, other_passed, options).items():
        if call == PASSED:
            found.append(Judged(PASS, value, 0, auction.passed(seat, high, other_passed)))
        else:
            # Of equal bids the lowest: it asks for the least.
            found.append(Judged(BID + call - LOWEST_BID, value, -call, auction.called(seat, call, other_passed)))
    return found


def _judge_contracts(view: Any, seat: int) -> list[Judged]:
    options = options_of(view)
    bid = int(view.high)
    stage = solve_stage_two(known_hands(view, seat), options)
    made = stage.contracts_that_make(seat, bid, options)
    auction = Auction(stage, options, seat)
    found = []
    for contract in range(NELLO + 1 if bid == HIGHEST_BID else NUMBERS):
        points = 0 if contract == NELLO else stage.points[seat][contract]
        value = 1 if contract in made else -1
        found.append(Judged(NAME + contract, value, points, auction.contract(seat, contract, bid)))
    return found


# --- play -------------------------------------------------------------------------------------------------------------


def position_of(view: Any, seat: int) -> Position:
    """The position of stage two as a seat knows it."""
    leader = int(view.leader)
    led = int(lead(view)) if seat != leader else None
    return Position(
        known_hands(view, seat),
        int(view.contract),
        int(view.declarer),
        int(view.high),
        leader,
        led,
        (int(view.points[0]), int(view.points[1])),
        (int(view.tricks[0]), int(view.tricks[1])),
    )


def goal_of(position: Position, options: Options) -> int:
    """What the declarer has to do."""
    if position.contract == NELLO:
        return WIN_NONE
    return WIN_ALL if position.bid == HIGHEST_BID and options.all_tricks else WIN_POINTS


def _judge_bones(view: Any, seat: int) -> list[Judged]:
    options = options_of(view)
    position = position_of(view, seat)
    declarer = position.declarer
    goal = goal_of(position, options)
    need = max(0, position.bid - position.points[declarer]) if goal == WIN_POINTS else 0
    hopeless = {
        WIN_POINTS: need == 0,
        WIN_ALL: position.tricks[1 - declarer] > 0,
        WIN_NONE: position.tricks[declarer] > 0,
    }
    chances = np.full(BONES, 0.0 if hopeless[goal] else -1.0)
    if not hopeless[goal]:
        chances_of_plays(
            *position.hands,
            position.contract,
            goal,
            declarer,
            options.must_ruff,
            need,
            position.leader,
            -1 if position.lead is None else position.lead,
            TREMBLE,
            chances,
        )
    sign = (1 if seat == declarer else -1) * (-1 if goal == WIN_NONE else 1)
    found = [
        Judged(
            PLAY + play.bone,
            1 if play.declarer_wins == (seat == declarer) else -1,
            sign * play.points,
            float(chances[play.bone]),
        )
        for play in judge_plays(position, options)
    ]
    if need == 0 and goal == WIN_POINTS and may_claim(view, seat):
        found.append(Judged(CLAIM, 1, position.bid, 1.0))
    return found


class ExactBot:
    """Plays Reveille's second stage exactly; the first one is played by another bot."""

    def __init__(self, before: Bot) -> None:
        self.before = before

    def choose(self, game: Game, view: Any, seat: int, seed: int) -> int:
        """A best action; `OnlyReveille` for another game, `ValueError` if the seat is not to act."""
        check_view(view, seat)
        if game.name != "reveille":
            raise OnlyReveille(f"the exact bot plays Reveille only, not {game.info.title}")
        if not in_stage_two(view) or not game.legal(view, seat):
            return self.before.choose(game, view, seat, seed)
        return max(judge(view, seat), key=lambda found: found.rank).action
