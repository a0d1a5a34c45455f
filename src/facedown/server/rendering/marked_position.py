"""Static picture of a decision in a finished match: the table, with highlights on the move made and the better move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from facedown.core.table import Piece, Table, Zone
from facedown.server.i18n import c_


class MarkedTable(NamedTuple):
    """A table whose pieces and zones may be highlighted (by their `marks`), and what a picture shows of it."""

    table: Table
    seats: frozenset[int]
    """Seats of other players that the picture shows: those with a highlighted zone or piece."""
    areas: frozenset[str]
    """Names of the areas of the page that contain a highlighted zone or piece."""


def mark_moment(table: Table, played: Sequence[str], better: Sequence[str], word: str) -> MarkedTable:
    """Return the table with highlights on the places touched by the move made (`played`) and by the better one
    (`better`).

    A highlight is a name that is added to the `marks` of the piece or zone: "about" (touched by both moves), "was"
    (only by the move made) or "better" (only by the better one). The last highlighted place of each move also has a
    label: `word` for the move made, "better" for the better one.
    """
    was = [place for place in played if place not in better]
    best = [place for place in better if place not in played]
    # If both moves touch the same places in another order, highlight nothing, as it would not show the difference.
    marks = {place: ("about",) for place in played if place in better} if was or best else {}
    marks |= {place: ("was", *((f"word-{word}",) if place == was[-1] else ())) for place in was}
    said = c_("a move", "better")
    marks |= {place: ("better", *((f"word-{said}",) if place == best[-1] else ())) for place in best}

    def marked(piece: Piece) -> Piece:
        return piece._replace(marks=(*piece.marks, *marks[piece.place])) if piece.place in marks else piece

    def zone(one: Zone) -> Zone:
        own = marks.get(one.id, ())
        return replace(one, pieces=tuple(map(marked, one.pieces)), marks=(*one.marks, *own))

    zones = tuple(map(zone, table.zones))
    touched = [one for one in zones if one.id in marks or any(piece.place in marks for piece in one.pieces)]
    seats = frozenset(one.seat for one in touched if one.seat is not None and one.area == "seat")
    return MarkedTable(replace(table, zones=zones, slips=()), seats, frozenset(one.area for one in touched))
