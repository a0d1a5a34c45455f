"""Who is there. Kept in memory: after a restart everybody has the whole grace time to come back."""

from __future__ import annotations

from collections import Counter

#: How long somebody may be away before the others may let a bot stand in, in seconds.
GRACE = 60
#: A connection that drops for less than this (a reload) is no absence.
BLINK = 4.0


class Presence:
    """Which seats have somebody connected, and since when the others are away.

    A program that plays through the API has no lasting connection: each of its requests counts as being there.
    """

    def __init__(self, now: float) -> None:
        self._connections: Counter[int] = Counter()
        self._seen: dict[int, float] = {}
        self._begun = now

    def connect(self, seat: int, now: float) -> None:
        """A connection of this seat opened."""
        self._connections[seat] += 1
        self._seen[seat] = now

    def disconnect(self, seat: int, now: float) -> None:
        """A connection of this seat closed."""
        self._connections[seat] = max(0, self._connections[seat] - 1)
        self._seen[seat] = now

    def seen(self, seat: int, now: float) -> None:
        """Something came from this seat."""
        self._seen[seat] = now

    def returns(self, seat: int, now: float) -> bool:
        """Was somebody of this seat here lately, whose line is gone?"""
        return not self.connected(seat) and seat in self._seen and now - self._seen[seat] < GRACE

    def connected(self, seat: int) -> bool:
        """Is a connection of this seat open?"""
        return self._connections[seat] > 0

    def away_since(self, seat: int) -> float | None:
        """Since when the seat has been away, or None if it is there."""
        return None if self.connected(seat) else self._seen.get(seat, self._begun)

    def away_for(self, seat: int, now: float) -> float:
        """For how many seconds the seat has been away, 0 if it is there."""
        since = self.away_since(seat)
        return 0.0 if since is None else max(0.0, now - since)
