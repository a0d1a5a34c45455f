"""Reveal, assembled: its parts, how much its bots think, and what no match exceeds."""

from __future__ import annotations

from facedown.core.bot import Levels
from facedown.core.game import GameModule, Scorekeeper, Tables, Words
from facedown.core.limits import Limits
from facedown.games.reveal.counts import COUNTS
from facedown.games.reveal.evaluation import EVALUATION
from facedown.games.reveal.info import INFO, End, RevealOptions, Tie
from facedown.games.reveal.log import open_to, tell
from facedown.games.reveal.policy import POLICY
from facedown.games.reveal.reasons import refusal
from facedown.games.reveal.rules import HAND_CAP, ROWS, RULES, SEATS
from facedown.games.reveal.score import EXAMPLE, score
from facedown.games.reveal.sheet import sheet
from facedown.games.reveal.table import GOES_ON, PHASES, table
from facedown.games.reveal.words import card_kind, card_word, parse, say, words

#: How much the bots think (`docs/strength.md`).
LEVELS = Levels(strong=40, master=1600)

#: In a row a seat swaps as many cards as the row's number at most, and one by one in as many actions, and lays it.
ROW_ACTIONS = sum(row + 2 for row in range(ROWS))
#: Three cards each of the base, of both sides, and the Final Card.
MOST_POINTS = 3 * ROWS + 1


def limits(seats: int, options: RevealOptions, one_round: bool) -> Limits:
    """The limits of a match, or of its first hand."""
    # The choice after the last that leaves the next one open is final, and so is a confirmation.
    hand = SEATS * (ROW_ACTIONS + options.most_changes + 1)
    if one_round:
        return Limits(hand, 0, MOST_POINTS)
    counted = options.end == End.HANDS and options.tie == Tie.DRAW
    hands = min(HAND_CAP, options.end_at) if counted else HAND_CAP
    return Limits(hands * (hand + SEATS), 0, hands * MOST_POINTS)


GAME = GameModule(
    info=INFO,
    rules=RULES,
    words=Words(words, parse, card_word, card_kind, say, why_not=refusal),
    # The final round does not light the column that the Final Card lies at already.
    tables=Tables(table, tell, open_to, GOES_ON, frozenset({"final"}), PHASES),
    policy=POLICY,
    evaluation=EVALUATION,
    levels=LEVELS,
    limits=limits,
    scorekeeper=Scorekeeper(score, EXAMPLE, sheet),
    counts=COUNTS,
)
