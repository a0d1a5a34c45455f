"""Name, number of players, options and cards of SCOUT. This module imports no rules, so that listing games stays fast.

There is one card for each pair of different numbers from 1 to 10.
"""

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
    reading_value,
)
from facedown.core.rule import rule
from facedown.core.state import Ints
from facedown.games.scout.i18n import N_, _, n_

NUMBERS = 10
PAIRS = tuple((low, high) for low in range(1, NUMBERS + 1) for high in range(low + 1, NUMBERS + 1))
#: Number of cards of the game. A kind is the index of a card's pair of numbers in the order 1/2, 1/3, …, 9/10. There is
#: one card of each kind.
KINDS = len(PAIRS)
#: Number that is added to a kind (index of a card's pair of numbers) if the card has its higher number up.
TURNED = 64
#: Size of tables that are indexed by kind, plus `TURNED` if the higher number is up. It is a power of two, so that
#: `WAYS_UP - 1` can be used as a bit mask for the index.
WAYS_UP = 2 * TURNED
#: The number that is up on a card. ``FACE[kind]`` is the lower, ``FACE[kind + TURNED]`` the higher of its two numbers.
FACE: Ints = np.array([pair[up] for up in range(2) for pair in (*PAIRS, *[(0, 0)] * (TURNED - KINDS))], np.int64)
_INDEX = {pair: kind for kind, pair in enumerate(PAIRS)}

TWO_PLAYERS = 2
THREE_PLAYERS = 3
FIVE_PLAYERS = 5
#: Kind of the card 1/2. With the option ``start=holder_1_2``, the player who is dealt this card starts (ruling SCT-13).
ONE_TWO = _INDEX[1, 2]
_NINE_TEN = _INDEX[9, 10]
#: Number of cards in each hand, indexed by the number of players.
HAND_SIZES = (0, 0, 11, 12, 11, 9)
#: Number of rounds in a match, indexed by the number of players (rules 5.1).
ROUNDS = (0, 0, 2, 3, 4, 5)


@rule
def is_in_full_deck(seats: int, kind: int) -> bool:
    """Return whether the card `kind` (index of a pair of numbers) is in the full deck for `seats` players."""
    if seats == FIVE_PLAYERS:
        return True
    if seats == THREE_PLAYERS:
        return FACE[kind + TURNED] < NUMBERS
    return kind != _NINE_TEN


def card_word(kind: int) -> str:
    """Return a card as text: the number that is up, a slash, the other number.

    `kind` is the index of the card's pair of numbers, plus `TURNED` if the higher number is up.

    >>> card_word(0), card_word(TURNED + 44)
    ('1/2', '10/9')
    """
    low, high = PAIRS[kind % TURNED]
    return f"{high}/{low}" if kind >= TURNED else f"{low}/{high}"


def card_kind(word: str) -> int:
    """Return the kind (index of the pair of numbers) of a card given as text, such as "7/2".

    `TURNED` is added if the higher number is up. Raise `ValueError` if there is no such card.

    >>> card_kind("1/2"), card_kind("2/1") == TURNED
    (0, True)
    """
    match = re.fullmatch(r"(\d{1,2})/(\d{1,2})", word.strip())
    numbers = (int(match[1]), int(match[2])) if match else (0, 0)
    pair = (min(numbers), max(numbers))
    if pair not in _INDEX:
        text = N_("{word} is not a card; expected two different numbers from 1 to 10, like 7/2")
        raise ValueError(_(text, word=word.strip() or _("an empty entry")))
    return _INDEX[pair] + (TURNED if numbers[0] > numbers[1] else 0)


# --- decks for research (SCT-19) --------------------------------------------------------------------------------------

#: Number of bits in each integer of a stored deck. A deck is a bit mask of kinds (indices of pairs of numbers), with
#: `KINDS` bits. The mask is split into `DECK_NUMBERS` integers, which are stored as signed 16-bit integers
#: (`ScoutOptions.kinds`), so each of them has room for 15 bits.
BITS = 15
DECK_NUMBERS = -(-KINDS // BITS)
#: Fewest cards in a deck: enough for two hands of two cards.
FEWEST_CARDS = 4
#: Position of each kind if the cards are sorted by the higher number, then by the lower: 1/2, 1/3, 2/3, 1/4, …
RANK = [sorted(PAIRS, key=lambda pair: pair[::-1]).index(pair) for pair in PAIRS]


@dataclass(frozen=True, slots=True)
class DeckOption(Option):
    """Option that chooses the cards of the deck. There are three kinds of values.

    * ``full``: the standard cards for the number of players.
    * ``first(6)``: the six lowest cards, in the order 1/2, 1/3, 2/3, 1/4, 2/4, 3/4 and so on (`RANK`).
    * ``custom(1/6 2/7 …)``: exactly the cards that are listed.
    """

    @property
    def allowed(self) -> str:
        """Return the values that the option accepts, as a text for error messages."""
        return "full | first(n) | custom(card card ...)"

    def parse(self, text: str) -> tuple[int, ...]:
        """Return the value of the option as seven integers.

        * Index 0: the choice (0 for full, 1 for first, 2 for custom).
        * Index 1: the number n for ``first(n)``, otherwise 0.
        * Indices 2 and 3: always 0. In the values of all options, indices 1 to 3 are for arguments. This option has no
          argument besides n.
        * Index 4: bit mask of the kinds 0 to 14 that are in the deck.
        * Index 5: bit mask of the kinds 15 to 29 that are in the deck; bit 0 is kind 15.
        * Index 6: bit mask of the kinds 30 to 44 that are in the deck; bit 0 is kind 30.

        A kind is the index of a card's pair of numbers. For the full deck all three masks are 0.

        The cards 1/2, 1/3 and 1/4 have the kinds 0, 1 and 2, so their mask is 1 + 2 + 4 = 7. The card 9/10 has the kind
        44, which is bit 14 of the last mask:

        >>> Deck.option("deck").parse("custom(1/2 3/1 1/4 10/9)")
        (2, 0, 0, 0, 7, 0, 16384)

        The four lowest cards are 1/2, 1/3, 1/4 and 2/3. The card 2/3 has the kind 9, so the mask is 7 + 512 = 519:

        >>> Deck.option("deck").parse("first(4)")
        (1, 4, 0, 0, 519, 0, 0)
        """
        custom = re.fullmatch(r"custom(?:\(([^()]*)\))?", text.strip())
        if custom:
            numbers: tuple[int, ...] = (Deck.CUSTOM, *[0] * (PARSED_WIDTH - 1))
            kinds = _parse_kinds(custom[1] or "")
        else:
            # `super()` without arguments fails here, because ``slots=True`` replaces the class by a new one.
            numbers = Option.parse(self, text)
            kinds = {kind for kind in range(KINDS) if RANK[kind] < numbers[1]}
        bits = (sum(1 << bit for bit in range(BITS) if n * BITS + bit in kinds) for n in range(DECK_NUMBERS))
        return (*map(int, numbers), *bits)

    def describe_value(self, text: str) -> str:
        """Return the description of a deck for players. `text` is a value of the option.

        Every deck other than the full one is described as custom, including ``first(n)``, the n lowest cards. The
        description lists all cards of the deck in ascending order, each with its lower number first.

        >>> [Deck.option("deck").describe_value(text) for text in ("custom(1/2 3/1 1/4 10/9)", "first(4)")]
        ['custom: 1/2 1/3 1/4 9/10', 'custom: 1/2 1/3 1/4 2/3']
        """
        numbers = self.parse(text)
        return _("custom: {cards}", cards=_deck_text(numbers)) if numbers[0] else self.values[0].says

    def normalize(self, text: str) -> str:
        """Return the value `text` in its canonical spelling.

        The cards in ``custom(…)`` are then in ascending order, each with its lower number first.
        """
        numbers = self.parse(text)
        return f"custom({_deck_text(numbers)})" if numbers[0] == Deck.CUSTOM else Option.normalize(self, text)


def _deck_text(parsed_deck_option: Sequence[int]) -> str:
    """Return the cards of a deck as text, such as "1/2 1/3". The cards are in ascending order.

    `parsed_deck_option` are the integers that `DeckOption.parse` returns for the deck.
    """
    bits = parsed_deck_option[PARSED_WIDTH:]
    return " ".join(card_word(kind) for kind in range(KINDS) if bits[kind // BITS] >> kind % BITS & 1)


def _parse_kinds(words: str) -> set[int]:
    """Return the kinds (indices of pairs of numbers) of the cards that a text lists, such as "1/2 3/1".

    Raise `OptionError` if a word is not a card, if a card is listed twice, or if the cards are too few for two hands
    (fewer than `FEWEST_CARDS`).
    """
    found: set[int] = set()
    for word in re.split(r"[\s,]+", words.strip(" ,\n")):
        try:
            kind = card_kind(word) % TURNED
        except ValueError as wrong:
            raise OptionError(f"deck: {wrong}") from None
        if kind in found:
            raise OptionError(
                _("deck: {card} is listed twice, but there is only one of each card", card=card_word(kind))
            )
        found.add(kind)
    if len(found) < FEWEST_CARDS:
        few = n_(
            "deck: {count} card, but two hands need at least {least}",
            "deck: {count} cards, but two hands need at least {least}",
            len(found),
            least=FEWEST_CARDS,
        )
        raise OptionError(few)
    return found


class Deck(Reading, label="Deck", kind=DeckOption, for_research=True):
    """SCT-19: Which cards are in the deck?"""

    FULL = "the standard cards for this number of players"
    FIRST = reading_value(
        "only the n lowest cards, for a game with few cards", Argument("n", FEWEST_CARDS, KINDS, 6, "cards")
    )
    CUSTOM = reading_value(
        "cards of your choice, for a game with few cards", Argument("1/6 2/7 3/8 4/9", 1, 10, 0, "cards, like 7/2")
    )


class Start(Reading, label="Who starts"):
    """SCT-13: Who plays first in the first round?"""

    RANDOM = "a random player"
    HOLDER_1_2 = "whoever was dealt the 1/2"
    NAMED = reading_value(
        "the seat with this number; seats are numbered from 0",
        Argument("seat", 0, 4, 0),
        form="a player you choose",
        tells="player {0}",
    )


class FlipPublic(Reading, label="Flips"):
    """SCT-18: Do the other players find out who flipped their hand?"""

    YES = "yes, once everyone has chosen"
    NO = "no, never"


class FlipOrder(Reading, label="Order after a flip"):
    """SCT-5: What does a flip do to the order of the cards?"""

    KEEP = "each card is turned, but the order stays the same"
    REVERSE = "the whole hand is turned, so the order is reversed"


class ScoutInsertPublic(Reading, label="Where a scouted card goes"):
    """SCT-14: Do other players see where a scouted card goes, and which way up?"""

    NO = "no, only the player who scouts"
    YES = "yes, everyone does"


class Hands(Reading, label="Hands", for_research=True):
    """SCT-19: How many cards are dealt, and how many rounds are played?"""

    FULL = "as in the rules"
    SMALL = reading_value(
        "a game for two players with few cards and a single round, small enough to be solved exactly",
        Argument("cards", 2, 11, 2, "cards per hand"),
        Argument("chips", 0, 3, 1, "chips per player"),
        tells="a single round, {0:card} and {1:chip} each",
    )


class ScoutOptions(OptionSet):
    """Options of SCOUT: rule variants that the players of a match can choose, one field for each option."""

    start: Start
    flip_public: FlipPublic
    flip_order: FlipOrder
    scout_insert_public: ScoutInsertPublic
    hands: Hands
    deck: Deck
    start_seat: int = argument_field("start")
    """With `Start.NAMED`: the seat that starts."""
    cards: int = argument_field("hands")
    """With `Hands.SMALL`: the number of cards in each hand."""
    chips: int = argument_field("hands", 1)
    """With `Hands.SMALL`: the number of chips that each player gets."""
    kinds: Annotated[Ints, "i2", (DECK_NUMBERS,)] = extra_numbers_field("deck")
    """With a deck for research: its cards as bit masks of kinds (indices of pairs of numbers), `BITS` bits in each."""


INFO = Info(
    name="scout",
    title="SCOUT",
    tagline="Never sort your hand. Beat the cards on the table or take one.",
    seats=(2, 5),
    options=ScoutOptions.declared,
    order=5,
    minutes=15,
    complexity=1.35,
)
