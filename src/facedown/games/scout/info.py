"""What can be said of SCOUT without its rules: its name, its players, its options."""

from typing import Annotated

from facedown.core.game import Info
from facedown.core.options import Argument, OptionSet, Reading, number_of, numbers_of, reading
from facedown.core.state import Ints
from facedown.games.scout.cards import DECK_NUMBERS, Deck


class Start(Reading, label="Who starts"):
    """SCT-13: Who plays first in the first round?"""

    RANDOM = "chance picks"
    HOLDER_1_2 = "whoever was dealt the 1/2"
    NAMED = reading(
        "the seat of this number, from 0", Argument("seat", 0, 4, 0), form="a player you name", tells="player {0}"
    )


class FlipPublic(Reading, label="Flips"):
    """SCT-18: Do the others learn who flipped their hand?"""

    YES = "everyone sees it once all have chosen"
    NO = "nobody learns it"


class FlipOrder(Reading, label="Order after a flip"):
    """SCT-5: What does flipping a hand do to its order?"""

    KEEP = "every card turns, the order stays"
    REVERSE = "the hand turns as a whole: the order is reversed"


class ScoutInsertPublic(Reading, label="Where a scouted card goes"):
    """SCT-14: Do the others see where a scouted card goes, and which way up?"""

    NO = "only the player who scouts sees it"
    YES = "yes, everyone sees it"


class Hands(Reading, label="Hands", for_research=True):
    """SCT-19: How many cards are dealt, and how many rounds?"""

    FULL = "as many as the rules say"
    SMALL = reading(
        "short hands of two players and a single round, to be solved exactly",
        Argument("cards", 2, 11, 2, "cards in a hand"),
        Argument("chips", 0, 3, 1, "chips each"),
        tells="a single round, {0:card} and {1:chip} each",
    )


class ScoutOptions(OptionSet):
    """The readings of SCOUT's rules that a table may choose."""

    start: Start
    flip_public: FlipPublic
    flip_order: FlipOrder
    scout_insert_public: ScoutInsertPublic
    hands: Hands
    deck: Deck
    start_seat: int = number_of("start")
    """With `Start.NAMED`: the seat that is named."""
    cards: int = number_of("hands")
    """With `Hands.SMALL`: cards in a hand, and chips each."""
    chips: int = number_of("hands", 1)
    kinds: Annotated[Ints, "i2", (DECK_NUMBERS,)] = numbers_of("deck")
    """With a deck of few cards: a bit for each kind of card."""


INFO = Info(
    name="scout",
    title="SCOUT",
    tagline="Never sort your hand. Beat the table or borrow from it.",
    seats=(2, 5),
    options=ScoutOptions.declared,
    order=5,
    minutes=15,
    complexity=1.35,
)
