"""Pieces drawn with letters: a card in one line, in a small box, or in a large one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from rich.style import Style
from rich.text import Text

from facedown.core.table import Piece
from facedown.terminal.blocks import Block, block
from facedown.terminal.faces import Face, accent, back_colour, face_of, form_of, width_of

DIM = Style(dim=True)
BOLD = Style(bold=True)

#: What a picked, chosen or held piece is marked with where colours are not enough.
LIFTED = ("picked", "staged", "chosen", "held")

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

    def accent(self, game: str) -> Style:
        """The accent of a game."""
        return Style(color=accent(game, self.theme)) if self.colours else BOLD

    def lid(self, game: str) -> Style:
        """The colour of a game's backs."""
        return Style(color=back_colour(game), bgcolor=lighter(back_colour(game))) if self.colours else Style()

    def strokes(self, game: str) -> Style:
        """The colour of cards that are only counted."""
        return Style(color=lighter(back_colour(game))) if self.colours else Style()


def lighter(colour: str) -> str:
    """A colour a step towards white.

    >>> lighter("#1F6370")
    '#427b86'
    """
    parts = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    return "#" + "".join(f"{part + (255 - part) * 4 // 25:02x}" for part in parts)


def card(pen: Pen, game: str, piece: Piece, size: Size = Size.LINE, lying: bool = False) -> Block:
    """One piece as a block."""
    form = form_of(game)
    if size > Size.LINE and piece.kind != "gap":
        if form == "two":
            return _two_box(pen, game, piece, 3 if size == Size.LARGE else 2, size == Size.LARGE)
        if form == "halves":
            return _lying(pen, game, piece) if lying or "lying" in piece.marks else _standing(pen, game, piece)
        wide = {"word": 16, "number": 4}[form] if size == Size.LARGE else 3
        if form == "number" or size == Size.LARGE:
            return _plain_box(pen, game, piece, wide)
    return block([_line(pen, game, piece, width_of(game))])


def narrow(pen: Pen, game: str, piece: Piece) -> Block:
    """A one-line card as narrow as it can be: three columns, for many grids on a small screen."""
    return block([_line(pen, game, piece, 3, bare=True)])


def _style(face: Face, piece: Piece, pen: Pen, lower: bool = False) -> Style:
    faded, lifted = "faded" in piece.marks, any(mark in piece.marks for mark in LIFTED)
    if not pen.colours:
        return Style(bold=not faded, underline=lifted, dim=faded)
    ink, paper = (face.ink, face.paper) if not lower or face.lower is None else face.lower[1:]
    return Style(color=ink, bgcolor=paper, bold=not faded, underline=lifted, dim=faded)


def _said(face: Face, piece: Piece) -> str:
    """A face's words; a card that does not count stands in brackets, whatever the colours."""
    sign = next((SIGNS[mark] for mark in piece.marks if mark in SIGNS), "") if len(face.text) == 1 else ""
    text = f"{face.text}/{face.lower[0]}" if face.lower else f"{face.text}{sign}"
    return f"({text})" if "faded" in piece.marks else text


def _line(pen: Pen, game: str, piece: Piece, width: int, bare: bool = False) -> Text:
    """A card in one line: coloured, or else in brackets."""
    left, right = ("", "") if bare or (pen.colours and form_of(game) != "word") else ("[", "]")
    if piece.kind == "face":
        face = face_of(game, piece)
        said = f"{_said(face, piece):>{width - 1}} " if bare else _set(_said(face, piece), width)
        return Text(left).append(said, _style(face, piece, pen)).append(right)
    if piece.kind == "back":
        mark = "✓" if any(mark in piece.marks for mark in LIFTED) else ""
        if bare and not pen.colours:
            return Text((f"{mark}?" if mark else "??").ljust(width))
        text = "░" * (width - len(mark)) if pen.colours or form_of(game) == "word" else _centre("??", width - len(mark))
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


def _box(inside: list[Text], width: int, edge: Style, lower_edge: str = "") -> Block:
    top = Text(f"┌{'─' * width}┐", edge)
    foot = Text(f"└{lower_edge.center(width, '─')}┘", edge)
    rows = [Text("│", edge).append_text(line).append("│", edge) for line in inside]
    return block([top, *rows, foot])


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
    lifted = any(mark in piece.marks for mark in LIFTED)
    return pen.accent(game) + BOLD if lifted else DIM


def _tick(piece: Piece) -> str:
    """What the lower edge of a card says: its counter, or that it is picked."""
    return piece.tag if 0 < len(piece.tag) <= 2 else "✓" if any(mark in piece.marks for mark in LIFTED) else ""


def _two_box(pen: Pen, game: str, piece: Piece, width: int, ruled: bool) -> Block:
    """A card of two numbers: the upper one left, the lower one right, two columns each (three in a large card)."""
    wide = 2 * width - 1 if ruled else width
    if piece.kind not in ("face", "back"):
        return _empty(piece, wide, 3 if ruled else 2)
    edge = _edge(pen, game, piece)
    tick = "✓" if any(mark in piece.marks for mark in LIFTED) else ""
    if piece.kind == "back":
        rows = [Text("░" * wide, pen.lid(game)) for _ in range(3 if ruled else 2)]
        return _box(rows, wide, edge, tick)
    face = face_of(game, piece)
    lower = face.lower[0] if face.lower else ""
    pad = 1 if ruled else 0
    upper_line = Text((" " * pad + face.text).ljust(wide), _style(face, piece, pen))
    lower_line = Text((lower + " " * pad).rjust(wide), _style(face, piece, pen, lower=True))
    rows = [upper_line, Text("─" * wide, edge), lower_line] if ruled else [upper_line, lower_line]
    return _box(rows, wide, edge, tick)


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
    upper, lower = _halves(pen, game, piece)
    rows = [Text("│", edge).append_text(half).append("│", edge) for half in (upper, lower)]
    foot = f"└{_tick(piece).center(3, '─')}┘"
    return block([Text("┌───┐", edge), rows[0], Text("├───┤", edge), rows[1], Text(foot, edge)])


def _lying(pen: Pen, game: str, piece: Piece) -> Block:
    """A card of two halves on its side, nine by three; a counter in its lower edge."""
    if piece.kind not in ("face", "back"):
        return _empty(piece, 7, 1)
    edge = _edge(pen, game, piece)
    left, right = _halves(pen, game, piece)
    row = Text("│", edge).append_text(left).append("│", edge).append_text(right).append("│", edge)
    tick = _tick(piece)
    foot = f"└{tick.center(7, '─')}┘" if tick else "└───┴───┘"
    return block([Text("┌───┬───┐", edge), row, Text(foot, edge)])


def _plain_box(pen: Pen, game: str, piece: Piece, width: int) -> Block:
    """A card of one number or one word."""
    if piece.kind not in ("face", "back"):
        return _empty(piece, width, 1)
    edge = _edge(pen, game, piece)
    tick = "✓" if any(mark in piece.marks for mark in LIFTED) else ""
    if piece.kind == "back":
        return _box([Text("░" * width, pen.lid(game))], width, edge, tick)
    face = face_of(game, piece)
    return _box([Text(_centre(_said(face, piece), width), _style(face, piece, pen))], width, edge, tick)
