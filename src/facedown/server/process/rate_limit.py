"""How often somebody may do something: buckets that are emptied by asking and fill again with time."""

from __future__ import annotations

from collections import Counter, OrderedDict

from facedown.server.process.clocks import SYSTEM_CLOCK, Clock

#: So many full buckets are forgotten for each one that is asked: memory falls as fast as it grew.
FORGOTTEN_AT_ONCE = 4
#: When there are too many askers to be told apart, those who are new share one bucket that is so many times as large.
SHARED_BUCKET_FACTOR = 16
#: Shorter waits, in seconds, come from rounding.
ROUNDING = 1e-9


class Buckets:
    """A token bucket for each asker: `at_once` requests at first, then `a_second` more each second.

    Of each bucket that is not full it is known when it will be (the generic cell rate algorithm). Only a full one is
    forgotten, which is as good as a new one: nobody who was refused can have that forgotten by asking from many other
    places.
    """

    def __init__(self, at_once: float, a_second: float, clock: Clock = SYSTEM_CLOCK, kept: int = 65536) -> None:
        self.fills_in = at_once / a_second
        """Seconds in which an empty bucket is full."""
        self.one_in = 1 / a_second
        self.kept = kept
        self.clock = clock
        self._full_at: OrderedDict[str, float] = OrderedDict()

    def __len__(self) -> int:
        return len(self._full_at)

    def take(self, who: str = "") -> bool:
        """Take one for somebody; False when there is none left."""
        now = self.clock.monotonic()
        self._forget(now)
        if fine := self.seconds_until_token(who) == 0:
            who, cost = self._bucket(who)
            self._full_at[who] = max(now, self._full_at.get(who, now)) + cost
        if who in self._full_at:
            self._full_at.move_to_end(who)
        return fine

    def seconds_until_token(self, who: str = "") -> float:
        """In how many seconds there is one for somebody again: 0 if there is one now."""
        who, cost = self._bucket(who)
        now = self.clock.monotonic()
        missing = max(now, self._full_at.get(who, now)) + cost - self.fills_in - now
        return missing if missing > ROUNDING else 0.0

    def _bucket(self, who: str) -> tuple[str, float]:
        """The key of an asker's bucket, and in how many seconds it has one more."""
        if who not in self._full_at and len(self) >= self.kept:
            return "crowd", self.one_in / SHARED_BUCKET_FACTOR
        return who, self.one_in

    def _forget(self, now: float) -> None:
        """Forget some that are full again: whichever was not asked for longest is so first."""
        for _ in range(FORGOTTEN_AT_ONCE):
            who = next(iter(self._full_at), None)
            if who is None or self._full_at[who] > now:
                return
            del self._full_at[who]


class ConcurrencyLimit:
    """So many at the same time for each asker."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._inside: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._inside)

    def active(self, who: str) -> int:
        """How many of somebody's are inside."""
        return self._inside.get(who, 0)

    def acquire(self, who: str) -> bool:
        """One more; False when there are too many."""
        if self.active(who) >= self.most:
            return False
        self._inside[who] += 1
        return True

    def release(self, who: str) -> None:
        """One less."""
        self._inside[who] -= 1
        if self._inside[who] <= 0:
            del self._inside[who]
