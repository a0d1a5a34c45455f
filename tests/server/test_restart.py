"""Bots, clocks and tables after the process that drove them is gone; several processes on one database."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest

from facedown.play import Bots, NewSeat, Refusal, Session, new_table, talk
from facedown.server.live.bus import LocalBus
from facedown.server.live.room import Room
from facedown.server.live.rooms import Rooms
from facedown.server.settings import ServerSettings
from facedown.store import Repository, url_of
from tests.play.table import LowBots
from tests.server.serving import PATIENCE, awaited

Result = TypeVar("Result")


class Clock:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.time = 1000.0

    def __call__(self) -> float:
        return self.time


def process(folder: Path, *, bus: LocalBus | None = None, clock: Clock | None = None, **settings: Any) -> Rooms:
    """Tables as one process holds them."""
    # Bots among themselves pause when nobody has looked for so long: a busy machine is not to come to that.
    named: dict[str, Any] = {"bots": LowBots(), "bot_delay": 0.0, "unseen_for": 3600.0} | settings
    return Rooms(Repository(url_of(folder)), ServerSettings(database="", **named), bus, clock or Clock())


def play(scene: Coroutine[Any, Any, Result]) -> Result:
    """Run a scene on a loop of its own."""

    async def bounded() -> Result:
        async with asyncio.timeout(PATIENCE):
            return await scene

    return awaited(bounded())


async def new_room(rooms: Rooms, *kinds: str) -> tuple[Room, int]:
    """A new table and its host."""
    ada = rooms.repository.new_person("Ada", None, 1.0)
    named = {"me": NewSeat("me"), "open": NewSeat("open")}
    seats = [named.get(kind) or NewSeat("bot", kind) for kind in kinds]
    record = new_table("detect", seats, rooms.settings.bots, 1.0, host=ada.id, host_name="Ada")
    return await rooms.add(record), ada.id


async def until(happens: Callable[[], bool]) -> None:
    """Wait until something has happened (`play` bounds the wait)."""
    while not happens():  # noqa: ASYNC110 (what is waited for rings no bell)
        await asyncio.sleep(0.01)


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
        await until(lambda: room.session.code in second._rooms)
        await until(lambda: second._rooms[room.session.code].session.ply == 2)
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
        await until(lambda: {room.session.record.status, other.session.record.status} == {"finished"})
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
        await until(lambda: room.session.record.revision >= 1)
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
        asked = asyncio.ensure_future(room.request(lambda session: session.say(talk.check(session, ada, "hello", 2.0))))
        await asyncio.sleep(0)
        asked.cancel()
        await until(lambda: bool(room.session.chat))
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

    async def scene(bots: Bots) -> None:
        rooms = process(tmp_path, bots=bots, sweep=0.05)
        await rooms.start()
        room, _ = await new_room(rooms, "low", "low")
        await room.request(lambda session: session.begin(2.0))
        await until(lambda: room.session.ply >= 4)
        await end(rooms)

    moody = Moody()
    play(scene(moody))
    assert moody.failures == 0


def test_a_table_that_nobody_uses_leaves_memory_and_comes_back(tmp_path: Path) -> None:
    async def scene() -> None:
        rooms = process(tmp_path, idle=0.0, sweep=0.05)
        await rooms.start()
        room, ada = await new_room(rooms, "me", "open")
        await room.request(lambda session: session.say(talk.check(session, ada, "anybody?", 2.0)))
        await until(lambda: not rooms._rooms)
        again = await rooms.room(room.session.code)
        assert again is not room
        assert [said.text for said in again.session.chat] == ["anybody?"]
        await end(rooms)

    play(scene())


def test_a_code_that_is_taken_is_not_given_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    codes = iter(["AAAA", "AAAA", "AAAA", "BBBB"])
    monkeypatch.setattr("facedown.play.new_tables.new_code", lambda: next(codes))
    monkeypatch.setattr("facedown.server.live.rooms.new_code", lambda: next(codes))

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
        clock = Clock()
        rooms = process(tmp_path, clock=clock)
        await rooms.start()
        room, ada = await new_room(rooms, "me", "open")
        ben = rooms.repository.new_person("Ben", None, 1.0)
        await room.request(lambda session: session.sit(ben.id, "Ben", ready=True, now=clock()))
        await room.request(lambda session: session.ready(ada, True, clock()))
        room.arrive(0)
        room.arrive(1)
        room.depart(1)
        told = room.told
        for second in (29.0, 30.1, 45.0, 60.1):
            clock.time = 1000.0 + second
            room._ring()
        await room.request(lambda session: session.stand_in(ada, 1, "low", rooms.settings.bots, clock()))
        await until(lambda: room.session.ply >= 1)
        assert room.session.moves[0].seat == 1
        said = [str(tell) for tell in room.tells_since(told)]
        await end(rooms)
        return said

    assert play(scene()) == ["Ben is away. 0:30 left.", "Ben is away. The others may decide.", "Juniper plays for Ben."]
