"""Detect's actions as a person says them, from the view of the seat that takes them."""

from __future__ import annotations

from typing import Any

from facedown.core.spoken import Spoken, Teller, spoken
from facedown.core.voice import digits
from facedown.games.detect.rules import CELLS, CONTINUE, DRAW, HAND, KEEP, LEAVE, PAIRS, REMOVE, ROWS, TAKE, THROW
from facedown.games.detect.table import completes, is_down, number_at, plural_number, top_discard


def say(view: Any, action: int, teller: Teller) -> Spoken:
    """The action in words: "Keep the 4 in place of the 9 in row 2, column 3"."""
    return spoken(_text(view, action))


def _text(view: Any, action: int) -> str:
    seat = int(view.viewer)
    if action < TAKE:
        first, second = (where(int(cell)) for cell in PAIRS[action])
        return f"{{turn}} up the cards in {first} and in {second}"
    if action < DRAW:
        return _lay(view, seat, "take", top_discard(view) or 0, action - TAKE)
    if action == DRAW:
        return "{draw} a card"
    if action < THROW:
        return _lay(view, seat, "keep", number_at(view, HAND) or 0, action - KEEP)
    if action < REMOVE:
        return f"{{throw}} the {digits(number_at(view, HAND) or 0)} and {{turn}} up {where(action - THROW)}"
    if action in (REMOVE, LEAVE):
        threes = plural_number(number_at(view, seat * CELLS + int(view.column) * ROWS) or 0)
        return f"{{take}} the three {threes} away" if action == REMOVE else f"{{leave}} the three {threes}"
    assert action == CONTINUE
    return "{go} on to the next round"


def _lay(view: Any, seat: int, verb: str, number: int, cell: int) -> str:
    old = (
        "the face-down card"
        if is_down(view, seat, cell)
        else f"the {digits(number_at(view, seat * CELLS + cell) or 0)}"
    )
    made = f", for three {plural_number(number)}" if completes(view, seat, cell, number) else ""
    return f"{{{verb}}} the {digits(number)} in place of {old} in {where(cell)}{made}"


def where(cell: int) -> str:
    """A place of a grid: "row 2, column 3".

    >>> where(7)
    'row 2, column 3'
    """
    return f"row {cell % ROWS + 1}, column {cell // ROWS + 1}"
