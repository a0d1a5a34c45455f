"""Game module of Reveille: combines its rules, texts, bots and statistics in `GAME`.

`GAME` also has limits on matches: the largest number of actions, and the lowest and highest final score.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facedown.core.bot import Levels
from facedown.core.counters import COUNT, POINTS, Counter, CounterSet
from facedown.core.game_registry import GameModule, Scorekeeper, Tables, Words
from facedown.core.match_limits import Limits
from facedown.core.rule import rule
from facedown.games.reveille.action_text import TYPING, action_notation, describe_action, parse, parse_bone
from facedown.games.reveille.bots.endgame_bot import SOLVER, EndgameBot
from facedown.games.reveille.bots.evaluation import EVALUATION
from facedown.games.reveille.bots.policy import POLICY
from facedown.games.reveille.cards import NELLO, bone_name
from facedown.games.reveille.i18n import N_
from facedown.games.reveille.info import INFO, ReveilleOptions
from facedown.games.reveille.log import log_lines
from facedown.games.reveille.prompts import refusal
from facedown.games.reveille.rules import (
    GOAL,
    HIGHEST_BID,
    MOST_CALLS,
    PLAYERS,
    RULES,
    THROW_IN_CAP,
    TRICKS,
    Act,
    EndReason,
    ReveillePosition,
    may_claim_bid_reached,
)
from facedown.games.reveille.scorekeeper import EXAMPLE, score, score_questions
from facedown.games.reveille.table import PHASES, table

COUNTERS = (
    Counter("thrown_in", N_("Hands thrown in"), N_("of all hands")),
    Counter("contracts", recorded=True),
    Counter("bid", N_("Bid"), N_("on average"), per="contracts", unit=POINTS),
    Counter("made", N_("Contracts made"), N_("of all contracts"), per="contracts"),
    Counter("nello", N_("Nello"), N_("of all contracts"), per="contracts"),
    Counter("nello_made", N_("Nello made"), N_("of all nello hands"), per="nello"),
    Counter("highest", N_("Bid of 42"), N_("of all contracts"), per="contracts"),
    Counter("burnt", N_("Points burnt in stage one"), N_("per contract"), per="contracts", unit=POINTS),
    Counter("tricks", N_("Tricks in stage two"), N_("per contract"), per="contracts", unit=COUNT),
    Counter("claims", N_("Hands claimed"), N_("of all contracts"), per="contracts"),
    Counter("false_claims", N_("False claims"), N_("of all claims"), per="claims"),
    Counter("true_claims", recorded=True),
    Counter(
        "saved", N_("Tricks saved by claiming"), N_("per correct claim"), per="true_claims", unit=COUNT, answer=True
    ),
    Counter("played_on", N_("Played on instead of claiming"), N_("turns per contract"), per="contracts", unit=COUNT),
    Counter("declarer_seat", recorded=True),
)
#: Indices of the counters (statistics for experiments) in `COUNTERS`. The first line is about hands and contracts, the
#: second about claims and the declarer's seat.
THROWN_IN, CONTRACTS, BID, MADE, NELLOS, NELLO_MADE, HIGHEST, BURNT, TRICKS_TWO = range(9)
CLAIMS, FALSE_CLAIMS, TRUE_CLAIMS, SAVED, PLAYED_ON, DECLARER = range(9, len(COUNTERS))


@rule
def count_step(s: ReveillePosition, seat: int, action: int, out: NDArray[np.int64]) -> None:
    """Add one to `out[PLAYED_ON]` if the seat plays a bone although it could truthfully claim to have reached its bid.

    `out` has one number for each statistic in `COUNTERS`. `s` is the position before the action.
    """
    if action < Act.PASS and s.high > 0 and may_claim_bid_reached(s, seat) and s.points[seat] >= s.high:
        out[PLAYED_ON] += 1


@rule
def count_round(s: ReveillePosition, out: NDArray[np.int64]) -> None:
    """Add the statistics of a hand that has ended to `out`, which has one number for each statistic in `COUNTERS`.

    A hand is a round of the match. If both players passed, only `out[THROWN_IN]` grows. `out[DECLARER]` is not a sum:
    it is set to the seat of the declarer (highest bidder), or to -1 if no player has made a bid.
    """
    out[DECLARER] = s.declarer
    if s.ended == EndReason.THROWN_IN:
        out[THROWN_IN] += 1
        return
    made = s.mark_to == s.declarer
    out[CONTRACTS] += 1
    out[BID] += s.high
    out[MADE] += made
    out[HIGHEST] += s.high == HIGHEST_BID
    out[BURNT] += HIGHEST_BID - s.offer
    out[TRICKS_TWO] += s.trick
    is_nello, is_true, is_false = (
        s.contract == NELLO,
        s.ended == EndReason.CLAIMED,
        s.ended == EndReason.CLAIMED_FALSELY,
    )
    out[NELLOS] += is_nello
    out[NELLO_MADE] += is_nello and made
    out[CLAIMS] += is_true or is_false
    out[TRUE_CLAIMS] += is_true
    out[FALSE_CLAIMS] += is_false
    out[SAVED] += (TRICKS - s.trick) * is_true


@rule
def first_seat(s: ReveillePosition) -> int:
    """Return the seat that leads to the first trick of the first hand: the seat that did not deal."""
    return 1 - s.dealer


COUNTS = CounterSet(COUNTERS, count_round, count_step, first_seat)


#: Bots of the levels strong and master: the number of simulations that each runs per move in stage one. After stage
#: one, both levels let the `EndgameBot` move, which solves the rest of the hand exactly. `docs/strength.md` has the
#: measurements.
LEVELS = Levels(strong=40, master=1600, expert=EndgameBot)

#: Largest number of actions in a hand. The terms are:
#:
#: * the first pick from the boneyard (face-down stock);
#: * two plays and one pick in each trick of stage one;
#: * the calls of the auction, and the naming of trumps;
#: * two plays in each trick of stage two, and one claim.
HAND_ACTIONS = 1 + TRICKS * (PLAYERS + 1) + MOST_CALLS + 1 + TRICKS * PLAYERS + 1
#: Largest number of hands in a match. Both players may win `GOAL` − 1 marks before the hand that decides the match.
#: Each hand with a mark may follow `THROW_IN_CAP` − 1 hands without one, in which both players passed.
MOST_HANDS = (PLAYERS * (GOAL - 1) + 1) * THROW_IN_CAP


def limits(seats: int, options: ReveilleOptions, one_round: bool) -> Limits:
    """Return the largest number of actions in a match, and the lowest and highest final score of a seat.

    The actions of both seats count together. A final score is a number of marks (points of the match). If `one_round`
    is true, the limits are those of a match that stops after its first hand. `seats` and `options` are not used.
    """
    if one_round:
        return Limits(HAND_ACTIONS, 0, 1)
    return Limits(MOST_HANDS * (HAND_ACTIONS + PLAYERS), 0, GOAL)


GAME = GameModule(
    info=INFO,
    rules=RULES,
    words=Words(action_notation, parse, bone_name, parse_bone, describe_action, why_not=refusal, typing=TYPING),
    # Phases in `text_only_phases` are exempt from the check that the table offers every legal action. In stage two the
    # table offers even a false claim (after a confirmation) at present, but it need not: players can type a claim
    # instead.
    tables=Tables(table, log_lines, text_only_phases=frozenset({"stage two"}), phases=PHASES),
    policy=POLICY,
    evaluation=EVALUATION,
    levels=LEVELS,
    limits=limits,
    solver=SOLVER,
    scorekeeper=Scorekeeper(score, EXAMPLE, score_questions),
    counts=COUNTS,
)
"""Game module of Reveille. The game registry loads it by this name."""
