"""Preparations of a server: which games' bots and coach are compiled, who waits for them, and how far they are."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Collection, Coroutine
from functools import partial
from typing import Any

from facedown.bots.compile_process import Preparation
from facedown.bots.warm_up import RULES, STAGES, games_to_warm_up, warm_up_rules
from facedown.core import game_registry as registry
from facedown.core.compile import fallback
from facedown.server.process import logs
from facedown.server.process.broadcast_event import BroadcastEvent
from facedown.server.scheduling import ThreadLanes

log = logs.logger()


class GameCompiler:
    """Compiles one game after the other in a process beside the server, which runs rules interpreted meanwhile."""

    def __init__(
        self,
        thinking: ThreadLanes,
        errand: Callable[[Coroutine[Any, Any, None]], object],
        played: Callable[[], Collection[str]],
        advanced: Callable[[str], None],
    ) -> None:
        self._thinking = thinking
        self._errand = errand
        self._played = played
        """Returns the games of the tables in memory."""
        self._show = advanced
        """Called with a game when a stage of it is compiled."""
        self._missing: dict[str, Preparation] = {}
        """The games that are not compiled yet; empty if nothing is to be done, or nothing can be kept."""
        self._rules: dict[str, asyncio.Future[None]] = {}
        self._advance = BroadcastEvent()
        """Rung whenever a stage is done."""

    def find_uncompiled(self) -> None:
        """Find what is missing, and run rules interpreted until it is there."""
        left = games_to_warm_up()
        if left and fallback.enable():
            loop = asyncio.get_running_loop()
            for game in left:
                self._missing[game] = Preparation(game, partial(_call_soon, loop, self._advanced, game))

    async def run(self) -> None:
        """Compile what is missing: first games that a bot or the coach waits for, then those of open tables."""
        while self._missing:
            played = self._played()
            game = min(self._missing, key=lambda game: (not self._missing[game].started, game not in played))
            await self.wait_until_compiled(game, STAGES[-1])

    def progress(self, game: str, stage: str) -> tuple[int, int] | None:
        """(step at work, number of steps), or None if a stage is compiled."""
        found = self._missing.get(game)
        return None if found is None or found.is_ready(stage) else (found.done + 1, len(STAGES))

    async def wait_until_compiled(
        self, game: str, stage: str, show: Callable[[int, int], None] = lambda step, of: None
    ) -> None:
        """Wait until a stage is compiled; `show` gets the step at work and their number, at first and after each."""
        while (found := self.progress(game, stage)) is not None:
            show(*found)
            if not self._missing[game].started:
                self._missing[game].start()
            await self._advance.wait()

    async def warm(self, game: str) -> None:
        """Load and compile a game's rules; does nothing for an unknown game."""
        if game in registry.catalogue():
            done = self._rules.get(game)
            if done is None or (done.done() and (done.cancelled() or done.exception() is not None)):
                self._rules[game] = asyncio.ensure_future(self._thinking.run_preparation(warm_up_rules, game))
            await asyncio.shield(self._rules[game])

    async def warm_all(self) -> None:
        """Load the rules of all games, which every table needs; then compile what a first bot or hint needs."""
        await asyncio.gather(*map(self._load_rules_or_log, registry.catalogue()))
        await self.run()

    async def _load_rules_or_log(self, game: str) -> None:
        try:
            await self.warm(game)
        except Exception:
            # A request for a table of this game fails with the reason; the other games are loaded.
            log.exception("rules_not_loaded", game=game)

    def stop(self) -> None:
        """End the processes; what they have compiled is kept."""
        for each in self._missing.values():
            each.stop()
        if self._missing:
            fallback.disable()

    def _advanced(self, game: str) -> None:
        """A stage is done: load what was compiled, show how far it is, and let go on who waited for it."""
        if self._missing[game].is_ready(RULES):
            self._errand(self._thinking.run_preparation(warm_up_rules, game))
        if self._missing[game].is_ready(STAGES[-1]):
            del self._missing[game]
        if not self._missing:
            fallback.disable()
        self._show(game)
        self._advance.notify_all()


def _call_soon(loop: asyncio.AbstractEventLoop, callback: Callable[[str], None], game: str) -> None:
    """Call back in the event loop; does nothing if the loop is closed, as no one waits then."""
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(callback, game)
