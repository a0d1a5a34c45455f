"""Preparation: another process compiles what a game's bots and coach need, while this one runs rules interpreted."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
from collections.abc import Callable

from facedown.bots.i18n import _
from facedown.bots.warm_up import STAGES, games_to_warm_up
from facedown.core.compile import fallback
from facedown.core.game_registry import info

#: Seconds between two looks for Ctrl-C while a thread waits.
POLL_SECONDS = 0.5


class Preparation:
    """Compiles what one game needs in another process, stage by stage (`rehearsal.STAGES`), once it is started."""

    def __init__(self, game: str, changed: Callable[[], None] = lambda: None, done: int = 0) -> None:
        """`changed` is called from a thread after each stage and at the end; `done` stages are compiled already."""
        self.game = game
        self.done = done
        self._changed = changed
        self._process: subprocess.Popen[str] | None = None
        self._stages = threading.Condition()

    @property
    def started(self) -> bool:
        """Was the process started?"""
        return self._process is not None

    def start(self) -> None:
        """Start the process. It ends at the next stage if this program dies."""
        command = (sys.executable, "-m", "facedown.bots.warm_up", self.game)
        quiet = subprocess.DEVNULL
        self._process = process = subprocess.Popen(
            command, stdin=quiet, stdout=subprocess.PIPE, stderr=quiet, text=True
        )
        threading.Thread(target=self._follow, args=(process,), name=f"prepare-{self.game}", daemon=True).start()

    def is_ready(self, stage: str) -> bool:
        """Is a stage compiled? A name that is no stage (a bot from elsewhere) waits for all of them."""
        return self.done > (STAGES.index(stage) if stage in STAGES else len(STAGES) - 1)

    def wait(self, stage: str, show: Callable[[str], None]) -> None:
        """Wait until a stage is compiled; `show` gets a sentence at the beginning and after each stage."""
        shown = -1
        while not self.is_ready(stage):
            if shown != self.done:
                shown = self.done
                show(progress(self.game, shown))
            with self._stages:
                self._stages.wait(POLL_SECONDS)

    def stop(self) -> None:
        """End the process; what it has compiled is kept."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait()

    def _follow(self, process: subprocess.Popen[str]) -> None:
        """Count the stages that the process prints; at its end, however it ends, nothing more is waited for."""
        assert process.stdout is not None
        with process.stdout:
            for _stage in process.stdout:
                self._set_stages_done(min(self.done + 1, len(STAGES) - 1))
        if process.wait() > 0:
            logging.getLogger("facedown").warning("The warm-up of %s ended with %s.", self.game, process.returncode)
        self._set_stages_done(len(STAGES))

    def _set_stages_done(self, done: int) -> None:
        fallback.recheck_cache()
        with self._stages:
            self.done = done
            self._stages.notify_all()
        self._changed()


def progress(game: str, done: int) -> str:
    """What is shown to a person who waits."""
    return _(
        "{title}: getting the strong bots and the coach ready, this first time only. Step {step} of {steps} …",
        title=info(game).title,
        step=min(done + 1, len(STAGES)),
        steps=len(STAGES),
    )


def start_if_needed(game: str) -> Preparation:
    """A preparation of one game for a program that plays only this game; it is running if anything is missing."""
    if game not in games_to_warm_up() or not fallback.enable():
        fallback.disable()
        return Preparation(game, done=len(STAGES))
    found = Preparation(game, lambda: fallback.disable() if found.done == len(STAGES) else None)
    found.start()
    return found
