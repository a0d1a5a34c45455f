"""Actions of Reveal as text, in match files and as a person says them.

``swap none``, ``swap 1 3``, ``stop``, ``place L R C``, ``choose L``, ``confirm``.

Hand cards are 1, 2, 3 from the left, columns L, C, R for both players. ``place L R C`` lays the first card left, the
second right, the third in the centre.
"""

from __future__ import annotations

from collections.abc import Sequence

from facedown.core.spoken import Spoken, Teller, spoken
from facedown.core.state import View, plain_view
from facedown.core.voice import in_words, listing
from facedown.games.reveal.cards import NAMES
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
    RevealPosition,
    column_of,
    includes,
)
from facedown.games.reveal.view import COLUMN_LETTERS, a_card, column_word, hand_names

#: The letters of the kinds, as the colour letters print them.
CARD_LETTERS = "PWBYOKRG*"

_PLAIN = {SWAP_SET: "swap none", STOP: "stop", CONFIRM: "confirm", CONTINUE: "continue"}
_ORDER_INDEX = {tuple(order): number for number, order in enumerate(ORDERS.tolist())}


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
        return "swap " + " ".join(str(p + 1) for p in swapped_places(action))
    if action < CHOOSE:
        return "place " + " ".join(COLUMN_LETTERS[c] for c in ORDERS[action - PLACE_ALL])
    chosen = f"choose {COLUMN_LETTERS[column_of(action)]}"
    return chosen if action < CHOOSE_CONFIRM else f"{chosen} confirm"


def swapped_places(action: int) -> list[int]:
    """The hand places that a swap names, the lowest first."""
    return [place for place in range(COLUMNS) if includes(action - SWAP_SET, place)]


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
        place = "123".index(letter)
        if includes(mask, place):
            raise ValueError(f"card {letter} is named twice")
        mask |= 1 << place
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


# --- as a person says it ----------------------------------------------------------------------------------------------

_TO = ("on the left", "in the middle", "on the right")


def say(view: View, action: int, teller: Teller) -> Spoken:
    """An action that is legal in the view of the seat that takes it, as a person says it: "Swap the yellow and a red".

    Cards of one colour are not told apart.
    """
    return spoken(_text(plain_view(view, RevealPosition), action))


def _text(v: RevealPosition, action: int) -> str:
    seat = v.viewer
    if action == STOP:
        return "{swap} no more" if v.swapped[seat] else "{keep} all three cards"
    if action < STOP:
        return _swap(hand_names(v), swapped_places(action))
    if action < CHOOSE:
        return _lay(hand_names(v), ORDERS[action - PLACE_ALL].tolist())
    mine = v.choice[seat]
    if action == CONFIRM:
        return f"{{confirm}} {column_word(mine)}"
    if action == CONTINUE:
        return "{go} on to the next hand"
    column = column_word(column_of(action))
    if action >= CHOOSE_CONFIRM:
        return f"{{choose}} {column} for good"
    if mine < 0:
        return f"{{choose}} {column}"
    return f"{{stay}} with {column}" if mine == column_of(action) else f"{{move}} to {column}"


def _swap(hand: Sequence[str], places: Sequence[int]) -> str:
    if not places:
        return "{keep} all three cards"
    if len(places) == COLUMNS:
        return "{swap} all three cards"
    chosen = [hand[place] for place in places]
    parts = [_some(name, chosen.count(name), hand.count(name)) for name in sorted(set(chosen), key=hand.index)]
    return f"{{swap}} {listing(parts)}"


def _some(name: str, chosen: int, held: int) -> str:
    """So many of the cards of a colour: "the yellow", "a red", "two reds", "both reds"."""
    if held == 1:
        return f"the {name}"
    if chosen == 1:
        return a_card(name)
    return f"both {name}s" if chosen == held else f"{in_words(chosen)} {name}s"


def _lay(hand: Sequence[str], columns: Sequence[int]) -> str:
    if len(set(hand)) == 1:
        return f"{{lay}} the three {hand[0]}s"
    parts = []
    for column in range(COLUMNS):
        name = hand[list(columns).index(column)]
        parts.append(f"{_some(name, 1, hand.count(name))} {_TO[column]}")
    return f"{{lay}} {listing(parts)}"
