"""Deck of Detect: its numbers, how many copies of each it has, and the option that chooses the deck.

The published rules do not say which deck is used. The default is a decision of this project, the ruling DET-1. All
rulings on Detect are in ``docs/rules/detect.md``.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from facedown.core.grammar import digits
from facedown.core.options import PARSED_WIDTH, Argument, Option, OptionError, Reading, reading_value
from facedown.games.detect.i18n import N_, _

LOWEST = -10
HIGHEST = 19
#: Number of kinds of cards. The kind of a card is its number minus `LOWEST`, so the kinds are indices from 0.
KINDS = HIGHEST - LOWEST + 1
MAX_CARDS = 200
#: Matches text such as "5 × -2", which means five cards with the number -2.
_TIMES = re.compile(r"(\d{1,3})\s*[×x*]\s*([+-]?\d{1,3})")

#: Copies of each number in the standard deck, which is Skyjo's: 150 cards whose numbers add up to 760.
STANDARD = {-2: 5, -1: 10, 0: 15, **dict.fromkeys(range(1, 13), 10)}


def kind_of(number: int) -> int:
    """Return the kind of the cards with a number. The kind is an index from 0: the number minus `LOWEST`."""
    return number - LOWEST


def number_of(kind: int) -> int:
    """Return the number on the cards of a kind. The kind of a card is an index from 0: its number minus `LOWEST`."""
    return kind + LOWEST


@dataclass(frozen=True, slots=True)
class DeckOption(Option):
    """Option that chooses the deck: ``skyjo150``, or ``custom(-2:5 -1:10 0:15 …)`` with pairs number:copies.

    Players may also type each pair as copies × number: ``5 × −2, 10 × −1``.
    """

    @property
    def allowed(self) -> str:
        """Return the values that the option accepts, as text for error messages."""
        return "skyjo150 | custom(number:copies ...)"

    def parse(self, text: str) -> tuple[int, ...]:
        """Return the value of the option as integers, in the order of this list.

        * One integer for the choice of deck: 0 for the standard deck, 1 for a custom one.
        * `PARSED_WIDTH` − 1 zeros. Other options have arguments in these places, such as the 5 in ``hands(5)``. The
          deck option does not use them.
        * `KINDS` integers: the number of cards with each number from `LOWEST` to `HIGHEST`, in ascending order.

        Raise `OptionError` if the text is not a valid deck.
        """
        word = text.strip()
        custom = re.fullmatch(r"custom\(([^()]*)\)", word)
        if not custom and word != "skyjo150":
            given = word or _("(empty)")
            raise OptionError(_("deck must be {allowed}, not {given}", given=given, allowed=self.allowed))
        copies = _parse_copies(custom[1]) if custom else STANDARD
        return (
            int(bool(custom)),
            *[0] * (PARSED_WIDTH - 1),
            *(copies.get(number_of(kind), 0) for kind in range(KINDS)),
        )

    def describe_value(self, text: str) -> str:
        """Return a short description of the deck that the option value `text` names, for players.

        >>> Deck.option("deck").describe_value("custom(1:4 2:4 9:2)")
        'custom: 10 cards, from 1 to 9'
        """
        copies = self._custom_copies(text)
        if not copies:
            return self.values[0].says
        low, high = digits(min(copies)), digits(max(copies))
        return _("custom: {cards} cards, from {low} to {high}", cards=sum(copies.values()), low=low, high=high)

    def normalize(self, text: str) -> str:
        """Return the option value `text` in its canonical spelling. Raise `OptionError` if `text` is not a valid deck.

        The canonical spelling is ``skyjo150`` or, for a custom deck, pairs number:copies in ascending order of the
        numbers. For example, ``custom(10 × −1, 5 × −2)`` becomes ``custom(-2:5 -1:10)``.
        """
        copies = self._custom_copies(text)
        return f"custom({' '.join(f'{number}:{count}' for number, count in copies.items())})" if copies else "skyjo150"

    def _custom_copies(self, text: str) -> dict[int, int]:
        """Return how many cards of each number a custom deck has, by number. `text` is the value of the option.

        Numbers without cards are left out. The dict is empty for the standard deck.
        """
        chosen, *numbers = self.parse(text)
        copies = numbers[PARSED_WIDTH - 1 :] if chosen else []
        return {number_of(kind): count for kind, count in enumerate(copies) if count}


def _parse_copies(text: str) -> dict[int, int]:
    """Return how many cards of each number a text lists, such as "-2:5 -1:10" or "5 × −2, 10 × −1".

    Raise `OptionError` if the text is invalid.
    """
    copies = Counter[int]()
    for part in re.split(r"[\s,]+", _TIMES.sub(r"\2:\1", text.replace("−", "-")).strip(" ,\n")):
        pair = re.fullmatch(r"([+-]?\d{1,3}):(\d{1,3})", part)
        if not pair or not LOWEST <= int(pair[1]) <= HIGHEST:
            wrong = N_(
                "deck: {part} is not valid; expected entries such as 10 × 12 (ten 12s), with numbers from {low} to "
                "{high}"
            )
            raise OptionError(_(wrong, part=part or _("(empty)"), low=digits(LOWEST), high=HIGHEST))
        copies[int(pair[1])] += int(pair[2])
    if not 0 < copies.total() <= MAX_CARDS:
        wrong = N_("deck must have 1 to {most} cards, not {cards}")
        raise OptionError(_(wrong, cards=copies.total(), most=MAX_CARDS))
    return copies


class Deck(Reading, label="Deck", kind=DeckOption):
    """DET-1: Which numbers are in the deck?"""

    SKYJO150 = "150 cards, from −2 to 12"
    CUSTOM = reading_value(
        "your own deck",
        Argument(
            " ".join(f"{number}:{copies}" for number, copies in STANDARD.items()),
            LOWEST,
            HIGHEST,
            0,
            "Enter how many there are of each number, separated by commas: 10 × 12 means ten 12s.",
            ", ".join(f"{copies} × {digits(number)}" for number, copies in STANDARD.items()),
        ),
    )
