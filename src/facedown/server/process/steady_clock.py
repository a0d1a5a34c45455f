"""The time that is promised to people: it starts with the machine's clock and goes on evenly, whatever becomes of that.

Clocks of seats and the times of moves are written down as times of day, so they must outlive the process. But a
machine's time of day may be set at any moment: an hour forward would take everybody's time and mark all as away, an
hour back would let no clock run. So the time of day is read once, at the start; from then on what the machine has
measured since is added to it, sleep included (after a sleep, `Rooms.pulse` lets the clocks rest). Where the machine's
clock is found elsewhere, this one goes one hundredth faster or slower until it agrees.
"""

from __future__ import annotations

from facedown.server.process.clock import SYSTEM_CLOCK, Clock

#: So much faster or slower it goes at most to catch up with the machine's clock.
MOST_SLEW = 0.01
#: A difference is made up for in so many seconds, if that is not too fast.
MADE_UP_IN = 60.0
#: From this on a difference is told as a step, in seconds.
STEP = 1.0


class SteadyClock:
    """The time of day, which never jumps and never goes back."""

    def __init__(self, clock: Clock = SYSTEM_CLOCK) -> None:
        self._clock = clock
        self._rate = 1.0
        self._from = clock.uptime()
        self._at = clock.wall()
        self.off = 0.0
        """By how much the machine's clock was ahead when it was last looked at, in seconds."""
        self.steps = 0
        """How often the machine's clock was found to have been set."""

    def __call__(self) -> float:
        """The time of day, in seconds since 1970."""
        return self._at + (self._clock.uptime() - self._from) * self._rate

    def compare(self) -> float:
        """Look at the machine's clock, to be done now and then; by how much it was set since the last time, or 0."""
        here, steady = self(), self._clock.uptime()
        off = self._clock.wall() - here
        since = max(0.0, steady - self._from)
        # What this clock itself has made up for since is no step of the other.
        expected = self.off - since * (self._rate - 1.0)
        self._at, self._from, self.off = here, steady, off
        self._rate = 1.0 + min(MOST_SLEW, max(-MOST_SLEW, off / MADE_UP_IN))
        step = off - expected
        if abs(step) < STEP + since * MOST_SLEW:
            return 0.0
        self.steps += 1
        return step
