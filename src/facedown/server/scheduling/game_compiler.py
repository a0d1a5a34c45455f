"""Background compilation of the games' rules, bots and coach at startup, with progress for waiting requests."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Collection, Coroutine
from functools import partial
from typing import Any

from facedown.bots.compile_process import Preparation
from facedown.bots.warm_up import RULES, STAGES, games_to_warm_up, warm_up_rules_and_simple_bots
from facedown.core import game_registry as registry
from facedown.core.compile import interpret_until_compiled
from facedown.server.process import logs
from facedown.server.process.broadcast_event import BroadcastEvent
from facedown.server.scheduling import ThreadLanes

log = logs.logger()


class GameCompiler:
    """Compiles one game after another in a separate process. The server interprets rules that are not compiled yet."""

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
        """Called with a game's name after one of its stages is compiled."""
        self._missing: dict[str, Preparation] = {}
        """Compilation of each game that is not fully compiled, by name; empty if compiled code cannot be cached."""
        self._rules: dict[str, asyncio.Future[None]] = {}
        self._advance = BroadcastEvent()
        """Event that wakes waiting tasks after each compiled stage of a game."""

    def find_and_interpret_uncompiled_games(self) -> None:
        """Find the games that are not compiled, and let their rules be interpreted until they are compiled."""
        left = games_to_warm_up()
        if left and interpret_until_compiled.enable():
            loop = asyncio.get_running_loop()
            for game in left:
                self._missing[game] = Preparation(
                    game, partial(_call_soon_unless_loop_closed, loop, self._on_stage_done, game)
                )

    async def compile_all_uncompiled_games(self) -> None:
        """Compile all games that are not compiled yet: first those that a bot or the coach is waiting for, then those
        of open tables.
        """
        while self._missing:
            played = self._played()
            game = min(self._missing, key=lambda game: (not self._missing[game].started, game not in played))
            await self.wait_until_compiled(game, STAGES[-1])

    def current_stage_and_stage_count(self, game: str, stage: str) -> tuple[int, int] | None:
        """Return the progress of compiling a game, for a caller that waits for one `stage` of it.

        The result is (current stage, number of all stages of a game). Stages are counted from 1. They are the rules,
        each bot level that searches, and the coach (`bots.warm_up.STAGES`).

        Return None if `stage` is compiled already.
        """
        found = self._missing.get(game)
        return None if found is None or found.is_ready(stage) else (found.done + 1, len(STAGES))

    async def wait_until_compiled(
        self, game: str, stage: str, show: Callable[[int, int], None] = lambda step, of: None
    ) -> None:
        """Wait until a stage of a game (such as the rules or the coach) is compiled.

        Meanwhile `show` is called with (number of the current stage, number of stages): at the start of the wait, and
        whenever another stage has been compiled.
        """
        while (found := self.current_stage_and_stage_count(game, stage)) is not None:
            show(*found)
            if not self._missing[game].started:
                self._missing[game].start()
            await self._advance.wait()

    async def load_rules(self, game: str) -> None:
        """Load a game's rules on a thread, so that a table can use them. Do nothing for an unknown game."""
        if game in registry.catalogue():
            done = self._rules.get(game)
            if done is None or (done.done() and (done.cancelled() or done.exception() is not None)):
                self._rules[game] = asyncio.ensure_future(
                    self._thinking.run_preparation(warm_up_rules_and_simple_bots, game)
                )
            await asyncio.shield(self._rules[game])

    async def load_rules_and_compile_all(self) -> None:
        """Load the rules of all games, without which no table can be used. Then compile the games one after another."""
        await asyncio.gather(*map(self._load_rules_or_log, registry.catalogue()))
        await self.compile_all_uncompiled_games()

    async def _load_rules_or_log(self, game: str) -> None:
        try:
            await self.load_rules(game)
        except Exception:
            # A request for a table of this game will fail with the same error; the other games still work.
            log.exception("rules_not_loaded", game=game)

    def stop(self) -> None:
        """Stop the compiling processes. Code compiled so far stays cached."""
        for each in self._missing.values():
            each.stop()
        if self._missing:
            interpret_until_compiled.disable()

    def _on_stage_done(self, game: str) -> None:
        """Handle the end of a stage of compiling a game: load compiled rules, publish progress, wake waiting tasks."""
        if self._missing[game].is_ready(RULES):
            self._errand(self._thinking.run_preparation(warm_up_rules_and_simple_bots, game))
        if self._missing[game].is_ready(STAGES[-1]):
            del self._missing[game]
        if not self._missing:
            interpret_until_compiled.disable()
        self._show(game)
        self._advance.notify_all()


def _call_soon_unless_loop_closed(loop: asyncio.AbstractEventLoop, callback: Callable[[str], None], game: str) -> None:
    """Call `callback` in the event loop; do nothing if the loop is closed, because then no task waits."""
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(callback, game)
