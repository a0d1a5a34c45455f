"""Drawing of the zones of a table (its groups of cards) and of its players. The code is the same for all games.

A table is drawn at a *scale*, which determines the sizes of the cards and the amount of text. A *piece* is anything
drawn on the table: a card, a tile, or an empty place for one. *Lanes* are columns of cards from one player to the
other. The *place number* of a card or tile is the number by which the player names it in a typed move.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rich.style import Style
from rich.text import Text

from facedown.core.game_registry import art
from facedown.core.grammar import digits
from facedown.core.table import Piece, SeatPanel, Table, Zone, touch_sequences
from facedown.core.translation import isolate_right_to_left
from facedown.terminal.card_drawing import BOLD, DIM, SIGNS, Pen, Size, draw_card, face_of, face_text
from facedown.terminal.i18n import _
from facedown.terminal.screen_reader import score_text_unless_shown
from facedown.terminal.text_blocks import (
    Block,
    block,
    fit_to_width,
    flow,
    hstack,
    parse_bold,
    remove_bold_marks,
    typed_part_of_place_id,
    vstack,
    wrap_to_block,
)

#: Width of the label to the left of a row of cards ("your 1"), in characters. Longer labels are cut.
LABEL = 9
#: Largest width of a player's name, in characters; longer names are cut.
NAME = 14


@dataclass(frozen=True, slots=True)
class Scale:
    """Scale of a drawing: the sizes of the cards and the amount of text.

    If a table does not fit, the next smaller scale is tried.
    """

    hand: Size = Size.BOX
    """Size of the player's own cards."""
    middle: Size = Size.BOX
    """Size of the cards between the players."""
    gap: int = 1
    """Number of empty lines between the parts of the table."""
    thin: bool = False
    """Whether cards in grids are three columns wide, and there is little text."""
    words: bool = True
    """Whether notes and explanations are shown next to the cards."""


class Board:
    """Drawing of the zones (groups of cards) of one table.

    * `pen`: the style in which cards are drawn.
    * `scale`: the sizes of the cards, and the amount of text.
    * `width`: the width of the drawing in characters.
    """

    def __init__(self, table: Table, pen: Pen, scale: Scale, width: int) -> None:
        self.table, self.pen, self.scale, self.width = table, pen, scale, width
        self.game = table.game
        self.form = art(table.game).form
        self.names = {panel.seat: isolate_right_to_left(panel.name) for panel in table.seats}
        self.touchable_places = {choice.touch for touched in touch_sequences(table.step) for choice in touched}
        """Ids of all places and buttons that a currently legal move touches."""
        self.totals = {row.seat: row for row in table.scores}
        self.strokes = Style(color=pen.card_back_style(table.game).bgcolor)
        """Style of the vertical strokes that stand for face-down cards. There is one stroke for each card."""

    # --- zones -------------------------------------------------------------------------------------------------------

    def draw_zone(self, zone: Zone) -> Block:
        """Draw a zone (group of cards) with its label and its note."""
        kinds = {"grid": self.draw_grid, "pile": self.draw_pile, "heap": self.draw_pile, "pairs": self.draw_won_tricks}
        return kinds.get(zone.kind, self.draw_hand if zone.area == "hand" else self.draw_row)(zone)

    def card_size_by_area(self, zone: Zone) -> Size:
        """Return the size in which the cards of a zone (group of cards) are drawn, for example in one line or in a box.

        The viewer's own cards (area "hand" or "you") have the size `Scale.hand`, all other cards `Scale.middle`.
        """
        return self.scale.hand if zone.area in ("hand", "you") else self.scale.middle

    def draw_row(self, zone: Zone) -> Block:
        """Draw a row of cards below the label of their zone. At the smallest sizes, label and cards are text in one
        line.
        """
        cards = [piece for piece in zone.pieces if piece.kind != "gap"]
        size = self.card_size_by_area(zone)
        if size == Size.LINE:
            note = zone.note if not zone.label or self.scale.words else ""
            parts = [
                parse_bold(zone.label),
                Text(" ").join(self.inline_piece_text(piece) for piece in cards),
                parse_bold(note),
            ]
            return wrap_to_block(Text("  ").join(part for part in parts if part.plain), self.width)
        drawn = [draw_card(self.pen, self.game, piece, size, lying=True) for piece in cards]
        tags = [block([Text(piece.tag, DIM)]) for piece in cards if piece.tag and not piece.tag_said]
        faces = [flow([*drawn, *tags], self.width, 1)]
        if zone.label and self.scale.words and zone.note not in ("", zone.label):
            faces.append(wrap_to_block(parse_bold(zone.note, DIM), 24))
        return vstack(wrap_to_block(parse_bold(zone.label or zone.note), self.width), hstack(faces, 2))

    def inline_piece_text(self, piece: Piece) -> Text:
        """Return a piece as a short text that can be part of a line."""
        if piece.kind == "face" and self.form in ("two", "halves"):
            text = face_text(face_of(self.game, piece))
            text = f"({text})" if "faded" in piece.marks else text
            return Text(text + (" " + _("worth {tag}", tag=piece.tag) if piece.tag else ""), BOLD)
        if piece.kind in ("slot", "gap", "gone"):
            return Text("…" if piece.kind == "slot" else "")
        return draw_card(self.pen, self.game, piece).lines[0].copy()

    def draw_pile(self, zone: Zone) -> Block:
        """Draw a pile of cards or a heap of face-down tiles, with its label and note.

        The label usually says how many pieces there are. If the label is empty, their number is shown instead.

        * A pile: its top card is drawn.
        * A heap: a vertical stroke is drawn for each tile. If the player can choose a tile, the label also says which
          numbers the tiles have, such as "places 1 to 5". The player types such a number to name a tile.

        In a small drawing without explanatory text (`Scale.words` is false), strokes and face-down cards are left out.
        """
        says = zone.label or f"**{zone.count if zone.count is not None else len(zone.pieces)}**"
        heap = zone.kind == "heap" and zone.pieces
        if heap and any(piece.place in self.touchable_places for piece in zone.pieces):
            says = _("{label}, places 1 to {last}", label=says, last=len(zone.pieces))
        told = wrap_to_block(parse_bold(f"{says}: {zone.note}" if zone.note else says), min(self.width, 34))
        if heap and self.scale.words:
            return vstack(block([Text("▐" * len(zone.pieces), self.strokes)]), told)
        if zone.pieces and (zone.pieces[0].kind == "face" or self.scale.words):
            return hstack([draw_card(self.pen, self.game, zone.pieces[0]), told], 1)
        return told

    def draw_won_tricks(self, zone: Zone) -> Block:
        """Draw the tricks that a player has won, as text. A trick has two cards."""
        said = [face_of(self.game, piece).text if piece.kind == "face" else "" for piece in zone.pieces]
        found = [f"{lead} {reply}" for lead, reply in zip(*[iter(said)] * 2, strict=False)]
        owner = self.names.get(-1 if zone.seat is None else zone.seat, "")
        points = next((p.data.get("points", 0) for p in self.table.panels if p.id == zone.group), 0)
        tricks = ",  ".join(pair.replace(" ", "\u00a0") for pair in found)
        told = _("**{owner}** won {points}", owner=owner, points=points) + (f": {tricks}" if tricks else "")
        return wrap_to_block(parse_bold(told), self.width if self.scale.thin else min(self.width, 44))

    def draw_hand(self, zone: Zone) -> Block:
        """Draw the viewer's hand, with the place number of each card if the viewer needs these numbers to type moves.

        A place number is the number by which the viewer names a card in a typed move. It is drawn below the card, or
        before it if the cards are drawn as running text.
        """
        cards = [piece for piece in zone.pieces if piece.kind != "gap"]
        numbers = self.place_number_texts(zone, cards)
        title = "  ".join(part for part in (zone.label, zone.note and f"({remove_bold_marks(zone.note)})") if part)
        head = block([parse_bold(title, DIM)] if title else [])
        size = self.card_size_by_area(zone)
        if (
            size == Size.LARGE
            and sum(draw_card(self.pen, self.game, one, size).width + 1 for one in cards) - 1 > self.width
        ):
            size = Size.BOX
        if self.form == "word" and size < Size.LARGE:
            return self.draw_word_hand(zone, cards, numbers)
        if size == Size.LINE and self.form == "two":
            return vstack(head, self.draw_two_number_hand(cards, numbers))
        drawn = [draw_card(self.pen, self.game, piece, size) for piece in cards]
        for i, number in enumerate(numbers):
            if number:
                drawn[i] = vstack(drawn[i], block([Text(number.center(drawn[i].width), DIM)]))
        # `zone.spans` has the sets in the hand: groups of cards that could be played together. It is empty except while
        # the player chooses which way up to hold the hand.
        sets = [
            _("{name} in places {first}–{last}", name=name, first=first + 1, last=last + 1).replace(" ", "\u00a0")
            for first, last, name in zone.spans
        ]
        said = [wrap_to_block(Text(",  ".join(sets), DIM), self.width)] if sets and self.scale.words else []
        return vstack(head, flow(drawn, self.width, 1), *said)

    def draw_word_hand(self, zone: Zone, cards: Sequence[Piece], numbers: Sequence[str]) -> Block:
        """Draw a hand as running text, for games with words on the cards: "In your hand: 1 green 2 yellow".

        `numbers` has one text per card, which is shown before the card ("1"). It is the place number, which the viewer
        types to name the card in a move; empty if none is needed.
        """
        parts = [Text(_("{label}:", label=zone.label) if zone.label else _("In hand:"), DIM)]
        for number, piece in zip(numbers, cards, strict=True):
            said = Text(f"{number}\u00a0" if number else "", DIM)
            if piece.kind == "face":
                said.append_text(draw_card(self.pen, self.game, piece).lines[0])
            else:
                said.append(piece.name, DIM)
            if not {"picked", "chosen"}.isdisjoint(piece.marks):
                said.append("\u00a0✓", BOLD)
            parts.append(said)
        return wrap_to_block(Text("  ").join(parts), self.width)

    def draw_two_number_hand(self, cards: Sequence[Piece], numbers: Sequence[str]) -> Block:
        """Draw a hand of cards that have two numbers each.

        There are three lines: the upper numbers of the cards, their lower numbers, and the texts in `numbers`. These
        are place numbers: the viewer types them to name cards in a move. A text is empty if no number is needed. If the
        hand is too wide, further groups of three lines follow.
        """
        columns = []
        for piece, number in zip(cards, numbers, strict=True):
            upper, _slash, lower = face_text(face_of(self.game, piece)).partition("/")
            upper += "✓" if "picked" in piece.marks else ""
            columns.append(block([Text(upper.rjust(3), BOLD), lower.rjust(3), Text(number.rjust(3), DIM)]))
        head = block(Text(name, DIM) for name in (_("up"), _("down"), _("place") if any(numbers) else ""))
        room = max(1, (self.width - 6) // 3)
        rows = [hstack(columns[at : at + room], 0) for at in range(0, len(columns), room)]
        return vstack(*(hstack([head, row], 6 - head.width) for row in rows))

    def place_number_texts(self, zone: Zone, cards: Sequence[Piece]) -> list[str]:
        """Return the place numbers of the cards of a hand, as one text per card, such as "1".

        The place number is the number by which the player names the card in a typed move.

        * If the places of the zone are numbered from the right ("reversed" in `Zone.marks`), the number of a card is
          the part of its place's id after the last dash: "2" for "p0-2".
        * Otherwise, the cards have the numbers 1, 2, 3 … from the left. But if the hand has only one card, or no legal
          move touches a place in the hand, no number is needed, and all texts are empty.
        """
        if "reversed" in zone.marks:
            return [typed_part_of_place_id(piece.place) for piece in cards]
        counted = len(cards) > 1 and any(piece.place in self.touchable_places for piece in zone.pieces)
        return [str(number) if counted else "" for number in range(1, len(cards) + 1)]

    def draw_grid(self, zone: Zone) -> Block:
        """Draw a grid of pieces.

        If the player types places such as "a3" in moves, the viewer's own grid has the letters of its columns above it
        and the numbers of its rows to the left.
        """
        columns = zone.columns
        if not columns:
            # If the zone has no fixed number of columns, it fills two thirds of the width.
            widest = max((draw_card(self.pen, self.game, piece).width for piece in zone.pieces), default=1)
            columns = max(1, 2 * self.width // 3 // (widest + 1))
        gap = 0 if self.scale.thin or not self.pen.colours else 1
        mine = zone.seat == self.table.viewer and zone.area == "you"
        size = Size.LARGE if mine and self.scale.hand == Size.LARGE else Size.NARROW if self.scale.thin else Size.LINE
        names = [typed_part_of_place_id(piece.place) for piece in zone.pieces]
        lines: list[Block] = []
        for at in range(0, len(zone.pieces), columns):
            drawn = [draw_card(self.pen, self.game, piece, size) for piece in zone.pieces[at : at + columns]]
            if mine and self.table.layout.coordinates:
                if not lines:
                    heads = [block([Text(name[0].center(drawn[0].width), DIM)]) for name in names[:columns]]
                    lines.append(hstack([block(["   "]), *heads], gap))
                drawn.insert(0, block([*["   "] * (drawn[0].height // 2), Text(f" {names[at][1]} ", DIM)]))
            lines.append(hstack(drawn, gap))
        return vstack(*lines)

    # --- lanes -------------------------------------------------------------------------------------------------------

    def draw_lanes(self) -> Block:
        """Draw the lanes (columns of cards from one player to the other) next to each other.

        A lane has three zones, from top to bottom: the opponent's, the middle, the viewer's.
        """
        groups: dict[str, list[Zone]] = {}
        for zone in self.table.zones:
            if zone.kind == "cascade" and zone.group:
                groups.setdefault(zone.group, []).append(zone)
        lanes = list(groups.values())
        size = self.scale.middle
        wide = draw_card(self.pen, self.game, Piece("", "back"), size).width
        gap = 1 if self.width < 70 else 2
        heads = [Text(typed_part_of_place_id(name).center(wide), DIM) for name in groups]
        rows = [Text(" " * LABEL).append_text(Text(" " * gap).join(heads))]
        for part, zones in enumerate(zip(*lanes, strict=True)):
            if part and (self.scale.gap or not self.pen.colours):
                rows.append(Text(" " * LABEL).append("┈" * (len(lanes) * (wide + gap) - gap), DIM))
            for pieces in zip(*(zone.pieces for zone in zones), strict=True):
                cells = hstack([draw_card(self.pen, self.game, piece, size) for piece in pieces], gap)
                name = self.row_name(zones[0], pieces[0])
                names = [name if y == (cells.height - 1) // 2 else "" for y in range(cells.height)]
                rows += hstack([block(Text(fit_to_width(each, LABEL), DIM) for each in names), cells], 0).lines
        labels = [next((zone.label for zone in lane if zone.label), "") for lane in lanes]
        if any(labels):
            said = [parse_bold(fit_to_width(label, wide)) for label in labels]
            rows.append(Text(" " * LABEL).append_text(Text(" " * gap).join(said)))
        return block(rows)

    def row_name(self, zone: Zone, piece: Piece) -> str:
        """Return the label to the left of a row of cards: whose row it is, and its number ("Mara 2", "your 1").

        The cards form vertical lanes next to each other. A row has one card of each lane. With three lanes:

            Mara 1     7 2 9
            your 1     3 8 4
            your end   . . .

        `piece` is any card of the row, and `zone` is the zone (group of cards) that contains `piece`.

        * `Zone.brief` says whose row it is ("your"). If it is empty, the label is empty.
        * `Piece.row` is the number of the row. It is 0 for the places after a player's last row; their label has "end"
          instead of a number.
        """
        number = str(piece.row) if piece.row else "end"
        return f"{fit_to_width(zone.brief, LABEL - 2 - len(number)).rstrip()} {number}" if zone.brief else ""


def card_sign_legend(items: Sequence[Sequence[str]]) -> str:
    """Return the explanation of the signs that cards can have. An item is (flag in `Piece.marks`, text).

    >>> card_sign_legend([["all-see", "all see"], ["only-you", "only you"]])
    '● all see   ○ only you'
    """
    return "   ".join(f"{SIGNS.get(mark, mark)} {text}" for mark, text in items)


# --- players ----------------------------------------------------------------------------------------------------------


def panels_in_seating_order(table: Table) -> list[SeatPanel]:
    """Return the panels of all players, the viewer last.

    The other players are in the order in which the table lists their zones (groups of cards); players without zones
    follow in the order of their seats.
    """
    seats = {panel.seat: panel for panel in table.seats}
    before = [zone.seat for zone in table.zones if zone.area == "seat" and zone.seat is not None]
    return sorted((seats[seat] for seat in dict.fromkeys([*before, *seats])), key=lambda panel: panel.you)


class Players(Board):
    """Drawing of a table's players: the name, score and status of each player, and the cards at the player's seat.

    The base class `Board` draws the cards elsewhere on the table.
    """

    def zones_of_seat(self, panel: SeatPanel) -> list[Zone]:
        """Return the zones (groups of cards) at a player's seat."""
        return [zone for zone in self.table.zones if zone.area == "seat" and zone.seat == panel.seat]

    def score_text_unless_shown(self, panel: SeatPanel) -> str:
        """Return the score of a player; empty if the player's text (`panel.line`) or a badge shows it already."""
        return score_text_unless_shown(panel, self.totals.get(panel.seat))

    def name_text(self, panel: SeatPanel, width: int = NAME) -> Text:
        """Return a player's name in at most `width` columns, in the accent colour if the player is to move."""
        bot = "bot " if panel.bot and not self.scale.thin else ""
        style = self.pen.accent_style(self.game) + BOLD if panel.acting else BOLD
        return Text(bot, DIM).append(fit_to_width(panel.name, width - len(bot)).rstrip(), style)

    # --- rows --------------------------------------------------------------------------------------------------------

    def draw_player_rows(self) -> Block:
        """Draw one row per player, with aligned columns. If the rows are too wide, draw a sentence per player."""
        panels = panels_in_seating_order(self.table)
        counted = self.player_table_columns(panels)
        headed = any(head for head, _ in counted)
        names = [self.name_text(panel).append(" ›" if panel.acting else "", BOLD) for panel in panels]
        columns = [block([*[""] * headed, *names])]
        for head, cells in counted:
            if not any(cells):
                continue
            wide = max(len(head), *(len(cell) for cell in cells))
            left = all(not re.fullmatch(r"[−-]?\d*", cell) for cell in cells)
            top, *texts = (cell.ljust(wide) if left else cell.rjust(wide) for cell in (head, *cells))
            columns.append(block([*[Text(top, DIM)] * headed, *texts]))
        room = self.width - sum(one.width + 2 for one in columns)
        lies = [self.player_cards_line(panel, room) for panel in panels]
        if any(line.plain for line in lies) and max(line.cell_len for line in lies) <= room:
            columns.append(block([*[""] * headed, *lies]))
        drawn = hstack(columns, 2)
        return drawn if drawn.width <= self.width else self.player_sentences(panels)

    def player_table_columns(self, panels: Sequence[SeatPanel]) -> list[tuple[str, list[str]]]:
        """Return the columns of a table with one row per player, as (heading, cells).

        * The first column has the scores.
        * Then there is a column for each kind of badge. A badge is a small number beside the name, such as the size of
          the hand. There are no such columns if the players have different kinds of badges.
        * The last column says what each player is doing. If there are no columns for badges, the badges are
          listed here, too.
        """
        kinds = [badge.kind for badge in panels[0].badges if not badge.of]
        if any([b.kind for b in panel.badges if not b.of] != kinds for panel in panels):
            kinds = []
        columns = [("total" if kinds else "", [self.score_text_unless_shown(panel) for panel in panels])]
        for kind in kinds:
            badges = [next(badge for badge in panel.badges if badge.kind == kind) for panel in panels]
            columns.append((badges[0].head or kind, [badge.short or str(badge.count) for badge in badges]))
        return [*columns, ("", [self.status_text(panel, pegs=not kinds) for panel in panels])]

    def status_text(self, panel: SeatPanel, pegs: bool) -> str:
        """Return the status of a player as one line: the text in the player's panel, and what the player is doing.

        `pegs`: whether to include the player's badges (small numbers beside the name, such as the number of cards in
        the hand).
        """
        badges = [badge.says for badge in panel.badges if pegs]
        row = self.totals.get(panel.seat)
        # If `row.round` is set, `row.line` describes the points of a round. Leave it out: a game that wants the points
        # to be shown here has put them into `panel.line`, so they would be shown twice.
        extra = row.line if row is not None and row.round is None else ""
        return ", ".join(part for part in (panel.line, *badges, extra, panel.state) if part)

    def score_and_status(self, panel: SeatPanel) -> str:
        """Return a player's score and what the player is doing, as one line."""
        return ", ".join(filter(None, (self.score_text_unless_shown(panel), self.status_text(panel, pegs=True))))

    def player_cards_line(self, panel: SeatPanel, room: int) -> Text:
        """Draw the cards at a player's seat in one line: face-down cards as strokes, face-up cards as text.

        Each zone (group of cards) is followed by its note (`Zone.note`) if the line then has at most `room` columns.
        """
        text = Text()
        for zone in self.zones_of_seat(panel):
            if text.plain:
                text.append("  ")
            if all(piece.kind == "back" for piece in zone.pieces) and "reversed" not in zone.marks and not zone.columns:
                counted = any(badge.kind == "cards" for badge in panel.badges)
                says = "" if counted else remove_bold_marks(f" {zone.label or len(zone.pieces)}")
                strokes = "" if self.scale.thin or self.width < 40 else "▐" * len(zone.pieces)
                text.append(strokes, self.strokes).append(says)
            else:
                # This zone has face-up pieces or is a grid (has columns). Outside a grid, draw each face-down piece as
                # a stroke. Draw every other piece as text.
                cards = (
                    Text("▐", self.strokes) if piece.kind == "back" and not zone.columns
                    else draw_card(self.pen, self.game, piece).lines[0]
                    for piece in zone.pieces
                )  # fmt: skip
                text.append_text(Text(" ").join(cards))
            if zone.note and text.cell_len + len(zone.note) + 2 <= room:
                text.append(f"  {zone.note}", DIM)
        return text

    def player_sentences(self, panels: Sequence[SeatPanel]) -> Block:
        """Draw one sentence per player, for windows that are too narrow for columns."""
        lines = []
        for panel in panels:
            lies = self.player_cards_line(panel, 999) if not self.scale.thin or self.scale.words else Text()
            whole = self.name_text(panel).append(f"  {self.score_and_status(panel)}")
            lines.append(wrap_to_block(whole.append("  ").append_text(lies) if lies.plain else whole, self.width))
        return vstack(*lines)

    # --- blocks ------------------------------------------------------------------------------------------------------

    def opponents_side_by_side(self) -> Block:
        """Draw all players except the viewer next to each other, or in several rows if the width is too small.

        A player is drawn as a block with the player's name and score, and below them the player's own cards.
        """
        drawn = [self.player_block(panel) for panel in panels_in_seating_order(self.table) if not panel.you]
        return flow(drawn, self.width, 2 if self.scale.thin else 3 if len(drawn) > 2 else 6)

    def player_block(self, panel: SeatPanel) -> Block:
        """Draw a player: a line with name and score, the cards at the player's seat, and what the player is doing."""
        drawn = [self.draw_zone(zone) for zone in self.zones_of_seat(panel)]
        width = max([one.width for one in drawn], default=NAME)
        score = self.score_text_unless_shown(panel)
        if self.scale.thin:
            # At small scales, only a short text fits next to the name: the score and the number that the panel shows.
            # If there are none, it is "choosing" for a player whose turn it is.
            shows = "" if panel.shows is None else digits(panel.shows)
            tail = "+".join(part for part in (score, shows) if part) or ("choosing" if panel.acting else "")
            return vstack(self.name_and_tail_line(panel, tail, 3, width), *drawn)
        said = wrap_to_block(Text(panel.state or panel.line, DIM), max(width, 16))
        return vstack(self.name_and_tail_line(panel, score, 6, width), *drawn, said)

    def name_and_tail_line(self, panel: SeatPanel, tail: str, least: int, width: int) -> Block:
        """Draw a line with a player's name at the left and `tail` at the right; the name has at least `least`
        columns.
        """
        name = self.name_text(panel, max(least, width - len(tail) - 1))
        return block([name.append(" " * max(1, width - name.cell_len - len(tail))).append(tail)])

    def viewer_line(self) -> Block:
        """Draw the viewer's name, score and status in one line."""
        mine = (panel for panel in self.table.seats if panel.seat == self.table.viewer)
        return block(self.name_text(panel, NAME + 4).append(f"  {self.score_and_status(panel)}", DIM) for panel in mine)
