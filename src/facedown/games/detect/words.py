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
from facedown.games.detect.rules import (
    ACTIONS,
    CELLS,
    COLUMNS,
    CONTINUE,
    DRAW,
    HAND,
    KEEP,
    LEAVE,
    OPEN_PAIR,
    PAIRS,
    REMOVE,
    ROWS,
    TAKE,
    THROW,
    DetectPosition,
)
from facedown.games.detect.view import completes, is_down, number_at, plural_number, top_discard

#: What the terminal's help says of typing moves.
TYPING = "With a card drawn, a place alone keeps the card there: “a3” is “keep a3”. To throw it say so: “throw a3”."

_LETTERS = "abcd"
_PLAIN = {DRAW: "draw", REMOVE: "remove", LEAVE: "leave", CONTINUE: "continue"}
_WITH_CELL = (("take", TAKE), ("keep", KEEP), ("throw", THROW))
_PAIR_INDEX = {(int(a), int(b)): i for i, (a, b) in enumerate(PAIRS)}


def cell_word(cell: int) -> str:
    """The name of a cell.

    >>> cell_word(0), cell_word(5)
    ('a1', 'b3')
    """
    return f"{_LETTERS[cell // ROWS]}{cell % ROWS + 1}"


def cell_of(word: str) -> int:
    """The cell of a name; `ValueError` if there is none."""
    if not re.fullmatch(r"[a-d][1-3]", word):
        raise ValueError(f"{word or 'nothing'} is not a cell: they are a1 to {_LETTERS[COLUMNS - 1]}{ROWS}")
    return _LETTERS.index(word[0]) * ROWS + int(word[1]) - 1


def words(action: int) -> str:
    """An action in the notation of match files.

    >>> words(DRAW), words(KEEP + 2), words(OPEN_PAIR)
    ('draw', 'keep a3', 'open a1 a2')
    """
    if not 0 <= action < ACTIONS:
        raise ValueError(f"there is no action {action}")
    if action in _PLAIN:
        return _PLAIN[action]
    if action < TAKE:
        a, b = PAIRS[action - OPEN_PAIR]
        return f"open {cell_word(int(a))} {cell_word(int(b))}"
    for verb, first in _WITH_CELL:
        if first <= action < first + CELLS:
            return f"{verb} {cell_word(action - first)}"
    raise AssertionError(action)


def parse(text: str) -> int:
    """The action of a text; `ValueError` says what is wrong.

    >>> parse("keep a3") == KEEP + 2
    True
    """
    parts = text.strip().lower().split()
    if len(parts) == 1:
        for action, word in _PLAIN.items():
            if parts[0] == word:
                return action
    if len(parts) == 2:
        for verb, first in _WITH_CELL:
            if parts[0] == verb:
                return first + cell_of(parts[1])
    if len(parts) == 3 and parts[0] == "open":
        pair = sorted((cell_of(parts[1]), cell_of(parts[2])))
        if pair[0] == pair[1]:
            raise ValueError("open names two different cells")
        return OPEN_PAIR + _PAIR_INDEX[pair[0], pair[1]]
    raise ValueError(
        f"{text.strip()!r} is no move: open a1 b2, take a1, draw, keep a1, throw a1, remove, leave, continue"
    )


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
    seat = v.viewer
    if action < TAKE:
        first, second = (where(cell) for cell in PAIRS[action])
        return f"{{turn}} up the cards in {first} and in {second}"
    if action < DRAW:
        return _lay(v, seat, "take", top_discard(v) or 0, action - TAKE)
    if action == DRAW:
        return "{draw} a card"
    if action < THROW:
        return _lay(v, seat, "keep", number_at(v, HAND) or 0, action - KEEP)
    if action < REMOVE:
        return f"{{throw}} the {digits(number_at(v, HAND) or 0)} and {{turn}} up {where(action - THROW)}"
    if action in (REMOVE, LEAVE):
        threes = plural_number(number_at(v, seat * CELLS + v.column * ROWS) or 0)
        return f"{{take}} the three {threes} away" if action == REMOVE else f"{{leave}} the three {threes}"
    assert action == CONTINUE
    return "{go} on to the next round"


def _lay(v: DetectPosition, seat: int, verb: str, number: int, cell: int) -> str:
    old = "the face-down card" if is_down(v, seat, cell) else f"the {digits(number_at(v, seat * CELLS + cell) or 0)}"
    made = f", for three {plural_number(number)}" if completes(v, seat, cell, number) else ""
    return f"{{{verb}}} the {digits(number)} in place of {old} in {where(cell)}{made}"


def where(cell: int) -> str:
    """A place of a grid: "row 2, column 3".

    >>> where(7)
    'row 2, column 3'
    """
    return f"row {cell % ROWS + 1}, column {cell // ROWS + 1}"
