"""Static picture of a decision in a finished match: the table, with highlights on the move made and the better move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from facedown.core.table import Piece, Table, Zone
from facedown.server.i18n import c_


class MarkedTable(NamedTuple):
    """A table for a picture: some of its pieces and zones are highlighted (by their `marks`)."""

    table: Table
    seats: frozenset[int]
    """Seats of other players that the picture shows: those with a highlighted zone or piece."""
    areas: frozenset[str]
    """Names of the areas of the page that contain a highlighted zone or piece."""


def mark_touched_places(table: Table, played: Sequence[str], better: Sequence[str], word: str) -> MarkedTable:
    """Return the table with highlights on what the move made and a better move touch.

    `played` (the move made) and `better` (the better move) list the ids of the places and zones that are touched for
    the move. A highlight is a name that is added to the `marks` of the zone, or of the piece at the place:

    * "about": touched for both moves.
    * "was": touched for the move made only. The last of these also gets the label `word`.
    * "better": touched for the better move only. The last of these also gets the label "better".

    If both moves touch the same places and zones, there are no highlights.
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
