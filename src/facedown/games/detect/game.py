"""Game module of Detect: puts rules, texts, bots, statistics and limits together into `GAME`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facedown.core.bit_masks import count_bits
from facedown.core.bot import Levels
from facedown.core.counters import COUNT, POINTS, Counter, CounterSet
from facedown.core.game_registry import GameModule, Scorekeeper, Tables, Words
from facedown.core.match_limits import Limits
from facedown.core.rule import rule
from facedown.games.detect.action_text import TYPING, action_notation, card_kind, card_word, describe_action, parse
from facedown.games.detect.bots.evaluation import EVALUATION
from facedown.games.detect.bots.features import FEATURES
from facedown.games.detect.bots.policy import POLICY
from facedown.games.detect.cards import number_of
from facedown.games.detect.i18n import N_
from facedown.games.detect.info import INFO, DetectOptions, Tie
from facedown.games.detect.log import is_public_action, log_lines
from facedown.games.detect.prompts import refusal
from facedown.games.detect.rules import (
    CELLS,
    GOAL,
    INFINITE_POINTS,
    ROUND_CAP,
    ROWS,
    RULES,
    TURN_CAP,
    DetectPosition,
    Phase,
    is_ender_penalised,
)
from facedown.games.detect.scorekeeper import EXAMPLE, score, score_questions
from facedown.games.detect.table import PHASES, TURN_CONTINUATIONS, table

COUNTERS = (
    Counter("turns", N_("Turns per round"), N_("all players combined"), unit=COUNT),
    Counter("columns", N_("Columns removed"), N_("per round, all players combined"), unit=COUNT),
    Counter("column_fell", N_("Rounds with a column removed"), N_("of all rounds")),
    Counter("ended", N_("Rounds ended by a player"), N_("of all rounds")),
    Counter("doubled", N_("Points doubled after ending the round"), N_("of rounds ended by a player"), per="ended"),
    Counter("tied", N_("Tied for lowest score after ending the round"), N_("of rounds ended by a player"), per="ended"),
    Counter(
        "lowest", N_("Outright lowest score after ending the round"), N_("of rounds ended by a player"), per="ended"
    ),
    Counter("penalty", N_("Points added by doubling"), N_("per round"), unit=POINTS),
    Counter("points", N_("All players’ points"), N_("per round, before doubling"), unit=POINTS),
    Counter("rebuilt", N_("Draw pile reshuffled"), N_("of all rounds")),
    Counter("ender_seat", recorded=True),
)
#: Indices of the counters (statistics of a round) in `COUNTERS`.
TURNS, COLUMNS_REMOVED, ROUNDS_WITH_REMOVAL, ENDED, DOUBLED, TIED, LOWEST, PENALTY, POINTS_OF_ALL, REBUILT, ENDER = (
    range(len(COUNTERS))
)


@rule
def count_round(s: DetectPosition, out: NDArray[np.int64]) -> None:
    """Add the statistics of a scored round to `out`: one number for each counter, in the order of `COUNTERS`.

    Only `out[ENDER]` is not a sum: it is set to the seat that ended the round. If the round ended because the limit of
    turns was reached, it is set to -1.
    """
    cells = 0
    for seat in range(s.seats):
        out[POINTS_OF_ALL] += s.raw[seat]
        cells += count_bits(s.gone[seat])
    out[TURNS] += s.turns
    out[COLUMNS_REMOVED] += cells // ROWS
    out[ROUNDS_WITH_REMOVAL] += cells > 0
    out[REBUILT] += s.rebuilt
    out[ENDER] = s.ender
    if s.ender >= 0:
        others = INFINITE_POINTS
        for seat in range(s.seats):
            if seat != s.ender:
                others = min(others, s.raw[seat])
        out[ENDED] += 1
        out[DOUBLED] += is_ender_penalised(s)
        out[TIED] += s.raw[s.ender] == others
        out[LOWEST] += s.raw[s.ender] < others
        out[PENALTY] += s.score[s.ender] - s.raw[s.ender]


@rule
def first_seat(s: DetectPosition) -> int:
    """Return the seat that goes first in the match, or -1 until all seats have flipped two cards (DET-4).

    Experiments call this function after every action until it returns a seat.
    """
    return s.turn if s.phase == Phase.TURN else -1


COUNTS = CounterSet(COUNTERS, count_round, first=first_seat)


#: Search effort of the bot levels. Level strong runs 300 simulations for each move. Level master has one neural network
#: for 2 to 8 players (the file "all" in the folder ``weights``), with which it searches one turn ahead in 128 sampled
#: deals. The measurements are in `docs/strength.md`.
LEVELS = Levels(strong=300, networks=((2, 8, "all"),), worlds=128)

#: Most actions in one turn: draw, then place or discard the card, then decide whether a column is removed.
TURN_ACTIONS = 3


def limits(seats: int, options: DetectOptions, one_round: bool) -> Limits:
    """Return limits of a match: the largest number of actions, and the lowest and highest possible final score of a
    seat.

    If `one_round`, they are the limits of its first round alone.
    """
    # Each seat flips its first cards once and takes at most `TURN_CAP` turns. After another seat has ended the round,
    # each seat takes one more turn.
    actions = seats * (1 + TURN_ACTIONS * (TURN_CAP + 1))
    numbers = [number_of(kind) for kind, copies in enumerate(options.copies) if copies]
    # A removed column counts 0, so the lowest possible sum is never above 0. The sum of the seat that ends the round
    # may be doubled.
    fewest, most = min(0, CELLS * min(numbers)), max(0, 2 * CELLS * max(numbers))
    if one_round:
        return Limits(actions, -most, -fewest)
    # Before the last round every total is at most `GOAL` − 1, and the last round adds at most `most` points. If extra
    # rounds follow a tie, totals may reach `GOAL` before the last round.
    highest = ROUND_CAP * most if options.tie == Tie.EXTRA_ROUND else GOAL - 1 + most
    return Limits(ROUND_CAP * (actions + seats), -highest, -ROUND_CAP * fewest)


GAME = GameModule(
    info=INFO,
    rules=RULES,
    words=Words(action_notation, parse, card_word, card_kind, describe_action, why_not=refusal, typing=TYPING),
    tables=Tables(table, log_lines, is_public_action, TURN_CONTINUATIONS, phases=PHASES),
    policy=POLICY,
    evaluation=EVALUATION,
    levels=LEVELS,
    features=FEATURES,
    limits=limits,
    scorekeeper=Scorekeeper(score, EXAMPLE, score_questions),
    counts=COUNTS,
)
