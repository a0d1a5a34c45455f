"""Reveal's colours and decks."""

from __future__ import annotations

from dataclasses import dataclass

from facedown.core.options import Argument, Option, Reading, reading
from facedown.games.reveal.texts import N_

#: The eight colours in the order of the rules; the last kind is wild.
COLOURS = (N_("pink"), N_("white"), N_("blue"), N_("yellow"), N_("orange"), N_("black"), N_("red"), N_("green"))
WILD = len(COLOURS)
KINDS = WILD + 1
NAMES = (*COLOURS, N_("wild"))

#: 29 cards are dealt and at most 12 drawn in a hand, so a deck has at least 41 (rules 1.2).
LAID = 29
MOST_DRAWN = 12
NEED = LAID + MOST_DRAWN
MAX_CARDS = 200

#: The two decks that are sold, by their numbers in `Deck`: how many colours, copies of each, and wilds.
SOLD: dict[int, tuple[int, ...]] = {0: (8, 14, 4), 1: (8, 12, 4)}


@dataclass(frozen=True, slots=True)
class DeckOption(Option):
    """A deck by its name or its numbers; it gives the copies of each kind."""

    def parse(self, text: str) -> tuple[int, ...]:
        """The choice, its numbers, and the copies of each kind.

        >>> Deck.option("deck").parse("custom(3,12,5)")
        (2, 3, 12, 5, 12, 12, 12, 0, 0, 0, 0, 0, 5)
        """
        # Spelled out: `super()` does not find the class that `slots` makes anew.
        chosen, *numbers = Option.parse(self, text)
        colours, copies, wilds = SOLD.get(chosen, numbers)
        return (chosen, *numbers, *(copies if kind < colours else 0 for kind in range(WILD)), wilds)


class Deck(Reading, label="Deck", kind=DeckOption):
    """Which cards do you play with?"""

    FULL116 = "14 of each colour and 4 wilds"
    TTR100 = "12 of each colour and 4 wilds, as in Ticket to Ride: Europe"
    CUSTOM = reading(
        "your own numbers of colours, copies and wilds",
        Argument("colours", 1, 8, 8, "colours"),
        Argument("copies", 1, 25, 14, "cards of each colour"),
        Argument("wilds", 0, 40, 4, "wilds"),
        tells="{0:colour}, {1} of each, and {2:wild}",
    )
