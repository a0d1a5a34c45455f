"""Static picture of a decision in a finished match: the table, with the played move and a better move highlighted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from facedown.core.table import Piece, Table, Zone
from facedown.server.i18n import c_


class MarkedTable(NamedTuple):
    """Table for a static picture, in which some pieces (cards or tiles) and zones (groups of pieces) are highlighted.

    A highlight is a name in the field `marks` of a piece or zone, such as "better".
    """

    table: Table
    seats: frozenset[int]
    """Seats of other players that the picture shows: those with a highlighted zone or piece."""
    areas: frozenset[str]
    """Names of the areas of the page that contain a highlighted zone or piece."""


def mark_touched_places(table: Table, played: Sequence[str], better: Sequence[str], word: str) -> MarkedTable:
    """Return the table with highlights that show the move that was played and a better move.

    * `played`: the ids of the places and zones (groups of cards) to touch for the played move, in this order.
    * `better`: the same for the better move.
    * `word`: the label of the played move, such as "you".

    A highlight is a name that is added to the `marks` of a zone, or of the piece (card or tile) at a place:

    * "about": the zone or place is touched for both moves.
    * "was": it is touched for the played move only. The last zone or place with "was" also gets the label `word`.
    * "better": it is touched for the better move only. The last zone or place with "better" also gets the label
      "better".

    If both moves touch the same places and zones, nothing is highlighted.
    """
    was = [place for place in played if place not in better]
    best = [place for place in better if place not in played]
    # If both moves touch the same places (perhaps in another order), highlight nothing: highlights cannot show the
    # order.
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
