"""What can be said of Reveal without its rules: its name, its players, its options."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated

from facedown.core.game import Info
from facedown.core.options import Argument, Option, OptionSet, Reading, number_of, numbers_of, option, reading, special
from facedown.core.state import Ints
from facedown.games.reveal.cards import KINDS, Deck, DeckOption


class Peeking(Reading):
    """May you look again at the cards you have laid?"""

    OFF = "what lies face down stays unseen"
    ON = "you may look at your own laid cards"


class FinalUnlocks(Reading):
    """REV-3: Does a Final Card that counts open the other player's side?"""

    NO = "only a card on your own side does"
    YES = "the Final Card does, too"


class FinalMode(Reading):
    """REV-6: How do the two choose their columns?"""

    OPEN = "openly, and you may still answer each other"
    ALTERNATE = "openly, one after the other"
    SEALED = "secretly, shown together"


class FinalChangesCap(Reading):
    """REV-6: How often may a player choose a column before the next choice is final?"""

    CHANGES = reading("so many times", Argument("n", 0, 100, 10, "how often"), tells="{0:time}")


class SwapOrder(Reading):
    """REV-7: Who takes from the draw pile first?"""

    SEAT = "the first seat"
    ARRIVAL = "whoever chose first"


class SwapBatch(Reading):
    """REV-8: Are all cards swapped at once?"""

    YES = "all at once"
    NO = "one by one, looking in between"


class FirstDealt(Reading):
    """REV-13: Who is dealt the first card?"""

    P0 = reading("always the first seat", word="P0")
    ALTERNATE = "the two of you in turn"


class Reshuffle(Reading):
    """REV-14: Are all cards shuffled for every hand?"""

    EVERY_HAND = "before every hand"
    CONTINUE = "deal on while 41 cards are left"


class End(Reading):
    """REV-15: When is the match over?"""

    HANDS = reading("after a number of hands", Argument("n", 1, 100, 5, "hands"), tells="after {0:hand}")
    GOAL = reading("when a total reaches a goal", Argument("G", 1, 900, 30, "points"), tells="when a total reaches {0}")


class Tie(Reading):
    """REV-15: What happens when both totals are equal at the end?"""

    DRAW = "nobody wins"
    EXTRA_HAND = "play on until they differ"


@dataclass(frozen=True, slots=True)
class CapOption(Option):
    """``final_changes_cap``: a plain number is understood, too (``10`` is ``changes(10)``)."""

    @staticmethod
    def standard() -> CapOption:
        """The option as Reveal offers it."""
        return CapOption(
            "final_changes_cap",
            "Changes in the final round",
            "How often may you choose a column before your next choice is final?",
            (FinalChangesCap.CHANGES.written,),
            "REV-6",
        )

    @property
    def allowed(self) -> str:
        """All readings, for a message."""
        return "a number from 0 to 100"

    def parse(self, text: str) -> tuple[int, ...]:
        """The numbers of a value.

        >>> CapOption.standard().parse("3"), CapOption.standard().normal("3")
        ((0, 3, 0, 0), 'changes(3)')
        """
        word = text.strip()
        # Spelled out: `super()` does not find the class that `slots` makes anew.
        return Option.parse(self, f"changes({word})" if re.fullmatch(r"[+-]?\d+", word) else word)


class RevealOptions(OptionSet):
    """The readings of Reveal's rules that a table may choose."""

    deck: Deck = special(DeckOption.standard())
    peeking: Peeking = option("Peeking", "May you look again at the cards you have laid?")
    final_unlocks: FinalUnlocks = option(
        "Final Card opens the other side",
        "Does a Final Card that counts open the other player's side?",
        ruling="REV-3",
    )
    final_mode: FinalMode = option("Final round", "How do the two of you choose your columns?", ruling="REV-6")
    final_changes_cap: FinalChangesCap = special(CapOption.standard())
    swap_order: SwapOrder = option(
        "Who draws first",
        "Both have chosen what to swap: who takes from the draw pile first?",
        ruling="REV-7",
    )
    swap_batch: SwapBatch = option("Swapping", "Are all cards swapped at once?", ruling="REV-8")
    first_dealt: FirstDealt = option("First card dealt", "Who is dealt the first card?", ruling="REV-13")
    reshuffle: Reshuffle = option("Shuffling", "Are all cards shuffled for every hand?", ruling="REV-14")
    end: End = option("Length", "When is the match over?", ruling="REV-15")
    tie: Tie = option("Equal totals", "What happens when both totals are equal at the end?", ruling="REV-15")
    copies: Annotated[Ints, "i2", (KINDS,)] = numbers_of("deck")
    """The deck: copies of each kind."""
    most_changes: int = number_of("final_changes_cap")
    """So many choices of a player leave the next one open; the one after them is final."""
    end_at: int = number_of("end")
    """The number of hands, or the goal."""


INFO = Info(
    name="reveal",
    title="Reveal",
    tagline="Lay cards face down, answer the other's choice, and turn them up together.",
    seats=(2, 2),
    options=RevealOptions.declared,
    unit="hand",
    order=1,
)
