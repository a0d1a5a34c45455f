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
#: Before the deal: seconds of absence after which a player's seat may be freed for a new player.
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
        """Record that the player at this seat has opened a connection to this process.

        A player may have several connections at once, so the open ones are counted.
        """
        self._connections[seat] += 1
        self._seen[seat] = now

    def disconnect(self, seat: int, now: float) -> None:
        """Record that one connection between the player at this seat and this process has closed."""
        self._connections[seat] = max(0, self._connections[seat] - 1)
        self._seen[seat] = now

    def note_request(self, seat: int, now: float) -> None:
        """Record that the player at this seat has just sent an API request, which counts as being present."""
        self._seen[seat] = self._asked[seat] = now

    def reseat(
        self, before: Sequence[int | None], after: Sequence[int | None], lines: Iterable[int], now: float
    ) -> None:
        """Update the presence of all seats after players have moved to other seats, joined the table or left it.

        * `before`, `after`: the id of the person in each seat before and after the change; None for an empty seat or a
          bot.
        * `lines`: the seats of the players who are connected to this process, after the change. A seat is listed once
          for each open connection.

        If a person who has just joined is not connected, the person's absence begins at `now`.
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
        """Store a report from the server process with the id `process`: the players at `seats` are connected to it.

        The report replaces the previous one from this process. It expires at the time `until`. Return whether the
        set of seats that are connected to other processes has changed.
        """
        return self._replace_remote_seats(self._elsewhere | {process: (until, frozenset(seats))}, now)

    def expire_remote_seats(self, now: float) -> bool:
        """Delete the expired reports from other server processes. A report lists the seats connected to its sender.

        If a seat was listed only in deleted reports, its connection to other processes counts as closed at `now`.
        Return whether there is such a seat.
        """
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
        """Return whether the seat's player has an open connection to this server process or to another one."""
        return self._connections[seat] > 0 or any(seat in seats for _, seats in self._elsewhere.values())

    def away_since(self, seat: int) -> float | None:
        """Return the Unix time at which the absence of the seat's player began; None if the player is connected now.

        The absence began at the latest of these times:

        * when the player's last connection closed;
        * when the player's last API request arrived;
        * when the player joined the table;
        * when this process loaded the table.
        """
        return None if self.connected(seat) else self._seen.get(seat, self._begun)

    def away_for(self, seat: int, now: float) -> float:
        """Return for how many seconds the seat's player has been away; 0 if the player is connected now."""
        since = self.away_since(seat)
        return 0.0 if since is None else max(0.0, now - since)
