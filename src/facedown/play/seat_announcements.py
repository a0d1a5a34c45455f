"""Announcements of what changed at a table, such as a player who left.

They are derived from the table's stored data before and after a change. So a process can announce changes that another
process made.
"""

from __future__ import annotations

from dataclasses import replace

from facedown.play.agreement_texts import agreement_announcements
from facedown.play.i18n import N_, TranslatableText, translatable_text
from facedown.play.records import Seat, TableRecord
from facedown.play.timeout_messages import timeout_message

LEAVES = N_("{name} left the table.")
IS_BACK = N_("{name} is back.")
SEAT_FREE = N_("{who:'Your} seat is open.")


def announcements_between(old: TableRecord, new: TableRecord) -> list[TranslatableText]:
    """Return the announcements for the difference between two records of one table.

    They tell who joined, left, returned, ran out of time, became ready or was replaced by a stand-in. Moves and chat
    messages are not announced here, because the log and the chat show them.
    """
    if old.status == "lobby":
        return [*_listing_announcements(old, new), *_announcements_before_deal(old, new)]
    told = [*_listing_announcements(old, new), *agreement_announcements(old, new)]
    for index, (was, now) in enumerate(zip(old.seats, new.seats, strict=True)):
        told += _seat_announcements(was, now)
        if index < min(len(old.clocks), len(new.clocks)) and new.clocks[index].up and not old.clocks[index].up:
            told.append(timeout_message(new, index))
    return told


def _listing_announcements(old: TableRecord, new: TableRecord) -> list[TranslatableText]:
    if old.listed == new.listed:
        return []
    says = N_("This table is now listed: anyone can find it.") if new.listed else N_("This table is no longer listed.")
    return [translatable_text(says)]


def _announcements_before_deal(old: TableRecord, new: TableRecord) -> list[TranslatableText]:
    """Return the announcements of a change before the deal, when seats can be swapped, added and removed.

    Players are compared by identity and not by seat, so that swapping seats does not look like leaving.
    """
    sat, sits = ({_occupant_key(seat): seat for seat in record.seats if seat.taken} for record in (old, new))
    resized = len(old.seats) != len(new.seats)
    new_rules = not resized and (old.settings, old.options) != (new.settings, new.options)
    # When the host removes the seat of a bot, no announcement says that the bot left.
    gone = [seat for who, seat in sat.items() if who not in sits and not (resized and seat.kind == "bot")]
    told: list[TranslatableText] = [translatable_text(LEAVES, name=seat.name) for seat in gone]
    for who, seat in sits.items():
        if who not in sat:
            told.append(translatable_text(N_("{name} joined the table."), name=seat.name))
        else:
            # After a change of the rules all players must confirm again that they are ready. That they are no longer
            # ready is not announced.
            told += _seat_announcements(replace(sat[who], ready=seat.ready) if new_rules else sat[who], seat)
    if old.host not in (None, new.host):
        hosts = (seat for seat in new.seats if seat.kind == "person" and seat.person == new.host)
        told += [translatable_text(N_("{name} is now the host."), name=seat.name) for seat in hosts]
    if resized:
        told.append(
            translatable_text(N_("A seat was removed.") if len(new.seats) < len(old.seats) else N_("A seat was added."))
        )
        return told
    moved = [
        (was, now) for was, now in zip(old.seats, new.seats, strict=True) if _occupant_key(was) != _occupant_key(now)
    ]
    if len(moved) == 2 and [_occupant_key(seat) for seat in moved[0]] == [
        _occupant_key(seat) for seat in reversed(moved[1])
    ]:
        one, two = moved[0]
        if one.taken and two.taken:
            told.append(translatable_text(N_("{name} and {other} swapped seats."), name=one.name, other=two.name))
    if new_rules:
        told.append(translatable_text(N_("The host changed the house rules.")))
    return told


def _occupant_key(seat: Seat) -> tuple[str, int | str | None]:
    return seat.kind, seat.person if seat.kind == "person" else seat.name


def _seat_announcements(was: Seat, now: Seat) -> list[TranslatableText]:
    if was.kind == "bot" and now.kind == "person":
        return [translatable_text(N_("{name} now plays instead of {bot}."), name=now.name, bot=was.name)]
    if was.next_person != now.next_person:
        says = N_("{name} will take over from {bot} in the next round.")
        if now.next_person is None:
            says = N_("{name} won’t take over from {bot}.")
        return [translatable_text(says, name=now.next_name or was.next_name, bot=now.name)]
    if now.left and not was.left:
        return [translatable_text(LEAVES, name=now.name)]
    if now.standin and not was.standin:
        return [translatable_text(N_("{bot} is now playing for {name}."), bot=now.standin_name, name=now.name)]
    if (was.standin and not now.standin) or (was.left and not now.left):
        return [translatable_text(IS_BACK, name=now.name)]
    if was.ready != now.ready and now.kind == "person":
        return [
            translatable_text(N_("{name} is ready.") if now.ready else N_("{name} is no longer ready."), name=now.name)
        ]
    if was.level != now.level:
        return [translatable_text(N_("{name} now plays at a different level."), name=now.name)]
    return []
