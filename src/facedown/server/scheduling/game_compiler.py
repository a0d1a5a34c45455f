"""Background compilation of the games' rules, bots and coach, while the server is already running.

Meanwhile, pages that wait for a bot or for the coach show the progress.
"""

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
    """Compiler of the games' rules, bots and coach. Each game is compiled in a separate process.

    Games are compiled one after another. But if a bot or the coach waits for a game's code, this game is compiled at
    once. Until a game's rules are compiled, the server runs them as plain Python.
    """

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
        """Compilation of each game that is not fully compiled, by name; empty if no separate process compiles games."""
        self._rules: dict[str, asyncio.Future[None]] = {}
        self._advance = BroadcastEvent()
        """Event that wakes waiting tasks after each compiled stage of a game."""

    def find_and_interpret_uncompiled_games(self) -> None:
        """Find the games that are not compiled. Run their rules as plain Python until they are compiled.

        Do nothing if this is not possible: if the cache folder for compiled code is not writable, or if the version of
        Numba (the compiler) is not a tested one. In these cases, this process compiles each function when it is first
        called.
        """
        left = games_to_warm_up()
        if left and interpret_until_compiled.enable():
            loop = asyncio.get_running_loop()
            for game in left:
                self._missing[game] = Preparation(
                    game, partial(_call_soon_unless_loop_closed, loop, self._on_stage_done, game)
                )

    async def compile_all_uncompiled_games(self) -> None:
        """Compile all games that are not compiled yet, one after another.

        The order is: games whose code a bot or the coach waits for, then games of open tables, then all others.
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
        """Stop the processes that compile games. The code that they have compiled so far stays in the cache."""
        for each in self._missing.values():
            each.stop()
        if self._missing:
            interpret_until_compiled.disable()

    def _on_stage_done(self, game: str) -> None:
        """Handle the end of one stage of the compilation of `game`.

        The stages are the rules, each bot level that searches, and the coach. If the rules are compiled, load them in
        this process. Then update the pages that show the progress, and wake the tasks that wait for a stage.
        """
        if self._missing[game].is_ready(RULES):
            self._errand(self._thinking.run_preparation(warm_up_rules_and_simple_bots, game))
        if self._missing[game].is_ready(STAGES[-1]):
            del self._missing[game]
        if not self._missing:
            interpret_until_compiled.disable()
        self._show(game)
        self._advance.notify_all()


def _call_soon_unless_loop_closed(loop: asyncio.AbstractEventLoop, callback: Callable[[str], None], game: str) -> None:
    """Let the event loop call ``callback(game)`` soon. This function may be called from any thread.

    Do nothing if the loop is closed, because then no task is left that waits for the compiled code.
    """
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(callback, game)
