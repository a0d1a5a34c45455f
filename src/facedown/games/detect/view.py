"""What a view of Detect says: the numbers that lie open, and where."""

from __future__ import annotations

from functools import cache

from facedown.core.language import cache_by_language
from facedown.core.state import ABANDONED, EMPTY, RUNNING, UNKNOWN
from facedown.games.detect.cards import number_of
from facedown.games.detect.i18n import _
from facedown.games.detect.rules import CELLS, ROWS, SLOTS, DetectPosition, Phase

#: The letters of a grid's columns.
LETTERS = "abcd"


def number_at(v: DetectPosition, slot: int) -> int | None:
    """The number in a slot, or None for no card or one the viewer may not look at."""
    return None if v.card[slot] in (EMPTY, UNKNOWN) else known_number(v, slot)


def known_number(v: DetectPosition, slot: int) -> int:
    """The number of a card that lies open, or that the viewer holds."""
    return number_of(v.card[slot])


def top_discard_number(v: DetectPosition) -> int | None:
    """The number on top of the discard pile."""
    return number_at(v, SLOTS - v.discard_count) if v.discard_count else None


def open_sum(v: DetectPosition, seat: int) -> int:
    """The sum of a seat's open cards."""
    return sum(known_number(v, seat * CELLS + cell) for cell in open_cells(v, seat))


def open_cells(v: DetectPosition, seat: int) -> list[int]:
    """The cells of a seat's open cards."""
    return [cell for cell in range(CELLS) if v.up[seat] >> cell & 1]


def is_down(v: DetectPosition, seat: int, cell: int) -> bool:
    """Does a face-down card lie in this cell?"""
    return not (v.up[seat] | v.gone[seat]) >> cell & 1


def pending_set_number(v: DetectPosition) -> int:
    """The number of the three cards that the viewer decides about (`Phase.SET`)."""
    return known_number(v, v.viewer * CELLS + v.column * ROWS)


def completes(v: DetectPosition, seat: int, cell: int, number: int) -> bool:
    """Would this number in this cell complete a column of equal ones?"""
    first = cell - cell % ROWS
    up = v.up[seat]
    for other in range(first, first + v.rows):
        if other != cell and not (up >> other & 1 and number_at(v, seat * CELLS + other) == number):
            return False
    return True


@cache
def cell_word(cell: int) -> str:
    """The name of a cell.

    >>> cell_word(0), cell_word(5)
    ('a1', 'b3')
    """
    return f"{LETTERS[cell // ROWS]}{cell % ROWS + 1}"


@cache
def cell_place(seat: int, cell: int) -> str:
    """The id of a cell's place: the seat and the cell's name, nothing of the card in it."""
    return f"p{seat}-{cell_word(cell)}"


@cache_by_language
def describe_cell(cell: int) -> str:
    """A place of a grid: "row 2, column 3".

    >>> describe_cell(7)
    'row 2, column 3'
    """
    return _("row {row}, column {column}", row=cell % ROWS + 1, column=cell // ROWS + 1)


def is_turn_phase(v: DetectPosition) -> bool:
    """Is it one seat's turn, and not everybody's?"""
    return v.over == RUNNING and v.phase not in (Phase.OPENING, Phase.SCORING)


def winners_of(v: DetectPosition) -> list[int]:
    """The seats with the lowest total; nobody in a match that was given up."""
    if v.over == ABANDONED:
        return []
    totals = list(v.total)[: v.seats]
    return [seat for seat, total in enumerate(totals) if total == min(totals)]
