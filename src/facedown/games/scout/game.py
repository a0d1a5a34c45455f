"""SCOUT, assembled: its parts, how much its bots think, and what no match exceeds."""

from __future__ import annotations

from facedown.core.bot import Levels
from facedown.core.game import GameModule, Scorekeeper, Tables, Words
from facedown.core.limits import Limits
from facedown.games.scout.cards import KINDS, ROUNDS, card_kind, card_word
from facedown.games.scout.counts import COUNTS
from facedown.games.scout.evaluation import EVALUATION
from facedown.games.scout.features import FEATURES
from facedown.games.scout.info import INFO, Hands, ScoutOptions
from facedown.games.scout.log import open_to, tell
from facedown.games.scout.policy import POLICY
from facedown.games.scout.reasons import refusal
from facedown.games.scout.rules import RULES, TURN_CAP
from facedown.games.scout.score import EXAMPLE, score
from facedown.games.scout.sheet import sheet
from facedown.games.scout.state import MAX_HAND
from facedown.games.scout.table import GOES_ON, PHASES, table
from facedown.games.scout.words import TYPING, offered, parse, parse_turn, say, words

#: How much the bots think (`docs/strength.md`).
LEVELS = Levels(strong=200, master=20000, networks=((3, 5, "all"),), worlds=128)

#: A Scout, and a Show after it.
TURN_ACTIONS = 2


def limits(seats: int, options: ScoutOptions, one_round: bool) -> Limits:
    """The limits of a match, or of its first round."""
    # Everybody keeps or flips the hand first. All cards may be won, and a coin in every turn.
    actions, most = seats + TURN_ACTIONS * TURN_CAP, KINDS + TURN_CAP
    if one_round:
        return Limits(actions, -MAX_HAND, most)
    rounds = ROUNDS[seats] if options.hands == Hands.FULL else 1
    return Limits(rounds * (actions + seats), -rounds * MAX_HAND, rounds * most)


GAME = GameModule(
    info=INFO,
    rules=RULES,
    words=Words(
        words, parse, card_word, card_kind, say, parse_turn=parse_turn, why_not=refusal, typing=TYPING, offered=offered
    ),
    tables=Tables(table, tell, open_to, GOES_ON, phases=PHASES),
    policy=POLICY,
    evaluation=EVALUATION,
    levels=LEVELS,
    features=FEATURES,
    limits=limits,
    scorekeeper=Scorekeeper(score, EXAMPLE, sheet),
    counts=COUNTS,
)
