"""Description of Detect that needs no rules: name, number of players, options."""

from typing import Annotated

from facedown.core.game_registry import Info
from facedown.core.options import Argument, OptionSet, Reading, argument_field, extra_numbers_field, reading
from facedown.core.state import Ints
from facedown.games.detect.cards import KINDS, Deck


class InitialDiscard(Reading, label="First discard"):
    """DET-2: Does the discard pile start with a card?"""

    TURN_ONE = "the top card is flipped"
    EMPTY = "the first player has to draw"


class OpeningPick(Reading, label="Opening cards"):
    """DET-3: Who picks the two cards each player flips first?"""

    CHOOSE = "each player chooses two"
    RANDOM = "chance picks two"


class LaterStart(Reading, label="Who starts later rounds"):
    """DET-4: Who starts from the second round on?"""

    CONTEST = "the highest two opened cards, every round"
    ENDER = "who ended the round before"


class SetOptional(Reading, label="Three of a number"):
    """DET-6: What happens to three equal numbers in a column?"""

    NO = "they are removed at once"
    YES = "its owner decides"


class SetOnFinalReveal(Reading, label="Sets at the final flip"):
    """DET-8: Are columns removed when the round’s last cards are flipped?"""

    YES = "they are removed"
    NO = "they stay and count"


class EnderTie(Reading, label="Ender level with the lowest"):
    """DET-10: Is the ender doubled when somebody else has just as few points?"""

    SAFE = "not doubled"
    DOUBLED = "doubled, unless lowest alone"


class DoubleScope(Reading, label="What is doubled"):
    """DET-11: What does the penalty double?"""

    ROUND_TOTAL = "the whole round, if it is above zero"
    POSITIVE_CARDS = "the cards above zero only"


class Tie(Reading, label="Equal lowest totals"):
    """DET-14: What happens when the lowest total is shared at the end?"""

    SHARE = "they share the win"
    EXTRA_ROUND = "play on until one is alone"


class Grid(Reading, label="Grid", for_research=True):
    """DET-17: How large is the grid, and how long the match?"""

    FULL = "four columns of three"
    SMALL = reading(
        "a smaller grid and a single round, to be solved exactly",
        Argument("columns", 1, 4, 2, "columns"),
        Argument("rows", 2, 3, 2, "rows"),
        Argument("turns", 1, 200, 2, "turns a player, at the most"),
        tells="{0} by {1}, a single round of at most {2:turn} a player",
    )


class DetectOptions(OptionSet):
    """Options of Detect: the rule variants that a table may choose."""

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
    """Copies of each kind of card in the deck."""
    columns: int = argument_field("grid")
    """With `Grid.SMALL`: columns of a grid. The next two fields are its rows and the most turns per player."""
    rows: int = argument_field("grid", 1)
    most_turns: int = argument_field("grid", 2)


INFO = Info(
    name="detect",
    title="Detect",
    tagline="Trade twelve unseen cards down to the lowest sum.",
    seats=(2, 8),
    options=DetectOptions.declared,
    order=2,
    minutes=30,
)
