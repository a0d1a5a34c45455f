"""Game module of Uncovered!: combines its rules, texts, bots, statistics and limits in `GAME`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facedown.core.bot import Bot, Levels
from facedown.core.counters import COUNT, PER_MATCH, Counter, CounterSet
from facedown.core.game_registry import GameModule, Scorekeeper, Tables, Words
from facedown.core.match_limits import Limits
from facedown.core.rule import rule
from facedown.core.state import ABANDONED, DECIDED
from facedown.games.uncovered.action_text import (
    SEAT_AT,
    TYPING,
    action_notation,
    card_kind,
    card_word,
    describe_action,
    parse,
)
from facedown.games.uncovered.bots.fewest_turns_solver import SOLVER
from facedown.games.uncovered.bots.partner_bot import EVALUATION, MAX_LOOKS, PartnerBot
from facedown.games.uncovered.bots.policy import POLICY
from facedown.games.uncovered.i18n import N_
from facedown.games.uncovered.info import INFO, UncoveredOptions
from facedown.games.uncovered.log import log_lines
from facedown.games.uncovered.prompts import refusal
from facedown.games.uncovered.rules import LOST, RULES, SLOTS, TURN_CAP, UncoveredPosition
from facedown.games.uncovered.scorekeeper import EXAMPLE, score, score_questions
from facedown.games.uncovered.table import PHASES, table

COUNTERS = (
    Counter("turns", N_("Swaps"), N_("per game"), per=PER_MATCH, unit=COUNT),
    Counter("won", recorded=True),
    Counter("turns_won", N_("Swaps in won games"), N_("per game"), per="won", unit=COUNT),
    Counter("too_early", N_("Uncovered too early"), N_("of all games"), per=PER_MATCH),
    Counter("given_up", N_("Stopped after 200 swaps"), N_("of all games"), per=PER_MATCH),
    Counter("turned", N_("Turned cards at the end"), N_("per game"), per=PER_MATCH, unit=COUNT),
)
#: Indices of the counters (statistics for experiments) in `COUNTERS`.
TURNS, WON, TURNS_WON, TOO_EARLY, GIVEN_UP, TURNED = range(len(COUNTERS))


@rule
def count_round(s: UncoveredPosition, out: NDArray[np.int64]) -> None:
    """Add the statistics of a finished match to `out`, which has one number for each statistic in `COUNTERS`.

    A match of Uncovered! is a single round, so the end of the match is the end of the round.
    """
    out[TURNS] += s.turn
    out[WON] += s.won
    out[TURNS_WON] += s.won * s.turn
    out[TOO_EARLY] += s.over == DECIDED and s.won == 0
    out[GIVEN_UP] += s.over == ABANDONED
    for slot in range(SLOTS):
        out[TURNED] += s.turned[slot]


@rule
def first_seat(s: UncoveredPosition) -> int:
    """Return the seat that was chosen at the deal to have the first turn. Statistics number the seats from this one."""
    return s.start


COUNTS = CounterSet(COUNTERS, count_round, first=first_seat)


def make_partner_bot(stages: int) -> Bot:
    """Return a bot that plays with people and other bots as partners. It searches for its swaps in `stages` stages.

    Each stage tries all remaining swaps in further sampled deals, and then drops the worse half of these swaps. The
    largest possible number of stages is `MAX_LOOKS`. It is also used if `stages` is larger, or 0 (no limit).
    """
    return PartnerBot(min(stages or MAX_LOOKS, MAX_LOOKS))


#: Number of stages of the partner bot's search for level strong, and the function that makes the bots for levels strong
#: and master. `docs/strength.md` has the measurements.
LEVELS = Levels(strong=1, search_bot=make_partner_bot)

#: Largest number of actions in a turn: a swap, and for each of the two cards the decision whether to turn it.
TURN_ACTIONS = 3


def limits(seats: int, options: UncoveredOptions, one_round: bool) -> Limits:
    """Return the largest number of actions in a match, and the lowest and highest final score of a seat.

    The actions of all seats count together. The highest final score is 0. The lowest is `LOST`, for a lost or abandoned
    match. None of the arguments is used: the limits are the same for all options, and a match always has one round.
    """
    return Limits(TURN_ACTIONS * TURN_CAP + 1, LOST, 0)


GAME = GameModule(
    info=INFO,
    rules=RULES,
    words=Words(
        action_notation, parse, card_word, card_kind, describe_action, why_not=refusal, typing=TYPING, seat_at=SEAT_AT
    ),
    tables=Tables(table, log_lines, phases=PHASES),
    policy=POLICY,
    evaluation=EVALUATION,
    levels=LEVELS,
    limits=limits,
    solver=SOLVER,
    scorekeeper=Scorekeeper(score, EXAMPLE, score_questions),
    counts=COUNTS,
)
