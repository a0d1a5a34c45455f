"""A decision as it lay on the table: the same table, still, with marks on what was touched and what was better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from facedown.core.table import Piece, Table, Zone
from facedown.server.i18n import c_


class MarkedTable(NamedTuple):
    """What a moment's picture shows."""

    table: Table
    seats: frozenset[int]
    """Of the others only those whose things were touched."""
    areas: frozenset[str]
    """The areas in which something was touched."""


def mark_moment(table: Table, played: Sequence[str], better: Sequence[str], word: str) -> MarkedTable:
    """The table with marks: "about" (touched either way), "was" and "better" (touched one way only).

    The last place of each way carries its word: there the move ended.
    """
    was = [place for place in played if place not in better]
    best = [place for place in better if place not in played]
    # The same places touched in another order tell nothing by themselves.
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
