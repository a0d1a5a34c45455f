"""Scenes: tables as one process holds them, without HTTP, in a loop whose clock is turned; a server with one lesson."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import pytest

from facedown.core.language import cache_by_language
from facedown.play import lessons as play_lessons
from facedown.play import new_table
from facedown.play.lessons import Lesson, read_lesson
from facedown.server.cluster.bus import Bus
from facedown.server.http import home, lessons
from facedown.server.process.settings import ServerSettings
from facedown.server.table.room import Room
from facedown.server.table.room_registry import Rooms
from facedown.store import Repository, url_of
from tests.manual_clock import ManualClock, loop_clock
from tests.play.table import LowBots
from tests.server.http_server import Server, awaited, serving
from tests.waiting import PATIENCE

Given = ParamSpec("Given")
Result = TypeVar("Result")


def process(folder: Path, *, bus: Bus | None = None, clock: ManualClock | None = None, **settings: Any) -> Rooms:
    """Tables as one process holds them. They go by the clock of the loop unless another one is given."""
    # A disk that others keep busy is slow, and does not hang.
    named: dict[str, Any] = {"bots": LowBots(), "bot_delay": 0.0, "write_patience": 3600.0} | settings
    clock = clock or loop_clock()
    return Rooms(Repository(url_of(folder), clock.wall), ServerSettings(database="", **named), bus, clock)


@contextlib.asynccontextmanager
async def running(folder: Path, **settings: Any) -> AsyncIterator[Rooms]:
    """A process that runs until the block ends."""
    rooms = process(folder, **settings)
    await rooms.start()
    try:
        yield rooms
    finally:
        await end(rooms)


def scene(test: Callable[Given, Coroutine[Any, Any, Result]], at: float = 1000.0) -> Callable[Given, Result]:
    """Run a test on a loop of its own. Its clock stands at `at` until it is turned."""

    @functools.wraps(test)
    def played(*arguments: Given.args, **named: Given.kwargs) -> Result:
        return awaited(bounded(test(*arguments, **named)), ManualClock(at))

    return played


async def bounded(scene: Coroutine[Any, Any, Result]) -> Result:
    """End a scene that takes too long, by real time: it may turn its clock by hours."""
    task = asyncio.current_task()
    assert task is not None
    alarm = threading.Timer(PATIENCE, task.get_loop().call_soon_threadsafe, (task.cancel, "it takes too long"))
    alarm.start()
    try:
        return await scene
    finally:
        alarm.cancel()


async def new_room(rooms: Rooms, *kinds: str, game: str = "detect", **about: Any) -> tuple[Room, int]:
    """A table with these seats, and the number of Ada, its host."""
    ada = rooms.repository.new_person("Ada", None, 1.0)
    record = new_table(game, kinds, rooms.settings.bots, 1.0, host=ada.id, host_name="Ada", **about)
    return await rooms.create_room(record), ada.id


async def dealt_room(rooms: Rooms, **about: Any) -> tuple[Room, int]:
    """The same with Ada and Ben, whose cards have been dealt."""
    room, ada = await new_room(rooms, "me", "open", **about)
    ben = rooms.repository.new_person("Ben", None, 1.0)
    await room.request(lambda session: session.sit(ben.id, "Ben", ready=True, now=rooms.now()))
    await room.request(lambda session: session.ready(ada, True, rooms.now()))
    return room, ada


async def end(*all_rooms: Rooms) -> None:
    for rooms in all_rooms:
        await rooms.stop()
        rooms.repository.close()


GAME = "detect"
SMALL = Path(__file__).with_name("small_lesson.toml")


@cache_by_language
def small_lesson(game: str) -> Lesson | None:
    """The lesson of the one game that has one."""
    return read_lesson(game, SMALL.read_text(encoding="utf-8"), SMALL.name) if game == GAME else None


@contextlib.contextmanager
def teaching(folder: Path) -> Iterator[Server]:
    """Serve with this lesson alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(play_lessons, "lesson", small_lesson)
        for module in (play_lessons, home, lessons):
            patch.setattr(module, "has_lesson", lambda game: game == GAME)
        with serving(folder) as running:
            # The picture of the lesson on home waits for no rules then.
            running.within(running.rooms.preparations.warm(GAME))
            yield running
