"""Clock that a test turns by hand, and an event loop whose timers follow it."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Iterator

from facedown.server.process.clocks import Clock
from tests.waiting import PATIENCE, run_ready_tasks


class ManualClock(Clock):
    """The system's clocks plus what a test has turned them forward. They run in between, or they stand still."""

    def __init__(self, stands_at: float | None = None) -> None:
        """`stands_at`: what all of its clocks show until they are turned; None: they run, as the system's do."""
        at = stands_at
        self._begun = time.monotonic()
        self._monotonic = self._begun if at is None else at
        self._uptime = super().uptime() if at is None else at
        self._wall = super().wall() if at is None else at
        self._stopped: float | None = None if at is None else 0.0
        self.loop: ClockLoop | None = None
        """The event loop that goes by it."""
        self.turned = 0.0
        """Seconds by which the clock was turned forward in all."""

    def monotonic(self) -> float:
        return self._monotonic + self._passed()

    def uptime(self) -> float:
        """Return monotonic seconds, with those in which the machine slept."""
        return self._uptime + self._passed()

    def wall(self) -> float:
        return self._wall + self._passed()

    @contextlib.contextmanager
    def stopped(self) -> Iterator[None]:
        """Let no time pass but what the clock is turned, until the block ends."""
        self._stopped = time.monotonic() - self._begun
        try:
            yield
        finally:
            self._begun, self._stopped = time.monotonic() - self._stopped, None

    def advance(self, seconds: float) -> None:
        """Turn the clock forward: timers of its event loop that are due then run next. Any thread may call it."""

        def turn() -> None:
            self.turned += seconds
            turned.set()

        turned = threading.Event()
        if self.loop is None or self.loop is asyncio._get_running_loop():
            turn()
            return
        # Between two steps of the loop: within one, what a timer is set to would not fit what time it is.
        self.loop.call_soon_threadsafe(turn)
        assert turned.wait(PATIENCE)

    def suspend(self, seconds: float) -> None:
        """Let the machine sleep: uptime and the time of day go on, monotonic seconds and timers do not."""
        self._uptime += seconds
        self._wall += seconds

    def set_wall(self, by: float) -> None:
        """Set the time of day, forward or back, as an administrator does."""
        self._wall += by

    def _passed(self) -> float:
        return self.turned + (time.monotonic() - self._begun if self._stopped is None else self._stopped)


class ClockLoop(asyncio.SelectorEventLoop):
    """Event loop whose time is real time plus what a test has turned its clock forward.

    Real time counts even where the clock stands still: sockets and threads need it. So a timer never rings later than
    by the clock.
    """

    def __init__(self, clock: ManualClock) -> None:
        self.clock = clock
        super().__init__()
        clock.loop = self

    def time(self) -> float:
        return time.monotonic() + self.clock.turned

    def close(self) -> None:
        """Close the loop; turning the clock does not wake it any more."""
        self.clock.loop = None
        super().close()


async def pass_time(seconds: float) -> None:
    """Turn the clock of the running event loop forward, and let everything run that is due or ready then."""
    loop_clock().advance(seconds)
    await run_ready_tasks()


def loop_clock() -> ManualClock:
    """Return the clock of the running event loop."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, ClockLoop)
    return loop.clock
