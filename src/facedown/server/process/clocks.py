"""Clocks of a server: access to the system's clocks (`Clock`), and Unix time that never jumps (`SteadyClock`)."""

from __future__ import annotations

import time

#: Id of the system clock that also counts while the machine is suspended; None if the system has no such clock.
_BOOTTIME = getattr(time, "CLOCK_BOOTTIME", None)
#: Maximum fraction by which a `SteadyClock` runs faster or slower than usual while it approaches the system clock.
MAX_SLEW = 0.01
#: Time constant, in seconds, with which a `SteadyClock` approaches the system clock.
CORRECTION_TIME = 60.0
#: If the system clock jumps by at least this many seconds, the clock is assumed to have been set.
STEP = 1.0


class Clock:
    """Access to the system's clocks. All server code that waits or compares times uses it, and tests replace it.

    Timers of the event loop are an exception, because they use the loop's method `time()`. A test that replaces the
    clock also replaces this method, so that the timers follow the clock.
    """

    def monotonic(self) -> float:
        """Return the seconds since an arbitrary moment; time in which the machine was suspended is not counted."""
        return time.monotonic()

    def monotonic_including_suspend(self) -> float:
        """Return the seconds since an arbitrary moment, including suspended time if the system can count it."""
        return time.monotonic() if _BOOTTIME is None else time.clock_gettime(_BOOTTIME)

    def wall(self) -> float:
        """Return Unix time in seconds. It jumps when the system clock is set."""
        return time.time()


#: Default clock of all functions and classes that take one.
SYSTEM_CLOCK = Clock()


class SteadyClock:
    """Unix time in seconds that never jumps, even if the system clock is set.

    The players' clocks and the times of moves are stored as Unix time, so they survive a restart.

    This clock starts with the time of the system clock, and then advances with the system's uptime. `resync` compares
    the two clocks. If they differ, this clock runs up to 1 % faster or slower until they agree again.

    The time in which the machine is suspended is counted, too, if the system can measure it. Afterwards
    `Rooms.save_alive_time` shifts the players' clocks, so that no player loses this time.
    """

    def __init__(self, clock: Clock = SYSTEM_CLOCK) -> None:
        self._clock = clock
        self._rate = 1.0
        self._from = clock.monotonic_including_suspend()
        self._at = clock.wall()
        self.offset = 0.0
        """Seconds by which the system clock was ahead at the last comparison."""
        self.steps = 0
        """Number of times that the system clock was found to have been set."""

    def __call__(self) -> float:
        """Return the current Unix time in seconds. It does not jump when the system clock is set."""
        return self._at + (self._clock.monotonic_including_suspend() - self._from) * self._rate

    def resync(self) -> float:
        """Measure the offset to the system clock and adjust the rate of this clock.

        Return the seconds by which the system clock was set forward (or back, if negative) since the last call. Return
        0 if it was not set.
        """
        here, steady = self(), self._clock.monotonic_including_suspend()
        off = self._clock.wall() - here
        since = max(0.0, steady - self._from)
        # An offset says how many seconds the system clock is ahead of this clock: `self.offset` at the last call, `off`
        # now. If the system clock was not set in between, the offset has only shrunk by the seconds that this clock has
        # gained by running faster than usual (its rate minus 1, for each second since the last call). Any other change
        # of the offset is the time by which the system clock was set.
        expected = self.offset - since * (self._rate - 1.0)
        self._at, self._from, self.offset = here, steady, off
        self._rate = 1.0 + min(MAX_SLEW, max(-MAX_SLEW, off / CORRECTION_TIME))
        step = off - expected
        if abs(step) < STEP + since * MAX_SLEW:
            return 0.0
        self.steps += 1
        return step
