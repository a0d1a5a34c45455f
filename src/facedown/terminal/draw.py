"""Any `Table`, drawn in a terminal of eighty columns. Nothing here knows a game."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from rich.style import Style
from rich.text import Text

from facedown.core.table import Piece, SeatPanel, Step, Table, Zone, ways
from facedown.terminal.blocks import (
    COLUMNS,
    Block,
    below,
    beside,
    block,
    fit,
    flow,
    indent,
    marked,
    tail_of,
    typed_help,
    wrap,
)
from facedown.terminal.faces import accents, back_colour, face_of, width_of
from facedown.terminal.spoken import says_score

DIM = Style(dim=True)
BOLD = Style(bold=True)
MARGIN = 2
#: With more opponents than this, grids lose the empty lines between their rows.
ROOMY = 3
LOG_LINES = 5
#: On a low screen the table comes before the log, but what was done last is always there.
FEWEST_LOG_LINES = 2


@dataclass(frozen=True, slots=True)
class Pen:
    """How to draw: with colours or with brackets, and in which theme."""

    colours: bool = True
    theme: str = "dark"

    def accent(self, game: str) -> Style:
        """The accent of a game."""
        return Style(color=accents(self.theme).get(game, accents(self.theme)["home"])) if self.colours else BOLD


# --- pieces ----------------------------------------------------------------------------------------------------------


def cell(pen: Pen, game: str, piece: Piece) -> Block:
    """One piece as a block: a card of two numbers is three lines high, anything else one."""
    width = width_of(game)
    underline = any(mark in piece.marks for mark in ("picked", "staged", "chosen", "held"))
    faded = "faded" in piece.marks
    if piece.kind == "face":
        face = face_of(game, piece)
        if not pen.colours:
            text = f"{face.text}/{face.lower[0]}" if face.lower else face.text
            return block([Text(f"[{_set(text, width)}]", Style(bold=not faded, underline=underline, dim=faded))])
        style = Style(color=face.ink, bgcolor=face.paper, underline=underline, dim=faded, bold=not faded)
        if face.lower is None:
            return block([Text(_set(face.text, width), style)])
        lower_text, lower_ink, lower_paper = face.lower
        return block(
            [
                Text(f" {face.text}".ljust(width), style),
                Text("▀" * width, Style(color=face.paper, bgcolor=lower_paper, dim=faded)),
                Text(f"{lower_text} ".rjust(width), Style(color=lower_ink, bgcolor=lower_paper, bold=True, dim=faded)),
            ]
        )
    if piece.kind == "back":
        if not pen.colours:
            return block([Text(f"[{_centre('??', width)}]", Style(underline=underline))])
        mark = "✓" if "picked" in piece.marks or "chosen" in piece.marks else ""
        lid = back_colour(game)
        style = Style(color=lid, bgcolor=lighter(lid), underline=underline)
        return block([Text(mark, pen.accent(game)).append("░" * (width - len(mark)), style)])
    if piece.kind == "slot":
        return block([Text(f"[{' ' * width}]" if not pen.colours else "┄" * width, DIM)])
    # A card that is gone, or a gap: the place stays.
    inner = width if pen.colours else width + 2
    return block([Text(_centre("·" if piece.kind == "gone" else "", inner), DIM)])


def lighter(colour: str) -> str:
    """A colour a step towards white.

    >>> lighter("#1F6370")
    '#427b86'
    """
    parts = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    return "#" + "".join(f"{part + (255 - part) * 4 // 25:02x}" for part in parts)


def _centre(text: str, width: int) -> str:
    return text.center(width) if len(text) <= width else text[:width]


def _set(text: str, width: int) -> str:
    """A short number stands right, as in a column; a word stands in the middle."""
    return f"{text} ".rjust(width) if len(text) < width - 1 and width <= 4 else _centre(text, width)


# --- zones -----------------------------------------------------------------------------------------------------------


class Drawing:
    """One table, drawn with a pen."""

    def __init__(self, table: Table, pen: Pen, typed: Collection[str] = ()) -> None:
        self.table = table
        self.pen = pen
        self.game = table.game
        self.typed = typed
        """The words in which moves are typed: a place that is one of them has its name written below it."""
        self.touched = {choice.touch for touched in ways(table.step) for choice in touched}
        """All that the moves of this step touch."""
        others = sum(1 for zone in table.zones if zone.area == "seat" and zone.kind == "grid")
        self.airy = others <= ROOMY and pen.colours

    def piece(self, piece: Piece) -> Block:
        """A piece with its tag."""
        drawn = cell(self.pen, self.game, piece)
        return below(drawn, block([Text(fit(piece.tag, max(drawn.width, 4)), DIM)])) if piece.tag else drawn

    def zone(self, zone: Zone) -> Block:
        """A zone with its label."""
        if zone.kind == "grid":
            return self.grid(zone)
        if zone.kind == "pile":
            drawn = [self.piece(p) for p in zone.pieces[:1]]
            return beside([*drawn, wrap(marked(zone.label), 30)], gap=1)
        if zone.kind == "heap":
            drawn = [self.piece(p) for p in zone.pieces[:1]]
            return beside([*drawn, wrap(marked(zone.label or f"**{len(zone.pieces)}**"), 30)], gap=1)
        if zone.kind == "cascade":
            return self.titled(zone, below(*(self.piece(p) for p in zone.pieces)))
        if zone.area == "seat" and zone.pieces and all(p.kind == "back" for p in zone.pieces):
            return self.count(zone)
        if zone.kind == "row" and len(zone.pieces) == 1 and zone.area != "hand":
            return beside([self.piece(zone.pieces[0]), wrap(marked(zone.label or zone.note), 30)], gap=1)
        return self.row(zone)

    def titled(self, zone: Zone, drawn: Block) -> Block:
        """Label above, note below."""
        above = wrap(marked(zone.label, DIM), max(drawn.width, 34)) if zone.label else block([])
        note = wrap(marked(zone.note, DIM), max(drawn.width, 34)) if zone.note else block([])
        return below(above, drawn, note)

    def count(self, zone: Zone) -> Block:
        """Someone's hidden hand: as many strokes as cards, and the number."""
        style = Style(color=back_colour(self.game)) if self.pen.colours else Style()
        strokes = Text("▌" * len(zone.pieces), style)
        return block([Text().append_text(strokes).append(f" {len(zone.pieces)}")])

    def row(self, zone: Zone) -> Block:
        """Pieces side by side; those that can be named have their number below."""
        pieces = []
        cards = [piece for piece in zone.pieces if piece.kind != "gap"]
        named = len(cards) > 1 and self.numbered(zone, cards)
        for piece in cards:
            drawn = self.piece(piece)
            if named:
                drawn = below(drawn, block([Text(tail_of(piece.place).center(drawn.width), DIM)]))
            pieces.append(drawn)
        gap = 1 if self.pen.colours else 0
        return self.titled(zone, flow(pieces, COLUMNS - MARGIN, gap, 1))

    def numbered(self, zone: Zone, cards: Sequence[Piece]) -> bool:
        """Are the places of this row what is typed? A number may mean something else: a bid, a trump."""
        ready = sum(tail_of(piece.place) in self.typed for piece in cards)
        if zone.area != "hand":
            # Where a card is laid into a gap of the hand, numbers count the cards of the hand.
            gaps = {p.place for one in self.table.zones for p in one.pieces if p.kind == "gap"}
            return 2 * ready > len(cards) and not gaps & self.touched
        return ready > 0 and any(piece.place in self.touched for piece in zone.pieces)

    def grid(self, zone: Zone) -> Block:
        """Rows of pieces; your own has its coordinates at the edges."""
        columns = max(1, zone.columns)
        gap = 1 if self.pen.colours else 0
        mine = zone.seat == self.table.viewer
        names = [tail_of(p.place) for p in zone.pieces]
        coordinates = mine and all(re.fullmatch(r"[a-z]\d", name) for name in names)
        lines: list[Block] = []
        for at in range(0, len(zone.pieces), columns):
            drawn = [self.piece(p) for p in zone.pieces[at : at + columns]]
            if coordinates and not lines:
                heads = [Text(names[i][0].center(one.width), DIM) for i, one in enumerate(drawn)]
                lines.append(beside([block(["   "]), *(block([head]) for head in heads)], gap))
                lines[-1] = block([Text(" " * (3 + gap)).append_text(_joined(heads, gap))])
            if coordinates:
                drawn.insert(0, block([Text(f" {names[at][1]} ", DIM)]))
            lines.append(beside(drawn, gap))
            if self.airy and at + columns < len(zone.pieces):
                lines.append(block([""]))
        return self.titled(zone, below(*lines)) if not mine else below(*lines)

    # --- the players -------------------------------------------------------------------------------------------------

    def score(self, seat: int) -> str:
        """What a seat has in all."""
        return next((row.total for row in self.table.scores if row.seat == seat), "")

    def total(self, panel: SeatPanel) -> str:
        """The score of a seat, unless its own line begins with it."""
        score = self.score(panel.seat)
        return "" if says_score(panel, score) else score

    def state(self, panel: SeatPanel) -> Text:
        """What is said of a seat below its name."""
        parts = [panel.line, panel.state, *(badge.says for badge in panel.badges)]
        return Text(" · ".join(part for part in parts if part), DIM)

    def seat(self, panel: SeatPanel, zones: Sequence[Zone]) -> Block:
        """A player with what lies before them."""
        drawn = [self.zone(zone) for zone in zones]
        width = max([one.width for one in drawn], default=20)
        name = Text().append(panel.name, self.pen.accent(self.game) + BOLD if panel.acting else BOLD)
        if panel.bot:
            name.append("  bot", DIM)
        score = self.total(panel)
        name.append(" " * max(2, width - name.cell_len - len(score))).append(score)
        state = self.state(panel)
        return below(block([name]), *drawn, wrap(state, max(width, 22)) if state.plain else block([]))

    def others(self) -> Block:
        """Everybody but the viewer, in the order in which their zones come."""
        order: list[int] = []
        for zone in self.table.zones:
            if zone.area == "seat" and zone.seat is not None and zone.seat not in order:
                order.append(zone.seat)
        order += [panel.seat for panel in self.table.seats if panel.seat not in order]
        panels = {panel.seat: panel for panel in self.table.seats}
        blocks = [
            self.seat(panels[seat], [z for z in self.table.zones if z.area == "seat" and z.seat == seat])
            for seat in order
            if seat != self.table.viewer
        ]
        return flow(blocks, COLUMNS - MARGIN, 6 if len(blocks) <= ROOMY else 3)

    # --- the middle and you ------------------------------------------------------------------------------------------

    def middle(self) -> Block:
        """Everything between the others and you: lanes, piles, the trick, panels."""
        lanes: dict[str, list[Block]] = {}
        loose: list[Block] = []
        for zone in self.table.zones:
            if zone.area not in ("left", "center", "right"):
                continue
            if zone.group:
                lanes.setdefault(zone.group, []).append(self.zone(zone))
            else:
                loose.append(self.zone(zone))
        drawn = [flow([self.lane(name, lane) for name, lane in lanes.items()], COLUMNS - MARGIN, 4)] if lanes else []
        drawn += [flow(loose, COLUMNS - MARGIN, 6)] if loose else []
        drawn += [block(self.panels())]
        return below(*(one for one in drawn if one.height), gap=1)

    def lane(self, name: str, lane: Sequence[Block]) -> Block:
        """Zones of one group, under each other, below its name if moves are typed with it."""
        whole = below(*lane)
        return below(block([Text(name.center(whole.width), DIM)]), whole) if name.lower() in self.typed else whole

    def panels(self) -> Iterator[Text]:
        """The panels of this game, each in a line or two."""
        names = {panel.seat: panel.name for panel in self.table.seats}
        for panel in self.table.panels:
            data = panel.data
            if panel.kind == "note":
                yield from wrap(marked(str(data.get("text", "")), DIM), COLUMNS - MARGIN).lines
            elif panel.kind == "stages":
                stages = [
                    Text(str(one["name"]), BOLD if one["state"] == "now" else DIM).append(
                        " " + "".join("●" if pip else "○" for pip in one.get("pips", ())), DIM
                    )
                    for one in data["stages"]
                ]
                yield Text(" → ", DIM).join(stages)
            elif panel.kind == "contract":
                parts = [str(data[key]).rstrip(".") for key in ("title", "note") if data.get(key)]
                if data.get("points") is not None and data.get("bid"):
                    parts.append(f"{data['points']} of {data['bid']} won")
                yield from wrap(marked(" · ".join(parts)), COLUMNS - MARGIN).lines
            elif panel.kind == "dial":
                order = " → ".join(names.get(seat, str(seat)) for seat in data.get("order", ()))
                says = " · ".join(str(data[key]) for key in ("says", "note") if data.get(key))
                yield from wrap(marked(f"**Turn {data.get('turn', '')}**  {order}  {says}"), COLUMNS - MARGIN).lines
            elif panel.kind == "won":
                yield Text(f"{names.get(data.get('seat'), '')} won {data.get('points', 0)}", DIM)  # type: ignore[arg-type]
            elif panel.kind == "legend":
                yield Text("   ".join(f"{mark} {text}" for mark, text in data.get("items", ())), DIM)
            elif panel.kind == "ladder" and data.get("steps"):
                steps = [f"{names.get(one['seat'], '')} {one['text']}" for one in data["steps"]]
                yield from wrap(Text(" → ".join(steps), DIM), COLUMNS - MARGIN).lines

    def you(self) -> Block:
        """Your own things: name, score, grid, hand."""
        zones = [zone for zone in self.table.zones if zone.area in ("you", "hand")]
        panel = next((p for p in self.table.seats if p.seat == self.table.viewer), None)
        if panel is None:
            return block([])
        score = self.total(panel)
        head = Text().append("You" if panel.you else panel.name, BOLD)
        state = self.state(panel).plain
        head.append("  " + ", ".join(part for part in (score, state) if part), DIM)
        return below(block([head]), *(self.zone(zone) for zone in zones))

    # --- scoring -----------------------------------------------------------------------------------------------------

    def slips(self) -> Block:
        """How everybody's points came about."""
        names = {panel.seat: panel.name for panel in self.table.seats}
        drawn = []
        for slip in self.table.slips:
            head = Text().append(names[slip.seat], BOLD).append(f"  {slip.points}", self.pen.accent(self.game))
            head.append(f"  {slip.title}", DIM)
            rows = []
            labels = min(14, max((len(row.label) for row in slip.rows), default=0))
            for row in slip.rows:
                parts = [
                    block([Text(fit(row.label, labels), DIM)]),
                    *(cell(self.pen, self.game, p) for p in row.pieces),
                ]
                rows.append(beside([*parts, block([Text(f"= {row.subtotal}" if row.pieces else row.subtotal)])], 1))
            total = wrap(marked(slip.sum), 36) if slip.sum else block([])
            drawn.append(below(block([head]), *rows, total))
        return flow(drawn, COLUMNS - MARGIN, 4)

    # --- the whole ---------------------------------------------------------------------------------------------------

    def title(self) -> Block:
        """The bar: the game, where the match stands, whose turn it is."""
        accent = self.pen.accent(self.game)
        yours = any(panel.you and panel.acting for panel in self.table.seats)
        subtitle = self.table.subtitle.removesuffix("your turn").removesuffix(" · ")
        left = Text().append(self.table.title, BOLD).append("   " + subtitle, DIM)
        right = Text("your turn", accent + BOLD) if yours else Text("")
        left.append(" " * max(1, COLUMNS - left.cell_len - right.cell_len)).append_text(right)
        return block([left, Text("─" * COLUMNS, DIM)])

    def log(self, lines: int = LOG_LINES) -> Block:
        """The last lines of what happened."""
        shown = self.table.log[-lines:] if lines else ()
        width = max((len(line.number) for line in shown), default=0)
        drawn = []
        for line in shown:
            head = Text(f"{line.number:>{width}} ", DIM)
            body = wrap(marked(line.text), COLUMNS - MARGIN - width - 1)
            drawn.append(beside([block([head]), body], 0))
        return below(*drawn)

    def fitting(self, rows: int) -> Block:
        """The whole table in so many rows if it can be: without air between the rows of a grid, then with less log."""
        drawn = self.whole()
        if drawn.height > rows:
            self.airy = False
            drawn = self.whole()
        log = LOG_LINES
        while drawn.height > rows and log > FEWEST_LOG_LINES:
            log -= 1
            drawn = self.whole(log)
        return drawn

    def whole(self, log_lines: int = LOG_LINES) -> Block:
        """The table from top to bottom, without the prompt."""
        parts = [self.others(), self.middle(), self.you()]
        if self.table.slips:
            parts = [self.slips()]
        if self.table.over:
            parts.append(wrap(marked(f"**{self.table.result}**"), COLUMNS - MARGIN))
        body = indent(below(*(part for part in parts if part.height), gap=1), MARGIN)
        log = indent(self.log(log_lines), MARGIN)
        return below(self.title(), body, block([Text("─" * COLUMNS, DIM)]), log)


def _joined(texts: Sequence[Text], gap: int) -> Text:
    return Text(" " * gap).join(texts)


def prompt_block(table: Table, step: Step, pen: Pen, typed: Sequence[str]) -> Block:
    """The prompt, its help, and what may be typed."""
    lamp = Text("● ", pen.accent(table.game))
    head = beside([block([lamp]), wrap(marked(f"**{step.prompt}**"), COLUMNS - MARGIN)], 0)
    says = typed_help(step.help)
    help_lines = indent(wrap(marked(says, DIM), COLUMNS - MARGIN), MARGIN) if says else block([])
    typed = [*(f"{tail_of(c.touch)}: {c.says}" for c in step.choices if c.says and not c.button), *typed]
    offers = indent(wrap(Text("   ".join(t.replace(" ", "\u00a0") for t in typed), DIM), COLUMNS - MARGIN), MARGIN)
    return below(head, help_lines, offers)
