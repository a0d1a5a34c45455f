"""Times of notices: one soon after a turn begins, one before it ends, none at night in the person's time zone."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, strategies

from facedown.play import Settings
from facedown.play.new_tables import new_table
from facedown.play.notice_times import (
    NOTICE_DELAY,
    PlannedNotice,
    is_night,
    plan_notices,
    time_outside_night,
    time_zone,
)
from facedown.play.records import SeatClock, TableRecord
from tests.play.table import LowBots

HOUR, DAY = 3600.0, 86_400.0
ZONES = ("UTC", "Europe/Berlin", "America/St_Johns", "Asia/Kathmandu", "Pacific/Kiritimati", "America/Sao_Paulo")
TIMES = strategies.floats(1.7e9, 1.9e9)


def running(clock: int, since: float | None, left: float) -> TableRecord:
    record = new_table("detect", ["open", "open"], LowBots(), 0.0, host=None, settings=Settings(clock=clock))
    return replace(record, status="running", clocks=(SeatClock(left, since=since), SeatClock(float(clock))))


def unix(text: str, zone: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp()


def planned(clock: int, since: str, zone: str = "Europe/Berlin") -> dict[str, str]:
    """Return the times of the notices of a turn that begins at a local time, by kind."""
    begins = unix(since, zone)
    found = plan_notices(running(clock, begins, float(clock)), 0, zone)
    return {one.kind: datetime.fromtimestamp(one.due, ZoneInfo(zone)).strftime("%d %H:%M") for one in found}


@pytest.mark.parametrize(
    ("clock", "since", "notices"),
    [
        (86_400, "2026-05-14 12:00", {"turn": "14 12:01", "last": "15 08:00"}),
        (86_400, "2026-05-14 16:00", {"turn": "14 16:01", "last": "15 12:00"}),
        (86_400, "2026-05-14 23:30", {"turn": "15 08:00", "last": "15 19:30"}),
        (3 * 86_400, "2026-05-14 14:00", {"turn": "14 14:01", "last": "17 08:00"}),
        # The time ends at 7:00, before the morning: the last notice comes at 22:00.
        (36_000, "2026-05-14 21:00", {"turn": "14 21:01", "last": "14 22:00"}),
        # It begins and ends at night: the notice comes at once, and there is no second one.
        (18_000, "2026-05-14 23:00", {"turn": "14 22:00"}),
        # A last notice that would wait until the morning with the first one is left out.
        (36_000, "2026-05-14 22:30", {"turn": "15 08:00"}),
        # Clocks go forward in the night to 29 March and back in the night to 25 October.
        (86_400, "2026-03-28 23:30", {"turn": "29 08:00", "last": "29 20:30"}),
        (86_400, "2026-10-24 23:30", {"turn": "25 08:00", "last": "25 18:30"}),
    ],
)
def test_notices_of_a_turn(clock: int, since: str, notices: dict[str, str]) -> None:
    assert planned(clock, since) == notices


def test_only_slow_running_clocks_give_notices() -> None:
    assert plan_notices(running(60, 1.0, 60.0), 0, "UTC") == []
    assert plan_notices(running(86_400, None, 100.0), 0, "UTC") == []
    assert plan_notices(running(86_400, 1.0, 86_400.0), 1, "UTC") == []
    assert plan_notices(replace(running(86_400, 1.0, 9.0), status="finished"), 0, "UTC") == []
    assert time_zone("Mars/Olympus").key == time_zone("../etc/passwd").key == "UTC"


@given(TIMES, strategies.floats(1.0, 5 * DAY), strategies.sampled_from(ZONES))
def test_notices_come_by_day_or_in_the_evening_before_the_end(time: float, left: float, zone: str) -> None:
    until = time + left
    due = time_outside_night(time, until, zone)
    local = datetime.fromtimestamp(due, ZoneInfo(zone))
    assert not is_night(due, zone) or local.hour == 22
    if is_night(time, zone):
        # A second calculation: go from minute to minute until the night ends.
        morning = next(time + 60.0 * step for step in range(700) if not is_night(time + 60.0 * step, zone))
        assert (due > time) == (until > morning - (morning % 60.0)) or abs(until - morning) < 61.0
        assert due < until
        assert abs(due - time) <= timedelta(hours=11).total_seconds()
    else:
        assert due == time


@given(TIMES, strategies.sampled_from([3600, 18_000, 36_000, 86_400, 259_200]), strategies.sampled_from(ZONES))
def test_there_are_one_or_two_notices_and_the_last_is_later(since: float, clock: int, zone: str) -> None:
    found = plan_notices(running(clock, since, float(clock)), 0, zone)
    assert [one.kind for one in found] in (["turn"], ["turn", "last"])
    assert all(one.until == since + clock and one.due < one.until for one in found)
    if len(found) == 2:
        first, last = found
        assert isinstance(first, PlannedNotice)
        assert last.due > first.due
        assert last.due > since + NOTICE_DELAY
