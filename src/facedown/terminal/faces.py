"""Card faces in a terminal, by game and by the code of the face. The colours are the look's tokens."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

from facedown.core.table import Piece
from facedown.core.voice import minus

Form = Literal["number", "word", "two", "bone"]


@dataclass(frozen=True, slots=True)
class Face:
    """A face: its words, its colours (hex), and for a card with two numbers the lower half."""

    text: str
    ink: str
    paper: str
    lower: tuple[str, str, str] | None = None
    """Text, ink and paper of the lower half."""


#: How wide the cells of a game are, in columns of a terminal.
WIDTHS = {"detect": 4, "uncovered": 4, "reveal": 8, "reveille": 5, "scout": 6}
WIDTH = 6
#: What a card of a game is made of: one number, a word, two numbers, or a bone of two halves.
FORMS: dict[str, Form] = {
    "detect": "number",
    "uncovered": "number",
    "reveal": "word",
    "reveille": "bone",
    "scout": "two",
}
_LIGHT_NUMERALS = {"detect": ("-2", "-1", "11", "12"), "scout": ("9", "10")}


@cache
def tokens() -> dict[str, str]:
    """The look's colours, by name (objects do not change with the theme)."""
    from facedown.server.look.tokens import tokens as all_tokens

    return all_tokens("dark")


@cache
def accents(theme: str) -> dict[str, str]:
    """The accent of each game, for a "dark" or a "light" terminal."""
    from facedown.server.look.tokens import tokens as all_tokens

    found = all_tokens("light" if theme == "light" else "dark")
    return {name.removesuffix("-accent"): value for name, value in found.items() if name.endswith("-accent")}


def back_colour(game: str) -> str:
    """The colour of a game's backs."""
    return tokens().get(f"{game}-lid", tokens()["home-lid"])


def width_of(game: str) -> int:
    """The columns that a card of a game takes."""
    return WIDTHS.get(game, WIDTH)


def form_of(game: str) -> Form:
    """What a card of a game is made of. Cards of a game this page does not know are known by their words."""
    return FORMS.get(game, "word")


def _numbered(game: str, code: str) -> tuple[str, str, str]:
    ramp = tokens().get(f"{game}-{code.replace('-', 'm')}", tokens()["card"])
    ink = tokens()[f"{game}-light" if code in _LIGHT_NUMERALS[game] else f"{game}-dark"]
    return (minus(int(code)) if code.lstrip("-").isdigit() else code, ink, ramp)


def face_of(game: str, piece: Piece) -> Face:
    """The face of a piece that lies face up. A face this page does not know is shown by its name."""
    code = piece.face
    colours = tokens()
    if game == "detect" and code.lstrip("-").isdigit():
        return Face(*_numbered(game, code))
    if game == "scout" and code.count("/") == 1:
        up, down = code.split("/")
        return Face(*_numbered(game, up), lower=_numbered(game, down))
    if game == "reveal" and f"reveal-{code}" in colours:
        return Face(code, colours[f"reveal-{code}-ink"], colours[f"reveal-{code}"])
    if game == "uncovered" and f"uncovered-{code}" in colours:
        return Face(code, colours[f"uncovered-{code}"], colours[f"uncovered-{code}-panel"])
    if game == "reveille" and len(code) == 2:
        return Face("·".join(code), colours["pip"], colours["bone"])
    return Face(piece.name or code, colours["pip"], colours["card"])
