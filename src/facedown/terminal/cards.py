"""Pieces drawn with letters: a card in one line, in a small box, or in a large one, as its game's art prints it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cache

from rich.console import Console
from rich.style import Style
from rich.text import Text

from facedown.core.game import art
from facedown.core.table import Piece
from facedown.terminal.blocks import Block, block

DIM = Style(dim=True)
BOLD = Style(bold=True)

#: What a picked, chosen or held piece is marked with where colours are not enough.
LIFTED = {"picked", "staged", "chosen", "held"}

#: Marks that say who knows a card: a sign after its number, and in the legend.
SIGNS = {"all-see": "●", "only-you": "○"}


class Size(IntEnum):
    """How large cards are drawn."""

    LINE = 0
    BOX = 1
    LARGE = 2


@dataclass(frozen=True, slots=True)
class Pen:
    """How to draw: with colours or with brackets, and in which theme."""

    colours: bool = True
    theme: str = "dark"

    @classmethod
    def of(cls, console: Console, theme: str) -> Pen:
        """The pen for what a console can show."""
        return cls(bool(console.color_system) and not console.no_color, theme)

    def accent(self, game: str) -> Style:
        """The accent of a game."""
        colours = tokens(self.theme)
        return Style(color=colours.get(f"{game}-accent", colours["home-accent"])) if self.colours else BOLD

    def lid(self, game: str) -> Style:
        """The colour of a game's backs."""
        lid = back_colour(game)
        return Style(color=lid, bgcolor=lighter(lid)) if self.colours else Style()

    def strokes(self, game: str) -> Style:
        """The colour of cards that are only counted."""
        return Style(color=lighter(back_colour(game))) if self.colours else Style()


@dataclass(frozen=True, slots=True)
class Face:
    """A face: its words, its colours (hex), and for a card with two numbers the lower half."""

    text: str
    ink: str
    paper: str
    lower: tuple[str, str, str] | None = None
    """Text, ink and paper of the lower half."""

    @property
    def both(self) -> str:
        """Its words in a line: "7", or of two numbers "3/8"."""
        return f"{self.text}/{self.lower[0]}" if self.lower else self.text


@cache
def tokens(theme: str = "dark") -> dict[str, str]:
    """The look's colours, by name; those of objects do not change with the theme."""
    from facedown.server.look.tokens import tokens as all_tokens

    return all_tokens("light" if theme == "light" else "dark")


def back_colour(game: str) -> str:
    """The colour of a game's backs."""
    return tokens().get(f"{game}-lid", tokens()["home-lid"])


def face_of(game: str, piece: Piece) -> Face:
    """The face of a piece that lies face up. A face that the game's art does not know is shown by its name."""

    def colour(name: str) -> str:
        return name if name.startswith("#") else tokens().get(f"{game}-{name}") or tokens()[name]

    printed = art(game).prints(piece.face)
    if printed is None:
        return Face(piece.name or piece.face, colour("pip"), colour("card"))
    lower = printed.lower and (printed.lower[0], colour(printed.lower[1]), colour(printed.lower[2]))
    return Face(printed.text, colour(printed.ink), colour(printed.paper), lower)


def lighter(colour: str) -> str:
    """A colour a step towards white.

    >>> lighter("#1F6370")
    '#427b86'
    """
    parts = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    return "#" + "".join(f"{part + (255 - part) * 4 // 25:02x}" for part in parts)


def card(pen: Pen, game: str, piece: Piece, size: Size = Size.LINE, lying: bool = False) -> Block:
    """One piece as a block."""
    form, large = art(game).form, size == Size.LARGE
    if size == Size.LINE or piece.kind == "gap" or (form == "word" and not large):
        return block([_line(pen, game, piece, art(game).width)])
    return _box(pen, game, piece, large, form == "halves" and (lying or "lying" in piece.marks))


def narrow(pen: Pen, game: str, piece: Piece) -> Block:
    """A one-line card as narrow as it can be: three columns, for many grids on a small screen."""
    return block([_line(pen, game, piece, 3, bare=True)])


def _lifted(piece: Piece) -> bool:
    return not LIFTED.isdisjoint(piece.marks)


def _style(face: Face, piece: Piece, pen: Pen, lower: bool = False) -> Style:
    ink, paper = face.lower[1:] if lower and face.lower else (face.ink, face.paper)
    colours = Style(color=ink, bgcolor=paper) if pen.colours else Style()
    faded = "faded" in piece.marks
    return colours + Style(bold=not faded, underline=_lifted(piece), dim=faded)


def _said(face: Face, piece: Piece) -> str:
    """A face's words; a card that does not count stands in brackets, whatever the colours."""
    sign = next((SIGNS[mark] for mark in piece.marks if mark in SIGNS), "") if len(face.both) == 1 else ""
    return f"({face.both}{sign})" if "faded" in piece.marks else f"{face.both}{sign}"


def _line(pen: Pen, game: str, piece: Piece, width: int, bare: bool = False) -> Text:
    """A card in one line: coloured, or else in brackets."""
    left, right = ("", "") if bare or (pen.colours and art(game).form != "word") else ("[", "]")
    if piece.kind == "face":
        face = face_of(game, piece)
        said = f"{_said(face, piece):>{width - 1}} " if bare else _set(_said(face, piece), width)
        return Text(left).append(said, _style(face, piece, pen)).append(right)
    if piece.kind == "back":
        mark = "✓" if _lifted(piece) else ""
        if bare and not pen.colours:
            return Text((f"{mark}?" if mark else "??").ljust(width))
        room = width - len(mark)
        fill = "░" * (room - bare) if pen.colours or art(game).form == "word" else _centre("??", room)
        return Text(left).append(mark, pen.accent(game)).append(fill, pen.lid(game)).append(" " if bare else right)
    if piece.kind == "slot":
        return Text(f"{left}{'┄' * width if pen.colours else ' ' * width}{right}", DIM)
    # A card that is gone, or a gap: the place stays.
    return Text(_centre("·" if piece.kind == "gone" else "", width + len(left + right)), DIM)


def _centre(text: str, width: int) -> str:
    return text.center(width) if len(text) <= width else text[:width]


def _set(text: str, width: int) -> str:
    """A short number stands right, as in a column; a word stands in the middle."""
    return f"{text} ".rjust(width) if len(text) < width - 1 and width <= 4 else _centre(text, width)


# --- boxes -----------------------------------------------------------------------------------------------------------


def _empty(piece: Piece, width: int, height: int) -> Block:
    """An empty place: dotted; the place of a card that is gone: a dot."""
    if piece.kind == "slot":
        lines = [f"┌{'┄' * width}┐", *[f"┊{' ' * width}┊"] * height, f"└{'┄' * width}┘"]
    else:
        lines = [" " * (width + 2)] * (height + 2)
        if piece.kind == "gone":
            lines[(height + 1) // 2] = "·".center(width + 2)
    return block([Text(line, DIM) for line in lines])


def _box(pen: Pen, game: str, piece: Piece, large: bool, lying: bool) -> Block:
    """A card in a frame: set off where it is picked; its lower edge says that, or the counter on it."""
    form = art(game).form
    halves = form == "halves"
    width, height = {
        "two": (5, 3) if large else (2, 2),
        "halves": (7, 1) if lying else (3, 3),
        "word": (16, 1),
    }.get(form, (4 if large else 3, 1))
    if piece.kind not in ("face", "back"):
        return _empty(piece, width, height)
    edge = pen.accent(game) + BOLD if _lifted(piece) else DIM
    says = piece.tag if halves and 0 < len(piece.tag) <= 2 else "✓" if _lifted(piece) else ""
    across = "───┬───" if halves and lying else "─" * width
    foot = says.center(width, "─") if says else across.replace("┬", "┴")
    inside = _inside(pen, game, piece, width, height, Text("│" if lying else "─" * width, edge))
    rows = [Text("│", edge).append_text(line).append("│", edge) for line in inside]
    if halves and not lying:
        rows[1] = Text("├───┤", edge)
    return block([Text(f"┌{across}┐", edge), *rows, Text(f"└{foot}┘", edge)])


def _inside(pen: Pen, game: str, piece: Piece, width: int, height: int, between: Text) -> list[Text]:
    """The lines inside a card's frame; `between` parts the numbers of a card that has two."""
    form, lying = art(game).form, height == 1
    if piece.kind == "back":
        fill = Text("░░░" if form == "halves" else "░" * width, pen.lid(game))
        if form != "halves":
            return [fill] * height
        upper = lower = fill
    else:
        face = face_of(game, piece)
        style = _style(face, piece, pen)
        if form == "two":
            pad = " " if height == 3 else ""
            under = (face.lower[0] if face.lower else "") + pad
            upper = Text((pad + face.text).ljust(width), style)
            lower = Text(under.rjust(width), _style(face, piece, pen, lower=True))
        elif form == "halves":
            one, _dot, other = face.text.partition("·")
            upper, lower = Text(one.center(3), style), Text(other.center(3), style)
        else:
            return [Text(_centre(_said(face, piece), width), style)]
    if lying:
        return [Text().append_text(upper).append_text(between).append_text(lower)]
    return [upper, between, lower] if height == 3 else [upper, lower]
