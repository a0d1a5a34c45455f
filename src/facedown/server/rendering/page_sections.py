"""Sections of a table's page: named pieces of HTML that the server updates independently.

A page has about twenty sections:

* Frame: contains all other sections.
* Seat: one for each player. It contains the sections of the zones (groups of cards) at that seat.
* Area: one for each region of the page, such as the centre. It contains the sections of the zones in that region.
* Zone: one for each group of cards. It contains no other section.
* Prompt, buttons, scores, log, chat and others: these contain no other sections.
* Menu: its part about the match, a section for each of its rows, and the questions that confirm them. These sections
  are outside the frame, in ``live.html``.

A `Section` is a call of a Jinja macro in ``sections.html``: the macro's name and arguments (`data`). The arguments are
taken from the viewer's `Table` and from public information.

Two calls with equal arguments give equal HTML. So the server sends a section again only if its arguments have changed.
Therefore the arguments are hashable, and contain only what the section shows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from facedown.core.table import Layout, Panel, SeatPanel, SlipRow, Table, Zone
from facedown.server.i18n import _
from facedown.server.rendering import table_layout
from facedown.server.rendering.page_model import TableContext
from facedown.server.rendering.table_layout import Arrangement, ZoneGroup

#: Name of the section that contains all others except the menu.
FRAME = "frame"
#: Name of the log's section. An update sends only the new lines, not the whole section, because a long match has
#: hundreds of lines.
LOG = "log"


class Section(NamedTuple):
    """Piece of a page's HTML that is updated independently: the macro that renders it, and the macro's arguments."""

    macro: str
    data: tuple[Any, ...]
    """Arguments of the macro."""


class Frame(NamedTuple):
    """Data of the outermost section (the frame) on the page of a running match: which sections are in it and where."""

    game: str
    layout: Layout
    seats: int
    seated: tuple[int, ...]
    """Seats of the other players in playing order. While grids are being scored: of all players, the viewer last."""
    areas: tuple[str, ...]
    """Names of the areas that are not empty."""
    slips: tuple[int, ...]
    you: int | None
    """Viewer's seat if it has a section of its own, else None."""
    counted: bool
    spectating: bool
    asks: bool
    """Whether the page has a prompt and buttons; only a replay has none."""
    timed: bool
    scored: bool
    heard: bool
    """Whether the page has a chat."""


class AreaTable(NamedTuple):
    """Extract of a `Table`: what the panels (extra boxes) in one area (region) of the page need of the table.

    Most of what a panel shows is its own data (`Panel.data`). These data are not in this extract. But players' names
    and pieces (cards or tiles) are not part of a panel's data. Panels that show them take them from this extract.
    """

    game: str
    viewer: int
    seats: tuple[SeatPanel, ...]
    """Seats of the table; empty if none of these panels shows players' names."""
    zones: tuple[Zone, ...]
    """Zones whose pieces (cards or tiles) these panels show."""


Sections = Mapping[str, Section]
"""Sections of a page by name. The first section is the frame, which contains all others except the menu."""


def sections_of(table: Table, context: TableContext) -> dict[str, Section]:
    """Return the page's sections by name, for a running match, a match that has just ended, a lesson or a replay."""
    a = table_layout.arrangement_of(table)
    replay = context.replay
    touches = frozenset[str]() if replay else table_layout.touchable_ids(table.step)
    seated = a.counted or a.others
    slips = () if a.counted else table.slips
    panels = {panel.seat: panel for panel in table.seats}
    you = a.you if not a.counted else None
    # In a replay, the playback controls take the place of the hand.
    areas = ("left", "center", "right", "you") if replay else ("left", "center", "right", "you", "hand")
    frame = Frame(
        game=table.game,
        layout=a.layout,
        seats=len(table.seats),
        seated=tuple(one.panel.seat for one in seated),
        areas=tuple(name for name in areas if a.area_contents(name)),
        slips=tuple(slip.seat for slip in slips),
        you=None if you is None else you.seat,
        counted=bool(a.counted),
        spectating=a.you is None,
        asks=replay is None,
        timed=bool(context.clocks),
        scored=bool(table.scores or table.scores_title),
        heard=context.talk.heard,
    )
    found = {FRAME: Section("frame", (frame,))}
    if replay is None:
        found |= _menu(context)
        found["bar"] = Section("bar", (table.game, "/", context.hints))
        found["titles"] = Section("titles", (table.title, table.subtitle))
    else:
        # The last value is the address for the share button. With "" it shares the current address of the page, which
        # contains the number of the move shown.
        found["bar"] = Section("bar", (table.game, f"/t/{replay.code}", context.hints, ""))
        found["titles"] = Section("titles", (table.title, _("Replay") + " · " + table.subtitle))

    def add_zone(zone: Zone, small: bool = False, sums: tuple[SlipRow, ...] = ()) -> str:
        """Add the section of a zone and return the section's name.

        `small`: draw small cards; `sums`: rows of the owner's scoring slip. The section's arguments contain only the
        touchable ids within this zone, so that a change of other touchable ids does not change the section.
        """
        here = touches.intersection((zone.id, *(piece.place for piece in zone.pieces))) if touches else touches
        theirs = zone.area != "seat" and zone.seat is not None and zone.seat != max(table.viewer, 0)
        name = f"zone-{zone.id}"
        found[name] = Section("zone_section", (zone, table.game, small, theirs, here, sums))
        return name

    def placed(thing: Zone | ZoneGroup | Panel) -> str | ZoneGroup | Panel:
        """Return a zone, group of zones or panel of an area, with each zone replaced by the name of its section."""
        if isinstance(thing, ZoneGroup):
            return thing._replace(zones=tuple(map(add_zone, thing.zones)))
        return add_zone(thing) if isinstance(thing, Zone) else thing

    for one in seated:
        slip = next((slip for slip in table.slips if slip.seat == one.panel.seat), None) if a.counted else None
        rows = slip.rows if slip else ()
        own = tuple(add_zone(zone, small=a.layout.kind == "grids", sums=rows) for zone in one.zones)
        there = _presence_and_clock(one.panel, context)
        found[f"seat-{one.panel.seat}"] = Section("seat", (one.panel, *there, own, slip, a.layout.kind))
    if you is not None:
        bare = (" chip-only" if context.clocks else " bare") if not you.line and not you.badges else ""
        found[f"seat-{you.seat}"] = Section("you", (you, *_presence_and_clock(you, context), bare))
    for name in frame.areas:
        things = tuple(map(placed, a.area_contents(name)))
        row = table_layout.card_face_choices(table.step) if name == "hand" else ()
        found[f"{name}-area"] = Section("area", (name, things, _table_fields_for_panels(things, table), row))
    step = table.step
    lit = bool(step.choices) or (context.proposal is not None and bool(context.proposal.accept))
    found["prompt"] = Section("prompt", (step.prompt, step.help, step.rule, lit, table.game, table.phase))
    found["actions"] = _actions(table, context, a)
    for slip in slips:
        found[f"slip-{slip.seat}"] = Section("slip", (slip, panels[slip.seat], table.game))
    found["where"] = Section("where", (table.subtitle,))
    found["pages"] = Section("pages", (context.talk.heard,))
    if frame.scored:
        found["scores"] = _scores(table, context)
    found[LOG] = Section(LOG, (True, False, table.log))
    if frame.heard:
        alone = a.others[0].panel if len(seated) == 1 and a.you else None
        found["chat"] = Section("chat", (context.chat, context.talk, alone.name if alone and not alone.bot else ""))
    return found


def _menu(context: TableContext) -> dict[str, Section]:
    """Return the sections of the menu. They are empty if the viewer can do nothing about the match."""
    menu, listing = context.menu, {"menu-listing": Section("menu_listing", (context.listed,))}
    if menu is None:
        return {
            "menu-game": Section("menu_game", (False,)),
            "menu-questions": Section("menu_questions", ((),)),
        } | listing
    return listing | {
        "menu-game": Section("menu_game", (True,)),
        "menu-take-back": Section("menu_row", ("take-back", "undo", menu.take_back)),
        "menu-end": Section("menu_row", ("end", "hands", menu.end)),
        "menu-resign": Section("menu_row", ("resign", "flag", menu.resign)),
        "menu-questions": Section("menu_questions", ((("end", menu.end), ("resign", menu.resign)),)),
    }


def _presence_and_clock(panel: SeatPanel, context: TableContext) -> tuple[Any, Any]:
    """Return (`SeatStatus`, `Clock`) of the seat that `panel` shows. Each is None if `context` has none for it."""
    return context.presence.get(panel.seat), context.clocks.get(panel.seat)


def _table_fields_for_panels(things: Sequence[Any], table: Table) -> AreaTable:
    """Return the fields of a table that the panels (extra boxes) in one area (region) of the page need.

    Zones (groups of cards) that none of these panels shows are left out. The seats are left out unless a panel shows
    players' names. So the HTML of the area stays the same, and is not sent again, when only such zones or seats change.

    `things` lists the contents of the area. Each is one of:

    * `Panel`: an extra box.
    * `ZoneGroup`: several zones that are drawn together.
    * str: a single zone, given by the name under which its HTML is updated.
    """
    panels = [thing for thing in things if isinstance(thing, Panel)]
    named = any(panel.kind in ("dial", "ladder") for panel in panels)
    ids = {panel.id for panel in panels}
    zones = tuple(zone for zone in table.zones if zone.group in ids) if ids else ()
    return AreaTable(table.game, table.viewer, table.seats if named else (), zones)


def _actions(table: Table, context: TableContext, a: Arrangement) -> Section:
    """Return the section with all buttons: for the current decision or the answer to a proposal, for letting a bot
    replace an absent player, and for taking over a bot's seat.
    """
    buttons = tuple((choice, _is_on_table(choice.touch, table)) for choice in table_layout.button_choices(table.step))
    waits = not table.step.choices and context.proposal is None
    state = (a.you.state, a.you.done) if a.you and a.you.state and waits else None
    asked = context.proposal if context.proposal is not None and context.proposal.decline else None
    away = tuple(
        (seat, panel.name)
        for seat, status in context.presence.items()
        if status.state == "away" and not status.left
        for panel in table.seats
        if panel.seat == seat and not panel.you
    )
    takes = context.takeover_request and (context.takeover_label, tuple(context.takeover_request.items()))
    return Section("actions", (table_layout.number_choices(table.step), buttons, state, away, asked, takes))


def _is_on_table(touch: str, table: Table) -> bool:
    """Return whether `touch` is the id of something on the table, and not of a button.

    `touch` is the id of what a player clicks or taps to make a choice (`Choice.touch`). On the table, that is a zone
    (group of cards) or a place in a zone, such as the place of one card.
    """
    return any(zone.id == touch or any(piece.place == touch for piece in zone.pieces) for zone in table.zones)


def _scores(table: Table, context: TableContext) -> Section:
    panels = {panel.seat: panel for panel in table.seats}
    rows = tuple((row, panels[row.seat], *_presence_and_clock(panels[row.seat], context)) for row in table.scores)
    legends = tuple(panel for panel in table.panels if panel.kind == "legend")
    return Section("scores", (table.scores_title, table.scores_note, rows, context.house, context.clock_note, legends))


def finished_sections(table: Table, context: TableContext, hands: str) -> dict[str, Section]:
    """Return the page's sections by name for a finished match.

    `hands` is the HTML of all players' hands; "" if they are not shown.
    """
    a = table_layout.arrangement_of(table)
    panels = {panel.seat: panel for panel in table.seats}
    rounds = tuple((panels[row.seat], row) for row in context.sheet)
    other = a.others[0].panel.name if len(table.seats) == 2 and a.you else ""
    notes = tuple(str(panel.data["text"]) for panel in table.panels if panel.kind == "note")
    slips = tuple((slip, panels[slip.seat]) for slip in table.slips)
    found = {"bar": Section("bar", (table.game, "/", False, context.replay_url or None))}
    found["titles"] = Section("titles", (table.title, _("Match finished")))
    found["result"] = Section("result", (table.result, context.summary))
    found["choices"] = Section("choices", (context.again, context.code, context.replay_url, other))
    if rounds:
        found["rounds"] = Section("rounds", (rounds,))
    if hands:
        shown = tuple(zone for zone in table.zones if zone.pieces and zone.seat is not None)
        found["hands"] = Section("hands", (hands, shown))
    if context.coach is not None:
        found["coach"] = Section("coach", (context.coach,))
    scores = None if rounds else _scores(table, context)
    fair = context.fairness, context.coach is not None
    found["standing"] = Section("standing", (fair, scores, notes, context.rules, context.record_url))
    if slips:
        found["last-count"] = Section("last_count", (slips, context.unit, table.game))
    found[LOG] = Section(LOG, (False, True, table.log))
    if context.talk.heard:
        found["chat"] = Section("chat", (context.chat, context.talk, ""))
    return {FRAME: Section("finished", (tuple(found),)), **found, **_menu(context)}
