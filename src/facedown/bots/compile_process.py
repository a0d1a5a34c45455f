"""Background compilation of a game's rules, bots and coach by a child process.

Until the child process has compiled the code, this process runs it as plain Python.
"""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
from collections.abc import Callable

from facedown.bots.i18n import _
from facedown.bots.warm_up import STAGES, games_to_warm_up
from facedown.core.compile import interpret_until_compiled
from facedown.core.game_registry import info

#: Longest uninterrupted wait in seconds, so that Ctrl-C is noticed while a thread waits.
POLL_SECONDS = 0.5


class Preparation:
    """Handle of the child process that compiles the code of one game in several stages.

    The stages (`warm_up.STAGES`) are the rules, each bot level with search, and the coach. If all code is compiled
    already, the object has no child process.
    """

    def __init__(self, game: str, changed: Callable[[], None] = lambda: None, done: int = 0) -> None:
        """Create the object for the game named `game`, without a child process. `start` starts the process.

        The code of the game is compiled in stages (`warm_up.STAGES`): the rules, each bot level with search, the coach.

        * `changed`: called after each stage and at the end of the process, from another thread.
        * `done`: number of stages that are compiled already. If it is the number of all stages, no process is needed:
          `is_ready` is true for every stage, and `wait` returns at once.
        """
        self.game = game
        self.done = done
        self._changed = changed
        self._process: subprocess.Popen[str] | None = None
        self._stages = threading.Condition()

    @property
    def started(self) -> bool:
        """Whether the child process that compiles the game has been started. It may have ended since."""
        return self._process is not None

    def start(self) -> None:
        """Start the child process.

        If this program ends without calling `stop`, the child process finishes its current stage and then exits with an
        error, because it can no longer report to this program. The code compiled so far stays in the cache.
        """
        command = (sys.executable, "-m", "facedown.bots.warm_up", self.game)
        quiet = subprocess.DEVNULL
        self._process = process = subprocess.Popen(
            command, stdin=quiet, stdout=subprocess.PIPE, stderr=quiet, text=True
        )
        threading.Thread(
            target=self._count_stages_until_exit, args=(process,), name=f"prepare-{self.game}", daemon=True
        ).start()

    def is_ready(self, stage: str) -> bool:
        """Return whether the code of a stage is compiled. Every stage counts as compiled once the process has ended.

        `stage` is "rules", "coach" or the name of a bot level with search (`warm_up.STAGES`). For any other name,
        such as that of a bot from a plug-in, return whether all stages are compiled.
        """
        return self.done > (STAGES.index(stage) if stage in STAGES else len(STAGES) - 1)

    def wait(self, stage: str, show: Callable[[str], None]) -> None:
        """Block until the code of one stage is compiled, or until the child process has ended.

        `stage` is "rules", "coach" or the name of a bot level with search. For any other name, wait for all stages.

        `show` is called with a progress text for the player: once at the beginning, then after each stage that is
        compiled. If the code is compiled already, return at once without calling `show`.
        """
        shown = -1
        while not self.is_ready(stage):
            if shown != self.done:
                shown = self.done
                show(progress_text(self.game, shown))
            with self._stages:
                self._stages.wait(POLL_SECONDS)

    def stop(self) -> None:
        """Terminate the process. The code that it has compiled stays in the cache."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait()

    def _count_stages_until_exit(self, process: subprocess.Popen[str]) -> None:
        """Count the stages that the child process reports, one printed line each, until the process exits.

        Then mark all stages as done, even if the process has failed, so that no caller of `wait` waits for ever. If the
        exit status is above 0, log a warning.
        """
        assert process.stdout is not None
        with process.stdout:
            for _stage in process.stdout:
                self._set_stages_done(min(self.done + 1, len(STAGES) - 1))
        if process.wait() > 0:
            logging.getLogger("facedown").warning("The warm-up of %s ended with %s.", self.game, process.returncode)
        self._set_stages_done(len(STAGES))

    def _set_stages_done(self, done: int) -> None:
        interpret_until_compiled.recheck_cache_at_next_call()
        with self._stages:
            self.done = done
            self._stages.notify_all()
        self._changed()


def progress_text(game: str, done: int) -> str:
    """Return the text that tells a waiting player which stage of the warm-up is running; `done` stages are finished."""
    return _(
        "{title}: getting the strong bots and the coach ready (first time only). Step {step} of {steps}…",
        title=info(game).title,
        step=min(done + 1, len(STAGES)),
        steps=len(STAGES),
    )


def start_if_needed(game: str) -> Preparation:
    """Start a child process that compiles the code of `game`, if that is useful.

    Return a `Preparation`, with which the caller can wait for the compiled code. This function is for a program that
    plays only this game. Until the child process ends, functions that are not compiled yet run as plain Python in this
    process (`core.compile.interpret_until_compiled`).

    No child process is started in these cases:

    * The code is already compiled and stored in the on-disk cache.
    * Code is never compiled, because ``FACEDOWN_INTERPRETED`` is set.
    * Functions cannot run as plain Python until they are compiled, because the version of Numba is not a tested one, or
      because the cache folder is not writable. Then this process compiles each function itself, at the first call. A
      child process would do the same work a second time.

    Without a child process, the `Preparation` reports all stages as compiled, so that no caller waits.
    """
    if game not in games_to_warm_up() or not interpret_until_compiled.enable():
        interpret_until_compiled.disable()
        return Preparation(game, done=len(STAGES))
    found = Preparation(game, lambda: interpret_until_compiled.disable() if found.done == len(STAGES) else None)
    found.start()
    return found
