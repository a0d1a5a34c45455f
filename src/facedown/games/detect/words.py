"""Actions of Detect as text, in match files and as a person says them.

``open a1 c3``, ``take b2``, ``draw``, ``keep a3``, ``throw d1``, ``remove``, ``leave``.

A cell is its column's letter and its row's number, as the terminal shows at the edges of a grid.
"""

from __future__ import annotations

import re

from facedown.core.spoken import Spoken, Teller, spoken
from facedown.core.state import View, plain_view
from facedown.core.voice import digits
from facedown.games.detect.cards import HIGHEST, LOWEST, kind_of, number_of
from facedown.games.detect.rules import ACTIONS, CELLS, HAND, PAIRS, ROWS, Act, DetectPosition
from facedown.games.detect.view import cell_word, completes, is_down, number_seen, plural_number, top_discard, where

#: What the terminal's help says of typing moves.
TYPING = "With a card drawn, a place alone keeps the card there: “a3” is “keep a3”. To throw it say so: “throw a3”."

_CELLS = {cell_word(cell): cell for cell in range(CELLS)}


def words(action: int) -> str:
    """An action in the notation of match files.

    >>> words(Act.DRAW), words(Act.KEEP + 2), words(Act.OPEN_PAIR)
    ('draw', 'keep a3', 'open a1 a2')
    """
    if not 0 <= action < ACTIONS:
        raise ValueError(f"there is no action {action}")
    match Act.of(action):
        case Act.OPEN_PAIR, pair:
            return " ".join(["open", *map(cell_word, PAIRS[pair])])
        case ((Act.TAKE | Act.KEEP | Act.THROW as kind), cell):
            return f"{kind.name.lower()} {cell_word(cell)}"
        case kind, _:
            return kind.name.lower()


def parse(text: str) -> int:
    """The action of a text; `ValueError` says what is wrong.

    >>> parse("keep a3") == Act.KEEP + 2
    True
    """
    match text.lower().split():
        case ["draw" | "remove" | "leave" | "continue" as verb]:
            return int(Act[verb.upper()])
        case ["take" | "keep" | "throw" as verb, word]:
            return Act[verb.upper()] + _cell(word)
        case ["open", one, other]:
            pair = sorted((_cell(one), _cell(other)))
            if pair[0] == pair[1]:
                raise ValueError("open names two different cells")
            return Act.OPEN_PAIR + int(PAIRS.tolist().index(pair))
    raise ValueError(
        f"{text.strip()!r} is no move: open a1 b2, take a1, draw, keep a1, throw a1, remove, leave, continue"
    )


def _cell(word: str) -> int:
    if word not in _CELLS:
        raise ValueError(f"{word or 'nothing'} is not a cell: they are a1 to {cell_word(CELLS - 1)}")
    return _CELLS[word]


def card_word(kind: int) -> str:
    """A card in the notation of explicit deals: its number."""
    return str(number_of(kind))


def card_kind(word: str) -> int:
    """The kind of a card's word."""
    if not re.fullmatch(r"[+-]?\d{1,2}", word) or not LOWEST <= int(word) <= HIGHEST:
        raise ValueError(f"{word or 'nothing'} is not a number from {LOWEST} to {HIGHEST}")
    return kind_of(int(word))


# --- as a person says it ----------------------------------------------------------------------------------------------


def say(view: View, action: int, teller: Teller) -> Spoken:
    """An action that is legal in the view of the seat that takes it, as a person says it:
    "Keep the 4 in place of the 9 in row 2, column 3".
    """
    return spoken(_text(plain_view(view, DetectPosition), action))


def _text(v: DetectPosition, action: int) -> str:
    match Act.of(action):
        case Act.OPEN_PAIR, pair:
            first, second = map(where, PAIRS[pair])
            return f"{{turn}} up the cards in {first} and in {second}"
        case Act.TAKE, cell:
            return _lay(v, "take", top_discard(v) or 0, cell)
        case Act.DRAW, _:
            return "{draw} a card"
        case Act.KEEP, cell:
            return _lay(v, "keep", number_seen(v, HAND), cell)
        case Act.THROW, cell:
            return f"{{throw}} the {digits(number_seen(v, HAND))} and {{turn}} up {where(cell)}"
        case ((Act.REMOVE | Act.LEAVE as kind), _):
            threes = plural_number(number_seen(v, v.viewer * CELLS + v.column * ROWS))
            return f"{{take}} the three {threes} away" if kind == Act.REMOVE else f"{{leave}} the three {threes}"
    return "{go} on to the next round"


def _lay(v: DetectPosition, verb: str, number: int, cell: int) -> str:
    seat = v.viewer
    old = "the face-down card" if is_down(v, seat, cell) else f"the {digits(number_seen(v, seat * CELLS + cell))}"
    made = f", for three {plural_number(number)}" if completes(v, seat, cell, number) else ""
    return f"{{{verb}}} the {digits(number)} in place of {old} in {where(cell)}{made}"
