"""Name, number of players and options of Detect. This module imports no rules, so that listing the games stays fast."""

from typing import Annotated

from facedown.core.game_registry import Info
from facedown.core.options import Argument, OptionSet, Reading, argument_field, extra_numbers_field, reading_value
from facedown.core.state import Ints
from facedown.games.detect.cards import KINDS, Deck


class InitialDiscard(Reading, label="First discard"):
    """DET-2: Does the discard pile start with a card?"""

    TURN_ONE = "yes, the top card of the draw pile"
    EMPTY = "no, the first player must draw"


class OpeningPick(Reading, label="Opening cards"):
    """DET-3: How are the two opening cards chosen?"""

    CHOOSE = "each player chooses two"
    RANDOM = "at random"


class LaterStart(Reading, label="Who starts later rounds"):
    """DET-4: Who starts each round after the first?"""

    CONTEST = "the player whose opening cards have the highest total"
    ENDER = "whoever ended the previous round"


class SetOptional(Reading, label="Three in a column"):
    """DET-6: What happens to three equal numbers in a column?"""

    NO = "they are removed at once"
    YES = "the column’s owner decides"


class SetOnFinalReveal(Reading, label="Sets at the end of a round"):
    """DET-8: Are sets also removed when the last cards are flipped at the end of a round?"""

    YES = "yes, sets are removed"
    NO = "no, sets stay and their points count"


class EnderTie(Reading, label="Tied for lowest score after ending the round"):
    """DET-10: Are your points doubled if you end the round and tie for the lowest score?"""

    SAFE = "not doubled"
    DOUBLED = "doubled"


class DoubleScope(Reading, label="What is doubled"):
    """DET-11: What is doubled if you end the round and somebody else has fewer points?"""

    ROUND_TOTAL = "the points for the round, if above zero"
    POSITIVE_CARDS = "only the cards above zero"


class Tie(Reading, label="Tie at the end"):
    """DET-14: What happens if players tie for the lowest total at the end of the match?"""

    SHARE = "the win is shared"
    EXTRA_ROUND = "play on until the tie is broken"


class Grid(Reading, label="Grid", for_research=True):
    """DET-17: How large is the grid, and how long is the match?"""

    FULL = "four columns of three cards"
    SMALL = reading_value(
        "a smaller grid and a single round, so the game can be solved exactly",
        Argument("columns", 1, 4, 2, "columns"),
        Argument("rows", 2, 3, 2, "rows"),
        Argument("turns", 1, 200, 2, "maximum turns per player"),
        tells="a {0} by {1} grid and a single round of at most {2:turn} per player",
    )


class DetectOptions(OptionSet):
    """Options of Detect: rule variants that the players of a match can choose, one field for each option."""

    deck: Deck
    initial_discard: InitialDiscard
    opening_pick: OpeningPick
    later_start: LaterStart
    set_optional: SetOptional
    set_on_final_reveal: SetOnFinalReveal
    ender_tie: EnderTie
    double_scope: DoubleScope
    tie: Tie
    grid: Grid
    copies: Annotated[Ints, "i2", (KINDS,)] = extra_numbers_field("deck")
    """Number of cards in the deck for each card number, beginning with -10 (`LOWEST`)."""
    columns: int = argument_field("grid")
    """Number of columns of a grid with ``grid=small``, else 0. The next two fields are its number of rows, and the most
    turns of each player in a round."""
    rows: int = argument_field("grid", 1)
    most_turns: int = argument_field("grid", 2)


INFO = Info(
    name="detect",
    title="Detect",
    tagline="Swap twelve face-down cards for lower ones.",
    seats=(2, 8),
    options=DetectOptions.declared,
    order=2,
    minutes=30,
)
