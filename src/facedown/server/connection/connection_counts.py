"""Limits on the WebSocket connections of a process and on the messages that clients send over them.

* The number of open connections is limited per address, per person, per person at one table, and for the spectators of
  one table.
* The number of connections opened per minute is limited per address and per person.
* The rate of messages is limited per player at one table, or, for spectators, per address at one table. The messages of
  all connections of the same player or address count together.

The limits are checked before any other work for a new connection.
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
from facedown.server.process.server_settings import ServerSettings
from facedown.store import hash_token

#: An address gets this many times the limits of one person, since several people may share it.
ADDRESS_FACTOR = 5


class ConnectionCounts:
    """Limits on the WebSocket connections of a process, with the numbers and rates measured so far.

    * Numbers of open connections: by address, by person, and by person and table. Also the spectators of each table.
    * Rates of new connections: by address, and by person.
    * Rates of messages, and of `hello` messages (requests for the whole page): by player and table or, for spectators,
      by address and table.
    """

    def __init__(self, settings: ServerSettings, clock: Clock = SYSTEM_CLOCK) -> None:
        self.of_address = ConcurrencyLimit(settings.sockets_of_address)
        self.of_person = ConcurrencyLimit(settings.sockets_of_person)
        self.of_person_at_table = ConcurrencyLimit(settings.sockets_of_person_at_table)
        self.spectators = ConcurrencyLimit(settings.watchers_of_table)

        def buckets(at_once: float, a_second: float) -> tuple[Buckets, Buckets]:
            """Return the token buckets per person, and the larger ones per address."""
            single, shared = (Buckets(size * at_once, size * a_second, clock=clock) for size in (1, ADDRESS_FACTOR))
            return single, shared

        self.opened, self.opened_from = buckets(settings.sockets_a_minute, settings.sockets_a_minute / 60)
        self.message_buckets = buckets(settings.messages_at_once, settings.messages_a_second)
        self.hellos = buckets(settings.hellos_at_once, settings.hellos_a_minute / 60)

    def issue_permit(self, address: str, cookie: str, code: str) -> ConnectionPermit:
        """Count a new connection and return its permit. The connection counts until the permit's `close` is called.

        `cookie` is the visitor's cookie or seat token, "" if the visitor has neither; `code` is the code of the table.
        Raise `Refusal` if too many connections are open, or too many were opened in a short time.
        """
        line = ConnectionPermit(self, address, hash_token(cookie) if cookie else address, code)
        try:
            line.require(
                self.opened_from.take_token(address) and self.opened.take_token(line.visitor), "sockets-opened"
            )
            line.acquire(self.of_address, address, "sockets-of-address")
            line.acquire(self.of_person, line.visitor, "sockets-of-person")
            line.acquire(self.of_person_at_table, f"{line.visitor} {code}", "sockets-of-person-at-table")
        except Refusal:
            line.close()
            raise
        return line


@dataclass(slots=True)
class ConnectionPermit:
    """Permit for one WebSocket connection. The connection counts towards the limits until `close` is called."""

    counts: ConnectionCounts
    address: str
    visitor: str
    code: str
    is_spectator: bool = False
    _inside: list[tuple[ConcurrencyLimit, str]] = field(default_factory=list)

    def acquire(self, turnstile: ConcurrencyLimit, who: str, kind: str) -> None:
        """Count this connection towards the limit `turnstile`, under the key `who`, until `close` is called.

        The key stands for a person, an address or a table. If this key has reached the limit already, do not count the
        connection, and raise `Refusal` with the text `_TOO_MANY[kind]`.
        """
        self.require(turnstile.acquire(who), kind)
        self._inside.append((turnstile, who))

    def require(self, fine: bool, kind: str) -> None:
        """If a limit is exceeded (`fine` is false), raise `Refusal` with the text `_TOO_MANY[kind]`."""
        if not fine:
            refusal_counts.count_refusals(kind)
            raise Refusal("too-fast", _(_TOO_MANY[kind]))

    def acquire_as_spectator(self) -> None:
        """Count this connection towards the table's limit on spectators. Raise `Refusal` if the limit is reached."""
        self.acquire(self.counts.spectators, self.code, "watchers-of-table")
        self.is_spectator = True

    def count_received_message(self) -> bool:
        """Count a received message. Return False if it must be refused, because too many came in a short time."""
        buckets, who = self._buckets_and_key(self.counts.message_buckets)
        if not (fine := buckets.take_token(who)):
            refusal_counts.count_refusals("messages")
        return fine

    def count_hello_and_get_delay(self) -> float:
        """Count a request for the whole page (a `hello` message).

        Return the number of seconds to wait before the request may be handled: 0 unless too many came in a short time.
        """
        buckets, who = self._buckets_and_key(self.counts.hellos)
        if buckets.take_token(who):
            return 0.0
        refusal_counts.count_refusals("hellos")
        return max(0.05, buckets.seconds_until_token(who))

    def _buckets_and_key(self, buckets: tuple[Buckets, Buckets]) -> tuple[Buckets, str]:
        """Return the token buckets (rate limits) that apply to this connection, and the key of its own bucket in them.

        `buckets` is a pair: token buckets for persons, and token buckets for addresses. Players are limited per person.
        Spectators are limited per address: because they need no seat, one spectator could otherwise get around the
        limit with many cookies. Each table is limited separately, so the key also contains the table's code.
        """
        single, shared = buckets
        return (shared, f"{self.address} {self.code}") if self.is_spectator else (single, f"{self.visitor} {self.code}")

    def close(self) -> None:
        """Stop counting this connection. A second call does nothing."""
        inside, self._inside = self._inside, []
        for turnstile, who in inside:
            turnstile.release(who)


_TOO_MANY = {
    "sockets-opened": N_(
        "Not so fast: this page was opened too many times in quick succession. It will reconnect in a moment."
    ),
    "sockets-of-address": N_("Your IP address has too many tables open. Close some of them."),
    "sockets-of-person": N_("You have too many tables open. Close some of them."),
    "sockets-of-person-at-table": N_("You have this table open in too many windows. Close some of them."),
    "watchers-of-table": N_("Too many people are already watching this table. Try again later."),
}


def connection_counts_of(socket: WebSocket) -> ConnectionCounts:
    """Return the connection counts of the application that handles this WebSocket."""
    return cast(ConnectionCounts, socket.app.state.crowd)
