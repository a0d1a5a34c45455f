"""What everybody at a table is told of changes that another process made, as that process has told its own people."""

from __future__ import annotations

from facedown.core.language import Later
from facedown.play.lobby import LEAVES, NEW_RULES, NOW_HOST, SEAT_ADDED, SEAT_CLOSED, swap_words
from facedown.play.records import Seat, TableRecord
from facedown.play.texts import N_, Tell, _
from facedown.play.timing import up_words

#: The announcement of a bot whose level the host has changed.
OTHER_LEVEL = N_("{name} plays at another level now.")


def between(old: TableRecord, new: TableRecord) -> list[Tell]:
    """The announcements that lie between two records of one table, in the order of its seats.

    Moves are told by the log, words by the talk; this is the rest: who came, went, is ready, was late, is stood in for.
    """
    if old.status == "lobby":
        return _before_the_deal(old, new)
    told: list[Tell] = []
    for index, (was, now) in enumerate(zip(old.seats, new.seats, strict=True)):
        told += _of_seat(was, now)
        if index < min(len(old.clocks), len(new.clocks)) and new.clocks[index].up and not old.clocks[index].up:
            told.append(up_words(new, index))
    return told


def _before_the_deal(old: TableRecord, new: TableRecord) -> list[Tell]:
    """The same while seats may be moved, closed and added: who is at the table counts, wherever they sit."""
    sat, sits = ({_who(seat): seat for seat in record.seats if seat.taken} for record in (old, new))
    told: list[Tell] = [_told(LEAVES, seat) for who, seat in sat.items() if who not in sits]
    for who, seat in sits.items():
        told += _of_seat(sat[who], seat) if who in sat else [_told(N_("{name} sits down."), seat)]
    if old.host != new.host:
        told += [_told(NOW_HOST, seat) for seat in new.seats if seat.kind == "person" and seat.person == new.host]
    if len(old.seats) != len(new.seats):
        told.append(Later(_, SEAT_CLOSED if len(new.seats) < len(old.seats) else SEAT_ADDED, {}))
    else:
        pairs = zip(old.seats, new.seats, strict=True)
        moved = [(was, now) for was, now in pairs if _who(was) != _who(now)]
        if len(moved) == 2 and [_who(seat) for seat in moved[0]] == [_who(seat) for seat in reversed(moved[1])]:
            told += swap_words(moved[0][0], moved[1][0])
        if (old.settings, old.options) != (new.settings, new.options):
            told.append(Later(_, NEW_RULES, {}))
    return told


def _who(seat: Seat) -> tuple[str, int | str | None]:
    return seat.kind, seat.person if seat.kind == "person" else seat.name


def _of_seat(was: Seat, now: Seat) -> list[Tell]:
    if now.left and not was.left:
        return [_told(LEAVES, now)]
    if now.standin and not was.standin:
        return [Later(_, N_("{bot} plays for {name}."), {"bot": now.standin_name, "name": now.name})]
    if (was.standin and not now.standin) or (was.left and not now.left):
        return [_told(N_("{name} is back."), now)]
    if was.ready != now.ready and now.kind == "person":
        return [_told(N_("{name} is ready.") if now.ready else N_("{name} is not ready yet."), now)]
    if was.level != now.level:
        return [_told(OTHER_LEVEL, now)]
    return []


def _told(message: str, seat: Seat) -> Later:
    return Later(_, message, {"name": seat.name})
