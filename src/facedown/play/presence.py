"""Presence of the players at a table: whether each is connected, and since when a player has been absent.

Presence is kept in memory only. After a restart every player has the full time `GRACE` to reconnect.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

#: Seconds of absence after which the other players may let a bot stand in for a player.
GRACE = 60
#: Before the deal: seconds without a connection after which a player is shown as away.
SHOWN_AWAY_AFTER = 30
#: Before the deal: seconds of absence after which a player's seat may be opened.
SEAT_FREE_AFTER = 180
#: Disconnections shorter than this many seconds (a page reload) don't count as absence.
RELOAD_TIME = 4.0


class Presence:
    """Presence of the players at one table, by seat. All times are Unix times.

    A program that plays through the HTTP API has no lasting connection, so each of its requests counts as presence.

    If there are several server processes, every other process reports which seats are connected to it. A report
    expires after some time, so the process must repeat it before that.
    """

    def __init__(self, now: float) -> None:
        self._connections: Counter[int] = Counter()
        self._seen: dict[int, float] = {}
        self._begun = now
        self._asked: dict[int, float] = {}
        """Time of the last API request of each seat."""
        self._elsewhere: dict[int, tuple[float, frozenset[int]]] = {}
        """Reports of other processes, by process id: the expiry time of the report, and the seats connected to the
        process."""

    def connect(self, seat: int, now: float) -> None:
        """Record that a connection of this seat opened."""
        self._connections[seat] += 1
        self._seen[seat] = now

    def disconnect(self, seat: int, now: float) -> None:
        """Record that a connection of this seat closed."""
        self._connections[seat] = max(0, self._connections[seat] - 1)
        self._seen[seat] = now

    def note_request(self, seat: int, now: float) -> None:
        """Record an API request of this seat."""
        self._seen[seat] = self._asked[seat] = now

    def reseat(
        self, before: Sequence[int | None], after: Sequence[int | None], lines: Iterable[int], now: float
    ) -> None:
        """Update the presence of all seats after persons have moved to other seats.

        `before` and `after` list the id of the person at each seat, None for an empty seat or a bot. `lines` has an
        entry for each open connection of a player to this process: the player's new seat.
        """
        came_from = {person: seat for seat, person in enumerate(before) if person is not None}
        moved = {came_from[person]: seat for seat, person in enumerate(after) if person in came_from}
        new = {seat: now for seat, person in enumerate(after) if person is not None and person not in came_from}
        self._connections = Counter(lines)
        self._seen = new | {moved[seat]: at for seat, at in self._seen.items() if seat in moved}
        self._asked = {moved[seat]: at for seat, at in self._asked.items() if seat in moved}
        for process, (until, seats) in self._elsewhere.items():
            self._elsewhere[process] = until, frozenset(moved[seat] for seat in seats if seat in moved)

    def set_remote_seats(self, process: int, seats: Iterable[int], until: float, now: float) -> bool:
        """Store the report of another process about the seats connected to it. The report is valid until the time
        `until`.

        Return whether any seat's presence changed.
        """
        return self._replace_remote_seats(self._elsewhere | {process: (until, frozenset(seats))}, now)

    def expire_remote_seats(self, now: float) -> bool:
        """Delete those reports of other processes that have expired. Return whether any seat's presence changed."""
        return self._replace_remote_seats(
            {process: said for process, said in self._elsewhere.items() if said[0] > now}, now
        )

    def local_seats(self, now: float, lately: float) -> frozenset[int]:
        """Return the seats that are connected to this process or have sent it an API request in the last `lately`
        seconds.
        """
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
        """Return whether this seat has no connection, but was seen less than `GRACE` seconds ago."""
        return not self.connected(seat) and seat in self._seen and now - self._seen[seat] < GRACE

    def connected(self, seat: int) -> bool:
        """Return whether a connection of this seat is open, at this process or at another one."""
        return self._connections[seat] > 0 or any(seat in seats for _, seats in self._elsewhere.values())

    def away_since(self, seat: int) -> float | None:
        """Return the time since which the seat has been without a connection, or None if it is connected."""
        return None if self.connected(seat) else self._seen.get(seat, self._begun)

    def away_for(self, seat: int, now: float) -> float:
        """Return the number of seconds that the seat has been away, 0 if it is connected."""
        since = self.away_since(seat)
        return 0.0 if since is None else max(0.0, now - since)
