"""Seat clocks at real tables, and the steady clock that they use when the system clock is set."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import re
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from httpx import Client
from sqlalchemy.exc import OperationalError

import facedown
from facedown.play import Refusal, Settings
from facedown.play.presence import GRACE
from facedown.play.records import SeatClock
from facedown.play.seat_clocks import DEAL_ANIMATION_TIME, seconds_left, shift_by_downtime
from facedown.server.process.clocks import MAX_SLEW, STEP, Clock, SteadyClock
from facedown.server.table.room import Room
from facedown.server.table.room_registry import Rooms
from tests.manual_clock import ManualClock, loop_clock, pass_time
from tests.not_none import given
from tests.play.table import LowBots
from tests.server.api_players import Player, create_table
from tests.server.http_server import Live, Serve, Server, missing, open_table, shared_table, start_match
from tests.server.live_tables import dealt_room, running_process, tables_of_process, with_manual_clock
from tests.server.test_pages import text
from tests.waiting import run_ready_tasks, wait_until, wait_until_async

#: Only the sweep finds an expired clock, and only the test writes the pulse.
MANUAL_TIMERS = {"pulse": 1e9, "sweep": 0.05, "zero_delay": 0.0}


def prompt(message: dict[str, object]) -> str:
    found = re.search(r'id="prompt-words">(.*?)</h2>', str(message["html"]))
    return found[1] if found else ""


async def clock_room(rooms: Rooms, clock: int = 60, increment: int = 0) -> Room:
    """Create a dealt table of Detect with Ada and Ben."""
    room, _ada = await dealt_room(rooms, settings=Settings(clock=clock, increment=increment), seed=bytes(32))
    return room


async def first_move(room: Room) -> None:
    action = room.session.game.legal(room.session.dealt_match.state, 0)[0]
    await room.request_change(lambda session: session.move(0, action, 0, now=room.services.now()))


def test_bot_moves_for_a_timed_out_player_and_both_pages_announce_it(start_server: Serve) -> None:
    bots = LowBots()
    server = start_server(bots=bots, zero_delay=30.0, pulse=1e9)
    ada, ben = server.guests(2)
    url = shared_table(ada, ben, clock="60")
    session = server.session(url)
    with Live(server, ada, url) as hers, Live(server, ben, url) as his:
        tables = start_match(hers, his)
        assert all(" runs" in table["html"] for table in tables)
        # Both choose two cells secretly. Ada chooses in time, Ben does not.
        hers.play(tables[0])
        server.advance(DEAL_ANIMATION_TIME + 60)
        for live, words in ((hers, "Ben’s time ran out."), (his, "Your time ran out.")):
            assert prompt(live.until(lambda message: "time ran out." in prompt(message))) == words
        # The bot has chosen. Without its delay, its move would arrive before the chat message.
        wait_until(lambda: bots.shown)
        server.within(run_ready_tasks())
        hers.send(type="chat", text="Ben?")
        his.get("chat")
        assert session.ply == 1
        server.advance(30)
        for live, words in (
            (hers, "Ben’s time ran out. A bot will play this move; Ben can play again next turn."),
            (his, "Your time ran out. A bot will play this move for you."),
        ):
            live.beyond(1)
            assert words in [line for message in live.seen for line in message.get("say", ())]
    assert [move.token.startswith("time:") for move in session.moves[:2]] == [False, True]


@with_manual_clock
async def test_seat_clocks_stop_during_server_downtime_and_run_out_after_a_restart_without_visitors(
    tmp_path: Path,
) -> None:
    first = tables_of_process(tmp_path, **MANUAL_TIMERS)
    await first.start()
    room = await clock_room(first)
    code = room.session.code
    await pass_time(DEAL_ANIMATION_TIME + 20)
    first.repository.save_alive_time_if_clocks_run(first.now())
    # Kill the process without a shutdown. It starts again ten hours later.
    for task in (first._sweeper, first._heart):
        given(task).cancel()
    room.cancel_timer_and_bots()
    first.repository.close()
    await pass_time(36_000)
    async with running_process(tmp_path, **MANUAL_TIMERS) as second:
        assert [seconds_left(seat, second.now()) for seat in given(second.repository.load(code)).record.clocks] == [
            40,
            40,
        ]
        await pass_time(39)
        # Read the database: a table in memory would fire its own timer.
        assert not given(second.repository.load(code)).moves
        assert code not in second._rooms
        await pass_time(1.1)
        # No page is open: the sweep finds the table after both players' time has run out.
        await wait_until_async(lambda: code in second._rooms and second._rooms[code].session.ply >= 2)
        assert all(move.token.startswith("time:") for move in second._rooms[code].session.moves[:2])


@pytest.mark.parametrize("first", ["move", "zero"])
@with_manual_clock
async def test_either_the_move_or_the_timeout_counts_when_two_processes_race(tmp_path: Path, first: str) -> None:
    """Two processes hold the same table. One plays the person's move when the other one expires the clock."""
    one, two = (tables_of_process(tmp_path, **MANUAL_TIMERS) for _ in range(2))
    here = await clock_room(one)
    there = await two.room(here.session.code)
    # No timers and no bots: the test decides the order.
    for room in (here, there):
        room.cancel_timer_and_bots()
        room.services.closing = True
    await pass_time(DEAL_ANIMATION_TIME + 60)

    async def move() -> bool:
        try:
            await first_move(here)
        except Refusal as refusal:
            return not refusal.reason.startswith("Your time ran out")
        return True

    async def zero() -> bool:
        change = await there.request_change(lambda session: session.expire_clocks("low", two.now()))
        return change is not None and change.record.clocks[0].up

    assert [await ask() for ask in ((move, zero) if first == "move" else (zero, move))] == [True, False]
    assert len(given(one.repository.load(here.session.code)).moves) == (1 if first == "move" else 0)
    for rooms in (one, two):
        await rooms.store.close()
        rooms.repository.close()


def test_api_and_pages_describe_the_clock_settings_of_a_table(server: Server, ada: Client) -> None:
    with server.clock.stopped():
        made = create_table(ada, "me", "low", clock=300, increment=10)
        assert (made["table"]["clock"], made["table"]["increment"], made["table"]["at_zero"]) == (300, 10, "bot")
        clocks = Player(ada, made["table"]["code"], made["token"]).view()["clocks"]
        assert [(seat["seat"], seat["runs"], seat["up"]) for seat in clocks] == [(0, True, False), (1, False, False)]
        assert clocks[0]["left"] == 300
    goes = "five minutes for the round, plus ten seconds per turn"
    assert "Five minutes for the round, plus ten seconds for every turn" in ada.get("/new/detect").text
    url = open_table(ada, "open", clock="300+10", **{"at-zero": "nothing"})
    assert missing(text(ada.get(url)), f"clock {goes}", "when time runs out no bot plays, but everyone is told") == []
    with Live(server, ada, open_table(ada, "low", clock="60")) as live:
        html = live.hello()["html"]
    assert re.findall(r'<span class="clock[^>]*yours"[^>]*data-zero="([^"]*)"', html)[:1] == [
        "When time runs out, a bot will play this move for you."
    ]
    assert html.count("data-zero") == 2, "the chip at the seat and the one on the score sheet"


def test_timed_out_player_takes_the_seat_back_from_a_stand_in_bot_by_moving(start_server: Serve) -> None:
    # The stand-in for Ben must not move before he is back, even on a slow machine.
    server = start_server(bot_delay=60.0)
    ada, ben = server.guests(2)
    url = shared_table(ada, ben, clock="3", **{"at-zero": "nothing"})
    seats = server.session(url)
    with Live(server, ada, url) as hers, Live(server, ben, url) as his:
        start_match(hers, his)
        server.advance(DEAL_ANIMATION_TIME + 3)
        hers.until_shown("Let a bot play for Ben", "table")
        assert seats.ply == 0, "nothing happens by itself"
        hers.send(type="standin", seat=1)
        his.move(his.until_said("Juniper is now playing for Ben.", "table"))
        if his.until_said("Ben is back.", "table")["version"] == 0:
            his.beyond(0)
        assert not seats.record.seats[1].standin
        assert [(move.seat, move.token.split(":")[0]) for move in seats.moves] == [(1, "at")]


def test_timed_out_player_takes_the_seat_back_from_a_stand_in_bot_by_a_proposal(start_server: Serve) -> None:
    server = start_server(bot_delay=60.0)
    ada, ben = server.guests(2)
    url = shared_table(ada, ben, clock="3", **{"at-zero": "nothing"})
    seats = server.session(url)
    with Live(server, ada, url) as hers, Live(server, ben, url) as his:
        start_match(hers, his)
        server.advance(DEAL_ANIMATION_TIME + 3)
        hers.until_shown("Let a bot play for Ben", "table")
        hers.send(type="standin", seat=1)
        his.until_said("Juniper is now playing for Ben.", "table")
        his.send(type="propose", what="end")
        hers.until_said("Ben offers to end the match.", "table")
        assert not seats.record.seats[1].standin


# --- the steady clock -------------------------------------------------------------------------------------------------


HOUR = 3600.0
NOON = 1_700_000_000.0
at_noon = functools.partial(with_manual_clock, at=NOON)


@pytest.mark.parametrize("step", [HOUR, -HOUR, 30 * 86_400, 2.0])
def test_steady_clock_does_not_jump_when_the_system_clock_is_set(step: float) -> None:
    machine = ManualClock(NOON)
    clock = SteadyClock(machine)
    begun = clock()
    machine.advance(10)
    machine.set_wall(step)
    assert clock() == begun + 10
    assert clock.resync() == pytest.approx(step)
    assert clock() == begun + 10
    last = clock()
    for _ in range(100):
        machine.advance(1)
        assert 1 - MAX_SLEW - 1e-6 <= clock() - last <= 1 + MAX_SLEW + 1e-6
        last = clock()
        # A step is reported once.
        assert clock.resync() == 0
    assert clock.steps == 1


@pytest.mark.parametrize("drift", [1e-4, -1e-4, 5e-3])
def test_steady_clock_follows_a_drifting_system_clock_without_reporting_a_clock_jump(drift: float) -> None:
    machine = ManualClock(NOON)
    clock = SteadyClock(machine)
    for _ in range(2000):
        machine.advance(5)
        machine.set_wall(5 * drift)
        assert clock.resync() == 0
    assert abs(machine.wall() - clock()) < STEP


def test_steady_clock_counts_suspended_time_and_a_clock_set_back_adds_no_time_to_seat_clocks() -> None:
    system = Clock()
    assert system.monotonic_including_suspend() >= time.monotonic() - 1
    before = system.monotonic_including_suspend()
    assert system.monotonic_including_suspend() >= before
    machine = ManualClock(NOON)
    clock = SteadyClock(machine)
    machine.suspend(HOUR)
    assert clock() == NOON + HOUR
    (clock,) = shift_by_downtime((SeatClock(60.0, since=1000.0),), last=1020.0, now=20.0)
    assert seconds_left(clock, 20.0) == 40.0


def clocks_of(room: Room) -> list[float]:
    return [seconds_left(clock, room.services.now()) for clock in room.session.record.clocks]


def process_without_sweeps(folder: Path, pulse: float = 1e9) -> contextlib.AbstractAsyncContextManager[Rooms]:
    """Run a process without sweeps."""
    return running_process(folder, zero_delay=0.0, pulse=pulse, sweep=1e9)


@contextlib.asynccontextmanager
async def process_with_manual_pulse(folder: Path) -> AsyncIterator[Rooms]:
    """Run a process that expects a pulse every five seconds, which only the test writes."""
    async with process_without_sweeps(folder, 5.0) as rooms:
        given(rooms._heart).cancel()
        yield rooms


@pytest.mark.parametrize("step", [HOUR, -HOUR])
@at_noon
async def test_change_of_the_system_clock_affects_no_seat_clock_and_no_absence_timer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: float
) -> None:
    async with process_without_sweeps(tmp_path) as rooms:
        room = await clock_room(rooms)
        for seat in (0, 1):
            room.record_opened_connection(seat)
        room.record_closed_connection(1)
        await pass_time(DEAL_ANIMATION_TIME + 10)
        monkeypatch.setattr(room, "announce", None)
        loop_clock().set_wall(step)
        await rooms.save_alive_time()
        errands = set(rooms._errands)
        room._on_alarm()
        assert rooms._errands == errands, "no clock has run out"
        assert clocks_of(room) == pytest.approx([50, 50])
        assert room.session.ply == 0
        assert room.session.seconds_until_stand_in(1, rooms.now()) == pytest.approx(GRACE - DEAL_ANIMATION_TIME - 10)
        await first_move(room)
        assert room.session.moves[0].at == pytest.approx(rooms.now(), abs=1)


@pytest.mark.slow
@pytest.mark.parametrize("step", [HOUR, -HOUR])
@at_noon
async def test_restart_after_a_system_clock_step_restores_the_remaining_time_of_every_seat(
    tmp_path: Path, step: float
) -> None:
    async with process_without_sweeps(tmp_path) as first:
        room = await clock_room(first)
        await pass_time(DEAL_ANIMATION_TIME + 20)
    loop_clock().set_wall(step)
    async with process_without_sweeps(tmp_path) as second:
        again = await second.room(room.session.code)
        assert clocks_of(again) == pytest.approx([40, 40], abs=1)


@pytest.mark.parametrize("noticed_by", ["an alarm", "a move"])
@at_noon
async def test_time_while_the_machine_is_suspended_is_not_charged_to_seat_clocks(
    tmp_path: Path, noticed_by: str
) -> None:
    async with process_with_manual_pulse(tmp_path) as rooms:
        room = await clock_room(rooms, clock=300, increment=5)
        await pass_time(DEAL_ANIMATION_TIME + 10)
        await rooms.save_alive_time()
        loop_clock().suspend(8 * HOUR)
        if noticed_by == "a move":
            await first_move(room)
            assert room.session.record.clocks[0].left == pytest.approx(295)
        else:
            room._on_alarm()
            await wait_until_async(lambda: clocks_of(room)[0] == 290)
            assert room.session.ply == 0


@at_noon
async def test_failed_heartbeats_do_not_replace_the_time_of_the_last_saved_heartbeat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After failed pulses, clocks pause from the last saved pulse, not from the first failed one."""
    asked = asyncio.Event()

    async def refuses(*_: object) -> None:
        await asked.wait()
        raise OperationalError("", {}, Exception("no"))

    async with process_with_manual_pulse(tmp_path) as rooms:
        last = rooms._alive
        with monkeypatch.context() as patch:
            patch.setattr(rooms.store, "run", refuses)
            both = []
            for _ in range(2):
                await pass_time(4)
                both.append(asyncio.ensure_future(rooms.save_alive_time()))
                await run_ready_tasks(1)
            asked.set()
            wrong = await asyncio.gather(*both, return_exceptions=True)
        assert [type(one) for one in wrong] == [OperationalError] * 2
        assert rooms._alive == last


@pytest.mark.parametrize("what", ["is gone", "does not answer"])
@at_noon
async def test_seat_clocks_pause_while_the_database_is_unavailable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    async def silent(*_asked: object) -> None:
        raise OperationalError("", {}, Exception("the database does not answer"))

    file = tmp_path / "facedown.sqlite3"
    async with process_with_manual_pulse(tmp_path) as rooms:
        room = await clock_room(rooms)
        await pass_time(DEAL_ANIMATION_TIME + 10)
        await rooms.perform_heartbeat()
        if what == "is gone":
            file.rename(tmp_path / "aside")
            await pass_time(9)
            with pytest.raises(Exception, match="deleted"):
                await rooms.save_alive_time()
            await pass_time(9)
            (tmp_path / "aside").rename(file)
        else:
            with monkeypatch.context() as patch:
                for _beat in range(2):
                    await pass_time(5)
                    patch.setattr(rooms.store, "run", silent)
                    await rooms.perform_heartbeat()
                await pass_time(5)
        await rooms.perform_heartbeat()
        await wait_until_async(lambda: clocks_of(room) == pytest.approx([50, 50]))


def test_only_the_clock_module_reads_the_system_time() -> None:
    """`Clock` measures times and `Rooms.now` sets deadlines, so a test can advance all of them at once."""
    package = Path(facedown.__file__).parent
    files = [file for part in ("play", "server") for file in (package / part).rglob("*.py")]
    assert len(files) > 80
    asks = re.compile(r"\btime\.(?:time|monotonic|clock_gettime)\b|datetime\.now|\bnow\(UTC\)|utcnow")
    found = {file.name for file in files if asks.search(file.read_text(encoding="utf-8"))}
    # The garbage collector's timing concerns the whole process.
    assert found == {"clocks.py", "gc_tuning.py"}
