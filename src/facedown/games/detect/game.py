"""Detect, assembled: its parts, how much its bots think, and what no match exceeds."""

from __future__ import annotations

from facedown.core.bot import Levels
from facedown.core.game import GameModule, Scorekeeper, Tables, Words
from facedown.core.limits import Limits
from facedown.games.detect.cards import number_of
from facedown.games.detect.counts import COUNTS
from facedown.games.detect.evaluation import EVALUATION
from facedown.games.detect.features import FEATURES
from facedown.games.detect.info import INFO, DetectOptions, Tie
from facedown.games.detect.log import open_to, tell
from facedown.games.detect.policy import POLICY
from facedown.games.detect.reasons import refusal
from facedown.games.detect.rules import CELLS, GOAL, ROUND_CAP, RULES, TURN_CAP
from facedown.games.detect.score import EXAMPLE, score
from facedown.games.detect.sheet import sheet
from facedown.games.detect.table import GOES_ON, PHASES, table
from facedown.games.detect.words import TYPING, card_kind, card_word, parse, say, words

#: How much the bots think (`docs/strength.md`).
LEVELS = Levels(strong=300, networks=((2, 8, "all"),), worlds=128)

#: In a turn: draw, do something with the card, decide about a column.
TURN_ACTIONS = 3


def limits(seats: int, options: DetectOptions, one_round: bool) -> Limits:
    """The limits of a match, or of its first round."""
    # Everybody opens; the others have one more turn after the ender's.
    actions = seats * (1 + TURN_ACTIONS * (TURN_CAP + 1))
    numbers = [number_of(kind) for kind, copies in enumerate(options.copies) if copies]
    # Columns that go count nothing; the ender may be doubled.
    fewest, most = min(0, CELLS * min(numbers)), max(0, 2 * CELLS * max(numbers))
    if one_round:
        return Limits(actions, -most, -fewest)
    # Who has fewer than the goal goes on; a tie is played off however many points that takes.
    highest = ROUND_CAP * most if options.tie == Tie.EXTRA_ROUND else GOAL - 1 + most
    return Limits(ROUND_CAP * (actions + seats), -highest, -ROUND_CAP * fewest)


GAME = GameModule(
    info=INFO,
    rules=RULES,
    words=Words(words, parse, card_word, card_kind, say, why_not=refusal, typing=TYPING),
    tables=Tables(table, tell, open_to, GOES_ON, phases=PHASES),
    policy=POLICY,
    evaluation=EVALUATION,
    levels=LEVELS,
    features=FEATURES,
    limits=limits,
    scorekeeper=Scorekeeper(score, EXAMPLE, sheet),
    counts=COUNTS,
)
