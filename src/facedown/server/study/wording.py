"""A move in the words of the table it is played on: what would be touched, and what its button says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from facedown.core.table import Piece, Table, Touches, ways


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


def in_words(table: Table, action: int, notation: str) -> str:
    """A move in words, after its notation where the table has no better ones."""
    path = path_to(table, action)
    pieces = {piece.place: piece for zone in table.zones for piece in zone.pieces}
    if not path:
        return sentence(notation)
    last = path[-1]
    touched = [choice for choice in path if choice.touch in pieces and not choice.button]
    if last.button and (last.touch in pieces or not touched):
        return last.button
    # A button that comes first says what is done; else the last one does, and those between are done on the way.
    verb = path[0].button or last.button or sentence(notation.split(" ")[0])
    hand = {piece.place for zone in table.zones if zone.area == "hand" for piece in zone.pieces}
    said = ""
    into = False
    for choice, following in zip(path, [*path[1:], None], strict=True):
        piece = pieces.get(choice.touch)
        if piece is not None and not choice.button:
            target = pieces.get(following.touch) if following is not None else None
            goes = piece.kind == "face" and target is not None and target.kind in ("slot", "gap")
            # Where a card lies in one's hand says nothing beside where it goes.
            named = _named(replace(piece, where="") if goes and piece.place in hand else piece)
            said += (" to " if into else "; " if said else "") + named
            into = goes
        elif choice.button not in ("", verb, last.button):
            said += f", {choice.button[:1].lower()}{choice.button[1:]}"
    return f"{verb}: {said}"


def sentence(text: str) -> str:
    """The text with a capital letter in front.

    >>> sentence("bid 25")
    'Bid 25'
    """
    return text[:1].upper() + text[1:]


def _named(piece: Piece) -> str:
    """What is touched: a card by its face and its place, anything else by its place."""
    name = piece.name.split(",")[0]
    if piece.kind == "face" and piece.where:
        return f"{name} ({piece.where})"
    return piece.where or name
