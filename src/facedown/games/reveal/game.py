"""Game module of Reveal: puts rules, texts, bots, statistics and limits together into `GAME`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facedown.core.bot import Levels
from facedown.core.counters import COUNT, POINTS, Counter, CounterSet
from facedown.core.game_registry import GameModule, Scorekeeper, Tables, Words
from facedown.core.match_limits import Limits
from facedown.core.rule import rule
from facedown.games.reveal.action_text import action_notation, card_kind, card_word, describe_action, parse
from facedown.games.reveal.bots.evaluation import EVALUATION
from facedown.games.reveal.bots.policy import POLICY
from facedown.games.reveal.cards import WILD
from facedown.games.reveal.i18n import N_
from facedown.games.reveal.info import INFO, End, RevealOptions, Tie
from facedown.games.reveal.log import is_public_action, log_lines
from facedown.games.reveal.prompts import refusal
from facedown.games.reveal.rules import (
    COLUMNS,
    HAND_CAP,
    ROWS,
    RULES,
    SEATS,
    RevealPosition,
    base_slot,
    matches_root,
    side_slot,
)
from facedown.games.reveal.scorekeeper import EXAMPLE, score, score_questions
from facedown.games.reveal.table import PHASES, TURN_CONTINUATIONS, table

COUNTERS = (
    Counter("hands", recorded=True),
    Counter("below", N_("Scores of zero"), N_("of all results"), per="hands"),
    Counter("points", N_("Points per hand"), N_("per player"), per="hands", unit=POINTS),
    Counter("closed", N_("No matching card on the player’s side"), N_("of all results"), per="hands"),
    Counter("level", N_("Both score the same"), N_("of all hands")),
    Counter("same_column", N_("Both in the same column"), N_("of all hands")),
    Counter("swaps", N_("Cards swapped"), N_("per hand, both players combined"), unit=COUNT),
    Counter("second_thoughts", N_("Column changes"), N_("per hand, both players combined"), unit=COUNT),
    Counter("wild_bases", N_("Wild cards in the base"), N_("per hand"), unit=COUNT),
)
#: Indices of the counters in `COUNTERS`. Each counter is a statistic of hands (rounds of the match).
HANDS, BELOW, POINTS_OF, CLOSED, LEVEL, SAME, SWAPS, COLUMN_CHANGES, WILDS = range(len(COUNTERS))


@rule
def count_round(s: RevealPosition, out: NDArray[np.int64]) -> None:
    """Add the statistics of a hand (round of the match) that has just been scored to the numbers in `out`.

    `out` has one number for each counter, in the order of `COUNTERS`.
    """
    for seat in range(SEATS):
        own = 0
        for row in range(ROWS):
            own += matches_root(s.card[side_slot(seat, row, s.choice[seat])], s.colour[seat])
        out[HANDS] += 1
        out[BELOW] += s.score[seat] == 0
        out[POINTS_OF] += s.score[seat]
        out[COLUMN_CHANGES] += s.changes[seat] - 1
        out[CLOSED] += s.colour[seat] >= 0 and own == 0
    out[LEVEL] += s.score[0] == s.score[1]
    out[SAME] += s.choice[0] == s.choice[1]
    out[SWAPS] += s.drawn
    for row in range(ROWS):
        for column in range(COLUMNS):
            out[WILDS] += s.card[base_slot(row, column)] == WILD


COUNTS = CounterSet(COUNTERS, count_round)


#: Search effort of the bot levels, in simulations for each move. The measurements are in `docs/strength.md`.
LEVELS = Levels(strong=40, master=1600)

#: Largest number of actions of a seat in the three rows of a hand (round). In row n the seat swaps at most n cards, one
#: with each action, and then places its cards with one action.
ROW_ACTIONS = sum(row + 2 for row in range(ROWS))
#: Largest number of points in a hand (round): one for each of three base cards, three cards of each side, and the Final
#: Card.
MOST_POINTS = 3 * ROWS + 1


def limits(seats: int, options: RevealOptions, one_round: bool) -> Limits:
    """Return limits of a match: the largest number of actions, and the lowest and highest final score of a seat.

    If `one_round`, return the limits of the first hand (round) alone.
    """
    # In the final round a seat takes at most `most_changes` + 1 actions. It may choose a column `most_changes` times
    # and still change its mind. The next action is final: it confirms the choice or makes the last one.
    hand = SEATS * (ROW_ACTIONS + options.most_changes + 1)
    if one_round:
        return Limits(hand, 0, MOST_POINTS)
    counted = options.end == End.HANDS and options.tie == Tie.DRAW
    hands = min(HAND_CAP, options.end_at) if counted else HAND_CAP
    return Limits(hands * (hand + SEATS), 0, hands * MOST_POINTS)


GAME = GameModule(
    info=INFO,
    rules=RULES,
    words=Words(action_notation, parse, card_word, card_kind, describe_action, why_not=refusal),
    # The set with "final" names the phases in which the page does not offer every legal action. In the final round it
    # does not offer to choose the same column again.
    tables=Tables(table, log_lines, is_public_action, TURN_CONTINUATIONS, frozenset({"final"}), PHASES),
    policy=POLICY,
    evaluation=EVALUATION,
    levels=LEVELS,
    limits=limits,
    scorekeeper=Scorekeeper(score, EXAMPLE, score_questions),
    counts=COUNTS,
)
