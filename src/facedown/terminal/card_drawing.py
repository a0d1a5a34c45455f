"""Drawing of cards as text: in one line, in a small box or in a large box. The faces are defined by each game's design
(`core.art`).

A *piece* is anything drawn on the table: a card, a tile, or an empty place for one.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from enum import IntEnum
from typing import Literal

from rich.console import Console
from rich.style import Style
from rich.text import Text

from facedown.core.art import TerminalFace
from facedown.core.game_registry import art
from facedown.core.table import Piece
from facedown.terminal.text_blocks import Block, block

Theme = Literal["dark", "light"]
DIM = Style(dim=True)
BOLD = Style(bold=True)

#: Flags in `Piece.marks` that say that a piece is selected. A selected piece is underlined or has a check mark.
PICKED_MARKS = {"picked", "staged", "chosen", "held"}

#: Signs after the number of a card that show who knows the card. The keys are flags in `Piece.marks`.
SIGNS = {"all-see": "●", "only-you": "○"}


class Size(IntEnum):
    """Sizes in which cards are drawn, in ascending order."""

    NARROW = 0
    """One line of three columns. It is used when several grids must fit on a small screen."""
    LINE = 1
    BOX = 2
    LARGE = 3


@dataclass(frozen=True, slots=True)
class Pen:
    """Style in which cards are drawn: with colours or without, for a dark or a light terminal (`theme`).

    Without colours, cards are in brackets. The colours of the cards are the same in both themes.
    """

    colours: bool = True
    theme: Theme = "dark"

    @classmethod
    def for_console(cls, console: Console) -> Pen:
        """Return the style for a console. A terminal counts as dark unless ``COLORFGBG`` says that it is light."""
        light = os.environ.get("COLORFGBG", "").rsplit(";", 1)[-1] in ("7", "15")
        return cls(bool(console.color_system) and not console.no_color, "light" if light else "dark")

    def accent_style(self, game: str) -> Style:
        """Return the style for highlighted text: in the accent colour of a game, or bold if there are no colours."""
        return Style(color=colour_code(game, "accent", self.theme)) if self.colours else BOLD

    def card_back_style(self, game: str) -> Style:
        """Return the style of a game's card backs: the game's colour for card backs, on a lighter shade of that colour.

        If the drawing has no colours, return an empty style.
        """
        lid = colour_code(game, "lid")
        return Style(color=lid, bgcolor=lighter(lid)) if self.colours else Style()


def colour_code(game: str, name: str, theme: Theme = "dark") -> str:
    """Return the ``#RRGGBB`` code of the colour `name`: the game's own colour of this name, else the default colour.

    If `name` is a ``#RRGGBB`` code itself, it is returned unchanged. The colours of cards are the same in both themes,
    so `theme` matters only for other colours.
    """
    from facedown.server.rendering.design_token_reader import tokens

    found = tokens(theme)
    own = name if name.startswith("#") else found.get(f"{game}-{name}", found.get(name))
    return own or found[f"home-{name}"]


def face_of(game: str, piece: Piece) -> TerminalFace:
    """Return the face of a face-up piece. If the game's design has no face for it, the face shows its name."""
    return art(game).prints(piece.face) or TerminalFace(piece.name or piece.face, "pip", "card")


def face_text(face: TerminalFace) -> str:
    """Return a face as text: "7", or "3/8" for a card with two numbers."""
    return f"{face.text}/{face.lower[0]}" if face.lower else face.text


def lighter(colour: str) -> str:
    """Return a colour mixed with 16 % white.

    >>> lighter("#1F6370")
    '#427b86'
    """
    parts = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    return "#" + "".join(f"{part + (255 - part) * 4 // 25:02x}" for part in parts)


def draw_card(pen: Pen, game: str, piece: Piece, size: Size = Size.LINE, lying: bool = False) -> Block:
    """Draw one piece as a block of lines. If `lying` is set, a domino is drawn horizontally."""
    form = art(game).form
    if size <= Size.LINE or piece.kind == "gap" or (form == "word" and size < Size.LARGE):
        bare = size == Size.NARROW
        return block([_draw_one_line_card(pen, game, piece, 3 if bare else art(game).width, bare)])
    return _draw_framed_card(
        pen, game, piece, size == Size.LARGE, form == "halves" and (lying or "lying" in piece.marks)
    )


def _is_picked(piece: Piece) -> bool:
    return not PICKED_MARKS.isdisjoint(piece.marks)


def _style(pen: Pen, game: str, piece: Piece, ink: str, paper: str) -> Style:
    colours = Style(color=colour_code(game, ink), bgcolor=colour_code(game, paper)) if pen.colours else Style()
    faded = "faded" in piece.marks
    return colours + Style(bold=not faded, underline=_is_picked(piece), dim=faded)


def _face_label(face: TerminalFace, piece: Piece) -> str:
    """Return the text of a face, followed by a sign that shows which players know the card (`SIGNS`).

    The text is in brackets if the card does not count in the scoring (flag "faded" in `Piece.marks`).
    """
    text = face_text(face)
    text += next((SIGNS[mark] for mark in piece.marks if mark in SIGNS), "") if len(text) == 1 else ""
    return f"({text})" if "faded" in piece.marks else text


def _draw_one_line_card(pen: Pen, game: str, piece: Piece, width: int, bare: bool) -> Text:
    """Draw a card in one line of `width` columns. Without colours it is in brackets, unless `bare` is set."""
    left, right = ("", "") if bare or (pen.colours and art(game).form != "word") else ("[", "]")
    if piece.kind == "face":
        face = face_of(game, piece)
        said = (
            f"{_face_label(face, piece):>{width - 1}} "
            if bare
            else _pad_or_cut_to_width(_face_label(face, piece), width)
        )
        return Text(left).append(said, _style(pen, game, piece, face.ink, face.paper)).append(right)
    if piece.kind == "back":
        mark = "✓" if _is_picked(piece) else ""
        if bare and not pen.colours:
            return Text((f"{mark}?" if mark else "??").ljust(width))
        room = width - len(mark)
        fill = "░" * (room - bare) if pen.colours or art(game).form == "word" else _centre("??", room)
        return (
            Text(left)
            .append(mark, pen.accent_style(game))
            .append(fill, pen.card_back_style(game))
            .append(" " if bare else right)
        )
    if piece.kind == "slot":
        return Text(f"{left}{'┄' * width if pen.colours else ' ' * width}{right}", DIM)
    # A gap is drawn as empty space as wide as a card. The place of a card that is gone is drawn in the same way, with a
    # dot in the middle.
    return Text(_centre("·" if piece.kind == "gone" else "", width + len(left + right)), DIM)


def _centre(text: str, width: int) -> str:
    return text.center(width) if len(text) <= width else text[:width]


def _pad_or_cut_to_width(text: str, width: int) -> str:
    """Return a text padded with spaces or cut to `width` characters, the width of a card.

    * Usually the text is centred.
    * In a narrow card (`width` at most 4), a text that is at least two characters shorter than `width` is aligned to
      the right, with one space after it.
    """
    return f"{text} ".rjust(width) if len(text) < width - 1 and width <= 4 else _centre(text, width)


# --- boxes -----------------------------------------------------------------------------------------------------------


def _draw_empty_place(piece: Piece, width: int, height: int) -> Block:
    """Draw a piece that is neither a face-up nor a face-down card.

    What is drawn depends on `Piece.kind`:

    * "slot" (empty place for a card): a dotted frame.
    * "gone" (place whose card was removed): a dot.
    * "gap" (space between two cards): nothing; the block is blank.
    """
    if piece.kind == "slot":
        lines = [f"┌{'┄' * width}┐", *[f"┊{' ' * width}┊"] * height, f"└{'┄' * width}┘"]
    else:
        lines = [" " * (width + 2)] * (height + 2)
        if piece.kind == "gone":
            lines[(height + 1) // 2] = "·".center(width + 2)
    return block([Text(line, DIM) for line in lines])


def _draw_framed_card(pen: Pen, game: str, piece: Piece, large: bool, lying: bool) -> Block:
    """Draw a card in a frame: a large one if `large` is set, else a small one. With `lying`, a domino is horizontal.

    In the lower edge of the frame there is one of these:

    * the label of a domino (`Piece.tag`), if the label has one or two characters;
    * for a selected card without such a label: a check mark;
    * otherwise nothing.
    """
    form = art(game).form
    width, height = {
        "two": (5, 3) if large else (2, 2),
        "halves": (7, 1) if lying else (3, 3),
        "word": (16, 1),
    }.get(form, (4 if large else 3, 1))
    if piece.kind not in ("face", "back"):
        return _draw_empty_place(piece, width, height)
    edge = pen.accent_style(game) + BOLD if _is_picked(piece) else DIM
    says = piece.tag if form == "halves" and 0 < len(piece.tag) <= 2 else "✓" if _is_picked(piece) else ""
    across = "───┬───" if lying else "─" * width
    foot = says.center(width, "─") if says else across.replace("┬", "┴")
    parts = _face_lines(pen, game, piece, width, height)
    if lying:
        parts = [Text("│", edge).join(parts)]
    rows = [Text("│", edge).append_text(part).append("│", edge) for part in parts]
    if len(rows) < height:
        rows.insert(1, Text("├───┤" if form == "halves" else f"│{across}│", edge))
    return block([Text(f"┌{across}┐", edge), *rows, Text(f"└{foot}┘", edge)])


def _face_lines(pen: Pen, game: str, piece: Piece, width: int, height: int) -> list[Text]:
    """Return the lines inside the frame of a card: one for most faces, two for a domino or a two-number card."""
    form = art(game).form
    if piece.kind == "back":
        return (
            [Text("░░░", pen.card_back_style(game))] * 2
            if form == "halves"
            else [Text("░" * width, pen.card_back_style(game))] * height
        )
    face = face_of(game, piece)
    style = _style(pen, game, piece, face.ink, face.paper)
    if form == "halves":
        return [Text(half.center(3), style) for half in face.text.partition("·")[::2]]
    if form == "two":
        pad = " " if height == 3 else ""
        text, ink, paper = face.lower or ("", face.ink, face.paper)
        lower = Text(f"{text}{pad}".rjust(width), _style(pen, game, piece, ink, paper))
        return [Text(f"{pad}{face.text}".ljust(width), style), lower]
    return [Text(_centre(_face_label(face, piece), width), style)]
