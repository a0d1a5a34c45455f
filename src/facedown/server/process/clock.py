"""Clock of a server: the system's clocks behind one object, which a test replaces by one that it turns by hand."""

from __future__ import annotations

import time

#: Clock that counts while the machine sleeps, if the system has one.
_BOOTTIME = getattr(time, "CLOCK_BOOTTIME", None)


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
