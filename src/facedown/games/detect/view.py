"""Functions that take a view of Detect (what one viewer sees): numbers on cards, cells of grids, and names of cells."""

from __future__ import annotations

from functools import cache

from facedown.core.state import ABANDONED, EMPTY, RUNNING, UNKNOWN
from facedown.core.translation import cache_by_language
from facedown.games.detect.cards import number_of
from facedown.games.detect.i18n import _
from facedown.games.detect.rules import CELLS, ROWS, SLOTS, DetectPosition, Phase

#: Letters of the columns of a grid, from left to right.
LETTERS = "abcd"


def number_at(v: DetectPosition, slot: int) -> int | None:
    """Return the number on the card in a slot (index in `card`).

    Return None if the slot is empty or the card is hidden from the viewer.
    """
    return None if v.card[slot] in (EMPTY, UNKNOWN) else known_number(v, slot)


def known_number(v: DetectPosition, slot: int) -> int:
    """Return the number on the card in a slot. The viewer must know the card: it is face up, or the viewer has drawn
    it.
    """
    return number_of(v.card[slot])


def top_discard_number(v: DetectPosition) -> int | None:
    """Return the number on top of the discard pile, or None if the pile is empty."""
    return number_at(v, SLOTS - v.discard_count) if v.discard_count else None


def face_up_sum(v: DetectPosition, seat: int) -> int:
    """Return the sum of the numbers on a seat's face-up cards."""
    return sum(known_number(v, seat * CELLS + cell) for cell in face_up_cells(v, seat))


def face_up_cells(v: DetectPosition, seat: int) -> list[int]:
    """Return the cells (0 to 11) of a seat's grid that have a face-up card."""
    return [cell for cell in range(CELLS) if v.up[seat] >> cell & 1]


def is_face_down(v: DetectPosition, seat: int, cell: int) -> bool:
    """Return whether a cell holds a face-down card."""
    return not (v.up[seat] | v.gone[seat]) >> cell & 1


def number_on_undecided_set(v: DetectPosition) -> int:
    """Return the number on the three equal cards that the viewer may remove or keep (`Phase.SET`)."""
    return known_number(v, v.viewer * CELLS + v.column * ROWS)


def completes_column(v: DetectPosition, seat: int, cell: int, number: int) -> bool:
    """Return whether a card with this number, placed in a cell, would complete a column of equal face-up cards."""
    first = cell - cell % ROWS
    up = v.up[seat]
    for other in range(first, first + v.rows):
        if other != cell and not (up >> other & 1 and number_at(v, seat * CELLS + other) == number):
            return False
    return True


@cache
def cell_word(cell: int) -> str:
    """Return the name of a cell: column letter and row number.

    >>> cell_word(0), cell_word(5)
    ('a1', 'b3')
    """
    return f"{LETTERS[cell // ROWS]}{cell % ROWS + 1}"


@cache
def cell_place_id(seat: int, cell: int) -> str:
    """Return the id of a cell as a place on the page: seat and name of the cell, such as "p0-a1".

    The id does not depend on the card there.
    """
    return f"p{seat}-{cell_word(cell)}"


@cache_by_language
def describe_cell(cell: int) -> str:
    """Return a description of a cell, such as "row 2, column 3".

    >>> describe_cell(7)
    'row 2, column 3'
    """
    return _("row {row}, column {column}", row=cell % ROWS + 1, column=cell // ROWS + 1)


def is_turn_phase(v: DetectPosition) -> bool:
    """Return whether a single seat is to act: always in a running match, except for the first flips and the scoring."""
    return v.over == RUNNING and v.phase not in (Phase.OPENING, Phase.SCORING)


def winners_of(v: DetectPosition) -> list[int]:
    """Return the seats with the lowest total, or an empty list if the match was abandoned."""
    if v.over == ABANDONED:
        return []
    totals = list(v.total)[: v.seats]
    return [seat for seat, total in enumerate(totals) if total == min(totals)]
