"""A move on the table it is played on: what would be touched for it."""

from __future__ import annotations

from collections.abc import Sequence

from facedown.core.table import Table, Touches, ways


def path_to(table: Table, action: int) -> Touches:
    """The shortest path of touches to an action; empty if the table offers none."""
    found = [path for path in ways(table.step) if path[-1].action == action]
    return min(found, key=len, default=())


def touched(table: Table, action: int) -> tuple[str, ...]:
    """The places and zones that a move touches, in their order; of a slice all that lies between its ends."""
    before = ""
    rows = [[piece.place for piece in zone.pieces if piece.kind != "gap"] for zone in table.zones]
    things = {piece.place for zone in table.zones for piece in zone.pieces} | {zone.id for zone in table.zones}
    found: list[str] = []
    for choice in path_to(table, action):
        if choice.touch in things:
            if table.step.picks == "slice" and before:
                found += _between(rows, before, choice.touch)
            found.append(choice.touch)
            before = choice.touch
    return tuple(dict.fromkeys(found))


def _between(rows: Sequence[Sequence[str]], one: str, other: str) -> Sequence[str]:
    """The places between two of a row."""
    for row in rows:
        if one in row and other in row:
            first, last = sorted((row.index(one), row.index(other)))
            return row[first : last + 1]
    return ()
