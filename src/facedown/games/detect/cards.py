"""Detect's deck: numbers and how many of each (ruling DET-1)."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from facedown.core.grammar import digits
from facedown.core.options import PARSED_WIDTH, Argument, Option, OptionError, Reading, reading
from facedown.games.detect.i18n import N_, _

LOWEST = -10
HIGHEST = 19
#: Kinds of cards: one for each number a deck may have.
KINDS = HIGHEST - LOWEST + 1
MAX_CARDS = 200
#: "5 × -2": five cards of -2.
_TIMES = re.compile(r"(\d{1,3})\s*[×x*]\s*([+-]?\d{1,3})")

#: The parent game's deck: 150 cards, sum 760.
STANDARD = {-2: 5, -1: 10, 0: 15, **dict.fromkeys(range(1, 13), 10)}


def kind_of(number: int) -> int:
    """The kind of a number."""
    return number - LOWEST


def number_of(kind: int) -> int:
    """The number on a kind of card."""
    return kind + LOWEST


@dataclass(frozen=True, slots=True)
class DeckOption(Option):
    """``skyjo150`` or ``custom(-2:5 -1:10 0:15 …)``: number, colon, how many; or as people write it: ``5 × −2, …``."""

    @property
    def allowed(self) -> str:
        """All readings, for a message."""
        return "skyjo150 | custom(number:copies ...)"

    def parse(self, text: str) -> tuple[int, ...]:
        """The choice, padding, and the copies of each kind."""
        word = text.strip()
        custom = re.fullmatch(r"custom\(([^()]*)\)", word)
        if not custom and word != "skyjo150":
            given = word or _("(nothing)")
            raise OptionError(_("deck = {given}: allowed are {allowed}", given=given, allowed=self.allowed))
        copies = _copies(custom[1]) if custom else STANDARD
        return (
            int(bool(custom)),
            *[0] * (PARSED_WIDTH - 1),
            *(copies.get(number_of(kind), 0) for kind in range(KINDS)),
        )

    def describe_value(self, text: str) -> str:
        """A deck in words.

        >>> Deck.option("deck").describe_value("custom(1:4 2:4 9:2)")
        'its own: 10 cards, 1 to 9'
        """
        copies = self._custom_copies(text)
        if not copies:
            return self.values[0].says
        low, high = digits(min(copies)), digits(max(copies))
        return _("its own: {cards} cards, {low} to {high}", cards=sum(copies.values()), low=low, high=high)

    def normalize(self, text: str) -> str:
        """The value in its one canonical spelling."""
        copies = self._custom_copies(text)
        return f"custom({' '.join(f'{number}:{count}' for number, count in copies.items())})" if copies else "skyjo150"

    def _custom_copies(self, text: str) -> dict[int, int]:
        """How many cards of each number a deck of its own has; empty for the one that is printed."""
        chosen, *numbers = self.parse(text)
        copies = numbers[PARSED_WIDTH - 1 :] if chosen else []
        return {number_of(kind): count for kind, count in enumerate(copies) if count}


def _copies(text: str) -> dict[int, int]:
    """How many cards of each number: "-2:5 -1:10" or "5 × −2, 10 × −1"; `OptionError` says what is wrong."""
    copies = Counter[int]()
    for part in re.split(r"[\s,]+", _TIMES.sub(r"\2:\1", text.replace("−", "-")).strip(" ,\n")):
        pair = re.fullmatch(r"([+-]?\d{1,3}):(\d{1,3})", part)
        if not pair or not LOWEST <= int(pair[1]) <= HIGHEST:
            wrong = N_(
                "deck: {part} does not say how many of which number: 10 × 12 is ten cards of 12; numbers go"
                " from {low} to {high}"
            )
            raise OptionError(_(wrong, part=part or _("nothing"), low=digits(LOWEST), high=HIGHEST))
        copies[int(pair[1])] += int(pair[2])
    if not 0 < copies.total() <= MAX_CARDS:
        wrong = N_("deck: {cards} cards, a deck may have up to {most}")
        raise OptionError(_(wrong, cards=copies.total(), most=MAX_CARDS))
    return copies


class Deck(Reading, label="Deck", kind=DeckOption):
    """DET-1: Which numbers does the deck have?"""

    SKYJO150 = "150 cards, −2 to 12"
    CUSTOM = reading(
        "your own numbers and copies",
        Argument(
            " ".join(f"{number}:{copies}" for number, copies in STANDARD.items()),
            LOWEST,
            HIGHEST,
            0,
            "How many of each number, with commas: 10 × 12 is ten cards of 12.",
            ", ".join(f"{copies} × {digits(number)}" for number, copies in STANDARD.items()),
        ),
    )
