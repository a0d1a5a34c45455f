"""Reveille: win good bones, then bid on winning tricks with them. Rules and rulings: ``docs/rules/reveille.md``."""

from facedown.core.game import Info
from facedown.core.options import Options, choice

OPTIONS = Options(
    (
        choice(
            "boneyard_pick",
            "Taking from the boneyard",
            "Who decides which face-down bone is turned up or drawn?",
            ("auto", "chance: the shuffled order"),
            ("index", "the dealer and the loser choose a place"),
        ),
        choice(
            "first_bid",
            "Who bids first",
            "Who speaks first in the auction?",
            ("nondealer", "whoever did not deal"),
            ("dealer", "the dealer"),
            ("last_winner", "the winner of the last trick of stage one"),
            ruling="RVL-3",
        ),
        choice(
            "pass_final",
            "Passing",
            "May a player who passed first come back into the auction?",
            ("no", "over any bid of the other"),
            ("yes", "a pass is final"),
            ruling="RVL-4",
        ),
        choice(
            "bid42",
            "A bid of 42",
            "What does a trump contract at 42 need when counters are burnt?",
            ("points", "42 points, so it cannot be made"),
            ("all_tricks", "all seven tricks"),
            ruling="RVL-2",
        ),
        choice(
            "must_ruff",
            "Ruffing",
            "Must a player who cannot follow suit play a trump?",
            ("no", "any bone will do"),
            ("yes", "a trump, if there is one in hand"),
            ruling="RVL-7",
        ),
        choice(
            "auto_end",
            "Settled hands",
            "Does a hand stop by itself once its result is certain?",
            ("off", "it is played on or claimed"),
            ("on", "it stops at once"),
            ruling="RVL-19",
        ),
    )
)

INFO = Info(
    name="reveille",
    title="Reveille",
    tagline="Win good bones first, then bid on what they will take.",
    seats=(2, 2),
    options=OPTIONS,
    unit="hand",
)
