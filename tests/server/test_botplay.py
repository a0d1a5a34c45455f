"""When bots answer, and for whom they do: at moments that tell nothing, and not for nobody."""

from __future__ import annotations

import asyncio
import math
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from facedown.play import Level, NewSeat, new_table
from facedown.server.table import bot_turns
from facedown.server.table.room import Room
from facedown.server.table.rooms import Rooms
from facedown.server.thinking import Rank
from tests.clock import ManualClock, pass_time
from tests.server.scenes import process, running, scene
from tests.server.serving import ONE_HAND, awaited, finished, open_table, serving
from tests.wait import run_ready_tasks, wait_until, wait_until_async


def moment_of(seconds: float, least: float) -> float:
    """When a bot answers that thinks for so long, to a thousandth of a second."""
    clock = ManualClock(0.0)

    async def scene() -> float:
        loop = asyncio.get_running_loop()
        # No real time passes here.
        loop.time = clock.monotonic  # type: ignore[method-assign]
        thought = loop.create_future()
        loop.call_later(seconds, thought.set_result, 1)
        answer = loop.create_task(bot_turns.paced(thought, least))
        for thousandth in range(5000):
            clock.turned = thousandth / 1000
            await run_ready_tasks(3)
            if answer.done():
                assert await answer == 1
                return clock.turned
        raise AssertionError("no answer")

    return awaited(scene(), clock)


def test_the_moment_of_an_answer_does_not_depend_on_what_a_bot_saw() -> None:
    """A bot that thinks long if it holds good cards, and not at all if it does not."""
    assert {moment_of(seconds, 1.5) for seconds in (0.0, 0.001, 0.4, 1.0, 1.49)} == {1.5}
    # Over time, few moments are left to tell anything.
    assert {moment_of(seconds, 1.5) for seconds in (1.51, 1.6, 1.74)} == {1.75}
    assert moment_of(1.76, 1.5) == 2.0
    assert moment_of(0.25, 0.0) == 0.25, "where people do not want to see bots pause, nothing is waited for"


def test_slow_levels_have_a_floor_of_their_own(tmp_path: Path) -> None:
    rooms = process(tmp_path, clock=ManualClock(), bot_delay=1.1, slow_floor=1.5)
    settings = rooms.settings
    assert [bot_turns.least_wait(settings, slow, False) for slow in (False, True)] == [1.1, 1.5]
    assert bot_turns.least_wait(settings, True, True) == settings.zero_delay
    rooms.repository.close()


class SlowBots:
    """A level that counts how often it was asked, slow or not."""

    def __init__(self, slow: bool = False) -> None:
        self.levels: Sequence[Level] = (Level("low", "Low", "plays the first", usual=True, slow=slow),)
        self.asked = 0

    def bot(self, level: str) -> SlowBots:
        if level != "low":
            raise KeyError(level)
        return self

    def choose(self, game: Any, view: Any, seat: int, seed: int) -> int:
        self.asked += 1
        return int(game.legal(view, seat)[0])


async def bots_alone(rooms: Rooms, origin: str = "") -> Room:
    """A table of bots that has begun."""
    host = rooms.repository.new_person("Ada", None, 1.0)
    seats = [NewSeat("bot", "low"), NewSeat("bot", "low")]
    record = new_table("uncovered", seats, rooms.settings.bots, 1.0, host=host.id)
    room = await rooms.add(record)
    # That it was made is long ago.
    room.looked = -math.inf
    await room.request(lambda session: session.begin(2.0))
    return room


@scene
async def test_bots_among_themselves_wait_until_somebody_looks(tmp_path: Path) -> None:
    bots = SlowBots()
    async with running(tmp_path, bots=bots) as rooms:
        room = await bots_alone(rooms)
        assert room.rests
        await rooms.sweep()
        await run_ready_tasks()
        assert (room.session.ply, bots.asked) == (0, 0)
        assert bot_turns.share_of(room).rank == Rank.UNSEEN
        room.look()
        assert bot_turns.share_of(room).rank == Rank.WATCHED
        await wait_until_async(lambda: room.session.ply > 3)
        # Nobody has looked for long: they pause again.
        await pass_time(rooms.settings.unseen_for + 1)
        await wait_until_async(lambda: not room.busy)
        assert not room.session.running.over
        ply = room.session.ply
    # A restart does not set them off.
    async with running(tmp_path, bots=bots) as second:
        assert second.all_in_memory() == []
        found = await second.room(room.session.code)
        assert (found.session.ply, found.busy) == (ply, False)
        found.look()
        await wait_until_async(lambda: found.session.ply > ply)


def test_bots_alone_are_few_from_one_address(tmp_path: Path) -> None:
    with serving(tmp_path, bots_alone=2, bot_delay=60.0) as server, server.client() as client:
        wanted = {"game": "reveal", "name": "Ada", "seats": ["low", "low"]}
        answers = [client.post("/api/v1/tables", json=wanted) for _ in range(3)]
        assert [answer.status_code for answer in answers] == [201, 201, 429], answers[0].text
        assert answers[2].json()["code"] == "too-fast"
        # With a person at it a table is none of these.
        assert client.post("/api/v1/tables", json=wanted | {"seats": ["me", "low"]}).status_code == 201


def test_a_table_and_its_successor_know_where_they_come_from(tmp_path: Path) -> None:
    with serving(tmp_path) as server, server.client() as client:
        room = server.room(open_table(client, "low", **ONE_HAND))
        origin = server.rooms.origins.of("127.0.0.1")
        assert room.session.record.origin == origin != ""
        loaded = server.rooms.repository.load(room.session.code)
        assert loaded is not None
        assert loaded.record.origin == origin


class Flooded:
    """Slow bots that think until they are let go, and quick ones that answer at once."""

    levels: Sequence[Level] = (
        Level("slow", "Slow", "thinks until it is let go", slow=True),
        Level("low", "Low", "plays the first", usual=True),
    )

    def __init__(self) -> None:
        self.go_on = threading.Event()
        self.begun = 0

    def bot(self, level: str) -> Any:
        return self if level == "slow" else SlowBots()

    def choose(self, game: Any, view: Any, seat: int, seed: int) -> int:
        self.begun += 1
        # However long the others take: whoever is let go would be followed by the next of the flood.
        self.go_on.wait()
        return int(game.legal(view, seat)[0])


def test_a_bystander_plays_on_while_an_address_floods_every_slow_thread(tmp_path: Path) -> None:
    """Tables of slow bots, hints and looks back of one address wait; the bystander's match goes to its end."""
    bots = Flooded()
    limits = {"slow_threads": 2, "bots_alone": 50, "questions_waiting": 3}
    with serving(tmp_path, bots=bots, **limits) as server, server.client() as eve, server.client() as ben:
        try:
            wanted = {"game": "reveal", "name": "Eve", "seats": ["slow", "slow"]}
            for _ in range(30):
                assert eve.post("/api/v1/tables", json=wanted).status_code == 201
            thinking = server.rooms.thinking
            wait_until(lambda: thinking.running("slow") == 2 and thinking.waiting("slow") == 28)
            # From that address nothing more is taken on that could be refused.
            body = {"seats": 4}
            assert eve.post("/api/v1/score/uncovered", json=body).status_code == 429
            url = finished(server, ben)
            assert ben.get(f"/api/v1/matches/{url.removeprefix('/t/')}").json()["moves"]
            assert (bots.begun, thinking.running("slow")) == (2, 2), "the flood stands where it stood"
        finally:
            bots.go_on.set()
