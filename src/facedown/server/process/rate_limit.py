"""How often somebody may do something: buckets that are emptied by asking and fill again with time."""

from __future__ import annotations

import math
from collections import Counter, OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager

from facedown.server.process.clock import SYSTEM_CLOCK, Clock

#: So many full buckets are forgotten for each one that is asked: memory falls as fast as it grew.
FORGOTTEN_AT_ONCE = 4
#: When there are too many askers to be told apart, those who are new share one bucket that is so many times as large.
CROWD = 16


class Bucket:
    """So many things at once, then so many a second."""

    def __init__(self, at_once: float, a_second: float, clock: Clock = SYSTEM_CLOCK) -> None:
        self.at_once = at_once
        self.a_second = a_second
        self.clock = clock
        self.left = at_once
        self.at = clock.monotonic()

    def fill(self) -> float:
        """What is in it now."""
        now = self.clock.monotonic()
        self.left = min(self.at_once, self.left + (now - self.at) * self.a_second)
        self.at = now
        return self.left

    def take(self) -> bool:
        """Take one; False when there is none left."""
        if self.fill() < 1:
            return False
        self.left -= 1
        return True

    def wait(self) -> float:
        """In how many seconds there is one again: 0 if there is one now."""
        missing = 1 - self.fill()
        if missing <= 0:
            return 0.0
        return missing / self.a_second if self.a_second else math.inf


class Buckets:
    """A bucket for each asker. Only a full one is forgotten, which is as good as a new one: nobody who was refused can
    have that forgotten by asking from many other places.
    """

    def __init__(self, at_once: float, a_second: float, kept: int = 65536, clock: Clock = SYSTEM_CLOCK) -> None:
        self.at_once = at_once
        self.a_second = a_second
        self.kept = kept
        self.clock = clock
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()
        self._crowd = Bucket(at_once * CROWD, a_second * CROWD, clock)

    def __len__(self) -> int:
        return len(self._buckets)

    def take(self, who: str) -> bool:
        """Take one for somebody; False when there is none left."""
        self._forget()
        bucket = self._buckets.get(who)
        if bucket is None:
            if len(self._buckets) >= self.kept:
                return self._crowd.take()
            bucket = self._buckets[who] = Bucket(self.at_once, self.a_second, self.clock)
        self._buckets.move_to_end(who)
        return bucket.take()

    def wait(self, who: str) -> float:
        """In how many seconds there is one for somebody again: 0 if there is one now."""
        bucket = self._buckets.get(who)
        if bucket is None:
            return self._crowd.wait() if len(self._buckets) >= self.kept else 0.0
        return bucket.wait()

    def _forget(self) -> None:
        """Forget some that are full again: whichever was not asked for longest is so first."""
        for _ in range(FORGOTTEN_AT_ONCE):
            who = next(iter(self._buckets), None)
            if who is None or self._buckets[who].fill() < self.at_once:
                return
            del self._buckets[who]


class Turnstile:
    """So many at the same time for each asker."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._inside: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._inside)

    def inside(self, who: str) -> int:
        """How many of somebody's are inside."""
        return self._inside.get(who, 0)

    def enter(self, who: str) -> bool:
        """One more; False when there are too many."""
        if self.inside(who) >= self.most:
            return False
        self._inside[who] += 1
        return True

    def leave(self, who: str) -> None:
        """One less."""
        self._inside[who] -= 1
        if self._inside[who] <= 0:
            del self._inside[who]

    @contextmanager
    def through(self, who: str) -> Iterator[bool]:
        """One more for as long as the block lasts: whether it may."""
        may = self.enter(who)
        try:
            yield may
        finally:
            if may:
                self.leave(who)
