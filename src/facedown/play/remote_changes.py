"""Announcements at a table, and those of a change that another process made, derived from the records around it."""

from __future__ import annotations

from facedown.play.records import Seat, TableRecord
from facedown.play.texts import N_, Tell, tell
from facedown.play.timeout_messages import up_words

SITS_DOWN = N_("{name} sits down.")
LEAVES = N_("{name} left the table.")
READY, NOT_READY = N_("{name} is ready."), N_("{name} is not ready yet.")
IS_BACK = N_("{name} is back.")
STANDS_IN = N_("{bot} plays for {name}.")
OTHER_LEVEL = N_("{name} plays at another level now.")
NOW_HOST = N_("{name} is host now.")
SEAT_FREE = N_("The seat of {name} is open.")
SWAPPED = N_("{name} swapped seats with {other}.")
NEW_RULES = N_("The host has changed the house rules.")
SEAT_CLOSED, SEAT_ADDED = N_("A seat was closed."), N_("A seat was added.")


def swap_words(one: Seat, two: Seat) -> tuple[Tell, ...]:
    """The announcement of two places that were swapped."""
    return (tell(SWAPPED, name=one.name, other=two.name),) if one.taken and two.taken else ()


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
    told: list[Tell] = [tell(LEAVES, name=seat.name) for who, seat in sat.items() if who not in sits]
    for who, seat in sits.items():
        told += _of_seat(sat[who], seat) if who in sat else [tell(SITS_DOWN, name=seat.name)]
    if old.host != new.host:
        told += [
            tell(NOW_HOST, name=seat.name) for seat in new.seats if seat.kind == "person" and seat.person == new.host
        ]
    if len(old.seats) != len(new.seats):
        told.append(tell(SEAT_CLOSED if len(new.seats) < len(old.seats) else SEAT_ADDED))
    else:
        pairs = zip(old.seats, new.seats, strict=True)
        moved = [(was, now) for was, now in pairs if _who(was) != _who(now)]
        if len(moved) == 2 and [_who(seat) for seat in moved[0]] == [_who(seat) for seat in reversed(moved[1])]:
            told += swap_words(moved[0][0], moved[1][0])
        if (old.settings, old.options) != (new.settings, new.options):
            told.append(tell(NEW_RULES))
    return told


def _who(seat: Seat) -> tuple[str, int | str | None]:
    return seat.kind, seat.person if seat.kind == "person" else seat.name


def _of_seat(was: Seat, now: Seat) -> list[Tell]:
    if now.left and not was.left:
        return [tell(LEAVES, name=now.name)]
    if now.standin and not was.standin:
        return [tell(STANDS_IN, bot=now.standin_name, name=now.name)]
    if (was.standin and not now.standin) or (was.left and not now.left):
        return [tell(IS_BACK, name=now.name)]
    if was.ready != now.ready and now.kind == "person":
        return [tell(READY if now.ready else NOT_READY, name=now.name)]
    if was.level != now.level:
        return [tell(OTHER_LEVEL, name=now.name)]
    return []
