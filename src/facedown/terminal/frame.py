"""A screen of exactly so many columns and rows: title, table, prompt, what may be typed. The last row is for typing."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rich.cells import cell_len
from rich.text import Text

from facedown.core.table import Step, Table
from facedown.terminal.blocks import marked, tail_of, typed_help, wrap
from facedown.terminal.cards import BOLD, DIM, Pen
from facedown.terminal.layout import MARGIN, body_of

#: What can be typed besides moves, on each screen.
COMMANDS = ("? help", "l log", "s scores", "q leave")
INDENT = 3
LOW = 22
"""A screen with fewer rows has one line for what may be typed."""


def frame(
    table: Table,
    step: Step,
    pen: Pen,
    words: Collection[str],
    typed: Sequence[str],
    width: int,
    height: int,
    says: Sequence[str] = (),
) -> list[Text]:
    """All lines of a screen but the last, where the person types; `says` stands in the place of what may be typed.

    `words`: the words in which moves are typed.
    """
    foot = footer(table, step, pen, typed, width, height, says)
    rows = height - 1 - 2 - len(foot)
    drawn = body_of(table, pen, words, width, rows)
    return [title(table, pen, width), rule(width), *drawn.lines, *foot]


def page(table: Table, pen: Pen, lines: Sequence[str], width: int, height: int, foot: str) -> list[Text]:
    """A screen of text in the place of the table."""
    rows = height - 1 - 2 - 2
    body = [Text(" " * MARGIN + line) for line in lines[:rows]] + [Text("")] * (rows - len(lines))
    return [title(table, pen, width), rule(width), *body, rule(width), Text(f" {foot}", DIM)]


def page_rows(height: int) -> int:
    """How many lines of text a page holds."""
    return height - 5


def rule(width: int) -> Text:
    """A line across the screen."""
    return Text("─" * width, DIM)


def title(table: Table, pen: Pen, width: int) -> Text:
    """The game, where the match stands, the scores, whose turn it is."""
    accent = pen.accent(table.game)
    your_turn = any(panel.you and panel.acting for panel in table.seats)
    turn = table.turn_words or ("your turn" if your_turn else "")
    left = Text(" ").append(table.title, BOLD)
    where = ", ".join(table.where)
    if cell_len(where) > width - left.cell_len - 2 - cell_len(turn) - 3:
        where = (table.where or ("",))[0]
    left.append(f"  {where[:1].lower()}{where[1:]}", DIM)
    room = width - left.cell_len - cell_len(turn) - 6
    left.append(f"   {standing}" if (standing := scores(table, room)) else "")
    right = Text(turn, accent + BOLD if turn == "your turn" else accent)
    return left.append(" " * max(1, width - MARGIN - left.cell_len - right.cell_len)).append_text(right)


def scores(table: Table, room: int) -> str:
    """Everybody's score if there is room, else the viewer's own."""
    names = {panel.seat: panel.name for panel in table.seats}
    rows = sorted(table.scores, key=lambda row: row.seat != table.viewer)
    every = " · ".join(f"{names[row.seat]} {row.total}" for row in rows)
    own = next((f"you {row.total}" for row in rows if row.seat == table.viewer), "")
    return next((text for text in (every, own) if text and cell_len(text) <= room), "")


def footer(
    table: Table, step: Step, pen: Pen, typed: Sequence[str], width: int, height: int, says: Sequence[str]
) -> list[Text]:
    """The rule, the prompt, and one or two lines of what may be typed (or of what there is to say)."""
    room = width - INDENT - MARGIN
    asked = wrap(marked(step.prompt, BOLD), room).lines
    lamp = [Text(" ● ", pen.accent(table.game)), *(Text(" " * INDENT) for _ in asked)]
    lines = [rule(width), *(mark.append_text(line) for mark, line in zip(lamp, asked, strict=False))]
    allowed = max(1, (1 if height < LOW else 2) - (len(asked) - 1))
    if says:
        told = [line for text in says for line in wrap(Text(text), room).lines]
    else:
        told = offers(step, typed, room, allowed, height)
    return [*lines, *(Text(" " * INDENT).append_text(line) for line in told)]


def offers(step: Step, typed: Sequence[str], room: int, allowed: int, height: int) -> list[Text]:
    """What may be typed, in so many lines: moves first, and the commands always."""
    moves = [*(f"{tail_of(c.touch)}: {c.says}" for c in step.choices if c.says and not c.button), *typed]
    commands = list(COMMANDS)
    for kept in range(len(moves), -1, -1):
        shown = moves[:kept] + (["…"] if kept < len(moves) else [])
        for last in range(len(commands), 0 if allowed == 1 else 2, -1):
            lines = lines_of([*shown, *commands[:last]], room)
            if len(lines) <= allowed:
                helps = wrap(Text(typed_help(step.help), DIM), room).lines if height >= 30 and step.help else ()
                return [*(Text(line.plain, DIM) for line in helps if line.plain), *lines]
    return lines_of(commands[:1], room)


def lines_of(items: Sequence[str], room: int) -> list[Text]:
    """Things to type, side by side, none of them broken over two lines unless it has to be."""
    parts = [text.replace(" ", "\u00a0") if cell_len(text) <= room else text for text in items]
    drawn = wrap(Text("   ".join(parts), DIM), room)
    return [Text(line.plain.replace("\u00a0", " ").strip(), DIM) for line in drawn.lines]
