"""What lies on a table, zone by zone, drawn in a given size. Nothing here knows a game."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from rich.text import Text

from facedown.core.game import art
from facedown.core.table import Piece, Table, Zone, ways
from facedown.terminal.blocks import Block, below, beside, block, fit, flow, marked, plain, tail_of, wrap
from facedown.terminal.cards import BOLD, DIM, SIGNS, Pen, Size, card, face_of, narrow

#: The label of a lane's row is cut to so many columns.
LABEL = 9


@dataclass(frozen=True, slots=True)
class Scale:
    """How much room a drawing takes: it is made smaller step by step until it fits."""

    hand: Size = Size.BOX
    """The cards of the person."""
    middle: Size = Size.BOX
    """The cards between the players."""
    gap: int = 1
    """Empty lines between the parts."""
    thin: bool = False
    """Cards of grids three columns wide, and few words."""
    words: bool = True
    """Notes and helps beside the cards."""


class Board:
    """The zones of one table, drawn with a pen, at a scale, in so many columns."""

    def __init__(self, table: Table, pen: Pen, typed: Collection[str], scale: Scale, width: int) -> None:
        self.table = table
        self.pen = pen
        self.typed = typed
        """The words in which moves are typed: a place that is one of them has its name written below it."""
        self.scale = scale
        self.width = width
        self.game = table.game
        self.form = art(table.game).form
        self.names = {panel.seat: panel.name for panel in table.seats}
        self.touched = {choice.touch for touched in ways(table.step) for choice in touched}
        """All that the moves of this step touch."""

    # --- zones -------------------------------------------------------------------------------------------------------

    def zone(self, zone: Zone) -> Block:
        """A zone with its label and its note."""
        kinds = {"grid": self.grid, "pile": self.pile, "heap": self.pile, "pairs": self.pairs}
        return kinds.get(zone.kind, self.hand if zone.area == "hand" else self.row)(zone)

    def size(self, zone: Zone) -> Size:
        """How large the cards of a zone are."""
        return self.scale.hand if zone.area in ("hand", "you") else self.scale.middle

    def row(self, zone: Zone) -> Block:
        """Cards in the middle: side by side with their label above, or all in a line of words."""
        cards = [piece for piece in zone.pieces if piece.kind != "gap"]
        label, note = (wrap(marked(text, strong="bold"), self.width) for text in (zone.label, zone.note))
        size = self.size(zone)
        if size == Size.LINE:
            note_too = zone.note if not zone.label or self.scale.words else ""
            parts = [marked(zone.label), Text(" ").join(self.line(piece) for piece in cards), marked(note_too)]
            return wrap(Text("  ").join(part for part in parts if part.plain), self.width)
        drawn = [card(self.pen, self.game, piece, size, lying=True) for piece in cards]
        tags = [piece.tag for piece in cards if piece.tag and not piece.tag_said]
        face = flow([*drawn, *(block([Text(tag, DIM)]) for tag in tags)], self.width, 1, 0)
        if not zone.label or not self.scale.words or zone.note == zone.label:
            return below(label if zone.label else note, face)
        return below(label, beside([face, wrap(marked(zone.note, DIM), 24)], 2)) if zone.note else below(label, face)

    def line(self, piece: Piece) -> Text:
        """A piece as a word in a line."""
        if piece.kind == "face" and self.form in ("two", "halves"):
            both = face_of(self.game, piece).both
            text = f"({both})" if "faded" in piece.marks else both
            return Text(text + (f" counts {piece.tag}" if piece.tag else ""), BOLD)
        if piece.kind in ("slot", "gap", "gone"):
            return Text("…" if piece.kind == "slot" else "")
        return card(self.pen, self.game, piece).lines[0].copy()

    def pile(self, zone: Zone) -> Block:
        """A pile: its top card where that lies open, and how many there are."""
        label = zone.label or f"**{zone.count if zone.count is not None else len(zone.pieces)}**"
        room = min(self.width, 34)
        if zone.kind == "heap" and zone.pieces:
            picks = [piece for piece in zone.pieces if piece.place in self.touched]
            strokes = Text("▐" * len(zone.pieces), self.pen.strokes(self.game))
            says = f"{label}, places 1 to {len(zone.pieces)}" if picks else label
            told = wrap(marked(says), room)
            return below(block([strokes]), told) if self.scale.words else told
        told = wrap(marked(f"{label}: {zone.note}" if zone.note else label), room)
        if zone.pieces and (zone.pieces[0].kind == "face" or self.scale.words):
            return beside([card(self.pen, self.game, zone.pieces[0]), told], 1)
        return told

    def pairs(self, zone: Zone) -> Block:
        """Won tricks, two by two, in words."""
        said = [face_of(self.game, piece).text if piece.kind == "face" else "" for piece in zone.pieces]
        found = [f"{lead} {reply}" for lead, reply in zip(*[iter(said)] * 2, strict=False)]
        owner = self.names.get(-1 if zone.seat is None else zone.seat, "")
        points = next((p.data.get("points", 0) for p in self.table.panels if p.id == zone.group), 0)
        tricks = ",  ".join(pair.replace(" ", "\u00a0") for pair in found)
        told = f"**{owner}** won {points}{': ' if tricks else ''}{tricks}"
        return wrap(marked(told), self.width if self.scale.thin else min(self.width, 44))

    def hand(self, zone: Zone) -> Block:
        """The person's cards; those that moves name have their number below."""
        cards = [piece for piece in zone.pieces if piece.kind != "gap"]
        numbers = self.numbers(zone, cards)
        title = "  ".join(part for part in (zone.label, zone.note and f"({plain(zone.note)})") if part)
        head = block([marked(title, DIM)]) if title else block([])
        size = self.size(zone)
        if size == Size.LARGE and sum(card(self.pen, self.game, one, size).width + 1 for one in cards) - 1 > self.width:
            size = Size.BOX
        if self.form == "word" and size < Size.LARGE:
            return self.words(zone, cards, numbers)
        if size == Size.LINE and self.form == "two":
            return below(head, self.strip(cards, numbers))
        drawn = []
        for piece, number in zip(cards, numbers, strict=True):
            one = card(self.pen, self.game, piece, size)
            drawn.append(below(one, block([Text(number.center(one.width), DIM)])) if number else one)
        return below(head, flow(drawn, self.width, 1, 0), *self.spans(zone, cards))

    def spans(self, zone: Zone, cards: Sequence[Piece]) -> Iterator[Block]:
        """Which sets stand in a hand, where it is read one way or the other."""
        said = [f"{name} at {first + 1}–{last + 1}" for first, last, name in zone.spans]
        if said and self.scale.words:
            yield wrap(Text(",  ".join(text.replace(" ", "\u00a0") for text in said), DIM), self.width)

    def words(self, zone: Zone, cards: Sequence[Piece], numbers: Sequence[str]) -> Block:
        """A hand of words in a line: "In your hand: 1 green   2 yellow"."""
        parts = [Text(f"In {zone.label[:1].lower()}{zone.label[1:]}:" if zone.label else "In the hand:", DIM)]
        for number, piece in zip(numbers, cards, strict=True):
            said = Text(f"{number}\u00a0" if number else "", DIM)
            if piece.kind == "face":
                said.append_text(card(self.pen, self.game, piece).lines[0])
            else:
                said.append(piece.name, DIM)
            if any(mark in piece.marks for mark in ("picked", "chosen")):
                said.append("\u00a0✓", BOLD)
            parts.append(said)
        return wrap(Text("  ").join(parts), self.width)

    def strip(self, cards: Sequence[Piece], numbers: Sequence[str]) -> Block:
        """Cards of two numbers as three lines: up, down, place."""
        columns = []
        for piece, number in zip(cards, numbers, strict=True):
            face = face_of(self.game, piece)
            lower = face.lower[0] if face.lower else ""
            tick = "✓" if "picked" in piece.marks else ""
            upper = Text(f"{face.text}{tick}".rjust(3), BOLD)
            columns.append(block([upper, lower.rjust(3), Text(number.rjust(3), DIM)]))
        head = block(Text(name, DIM) for name in ("up", "down", "place" if any(numbers) else ""))
        room = max(1, (self.width - 6) // 3)
        rows = [beside(columns[at : at + room], 0) for at in range(0, len(columns), room)]
        return below(*(beside([head, row], 6 - head.width) for row in rows))

    def numbers(self, zone: Zone, cards: Sequence[Piece]) -> list[str]:
        """The numbers of the places of a hand, counted from its left, where moves name them."""
        if "reversed" in zone.marks:
            return [tail_of(piece.place) for piece in cards]
        counted = len(cards) > 1 and any(piece.place in self.touched for piece in zone.pieces)
        return [str(number) if counted else "" for number in range(1, len(cards) + 1)]

    def columns_of(self, zone: Zone) -> int:
        """How many pieces of a tray without columns of its own stand in a row: they fill two thirds of the table."""
        widest = max((card(self.pen, self.game, piece).width for piece in zone.pieces), default=1)
        return max(1, 2 * self.width // 3 // (widest + 1))

    def grid(self, zone: Zone) -> Block:
        """Rows of pieces; your own has its coordinates at the edges."""
        columns = zone.columns or self.columns_of(zone)
        thin, colours = self.scale.thin, self.pen.colours
        gap = 0 if thin or not colours else 1
        mine = zone.seat == self.table.viewer and zone.area == "you"
        names = [tail_of(piece.place) for piece in zone.pieces]
        coordinates = mine and self.table.layout.coordinates
        large = mine and self.scale.hand == Size.LARGE
        lines: list[Block] = []
        for at in range(0, len(zone.pieces), columns):
            row = zone.pieces[at : at + columns]
            draw = partial(card, size=Size.LARGE) if large else narrow if thin else card
            drawn = [draw(self.pen, self.game, piece) for piece in row]
            if coordinates and not lines:
                heads = [Text(names[i][0].center(one.width), DIM) for i, one in enumerate(drawn)]
                lines.append(block([Text("   " + " " * gap).append_text(Text(" " * gap).join(heads))]))
            if coordinates:
                side = ["   "] * (drawn[0].height // 2)
                drawn.insert(0, block([*side, Text(f" {names[at][1]} ", DIM)]))
            lines.append(beside(drawn, gap))
        return below(*lines)

    # --- lanes -------------------------------------------------------------------------------------------------------

    def lanes(self) -> Block:
        """Columns of cards that belong together, their parts level: across, the middle, your side."""
        cascades = [zone for zone in self.table.zones if zone.kind == "cascade" and zone.group]
        groups = {each.group: [zone for zone in cascades if zone.group == each.group] for each in cascades}
        lanes = list(groups.values())
        size = self.scale.middle
        wide = card(self.pen, self.game, Piece("", "back"), size).width
        gap = 1 if self.width < 70 else 2
        heads = [Text(tail_of(name).center(wide), DIM) for name in groups]
        rows = [Text(" " * LABEL).append_text(Text(" " * gap).join(heads))]
        for part, zones in enumerate(zip(*lanes, strict=True)):
            if part and (self.scale.gap or not self.pen.colours):
                rows.append(Text(" " * LABEL).append("┈" * (len(lanes) * (wide + gap) - gap), DIM))
            rows += self.lane_rows(zones, size, wide, gap)
        labels = [next((zone.label for zone in lane if zone.label), "") for lane in lanes]
        if any(labels):
            said = [marked(fit(label, wide)) for label in labels]
            rows.append(Text(" " * LABEL).append_text(Text(" " * gap).join(said)))
        return block(rows)

    def lane_rows(self, zones: Sequence[Zone], size: Size, wide: int, gap: int) -> Iterator[Text]:
        """The rows of one part of all lanes, each with its name before it."""
        for pieces in zip(*(zone.pieces for zone in zones), strict=True):
            drawn = [card(self.pen, self.game, piece, size) for piece in pieces]
            cells = beside(drawn, gap)
            label = self.row_name(zones[0], pieces[0])
            for y, line in enumerate(cells.lines):
                said = fit(label if y == (cells.height - 1) // 2 else "", LABEL)
                yield Text(said, DIM).append_text(line)

    def row_name(self, zone: Zone, piece: Piece) -> str:
        """The name of a lane's row: "Mara 2", "your end"."""
        number = str(piece.row) if piece.row else "end"
        return f"{fit(zone.brief, LABEL - 2 - len(number)).rstrip()} {number}" if zone.brief else ""


def legend(items: Sequence[Sequence[str]]) -> str:
    """What the signs on the cards mean.

    >>> legend([["all-see", "all see"], ["only-you", "only you"]])
    '● all see   ○ only you'
    """
    return "   ".join(f"{SIGNS.get(mark, mark)} {text}" for mark, text in items)
