"""Clocks of a server: the system's clocks behind one object that tests replace, and Unix time that never jumps."""

from __future__ import annotations

import time

#: Clock that counts while the machine sleeps, if the system has one.
_BOOTTIME = getattr(time, "CLOCK_BOOTTIME", None)
#: Largest correction of the rate while catching up with the system clock (ratio).
MAX_SLEW = 0.01
#: Time constant of the correction, in seconds.
CORRECTION_TIME = 60.0
#: Smallest difference that counts as a step of the system clock, in seconds.
STEP = 1.0


class Clock:
    """The system's clocks. Everything in a server that waits or compares times reads them here.

    The event loop is the exception: its timers follow its own `time()`, which a test derives from the same clock.
    """

    def monotonic(self) -> float:
        """Return seconds since an unknown moment, without those in which the machine slept."""
        return time.monotonic()

    def uptime(self) -> float:
        """Return seconds since an unknown moment, with those in which the machine slept if the system counts them."""
        return time.monotonic() if _BOOTTIME is None else time.clock_gettime(_BOOTTIME)

    def wall(self) -> float:
        """Return Unix time in seconds; it jumps when the system's clock is set."""
        return time.time()


#: The clock that is used unless another one is given.
SYSTEM_CLOCK = Clock()


class SteadyClock:
    """Unix time in seconds: starts at the system clock, then advances monotonically.

    Seat clocks and move times are stored as Unix time, so they survive a restart. The system clock may be set at any
    moment; this clock reads it once, advances by the system's uptime (after a sleep, `Rooms.pulse` lets the clocks
    rest), and slews towards the system clock by at most 1 %.
    """

    def __init__(self, clock: Clock = SYSTEM_CLOCK) -> None:
        self._clock = clock
        self._rate = 1.0
        self._from = clock.uptime()
        self._at = clock.wall()
        self.offset = 0.0
        """Seconds by which the system clock was ahead at the last comparison."""
        self.steps = 0
        """Number of steps of the system clock."""

    def __call__(self) -> float:
        """Return the time."""
        return self._at + (self._clock.uptime() - self._from) * self._rate

    def resync(self) -> float:
        """Measure the offset to the system clock and adjust the rate; returns the step since the last call, or 0."""
        here, steady = self(), self._clock.uptime()
        off = self._clock.wall() - here
        since = max(0.0, steady - self._from)
        # What this clock itself has made up for since is no step of the other.
        expected = self.offset - since * (self._rate - 1.0)
        self._at, self._from, self.offset = here, steady, off
        self._rate = 1.0 + min(MAX_SLEW, max(-MAX_SLEW, off / CORRECTION_TIME))
        step = off - expected
        if abs(step) < STEP + since * MAX_SLEW:
            return 0.0
        self.steps += 1
        return step
