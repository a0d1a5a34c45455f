"""Background compilation: a child process compiles the code of a game's bots and coach while this process runs the
same code as plain Python.
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
    """Child process that compiles the code of one game, stage by stage (`warm_up.STAGES`)."""

    def __init__(self, game: str, changed: Callable[[], None] = lambda: None, done: int = 0) -> None:
        """Create the object for the game named `game`. The process does not run before `start` is called.

        * `changed`: called from another thread after each stage and at the end of the process.
        * `done`: number of stages that count as compiled from the beginning.
        """
        self.game = game
        self.done = done
        self._changed = changed
        self._process: subprocess.Popen[str] | None = None
        self._stages = threading.Condition()

    @property
    def started(self) -> bool:
        """Whether the process has been started."""
        return self._process is not None

    def start(self) -> None:
        """Start the child process.

        If this program ends without calling `stop`, the child process ends after its current stage: it fails because it
        cannot report the end of the stage to this program.
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
        """Return whether the code of a stage is compiled. For a name that is not a stage, such as a bot from a plug-in,
        return whether all stages are compiled.
        """
        return self.done > (STAGES.index(stage) if stage in STAGES else len(STAGES) - 1)

    def wait(self, stage: str, show: Callable[[str], None]) -> None:
        """Block until a stage is compiled. Call `show` with a progress text at the beginning and after each stage."""
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
        """Count the stages that the process prints. When it ends, even by an error, mark all stages as done so that no
        caller waits for ever.
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
    """Start the process that compiles the code of `game`, unless all is compiled already; return its `Preparation`.

    This is for a program that plays only this game. Until the process ends, functions that are not compiled yet run as
    plain Python (`core.compile.interpret_until_compiled`).

    If they cannot run as plain Python, no process is started, and each function is compiled in this process at its
    first call. Without a process, the `Preparation` reports all stages as done, so that no caller waits for them.
    """
    if game not in games_to_warm_up() or not interpret_until_compiled.enable():
        interpret_until_compiled.disable()
        return Preparation(game, done=len(STAGES))
    found = Preparation(game, lambda: interpret_until_compiled.disable() if found.done == len(STAGES) else None)
    found.start()
    return found
