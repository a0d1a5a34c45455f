"""Card faces in a terminal: what a game's art prints, in the look's colours."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from facedown.core.art import Form
from facedown.core.game import art
from facedown.core.table import Piece


@dataclass(frozen=True, slots=True)
class Face:
    """A face: its words, its colours (hex), and for a card with two numbers the lower half."""

    text: str
    ink: str
    paper: str
    lower: tuple[str, str, str] | None = None
    """Text, ink and paper of the lower half."""


@cache
def tokens(theme: str = "dark") -> dict[str, str]:
    """The look's colours, by name; those of objects do not change with the theme."""
    from facedown.server.look.tokens import tokens as all_tokens

    return all_tokens("light" if theme == "light" else "dark")


def accent(game: str, theme: str) -> str:
    """The accent of a game, for a "dark" or a "light" terminal."""
    return tokens(theme).get(f"{game}-accent", tokens(theme)["home-accent"])


def back_colour(game: str) -> str:
    """The colour of a game's backs."""
    return tokens().get(f"{game}-lid", tokens()["home-lid"])


def width_of(game: str) -> int:
    """The columns that a card of a game takes."""
    return art(game).width


def form_of(game: str) -> Form:
    """What a card of a game is made of. Cards of a game without art are known by their words."""
    return art(game).form


def face_of(game: str, piece: Piece) -> Face:
    """The face of a piece that lies face up. A face that the game's art does not know is shown by its name."""

    def colour(name: str) -> str:
        return name if name.startswith("#") else tokens().get(f"{game}-{name}") or tokens()[name]

    printed = art(game).prints(piece.face)
    if printed is None:
        return Face(piece.name or piece.face, colour("pip"), colour("card"))
    lower = printed.lower and (printed.lower[0], colour(printed.lower[1]), colour(printed.lower[2]))
    return Face(printed.text, colour(printed.ink), colour(printed.paper), lower)
