"""Cards and decks of Reveal, and phrases for cards and columns in sentences.

The class `Deck` declares the option that chooses the deck. The members of the class are the choices. The docstring of
the class is the question that players read in forms, so it does not describe the class.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from facedown.core.grammar import in_words
from facedown.core.options import Argument, Option, Reading, reading_value
from facedown.core.translation import cache_by_language, join_names
from facedown.games.reveal.i18n import N_, _, c_

#: The eight colours in the order of the rules. The kind of a card is an integer that all equal cards share: the index
#: of the colour here, or `WILD` for a wild card.
COLOURS = (N_("pink"), N_("white"), N_("blue"), N_("yellow"), N_("orange"), N_("black"), N_("red"), N_("green"))
WILD = len(COLOURS)
KINDS = WILD + 1
NAMES = (*COLOURS, N_("wild"))

#: Number of cards dealt to both players and the base in a hand (round), and largest number of cards drawn in it. A deck
#: needs at least the sum of both, 41 (rules 1.2).
DEALT_CARDS = 29
MAX_DRAWN_CARDS = 12
MIN_DECK_SIZE = DEALT_CARDS + MAX_DRAWN_CARDS
MAX_CARDS = 200

#: The two published decks, by their index in the option `Deck`: (number of colours, cards of each colour, wild cards).
PUBLISHED_DECKS: dict[int, tuple[int, ...]] = {0: (8, 14, 4), 1: (8, 12, 4)}


@dataclass(frozen=True, slots=True)
class DeckOption(Option):
    """Option that chooses the deck: a published one by its name, or ``custom(colours,copies,wilds)``.

    Its parsed value also contains the number of cards of each kind (colour, or wild).
    """

    def parse(self, text: str) -> tuple[int, ...]:
        """Return the value of the option as integers.

        * One integer for the choice of deck: its index in `Deck`.
        * Three integers for the arguments of the choice; 0 if it has none.
        * Eight integers: the number of cards of each colour.
        * One integer: the number of wild cards.

        Raise `OptionError` if the text is not a valid deck.

        >>> Deck.option("deck").parse("custom(3,12,5)")
        (2, 3, 12, 5, 12, 12, 12, 0, 0, 0, 0, 0, 5)
        """
        # `super()` without arguments fails here, because ``slots=True`` replaces the class by a new one.
        chosen, *numbers = Option.parse(self, text)
        colours, copies, wilds = PUBLISHED_DECKS.get(chosen, numbers)
        return (chosen, *numbers, *(copies if kind < colours else 0 for kind in range(WILD)), wilds)


#: Option ``deck``: which cards the deck has. The docstring is the question that players read in forms.
class Deck(Reading, label="Deck", kind=DeckOption):
    """Which cards do you play with?"""

    FULL116 = "14 of each colour and 4 wilds"
    TTR100 = "12 of each colour and 4 wilds, as in Ticket to Ride: Europe"
    CUSTOM = reading_value(
        "your own mix of colours and wilds",
        Argument("colours", 1, 8, 8, "colours"),
        Argument("copies", 1, 25, 14, "cards of each colour"),
        Argument("wilds", 0, 40, 4, "wilds"),
        tells="{0:colour}, {1:card} of each, and {2:wild}",
    )


# --- phrases for cards ------------------------------------------------------------------------------------------------


def card_name(kind: int) -> str:
    """Return the name of a card: "red", "wild". `kind` is the index of its colour, or `WILD`."""
    return _(NAMES[kind])


@cache_by_language
def colour_adjective(kind: int) -> str:
    """Return a colour as an adjective before "card": "red" in "the red card". `kind` is the index of the colour."""
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
    """Return "the red card" or "the wild card" as the object of a sentence. `kind` is the colour's index, or `WILD`."""
    if kind == WILD:
        return c_("object", "the wild card")
    return _("the {colour} card", colour=colour_adjective(kind))


def card_subject(kind: int) -> str:
    """Return "the red card" or "the wild card" as the subject of a clause.

    The phrase begins with a small letter, so it is for the middle of a sentence. `kind` is the colour's index, or
    `WILD`.
    """
    if kind == WILD:
        return c_("subject", "the wild card")
    return _("the {colour} card", colour=colour_adjective(kind))


def the_cards(kinds: Sequence[int]) -> str:
    """Return a phrase for one or two hand cards, as the object of a sentence: "the red card and the blue card".

    `kinds` has the index of each card's colour, or `WILD`.
    """
    if len(kinds) == 1:
        return the_card(kinds[0])
    first, second = kinds
    if first == second:
        if first == WILD:
            return _("two wild cards")
        return _("two {colour} cards", colour=colour_adjective(first))
    if first == WILD:
        return _("the wild card and the {colour} card", colour=colour_adjective(second))
    if second == WILD:
        return _("the {colour} card and the wild card", colour=colour_adjective(first))
    return _("the {first} card and the {second} card", first=colour_adjective(first), second=colour_adjective(second))


def _colour_with_article(kind: int) -> str:
    """Return the words for one card of a colour: "a red", "an orange". `kind` is the index of the colour."""
    if COLOURS[kind][0] in "aeiou":
        return _("an {colour}", colour=colour_adjective(kind))
    return _("a {colour}", colour=colour_adjective(kind))


def card_count_phrase(kind: int, count: int) -> str:
    """Return a number of equal cards as text: "two reds". `kind` is the index of their colour, or `WILD`.

    `count` is at least 2.
    """
    if kind == WILD:
        return _("{number} wilds", number=in_words(count))
    return _("{number} {colour}s", number=in_words(count), colour=colour_adjective(kind))


def chosen_cards_phrase(kind: int, chosen: int, held: int) -> str:
    """Return a phrase for one or two hand cards of one kind, as the object of a sentence.

    * `kind`: the index of the colour of these cards, or `WILD`.
    * `chosen`: how many of these cards the phrase is about, 1 or 2.
    * `held`: how many cards of this kind are in the hand.

    Examples are "the yellow" (1 of 1), "a red" (1 of several), "two reds" (2 of 3) and "both reds" (2 of 2).
    """
    if held == 1:
        return c_("object", "the wild") if kind == WILD else _("the {colour}", colour=colour_adjective(kind))
    if chosen == 1:
        return c_("object", "a wild") if kind == WILD else _colour_with_article(kind)
    if chosen != held:
        return card_count_phrase(kind, chosen)
    return _("both wilds") if kind == WILD else _("both {colour}s", colour=colour_adjective(kind))


def card_list_phrase(kinds: Sequence[int]) -> str:
    """Return a phrase that lists cards by colour, as the subject of a sentence.

    The most frequent colour comes first, wild cards come last. `kinds` has the index of each card's colour, or `WILD`.

    >>> card_list_phrase([3, 6, 6]), card_list_phrase([8, 3]), card_list_phrase([8, 8, 8])
    ('two reds and a yellow', 'a yellow and a wild', 'three wilds')
    """
    counted = sorted(Counter(kinds).items(), key=lambda item: (item[0] == WILD, -item[1]))
    one = {
        kind: c_("subject", "a wild") if kind == WILD else _colour_with_article(kind)
        for kind, count in counted
        if count == 1
    }
    return join_names([one.get(kind) or card_count_phrase(kind, count) for kind, count in counted])


# --- phrases for columns ----------------------------------------------------------------------------------------------


def column_position_word(column: int) -> str:
    """Return the position of a column (0 to 2) as a word: "left", "middle" or "right"."""
    return (_("left"), _("middle"), _("right"))[column]


def column_adjective(column: int) -> str:
    """Return the position of a column as an adjective before "column" or "side": "left" in "the left column"."""
    texts = (
        c_("before “column” or “side”", "left"),
        c_("before “column” or “side”", "middle"),
        c_("before “column” or “side”", "right"),
    )
    return texts[column]


def column_title(column: int) -> str:
    """Return the name of a column without an article: "left column"."""
    return _("{side} column", side=column_adjective(column))


def the_column(column: int) -> str:
    """Return the name of a column with its article: "the left column"."""
    return _("the {side} column", side=column_adjective(column))


def column_after_with(column: int) -> str:
    """Return the name of a column in the form that follows the word "with": "the left column".

    In other languages this form may differ from the form that `the_column` returns.
    """
    return c_("after “with”", "the {side} column", side=column_adjective(column))
