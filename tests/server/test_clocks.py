"""Clocks at real tables: the server does what happens at zero, whoever is there, and after it was away."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from httpx import Client

from facedown.play import NewSeat, Refusal, Settings, new_table
from facedown.play.clock import DEALT, left_at
from facedown.server.table.room import Room
from facedown.server.table.rooms import Rooms
from tests.clock import loop_clock, pass_time
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
