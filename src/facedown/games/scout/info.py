"""SCOUT's name, players, options and cards: one card for each pair of different numbers from 1 to 10."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from facedown.core.game_registry import Info
from facedown.core.options import (
    PARSED_WIDTH,
    Argument,
    Option,
    OptionError,
    OptionSet,
    Reading,
    argument_field,
    extra_numbers_field,
    reading,
)
from facedown.core.rule import rule
from facedown.core.state import Ints
from facedown.games.scout.i18n import N_, _, n_

NUMBERS = 10
PAIRS = tuple((low, high) for low in range(1, NUMBERS + 1) for high in range(low + 1, NUMBERS + 1))
#: Kinds of cards: the pairs, in the order 1/2, 1/3 … 9/10. There is one card of each.
KINDS = len(PAIRS)
#: Added to a kind where the card lies with its higher number up.
TURNED = 64
#: Kinds and ways up together: a power of two, so that what is below it can be cut off.
WAYS_UP = 2 * TURNED
#: The number that is up, by kind and way up (``FACE[kind]`` the lower, ``FACE[kind + TURNED]`` the higher).
FACE: Ints = np.array([pair[up] for up in range(2) for pair in (*PAIRS, *[(0, 0)] * (TURNED - KINDS))], np.int64)
_INDEX = {pair: kind for kind, pair in enumerate(PAIRS)}

TWO_PLAYERS = 2
THREE_PLAYERS = 3
FIVE_PLAYERS = 5
#: The pair 1-2, whose holder may start (SCT-13).
ONE_TWO = _INDEX[1, 2]
_NINE_TEN = _INDEX[9, 10]
#: Cards each is dealt, by the number of players.
HAND_SIZES = (0, 0, 11, 12, 11, 9)
#: Rounds of a match, by the number of players (rules 5.1).
ROUNDS = (0, 0, 2, 3, 4, 5)


@rule
def is_in_full_deck(seats: int, kind: int) -> bool:
    """Is this card in the deck for `seats` players (rules 5.2)?"""
    if seats == FIVE_PLAYERS:
        return True
    if seats == THREE_PLAYERS:
        return FACE[kind + TURNED] < NUMBERS
    return kind != _NINE_TEN


def card_word(kind: int) -> str:
    """A card as it lies, up number, stroke, down number; `kind` has `TURNED` added where its higher number is up.

    >>> card_word(0), card_word(TURNED + 44)
    ('1/2', '10/9')
    """
    low, high = PAIRS[kind % TURNED]
    return f"{high}/{low}" if kind >= TURNED else f"{low}/{high}"


def card_kind(word: str) -> int:
    """The kind of a card's word, with `TURNED` where its higher number is up; `ValueError` if there is no such card.

    >>> card_kind("1/2"), card_kind("2/1") == TURNED
    (0, True)
    """
    match = re.fullmatch(r"(\d{1,2})/(\d{1,2})", word.strip())
    numbers = (int(match[1]), int(match[2])) if match else (0, 0)
    pair = (min(numbers), max(numbers))
    if pair not in _INDEX:
        text = N_("{word} is not a card: they are two different numbers from 1 to 10, like 7/2")
        raise ValueError(_(text, word=word.strip() or _("nothing")))
    return _INDEX[pair] + (TURNED if numbers[0] > numbers[1] else 0)


# --- decks for research (SCT-19) --------------------------------------------------------------------------------------

#: A custom deck is kept as bits, one for each kind. Number of bits in each integer:
BITS = 15
DECK_NUMBERS = -(-KINDS // BITS)
#: Two hands of two.
FEWEST_CARDS = 4
#: The place of each kind in the order of the higher number, then of the lower: 1/2 1/3 2/3 1/4 …
RANK = [sorted(PAIRS, key=lambda pair: pair[::-1]).index(pair) for pair in PAIRS]


@dataclass(frozen=True, slots=True)
class DeckOption(Option):
    """``full``, ``first(6)`` or ``custom(1/6 2/7 …)``: cards, each once; it gives the kinds of the latter as bits."""

    @property
    def allowed(self) -> str:
        """All readings, for a message."""
        return "full | first(n) | custom(card card ...)"

    def parse(self, text: str) -> tuple[int, ...]:
        """The choice, its number, and the bits of the kinds.

        >>> Deck.option("deck").parse("custom(1/2 3/1 1/4 10/9)")
        (2, 0, 0, 0, 7, 0, 16384)
        >>> Deck.option("deck").parse("first(4)")
        (1, 4, 0, 0, 519, 0, 0)
        """
        custom = re.fullmatch(r"custom(?:\(([^()]*)\))?", text.strip())
        if custom:
            numbers: tuple[int, ...] = (Deck.CUSTOM, *[0] * (PARSED_WIDTH - 1))
            kinds = _kinds_of(custom[1] or "")
        else:
            # Not `super()`: `slots=True` replaces the class, and `super()` would refer to the replaced one.
            numbers = Option.parse(self, text)
            kinds = {kind for kind in range(KINDS) if RANK[kind] < numbers[1]}
        bits = (sum(1 << bit for bit in range(BITS) if n * BITS + bit in kinds) for n in range(DECK_NUMBERS))
        return (*map(int, numbers), *bits)

    def describe_value(self, text: str) -> str:
        """A deck in words.

        >>> deck = Deck.option("deck")
        >>> deck.describe_value("custom(1/2 3/1 1/4 10/9)"), deck.describe_value("first(4)")
        ('its own: 1/2 1/3 1/4 9/10', 'its own: 1/2 1/3 1/4 2/3')
        """
        numbers = self.parse(text)
        return _("its own: {cards}", cards=_words_of(numbers)) if numbers[0] else self.values[0].says

    def normalize(self, text: str) -> str:
        """The value in its one canonical spelling."""
        numbers = self.parse(text)
        return f"custom({_words_of(numbers)})" if numbers[0] == Deck.CUSTOM else Option.normalize(self, text)


def _words_of(numbers: Sequence[int]) -> str:
    """The cards whose bits come last in the numbers of a deck."""
    bits = numbers[PARSED_WIDTH:]
    return " ".join(card_word(kind) for kind in range(KINDS) if bits[kind // BITS] >> kind % BITS & 1)


def _kinds_of(words: str) -> set[int]:
    """The kinds of cards that are named; `OptionError` for what is no card, a card named twice, or too few."""
    found: set[int] = set()
    for word in re.split(r"[\s,]+", words.strip(" ,\n")):
        try:
            kind = card_kind(word) % TURNED
        except ValueError as wrong:
            raise OptionError(f"deck: {wrong}") from None
        if kind in found:
            raise OptionError(_("deck: {card} is there twice, and there is one of each card", card=card_word(kind)))
        found.add(kind)
    if len(found) < FEWEST_CARDS:
        few = n_(
            "deck: {count} card, two hands need at least {least}",
            "deck: {count} cards, two hands need at least {least}",
            len(found),
            least=FEWEST_CARDS,
        )
        raise OptionError(few)
    return found


class Deck(Reading, label="Deck", kind=DeckOption, for_research=True):
    """SCT-19: Which cards are in the deck?"""

    FULL = "the ones in the rules for this many players"
    FIRST = reading("this many cards with low numbers, for short hands", Argument("n", FEWEST_CARDS, KINDS, 6, "cards"))
    CUSTOM = reading("your own cards, for short hands", Argument("1/6 2/7 3/8 4/9", 1, 10, 0, "cards, like 7/2"))


class Start(Reading, label="Who starts"):
    """SCT-13: Who plays first in the first round?"""

    RANDOM = "chance picks"
    HOLDER_1_2 = "whoever was dealt the 1/2"
    NAMED = reading(
        "the seat of this number, from 0", Argument("seat", 0, 4, 0), form="a player you name", tells="player {0}"
    )


class FlipPublic(Reading, label="Flips"):
    """SCT-18: Do the others learn who flipped their hand?"""

    YES = "everyone sees it once all have chosen"
    NO = "nobody learns it"


class FlipOrder(Reading, label="Order after a flip"):
    """SCT-5: What does flipping a hand do to its order?"""

    KEEP = "every card turns, the order stays"
    REVERSE = "the hand turns as a whole: the order is reversed"


class ScoutInsertPublic(Reading, label="Where a scouted card goes"):
    """SCT-14: Do the others see where a scouted card goes, and which way up?"""

    NO = "only the player who scouts sees it"
    YES = "yes, everyone sees it"


class Hands(Reading, label="Hands", for_research=True):
    """SCT-19: How many cards are dealt, and how many rounds?"""

    FULL = "as many as the rules say"
    SMALL = reading(
        "short hands of two players and a single round, to be solved exactly",
        Argument("cards", 2, 11, 2, "cards in a hand"),
        Argument("chips", 0, 3, 1, "chips each"),
        tells="a single round, {0:card} and {1:chip} each",
    )


class ScoutOptions(OptionSet):
    """The readings of SCOUT's rules that a table may choose."""

    start: Start
    flip_public: FlipPublic
    flip_order: FlipOrder
    scout_insert_public: ScoutInsertPublic
    hands: Hands
    deck: Deck
    start_seat: int = argument_field("start")
    """With `Start.NAMED`: the seat that is named."""
    cards: int = argument_field("hands")
    """With `Hands.SMALL`: cards in a hand, and chips each."""
    chips: int = argument_field("hands", 1)
    kinds: Annotated[Ints, "i2", (DECK_NUMBERS,)] = extra_numbers_field("deck")
    """With a deck of few cards: a bit for each kind of card."""


INFO = Info(
    name="scout",
    title="SCOUT",
    tagline="Never sort your hand. Beat the table or borrow from it.",
    seats=(2, 5),
    options=ScoutOptions.declared,
    order=5,
    minutes=15,
    complexity=1.35,
)
