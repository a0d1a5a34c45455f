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
from facedown.games.reveal.rules import ACTIONS, COLUMNS, ORDERS, Act, RevealPosition, includes
from facedown.games.reveal.view import COLUMN_LETTERS, a_card, column_word, hand_names

#: The letters of the kinds, as the colour letters print them.
CARD_LETTERS = "PWBYOKRG*"

_PLAIN: dict[int, str] = {Act.SWAP: "swap none", Act.STOP: "stop", Act.CONFIRM: "confirm", Act.CONTINUE: "continue"}


def words(action: int) -> str:
    """An action in the notation of match files.

    >>> words(Act.SWAP + 5), words(Act.PLACE + 1), words(Act.CHOOSE), words(Act.CHOOSE_CONFIRM + 2)
    ('swap 1 3', 'place L R C', 'choose L', 'choose R confirm')
    """
    if not 0 <= action < ACTIONS:
        raise ValueError(f"there is no action {action}")
    if action in _PLAIN:
        return _PLAIN[action]
    kind, number = Act.of(action)
    if kind == Act.SWAP:
        return " ".join(["swap", *(str(place + 1) for place in swapped_places(number))])
    if kind == Act.PLACE:
        return " ".join(["place", *(COLUMN_LETTERS[column] for column in ORDERS[number])])
    return f"choose {COLUMN_LETTERS[number]}{' confirm' if kind == Act.CHOOSE_CONFIRM else ''}"


def swapped_places(mask: int) -> list[int]:
    """The hand places in a mask of them, the lowest first."""
    return [place for place in range(COLUMNS) if includes(mask, place)]


def parse(text: str) -> int:
    """The action of a text; `ValueError` says what is wrong.

    >>> parse("swap 3 1") == Act.SWAP + 5, parse("place lrc") == Act.PLACE + 1
    (True, True)
    """
    parts = text.lower().replace(",", " ").split()
    for action, word in _PLAIN.items():
        if parts == word.split():
            return int(action)
    match parts:
        case ["swap", *rest] if rest:
            return Act.SWAP + _places("".join(rest))
        case ["place", *rest] if rest:
            return Act.PLACE + _order("".join(rest))
        case ["choose", letter]:
            return Act.CHOOSE + _column(letter)
        case ["choose", letter, "confirm"]:
            return Act.CHOOSE_CONFIRM + _column(letter)
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
    columns = [_column(letter) for letter in text]
    if sorted(columns) != list(range(COLUMNS)):
        raise ValueError("place names each of the columns L, C and R once, in the order of your cards")
    return int(ORDERS.tolist().index(columns))


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
    mine = v.choice[v.viewer]
    kind, number = Act.of(action)
    match kind:
        case Act.SWAP:
            return _swap(hand_names(v), swapped_places(number))
        case Act.STOP:
            return "{swap} no more" if v.swapped[v.viewer] else "{keep} all three cards"
        case Act.PLACE:
            return _lay(hand_names(v), ORDERS[number].tolist())
        case Act.CHOOSE if mine >= 0:
            return f"{{stay}} with {column_word(mine)}" if mine == number else f"{{move}} to {column_word(number)}"
        case Act.CHOOSE:
            return f"{{choose}} {column_word(number)}"
        case Act.CHOOSE_CONFIRM:
            return f"{{choose}} {column_word(number)} for good"
        case Act.CONFIRM:
            return f"{{confirm}} {column_word(mine)}"
    return "{go} on to the next hand"


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
    names = [hand[columns.index(column)] for column in range(COLUMNS)]
    parts = [f"{_some(name, 1, hand.count(name))} {to}" for name, to in zip(names, _TO, strict=True)]
    return f"{{lay}} {listing(parts)}"
