"""Name, number of players and options of Reveal. This module imports no rules, so that listing the games stays fast.

An option is a rule variant that the players of a match can choose. Each class derived from `core.options.Reading`
declares one option. The members of the class are the choices. The docstring of the class is the question that players
read in forms, so it does not describe the class. It may begin with the id of a ruling in ``docs/rules/reveal.md``
("REV-3: ").
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated

from facedown.core.game_registry import Info
from facedown.core.options import (
    Argument,
    Option,
    OptionSet,
    Reading,
    argument_field,
    extra_numbers_field,
    reading_value,
)
from facedown.core.state import Ints
from facedown.games.reveal.cards import KINDS, Deck


#: Option ``peeking``: whether players may look again at the cards that they have placed face down. The docstring is the
#: question that players read in forms.
class Peeking(Reading, label="Peeking"):
    """May you look again at the cards you have placed?"""

    OFF = "no, they stay face down"
    ON = "yes, at your own cards"


class FinalUnlocks(Reading, label="Final Card opens the other side"):
    """REV-3: Does a Final Card that counts open the other player’s side?"""

    NO = "no, only cards on your own side do"
    YES = "yes, a Final Card opens the other side as well"


class FinalMode(Reading, label="Final round"):
    """REV-6: How do the two of you choose your columns?"""

    OPEN = "openly, and you may respond to each other"
    ALTERNATE = "openly, taking turns"
    SEALED = "secretly, then revealed together"


@dataclass(frozen=True, slots=True)
class CapOption(Option):
    """Option ``final_changes_cap``: number of times a player may choose a column before the next choice is final.

    With the value ``changes(n)``, a player can still change the column after each of the first n choices in a hand
    (round). Choice n + 1 is final. A plain number is accepted, too: ``10`` means ``changes(10)``.
    """

    @property
    def allowed(self) -> str:
        """Return the values that the option accepts, as text for error messages."""
        return "a number from 0 to 100"

    def parse(self, text: str) -> tuple[int, ...]:
        """Return the value of the option as (0, n, 0, 0).

        * The first 0 stands for the form of the value. This option has only one form: ``changes(n)``.
        * n is how many times a player may select a column in a hand (round) and still change it. The next column that
          the player selects is final.
        * The last two integers are unused.

        Raise `OptionError` if the text is not a valid value.

        >>> cap = FinalChangesCap.option("final_changes_cap")
        >>> cap.parse("3"), cap.normalize("3")
        ((0, 3, 0, 0), 'changes(3)')
        """
        word = text.strip()
        # `super()` without arguments fails here, because ``slots=True`` replaces the class by a new one.
        return Option.parse(self, f"changes({word})" if re.fullmatch(r"[+-]?\d+", word) else word)


class FinalChangesCap(Reading, label="Changes in the final round", kind=CapOption):
    """REV-6: How many times may you choose a column before your next choice is final?"""

    CHANGES = reading_value("a set number of times", Argument("n", 0, 100, 10, "number of times"), tells="{0:time}")


class SwapOrder(Reading, label="Who draws first"):
    """REV-7: Who draws first when both players swap cards?"""

    SEAT = "the player in the first seat"
    ARRIVAL = "whoever chose first"


class SwapBatch(Reading, label="Swapping"):
    """REV-8: Are all cards swapped at once?"""

    YES = "all at once"
    NO = "one by one, looking at each new card"


class FirstDealt(Reading, label="First card dealt"):
    """REV-13: Who is dealt the first card?"""

    P0 = reading_value("always the player in the first seat", word="P0")
    ALTERNATE = "the players take turns"


class Reshuffle(Reading, label="Shuffling"):
    """REV-14: When are all cards shuffled?"""

    EVERY_HAND = "before every hand"
    CONTINUE = "when fewer than 41 cards are left"


class End(Reading, label="Length"):
    """REV-15: When does the match end?"""

    HANDS = reading_value("after a set number of hands", Argument("n", 1, 100, 5, "hands"), tells="after {0:hand}")
    GOAL = reading_value(
        "when a player reaches the target score",
        Argument("G", 1, 900, 30, "points"),
        tells="when a player reaches {0:point}",
    )


class Tie(Reading, label="Equal totals"):
    """REV-15: What happens if the totals are equal at the end?"""

    DRAW = "nobody wins"
    EXTRA_HAND = "play on until somebody is ahead"


class Layout(Reading, label="Layout", for_research=True):
    """REV-17: How many columns and rows are there?"""

    FULL = "three columns, three rows"
    SMALL = reading_value(
        "fewer columns or rows, so the game can be solved exactly",
        Argument("columns", 2, 3, 2, "columns"),
        Argument("rows", 1, 3, 1, "rows"),
        tells="{0:column}, {1:row}",
    )


class RevealOptions(OptionSet):
    """Options of Reveal: rule variants that the players of a match can choose, one field for each option."""

    deck: Deck
    peeking: Peeking
    final_unlocks: FinalUnlocks
    final_mode: FinalMode
    final_changes_cap: FinalChangesCap
    swap_order: SwapOrder
    swap_batch: SwapBatch
    first_dealt: FirstDealt
    reshuffle: Reshuffle
    end: End
    tie: Tie
    layout: Layout
    copies: Annotated[Ints, "i2", (KINDS,)] = extra_numbers_field("deck")
    """Number of cards of each kind in the deck: of each of the eight colours, then of wild cards."""
    most_changes: int = argument_field("final_changes_cap")
    """Number of times that a player may choose a column in a hand (round) before the next choice is final."""
    end_at: int = argument_field("end")
    """With `End.HANDS` the number of hands in the match; with `End.GOAL` the total that ends it, in points."""
    columns: int = argument_field("layout")
    """Number of columns with ``layout=small``, else 0. The next field is the number of rows."""
    rows: int = argument_field("layout", 1)


INFO = Info(
    name="reveal",
    title="Reveal",
    tagline="Place cards face down, bet on a column, then reveal everything.",
    seats=(2, 2),
    options=RevealOptions.declared,
    unit="hand",
    aided=True,
    order=1,
    minutes=15,
    authors="Andrew & Jody Hawes",
)
