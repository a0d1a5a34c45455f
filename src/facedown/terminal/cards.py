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
    if form == "two":
        return _two_box(pen, game, piece, large)
    if form == "halves":
        return _lying(pen, game, piece) if lying or "lying" in piece.marks else _standing(pen, game, piece)
    return _plain_box(pen, game, piece, (16 if form == "word" else 4) if large else 3)


def narrow(pen: Pen, game: str, piece: Piece) -> Block:
    """A one-line card as narrow as it can be: three columns, for many grids on a small screen."""
    return block([_line(pen, game, piece, 3, bare=True)])


def _lifted(piece: Piece) -> bool:
    return not LIFTED.isdisjoint(piece.marks)


def _style(face: Face, piece: Piece, pen: Pen, lower: bool = False) -> Style:
    faded, lifted = "faded" in piece.marks, _lifted(piece)
    if not pen.colours:
        return Style(bold=not faded, underline=lifted, dim=faded)
    ink, paper = (face.ink, face.paper) if not lower or face.lower is None else face.lower[1:]
    return Style(color=ink, bgcolor=paper, bold=not faded, underline=lifted, dim=faded)


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
        text = (
            "░" * (width - len(mark)) if pen.colours or art(game).form == "word" else _centre("??", width - len(mark))
        )
        blank = " " if bare else ""
        body = Text(left).append(mark, pen.accent(game))
        return body.append(text.removesuffix("░") if blank else text, pen.lid(game)).append(blank or right)
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


def _box(inside: list[Text], width: int, edge: Style, says: str = "") -> Block:
    """Lines in a frame, whose lower edge says something."""
    rows = [Text("│", edge).append_text(line).append("│", edge) for line in inside]
    return block([Text(f"┌{'─' * width}┐", edge), *rows, Text(f"└{says.center(width, '─')}┘", edge)])


def _empty(piece: Piece, width: int, height: int) -> Block:
    """An empty place: dotted; the place of a card that is gone: a dot."""
    if piece.kind == "slot":
        lines = [f"┌{'┄' * width}┐", *[f"┊{' ' * width}┊"] * height, f"└{'┄' * width}┘"]
    else:
        blank = " " * (width + 2)
        lines = [blank] * (height + 2)
        if piece.kind == "gone":
            lines[(height + 1) // 2] = "·".center(width + 2)
    return block([Text(line, DIM) for line in lines])


def _edge(pen: Pen, game: str, piece: Piece) -> Style:
    """The edge of a card: set off where it is picked."""
    return pen.accent(game) + BOLD if _lifted(piece) else DIM


def _tick(piece: Piece) -> str:
    """What the lower edge of a card says that is picked."""
    return "✓" if _lifted(piece) else ""


def _counter(piece: Piece) -> str:
    """What the lower edge of a card of two halves says: its counter, or that it is picked."""
    return piece.tag if 0 < len(piece.tag) <= 2 else _tick(piece)


def _two_box(pen: Pen, game: str, piece: Piece, large: bool) -> Block:
    """A card of two numbers: the upper one left, the lower one right, two columns each (three in a large card)."""
    wide, high = (5, 3) if large else (2, 2)
    if piece.kind not in ("face", "back"):
        return _empty(piece, wide, high)
    edge = _edge(pen, game, piece)
    if piece.kind == "back":
        return _box([Text("░" * wide, pen.lid(game))] * high, wide, edge, _tick(piece))
    face = face_of(game, piece)
    pad = " " if large else ""
    upper = Text((pad + face.text).ljust(wide), _style(face, piece, pen))
    lower = Text(((face.lower[0] if face.lower else "") + pad).rjust(wide), _style(face, piece, pen, lower=True))
    return _box([upper, Text("─" * wide, edge), lower] if large else [upper, lower], wide, edge, _tick(piece))


def _halves(pen: Pen, game: str, piece: Piece) -> tuple[Text, Text]:
    if piece.kind == "back":
        return Text("░░░", pen.lid(game)), Text("░░░", pen.lid(game))
    face = face_of(game, piece)
    style = _style(face, piece, pen)
    one, _, other = face.text.partition("·")
    return Text(one.center(3), style), Text(other.center(3), style)


def _standing(pen: Pen, game: str, piece: Piece) -> Block:
    """A card of two halves on its end, five by five; a counter in its lower edge."""
    if piece.kind not in ("face", "back"):
        return _empty(piece, 3, 3)
    edge = _edge(pen, game, piece)
    top, upper, lower, foot = _box([*_halves(pen, game, piece)], 3, edge, _counter(piece)).lines
    return block([top, upper, Text("├───┤", edge), lower, foot])


def _lying(pen: Pen, game: str, piece: Piece) -> Block:
    """A card of two halves on its side, nine by three; a counter in its lower edge."""
    if piece.kind not in ("face", "back"):
        return _empty(piece, 7, 1)
    edge = _edge(pen, game, piece)
    left, right = _halves(pen, game, piece)
    _, row, _ = _box([Text().append_text(left).append("│", edge).append_text(right)], 7, edge).lines
    says = _counter(piece)
    return block([Text("┌───┬───┐", edge), row, Text(f"└{says.center(7, '─')}┘" if says else "└───┴───┘", edge)])


def _plain_box(pen: Pen, game: str, piece: Piece, width: int) -> Block:
    """A card of one number or one word."""
    if piece.kind not in ("face", "back"):
        return _empty(piece, width, 1)
    if piece.kind == "back":
        inside = Text("░" * width, pen.lid(game))
    else:
        face = face_of(game, piece)
        inside = Text(_centre(_said(face, piece), width), _style(face, piece, pen))
    return _box([inside], width, _edge(pen, game, piece), _tick(piece))
