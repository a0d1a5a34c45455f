"""Reveille, assembled: its parts, what experiments count, how much its bots think, and what no match exceeds."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facedown.core.bot import Levels
from facedown.core.counters import COUNT, POINTS, Counter, CounterSet
from facedown.core.game_registry import GameModule, Scorekeeper, Tables, Words
from facedown.core.match_limits import Limits
from facedown.core.rule import rule
from facedown.games.reveille.action_text import TYPING, action_notation, card_kind, describe_action, parse
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
    may_claim,
)
from facedown.games.reveille.scorekeeper import EXAMPLE, score, score_questions
from facedown.games.reveille.table import PHASES, table

COUNTERS = (
    Counter("thrown_in", N_("Thrown in"), N_("of the hands")),
    Counter("contracts", recorded=True),
    Counter("bid", N_("Bid"), N_("on average"), per="contracts", unit=POINTS),
    Counter("made", N_("Contract made"), N_("of the contracts"), per="contracts"),
    Counter("nello", N_("Nello"), N_("of the contracts"), per="contracts"),
    Counter("nello_made", N_("Nello made"), N_("of all nellos"), per="nello"),
    Counter("highest", N_("Bid of 42"), N_("of the contracts"), per="contracts"),
    Counter("burnt", N_("Points burnt in stage one"), N_("a hand that was bid on"), per="contracts", unit=POINTS),
    Counter("tricks", N_("Tricks in stage two"), N_("a contract"), per="contracts", unit=COUNT),
    Counter("claims", N_("Claimed"), N_("of the contracts"), per="contracts"),
    Counter("false_claims", N_("Claimed falsely"), N_("of all claims"), per="claims"),
    Counter("true_claims", recorded=True),
    Counter("saved", N_("Tricks a true claim saves"), N_("a claim"), per="true_claims", unit=COUNT, answer=True),
    Counter("played_on", N_("Could have claimed and played on"), N_("turns a contract"), per="contracts", unit=COUNT),
    Counter("declarer_seat", recorded=True),
)
#: The places of the counters: of hands and contracts, then of claims.
THROWN_IN, CONTRACTS, BID, MADE, NELLOS, NELLO_MADE, HIGHEST, BURNT, TRICKS_TWO = range(9)
CLAIMS, FALSE_CLAIMS, TRUE_CLAIMS, SAVED, PLAYED_ON, DECLARER = range(9, len(COUNTERS))


@rule
def count_step(s: ReveillePosition, seat: int, action: int, out: NDArray[np.int64]) -> None:
    """Count the turns at which a true claim was there to be made, and another move was."""
    if action < Act.PASS and s.high > 0 and may_claim(s, seat) and s.points[seat] >= s.high:
        out[PLAYED_ON] += 1


@rule
def count_round(s: ReveillePosition, out: NDArray[np.int64]) -> None:
    """Add how a hand ended; the seat of the declarer is that of the last hand."""
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
    """Who did not deal the first hand leads to its first trick."""
    return 1 - s.dealer


COUNTS = CounterSet(COUNTERS, count_round, count_step, first_seat)


#: How much the bots think (`docs/strength.md`).
LEVELS = Levels(strong=40, master=1600, expert=EndgameBot)

#: A bone is picked to be turned up, and one by the loser of each trick; then come the calls, the contract, a claim.
HAND_ACTIONS = 1 + TRICKS * (PLAYERS + 1) + MOST_CALLS + 1 + TRICKS * PLAYERS + 1
#: Both are one short of winning, and every hand that was won came after as many thrown in as may be.
MOST_HANDS = (PLAYERS * (GOAL - 1) + 1) * THROW_IN_CAP


def limits(seats: int, options: ReveilleOptions, one_round: bool) -> Limits:
    """The limits of a match, or of its first hand."""
    if one_round:
        return Limits(HAND_ACTIONS, 0, 1)
    return Limits(MOST_HANDS * (HAND_ACTIONS + PLAYERS), 0, GOAL)


GAME = GameModule(
    info=INFO,
    rules=RULES,
    words=Words(action_notation, parse, bone_name, card_kind, describe_action, why_not=refusal, typing=TYPING),
    # A false claim is never offered by touch.
    tables=Tables(table, log_lines, text_only_phases=frozenset({"stage two"}), phases=PHASES),
    policy=POLICY,
    evaluation=EVALUATION,
    levels=LEVELS,
    limits=limits,
    solver=SOLVER,
    scorekeeper=Scorekeeper(score, EXAMPLE, score_questions),
    counts=COUNTS,
)
"""Reveille: win good bones, then bid on winning tricks with them. Rules and rulings: ``docs/rules/reveille.md``."""
