"""Clocks at real tables, and the time that they go by: it goes on evenly, though somebody sets the machine's clock."""

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
from facedown.play.seat_clocks import DEAL_ANIMATION_TIME, left_at, shift_by_downtime
from facedown.server.process.clocks import MAX_SLEW, STEP, Clock, SteadyClock
from facedown.server.table.room import Room
from facedown.server.table.room_registry import Rooms
from tests.manual_clock import ManualClock, loop_clock, pass_time
from tests.not_none import given
from tests.play.table import LowBots
from tests.server.api_players import Player, make
from tests.server.http_server import Live, Serve, Server, begun, missing, open_table, shared_table
from tests.server.live_tables import dealt_room, process, running, scene
from tests.server.test_pages import text
from tests.waiting import run_ready_tasks, wait_until, wait_until_async

#: A clock at zero is found by the sweep alone, and only the test says that the server is alive.
STILL = {"pulse": 1e9, "sweep": 0.05, "zero_delay": 0.0}


def prompt(message: dict[str, object]) -> str:
    found = re.search(r'id="prompt-words">(.*?)</h2>', str(message["html"]))
    return found[1] if found else ""


async def room_with(rooms: Rooms, clock: int = 60, increment: int = 0) -> Room:
    """Ada and Ben at a table of Detect that has been dealt."""
    room, _ada = await dealt_room(rooms, settings=Settings(clock=clock, increment=increment), seed=bytes(32))
    return room


async def first_move(room: Room) -> None:
    action = room.session.game.legal(room.session.dealt_match.state, 0)[0]
    await room.request(lambda session: session.move(0, action, 0, now=room.services.now()))


def test_at_zero_a_bot_plays_though_both_pages_are_open_and_both_say_so(served: Serve) -> None:
    bots = LowBots()
    server = served(bots=bots, zero_delay=30.0, pulse=1e9)
    ada, ben = server.guests(2)
    url = shared_table(ada, ben, clock="60")
    session = server.session(url)
    with Live(server, ada, url) as hers, Live(server, ben, url) as his:
        tables = begun(hers, his)
        assert all(" runs" in table["html"] for table in tables)
        # The sealed choice of two cells: Ada chooses, Ben does not. However long she took, hers was in time.
        hers.play(tables[0])
        server.advance(DEAL_ANIMATION_TIME + 60)
        for live, words in ((hers, "Ben’s time ran out."), (his, "Your time ran out.")):
            assert prompt(live.until(lambda message: "time ran out." in prompt(message))) == words
        # The bot has chosen. If it did not wait, its move would come before the chat message.
        wait_until(lambda: bots.shown)
        server.within(run_ready_tasks())
        hers.send(type="chat", text="Ben?")
        his.get("chat")
        assert session.ply == 1
        server.advance(30)
        for live, words in (
            (hers, "Ben’s time ran out. A bot plays this one move; Ben can play again next turn."),
            (his, "Your time ran out. A bot plays this one move for you."),
        ):
            live.beyond(1)
            assert words in [line for message in live.seen for line in message.get("say", ())]
    assert [move.token.startswith("time:") for move in session.moves[:2]] == [False, True]


@scene
async def test_zero_is_found_after_a_restart_though_nobody_looks_and_nobody_has_lost_time(tmp_path: Path) -> None:
    first = process(tmp_path, **STILL)
    await first.start()
    room = await room_with(first)
    code = room.session.code
    await pass_time(DEAL_ANIMATION_TIME + 20)
    first.repository.write_pulse_if_clocks_run(first.now())
    # It is killed: no goodbye. Ten hours later it is started again.
    for task in (first._sweeper, first._heart):
        given(task).cancel()
    room.close()
    first.repository.close()
    await pass_time(36_000)
    async with running(tmp_path, **STILL) as second:
        assert [left_at(seat, second.now()) for seat in given(second.repository.load(code)).record.clocks] == [40, 40]
        await pass_time(39)
        # Read as it is written down: a table in memory would ring by itself.
        assert not given(second.repository.load(code)).moves
        assert code not in second._rooms
        await pass_time(1.1)
        # Nobody has a page open: the sweep finds the table, and both have had their time.
        await wait_until_async(lambda: code in second._rooms and second._rooms[code].session.ply >= 2)
        assert all(move.token.startswith("time:") for move in second._rooms[code].session.moves[:2])


@pytest.mark.parametrize("first", ["move", "zero"])
@scene
async def test_of_a_move_and_the_zero_exactly_one_counts_across_processes(tmp_path: Path, first: str) -> None:
    """Two processes hold the same table; one plays the person's move at the instant the other rings zero."""
    one, two = (process(tmp_path, **STILL) for _ in range(2))
    here = await room_with(one)
    there = await two.room(here.session.code)
    # Their alarms must not ring by themselves, nor bots act: the test decides the order.
    for room in (here, there):
        room.close()
        room.services.closing = True
    await pass_time(DEAL_ANIMATION_TIME + 60)

    async def move() -> bool:
        try:
            await first_move(here)
        except Refusal as refusal:
            return not refusal.reason.startswith("Your time ran out")
        return True

    async def zero() -> bool:
        change = await there.request(lambda session: session.expire_clocks("low", two.now()))
        return change is not None and change.record.clocks[0].up

    assert [await ask() for ask in ((move, zero) if first == "move" else (zero, move))] == [True, False]
    assert len(given(one.repository.load(here.session.code)).moves) == (1 if first == "move" else 0)
    for rooms in (one, two):
        await rooms.store.close()
        rooms.repository.close()


def test_how_the_clock_goes_is_said_to_programs_and_on_every_page(server: Server, ada: Client) -> None:
    with server.clock.stopped():
        made = make(ada, "me", "low", clock=300, increment=10)
        assert (made["table"]["clock"], made["table"]["increment"], made["table"]["at_zero"]) == (300, 10, "bot")
        clocks = Player(ada, made["table"]["code"], made["token"]).view()["clocks"]
        assert [(seat["seat"], seat["runs"], seat["up"]) for seat in clocks] == [(0, True, False), (1, False, False)]
        assert clocks[0]["left"] == 300
    goes = "five minutes for the round, plus ten seconds per turn"
    assert "Five minutes for the round, plus ten seconds for every turn" in ada.get("/new/detect").text
    url = open_table(ada, "open", clock="300+10", **{"at-zero": "nothing"})
    assert missing(text(ada.get(url)), f"clock {goes}", "at zero nothing, but everyone sees it") == []
    with Live(server, ada, open_table(ada, "low", clock="60")) as live:
        html = live.hello()["html"]
    assert re.findall(r'<span class="clock[^>]*yours"[^>]*data-zero="([^"]*)"', html)[:1] == [
        "At zero a bot plays this one move for you."
    ]
    assert html.count("data-zero") == 2, "the chip at the seat and the one on the score sheet"


def test_who_was_slow_and_stood_in_for_takes_the_seat_back_by_moving(served: Serve) -> None:
    # The bot that plays for Ben has not moved before he is back, however slow this machine is.
    server = served(bot_delay=60.0)
    ada, ben = server.guests(2)
    url = shared_table(ada, ben, clock="3", **{"at-zero": "nothing"})
    seats = server.session(url)
    with Live(server, ada, url) as hers, Live(server, ben, url) as his:
        begun(hers, his)
        server.advance(DEAL_ANIMATION_TIME + 3)
        hers.until_shown("Let a bot play for Ben", "table")
        assert seats.ply == 0, "nothing happens by itself"
        hers.send(type="standin", seat=1)
        his.move(his.until_said("Juniper is now playing for Ben.", "table"))
        if his.until_said("Ben is back.", "table")["version"] == 0:
            his.beyond(0)
        assert not seats.record.seats[1].standin
        assert [(move.seat, move.token.split(":")[0]) for move in seats.moves] == [(1, "at")]


# --- the time that clocks go by ---------------------------------------------------------------------------------------


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
    assert clock.resync() == pytest.approx(step)
    assert clock() == begun + 10
    last = clock()
    for _ in range(100):
        machine.advance(1)
        assert 1 - MAX_SLEW - 1e-6 <= clock() - last <= 1 + MAX_SLEW + 1e-6
        last = clock()
        # The same step is told once.
        assert clock.resync() == 0
    assert clock.steps == 1


@pytest.mark.parametrize("drift", [1e-4, -1e-4, 5e-3])
def test_a_clock_that_drifts_is_followed_without_a_word(drift: float) -> None:
    machine = ManualClock(NOON)
    clock = SteadyClock(machine)
    for _ in range(2000):
        machine.advance(5)
        machine.set_wall(5 * drift)
        assert clock.resync() == 0
    assert abs(machine.wall() - clock()) < STEP


def test_the_machines_sleep_is_measured_and_resting_clocks_follow_one_that_was_set_back() -> None:
    system = Clock()
    assert system.uptime() >= time.monotonic() - 1
    before = system.uptime()
    assert system.uptime() >= before
    machine = ManualClock(NOON)
    clock = SteadyClock(machine)
    machine.suspend(HOUR)
    assert clock() == NOON + HOUR
    (clock,) = shift_by_downtime((SeatClock(60.0, since=1000.0),), last=1020.0, now=20.0)
    assert left_at(clock, 20.0) == 40.0


def clocks_of(room: Room) -> list[float]:
    return [left_at(clock, room.services.now()) for clock in room.session.record.clocks]


def quiet(folder: Path, pulse: float = 1e9) -> contextlib.AbstractAsyncContextManager[Rooms]:
    """A server that looks for nothing by itself."""
    return running(folder, zero_delay=0.0, pulse=pulse, sweep=1e9)


@contextlib.asynccontextmanager
async def beating(folder: Path) -> AsyncIterator[Rooms]:
    """A server that says every five seconds that it is alive: when the test says so, not in between by itself."""
    async with quiet(folder, 5.0) as rooms:
        given(rooms._heart).cancel()
        yield rooms


@pytest.mark.parametrize("step", [HOUR, -HOUR])
@at_noon
async def test_a_step_takes_nobodys_time_and_marks_nobody_as_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: float
) -> None:
    async with quiet(tmp_path) as rooms:
        room = await room_with(rooms)
        for seat in (0, 1):
            room.arrive(seat)
        room.depart(1)
        await pass_time(DEAL_ANIMATION_TIME + 10)
        monkeypatch.setattr(room, "announce", None)
        loop_clock().set_wall(step)
        await rooms.pulse()
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
async def test_a_server_that_starts_after_a_step_gives_everybody_the_time_they_had(tmp_path: Path, step: float) -> None:
    async with quiet(tmp_path) as first:
        room = await room_with(first)
        await pass_time(DEAL_ANIMATION_TIME + 20)
    loop_clock().set_wall(step)
    async with quiet(tmp_path) as second:
        again = await second.room(room.session.code)
        assert clocks_of(again) == pytest.approx([40, 40], abs=1)


@pytest.mark.parametrize("noticed_by", ["an alarm", "a move"])
@at_noon
async def test_a_machine_that_slept_gives_the_time_back(tmp_path: Path, noticed_by: str) -> None:
    async with beating(tmp_path) as rooms:
        room = await room_with(rooms, clock=300, increment=5)
        await pass_time(DEAL_ANIMATION_TIME + 10)
        await rooms.pulse()
        loop_clock().suspend(8 * HOUR)
        if noticed_by == "a move":
            await first_move(room)
            assert room.session.record.clocks[0].left == pytest.approx(295)
        else:
            room._on_alarm()
            await wait_until_async(lambda: clocks_of(room)[0] == 290)
            assert room.session.ply == 0


@at_noon
async def test_who_cannot_write_knows_when_it_was_last_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The beat and a move: clocks rest from the last moment that was written down, not from the first that was not."""
    asked = asyncio.Event()

    async def refuses(*_: object) -> None:
        await asked.wait()
        raise OperationalError("", {}, Exception("no"))

    async with beating(tmp_path) as rooms:
        last = rooms._alive
        with monkeypatch.context() as patch:
            patch.setattr(rooms.store, "run", refuses)
            both = []
            for _ in range(2):
                await pass_time(4)
                both.append(asyncio.ensure_future(rooms.pulse()))
                await run_ready_tasks(1)
            asked.set()
            wrong = await asyncio.gather(*both, return_exceptions=True)
        assert [type(one) for one in wrong] == [OperationalError] * 2
        assert rooms._alive == last


@pytest.mark.parametrize("what", ["is gone", "does not answer"])
@at_noon
async def test_clocks_rest_while_nothing_is_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    async def silent(*_asked: object) -> None:
        raise OperationalError("", {}, Exception("the database does not answer"))

    file = tmp_path / "facedown.sqlite3"
    async with beating(tmp_path) as rooms:
        room = await room_with(rooms)
        await pass_time(DEAL_ANIMATION_TIME + 10)
        await rooms.beat()
        if what == "is gone":
            file.rename(tmp_path / "aside")
            await pass_time(9)
            with pytest.raises(Exception, match="deleted"):
                await rooms.pulse()
            await pass_time(9)
            (tmp_path / "aside").rename(file)
        else:
            with monkeypatch.context() as patch:
                for _beat in range(2):
                    await pass_time(5)
                    patch.setattr(rooms.store, "run", silent)
                    await rooms.beat()
                await pass_time(5)
        await rooms.beat()
        await wait_until_async(lambda: clocks_of(room) == pytest.approx([50, 50]))


def test_only_the_clock_asks_the_machine_what_time_it_is() -> None:
    """Times are measured by `Clock` and promised by `Rooms.now`, so that a test can turn them all at once."""
    package = Path(facedown.__file__).parent
    files = [file for part in ("play", "server") for file in (package / part).rglob("*.py")]
    assert len(files) > 80
    asks = re.compile(r"\btime\.(?:time|monotonic|clock_gettime)\b|datetime\.now|\bnow\(UTC\)|utcnow")
    found = {file.name for file in files if asks.search(file.read_text(encoding="utf-8"))}
    # The garbage collector's times are those of the whole process.
    assert found == {"clocks.py", "gc_tuning.py"}
