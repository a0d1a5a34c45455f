"""Preparations of a server: which games' bots and coach are compiled, who waits for them, and how far they are."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from facedown.bots.preparation import Preparation
from facedown.bots.rehearsal import RULES, STAGES, rules, unrehearsed
from facedown.core import fallback

if TYPE_CHECKING:
    from facedown.server.live.rooms import Rooms


class Preparations:
    """Compiles one game after the other in a process beside the server, which runs rules interpreted meanwhile."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._missing: dict[str, Preparation] = {}
        """The games that are not compiled yet; empty if nothing is to be done, or nothing can be kept."""
        self._news = asyncio.Event()
        """Set, and replaced, whenever a stage is done."""

    def begin(self) -> None:
        """Find what is missing, and run rules interpreted until it is there."""
        left = unrehearsed()
        if left and fallback.begin():
            loop = asyncio.get_running_loop()
            for game in left:
                self._missing[game] = Preparation(game, partial(_call_soon, loop, self._advanced, game))

    async def run(self) -> None:
        """Compile what is missing: first games that a bot or the coach waits for, then those of open tables."""
        while self._missing:
            played = {room.session.record.game for room in self._rooms.all_in_memory()}
            game = min(self._missing, key=lambda game: (not self._missing[game].started, game not in played))
            await self.ready(game, STAGES[-1])

    def progress(self, game: str, stage: str) -> tuple[int, int] | None:
        """(step at work, number of steps), or None if a stage is compiled."""
        found = self._missing.get(game)
        return None if found is None or found.is_ready(stage) else (found.done + 1, len(STAGES))

    async def ready(self, game: str, stage: str, show: Callable[[int, int], None] = lambda step, of: None) -> None:
        """Wait until a stage is compiled; `show` gets the step at work and their number, at first and after each."""
        while (found := self.progress(game, stage)) is not None:
            show(*found)
            if not self._missing[game].started:
                self._missing[game].start()
            await self._news.wait()

    def stop(self) -> None:
        """End the processes; what they have compiled is kept."""
        for each in self._missing.values():
            each.stop()
        if self._missing:
            fallback.end()

    def _advanced(self, game: str) -> None:
        """A stage is done: load what was compiled, show how far it is, and let go on who waited for it."""
        rooms = self._rooms
        if self._missing[game].is_ready(RULES):
            rooms.errand(rooms.thinking.prepare(rules, game))
        if self._missing[game].is_ready(STAGES[-1]):
            del self._missing[game]
        if not self._missing:
            fallback.end()
        for room in rooms.all_in_memory():
            if room.session.record.game == game:
                room.touch()
        self._news.set()
        self._news = asyncio.Event()


def _call_soon(loop: asyncio.AbstractEventLoop, callback: Callable[[str], None], game: str) -> None:
    """Call back in the event loop; does nothing if the loop is closed, as no one waits then."""
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(callback, game)
