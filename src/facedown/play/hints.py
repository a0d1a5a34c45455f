"""A hint comes in three steps: where to look, what speaks for it, the move. What all who give one share."""

from __future__ import annotations

from facedown.core.table import Table, Zone, ways
from facedown.play.texts import _


def zone_of(table: Table, action: int) -> Zone | None:
    """Where a move begins: the zone of the first thing on the table that its touches name; None for buttons alone."""
    for touched in ways(table.step):
        if touched[-1].action == action:
            for choice in touched:
                for zone in table.zones:
                    if zone.id == choice.touch or any(piece.place == choice.touch for piece in zone.pieces):
                        return zone
    return None


def where_to_look(table: Table, action: int) -> str:
    """The first step of a hint, in a sentence."""
    zone = zone_of(table, action)
    if zone is None:
        return _("Look at the buttons.")
    return _("Where to look: {where}.", where=zone.says)
