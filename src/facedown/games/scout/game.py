"""Game module of SCOUT: combines its rules, texts, bots, statistics and limits in `GAME`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facedown.core.bot import Levels
from facedown.core.counters import COUNT, Counter, CounterSet
from facedown.core.game_registry import GameModule, Scorekeeper, Tables, Words
from facedown.core.match_limits import Limits
from facedown.core.rule import rule
from facedown.games.scout.action_text import (
    TYPING,
    action_notation,
    describe_action,
    parse,
    parse_turn,
    summarize_legal_moves,
)
from facedown.games.scout.bots.evaluation import EVALUATION
from facedown.games.scout.bots.features import FEATURES
from facedown.games.scout.bots.policy import POLICY
from facedown.games.scout.i18n import N_
from facedown.games.scout.info import INFO, KINDS, ROUNDS, Hands, ScoutOptions, card_kind, card_word
from facedown.games.scout.legal_actions import Act
from facedown.games.scout.log import is_public_action, log_lines
from facedown.games.scout.prompts import refusal
from facedown.games.scout.rules import RULES, TURN_CAP
from facedown.games.scout.scorekeeper import EXAMPLE, score, score_questions
from facedown.games.scout.state import MAX_HAND, MAX_SET, ScoutPosition
from facedown.games.scout.table import PHASES, TURN_CONTINUATIONS, table

COUNTERS = (
    Counter("turns", N_("Turns per round"), N_("all players combined"), unit=COUNT),
    Counter("shows", N_("Sets shown"), N_("per round"), unit=COUNT),
    Counter("scouts", N_("Cards scouted"), N_("per round"), unit=COUNT),
    Counter("scout_and_shows", N_("Scout and Show used"), N_("per round"), unit=COUNT),
    Counter("cards_shown", N_("Cards shown at a time"), N_("on average"), per="shows", unit=COUNT),
    Counter("flips", N_("Hands flipped"), N_("per round"), unit=COUNT),
    Counter("emptied", N_("Ended because a player went out"), N_("of all rounds")),
    Counter("all_scouted", N_("Ended because nobody beat the set"), N_("of all rounds")),
    Counter("stuck", N_("Ended because a player was stuck"), N_("of all rounds")),
    Counter("cards_left", N_("Cards left in hand"), N_("at the end of a round"), unit=COUNT),
    Counter("ender_seat", recorded=True),
)
#: Indices of the counters (statistics for experiments) in `COUNTERS`.
TURNS, SHOWS, SCOUTS, SCOUT_AND_SHOWS, SHOWN, FLIPS, EMPTIED, ALL_SCOUTED, STUCK, LEFT, ENDER = range(len(COUNTERS))


@rule
def count_step(s: ScoutPosition, seat: int, action: int, out: NDArray[np.int64]) -> None:
    """Count an action in the statistics `out`: Shows, cards shown, Scouts, Scout and Shows, and flips.

    `out` has one number for each statistic in `COUNTERS`. A Scout and Show is two actions. The first one counts as a
    Scout and Show, not as a Scout. The second one counts as a Show.
    """
    if action < Act.SCOUT:
        out[SHOWS] += 1
        out[SHOWN] += action % MAX_SET + 1
    elif action < Act.SCOUT_AND_SHOW:
        out[SCOUTS] += 1
    elif action < Act.KEEP:
        out[SCOUT_AND_SHOWS] += 1
    elif action == Act.FLIP:
        out[FLIPS] += 1


@rule
def count_round(s: ScoutPosition, out: NDArray[np.int64]) -> None:
    """Add the statistics of a scored round to `out`, which has one number for each statistic in `COUNTERS`.

    `out[ENDER]` is not a sum: it is set to the seat that ended the round (-1 if none did).
    """
    for seat in range(s.seats):
        out[LEFT] += s.hand[seat]
    out[TURNS] += s.turns
    out[ENDER] = s.ender
    if s.stuck >= 0:
        out[STUCK] += 1
    elif s.ender >= 0:
        out[EMPTIED] += s.hand[s.ender] == 0
        out[ALL_SCOUTED] += s.hand[s.ender] > 0


@rule
def first_seat(s: ScoutPosition) -> int:
    """Return the seat that has the first turn of the match."""
    return s.starter


COUNTS = CounterSet(COUNTERS, count_round, count_step, first_seat)


#: Search effort of the bot levels. The measurements are in `docs/strength.md`.
#:
#: * Level strong runs 200 simulations for each move.
#: * With two players, level master runs at most 20,000 simulations for each move.
#: * With three to five players, level master has a neural network (the file "all" in the folder ``weights``) instead of
#:   simulations. With this network it searches one turn ahead in 128 sampled deals.
LEVELS = Levels(strong=200, master=20000, networks=((3, 5, "all"),), worlds=128)

#: Largest number of actions in a turn: a Scout and the Show after it.
TURN_ACTIONS = 2


def limits(seats: int, options: ScoutOptions, one_round: bool) -> Limits:
    """Return the largest number of actions, the lowest and the highest final score of a match.

    With `one_round` they are those of a match that stops after its first round.
    """
    # Before the first turn each seat keeps or flips its hand. At best, a seat wins all cards and gets a coin in every
    # turn.
    actions, most = seats + TURN_ACTIONS * TURN_CAP, KINDS + TURN_CAP
    if one_round:
        return Limits(actions, -MAX_HAND, most)
    rounds = ROUNDS[seats] if options.hands == Hands.FULL else 1
    return Limits(rounds * (actions + seats), -rounds * MAX_HAND, rounds * most)


GAME = GameModule(
    info=INFO,
    rules=RULES,
    words=Words(
        action_notation,
        parse,
        card_word,
        card_kind,
        describe_action,
        parse_turn=parse_turn,
        why_not=refusal,
        typing=TYPING,
        summarize_moves=summarize_legal_moves,
    ),
    tables=Tables(table, log_lines, is_public_action, TURN_CONTINUATIONS, phases=PHASES),
    policy=POLICY,
    evaluation=EVALUATION,
    levels=LEVELS,
    features=FEATURES,
    limits=limits,
    scorekeeper=Scorekeeper(score, EXAMPLE, score_questions),
    counts=COUNTS,
)
