"""Live tables in one process without HTTP, in an event loop with a manual clock; and a server with one lesson."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import pytest

from facedown.core.translation import cache_by_language
from facedown.play import lessons as play_lessons
from facedown.play import new_table
from facedown.play.lessons import Lesson, read_lesson
from facedown.server.cluster.bus import Bus
from facedown.server.http import home, lessons
from facedown.server.process.server_settings import ServerSettings
from facedown.server.table.room import Room
from facedown.server.table.room_registry import Rooms
from facedown.store import Repository, url_of
from tests.manual_clock import ManualClock, loop_clock
from tests.play.table import LowBots
from tests.server.http_server import Server, run_with_manual_clock, serving
from tests.waiting import PATIENCE

Given = ParamSpec("Given")
Result = TypeVar("Result")


def tables_of_process(
    folder: Path, *, bus: Bus | None = None, clock: ManualClock | None = None, **settings: Any
) -> Rooms:
    """Return the live tables of one process. They use the loop's clock unless another one is given."""
    # A busy disk is slow but does not hang.
    named: dict[str, Any] = {"bots": LowBots(), "bot_delay": 0.0, "write_patience": 3600.0} | settings
    clock = clock or loop_clock()
    return Rooms(Repository(url_of(folder), clock.wall), ServerSettings(database="", **named), bus, clock)


@contextlib.asynccontextmanager
async def running_process(folder: Path, **settings: Any) -> AsyncIterator[Rooms]:
    """Run a process until the block ends."""
    rooms = tables_of_process(folder, **settings)
    await rooms.start()
    try:
        yield rooms
    finally:
        await stop_processes(rooms)


def with_manual_clock(
    test: Callable[Given, Coroutine[Any, Any, Result]], at: float = 1000.0
) -> Callable[Given, Result]:
    """Run a test in a new event loop. Its clock stays at `at` until the test advances it."""

    @functools.wraps(test)
    def played(*arguments: Given.args, **named: Given.kwargs) -> Result:
        return run_with_manual_clock(with_time_limit(test(*arguments, **named)), ManualClock(at))

    return played


async def with_time_limit(scene: Coroutine[Any, Any, Result]) -> Result:
    """Cancel a test that takes too long in real time. Its own clock may advance by hours."""
    task = asyncio.current_task()
    assert task is not None
    alarm = threading.Timer(PATIENCE, task.get_loop().call_soon_threadsafe, (task.cancel, "it takes too long"))
    alarm.start()
    try:
        return await scene
    finally:
        alarm.cancel()


async def new_room(rooms: Rooms, *kinds: str, game: str = "detect", **about: Any) -> tuple[Room, int]:
    """Create a table with these seats. Return it and the person number of Ada, its host."""
    ada = rooms.repository.store_new_person("Ada", None, 1.0)
    record = new_table(game, kinds, rooms.settings.bots, 1.0, host=ada.id, host_name="Ada", **about)
    return await rooms.store_new_table(record), ada.id


async def dealt_room(rooms: Rooms, **about: Any) -> tuple[Room, int]:
    """Create a table with Ada and Ben and deal the cards."""
    room, ada = await new_room(rooms, "me", "open", **about)
    ben = rooms.repository.store_new_person("Ben", None, 1.0)
    await room.request_change(lambda session: session.sit(ben.id, "Ben", ready=True, now=rooms.now()))
    await room.request_change(lambda session: session.ready(ada, True, rooms.now()))
    return room, ada


async def stop_processes(*all_rooms: Rooms) -> None:
    for rooms in all_rooms:
        await rooms.stop()
        rooms.repository.close()


GAME = "detect"
LESSON_FILE = Path(__file__).with_name("small_lesson.toml")


@cache_by_language
def small_lesson(game: str) -> Lesson | None:
    """Return the small lesson for its game, and None for other games."""
    return read_lesson(game, LESSON_FILE.read_text(encoding="utf-8"), LESSON_FILE.name) if game == GAME else None


@contextlib.contextmanager
def serving_small_lesson(folder: Path) -> Iterator[Server]:
    """Serve with the small lesson only."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(play_lessons, "lesson", small_lesson)
        for module in (play_lessons, home, lessons):
            patch.setattr(module, "has_lesson", lambda game: game == GAME)
        with serving(folder) as running:
            # Afterwards the lesson's picture on the home page does not wait for compilation.
            running.within(running.rooms.preparations.load_rules(GAME))
            yield running
