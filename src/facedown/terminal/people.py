"""The players of a table as rows: names, scores, what they own, and their cards as strokes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rich.text import Text

from facedown.core.table import Piece, SeatPanel, Table, Zone
from facedown.core.voice import minus
from facedown.terminal.blocks import Block, below, beside, block, fit, flow, plain, wrap
from facedown.terminal.board import Board
from facedown.terminal.cards import BOLD, DIM, Size, card
from facedown.terminal.spoken import says_score

#: Longer names are cut here.
NAME = 14


def order_of(table: Table) -> list[SeatPanel]:
    """The players as they sit: the others in the order of their zones, the viewer last."""
    seats = {panel.seat: panel for panel in table.seats}
    before = [zone.seat for zone in table.zones if zone.area == "seat" and zone.seat is not None]
    return sorted((seats[seat] for seat in dict.fromkeys([*before, *seats])), key=lambda panel: panel.you)


class People:
    """The players of one table, drawn on its board."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.table = board.table
        self.pen = board.pen
        self.thin = board.scale.thin
        self.width = board.width
        self.totals = {row.seat: row for row in self.table.scores}

    def drawn(self) -> Block:
        """All players: in blocks where they have grids, else in rows."""
        return self.blocks() if self.table.layout.kind == "grids" else self.rows()

    def zones(self, panel: SeatPanel) -> list[Zone]:
        """What lies before a player's seat."""
        return [zone for zone in self.table.zones if zone.area == "seat" and zone.seat == panel.seat]

    def score(self, panel: SeatPanel) -> str:
        """The score of a seat, unless its own line or its pegs say it already."""
        row = self.totals.get(panel.seat)
        return "" if row is None or says_score(panel, row) else row.total

    def named(self, panel: SeatPanel, width: int = NAME) -> Text:
        """A name; whoever is to act is set off."""
        bot = "bot " if panel.bot and not self.thin else ""
        style = self.pen.accent(self.table.game) + BOLD if panel.acting else BOLD
        return Text(bot, DIM).append(fit(panel.name, width - len(bot)).rstrip(), style)

    # --- rows --------------------------------------------------------------------------------------------------------

    def rows(self) -> Block:
        """A row for each player, in columns."""
        panels = order_of(self.table)
        counted = self.columns(panels)
        headed = any(head for head, _ in counted)
        names = [self.named(panel).append(" ›" if panel.acting else "", BOLD) for panel in panels]
        columns = [block([*[""] * headed, *names])]
        for head, cells in counted:
            if not any(cells):
                continue
            wide = max(len(head), *(len(cell) for cell in cells))
            left = all(not re.fullmatch(r"[−-]?\d*", cell) for cell in cells)
            top, *texts = (cell.ljust(wide) if left else cell.rjust(wide) for cell in (head, *cells))
            columns.append(block([*[Text(top, DIM)] * headed, *texts]))
        room = self.width - sum(one.width + 2 for one in columns)
        lies = [self.lies(panel, room) for panel in panels]
        if any(line.plain for line in lies) and max(line.cell_len for line in lies) <= room:
            columns.append(block([*[""] * headed, *lies]))
        drawn = beside(columns, 2)
        return drawn if drawn.width <= self.width else self.wrapped(panels)

    def columns(self, panels: Sequence[SeatPanel]) -> list[tuple[str, list[str]]]:
        """The columns of the rows, each with its head: scores, what is counted, and what is said."""
        kinds = [badge.kind for badge in panels[0].badges if not badge.of]
        if any([b.kind for b in panel.badges if not b.of] != kinds for panel in panels):
            kinds = []
        columns = [("total" if kinds else "", [self.score(panel) for panel in panels])]
        for kind in kinds:
            badges = [next(badge for badge in panel.badges if badge.kind == kind) for panel in panels]
            columns.append((badges[0].head or kind, [badge.short or str(badge.count) for badge in badges]))
        return [*columns, ("", [self.said(panel, pegs=not kinds) for panel in panels])]

    def said(self, panel: SeatPanel, pegs: bool) -> str:
        """A player's second line in one: what it shows, and what they do."""
        badges = [badge.says for badge in panel.badges if pegs]
        row = self.totals.get(panel.seat)
        # What the round has come to stands in the panel's own line.
        extra = row.line if row is not None and row.round is None else ""
        return ", ".join(part for part in (panel.line, *badges, extra, panel.state) if part)

    def about(self, panel: SeatPanel) -> str:
        """Score and second line of a player, in a row of words."""
        return ", ".join(part for part in (self.score(panel), self.said(panel, pegs=True)) if part)

    def lies(self, panel: SeatPanel, room: int) -> Text:
        """What lies before a player in one line: cards as strokes, open ones as they are."""
        text = Text()
        for zone in self.zones(panel):
            if text.plain:
                text.append("  ")
            if all(piece.kind == "back" for piece in zone.pieces) and "reversed" not in zone.marks and not zone.columns:
                counted = any(badge.kind == "cards" for badge in panel.badges)
                says = "" if counted else plain(f" {zone.label or len(zone.pieces)}")
                strokes = "" if self.thin or self.width < 40 else "▐" * len(zone.pieces)
                text.append(strokes, self.pen.strokes(self.table.game)).append(says)
            else:
                text.append_text(Text(" ").join(self.open(zone, piece) for piece in zone.pieces))
            if zone.note and text.cell_len + len(zone.note) + 2 <= room:
                text.append(f"  {zone.note}", DIM)
        return text

    def open(self, zone: Zone, piece: Piece) -> Text:
        """A card before another player: as a card of one line, or as strokes where bones lie among backs."""
        if piece.kind == "back" and self.table.game and not zone.columns:
            return Text("▐", self.pen.strokes(self.table.game))
        return card(self.pen, self.table.game, piece, Size.LINE).lines[0]

    def wrapped(self, panels: Sequence[SeatPanel]) -> Block:
        """A sentence for each player, where columns are too wide."""
        lines = []
        for panel in panels:
            lies = self.lies(panel, 999) if not self.thin or self.board.scale.words else Text()
            whole = self.named(panel).append(f"  {self.about(panel)}")
            lines.append(wrap(whole.append("  ").append_text(lies) if lies.plain else whole, self.width))
        return below(*lines)

    # --- blocks ------------------------------------------------------------------------------------------------------

    def blocks(self) -> Block:
        """The others with their grids side by side."""
        drawn = [self.block(panel) for panel in order_of(self.table) if not panel.you]
        return flow(drawn, self.width, 2 if self.thin else 3 if len(drawn) > 2 else 6, 0)

    def block(self, panel: SeatPanel) -> Block:
        """A player with what lies before them."""
        drawn = [self.board.zone(zone) for zone in self.zones(panel)]
        width = max([one.width for one in drawn], default=NAME)
        score = self.score(panel)
        if self.thin:
            # A name and a number: what a small screen has room for.
            shows = "" if panel.shows is None else minus(panel.shows)
            tail = "+".join(part for part in (score, shows) if part) or ("choosing" if panel.acting else "")
            return below(self.ends(panel, tail, 3, width), *drawn)
        said = wrap(Text(panel.state or panel.line, DIM), max(width, 16))
        return below(self.ends(panel, score, 6, width), *drawn, said)

    def ends(self, panel: SeatPanel, tail: str, least: int, width: int) -> Block:
        """A name, and at the other end of the line what belongs to it."""
        name = self.named(panel, max(least, width - len(tail) - 1))
        return block([name.append(" " * max(1, width - name.cell_len - len(tail))).append(tail)])

    def you(self) -> Block:
        """The viewer's own name and score in a line."""
        panel = next((panel for panel in self.table.seats if panel.seat == self.table.viewer), None)
        if panel is None:
            return block([])
        return block([self.named(panel, NAME + 4).append(f"  {self.about(panel)}", DIM)])
