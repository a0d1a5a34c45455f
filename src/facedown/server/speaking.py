"""A move as a person says it at the table: "Swap the yellow and a red", "Take the 4 for the 10 in the third column".

Where several cards come to the same, the words are the same: nobody says which of two reds. What exactly would be
touched is marked on the table. Everything is read off the table that the seat sees, as its touches go.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from facedown.core.table import Choice, Piece, Table
from facedown.core.voice import listing
from facedown.server.wording import path_to, sentence

ORDINALS = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_CELL = re.compile(r"row \d+, column (\d+)")
_PLACE = re.compile(r"(.+) place (\d+)")


def spoken(table: Table, action: int, notation: str) -> str:
    """A move in words; after its notation where the table does not offer it."""
    path = path_to(table, action)
    if not path:
        return sentence(notation)
    pieces = {piece.place: piece for zone in table.zones for piece in zone.pieces}
    hand = [piece for zone in table.zones if zone.area == "hand" for piece in zone.pieces]
    touched = [pieces[choice.touch] for choice in path if choice.touch in pieces and not choice.button]
    last = path[-1].button
    if not touched or (last and (path[-1].touch in pieces or (table.step.picks == "slice" and _in(touched, hand)))):
        return last or sentence(notation)
    goes = [piece for piece in touched if piece.kind in ("slot", "gap")]
    if goes and goes != touched:
        return _laid(path, touched, hand)
    first = path[0].button or (last.split()[0] if last else sentence(notation.split(" ")[0]))
    if _in(touched, hand):
        return f"{first} {_cards(touched, hand)}"
    if len(touched) == 2 and all(_PLACE.fullmatch(piece.where) for piece in touched):
        return f"{first} {_owned(touched[0])} for {_owned(touched[1])}"
    if path[0].button:
        return f"{first} and turn {_lying(touched[0])}"
    if last:
        return f"{first} {_both(touched)}"
    if len(touched) > 1:
        return f"{first} the {_short(touched[0])} for {_lying(touched[1])}"
    held = next((piece for piece in pieces.values() if "held" in piece.marks and piece.kind == "face"), None)
    return f"{first} the {_short(held)} for {_lying(touched[0])}" if held else f"{first} {_lying(touched[0])}"


def _in(touched: Sequence[Piece], hand: Sequence[Piece]) -> bool:
    """Are all of them cards of one's hand?"""
    return all(any(piece.place == held.place for held in hand) for piece in touched)


def _laid(path: Sequence[Choice], touched: Sequence[Piece], hand: Sequence[Piece]) -> str:
    """Cards that go to places: of one's hand ("Place the white right"), or into it ("Scout the 4, …")."""
    first = path[0].button or re.split(r"[ ,]", path[-1].button or "Put")[0]
    pairs = list(zip(touched[::2], touched[1::2], strict=False))
    turned = "".join(f", {c.button[:1].lower()}{c.button[1:]}," for c in path[1:-1] if c.button and not c.refuses)
    turned = turned.replace("turn to", "turned to the")
    if _in([card for card, _ in pairs], hand):
        names = Counter(piece.name for piece in hand)
        return f"{first} " + ", ".join(
            f"{'the' if names[card.name] == 1 else 'a'} {_short(card)} {place.where.rsplit(', ')[-1]}"
            for card, place in pairs
        )
    card, place = pairs[0]
    return f"{first} the {_short(card)}{turned} {place.where}"


def _cards(touched: Sequence[Piece], hand: Sequence[Piece]) -> str:
    """Cards of one's hand by what they show: "the yellow and a red", "both reds"."""
    have = Counter(_short(piece) for piece in hand if piece.kind == "face")
    said = []
    for name, count in Counter(_short(piece) for piece in touched).items():
        if count > 1:
            said.append(f"{'both' if count == have[name] == 2 else 'all' if count == have[name] else count} {name}s")
        else:
            said.append(f"{'the' if have[name] == 1 else 'one' if len(touched) == 1 else 'a'} {name}")
    return listing(said)


def _short(piece: Piece) -> str:
    """A card's own name: "yellow", "4" (of one that shows a 4 up)."""
    return piece.name.split(",")[0].removesuffix(" up")


def _lying(piece: Piece) -> str:
    """A card on the table by its face and its column, or a place."""
    cell = _CELL.fullmatch(piece.where)
    if cell is None:
        return piece.where or piece.name
    what = "a hidden card" if piece.kind == "back" else f"the {_short(piece)}"
    return f"{what} in the {ORDINALS[int(cell[1])]} column"


def _both(touched: Sequence[Piece]) -> str:
    """Things on the table that are touched together: hidden cards by their columns."""
    cells = [_CELL.fullmatch(piece.where) for piece in touched]
    columns = [ORDINALS[int(cell[1])] for cell in cells if cell and len(touched) > 1]
    if len(columns) < len(touched) or any(piece.kind != "back" for piece in touched):
        return listing([_lying(piece) for piece in touched])
    if len(set(columns)) == 1:
        return f"{len(columns)} hidden cards in the {columns[0]} column"
    return f"hidden cards in {listing([f'the {column}' for column in columns])} column"


def _owned(piece: Piece) -> str:
    """A numbered place with its owner: "your third", "Theo’s fourth"."""
    owner = _PLACE.fullmatch(piece.where)
    assert owner is not None
    return f"{owner[1]} {ORDINALS[int(owner[2])]}"
