"""Reveal's decks and colours, and its two options that need more than a word."""

from __future__ import annotations

import re
from dataclasses import dataclass

from facedown.core.options import Argument, Option, Value

#: The eight colours in the order of the rules; the last kind is wild.
COLOURS = ("pink", "white", "blue", "yellow", "orange", "black", "red", "green")
WILD = len(COLOURS)
KINDS = WILD + 1
NAMES = (*COLOURS, "wild")

#: 29 cards are dealt and at most 12 drawn in a hand, so a deck has at least 41 (rules 1.2).
LAID = 29
MOST_DRAWN = 12
NEED = LAID + MOST_DRAWN
MAX_CARDS = 200

#: The readings of the option: how many colours, copies of each, wilds.
FULL = (8, 14, 4)
TICKET = (8, 12, 4)
CUSTOM_INDEX = 2


def deck_option() -> Option:
    """The option `deck`."""
    return Option(
        "deck",
        "Deck",
        "Which cards do you play with?",
        (
            Value("full116", "14 of each colour and 4 wilds"),
            Value("ttr100", "12 of each colour and 4 wilds, as in Ticket to Ride: Europe"),
            Value(
                "custom",
                "your own numbers of colours, copies and wilds",
                (
                    Argument("colours", 1, 8, 8),
                    Argument("copies", 1, 25, 14, "cards of each colour"),
                    Argument("wilds", 0, 40, 4),
                ),
                tells="{0:colour}, {1} of each, and {2:wild}",
            ),
        ),
    )


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
            (Value("changes", "so many times", (Argument("n", 0, 100, 10, "how often"),), tells="{0:time}"),),
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
