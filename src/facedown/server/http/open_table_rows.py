"""Rows of the list of open tables, as texts. They say nothing about the match or about how well anyone plays."""

from __future__ import annotations

from dataclasses import replace

from facedown.core import game_registry as registry
from facedown.core.grammar import in_words
from facedown.core.translation import join_names
from facedown.play import Settings, TableRecord
from facedown.server import rendering
from facedown.server.connection import clock_text, viewer_page_data
from facedown.server.i18n import _, n_
from facedown.server.rendering import OpenTableRow
from facedown.store.open_tables import ListedTable


def open_table_row(one: ListedTable) -> OpenTableRow:
    """Return the row of an open table. It says nothing about the match or about how well anyone plays."""
    record = one.record
    takes_over = record.status == "running" and one.free > 0
    return OpenTableRow(
        game=record.game,
        title=_title(record),
        line=_line(one),
        code=record.code,
        people=tuple((seat.name, seat.kind == "bot") for seat in record.seats),
        action="take-over" if takes_over else "sit" if one.free else "watch",
    )


def _title(record: TableRecord) -> str:
    title = registry.info(record.game).title
    people = [seat.name for seat in record.seats if seat.kind == "person"]
    if len(people) > 2 or not people:
        return _("{game} for {number}", game=title, number=in_words(len(record.seats)))
    return _("{game} with {names}", game=title, names=join_names(people))


def _line(one: ListedTable) -> str:
    record, said = one.record, []
    if record.status == "running":
        said.append(_("you take over a bot in the next round") if one.free else _("a match is running"))
    else:
        said.append(n_("one seat free", "{count} seats free", one.free))
    said.append(pace_text(record))
    said += [f"{rendering.mid_sentence_label(name)} {words}" for name, words in _unusual_rules(record)]
    return " · ".join(said)


def _unusual_rules(record: TableRecord) -> list[tuple[str, str]]:
    """Return the house rules that differ from those of a new table, without the time limit, as (title, text)."""
    info, given = registry.info(record.game), record.settings
    settings = Settings(given.clock, increment=given.increment, at_zero=given.at_zero, memory=info.aided)
    usual = replace(record, settings=settings, options=info.complete(len(record.seats), {}))
    return [rule for rule in viewer_page_data.house_rules(record) if rule not in viewer_page_data.house_rules(usual)]


def pace_text(record: TableRecord) -> str:
    """Return the time limit of a table for the list of open tables ("a minute per turn")."""
    return clock_text.time_limit_text(record.settings) if record.settings.clock else _("no time limit")
