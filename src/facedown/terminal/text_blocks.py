"""Blocks of text: lines of Rich text of one width, put below and beside each other."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from facedown.core.language import FSI, PDI, isolate_right_to_left
from facedown.terminal.i18n import N_, _

#: How the sentences begin that are about touching, with bars between.
TOUCHING = N_("Touch |Slide ")
#: The verb for what is touched on a page, and the one for what is typed here, with a bar between.
TOUCH_VERB = N_("touch|choose")


@dataclass(frozen=True, slots=True)
class Block:
    """Lines that belong together."""

    lines: tuple[Text, ...]

    @property
    def width(self) -> int:
        """The columns of the longest line."""
        return max((line.cell_len for line in self.lines), default=0)

    @property
    def height(self) -> int:
        """How many lines there are."""
        return len(self.lines)


def block(lines: Iterable[Text | str]) -> Block:
    """A block of these lines."""
    return Block(tuple(Text(line) if isinstance(line, str) else line for line in lines))


def vstack(*blocks: Block, gap: int = 0) -> Block:
    """Blocks one under the other, with empty lines between."""
    lines: list[Text] = []
    for one in blocks:
        lines += [*[Text("")] * (gap if lines and one.height else 0), *one.lines]
    return Block(tuple(lines))


def hstack(blocks: Sequence[Block], gap: int) -> Block:
    """Blocks side by side, their first lines level."""
    rows = [Text("") for _ in range(max((one.height for one in blocks), default=0))]
    for i, one in enumerate(blocks):
        for row, line in zip_longest(rows, one.lines, fillvalue=Text("")):
            row.append_text(line)
            if i + 1 < len(blocks):
                row.append(" " * (one.width - line.cell_len + gap))
    return Block(tuple(rows))


def flow(blocks: Sequence[Block], width: int, gap: int, between: int = 0) -> Block:
    """Blocks side by side in as many rows as the width asks for."""
    rows: list[list[Block]] = []
    for one in blocks:
        if not rows or sum(before.width + gap for before in rows[-1]) + one.width > width:
            rows.append([])
        rows[-1].append(one)
    return vstack(*(hstack(row, gap) for row in rows), gap=between)


def parse_bold(text: str, style: Style | str = "") -> Text:
    """Text with its ``**strong**`` parts set off."""
    found = Text(style=style)
    for i, part in enumerate(text.split("**")):
        found.append(part, "bold" if i % 2 else None)
    return found


def plain(text: str) -> str:
    """Text without its marks.

    >>> plain("**85** to draw")
    '85 to draw'
    """
    return text.replace("**", "")


def help_for_typing(text: str) -> str:
    """A step's help without the sentences that are about touching: moves are typed here, and what may be typed is said.

    >>> help_for_typing("It is your last turn. Touch the discard pile to take its top card. Low is good.")
    'It is your last turn. Low is good.'
    """
    touching = tuple(_(TOUCHING).split("|"))
    return replace_touch_verb(
        " ".join(part for part in re.split(r"(?<=[.?!]) ", text) if not part.startswith(touching))
    )


def replace_touch_verb(text: str) -> str:
    """A sentence written for a page, for people who type: it does not tell them to touch anything.

    >>> replace_touch_verb("You drew an 11. Touch the discard pile. First touch the 5.")
    'You drew an 11. Choose the discard pile. First choose the 5.'
    """
    touch, choose = _(TOUCH_VERB).split("|")
    text = re.sub(rf"\b{touch}\b", choose, text)
    return re.sub(rf"\b{touch.capitalize()}\b", choose.capitalize(), text)


def wrap_text(text: str, width: int) -> str:
    r"""Text in lines of at most `width` columns, broken at spaces; the rest of an item stands below its own words.

    >>> print(wrap_text("One long line.\n* an item of a list\nname   what it says", 14))
    One long line.
    * an item of a
      list
    name   what it
           says
    """
    return "\n".join(part for line in text.split("\n") for part in _wrap_line(line, width))


def _wrap_line(line: str, width: int) -> list[str]:
    item = re.match(r"(?: *(?:\*|\d+\.)| *\S.*? {2}|) +(?=\S)", line)
    hang = " " * (len(item[0]) if item and len(item[0]) <= width // 2 else 0)
    return textwrap.wrap(line, width, subsequent_indent=hang, break_long_words=False, break_on_hyphens=False) or [""]


def wrap(text: Text, width: int) -> Block:
    """The text in lines of at most `width` columns, broken at spaces; a longer word is cut with an ellipsis."""
    lines = [Text()]
    for word in text.split(" "):
        if word.cell_len > width:
            word.truncate(width, overflow="ellipsis")
        if lines[-1].plain and lines[-1].cell_len + 1 + word.cell_len > width:
            lines.append(Text())
        lines[-1].append(" " if lines[-1].plain else "").append_text(word)
    return Block(tuple(lines))


def fit(text: str, width: int) -> str:
    """The text in exactly `width` columns: cut with an ellipsis, or filled up with spaces.

    >>> fit("Juniper", 5), fit("Sol", 5)
    ('Juni…', 'Sol  ')
    """
    if cell_len(text) > width:
        while cell_len(text) > width - 1:
            text = text[:-1]
        text += "…" + PDI * (text.count(FSI) - text.count(PDI))
    return isolate_right_to_left(text) + " " * (width - cell_len(text))


def place_suffix(place: str) -> str:
    """How a place is called when it is typed: what stands behind the last dash of its id.

    >>> place_suffix("p0-a3"), place_suffix("hand-2"), place_suffix("discard")
    ('a3', '2', 'discard')
    """
    return place.rsplit("-", 1)[-1]
