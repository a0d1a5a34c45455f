"""What a view of Detect says: the numbers that lie open, and where."""

from __future__ import annotations

from facedown.core.state import ABANDONED, EMPTY, RUNNING, UNKNOWN
from facedown.core.voice import minus
from facedown.games.detect.cards import number_of
from facedown.games.detect.rules import CELLS, OPENING, ROWS, SCORING, SLOTS, DetectPosition

#: The letters of a grid's columns.
LETTERS = "abcd"


def number_at(v: DetectPosition, slot: int) -> int | None:
    """The number in a slot, or None for no card or one the viewer may not look at."""
    kind = v.card[slot]
    return None if kind in (EMPTY, UNKNOWN) else number_of(kind)


def top_discard(v: DetectPosition) -> int | None:
    """The number on top of the discard pile."""
    return number_at(v, SLOTS - v.discard_count) if v.discard_count else None


def open_sum(v: DetectPosition, seat: int) -> int:
    """The sum of a seat's open cards."""
    up = v.up[seat]
    return sum(number_at(v, seat * CELLS + cell) or 0 for cell in range(CELLS) if up >> cell & 1)


def is_down(v: DetectPosition, seat: int, cell: int) -> bool:
    """Does a face-down card lie in this cell?"""
    return not (v.up[seat] | v.gone[seat]) >> cell & 1


def completes(v: DetectPosition, seat: int, cell: int, number: int) -> bool:
    """Would this number in this cell complete a column of three?"""
    column = cell // ROWS
    others = [c for c in range(column * ROWS, column * ROWS + ROWS) if c != cell]
    return all(v.up[seat] >> c & 1 and number_at(v, seat * CELLS + c) == number for c in others)


def cell_place(v: DetectPosition, seat: int, cell: int) -> str:
    """The id of a cell's place: the seat and the cell's name, nothing of the card in it."""
    return f"p{seat}-{LETTERS[cell // ROWS]}{cell % ROWS + 1}"


def in_turns(v: DetectPosition) -> bool:
    """Is it one seat's turn, and not everybody's?"""
    return v.over == RUNNING and v.phase not in (OPENING, SCORING)


def plural_number(number: int) -> str:
    """Several cards of a number: "1s", "−2s"."""
    return f"{minus(number)}s"


def winners_of(v: DetectPosition) -> list[int]:
    """The seats with the lowest total; nobody in a match that was given up."""
    if v.over == ABANDONED:
        return []
    totals = [v.total[seat] for seat in range(v.seats)]
    return [seat for seat, total in enumerate(totals) if total == min(totals)]
