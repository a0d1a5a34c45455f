"""Puts a `Table` in order for the templates: who sits where, which zones stand together."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from markupsafe import Markup, escape

from facedown.core.table import Choice, Layout, Panel, Piece, SeatPanel, Table, TouchStep, Zone
from facedown.server.i18n import N_, _

_BOLD = re.compile(r"\*\*(.+?)\*\*")

#: Fans of this many cards fall into two rows where there is little room.
TWO_ROWS_FROM = 13
CARDS_PER_SHEET = 20
MAX_SHEETS = 5
#: What is read aloud of a piece that is marked so.
SPOKEN_MARKS = {
    "faded": N_("does not count"),
    "only-you": N_("only you see it"),
    "all-see": N_("everybody sees it"),
    "staged": N_("not placed yet"),
}


@lru_cache(8192)
def bold_marks_to_html(text: str) -> Markup:
    """Text with ``**bold**`` as HTML; everything else in it is escaped.

    >>> str(bold_marks_to_html("**Ravi** drew <a> card"))
    '<b>Ravi</b> drew &lt;a&gt; card'
    """
    return Markup(_BOLD.sub(r"<b>\1</b>", str(escape(text))))


@lru_cache(8192)
def strip_bold_marks(text: str) -> str:
    """Text without its bold marks, to be read aloud."""
    return _BOLD.sub(r"\1", text)


def step_json(step: TouchStep) -> dict[str, Any]:
    """A step as JSON without its empty fields.

    >>> step_json(TouchStep("Draw?", choices=(Choice("deck", action=0),)))
    {'prompt': 'Draw?', 'choices': [{'touch': 'deck', 'action': 0}]}
    """
    lean = _nonempty_fields(step) | {"prompt": step.prompt}
    if step.choices:
        lean["choices"] = [
            _nonempty_fields(choice)
            if choice.then is None
            else _nonempty_fields(choice) | {"then": step_json(choice.then)}
            for choice in step.choices
        ]
    return lean


def _nonempty_fields(one: Choice | TouchStep) -> dict[str, Any]:
    """The fields without those that are empty: no text, nothing in a list, no, or not given (but 0 is a number)."""
    return {name: part for name, part in zip(one._fields, one, strict=True) if part or type(part) is int}


class ZoneGroup(NamedTuple):
    """Zones of one group, standing together on one tray; in a section, the names of their sections."""

    id: str
    zones: tuple[Any, ...]
    chosen: bool


class PlayerZones(NamedTuple):
    """A player with what lies in front of them."""

    panel: SeatPanel
    zones: tuple[Zone, ...]


class Arrangement(NamedTuple):
    """A table, sorted by where things stand."""

    layout: Layout
    others: tuple[PlayerZones, ...]
    you: SeatPanel | None
    areas: dict[str, tuple[Any, ...]]
    """For each area its `Zone`, `ZoneGroup` and `Panel` objects, in the order of the table."""
    counted: tuple[PlayerZones, ...] = ()
    """Where grids are counted, everybody with their grid, you last: then the grids are the slips."""

    def area(self, name: str) -> tuple[Any, ...]:
        """What stands in an area."""
        return self.areas.get(name, ())


def arrangement_of(table: Table) -> Arrangement:
    """Sort a table's seats, zones and panels by where they stand."""
    you = next((p for p in table.seats if p.you), None)
    rest = [p for p in table.seats if not p.you]
    if you is not None:
        start = you.seat
        rest.sort(key=lambda p: (p.seat - start) % max(1, len(table.seats)))
    trays = {p.id for p in table.panels if p.kind in ("won", "tray")}
    zones = [z for z in table.zones if z.group not in trays]
    others = tuple(PlayerZones(p, tuple(z for z in zones if z.area == "seat" and z.seat == p.seat)) for p in rest)
    areas: dict[str, list[Any]] = {}
    lanes: dict[str, list[Zone]] = {}
    for zone in zones:
        if zone.area == "seat":
            continue
        if zone.group and zone.kind != "pairs":
            if zone.group not in lanes:
                areas.setdefault(zone.area, []).append(zone.group)
            lanes.setdefault(zone.group, []).append(zone)
        else:
            areas.setdefault(zone.area, []).append(zone)
    for panel in table.panels:
        # Stages and contracts stand above the cards, notes and dials below or beside them.
        things = areas.setdefault(panel.area, [])
        above = panel.kind in ("stages", "contract", "won", "tray", "ladder")
        things.insert(sum(isinstance(t, Panel) for t in things) if above else len(things), panel)
    trayed = {name: ZoneGroup(name, tuple(own), any("chosen" in z.marks for z in own)) for name, own in lanes.items()}
    done = {name: tuple(trayed[t] if isinstance(t, str) else t for t in things) for name, things in areas.items()}
    counted = others if table.layout.kind == "grids" and table.slips else ()
    if counted and you is not None:
        own = [zone for zone in done.pop("you", ()) if isinstance(zone, Zone)]
        counted = (*counted, PlayerZones(you, tuple(own)))
    return Arrangement(table.layout, others, you, done, counted)


def pile_sheet_count(zone: Zone) -> int:
    """How many sheets a pile shows below its top one."""
    count = zone.count or 0
    return min(MAX_SHEETS, math.ceil(count / CARDS_PER_SHEET)) if count > 1 else 0


def cards_in(zone: Zone) -> int:
    """The pieces of a zone that take room."""
    return sum(p.kind != "gap" for p in zone.pieces)


def row_break(zone: Zone) -> int:
    """After how many cards a long fan may break into a second row; 0 for never."""
    if zone.kind != "fan" or zone.area != "hand":
        return 0
    count = cards_in(zone)
    return math.ceil(count / 2) if count >= TWO_ROWS_FROM else 0


def pairs(pieces: Sequence[Piece]) -> list[tuple[Piece, ...]]:
    """Won tricks, two by two."""
    return [tuple(pieces[i : i + 2]) for i in range(0, len(pieces), 2)]


def won_pieces(table: Table, panel: Panel) -> tuple[Piece, ...]:
    """The pieces that belong to a "won" panel or a "tray"."""
    return tuple(p for z in table.zones if z.group == panel.id for p in z.pieces)


def touchable_ids(step: TouchStep) -> frozenset[str]:
    """The ids of everything that may be touched at this step or after it, or that answers why it may not be."""
    found, waiting = set[str](), [step]
    while waiting:
        one = waiting.pop()
        found.update(dict(one.refusals))
        for choice in one.choices:
            found.add(choice.touch)
            if choice.then is not None:
                waiting.append(choice.then)
    return frozenset(found)


def buttons(step: TouchStep) -> tuple[Choice, ...]:
    """The choices of a step that are buttons, the filled one last."""
    found = [c for c in step.choices if c.button and c.number is None]
    return tuple(sorted(found, key=lambda c: (c.primary, False)))


def numbers(step: TouchStep) -> tuple[Choice, ...]:
    """The choices of a step that are offered together: a row of faces in their order, or one stepper, ascending."""
    found = tuple(c for c in step.choices if c.number is not None)
    return found if any(c.face for c in found) else tuple(sorted(found, key=lambda c: c.number or 0))


def faces(step: TouchStep) -> tuple[Choice, ...]:
    """The choices of a step that are offered as a row of faces."""
    return tuple(c for c in step.choices if c.number is not None and c.face)


def zone_aria_label(zone: Zone) -> str:
    """A zone's name as read aloud, with how many cards it holds where it says so."""
    name = strip_bold_marks(zone.says or zone.label or (zone.pieces[0].where if zone.pieces else ""))
    return name if zone.count is None else f"{name}, {zone.count}"


def piece_aria_label(piece: Piece) -> str:
    """A piece's name as read aloud: what it is, how it is marked, where it lies."""
    name = piece.name
    if name in ("face down", _("face down")):
        name = _("empty place") if piece.kind == "slot" else _("face down")
    marks = (_(SPOKEN_MARKS[mark]) for mark in piece.marks if mark in SPOKEN_MARKS)
    return ", ".join([name, *filter(None, (piece.tag, *marks, piece.where))])
