"""The time that is promised goes on evenly, though somebody sets the machine's clock."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import re
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

import facedown
from facedown.play import Settings
from facedown.play.clock import DEALT, left_at, rested
from facedown.play.presence import GRACE
from facedown.play.records import SeatClock
from facedown.server.process.clock import MOST_SLEW, STEP, Clock, SteadyClock
from facedown.server.table.room import Room
from facedown.server.table.rooms import Rooms
from tests.clock import ManualClock, loop_clock, pass_time
from tests.server.scenes import running, scene
from tests.server.test_clocks import room_with
from tests.wait import run_ready_tasks, wait_until_async

HOUR = 3600.0
NOON = 1_700_000_000.0
at_noon = functools.partial(scene, at=NOON)


@pytest.mark.parametrize("step", [HOUR, -HOUR, 30 * 86_400, 2.0])
def test_a_step_of_the_machine_is_no_step_of_ours(step: float) -> None:
    machine = ManualClock(NOON)
    clock = SteadyClock(machine)
    begun = clock()
    machine.advance(10)
    machine.set_wall(step)
    assert clock() == begun + 10
    assert clock.compare() == pytest.approx(step)
    assert clock() == begun + 10
    last = clock()
    for _ in range(100):
        machine.advance(1)
        assert 1 - MOST_SLEW - 1e-6 <= clock() - last <= 1 + MOST_SLEW + 1e-6
        last = clock()
        # The same step is told once.
        assert clock.compare() == 0
    assert clock.steps == 1


@pytest.mark.parametrize("drift", [1e-4, -1e-4, 5e-3])
def test_a_clock_that_drifts_is_followed_without_a_word(drift: float) -> None:
    machine = ManualClock(NOON)
    clock = SteadyClock(machine)
    for _ in range(2000):
        machine.advance(5)
        machine.set_wall(5 * drift)
        assert clock.compare() == 0
    assert abs(machine.wall() - clock()) < STEP


def test_the_machines_sleep_is_measured() -> None:
    system = Clock()
    assert system.uptime() >= time.monotonic() - 1
    before = system.uptime()
    assert system.uptime() >= before
    machine = ManualClock(NOON)
    clock = SteadyClock(machine)
    machine.suspend(HOUR)
    assert clock() == NOON + HOUR


def clocks_of(room: Room) -> list[float]:
    return [left_at(clock, room.services.now()) for clock in room.session.record.clocks]


def held(folder: Path) -> contextlib.AbstractAsyncContextManager[Rooms]:
    """A server that looks for nothing by itself."""
    return running(folder, zero_delay=0.0, pulse=1e9, sweep=1e9)


@contextlib.asynccontextmanager
async def beating(folder: Path) -> AsyncIterator[Rooms]:
    """A server that says every five seconds that it is alive: when the test says so, not in between by itself."""
    async with running(folder, zero_delay=0.0, pulse=5.0, sweep=1e9) as rooms:
        assert rooms._heart is not None
        rooms._heart.cancel()
        yield rooms


@pytest.mark.parametrize("step", [HOUR, -HOUR])
@at_noon
async def test_a_step_takes_nobodys_time_and_marks_nobody_as_away(tmp_path: Path, step: float) -> None:
    machine = loop_clock()
    async with held(tmp_path) as rooms:
        room, people = await room_with(rooms, Settings(clock=60))
        for seat in (0, 1):
            room.arrive(seat)
        room.depart(1)
        await pass_time(DEALT + 10)
        told = room.told
        machine.set_wall(step)
        await rooms.pulse()
        errands = set(rooms._errands)
        room._ring()
        assert rooms._errands == errands, "no clock has run out"
        assert clocks_of(room) == pytest.approx([50, 50])
        assert room.session.ply == 0
        assert room.told == told
        left = room.session.patience(1, rooms.now())
        assert left == pytest.approx(GRACE - DEALT - 10)
        legal = room.session.legal(0)
        await room.request(lambda session: session.move(0, legal[0], 0, now=rooms.now()))
        assert room.session.moves[0].at == pytest.approx(rooms.now(), abs=1)
        assert people


@pytest.mark.slow
@pytest.mark.parametrize("step", [HOUR, -HOUR])
@at_noon
async def test_a_server_that_starts_after_a_step_gives_everybody_the_time_they_had(tmp_path: Path, step: float) -> None:
    machine = loop_clock()
    async with held(tmp_path) as first:
        room, _ = await room_with(first, Settings(clock=60))
        await pass_time(DEALT + 20)
    machine.set_wall(step)
    async with held(tmp_path) as second:
        again = await second.room(room.session.code)
        assert clocks_of(again) == pytest.approx([40, 40], abs=1)


def test_rested_clocks_follow_a_clock_that_was_set_back() -> None:
    (clock,) = rested((SeatClock(60.0, since=1000.0),), last=1020.0, now=20.0)
    assert left_at(clock, 20.0) == 40.0


@at_noon
async def test_who_moves_first_after_the_machines_sleep_has_lost_no_time(tmp_path: Path) -> None:
    """The move comes before anything has noticed the sleep."""
    async with beating(tmp_path) as rooms:
        room, _ = await room_with(rooms, Settings(clock=300, increment=5))
        await pass_time(DEALT + 10)
        await rooms.pulse()
        loop_clock().suspend(8 * HOUR)
        legal = room.session.legal(0)
        await room.request(lambda session: session.move(0, legal[0], 0, now=rooms.now()))
        assert room.session.record.clocks[0].left == pytest.approx(295)


@at_noon
async def test_two_that_cannot_write_at_the_same_time_know_when_it_was_last_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The beat and a move: clocks rest from the last moment that was written down, not from the first that was not."""
    asked = asyncio.Event()

    async def refuses(*_: object) -> None:
        await asked.wait()
        raise OperationalError("", {}, Exception("no"))

    async with beating(tmp_path) as rooms:
        last = rooms._alive
        monkeypatch.setattr(rooms.store, "run", refuses)
        both = []
        for _ in range(2):
            await pass_time(4)
            both.append(asyncio.ensure_future(rooms.pulse()))
            await run_ready_tasks(1)
        asked.set()
        assert [type(wrong) for wrong in await asyncio.gather(*both, return_exceptions=True)] == [OperationalError] * 2
        assert rooms._alive == last
        monkeypatch.undo()


@contextlib.asynccontextmanager
async def ten_seconds_in(folder: Path) -> AsyncIterator[Rooms]:
    """A server that says every five seconds that it is alive, and a table whose clock of a minute has run for ten."""
    async with beating(folder) as rooms:
        room, _ = await room_with(rooms, Settings(clock=60))
        await pass_time(DEALT + 10)
        await rooms.beat()
        yield rooms
        # The clocks rest meanwhile.
        await rooms.beat()
        await wait_until_async(lambda: clocks_of(room) == pytest.approx([50, 50]))


@at_noon
async def test_clocks_rest_while_nothing_can_be_written_down(tmp_path: Path) -> None:
    file = tmp_path / "facedown.sqlite3"
    async with ten_seconds_in(tmp_path) as rooms:
        file.rename(tmp_path / "aside")
        await pass_time(9)
        with pytest.raises(Exception, match="deleted"):
            await rooms.pulse()
        await pass_time(9)
        (tmp_path / "aside").rename(file)


@at_noon
async def test_clocks_rest_while_the_database_does_not_answer_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def gone(*_asked: object) -> None:
        raise OperationalError("", {}, Exception("the database does not answer"))

    async with ten_seconds_in(tmp_path) as rooms:
        with monkeypatch.context() as patch:
            for _beat in range(2):
                await pass_time(5)
                patch.setattr(rooms.store, "run", gone)
                await rooms.beat()
            await pass_time(5)


def test_only_the_clock_asks_the_machine_what_time_it_is() -> None:
    """Times are measured by `Clock` and promised by `Rooms.now`, so that a test can turn them all at once."""
    package = Path(facedown.__file__).parent
    files = [file for part in ("play", "server") for file in (package / part).rglob("*.py")]
    assert len(files) > 80
    asks = re.compile(r"\btime\.(?:time|monotonic|clock_gettime)\b|datetime\.now|\bnow\(UTC\)|utcnow")
    found = {file.name for file in files if asks.search(file.read_text(encoding="utf-8"))}
    # The garbage collector's times are those of the whole process.
    assert found == {"clock.py", "gc_tuning.py"}
