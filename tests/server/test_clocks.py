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
from facedown.play import NewSeat, Refusal, Settings, new_table
from facedown.play.clock import DEALT, left_at, rested
from facedown.play.presence import GRACE
from facedown.play.records import SeatClock
from facedown.server.process.clock import MOST_SLEW, STEP, Clock, SteadyClock
from facedown.server.table.room import Room
from facedown.server.table.rooms import Rooms
from tests.clock import ManualClock, loop_clock, pass_time
from tests.play.table import LowBots
from tests.server.programs import Player, make
from tests.server.scenes import process, running, scene
from tests.server.serving import Live, Server, action_in, begun, open_table, serving, shared_table
from tests.wait import run_ready_tasks, wait_until, wait_until_async

#: Clocks that are set by a test are looked at when it says so.
STILL = {"pulse": 1e9, "sweep": 0.05, "zero_delay": 0.0}


def lines(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", html))


def prompt(message: dict[str, object]) -> str:
    found = re.search(r'id="prompt-words">(.*?)</h2>', str(message["html"]))
    return found[1] if found else ""


async def room_with(rooms: Rooms, settings: Settings) -> tuple[Room, list[int]]:
    """Ada and Ben at a table of Detect that has been dealt."""
    people = [rooms.repository.new_person(name, None, 1.0).id for name in ("Ada", "Ben")]
    seats = [NewSeat("me"), NewSeat("open")]
    record = new_table(
        "detect", seats, rooms.settings.bots, 1.0, host=people[0], host_name="Ada", settings=settings, seed=bytes(32)
    )
    room = await rooms.add(record)
    await room.request(lambda session: session.sit(people[1], "Ben", ready=True, now=rooms.now()))
    await room.request(lambda session: session.ready(people[0], True, rooms.now()))
    return room, people


def test_at_zero_a_bot_plays_though_both_pages_are_open_and_both_say_so(tmp_path: Path) -> None:
    bots = LowBots()
    with (
        serving(tmp_path, bots=bots, zero_delay=30.0, pulse=STILL["pulse"]) as server,
        server.client() as ada,
        server.client() as ben,
    ):
        url = shared_table(ada, ben, clock="60")
        with Live(server, ada, url) as hers, Live(server, ben, url) as his:
            lives = [hers, his]
            tables = begun(*lives)
            assert all(" runs" in str(t["html"]) for t in tables)
            # The sealed choice of two cells: Ada chooses, Ben does not.
            tables[0] = hers.play(tables[0])
            # Not before: however long Ada took, hers was in time.
            room = server.room(url)
            server.advance(DEALT + 60)
            heard: dict[int, list[str]] = {0: [], 1: []}
            seen: dict[int, list[str]] = {0: [], 1: []}

            def take(index: int) -> None:
                tables[index] = lives[index].get("table")
                heard[index] += tables[index]["say"]
                seen[index].append(prompt(tables[index]))

            for index in (0, 1):
                while "time ran out." not in "".join(seen[index]):
                    take(index)
            # The bot has chosen. If it did not wait, its move would come before the chat message.
            wait_until(lambda: bots.shown)
            server.within(run_ready_tasks())
            hers.send(type="chat", text="Ben?")
            his.get("chat")
            assert room.session.ply == 1
            server.advance(30)
            for index in (0, 1):
                while "starts" not in lines(str(tables[index]["html"])) and tables[index]["version"] < 2:
                    take(index)
            assert "Ben’s time ran out. A bot plays this one move for Ben, who is back at the next turn." in heard[0]
            assert "Ben’s time ran out." in seen[0]
            assert "Your time ran out." in seen[1]
            assert "Your time ran out: a bot plays this one move for you." in heard[1]
        moves = room.session.moves
        assert [move.token.startswith("time:") for move in moves[:2]] == [False, True]


@scene
async def test_zero_is_found_after_a_restart_though_nobody_looks_and_nobody_has_lost_time(tmp_path: Path) -> None:
    first = process(tmp_path, **STILL)
    await first.start()
    room, _ = await room_with(first, Settings(clock=60))
    code = room.session.code
    await pass_time(DEALT + 20)
    first.repository.pulse(first.now())
    # It is killed: no goodbye. Ten hours later it is started again.
    for task in (first._sweeper, first._heart):
        assert task is not None
        task.cancel()
    room.close()
    first.repository.close()
    await pass_time(36_000)
    async with running(tmp_path, **STILL) as second:
        found = second.repository.load(code)
        assert found is not None
        assert [left_at(seat, second.now()) for seat in found.record.clocks] == [40, 40]
        await pass_time(39)
        # Read as it is written down: a table in memory would ring by itself.
        before = second.repository.load(code)
        assert before is not None
        assert not before.moves
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
    here, people = await room_with(one, Settings(clock=60))
    there = await two.room(here.session.code)
    # Their alarms must not ring by themselves, nor bots act: the test decides the order.
    for room in (here, there):
        room.close()
        room.services.closing = True
    await pass_time(DEALT + 60)

    async def move() -> bool:
        try:
            await here.request(
                lambda session: session.move(0, session.game.legal(session.running.state, 0)[0], 0, now=one.now())
            )
        except Refusal as refusal:
            return not refusal.reason.startswith("Your time ran out")
        return True

    async def zero() -> bool:
        change = await there.request(lambda session: session.run_out("low", two.now()))
        return change is not None and change.record.clocks[0].up

    assert [await ask() for ask in ((move, zero) if first == "move" else (zero, move))] == [True, False]
    stored = one.repository.load(here.session.code)
    assert stored is not None
    assert len(stored.moves) == (1 if first == "move" else 0)
    assert people
    for rooms in (one, two):
        await rooms.store.close()
        rooms.repository.close()


@scene
async def test_a_machine_that_slept_gives_the_time_back(tmp_path: Path) -> None:
    async with running(tmp_path, pulse=5.0, sweep=1e9, zero_delay=0.0) as rooms:
        room, _ = await room_with(rooms, Settings(clock=60))
        await pass_time(DEALT + 10)
        await rooms.pulse()
        loop_clock().suspend(3600)
        room._ring()
        await wait_until_async(lambda: left_at(room.session.record.clocks[0], rooms.now()) == 50)
        assert room.session.ply == 0


def test_a_program_is_told_the_clocks_and_may_set_them(server: Server, ada: Client) -> None:
    with server.clock.stopped():
        made = make(ada, "me", "low", clock=300, increment=10)
        assert (made["table"]["clock"], made["table"]["increment"], made["table"]["at_zero"]) == (300, 10, "bot")
        view = Player(ada, made["table"]["code"], made["token"]).view()
        assert [(seat["seat"], seat["runs"], seat["up"]) for seat in view["clocks"]] == [
            (0, True, False),
            (1, False, False),
        ]
        assert view["clocks"][0]["left"] == 300


def test_the_sheet_and_the_lobby_say_how_the_clock_goes(ada: Client) -> None:
    sheet = ada.get("/new/detect").text
    assert "Five minutes for the round, plus ten seconds for every turn" in sheet
    url = open_table(ada, "open", clock="300+10", **{"at-zero": "nothing"})
    words = lines(ada.get(url).text)
    assert "clock five minutes for the round, plus ten seconds for every turn" in words
    assert "at zero nothing, but everyone sees it" in words


def test_what_happens_at_zero_is_announced_before_it_does(server: Server, ada: Client) -> None:
    url = open_table(ada, "low", clock="60")
    with Live(server, ada, url) as live:
        table = live.hello()
        own = re.search(r'<span class="clock[^>]*yours"[^>]*data-zero="([^"]*)"', table["html"])
        assert own is not None
        assert own[1] == "At zero a bot plays this one move for you."
        assert table["html"].count("data-zero") == 2, "the chip at the seat and the one on the score sheet"
        assert action_in(table["step"]) >= 0


def test_who_was_slow_and_stood_in_for_takes_the_seat_back_by_moving(tmp_path: Path) -> None:
    # The bot that plays for Ben has not moved before he is back, however slow this machine is.
    with serving(tmp_path, bot_delay=60.0) as server, server.client() as ada, server.client() as ben:
        url = shared_table(ada, ben, clock="3", **{"at-zero": "nothing"})
        with Live(server, ada, url) as hers, Live(server, ben, url) as his:
            table, _ = begun(hers, his)
            server.advance(DEALT + 3)
            while "Let a bot play for Ben" not in table["html"]:
                table = hers.get("table")
            seats = server.session(url)
            assert seats.ply == 0, "nothing happens by itself"
            hers.send(type="standin", seat=1)
            his.move(his.until_said("Juniper plays for Ben.", "table"))
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
