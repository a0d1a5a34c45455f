"""SCOUT: a hand whose order never changes, read one way up or the other. Rules and rulings: ``docs/rules/scout.md``."""

from facedown.core.game import Info
from facedown.core.options import Argument, Option, Options, Value, choice

OPTIONS = Options(
    (
        Option(
            "start",
            "Who starts",
            "Who plays first in the first round?",
            (
                Value("random", "chance picks"),
                Value("holder_1_2", "whoever was dealt the 1/2"),
                Value(
                    "named",
                    "the seat of this number, from 0",
                    (Argument("seat", 0, 4, 0),),
                    form="a player you name",
                    tells="player {0}",
                ),
            ),
            "SCT-13",
        ),
        choice(
            "flip_public",
            "Flips",
            "Do the others learn who flipped their hand?",
            ("yes", "all see it once everybody has chosen"),
            ("no", "nobody learns it"),
            ruling="SCT-18",
        ),
        choice(
            "flip_order",
            "Order after a flip",
            "What does flipping a hand do to its order?",
            ("keep", "every card turns, the order stays"),
            ("reverse", "the hand turns as a whole: the order is reversed"),
            ruling="SCT-5",
        ),
        choice(
            "scout_insert_public",
            "Where a scouted card goes",
            "Do the others see where a scouted card goes, and which way up?",
            ("no", "only who scouts sees it"),
            ("yes", "it is said aloud"),
            ruling="SCT-14",
        ),
    )
)

INFO = Info(
    name="scout",
    title="SCOUT",
    tagline="Never sort your hand. Beat the table or borrow from it.",
    seats=(2, 5),
    options=OPTIONS,
)
