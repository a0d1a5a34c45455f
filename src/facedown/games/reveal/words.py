"""Actions of Reveal in words: ``swap none``, ``swap 1 3``, ``stop``, ``place L R C``, ``choose L``, ``confirm``.

Hand cards are 1, 2, 3 from the left, columns L, C, R for both players. ``place L R C`` lays the first card left, the
second right, the third in the centre.
"""

from __future__ import annotations

from facedown.games.reveal.deck import NAMES
from facedown.games.reveal.rules import (
    ACTIONS,
    CHOOSE,
    CHOOSE_CONFIRM,
    COLUMNS,
    CONFIRM,
    CONTINUE,
    ORDERS,
    PLACE_ALL,
    STOP,
    SWAP_SET,
)

COLUMN_LETTERS = "LCR"
_PLAIN = {SWAP_SET: "swap none", STOP: "stop", CONFIRM: "confirm", CONTINUE: "continue"}
_ORDER_INDEX = {tuple(int(c) for c in order): i for i, order in enumerate(ORDERS)}


def words(action: int) -> str:
    """An action in the notation of match files.

    >>> words(SWAP_SET + 5), words(PLACE_ALL + 1), words(CHOOSE), words(CHOOSE_CONFIRM + 2)
    ('swap 1 3', 'place L R C', 'choose L', 'choose R confirm')
    """
    if not 0 <= action < ACTIONS:
        raise ValueError(f"there is no action {action}")
    if action in _PLAIN:
        return _PLAIN[action]
    if action < STOP:
        return "swap " + " ".join(str(p + 1) for p in range(COLUMNS) if (action - SWAP_SET) >> p & 1)
    if action < CHOOSE:
        return "place " + " ".join(COLUMN_LETTERS[c] for c in ORDERS[action - PLACE_ALL])
    if action < CHOOSE_CONFIRM:
        return f"choose {COLUMN_LETTERS[action - CHOOSE]}"
    return f"choose {COLUMN_LETTERS[action - CHOOSE_CONFIRM]} confirm"


def parse(text: str) -> int:
    """The action of a text; `ValueError` says what is wrong.

    >>> parse("swap 3 1") == SWAP_SET + 5, parse("place lrc") == PLACE_ALL + 1
    (True, True)
    """
    parts = text.lower().replace(",", " ").split()
    joined = " ".join(parts)
    for action, word in _PLAIN.items():
        if joined == word:
            return action
    verb, rest = (parts[0], parts[1:]) if parts else ("", [])
    if verb == "swap" and rest:
        return SWAP_SET + _places("".join(rest))
    if verb == "place" and rest:
        return PLACE_ALL + _order("".join(rest))
    if verb == "choose" and rest and rest[1:] in ([], ["confirm"]):
        return (CHOOSE_CONFIRM if rest[1:] else CHOOSE) + _column(rest[0])
    raise ValueError(
        f"{text.strip()!r} is no move: swap none, swap 1 3, stop, place L R C, choose L, choose L confirm, confirm,"
        " continue"
    )


def _places(text: str) -> int:
    mask = 0
    for letter in text:
        if letter not in "123":
            raise ValueError(f"{letter} is no hand card: they are 1, 2 and 3")
        if mask >> (int(letter) - 1) & 1:
            raise ValueError(f"card {letter} is named twice")
        mask |= 1 << (int(letter) - 1)
    return mask


def _order(text: str) -> int:
    columns = tuple(_column(letter) for letter in text)
    if columns not in _ORDER_INDEX:
        raise ValueError("place names each of the columns L, C and R once, in the order of your cards")
    return _ORDER_INDEX[columns]


def _column(letter: str) -> int:
    index = COLUMN_LETTERS.find(letter.upper())
    if len(letter) != 1 or index < 0:
        raise ValueError(f"{letter} is no column: they are L, C and R")
    return index


def card_word(kind: int) -> str:
    """A card in the notation of explicit deals: its colour.

    >>> card_word(0), card_word(8)
    ('pink', 'wild')
    """
    return NAMES[kind]


def card_kind(word: str) -> int:
    """The kind of a card's word; a letter (P W B Y O K R G, or * for wild) is understood, too.

    >>> card_kind("red"), card_kind("K"), card_kind("*")
    (6, 5, 8)
    """
    plain = word.strip().lower()
    if plain in NAMES:
        return NAMES.index(plain)
    if len(plain) == 1 and plain in CARD_LETTERS.lower():
        return CARD_LETTERS.lower().index(plain)
    raise ValueError(f"{word or 'nothing'} is no card: they are {', '.join(NAMES)}")


#: The letters of the kinds, as the colour letters print them.
CARD_LETTERS = "PWBYOKRG*"
