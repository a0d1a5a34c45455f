"""What everybody at a table is told of changes that another process made, as that process has told its own people."""

from __future__ import annotations

from facedown.core.language import Later
from facedown.play.records import Seat, TableRecord
from facedown.play.texts import N_, Tell, _
from facedown.play.timing import up_words


def between(old: TableRecord, new: TableRecord) -> list[Tell]:
    """The announcements that lie between two records of one table, in the order of its seats.

    Moves are told by the log, words by the talk; this is the rest: who came, went, is ready, was late, is stood in for.
    """
    told: list[Tell] = []
    for index, (was, now) in enumerate(zip(old.seats, new.seats, strict=True)):
        told += _of_seat(was, now)
        if index < min(len(old.clocks), len(new.clocks)) and new.clocks[index].up and not old.clocks[index].up:
            told.append(up_words(new, index))
    return told


def _of_seat(was: Seat, now: Seat) -> list[Tell]:
    if not was.taken and not now.taken:
        return []
    if not now.taken:
        return [_told(N_("{name} leaves the table."), was)]
    if not was.taken or was.person != now.person or was.kind != now.kind:
        return [_told(N_("{name} sits down."), now)]
    if now.left and not was.left:
        return [_told(N_("{name} leaves the table."), now)]
    if now.standin and not was.standin:
        return [Later(_, N_("{bot} plays for {name}."), {"bot": now.standin_name, "name": now.name})]
    if (was.standin and not now.standin) or (was.left and not now.left):
        return [_told(N_("{name} is back."), now)]
    if was.ready != now.ready and now.kind == "person":
        return [_told(N_("{name} is ready.") if now.ready else N_("{name} is not ready yet."), now)]
    return []


def _told(message: str, seat: Seat) -> Later:
    return Later(_, message, {"name": seat.name})
