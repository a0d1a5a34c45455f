"""A clock that tests advance manually, and an event loop whose timers follow it."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Iterator

from facedown.server.process.clocks import Clock
from tests.waiting import PATIENCE, run_ready_tasks


class ManualClock(Clock):
    """The system's clocks plus the time by which a test advanced them. In between they run, or they are stopped."""

    def __init__(self, stands_at: float | None = None) -> None:
        """Create clocks that show `stands_at` until they are advanced, or that run like the system's for None."""
        at = stands_at
        self._begun = time.monotonic()
        self._monotonic = self._begun if at is None else at
        self._uptime = super().monotonic_including_suspend() if at is None else at
        self._wall = super().wall() if at is None else at
        self._stopped: float | None = None if at is None else 0.0
        self.loop: ClockLoop | None = None
        """The event loop that uses this clock."""
        self.turned = 0.0
        """Seconds by which the clock was advanced in total."""

    def monotonic(self) -> float:
        return self._monotonic + self._passed()

    def monotonic_including_suspend(self) -> float:
        """Return monotonic seconds, including those in which the machine slept."""
        return self._uptime + self._passed()

    def wall(self) -> float:
        return self._wall + self._passed()

    @contextlib.contextmanager
    def stopped(self) -> Iterator[None]:
        """Stop the clock, except for `advance`, until the block ends."""
        self._stopped = time.monotonic() - self._begun
        try:
            yield
        finally:
            self._begun, self._stopped = time.monotonic() - self._stopped, None

    def advance(self, seconds: float) -> None:
        """Advance the clock; timers of its event loop that are due run next. Any thread may call it."""

        def turn() -> None:
            self.turned += seconds
            turned.set()

        turned = threading.Event()
        if self.loop is None or self.loop is asyncio._get_running_loop():
            turn()
            return
        # Between two steps of the loop: within a step, timers would be set by an outdated time.
        self.loop.call_soon_threadsafe(turn)
        assert turned.wait(PATIENCE)

    def suspend(self, seconds: float) -> None:
        """Simulate a sleeping machine: uptime and wall time advance, monotonic seconds and timers do not."""
        self._uptime += seconds
        self._wall += seconds

    def set_wall(self, by: float) -> None:
        """Set the wall clock forward or back, as an administrator does."""
        self._wall += by

    def _passed(self) -> float:
        return self.turned + (time.monotonic() - self._begun if self._stopped is None else self._stopped)


class ClockLoop(asyncio.SelectorEventLoop):
    """Event loop whose time is real time plus the seconds by which a test advanced its clock.

    Real time counts even if the clock is stopped, because sockets and threads need it. So a timer never fires later
    than by the clock.
    """

    def __init__(self, clock: ManualClock) -> None:
        self.clock = clock
        super().__init__()
        clock.loop = self

    def time(self) -> float:
        return time.monotonic() + self.clock.turned

    def close(self) -> None:
        """Close the loop; advancing the clock no longer wakes it."""
        self.clock.loop = None
        super().close()


async def pass_time(seconds: float) -> None:
    """Advance the clock of the running event loop, and run everything that is due or ready then."""
    loop_clock().advance(seconds)
    await run_ready_tasks()


def loop_clock() -> ManualClock:
    """Return the clock of the running event loop."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, ClockLoop)
    return loop.clock
