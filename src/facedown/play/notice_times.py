"""When a person is notified of a turn: soon after it begins, once more before the time is up, and never at night.

A notice that falls into the night, from 22:00 to 8:00 in the person's time zone, waits for the morning. If the time of
the turn ends before the morning, the notice comes in the evening before, at 22:00.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import lru_cache
from typing import Literal, NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from facedown.play.records import TableRecord
from facedown.play.seat_clocks import is_correspondence

NoticeKind = Literal["turn", "last", "seat", "invite"]
#: Hours at which the night begins and ends.
NIGHT_BEGINS, NIGHT_ENDS = 22, 8
#: Seconds from the beginning of a turn to its notice. A person who moves within this time needs no notice.
NOTICE_DELAY = 60.0
#: The last notice comes when this part of the time limit is left.
LAST_PART = 1 / 6
#: Time zone of a person whose browser names none that this machine knows.
DEFAULT_ZONE = "UTC"


class PlannedNotice(NamedTuple):
    """A notice of a turn. `due` and `until` are the Unix times at which it is sent and at which the turn ends."""

    kind: NoticeKind
    due: float
    until: float


@lru_cache(maxsize=256)
def time_zone(name: str) -> ZoneInfo:
    """Return the time zone with this name, such as "Europe/Berlin"; UTC if the name is unknown."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo(DEFAULT_ZONE)


def is_night(time: float, zone: str) -> bool:
    """Return whether the Unix time `time` is at night in a time zone.

    >>> is_night(0.0, "UTC"), is_night(8 * 3600.0, "UTC"), is_night(22 * 3600.0, "UTC")
    (True, False, True)
    """
    hour = datetime.fromtimestamp(time, time_zone(zone)).hour
    return hour >= NIGHT_BEGINS or hour < NIGHT_ENDS


def time_outside_night(time: float, until: float, zone: str) -> float:
    """Return the Unix time at which a notice is sent that is due at `time`, about something that ends at `until`.

    By day that is `time` itself. At night it is the next morning or, if `until` is before the morning, the evening
    before. The result may thus be in the past; then the notice is sent at once.

    >>> hour = 3600.0
    >>> time_outside_night(12 * hour, 20 * hour, "UTC") / hour
    12.0
    >>> time_outside_night(23 * hour, 40 * hour, "UTC") / hour  # it waits until 8:00 of the next day
    32.0
    >>> time_outside_night(27 * hour, 31 * hour, "UTC") / hour  # the turn ends at 7:00
    22.0
    """
    if not is_night(time, zone):
        return time
    at = datetime.fromtimestamp(time, time_zone(zone))
    evening = at if at.hour >= NIGHT_BEGINS else at - timedelta(days=1)
    evening = evening.replace(hour=NIGHT_BEGINS, minute=0, second=0, microsecond=0, fold=0)
    morning = (evening + timedelta(days=1)).replace(hour=NIGHT_ENDS)
    return evening.timestamp() if until <= morning.timestamp() else morning.timestamp()


def plan_notices(record: TableRecord, seat: int, zone: str) -> list[PlannedNotice]:
    """Return the notices of the present turn of a seat, for a person in this time zone: at most two.

    * The first is sent `NOTICE_DELAY` seconds after the turn began.
    * The last is sent when a sixth of the time limit is left. It is left out if it would not come after the first.

    The result is empty if the clock of the seat does not run, or if the time limit is shorter than an hour.
    """
    if record.status != "running" or not record.clocks or not is_correspondence(record.settings):
        return []
    clock = record.clocks[seat]
    if clock.since is None:
        return []
    until = clock.since + clock.left
    first = time_outside_night(clock.since + NOTICE_DELAY, until, zone)
    last = time_outside_night(until - record.settings.clock * LAST_PART, until, zone)
    planned = [PlannedNotice("turn", first, until)]
    # A first notice that is due in the past comes at once, so compare with the time at which it can be sent.
    return [*planned, PlannedNotice("last", last, until)] if last > max(first, clock.since + NOTICE_DELAY) else planned
