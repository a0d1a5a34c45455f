"""The live lines of a process, counted by whose they are.

What one person or address may have is seen before anything is done for a new line, and what is asked for over many
lines counts as if it came over one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import cast

from starlette.websockets import WebSocket

from facedown.play import Refusal
from facedown.server.i18n import N_, _
from facedown.server.process import refusal_counts
from facedown.server.process.clocks import SYSTEM_CLOCK, Clock
from facedown.server.process.rate_limit import Buckets, ConcurrencyLimit
from facedown.server.process.settings import ServerSettings
from facedown.store import hash_token

#: An address may be that of a whole class room: it may ask for so many times as much as one person.
HOUSEHOLD = 5


class ConnectionCounts:
    """Everybody who has a live line."""

    def __init__(self, settings: ServerSettings, clock: Clock = SYSTEM_CLOCK) -> None:
        self.of_address = ConcurrencyLimit(settings.sockets_of_address)
        self.of_person = ConcurrencyLimit(settings.sockets_of_person)
        self.of_person_at_table = ConcurrencyLimit(settings.sockets_of_person_at_table)
        self.spectators = ConcurrencyLimit(settings.watchers_of_table)

        def buckets(at_once: float, a_second: float) -> tuple[Buckets, Buckets]:
            """Those of single askers, and those of addresses."""
            single, shared = (Buckets(size * at_once, size * a_second, clock=clock) for size in (1, HOUSEHOLD))
            return single, shared

        self.opened, self.opened_from = buckets(settings.sockets_a_minute, settings.sockets_a_minute / 60)
        self.message_buckets = buckets(settings.messages_at_once, settings.messages_a_second)
        self.hellos = buckets(settings.hellos_at_once, settings.hellos_a_minute / 60)

    def issue_permit(self, address: str, cookie: str, code: str) -> ConnectionPermit:
        """A new live line; `Refusal` where there are too many, or too many came in a short time."""
        line = ConnectionPermit(self, address, hash_token(cookie) if cookie else address, code)
        try:
            line.require(self.opened_from.take(address) and self.opened.take(line.visitor), "sockets-opened")
            line.acquire(self.of_address, address, "sockets-of-address")
            line.acquire(self.of_person, line.visitor, "sockets-of-person")
            line.acquire(self.of_person_at_table, f"{line.visitor} {code}", "sockets-of-person-at-table")
        except Refusal:
            line.close()
            raise
        return line


@dataclass(slots=True)
class ConnectionPermit:
    """One live line, as it counts."""

    counts: ConnectionCounts
    address: str
    visitor: str
    code: str
    is_spectator: bool = False
    _inside: list[tuple[ConcurrencyLimit, str]] = field(default_factory=list)

    def acquire(self, turnstile: ConcurrencyLimit, who: str, kind: str) -> None:
        """Count this line; `Refusal` where there are too many."""
        self.require(turnstile.acquire(who), kind)
        self._inside.append((turnstile, who))

    def require(self, fine: bool, kind: str) -> None:
        """`Refusal` unless it is fine."""
        if not fine:
            refusal_counts.count(kind)
            raise Refusal("too-fast", _(_TOO_MANY[kind]))

    def acquire_as_spectator(self) -> None:
        """Whoever has this line only watches; `Refusal` where too many do."""
        self.acquire(self.counts.spectators, self.code, "watchers-of-table")
        self.is_spectator = True

    def take_message(self) -> bool:
        """May one more message be looked at?"""
        buckets, who = self._buckets_and_key(self.counts.message_buckets)
        if not (fine := buckets.take(who)):
            refusal_counts.count("messages")
        return fine

    def take_hello(self) -> float:
        """In how many seconds the whole page may be asked for: 0 takes it now."""
        buckets, who = self._buckets_and_key(self.counts.hellos)
        if buckets.take(who):
            return 0.0
        refusal_counts.count("hellos")
        return max(0.05, buckets.seconds_until_token(who))

    def _buckets_and_key(self, buckets: tuple[Buckets, Buckets]) -> tuple[Buckets, str]:
        """Where this line is counted, and as whose.

        Whoever watches needs no seat, and can be as many people as they like: they count by their address.
        """
        single, shared = buckets
        return (shared, f"{self.address} {self.code}") if self.is_spectator else (single, f"{self.visitor} {self.code}")

    def close(self) -> None:
        """The line is closed; again is no harm."""
        inside, self._inside = self._inside, []
        for turnstile, who in inside:
            turnstile.release(who)


_TOO_MANY = {
    "sockets-opened": N_("Not so fast: this page was opened too often in a short time. It comes back in a moment."),
    "sockets-of-address": N_("Too many tables are open from your address. Close some of them."),
    "sockets-of-person": N_("You have too many tables open. Close some of them."),
    "sockets-of-person-at-table": N_("You have this table open too often. Close some of its windows."),
    "watchers-of-table": N_("Too many people are watching this table already. Come back a little later."),
}


def connection_counts_of(socket: WebSocket) -> ConnectionCounts:
    """Everybody who has a live line with this application."""
    return cast(ConnectionCounts, socket.app.state.crowd)
