"""SCOUT's cards: one for each pair of different numbers from 1 to 10, either number up."""

from __future__ import annotations

import re

import numpy as np

from facedown.core.rule import interpreted, rule
from facedown.core.state import Ints
from facedown.games.scout.texts import _

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
HAND_OF = (0, 0, 11, 12, 11, 9)
#: Rounds of a match, by the number of players (rules 5.1).
ROUNDS = (0, 0, 2, 3, 4, 5)


@rule
def in_deck(seats: int, kind: int) -> bool:
    """Is this card in the deck of so many players (rules 5.2)?"""
    if seats == FIVE_PLAYERS:
        return True
    if seats == THREE_PLAYERS:
        return FACE[kind + TURNED] < NUMBERS
    return kind != _NINE_TEN


_DECKS = [[kind for kind in range(KINDS) if interpreted(in_deck)(seats, kind)] for seats in range(FIVE_PLAYERS + 1)]
#: The kinds in the deck by the number of players, and how many there are (what a row has beyond them means nothing).
DECK = np.array([[*deck, *range(KINDS - len(deck))] for deck in _DECKS], np.int64)
DECK_SIZE: Ints = np.array([len(deck) for deck in _DECKS], np.int64)


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
        raise ValueError(
            _(
                "{word} is no card: they are two different numbers from 1 to 10, like 7/2",
                word=word.strip() or _("nothing"),
            )
        )
    return _INDEX[pair] + (TURNED if numbers[0] > numbers[1] else 0)
