"""Bots, clocks and tables after the process that drove them is gone; several processes on one database."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest

from facedown.play import NewSeat, Refusal, Session, chat, new_table
from facedown.server.cluster.bus import LocalBus
from facedown.server.process.settings import ServerSettings
from facedown.server.table.room import Room
from facedown.server.table.rooms import Rooms
from facedown.store import Repository, url_of
from tests.clock import ManualClock, loop_clock, pass_time
from tests.play.table import LowBots
from tests.server.serving import awaited
from tests.wait import PATIENCE, PAUSE, run_ready_tasks, wait_until_async

Result = TypeVar("Result")


def process(folder: Path, *, bus: LocalBus | None = None, clock: ManualClock | None = None, **settings: Any) -> Rooms:
    """Tables as one process holds them. They go by the clock of the loop unless another one is given."""
    # A disk that others keep busy is slow, and does not hang.
    named: dict[str, Any] = {"bots": LowBots(), "bot_delay": 0.0, "write_patience": 3600.0} | settings
    clock = clock or loop_clock()
    return Rooms(Repository(url_of(folder), clock.wall), ServerSettings(database="", **named), bus, clock)


def play(scene: Coroutine[Any, Any, Result], clock: ManualClock | None = None) -> Result:
    """Run a scene on a loop of its own. Its clock stands at 1000 until it is turned, unless another one is given."""

    async def bounded() -> Result:
        task = asyncio.current_task()
        assert task is not None
        # By real time: a scene may turn its clock by hours.
        alarm = threading.Timer(PATIENCE, task.get_loop().call_soon_threadsafe, (task.cancel, "it takes too long"))
        alarm.start()
        try:
            return await scene
        finally:
            alarm.cancel()

    return awaited(bounded(), clock or ManualClock(1000.0))


async def new_room(rooms: Rooms, *kinds: str) -> tuple[Room, int]:
    """A new table and its host."""
    ada = rooms.repository.new_person("Ada", None, 1.0)
    named = {"me": NewSeat("me"), "open": NewSeat("open")}
    seats = [named.get(kind) or NewSeat("bot", kind) for kind in kinds]
    record = new_table("detect", seats, rooms.settings.bots, 1.0, host=ada.id, host_name="Ada")
    return await rooms.add(record), ada.id


async def end(*all_rooms: Rooms) -> None:
    """End processes."""
    for rooms in all_rooms:
        await rooms.stop()
        rooms.repository.close()


def test_bots_whose_process_died_act_in_the_next_one(tmp_path: Path) -> None:
    async def scene() -> None:
        # Bots that would take a minute: the first process dies before they act.
        first = process(tmp_path, bot_delay=60.0)
        await first.start()
        room, ada = await new_room(first, "me", "low", "high")
        await room.request(lambda session: session.ready(ada, True, 2.0))
        assert room.session.ply == 0
        await end(first)
        second = process(tmp_path)
        await second.start()
        # Nobody asks for the table: it is found by itself.
        await wait_until_async(lambda: room.session.code in second._rooms)
        await wait_until_async(lambda: second._rooms[room.session.code].session.ply == 2)
        assert [m.seat for m in second._rooms[room.session.code].session.moves] == [1, 2]
        await end(second)

    play(scene())


def test_two_processes_drive_one_table_and_every_move_counts_once(tmp_path: Path) -> None:
    async def scene() -> None:
        bus = LocalBus()
        first, second = process(tmp_path, bus=bus), process(tmp_path, bus=bus)
        await first.start()
        await second.start()
        room, _ = await new_room(first, "low", "high", "low")
        await room.request(lambda session: session.begin(2.0))
        other = await second.room(room.session.code)
        await wait_until_async(lambda: {room.session.record.status, other.session.record.status} == {"finished"})
        await end(first, second)
        stored = Repository(url_of(tmp_path))
        found = stored.load(room.session.code)
        stored.close()
        assert found is not None
        assert [m.ply for m in found.moves] == list(range(len(found.moves)))
        # It replays to its end: no move was played twice, none on a table that was not there.
        assert Session(found.record, found.moves).running.over

    play(scene())


def test_a_change_in_one_process_is_seen_in_the_other(tmp_path: Path) -> None:
    async def scene() -> None:
        bus = LocalBus()
        first, second = process(tmp_path, bus=bus), process(tmp_path, bus=bus)
        await first.start()
        await second.start()
        room, ada = await new_room(first, "me", "open")
        other = await second.room(room.session.code)
        ben = second.repository.new_person("Ben", None, 1.0)
        await other.request(lambda session: session.sit(ben.id, "Ben", ready=True, now=2.0))
        await wait_until_async(lambda: room.session.record.revision >= 1)
        assert room.session.record.seats[1].name == "Ben"
        await room.request(lambda session: session.ready(ada, True, 3.0))
        # Without waiting for the bus: a request at a table that is behind is weighed on the newest.
        with pytest.raises(Refusal) as caught:
            await other.request(lambda session: session.ready(ben.id, False, 4.0))
        assert caught.value.code == "conflict"
        await end(first, second)

    play(scene())


def test_a_request_whose_sender_is_gone_is_seen_through(tmp_path: Path) -> None:
    async def scene() -> None:
        rooms = process(tmp_path)
        await rooms.start()
        room, ada = await new_room(rooms, "me", "open")
        asked = asyncio.ensure_future(room.request(lambda session: session.say(chat.check(session, ada, "hello", 2.0))))
        await run_ready_tasks(1)
        asked.cancel()
        await wait_until_async(lambda: bool(room.session.chat))
        found = rooms.repository.load(room.session.code)
        assert found is not None
        assert [said.text for said in found.chat] == ["hello"]
        await end(rooms)

    play(scene())


def test_a_bot_that_fails_is_tried_again(tmp_path: Path) -> None:
    class Moody(LowBots):
        failures = 2

        def bot(self, level: str) -> Any:
            if self.failures:
                self.failures -= 1
                raise ArithmeticError("a bot's bad day")
            return super().bot(level)

    async def scene(bots: Moody) -> None:
        rooms = process(tmp_path, bots=bots, sweep=10.0)
        await rooms.start()
        room, _ = await new_room(rooms, "low", "low")
        await room.request(lambda session: session.begin(2.0))
        while room.session.ply < 4:
            # The first sweep may come right after the deal, so the number of tries in a while is not known.
            assert bots.failures == 0 or room.session.ply == 0
            await pass_time(1)
            await asyncio.sleep(PAUSE)  # Real time: sweeps wait for threads.
        await end(rooms)

    moody = Moody()
    play(scene(moody))
    assert moody.failures == 0


def test_a_table_that_nobody_uses_leaves_memory_and_comes_back(tmp_path: Path) -> None:
    async def scene() -> None:
        rooms = process(tmp_path, idle=60.0, sweep=10.0)
        await rooms.start()
        room, ada = await new_room(rooms, "me", "open")
        await room.request(lambda session: session.say(chat.check(session, ada, "anybody?", 2.0)))
        await pass_time(61)
        await wait_until_async(lambda: not rooms._rooms)
        again = await rooms.room(room.session.code)
        assert again is not room
        assert [said.text for said in again.session.chat] == ["anybody?"]
        await end(rooms)

    play(scene())


def test_a_code_that_is_taken_is_not_given_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    codes = iter(["AAAA", "AAAA", "AAAA", "BBBB"])
    monkeypatch.setattr("facedown.play.new_tables.new_code", lambda: next(codes))
    monkeypatch.setattr("facedown.server.table.rooms.new_code", lambda: next(codes))

    async def scene() -> list[str]:
        rooms = process(tmp_path)
        await rooms.start()
        found = [(await new_room(rooms, "me", "open"))[0].session.code for _ in range(2)]
        await end(rooms)
        return found

    assert play(scene()) == ["AAAA", "BBBB"]


def test_an_absence_is_announced_and_may_be_filled(tmp_path: Path) -> None:
    """The others are told half a minute before the grace time ends, and when it does."""

    async def scene() -> list[str]:
        clock = loop_clock()
        rooms = process(tmp_path)
        await rooms.start()
        room, ada = await new_room(rooms, "me", "open")
        ben = rooms.repository.new_person("Ben", None, 1.0)
        await room.request(lambda session: session.sit(ben.id, "Ben", ready=True, now=rooms.now()))
        await room.request(lambda session: session.ready(ada, True, rooms.now()))
        room.arrive(0)
        room.arrive(1)
        room.depart(1)
        told = room.told
        for second in (29.0, 30.1, 45.0, 60.1):
            clock.advance(second - clock.turned)
            room._ring()
        await room.request(lambda session: session.stand_in(ada, 1, "low", rooms.settings.bots, rooms.now()))
        await wait_until_async(lambda: room.session.ply >= 1)
        assert room.session.moves[0].seat == 1
        said = [str(tell) for tell in room.tells_since(told)]
        await end(rooms)
        return said

    assert play(scene()) == ["Ben is away. 0:30 left.", "Ben is away. The others may decide.", "Juniper plays for Ben."]
