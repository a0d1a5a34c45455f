"""Shutdown, crash and restart of a process, several processes on one database, and the bus between them."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from httpx import Client
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from facedown.play import Session, chat
from facedown.play.i18n import TranslatableText
from facedown.server.cluster.bus import Bus, Message, parse_message
from facedown.server.cluster.bus_backends import BATCH_DELAY, MAX_ENTRIES_LENGTH, WAITS, RemoteBus, bus_of
from facedown.server.table.room import Room
from facedown.store import Repository, url_of
from tests.database_servers import Redis
from tests.manual_clock import loop_clock, pass_time
from tests.not_none import given
from tests.play.table import LowBots
from tests.server.api_players import Player, join_table, new_player
from tests.server.http_server import COOKIES_ACCEPTED, lobby, serving
from tests.server.live_tables import dealt_room, new_room, running_process, with_manual_clock
from tests.waiting import PATIENCE, PAUSE, run_ready_tasks, wait_until, wait_until_async


@with_manual_clock
async def test_bots_at_tables_of_an_ended_process_move_in_the_next_process(tmp_path: Path) -> None:
    # The bots would take a minute, so the first process ends before they act.
    async with running_process(tmp_path, bot_delay=60.0) as first:
        room, ada = await new_room(first, "me", "low", "high")
        await room.request_change(lambda session: session.ready(ada, True, 2.0))
        assert room.session.ply == 0
    async with running_process(tmp_path) as second:
        # The second process finds the table without a request.
        await wait_until_async(lambda: room.session.code in second._rooms)
        await wait_until_async(lambda: second._rooms[room.session.code].session.ply == 2)
        assert [m.seat for m in second._rooms[room.session.code].session.moves] == [1, 2]


@with_manual_clock
async def test_two_processes_that_run_bots_at_one_table_save_each_move_only_once(tmp_path: Path) -> None:
    bus = Bus()
    async with running_process(tmp_path, bus=bus) as first, running_process(tmp_path, bus=bus) as second:
        room, _ = await new_room(first, "low", "high", "low")
        await room.request_change(lambda session: session.begin_match_of_bots_only(2.0))
        other = await second.room(room.session.code)
        await wait_until_async(lambda: {room.session.record.status, other.session.record.status} == {"finished"})
        found = given(first.repository.load(room.session.code))
    assert [m.ply for m in found.moves] == list(range(len(found.moves)))
    # The match replays to its end: no move was saved twice or out of order.
    assert Session(found.record, found.moves).dealt_match.over


@with_manual_clock
async def test_change_whose_request_is_cancelled_is_still_saved_and_an_idle_table_leaves_memory(tmp_path: Path) -> None:
    async with running_process(tmp_path, idle=60.0, sweep=10.0) as rooms:
        room, ada = await new_room(rooms, "me", "open")
        asked = asyncio.ensure_future(
            room.request_change(lambda session: session.say(chat.validate_message(session, ada, "hello", 2.0)))
        )
        await run_ready_tasks(1)
        asked.cancel()
        await wait_until_async(lambda: bool(room.session.chat))
        # No request uses the table.
        await pass_time(61)
        await wait_until_async(lambda: not rooms._rooms)
        again = await rooms.room(room.session.code)
        assert again is not room
        assert [said.text for said in again.session.chat] == ["hello"]


@with_manual_clock
async def test_failed_bot_move_is_retried(tmp_path: Path) -> None:
    class Moody(LowBots):
        failures = 2

        def bot(self, level: str) -> Any:
            if self.failures:
                self.failures -= 1
                raise ArithmeticError("a bot's bad day")
            return super().bot(level)

    bots = Moody()
    async with running_process(tmp_path, bots=bots, sweep=10.0) as rooms:
        room, _ = await new_room(rooms, "low", "low")
        await room.request_change(lambda session: session.begin_match_of_bots_only(2.0))
        while room.session.ply < 4:
            # The first sweep may run right after the deal, so the number of tries is not fixed.
            assert bots.failures == 0 or room.session.ply == 0
            # Bot-only tables pause without viewers.
            room.record_view_and_resume_bots()
            await pass_time(1)
            await asyncio.sleep(PAUSE)  # Real time: sweeps wait for threads.
    assert bots.failures == 0


@with_manual_clock
async def test_new_table_never_reuses_a_taken_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    codes = iter(["AAAA", "AAAA", "AAAA", "BBBB"])
    monkeypatch.setattr("facedown.play.new_tables.new_code", lambda: next(codes))
    monkeypatch.setattr("facedown.server.table.room_registry.new_code", lambda: next(codes))
    async with running_process(tmp_path) as rooms:
        found = [(await new_room(rooms, "me", "open"))[0].session.code for _ in range(2)]
    assert found == ["AAAA", "BBBB"]


@with_manual_clock
async def test_absent_player_is_announced_twice_and_can_then_be_replaced_by_a_bot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is announced 30 s before the grace period ends, and again at its end."""
    clock = loop_clock()
    async with running_process(tmp_path) as rooms:
        room, ada = await dealt_room(rooms)
        room.record_opened_connection(0)
        room.record_opened_connection(1)
        room.record_closed_connection(1)
        said: list[TranslatableText] = []
        monkeypatch.setattr(room, "announce", said.append)
        for second in (29.0, 30.1, 45.0, 60.1):
            clock.advance(second - clock.turned)
            room._on_alarm()
        await room.request_change(lambda session: session.stand_in(ada, 1, "low", rooms.settings.bots, rooms.now()))
        await wait_until_async(lambda: room.session.ply >= 1)
        assert room.session.moves[0].seat == 1
    assert list(map(str, said)) == [
        "Ben is away and has 0:30 left to come back.",
        "Ben is away. The others can let a bot take over.",
        "Juniper is now playing for Ben.",
    ]


# --- a killed process -------------------------------------------------------------------------------------------------


ROOT = Path(__file__).resolve().parents[2]
STARTER = """
import sys
from facedown.server import run
sys.exit(run(port=None, data=sys.argv[1], open_browser=False, bot_delay=0.0))
"""


class Process:
    def __init__(self, data: Path) -> None:
        environment = dict(os.environ, PYTHONUNBUFFERED="1", PYTHONPATH=str(ROOT / "src"))
        self.process = subprocess.Popen(
            [sys.executable, "-c", STARTER, str(data)], stdout=subprocess.PIPE, text=True, env=environment
        )
        line = given(self.process.stdout).readline()
        assert line.startswith("Facedown is running at http://"), line
        self.origin = line.split()[-1].rstrip("/")
        self.port = int(self.origin.rsplit(":", 1)[1])
        self.client = Client(base_url=self.origin, cookies=COOKIES_ACCEPTED, timeout=PATIENCE)

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.wait()

    def wait(self) -> None:
        """Wait until the process has ended."""
        self.process.wait(PATIENCE)
        self.client.close()
        given(self.process.stdout).close()


@pytest.mark.slow
def test_acknowledged_moves_survive_a_killed_server(tmp_path: Path, seed: int) -> None:
    luck = random.Random(seed)
    server = Process(tmp_path)
    try:
        host = new_player(server.client, "me", "open", "random")
        codes = [host.token, join_table(server.client, host.code).token]
        acknowledged: list[tuple[int, int]] = []
        for _ in range(3):
            players = [Player(server.client, host.code, token) for token in codes]
            for _ in range(luck.randint(3, 9)):
                seat, view = whose_turn(players)
                move = {"action": luck.choice(view["legal"])["action"], "version": view["version"]}
                answer = players[seat].move(**move)
                assert answer.status_code == 200, answer.text
                acknowledged.append((seat, move["action"]))
            logs = [player.view()["table"]["log"] for player in players]
            server.kill()
            server = Process(tmp_path)
            players = [Player(server.client, host.code, token) for token in codes]
            for player, log in zip(players, logs, strict=True):
                assert player.view()["table"]["log"][: len(log)] == log
            # The last move, resent as after a lost response, counts once.
            assert players[seat].move(**move).status_code == 200
    finally:
        server.kill()
    stored = sqlite3.connect(tmp_path / "facedown.sqlite3")
    rows = stored.execute("SELECT ply, seat, action FROM moves ORDER BY ply").fetchall()
    stored.close()
    assert [ply for ply, _, _ in rows] == list(range(len(rows)))
    assert [(seat, action) for _, seat, action in rows if seat < 2] == acknowledged
    assert any(seat == 2 for _, seat, _ in rows)


def whose_turn(players: Sequence[Player]) -> tuple[int, dict[str, Any]]:
    """Wait until one of the two programs is to act. Return its seat and view."""
    version = -1
    while True:
        view = players[0].view(beyond=version)
        for seat in view["acting"]:
            if seat < 2 and (found := players[seat].view())["legal"]:
                return seat, found
        version = view["version"]


# --- a server that is shut down ---------------------------------------------------------------------------------------


#: Close code "service restart" (IANA registry).
SERVICE_RESTART = 1012


def test_shutdown_answers_waiting_long_polls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    news = Room.wait_for_change

    async def patient(room: Room, seconds: float) -> None:
        """Wait for longer than the test takes."""
        await news(room, 3600.0)

    monkeypatch.setattr(Room, "wait_for_change", patient)
    with ThreadPoolExecutor() as people, serving(tmp_path) as server, server.client() as client:
        player = new_player(client, "me", "low")
        answer = people.submit(player.ask, "GET", "view", beyond=10**6, wait=25)
        # A thinking bot also waits for changes, so check the polls of this address.
        wait_until(lambda: server.app.state.limits.polls_of_address.active_count("127.0.0.1"))
        server.call(server.rooms.begin_shutdown)
        # The poll returns the current state long before its wait is over.
        assert answer.result(PATIENCE).status_code == 200


@pytest.mark.slow
def test_shutdown_closes_websockets_with_the_service_restart_code(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    server = Process(tmp_path)
    url = f"/t/{new_player(server.client, 'me', 'open').code}"
    assert server.client.post(f"{url}/watch", headers={"Origin": server.origin}).status_code == 303
    with lobby(server, url, server.client) as (live,):
        server.process.send_signal(signal.SIGTERM)
        assert live.until_closed() == SERVICE_RESTART
    server.wait()
    assert "Traceback" not in capfd.readouterr().err
    left = Repository(url_of(tmp_path))
    assert left.processes.other_live_ids() == [], "it has taken its leave"
    left.close()


def test_requests_cut_off_by_shutdown_get_503_with_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with serving(tmp_path) as server, server.client() as client:
        player = new_player(client, "me", "open")
        code = player.code
        server.call(server.rooms.drop_from_memory, server.room(code))
        opening = threading.Semaphore(0)

        async def never(*_: object) -> None:
            opening.release()
            await asyncio.Event().wait()

        # Simulate a table that loads more slowly than the shutdown timeout.
        monkeypatch.setattr(server.rooms, "read_stored", never)
        with ThreadPoolExecutor() as people:
            answers = [
                people.submit(player.ask, "GET", "view"),
                people.submit(client.get, f"/t/{code}"),
                people.submit(client.post, f"/t/{code}/sit", data={"name": "Ben"}, headers={"Accept-Language": "de"}),
            ]
            line = people.submit(connect, f"ws{server.origin[4:]}/t/{code}/live", origin=server.origin)
            assert opening.acquire(timeout=PATIENCE)
            wait_until(lambda: len(server.server.server_state.tasks) > len(answers))
            server.server.should_exit = True
            api, page, form = (answer.result(PATIENCE) for answer in answers)
            with pytest.raises(InvalidStatus) as refused:
                line.result(PATIENCE)
    reason = "The server stopped before it could answer. Try again once it’s back."
    assert (api.status_code, api.json()) == (503, {"code": "unavailable", "reason": reason})
    assert (page.status_code, page.text) == (503, reason)
    assert (form.status_code, form.headers["content-language"]) == (503, "de")
    assert form.text != reason
    assert all(answer.headers["retry-after"] for answer in (api, page, form))
    assert refused.value.response.status_code == 503
    assert not [line for line in caplog.records if line.exc_info], "nothing broke"


class ControlledBus(RemoteBus):
    """A bus whose connection the test controls."""

    name = "loud"

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[str] = []
        self.works = True

    async def listen(self, up: Callable[[], None]) -> None:
        """Wait forever; no message comes."""
        up()
        await asyncio.Event().wait()

    async def send(self, text: str) -> None:
        if not self.works:
            raise OSError("the line is down")
        self.sent.append(text)

    async def disconnect(self) -> None:
        """Do nothing: no connection is open."""


@with_manual_clock
async def test_message_bus_combines_messages_within_a_size_limit() -> None:
    bus = ControlledBus()
    await bus.start(3)
    for number in range(3000):
        bus.publish(Message(sender=3, news={number: 1}))
        bus.publish(Message(sender=3, news={number: 2 * number}))
    await run_ready_tasks()
    await pass_time(BATCH_DELAY)
    sent = list(bus.sent)
    await bus.stop()
    assert len(sent) < 20
    assert max(map(len, sent)) < 8000
    assert MAX_ENTRIES_LENGTH < 8000
    told: dict[int, int] = {}
    for message in map(parse_message, sent):
        assert given(message).sender == 3
        told |= given(message).news
    assert told == {number: max(1, 2 * number) for number in range(3000)}


@with_manual_clock
async def test_message_bus_resends_unsent_messages_after_reconnecting() -> None:
    bus = ControlledBus()
    bus.works = False
    await bus.start(3)
    bus.publish(Message(sender=3, news={7: 12}))
    await run_ready_tasks()
    await pass_time(BATCH_DELAY)
    bus.works = True
    assert bus.sent == []
    await pass_time(WAITS[0])
    await pass_time(BATCH_DELAY)
    sent = list(bus.sent)
    await bus.stop()
    assert any('"news":[[7,12]]' in text for text in sent)


def test_message_of_the_bus_is_parsed_back_unchanged_and_invalid_messages_are_ignored() -> None:
    whole = {"from": 4, "news": [[7, 12], [8, 1]], "here": [[7, [0, 2], [41]]], "dismissed": [5], "leaves": True}
    assert json.loads(given(parse_message(json.dumps(whole))).text()) == whole
    assert not Bus().has_other_processes
    for wrong in ({"from": "1"}, {"news": [[1]]}, {"news": [[1, -1]]}, {"news": [[1, True]]}, {"here": [[1, 2, 3]]}):
        assert parse_message(json.dumps(whole | wrong)) is None, wrong
    for text in ("", "null", "[]", "{}", "[" * 10_000, "\ud800"):
        assert parse_message(text) is None, text[:9]


@pytest.mark.postgres
@pytest.mark.redis
@pytest.mark.parametrize("name", ["postgresql", "redis"])
def test_message_bus_can_be_stopped_at_any_moment_after_its_start(
    name: str, postgres_url: str, redis_server: Redis
) -> None:
    async def scene() -> None:
        for turns in range(120):
            bus = bus_of(redis_server.url if name == "redis" else "", postgres_url)
            assert bus.name == name
            await bus.start(1)
            bus.publish(Message(sender=1, news={7: 12}))
            await run_ready_tasks(5 * turns)
            async with asyncio.timeout(PATIENCE):
                await bus.stop()

    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, scene()).result()
