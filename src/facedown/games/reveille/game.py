"""Reveille, assembled."""

from facedown.core.game import GameModule, Scorekeeper, Tables, Words
from facedown.games.reveille.cards import bone_name
from facedown.games.reveille.counts import COUNTS
from facedown.games.reveille.endgame_bot import SOLVER
from facedown.games.reveille.evaluation import EVALUATION
from facedown.games.reveille.info import INFO
from facedown.games.reveille.levels import LEVELS
from facedown.games.reveille.limits import limits
from facedown.games.reveille.log import tell
from facedown.games.reveille.policy import POLICY
from facedown.games.reveille.reasons import refusal
from facedown.games.reveille.rules import RULES
from facedown.games.reveille.score import EXAMPLE, score
from facedown.games.reveille.sheet import sheet
from facedown.games.reveille.table import PHASES, table
from facedown.games.reveille.words import TYPING, card_kind, parse, say, words

GAME = GameModule(
    info=INFO,
    rules=RULES,
    words=Words(words, parse, bone_name, card_kind, say, why_not=refusal, typing=TYPING),
    # A false claim is never offered by touch.
    tables=Tables(table, tell, untouched=frozenset({"stage two"}), phases=PHASES),
    policy=POLICY,
    evaluation=EVALUATION,
    levels=LEVELS,
    limits=limits,
    solver=SOLVER,
    scorekeeper=Scorekeeper(score, EXAMPLE, sheet),
    counts=COUNTS,
)
"""Reveille: win good bones, then bid on winning tricks with them. Rules and rulings: ``docs/rules/reveille.md``."""
