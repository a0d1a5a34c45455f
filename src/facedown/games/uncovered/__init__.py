"""Uncovered!: all hands become one sequence, by swaps, together. Rules and rulings: ``docs/rules/uncovered.md``."""

from facedown.core.game import Info
from facedown.core.options import Argument, Option, Options, Value, choice

FEWEST_SEATS = 2
MOST_SEATS = 6

OPTIONS = Options(
    (
        Option(
            "mode",
            "Who sees what",
            "Which cards may you look at?",
            (
                Value("beginner", "all cards lie open"),
                Value("intermediate", "you see every hand but your own"),
                Value("advanced", "you see your own hand only (three players or more)"),
            ),
            "UNC-9",
            default="advanced",
        ),
        choice(
            "swap_visibility",
            "How cards are swapped",
            "Who sees the two cards of a swap?",
            ("face_up", "everybody: they are swapped face up"),
            ("face_down", "the two players who swap"),
            ruling="UNC-5",
        ),
        choice(
            "turning",
            "Turning cards",
            "In intermediate: may you turn a card to face you when a swap brings it to its own place?",
            ("auto", "it is turned at once"),
            ("choice", "its owner decides"),
            ("off", "cards are never turned"),
            ruling="UNC-6",
        ),
        choice(
            "tracking",
            "Tracking",
            "Does the table show the cards that you have seen before?",
            ("on", "it keeps track for you"),
            ("off", "you remember them yourselves"),
            ruling="UNC-10",
        ),
        choice(
            "single_colour_win",
            "Hands of one number",
            "With four players: do you also win when each hand is one number?",
            ("no", "only with equal hands"),
            ("yes", "that wins, too"),
            ruling="UNC-8",
        ),
        choice(
            "score",
            "Score",
            "What does a won game score? Lower is better.",
            ("regret", "swaps made, less the fewest that could have done it in turn"),
            ("raw_turns", "swaps made"),
            ("free_regret", "swaps made, less the fewest if anybody might swap at any time"),
            ruling="UNC-1",
        ),
        Option(
            "start",
            "Who starts",
            "Who has the first turn?",
            (
                Value("random_seat", "chance picks"),
                Value(
                    "named",
                    "a seat you name, counted from 0",
                    (Argument("seat", 0, MOST_SEATS - 1, 0),),
                    form="a player you name",
                    tells="player {0}",
                ),
            ),
            "UNC-14",
        ),
    )
)


def defaults(seats: int) -> dict[str, str]:
    """Defaults that depend on the number of players: advanced needs three (rules 4.3)."""
    return {"mode": "intermediate"} if seats == FEWEST_SEATS else {}


INFO = Info(
    name="uncovered",
    title="Uncovered!",
    tagline="Swap unseen cards until all hands are alike, together.",
    seats=(FEWEST_SEATS, MOST_SEATS),
    options=OPTIONS,
    together=True,
    silent=True,
    unit="game",
    defaults=defaults,
)
