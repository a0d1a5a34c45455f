"""Rate limits by token bucket and limits on concurrent use, per key such as a person or an address."""

from __future__ import annotations

from collections import Counter, OrderedDict

from facedown.server.process.clocks import SYSTEM_CLOCK, Clock

#: Maximum number of full buckets that are removed at each request, so that no request takes long. A full bucket need
#: not be stored, because a new bucket is full, too. A request adds at most one bucket, so removing more than one lets
#: the memory use shrink.
FORGOTTEN_AT_ONCE = 4
#: Size of the shared bucket, as a multiple of a normal bucket. While the maximum number of buckets is stored, all new
#: keys use this one bucket.
SHARED_BUCKET_FACTOR = 16
#: Waiting times below this many seconds are rounding errors and count as 0.
ROUNDING = 1e-9


class Buckets:
    """Token buckets by key: a burst of `at_once` requests, then `a_second` requests per second.

    For each bucket that is not full, only the time at which it will be full is stored (the generic cell rate
    algorithm). At most `kept` keys can have a stored bucket at the same time. While this limit is reached, all other
    keys share one larger bucket.

    A stored bucket is removed only when it is full again. This changes nothing for its key, because a new bucket is
    full as well. If a bucket that is not full could be removed, a client could exploit it: requests under many other
    keys would remove the client's empty bucket, and the client would get a new, full one.
    """

    def __init__(self, at_once: float, a_second: float, clock: Clock = SYSTEM_CLOCK, kept: int = 65536) -> None:
        self.fills_in = at_once / a_second
        """Seconds in which an empty bucket becomes full."""
        self.one_in = 1 / a_second
        self.kept = kept
        self.clock = clock
        self._full_at: OrderedDict[str, float] = OrderedDict()

    def __len__(self) -> int:
        return len(self._full_at)

    def take_token(self, who: str = "") -> bool:
        """Take a token from the bucket of the key `who`. Return False if the bucket is empty."""
        now = self.clock.monotonic()
        self._remove_full_buckets(now)
        if fine := self.seconds_until_token(who) == 0:
            who, cost = self._bucket_key_and_interval(who)
            self._full_at[who] = max(now, self._full_at.get(who, now)) + cost
        if who in self._full_at:
            self._full_at.move_to_end(who)
        return fine

    def seconds_until_token(self, who: str = "") -> float:
        """Return the seconds until the bucket of the key `who` has a token; 0 if it has one now."""
        who, cost = self._bucket_key_and_interval(who)
        now = self.clock.monotonic()
        missing = max(now, self._full_at.get(who, now)) + cost - self.fills_in - now
        return missing if missing > ROUNDING else 0.0

    def _bucket_key_and_interval(self, who: str) -> tuple[str, float]:
        """Return (bucket key, seconds per token) of the bucket that limits requests with the key `who`.

        Normally each key has its own bucket, and the bucket key is `who`. At most `self.kept` keys can have a stored
        bucket at the same time. While this limit is reached, all other keys share one larger bucket, with the bucket
        key "crowd".
        """
        if who not in self._full_at and len(self) >= self.kept:
            return "crowd", self.one_in / SHARED_BUCKET_FACTOR
        return who, self.one_in

    def _remove_full_buckets(self, now: float) -> None:
        """Remove buckets that are full at the time `now`, starting with the least recently used.

        Stop at the first bucket that is not full, and after `FORGOTTEN_AT_ONCE` buckets. The limit keeps each call
        short; later calls remove the others.
        """
        for _ in range(FORGOTTEN_AT_ONCE):
            who = next(iter(self._full_at), None)
            if who is None or self._full_at[who] > now:
                return
            del self._full_at[who]


class ConcurrencyLimit:
    """Limit on the number of concurrent operations, such as open connections, per key (person, address or table).

    Call `acquire` when an operation begins. If that returned True, call `release` when the operation ends.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._inside: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._inside)

    def active_count(self, who: str) -> int:
        """Return how many operations of the person, address or table with the key `who` are running now."""
        return self._inside.get(who, 0)

    def acquire(self, who: str) -> bool:
        """Record that an operation of the person, address or table with the key `who` begins. Return True.

        If this key already has the maximum number of running operations, record nothing and return False.
        """
        if self.active_count(who) >= self.most:
            return False
        self._inside[who] += 1
        return True

    def release(self, who: str) -> None:
        """Record that an operation of the person, address or table with the key `who` has ended.

        Call this once for each call of `acquire` that returned True.
        """
        self._inside[who] -= 1
        if self._inside[who] <= 0:
            del self._inside[who]
