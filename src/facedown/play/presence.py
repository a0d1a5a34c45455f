"""Who is there. Kept in memory: after a restart everybody has the whole grace time to come back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

#: How long somebody may be away before the others may let a bot stand in, in seconds.
GRACE = 60
#: Before the deal, seconds without a connection after which a person is shown as away.
SHOWN_AWAY_AFTER = 30
#: Before the deal, seconds of absence after which a person's seat may be opened.
SEAT_FREE_AFTER = 180
#: A connection that drops for less than this (a reload) is no absence.
RELOAD_TIME = 4.0


class Presence:
    """Which seats have somebody connected, and since when the others are away.

    A program that plays through the API has no lasting connection: each of its requests counts as being there. Other
    processes say which seats are there with them, and have to say so again before `until`.
    """

    def __init__(self, now: float) -> None:
        self._connections: Counter[int] = Counter()
        self._seen: dict[int, float] = {}
        self._begun = now
        self._asked: dict[int, float] = {}
        """When a program of a seat last asked for something here."""
        self._elsewhere: dict[int, tuple[float, frozenset[int]]] = {}
        """By the number of a process: until when, and which seats are there."""

    def connect(self, seat: int, now: float) -> None:
        """A connection of this seat opened."""
        self._connections[seat] += 1
        self._seen[seat] = now

    def disconnect(self, seat: int, now: float) -> None:
        """A connection of this seat closed."""
        self._connections[seat] = max(0, self._connections[seat] - 1)
        self._seen[seat] = now

    def note_request(self, seat: int, now: float) -> None:
        """Something came from this seat."""
        self._seen[seat] = self._asked[seat] = now

    def reseat(
        self, before: Sequence[int | None], after: Sequence[int | None], lines: Iterable[int], now: float
    ) -> None:
        """Follow people to other seats: who sat where before, who sits where after, and the seats of open `lines`."""
        came_from = {person: seat for seat, person in enumerate(before) if person is not None}
        moved = {came_from[person]: seat for seat, person in enumerate(after) if person in came_from}
        new = {seat: now for seat, person in enumerate(after) if person is not None and person not in came_from}
        self._connections = Counter(lines)
        self._seen = new | {moved[seat]: at for seat, at in self._seen.items() if seat in moved}
        self._asked = {moved[seat]: at for seat, at in self._asked.items() if seat in moved}
        for process, (until, seats) in self._elsewhere.items():
            self._elsewhere[process] = until, frozenset(moved[seat] for seat in seats if seat in moved)

    def set_remote_seats(self, process: int, seats: Iterable[int], until: float, now: float) -> bool:
        """Another process says who is there with it; is anybody there now who was not, or the other way round?"""
        return self._replace_remote_seats(self._elsewhere | {process: (until, frozenset(seats))}, now)

    def expire_remote_seats(self, now: float) -> bool:
        """Processes that have not said so again are not believed any more; does that change who is there?"""
        return self._replace_remote_seats(
            {process: said for process, said in self._elsewhere.items() if said[0] > now}, now
        )

    def local_seats(self, now: float, lately: float) -> frozenset[int]:
        """The seats that are there with this process: connected, or heard of within so many seconds."""
        connected = {seat for seat, count in self._connections.items() if count}
        return frozenset(connected | {seat for seat, at in self._asked.items() if now - at < lately})

    def _remote_seats(self) -> frozenset[int]:
        return frozenset().union(*(seats for _, seats in self._elsewhere.values()))

    def _replace_remote_seats(self, elsewhere: dict[int, tuple[float, frozenset[int]]], now: float) -> bool:
        before = self._remote_seats()
        self._elsewhere = elsewhere
        after = self._remote_seats()
        self._seen |= dict.fromkeys(before - after, now)
        return before != after

    def is_recently_disconnected(self, seat: int, now: float) -> bool:
        """Was somebody of this seat here lately, whose line is gone?"""
        return not self.connected(seat) and seat in self._seen and now - self._seen[seat] < GRACE

    def connected(self, seat: int) -> bool:
        """Is a connection of this seat open, here or with another process?"""
        return self._connections[seat] > 0 or any(seat in seats for _, seats in self._elsewhere.values())

    def away_since(self, seat: int) -> float | None:
        """Since when the seat has been away, or None if it is there."""
        return None if self.connected(seat) else self._seen.get(seat, self._begun)

    def away_for(self, seat: int, now: float) -> float:
        """For how many seconds the seat has been away, 0 if it is there."""
        since = self.away_since(seat)
        return 0.0 if since is None else max(0.0, now - since)
