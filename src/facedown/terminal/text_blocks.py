"""Rectangular blocks of Rich text lines. Blocks can be stacked vertically and placed next to each other."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from facedown.core.translation import FSI, PDI, isolate_right_to_left
from facedown.terminal.i18n import N_, _

#: First words of sentences about touching a web page, separated by bars. Such sentences are left out in the terminal.
TOUCHING = N_("Touch |Tap |Slide ")
#: Verbs for touching a web page, separated by bars. The last verb replaces them in the terminal.
TOUCH_VERB = N_("touch|tap|choose")


@dataclass(frozen=True, slots=True)
class Block:
    """Lines of text that are drawn as one rectangle."""

    lines: tuple[Text, ...]

    @property
    def width(self) -> int:
        """Number of columns of the longest line."""
        return max((line.cell_len for line in self.lines), default=0)

    @property
    def height(self) -> int:
        """Number of lines."""
        return len(self.lines)


def block(lines: Iterable[Text | str]) -> Block:
    """Return a block (lines of text that are drawn as one rectangle) with these lines."""
    return Block(tuple(Text(line) if isinstance(line, str) else line for line in lines))


def vstack(*blocks: Block, gap: int = 0) -> Block:
    """Stack blocks vertically, with `gap` empty lines between them."""
    lines: list[Text] = []
    for one in blocks:
        lines += [*[Text("")] * (gap if lines and one.height else 0), *one.lines]
    return Block(tuple(lines))


def hstack(blocks: Sequence[Block], gap: int) -> Block:
    """Place blocks next to each other, aligned at the top, with `gap` columns between them."""
    rows = [Text("") for _ in range(max((one.height for one in blocks), default=0))]
    for i, one in enumerate(blocks):
        for row, line in zip_longest(rows, one.lines, fillvalue=Text("")):
            row.append_text(line)
            if i + 1 < len(blocks):
                row.append(" " * (one.width - line.cell_len + gap))
    return Block(tuple(rows))


def flow(blocks: Sequence[Block], width: int, gap: int, between: int = 0) -> Block:
    """Place blocks next to each other. A new row begins where the next block would exceed `width` columns.

    `gap` is the number of columns between blocks, and `between` the number of empty lines between rows.
    """
    rows: list[list[Block]] = []
    for one in blocks:
        if not rows or sum(before.width + gap for before in rows[-1]) + one.width > width:
            rows.append([])
        rows[-1].append(one)
    return vstack(*(hstack(row, gap) for row in rows), gap=between)


def parse_bold(text: str, style: Style | str = "") -> Text:
    """Convert a string to a Rich `Text`. Parts between two ``**`` become bold, and the ``**`` are removed.

    `style` applies to the whole text.
    """
    found = Text(style=style)
    for i, part in enumerate(text.split("**")):
        found.append(part, "bold" if i % 2 else None)
    return found


def remove_bold_marks(text: str) -> str:
    """Return text without the ``**`` before and after bold parts.

    >>> remove_bold_marks("**85** to draw")
    '85 to draw'
    """
    return text.replace("**", "")


def help_without_touch_sentences(text: str) -> str:
    """Return a help text for players who type their moves, without its sentences about touching a web page.

    >>> help_without_touch_sentences("It is your last turn. Touch the discard pile to take its top card. Low is good.")
    'It is your last turn. Low is good.'
    """
    touching = tuple(_(TOUCHING).split("|"))
    return replace_touch_verb(
        " ".join(part for part in re.split(r"(?<=[.?!]) ", text) if not part.startswith(touching))
    )


def replace_touch_verb(text: str) -> str:
    """Replace "touch" and "tap" by "choose" in a text that was written for the web page, because moves are typed in the
    terminal.

    >>> replace_touch_verb("You drew an 11. Touch the discard pile. First tap the 5.")
    'You drew an 11. Choose the discard pile. First choose the 5.'
    """
    *verbs, choose = _(TOUCH_VERB).split("|")
    for verb in verbs:
        text = re.sub(rf"\b{verb}\b", choose, text)
        text = re.sub(rf"\b{verb.capitalize()}\b", choose.capitalize(), text)
    return text


def wrap_text(text: str, width: int) -> str:
    r"""Wrap text at spaces to at most `width` columns.

    The second and later lines of a list item are indented, so that they begin below its text. The same is done for an
    entry of two columns: a name and, after at least three spaces, a description.

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


def wrap_to_block(text: Text, width: int) -> Block:
    """Wrap text at spaces to at most `width` columns. A word that is longer than a line is cut with an ellipsis."""
    lines = [Text()]
    for word in text.split(" "):
        if word.cell_len > width:
            word.truncate(width, overflow="ellipsis")
        if lines[-1].plain and lines[-1].cell_len + 1 + word.cell_len > width:
            lines.append(Text())
        lines[-1].append(" " if lines[-1].plain else "").append_text(word)
    return Block(tuple(lines))


def fit_to_width(text: str, width: int) -> str:
    """Return text in exactly `width` columns: cut with an ellipsis, or padded with spaces.

    >>> fit_to_width("Juniper", 5), fit_to_width("Sol", 5)
    ('Juni…', 'Sol  ')
    """
    if cell_len(text) > width:
        while cell_len(text) > width - 1:
            text = text[:-1]
        text += "…" + PDI * (text.count(FSI) - text.count(PDI))
    return isolate_right_to_left(text) + " " * (width - cell_len(text))


def typed_part_of_place_id(place: str) -> str:
    """Return the part of a place's id after the last dash. Players type this part to name the place.

    >>> typed_part_of_place_id("p0-a3"), typed_part_of_place_id("hand-2"), typed_part_of_place_id("discard")
    ('a3', '2', 'discard')
    """
    return place.rsplit("-", 1)[-1]
