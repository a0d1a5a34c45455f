"""Layout of a table for the templates.

The players are sorted by playing order. The zones (groups of cards) and panels (extra boxes) are grouped by the area of
the page that shows them. Zones that are drawn together are joined in a `ZoneGroup`.
"""

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

#: Smallest number of cards for which a fan is split into two rows on a narrow page.
TWO_ROWS_FROM = 13
CARDS_PER_SHEET = 20
MAX_SHEETS = 5
#: Texts that screen readers read after the name of a piece (card or tile), by the mark on the piece (`Piece.marks`).
SPOKEN_MARKS = {
    "faded": N_("does not count"),
    "only-you": N_("visible only to you"),
    "all-see": N_("visible to everyone"),
    "staged": N_("not placed yet"),
}


@lru_cache(8192)
def bold_marks_to_html(text: str) -> Markup:
    """Return a text as HTML with ``**bold**`` as ``<b>``; everything else is escaped.

    >>> str(bold_marks_to_html("**Ravi** drew <a> card"))
    '<b>Ravi</b> drew &lt;a&gt; card'
    """
    return Markup(_BOLD.sub(r"<b>\1</b>", str(escape(text))))


@lru_cache(8192)
def strip_bold_marks(text: str) -> str:
    """Return a text without the ``**`` around bold words, for screen readers."""
    return _BOLD.sub(r"\1", text)


def step_json(step: TouchStep) -> dict[str, Any]:
    """Return a step (a prompt, and the choices that the player has) as JSON data, without its empty fields.

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
    """Return the fields by name. Fields with the value "", (), False or None are left out; the number 0 is kept."""
    return {name: part for name, part in zip(one._fields, one, strict=True) if part or type(part) is int}


class ZoneGroup(NamedTuple):
    """Zones that are drawn together in one tray (a rounded area).

    The elements of `zones` have one of two types:

    * `Zone`: a group of cards. `arrangement_of` returns such elements.
    * str: the name of the `Section` that shows the zone. `page_sections` replaces each `Zone` by such a name, so that
      the zone can be updated without the rest of the group.
    """

    id: str
    zones: tuple[Any, ...]
    chosen: bool


class PlayerZones(NamedTuple):
    """A player, and the zones (groups of cards) in front of this player."""

    panel: SeatPanel
    zones: tuple[Zone, ...]


class Arrangement(NamedTuple):
    """Seats, zones (groups of cards) and panels (extra boxes) of a table, grouped by their area of the page."""

    layout: Layout
    others: tuple[PlayerZones, ...]
    """The other players in playing order, starting after the viewer; for a spectator, all players."""
    you: SeatPanel | None
    """Panel of the viewer's seat; None for a spectator."""
    areas: dict[str, tuple[Any, ...]]
    """`Zone`, `ZoneGroup` and `Panel` objects of each area, in their order on the page."""
    counted: tuple[PlayerZones, ...] = ()
    """All players with their grids of cards, the viewer last, while grids are being scored; otherwise empty."""

    def area_contents(self, name: str) -> tuple[Any, ...]:
        """Return the zones, zone groups and panels in an area of the page, in their order on the page."""
        return self.areas.get(name, ())


def arrangement_of(table: Table) -> Arrangement:
    """Return where on the page each seat, zone (group of cards) and panel (extra box) of a table is shown."""
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
        # Panels of some kinds, such as contracts, come before the cards of their area (`above`). All other panels, such
        # as notes, come after the cards.
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


def visible_pile_edge_count(zone: Zone) -> int:
    """Return the number of card edges that a pile shows below its top card."""
    count = zone.count or 0
    return min(MAX_SHEETS, math.ceil(count / CARDS_PER_SHEET)) if count > 1 else 0


def piece_count_of(zone: Zone) -> int:
    """Return the number of pieces (cards or tiles) in a zone, not counting the gaps between them."""
    return sum(p.kind != "gap" for p in zone.pieces)


def first_row_card_count(zone: Zone) -> int:
    """Return how many cards are in the first row if the viewer's hand is shown in two rows.

    Return 0 for a hand of fewer than `TWO_ROWS_FROM` cards and for any other zone: these always have a single row.
    """
    if zone.kind != "fan" or zone.area != "hand":
        return 0
    count = piece_count_of(zone)
    return math.ceil(count / 2) if count >= TWO_ROWS_FROM else 0


def split_into_pairs(pieces: Sequence[Piece]) -> list[tuple[Piece, ...]]:
    """Split the cards of won tricks into pairs, one pair for each trick."""
    return [tuple(pieces[i : i + 2]) for i in range(0, len(pieces), 2)]


def pieces_in_panel(table: Table, panel: Panel) -> tuple[Piece, ...]:
    """Return the pieces (cards or tiles) of all zones that are drawn inside a panel (an extra box on the table).

    A zone is a group of pieces. Only panels of two kinds contain zones: "won" (pieces that a seat has won) and "tray"
    (pieces that no seat has won).
    """
    return tuple(p for z in table.zones if z.group == panel.id for p in z.pieces)


def touchable_ids(step: TouchStep) -> frozenset[str]:
    """Return the ids of everything on the table's page that reacts to a touch (click or tap), now or at a later step.

    The ids are those of places, zones (groups of cards) and buttons. `step` is the current step (prompt) of the player,
    and contains the later ones. Some of the ids cannot be chosen: touching one of these only shows why the rules do not
    allow the choice.
    """
    found, waiting = set[str](), [step]
    while waiting:
        one = waiting.pop()
        found.update(dict(one.refusals))
        for choice in one.choices:
            found.add(choice.touch)
            if choice.then is not None:
                waiting.append(choice.then)
    return frozenset(found)


def button_choices(step: TouchStep) -> tuple[Choice, ...]:
    """Return the choices of a step (prompt) that are shown as buttons, the primary one last.

    Choices that have a number are left out (see `number_choices`).
    """
    found = [c for c in step.choices if c.button and c.number is None]
    return tuple(sorted(found, key=lambda c: (c.primary, False)))


def number_choices(step: TouchStep) -> tuple[Choice, ...]:
    """Return the choices of a step (prompt) that have a number, such as bids, in the order in which a page shows them.

    If one of these choices has a card face (`Choice.face`), the page shows a row of card faces. The choices then have
    the same order as in `step`. Otherwise the page shows a number selector, and the choices are sorted by number.
    """
    found = tuple(c for c in step.choices if c.number is not None)
    return found if any(c.face for c in found) else tuple(sorted(found, key=lambda c: c.number or 0))


def card_face_choices(step: TouchStep) -> tuple[Choice, ...]:
    """Return the choices of a step (prompt) that are shown as a row of card faces in the area of the viewer's hand.

    These are the choices that have both a number (`Choice.number`) and a face (`Choice.face`). For example, a player
    who must name one of the numbers 0 to 6 as trumps chooses between the pictures of these numbers. The result is empty
    for most steps.
    """
    return tuple(c for c in step.choices if c.number is not None and c.face)


def zone_aria_label(zone: Zone) -> str:
    """Return the name of a zone for screen readers, followed by its number of cards if that is given (`count`)."""
    name = strip_bold_marks(zone.says or zone.label or (zone.pieces[0].where if zone.pieces else ""))
    return name if zone.count is None else f"{name}, {zone.count}"


def piece_aria_label(piece: Piece) -> str:
    """Return the name of a piece (card or tile) for screen readers: what it is, its label, its states and its place.

    The label is `Piece.tag`. The states come from `Piece.marks`, in words ("only you see it").
    """
    name = piece.name
    if name in ("face down", _("face down")):
        name = _("empty space") if piece.kind == "slot" else _("face down")
    marks = (_(SPOKEN_MARKS[mark]) for mark in piece.marks if mark in SPOKEN_MARKS)
    return ", ".join([name, *filter(None, (piece.tag, *marks, piece.where))])
