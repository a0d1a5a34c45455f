"""HTML of a table's page: the whole page, or only the sections that have changed since the version a client shows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Any

from markupsafe import Markup

from facedown.core.game_registry import catalogue
from facedown.core.table import LogLine, Table
from facedown.core.translation import language
from facedown.server.i18n import _
from facedown.server.rendering import table_layout
from facedown.server.rendering.base_path import root
from facedown.server.rendering.marked_position import MarkedTable
from facedown.server.rendering.page_model import ReplayMoment, TableContext
from facedown.server.rendering.page_sections import LOG, Section, Sections, finished_sections, sections_of
from facedown.server.rendering.table_layout import arrangement_of
from facedown.server.rendering.templates import macro, render

#: Number of sections whose HTML is cached. Caching helps because several viewers receive the same section.
CACHED_SECTIONS = 1024
#: Macros of ``sections.html`` that contain other sections.
CONTAINER_MACROS = ("frame", "bar", "seat", "area", "finished", "menu_game")


#: Templates that a lesson or a replay adds to a table's page: name of a position on the page -> template. The macro
#: ``frame`` in ``sections.html`` inserts their HTML at these positions.
LESSON_PARTS = {"bar": "lesson_bar.html", "dock": "lesson_dock.html", "rail": "lesson_rail.html"}
REPLAY_PARTS = {"strip": "strip.html", "moves": "moves.html"}


# --- sections ---------------------------------------------------------------------------------------------------------


def section_placeholder(name: str) -> Markup:
    """Return an empty element that marks the place of the section `name` inside the HTML of another section.

    A section is a piece of the page that is updated independently. The client replaces the empty element by the section
    `name`. The client has this section already, or receives it separately in the same message.
    """
    return Markup(f'<i id="{name}" data-slot></i>')


@lru_cache(CACHED_SECTIONS)
def _cached_section_html(place: tuple[str, str], section: Section) -> Markup:
    if section.macro in CONTAINER_MACROS:
        return macro("sections.html", section.macro)(*section.data, slot=section_placeholder)
    return macro("sections.html", section.macro)(*section.data)


def render_section(section: Section) -> Markup:
    """Return the HTML of one section. A section is a piece of the page that is updated independently.

    The sections inside this section are left out: if they are unchanged, they need not be sent again. Each of them is
    represented by an empty element (`section_placeholder`), which the client replaces by the section.
    """
    if section.macro == LOG:
        titled, scrolls, lines = section.data
        return macro("sections.html", LOG)(titled, scrolls, Markup("").join(map(_log_line_html, lines)))
    return _cached_section_html((language(), root()), section)


def _log_line_html(line: LogLine) -> Markup:
    return _cached_section_html((language(), root()), Section("log_line", line))


def render_sections(sections: Sections, lesson_or_replay_parts: dict[str, str] | None = None) -> str:
    """Return the HTML inside ``<main id="app">``, with all sections in their places.

    * `sections`: the sections by name. The section "frame" contains all others.
    * `lesson_or_replay_parts`: additional HTML for the page of a lesson or a replay, by the name of the position at
      which it is inserted (see `_lesson_or_replay_parts`); None for any other page.
    """

    def filled(name: str) -> Markup:
        section = sections[name]
        if section.macro in CONTAINER_MACROS:
            more = (
                {} if lesson_or_replay_parts is None or section.macro != "frame" else {"parts": lesson_or_replay_parts}
            )
            return macro("sections.html", section.macro)(*section.data, slot=filled, **more)
        return render_section(section)

    return str(filled("frame"))


def diff_sections(sections: Sections, shown: Sections) -> dict[str, Any]:
    """Return what must be sent to a client that shows the sections `shown`, so that it shows `sections`.

    The result is a dictionary:

    * ``sections``: the HTML of each section that is new or changed, by name.
    * ``log``: the HTML of each new log line. If the log changed in another way, it is one of the ``sections`` instead.
    """
    changed = {name: section for name, section in sections.items() if shown.get(name) != section}
    lines: list[str] = []
    if LOG in changed and LOG in shown:
        *form, before = shown[LOG].data
        *now, after = sections[LOG].data
        if form == now and after[: len(before)] == before:
            del changed[LOG]
            lines = [str(_log_line_html(line)) for line in after[len(before) :]]
    return {"sections": {name: str(render_section(section)) for name, section in changed.items()}, "log": lines}


# --- a table ----------------------------------------------------------------------------------------------------------


class TablePage:
    """The page of a match for one viewer, as HTML and as WebSocket messages.

    `table` is the match as the viewer sees it. `context` has all other contents of the page, such as clocks, chat and
    links. After the match, the page shows the result instead of the table, except in a lesson or a replay.
    """

    def __init__(self, table: Table, context: TableContext) -> None:
        self.table = table
        self.context = context
        if context.takeover:
            step = table.step
            table = replace(table, step=step._replace(help=" ".join(filter(None, (step.help, context.takeover)))))
        finished = table.over and context.lesson is None and context.replay is None
        self.sections: Sections = _finished_match_sections(table, context) if finished else sections_of(table, context)
        turned = finished and any(panel.kind == "steps" for panel in table.panels)
        self.last: Sections | None = sections_of(table, context) if turned else None
        """Sections of the page on which the last cards of the match are flipped one after another, before the result.

        None if the match does not end with such cards.
        """
        self._fields = {
            "step": table_layout.step_json(table.step),
            "yours": bool(table.step.choices),
            "over": table.over,
            "title": " · ".join([part for part in (table.title, table.subtitle) if part]),
        }

    @cached_property
    def html(self) -> str:
        """HTML inside ``<main id="app">``."""
        return render_sections(self.sections, _lesson_or_replay_parts(self.table, self.context))

    def whole_page_message(self, *, version: int, say: Iterable[str] = ()) -> dict[str, Any]:
        """Return the WebSocket message with the whole page, for one connection.

        `version` counts the changes that this viewer could see. It is not the number of actions, which would disclose
        when another player makes a sealed choice. `say` lists what has happened since the last update of this viewer's
        page, in words (``**bold**`` allowed).

        At the end of some matches the client flips the last cards one after another before it shows the result. In this
        case the message contains two pages:

        * ``last``: the table on which the cards are flipped.
        * ``html``: the page with the result.
        """
        last = {} if self.last is None else {"last": render_sections(self.last)}
        return self._common_message_fields(version, say) | last | {"html": self.html}

    def page_update_message(self, shown: Sections, *, version: int, say: Iterable[str] = ()) -> dict[str, Any]:
        """Return the WebSocket message that updates a page on which the client shows the sections `shown`.

        Usually the message contains only the sections that differ from `shown`, and new log lines (`diff_sections`).

        At the end of some matches the client flips the last cards before it shows the result. Then the message contains
        two pages:

        * ``last``: the page on which the cards are flipped, as its differences from `shown`.
        * ``sections``: the page with the result. It has all sections, because the client may skip the other page.

        `version` and `say` are explained in `whole_page_message`.
        """
        if self.last is None:
            return self._common_message_fields(version, say) | diff_sections(self.sections, shown)
        # Send all sections of the page with the result, because the client may skip the page in `last`, which comes
        # before it.
        return (
            self._common_message_fields(version, say)
            | {"last": diff_sections(self.last, shown)}
            | diff_sections(self.sections, {})
        )

    def _common_message_fields(self, version: int, say: Iterable[str]) -> dict[str, Any]:
        return {
            "type": "table",
            "version": version,
            "say": [table_layout.strip_bold_marks(line) for line in say],
            **self._fields,
        }


def _finished_match_sections(table: Table, context: TableContext) -> Sections:
    together = catalogue()[table.game].together
    return finished_sections(table, context, _final_hands_html(table) if together else "")


def _final_hands_html(table: Table) -> Markup:
    """Return the HTML of all players' hands at the end of a cooperative game."""
    drawn = MarkedTable(table, frozenset(panel.seat for panel in table.seats), frozenset(("hand",)))
    return Markup(render("position.html", table=table, a=arrangement_of(table), drawn=drawn))


def render_table_or_result(table: Table, context: TableContext | None = None) -> str:
    """Return the HTML inside ``<main id="app">`` for one viewer. Equal data always give equal bytes.

    In a lesson or a replay, the HTML always shows the table with its cards. In any other match, it shows the table as
    long as the match is running, and afterwards the result.
    """
    return TablePage(table, context or TableContext()).html


def _lesson_or_replay_parts(table: Table, context: TableContext) -> dict[str, str] | None:
    """Return the additional HTML on the page of a lesson or a replay, by position; None for a normal table.

    The result is a dictionary: name of a position on the page -> HTML to insert there. For example, "bar" is at the top
    of the page. The names are the keys of `LESSON_PARTS` and `REPLAY_PARTS`. The HTML of an unused position is "".

    One more key, "classes", has additional CSS classes for the element that contains the table.
    """
    lesson, replay = context.lesson, context.replay
    if lesson is None and replay is None:
        return None
    if lesson is not None:
        classes, shown = " lesson learnt" if lesson.ended else " lesson", LESSON_PARTS
    else:
        classes, shown = " replayed", REPLAY_PARTS
    arranged = arrangement_of(table)
    drawn = {
        place: Markup(render(name, table=table, a=arranged, lesson=lesson, replay=replay))
        for place, name in shown.items()
    }
    return dict.fromkeys((*LESSON_PARTS, *REPLAY_PARTS), "") | drawn | {"classes": classes}


def replay_message(table: Table, replay: ReplayMoment) -> dict[str, Any]:
    """Return the data with which the client shows one position of a replay, as a dictionary for JSON.

    `table` is the table at this position, without any places or buttons that the viewer could choose
    (`rendering.replay.Replay.static_table_after`). `replay` has everything that the page shows around the table, such
    as the last move in words, the list of moves and the chart of the scores.
    """
    context = TableContext(code=replay.code, replay=replay)
    said = _("{where}: {what}", where=replay.where, what=table_layout.strip_bold_marks(replay.heading))
    return {
        "type": "replay",
        "ply": replay.ply,
        "last": replay.last,
        "eyes": replay.chosen,
        "html": render_table_or_result(table, context),
        "say": [said],
        "title": _("{game} · replay", game=table.title),
    }
