"""What experiments count of Reveille. Rulings: ``docs/rules/reveille.md``."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facedown.core.counting import COUNT, POINTS, Counter, Counts
from facedown.core.rule import rule
from facedown.games.reveille.cards import NELLO
from facedown.games.reveille.rules import Act, may_claim
from facedown.games.reveille.state import HIGHEST_BID, TRICKS, Ended, ReveillePosition
from facedown.games.reveille.texts import N_

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
def step(s: ReveillePosition, seat: int, action: int, out: NDArray[np.int64]) -> None:
    """Count the turns at which a true claim was there to be made, and another move was."""
    if action < Act.PASS and s.high > 0 and may_claim(s, seat) and s.points[seat] >= s.high:
        out[PLAYED_ON] += 1


@rule
def round_over(s: ReveillePosition, out: NDArray[np.int64]) -> None:
    """Add how a hand ended; the seat of the declarer is that of the last hand."""
    out[DECLARER] = s.declarer
    if s.ended == Ended.THROWN_IN:
        out[THROWN_IN] += 1
        return
    made = s.mark_to == s.declarer
    out[CONTRACTS] += 1
    out[BID] += s.high
    out[MADE] += made
    out[HIGHEST] += s.high == HIGHEST_BID
    out[BURNT] += HIGHEST_BID - s.offer
    out[TRICKS_TWO] += s.trick
    is_nello, is_true, is_false = s.contract == NELLO, s.ended == Ended.CLAIMED, s.ended == Ended.CLAIMED_FALSELY
    out[NELLOS] += is_nello
    out[NELLO_MADE] += is_nello and made
    out[CLAIMS] += is_true or is_false
    out[TRUE_CLAIMS] += is_true
    out[FALSE_CLAIMS] += is_false
    out[SAVED] += (TRICKS - s.trick) * is_true


@rule
def first(s: ReveillePosition) -> int:
    """Who did not deal the first hand leads to its first trick."""
    return 1 - s.dealer


COUNTS = Counts(COUNTERS, round_over, step, first)
