"""What can be said of SCOUT without its rules: its name, its players, its options."""

from facedown.core.game import Info
from facedown.core.options import Argument, OptionSet, Reading, number_of, reading


class Start(Reading, label="Who starts"):
    """SCT-13: Who plays first in the first round?"""

    RANDOM = "chance picks"
    HOLDER_1_2 = "whoever was dealt the 1/2"
    NAMED = reading(
        "the seat of this number, from 0", Argument("seat", 0, 4, 0), form="a player you name", tells="player {0}"
    )


class FlipPublic(Reading, label="Flips"):
    """SCT-18: Do the others learn who flipped their hand?"""

    YES = "all see it once everybody has chosen"
    NO = "nobody learns it"


class FlipOrder(Reading, label="Order after a flip"):
    """SCT-5: What does flipping a hand do to its order?"""

    KEEP = "every card turns, the order stays"
    REVERSE = "the hand turns as a whole: the order is reversed"


class ScoutInsertPublic(Reading, label="Where a scouted card goes"):
    """SCT-14: Do the others see where a scouted card goes, and which way up?"""

    NO = "only who scouts sees it"
    YES = "it is said aloud"


class ScoutOptions(OptionSet):
    """The readings of SCOUT's rules that a table may choose."""

    start: Start
    flip_public: FlipPublic
    flip_order: FlipOrder
    scout_insert_public: ScoutInsertPublic
    start_seat: int = number_of("start")
    """With `Start.NAMED`: the seat that is named."""


INFO = Info(
    name="scout",
    title="SCOUT",
    tagline="Never sort your hand. Beat the table or borrow from it.",
    seats=(2, 5),
    options=ScoutOptions.declared,
    order=5,
)
