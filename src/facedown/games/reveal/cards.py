"""Reveal's colours and decks, and what cards and columns are called in a sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from facedown.core.grammar import in_words
from facedown.core.language import cache_by_language, join_names
from facedown.core.options import Argument, Option, Reading, reading
from facedown.games.reveal.i18n import N_, _, c_

#: The eight colours in the order of the rules; the last kind is wild.
COLOURS = (N_("pink"), N_("white"), N_("blue"), N_("yellow"), N_("orange"), N_("black"), N_("red"), N_("green"))
WILD = len(COLOURS)
KINDS = WILD + 1
NAMES = (*COLOURS, N_("wild"))

#: 29 cards are dealt and at most 12 drawn in a hand, so a deck has at least 41 (rules 1.2).
DEALT_CARDS = 29
MOST_DRAWN = 12
MIN_DECK_SIZE = DEALT_CARDS + MOST_DRAWN
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


# --- cards ------------------------------------------------------------------------------------------------------------


def card_name(kind: int) -> str:
    """A card by its colour alone: "red", "wild"."""
    return _(NAMES[kind])


@cache_by_language
def colour_adjective(kind: int) -> str:
    """A colour as it stands before a card: "red" in "the red card"."""
    texts = (
        c_("before “card”", "pink"),
        c_("before “card”", "white"),
        c_("before “card”", "blue"),
        c_("before “card”", "yellow"),
        c_("before “card”", "orange"),
        c_("before “card”", "black"),
        c_("before “card”", "red"),
        c_("before “card”", "green"),
    )
    return texts[kind]


def the_card(kind: int) -> str:
    """A card as an object: "the red card"."""
    if kind == WILD:
        return c_("object", "the wild card")
    return _("the {colour} card", colour=colour_adjective(kind))


def card_subject(kind: int) -> str:
    """A card as the subject of a sentence, in its middle: "the red card"."""
    if kind == WILD:
        return c_("subject", "the wild card")
    return _("the {colour} card", colour=colour_adjective(kind))


def the_cards(kinds: Sequence[int]) -> str:
    """One hand card or two as an object: "the red card", "the red and the blue card"."""
    if len(kinds) == 1:
        return the_card(kinds[0])
    first, second = kinds
    if first == second:
        if first == WILD:
            return _("the wild and the wild cards")
        return _("the {colour} and the {colour} cards", colour=colour_adjective(first))
    if first == WILD:
        return _("the wild and the {colour} card", colour=colour_adjective(second))
    if second == WILD:
        return _("the {colour} and the wild card", colour=colour_adjective(first))
    return _("the {first} and the {second} card", first=colour_adjective(first), second=colour_adjective(second))


def _a_colour(kind: int) -> str:
    """A card of a colour: "a red", "an orange"."""
    if COLOURS[kind][0] in "aeiou":
        return _("an {colour}", colour=colour_adjective(kind))
    return _("a {colour}", colour=colour_adjective(kind))


def card_count_phrase(kind: int, count: int) -> str:
    """Cards of a colour, more than one: "two reds"."""
    if kind == WILD:
        return _("{number} wilds", number=in_words(count))
    return _("{number} {colour}s", number=in_words(count), colour=colour_adjective(kind))


def chosen_cards_phrase(kind: int, chosen: int, held: int) -> str:
    """So many of the cards of a colour that one holds, as an object: "the yellow", "a red", "two reds", "both reds"."""
    if held == 1:
        return c_("object", "the wild") if kind == WILD else _("the {colour}", colour=colour_adjective(kind))
    if chosen == 1:
        return c_("object", "a wild") if kind == WILD else _a_colour(kind)
    if chosen != held:
        return card_count_phrase(kind, chosen)
    return _("both wilds") if kind == WILD else _("both {colour}s", colour=colour_adjective(kind))


def card_list_phrase(kinds: Sequence[int]) -> str:
    """Cards counted by colour as a subject, the most first and wilds last.

    >>> card_list_phrase([3, 6, 6]), card_list_phrase([8, 3]), card_list_phrase([8, 8, 8])
    ('two reds and a yellow', 'a yellow and a wild', 'three wilds')
    """
    counted = sorted(Counter(kinds).items(), key=lambda item: (item[0] == WILD, -item[1]))
    one = {kind: c_("subject", "a wild") if kind == WILD else _a_colour(kind) for kind, count in counted if count == 1}
    return join_names([one.get(kind) or card_count_phrase(kind, count) for kind, count in counted])


# --- columns ----------------------------------------------------------------------------------------------------------


def column_name(column: int) -> str:
    """Where a column stands: "left"."""
    return (_("left"), _("middle"), _("right"))[column]


def column_adjective(column: int) -> str:
    """Where a column stands, before it or its side: "left" in "the left column"."""
    texts = (
        c_("before “column” or “side”", "left"),
        c_("before “column” or “side”", "middle"),
        c_("before “column” or “side”", "right"),
    )
    return texts[column]


def column_title(column: int) -> str:
    """A column without its article: "left column"."""
    return _("{side} column", side=column_adjective(column))


def the_column(column: int) -> str:
    """A column: "the left column"."""
    return _("the {side} column", side=column_adjective(column))


def column_after_with(column: int) -> str:
    """A column after "with": "the left column"."""
    return c_("after “with”", "the {side} column", side=column_adjective(column))
