"""What people are told when somebody's time was up."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from facedown.core.table import Step, Table
from facedown.core.voice import capital
from facedown.play.clock import AT_ZERO, AWAY_AFTER
from facedown.play.records import TableRecord

if TYPE_CHECKING:
    from facedown.play.session import Session


def up_words(record: TableRecord, seat: int) -> str:
    """What everybody is told when a clock stands at zero."""
    name, clock = record.seats[seat].name, record.clocks[seat]
    said = f"{name}’s time was up."
    if clock.lost:
        return f"{said} {record.seats[seat].standin_name} plays this seat to the end."
    if clock.ups >= AWAY_AFTER:
        return f"{said} That was {clock.ups} times in a row: {name} is away, and the others may decide."
    return f"{said} A bot plays this one move for {name}, who is back at the next turn." if clock.bot else said


def timed(session: Session, table: Table) -> Table:
    """The same table with what the clocks have to say; nothing can be touched where a bot plays on."""
    if not session.record.clocks or table.over:
        return table
    viewer, step = table.viewer, table.step
    reason = session.bound(viewer)
    if reason:
        first, _, rest = reason.partition(": ")
        return replace(table, step=Step(f"{first}." if rest else first, capital(rest)))
    if step.choices:
        return table
    for seat in session.running.acting:
        if session.record.clocks[seat].up:
            said, _, rest = up_words(session.record, seat).partition(". ")
            return replace(table, step=Step(f"{said.rstrip('.')}.", rest))
    back = came_back(session, viewer)
    return replace(table, step=step._replace(help=back)) if back else table


def came_back(session: Session, viewer: int) -> str:
    """What a bot did for the viewer, whose time was up when they were last to move; nothing if they moved."""
    last = next((move for move in reversed(session.moves) if move.seat == viewer), None)
    if last is None or not last.token.startswith(AT_ZERO):
        return ""
    if session.record.clocks[viewer].ups >= AWAY_AFTER:
        return "Your time was up several times in a row: the others may let a bot play. Your next move ends that."
    lines = session.viewer_log(viewer).lines_of(last.ply + 1)
    did = re.sub(r"^(\*\*)?You(\*\*)? ", "a bot ", lines[-1].text) if lines else ""
    what = f": {did.rstrip('.')}" if did.startswith("a bot ") else ": a bot played for you"
    return f"Your time was up{what}. You are back at your next turn."
