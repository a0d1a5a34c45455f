"""Layout of a screen in the terminal: title, the largest drawing of the table that fits, log, and prompt.

The code is the same for all games. It draws the parts of a `Table` (`core.table`): zones (groups of cards), panels
(additional information) and badges (numbers shown beside a player, such as how many cards are in the player's hand).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement, zip_longest
from typing import Any

from rich.cells import cell_len
from rich.text import Text

from facedown.core.table import LogLine, Panel, Table, TouchStep, Zone
from facedown.core.translation import isolate_right_to_left, language
from facedown.terminal.card_drawing import BOLD, DIM, Pen, Size, draw_card
from facedown.terminal.i18n import N_, _
from facedown.terminal.table_drawing import Players, Scale, card_sign_legend, panels_in_seating_order
from facedown.terminal.text_blocks import (
    Block,
    block,
    fit_to_width,
    flow,
    help_without_touch_sentences,
    hstack,
    parse_bold,
    typed_part_of_place_id,
    vstack,
    wrap_to_block,
)

MARGIN = 1
#: Smallest size of a window that can show a table: columns, rows.
MIN_SIZE = (60, 20)
TOO_SMALL = N_("The window is too small: enlarge it to 60 × 20 characters, or use --plain.")
#: Smallest space in which the log is shown: columns, rows. A single row is enough if it has 60 columns.
LOG_COLUMNS, LOG_ROWS = 24, 2
#: Smallest width of a window in which the log has its own column, and the width of that column.
LOG_COLUMN_FROM, LOG_WIDE = 110, 36

#: Scales at which a table can be drawn, from the largest to the smallest. A scale determines the sizes of the cards and
#: the amount of text.
SCALES = (
    Scale(Size.LARGE, Size.LARGE),
    Scale(Size.LARGE, Size.BOX),
    Scale(),
    Scale(gap=0),
    Scale(Size.BOX, Size.LINE, gap=0),
    Scale(Size.BOX, Size.LINE, gap=0, words=False),
    Scale(Size.BOX, Size.LINE, gap=0, thin=True),
    Scale(Size.BOX, Size.LINE, gap=0, thin=True, words=False),
    Scale(Size.LINE, Size.LINE, gap=0, thin=True),
    Scale(Size.LINE, Size.LINE, gap=0, thin=True, words=False),
)
#: Smallest height of a window with large cards, in rows.
LARGE_CARDS_FROM = 30

#: Commands that are listed on each screen after the moves that may be typed.
COMMANDS = (N_("? help"), N_("l log"), N_("s scores"), N_("q leave"))
INDENT = 3
#: Smallest height of a window with two lines for hints about what may be typed.
TWO_HINT_LINES_FROM = 22


def table_and_log_lines(table: Table, pen: Pen, width: int, rows: int) -> list[Text]:
    """Return the middle part of a screen, in `rows` lines: the table and the log.

    A scale determines the sizes of the cards and the amount of text (`SCALES`). The table is drawn at the largest scale
    that fits and leaves space for the log. If no scale leaves that space, the largest that fits is used.

    Raise `ValueError` if the table does not fit at any scale.
    """
    inner = width - 2 * MARGIN
    # If the table has lanes (columns of cards from one player to the other), there is text to the right of them. Then
    # the log is placed below.
    column = width >= LOG_COLUMN_FROM and table.layout.kind != "lanes"
    if column:
        inner -= LOG_WIDE + 3
    scales = SCALES if rows >= LARGE_CARDS_FROM - 6 else SCALES[2:]
    found: Block | None = None
    for scale in scales:
        drawn = Drawing(table, pen, scale, inner).draw_table()
        if drawn.width > inner or drawn.height > rows:
            continue
        found = found or drawn
        if column or not table.log or width < 70 or find_first_row_and_size_for_log(drawn, inner, rows) is not None:
            found = drawn
            break
    if found is None:
        raise ValueError(f"this table does not fit {width} × {rows}")
    lines = [*found.lines, *(Text("") for _ in range(rows - found.height))]
    lines = add_log_column(lines, table.log, inner) if column else add_log_in_free_space(lines, found, table.log, inner)
    return [Text(" " * MARGIN).append_text(line) if line.plain else line for line in lines]


# --- log -------------------------------------------------------------------------------------------------------------


def log_lines_that_fit(log: Sequence[LogLine], width: int, rows: int) -> list[Text]:
    """Return the last entries of the log that fit into `rows` lines of `width` columns, the oldest of them first.

    The number of an entry, such as the number of the turn, is to the left of its text. Some entries have no number.
    """
    head = max((len(line.number) for line in log), default=0)
    found: list[Text] = []
    for line in reversed(log):
        body = wrap_to_block(parse_bold(line.text), width - head - 1)
        entry = hstack([block([Text(line.number.rjust(head), DIM)]), body], 1)
        if len(found) + entry.height > rows:
            break
        found = [*entry.lines, *found]
    return found


def find_first_row_and_size_for_log(drawn: Block, width: int, rows: int) -> tuple[int, int, int] | None:
    """Return the largest free rectangle for the log as (first row, number of rows, number of columns).

    `drawn` is the drawing of the table. It is at the upper left of a space of `width` columns and `rows` rows. The
    rectangle is to the right of the drawing or below it. Rows are counted from 0.

    The result has at most 14 rows and 72 columns. The largest rectangle is the one with the most characters. In this
    comparison, a rectangle with more than 50 columns counts as if it had 50. Return None if no free rectangle has at
    least 2 rows of 24 columns, or 1 row of 60 columns.
    """
    free = [width - line.cell_len - 4 for line in drawn.lines] + [width] * (rows - drawn.height)
    best, worth = None, 0
    for first, last in combinations_with_replacement(range(rows), 2):
        tall, room = last - first + 1, min(72, *free[first : last + 1])
        size = min(tall, 14) * min(room, 50)
        if room >= LOG_COLUMNS and (tall >= LOG_ROWS or room >= 60) and size > worth:
            best, worth = (first, tall, room), size
    return best


def add_log_in_free_space(lines: list[Text], drawn: Block, log: Sequence[LogLine], width: int) -> list[Text]:
    """Write the last entries of the log into the free space to the right of the drawing of a table or below it.

    * `drawn`: the drawing of the table. It is at the upper left of the part of the screen for table and log.
    * `lines`: all lines of this part of the screen: the lines of `drawn`, then empty lines. This list is changed.
    * `width`: the width of this part of the screen in columns.

    Return `lines` with the entries of the log, or unchanged if there is not enough free space.
    """
    place = find_first_row_and_size_for_log(drawn, width, len(lines))
    if place is None:
        return lines
    first, rows, columns = place
    for y, entry in enumerate(log_lines_that_fit(log, columns, rows), first):
        lines[y] = lines[y].copy().append(" " * (width - columns - lines[y].cell_len)).append_text(entry)
    return lines


def add_log_column(lines: list[Text], log: Sequence[LogLine], width: int) -> list[Text]:
    """Return the lines of a drawing with the last entries of the log in a separate column to the right of it.

    `lines` are the lines of the drawing, for which `width` columns are reserved. The column of the log begins after
    these, and has the heading "What happened".
    """
    entries = [Text(_("What happened"), DIM), *log_lines_that_fit(log, LOG_WIDE - 2, len(lines) - 1)]
    return [
        line.copy().append(" " * (width + 1 - line.cell_len)).append("│ ", DIM).append_text(entry)
        for line, entry in zip_longest(lines, entries, fillvalue=Text(""))
    ]


# --- table -----------------------------------------------------------------------------------------------------------


class Drawing(Players):
    """Drawing of a whole table in a given width, at a given scale (the sizes of the cards and the amount of text)."""

    def with_width(self, width: int) -> Drawing:
        """Return a drawing of the same table, in the same style and scale, that is laid out within `width` columns."""
        return Drawing(self.table, self.pen, self.scale, width)

    def draw_table(self) -> Block:
        """Draw the whole table, from top to bottom, as one block."""
        if self.table.slips:
            parts = [self.draw_score_slips()]
        elif self.table.layout.kind == "lanes":
            parts = [self.draw_lanes_and_notes(), self.draw_own_zones(named=False)]
        elif self.table.layout.kind == "grids":
            # At small scales, the piles are drawn to the right of the viewer's own grid.
            small = self.scale.thin or not self.scale.words or self.scale.middle == Size.LINE
            parts = [
                self.opponents_side_by_side(),
                *([self.draw_own_grid_beside_middle()] if small else [self.draw_middle(), self.draw_own_zones()]),
            ]
        else:
            parts = [self.draw_player_rows(), self.draw_middle(), self.draw_own_zones(named=False)]
        if self.table.over and self.table.slips:
            parts.append(vstack(*self.panel_blocks()))
        return vstack(*(part for part in parts if part.height), gap=self.scale.gap)

    def draw_own_grid_beside_middle(self) -> Block:
        """Draw the viewer's own grid, and to the right of it everything in the middle of the table.

        If the width is too small, draw the grid below the middle.
        """
        own = self.draw_own_zones()
        room = self.width - own.width - 4
        if room <= 20:
            return vstack(self.draw_middle(), own)
        return hstack([own, vstack(block([""]), self.with_width(room).draw_middle())], 4)

    def draw_lanes_and_notes(self) -> Block:
        """Draw the lanes (columns of cards from one player to the other), and to the right of them everything else as
        text.
        """
        left = self.draw_lanes()
        room = self.width - left.width - 3
        side = self.with_width(room)
        zones = [zone for zone in self.table.zones if zone.area in ("left", "center", "right") and not zone.group]
        if not self.scale.words:
            # Rows with only face-down cards are left out, because such a card shows nothing.
            zones = [zone for zone in zones if zone.kind != "row" or any(p.kind == "face" for p in zone.pieces)]
        said = [self.zone_summary(zone) for zone in zones]
        notes = side.panel_blocks() if self.scale.words else ()
        right = vstack(
            side.player_sentences(panels_in_seating_order(self.table)),
            *(wrap_to_block(text, room) for text in said if text.plain),
            *notes,
        )
        return hstack([left, right], 3)

    def zone_summary(self, zone: Zone) -> Text:
        """Describe a zone (group of cards) in a few words: its label, and its face-up cards."""
        note = parse_bold(zone.label or zone.note)
        if zone.kind == "row" and all(piece.kind == "back" for piece in zone.pieces):
            note.append(": " + _("face down"))
        for piece in zone.pieces:
            if piece.kind == "face":
                note.append("  ").append_text(draw_card(self.pen, self.game, piece).lines[0])
        return note

    def draw_middle(self) -> Block:
        """Draw the zones (groups of cards) between the players, and below them panels with additional information."""
        zones = [zone for zone in self.table.zones if zone.area in ("left", "center", "right")]
        # Zones with face-up cards come first, piles after them (to the right or below).
        zones.sort(key=lambda zone: zone.kind not in ("row", "trick", "grid", "cascade"))
        drawn = [self.draw_zone(zone) for zone in zones]
        gap = 4 if self.scale.gap else 3
        return vstack(flow([one for one in drawn if one.height], self.width, gap), *self.panel_blocks())

    def draw_own_zones(self, named: bool = True) -> Block:
        """Draw the viewer's own cards. If `named` is set, a line with the viewer's name and score is above them."""
        zones = [zone for zone in self.table.zones if zone.area in ("you", "hand")]
        head = self.viewer_line() if named else block([])
        return vstack(head, *(self.draw_zone(zone) for zone in zones))

    # --- panels and score slips --------------------------------------------------------------------------------------

    def panel_blocks(self) -> Iterator[Block]:
        """Yield each panel (additional information that a game shows) as a block of text. Empty panels are left out."""
        for panel in self.table.panels:
            said = self.panel_text(panel)
            if said.plain.strip():
                yield wrap_to_block(said, self.width)

    def panel_text(self, panel: Panel) -> Text:
        """Return the text of a panel (additional information that a game shows); empty if there is nothing to show."""
        data = panel.data
        names = self.names
        if panel.kind == "note" and not (self.table.over and not self.scale.words):
            return parse_bold(str(data.get("text", "")), DIM)
        if panel.kind == "stages" and self.scale.words:
            return Text(" → ", DIM).join(_stage_text(one) for one in data["stages"])
        if panel.kind == "contract":
            parts = [str(data[key]).rstrip(".") for key in ("title", "note") if data.get(key)]
            if data.get("points") is not None and data.get("bid"):
                parts.insert(1, _("{points} of {bid} won", points=data["points"], bid=data["bid"]))
            return parse_bold(" · ".join(parts if self.scale.words else parts[:2]))
        if panel.kind == "dial" and self.scale.words:
            order = " → ".join(names.get(seat, str(seat)) for seat in data.get("order", ()))
            says = " · ".join(str(data[key]) for key in ("says", "note") if data.get(key))
            turn = _("**Turn {number}**", number=data.get("turn", ""))
            return parse_bold(f"{turn}  {order}  {says}")
        if panel.kind == "legend":
            return Text(card_sign_legend(data.get("items", ())), DIM)
        if panel.kind == "ladder" and data.get("steps"):
            return Text(" → ", DIM).join(Text(f"{names.get(one['seat'], '')} {one['text']}") for one in data["steps"])
        return Text("")

    def draw_score_slips(self) -> Block:
        """Draw the score slips, which show how each player's points were computed.

        Every slip begins with the player's name and points. If the cards in the drawing are larger than one line, the
        computation follows, first card by card, then in a sentence. If the cards take one line each, only the sentence
        follows. In a drawing with the least text (`Scale.thin` is set, `Scale.words` is not), nothing follows.
        """
        detailed = self.scale.middle > Size.LINE
        drawn = []
        for slip in self.table.slips:
            head = Text().append(fit_to_width(self.names[slip.seat], 20).rstrip(), BOLD)
            head.append(f"  {slip.points}", self.pen.accent_style(self.game)).append(f"  {slip.title}", DIM)
            rows = []
            labels = min(14, max((len(row.label) for row in slip.rows), default=0))
            for row in slip.rows if detailed else ():
                parts = [block([Text(fit_to_width(row.label, labels), DIM)])]
                parts += [draw_card(self.pen, self.game, piece) for piece in row.pieces]
                rows.append(hstack([*parts, block([Text(f"= {row.subtotal}" if row.pieces else row.subtotal)])], 1))
            room = 36 if detailed else self.width
            if slip.sum and (self.scale.words or not (detailed or self.scale.thin)):
                rows.append(wrap_to_block(parse_bold(slip.sum), room))
            drawn.append(vstack(wrap_to_block(head, room), *rows))
        return flow(drawn, self.width, 4, self.scale.gap)


def _stage_text(stage: dict[str, Any]) -> Text:
    dots = "".join("●" if pip else "○" for pip in stage.get("pips", ()))
    name = Text(stage["name"], BOLD if stage["state"] == "now" else DIM)
    return name.append(f" {dots}", DIM) if dots else name


# --- screen -----------------------------------------------------------------------------------------------------------


def table_screen_above_input(
    table: Table,
    step: TouchStep,
    pen: Pen,
    typed: Sequence[str],
    width: int,
    height: int,
    says: Sequence[str] = (),
) -> list[Text]:
    """Return all lines of a screen except the last one, in which the player types.

    From top to bottom, the lines show the title, the table with the log, the prompt, messages, and hints.

    * `step`: the prompt to be shown.
    * `typed`: the inputs that are possible now, to be listed as hints.
    * `says`: the messages. If there are any, hints are shown only if there is space left.

    Raise `ValueError` if the table does not fit into a window of `width` columns and `height` rows.
    """
    foot = footer(table, step, pen, typed, width, height, says)
    body = table_and_log_lines(table, pen, width, height - 1 - 2 - len(foot))
    return [title_line(table, pen, width), horizontal_line(width), *body, *foot]


def text_screen(table: Table, pen: Pen, lines: Sequence[str], width: int, height: int, foot: str) -> list[Text]:
    """Return the lines of a screen that shows text instead of the table.

    The last line of the screen, in which the player types, is not included. `lines` is the text; lines that do not fit
    are left out. `foot` is shown below the text.
    """
    rows = text_rows_per_page(height)
    body = [Text(" " * MARGIN + line) for line in lines[:rows]] + [Text("")] * (rows - len(lines))
    return [title_line(table, pen, width), horizontal_line(width), *body, horizontal_line(width), Text(f" {foot}", DIM)]


def text_rows_per_page(height: int) -> int:
    """Return how many lines of text fit on a screen that shows text instead of the game table (`text_screen`).

    `height` is the height of the window in rows. Five rows are used for other things: the title, a horizontal line
    above and one below the text, the footer, and the input.
    """
    return height - 5


def horizontal_line(width: int) -> Text:
    """Return a thin, dim line of `width` columns, which separates the parts of a screen."""
    return Text("─" * width, DIM)


def title_line(table: Table, pen: Pen, width: int) -> Text:
    """Return the title line: the game, the round, the scores, and whose turn it is."""
    accent = pen.accent_style(table.game)
    your_turn = any(panel.you and panel.acting for panel in table.seats)
    turn = table.turn_words or (_("your turn") if your_turn else "")
    left = Text(" ").append(table.title, BOLD)
    where = ", ".join(table.where)
    if cell_len(where) > width - left.cell_len - 2 - cell_len(turn) - 3:
        where = (table.where or ("",))[0]
    # This phrase follows the title in the same line, so in English its first letter becomes lower case. In German the
    # phrase may start with a noun, so it stays as it is.
    left.append(f"  {where[:1].lower() if language() == 'en' else where[:1]}{where[1:]}", DIM)
    room = width - left.cell_len - cell_len(turn) - 6
    left.append(f"   {standing}" if (standing := scores_text_that_fits(table, room)) else "")
    right = Text(turn, accent + BOLD if table.your_turn or your_turn else accent)
    return left.append(" " * max(1, width - MARGIN - left.cell_len - right.cell_len)).append_text(right)


def scores_text_that_fits(table: Table, room: int) -> str:
    """Return the scores of all players if they fit into `room` columns, else only the viewer's score if it fits.

    If that does not fit either, return an empty string.
    """
    names = {panel.seat: isolate_right_to_left(panel.name) for panel in table.seats}
    rows = sorted(table.scores, key=lambda row: row.seat != table.viewer)
    every = " · ".join(f"{names[row.seat]} {row.total}" for row in rows)
    own = next((_("you {total}", total=row.total) for row in rows if row.seat == table.viewer), "")
    return next((text for text in (every, own) if text and cell_len(text) <= room), "")


def footer(
    table: Table, step: TouchStep, pen: Pen, typed: Sequence[str], width: int, height: int, says: Sequence[str]
) -> list[Text]:
    """Return the lower part of a screen: a horizontal line, the prompt, and one or two lines for messages and hints.

    * `says`: the messages.
    * `typed`: the inputs that are possible now. The hints list these inputs if the messages leave space.
    """
    room = width - INDENT - MARGIN
    asked = wrap_to_block(parse_bold(step.prompt, BOLD), room).lines
    lamp = [Text(" ● ", pen.accent_style(table.game)), *(Text(" " * INDENT) for _ in asked)]
    lines = [horizontal_line(width), *(mark.append_text(line) for mark, line in zip(lamp, asked, strict=False))]
    allowed = max(1, (1 if height < TWO_HINT_LINES_FROM else 2) - (len(asked) - 1))
    told = [line for text in says for line in wrap_to_block(Text(text), room).lines]
    left = allowed - len(told)
    # Show what may be typed if there is no message, or if the messages leave lines free.
    if not says or (typed and left > 0):
        told += input_hints(step, typed, room, left, TWO_HINT_LINES_FROM if says else height)
    return [*lines, *(Text(" " * INDENT).append_text(line) for line in told)]


def input_hints(step: TouchStep, typed: Sequence[str], room: int, allowed: int, height: int) -> list[Text]:
    """Return lines of hints about what may be typed. Each line has at most `room` columns.

    The hints are, in this order:

    * the help text of the prompt `step`, if the window has at least 30 rows (`height`);
    * moves: first the choices of the prompt that have a description, then the inputs in `typed`. These are texts that
      the player may type now, such as "throw a3";
    * commands, such as "? help".

    The moves and commands together may take at most `allowed` lines. The help text does not count.

    * The first three commands are always shown. If `allowed` is 1, this is so only for the first command.
    * As many moves as then fit are shown. If moves are left out, "…" follows the last one shown.
    * The other commands are shown as far as there is still space.

    If even the commands that are always shown do not fit, return only the first command, without the help text.
    """
    moves = [*(f"{typed_part_of_place_id(c.touch)}: {c.says}" for c in step.choices if c.says and not c.button), *typed]
    commands = [_(command) for command in COMMANDS]
    for kept in range(len(moves), -1, -1):
        shown = moves[:kept] + (["…"] if kept < len(moves) else [])
        for last in range(len(commands), 0 if allowed == 1 else 2, -1):
            lines = wrap_items([*shown, *commands[:last]], room)
            if len(lines) <= allowed:
                helps = (
                    wrap_to_block(Text(help_without_touch_sentences(step.help), DIM), room).lines
                    if height >= 30 and step.help
                    else ()
                )
                return [*(Text(line.plain, DIM) for line in helps if line.plain), *lines]
    return wrap_items(commands[:1], room)


def wrap_items(items: Sequence[str], room: int) -> list[Text]:
    """Return items of text in one or more lines of `room` columns. Only an item longer than a line is split."""
    parts = [text.replace(" ", "\u00a0") if cell_len(text) <= room else text for text in items]
    drawn = wrap_to_block(Text("   ".join(parts), DIM), room)
    return [Text(line.plain.replace("\u00a0", " ").strip(), DIM) for line in drawn.lines]
