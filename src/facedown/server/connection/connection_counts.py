"""The live lines of a process, counted by whose they are.

What one person or address may have is seen before anything is done for a new line, and what is asked for over many
lines counts as if it came over one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import cast

from starlette.websockets import WebSocket

from facedown.play import Refusal
from facedown.server.process import refusal_counts
from facedown.server.process.clock import SYSTEM_CLOCK, Clock
from facedown.server.process.rate_limit import Buckets, Turnstile
from facedown.server.process.settings import ServerSettings
from facedown.server.texts import _
from facedown.store import hash_token

#: An address may be that of a whole class room: it may ask for so many times as much as one person.
HOUSEHOLD = 5


class Crowd:
    """Everybody who has a live line."""

    def __init__(self, settings: ServerSettings, clock: Clock = SYSTEM_CLOCK) -> None:
        self.of_address = Turnstile(settings.sockets_of_address)
        self.of_person = Turnstile(settings.sockets_of_person)
        self.of_person_at_table = Turnstile(settings.sockets_of_person_at_table)
        self.watchers = Turnstile(settings.watchers_of_table)
        opened, hellos = settings.sockets_a_minute, settings.hellos_a_minute / 60
        at_once, a_second = settings.messages_at_once, settings.messages_a_second
        self.opened = Buckets(opened, opened / 60, clock=clock)
        self.opened_from = Buckets(HOUSEHOLD * opened, HOUSEHOLD * opened / 60)
        self.wishes = Buckets(at_once, a_second, clock=clock)
        self.wishes_from = Buckets(HOUSEHOLD * at_once, HOUSEHOLD * a_second, clock=clock)
        self.hellos = Buckets(settings.hellos_at_once, hellos, clock=clock)
        self.hellos_from = Buckets(HOUSEHOLD * settings.hellos_at_once, HOUSEHOLD * hellos, clock=clock)

    def line(self, address: str, cookie: str, code: str) -> Line:
        """A new live line; `Refusal` where there are too many, or too many came in a short time."""
        line = Line(self, address, hash_token(cookie) if cookie else address, code)
        try:
            line.need(self.opened_from.take(address) and self.opened.take(line.whose), "sockets-opened")
            line.enter(self.of_address, address, "sockets-of-address")
            line.enter(self.of_person, line.whose, "sockets-of-person")
            line.enter(self.of_person_at_table, f"{line.whose} {code}", "sockets-of-person-at-table")
        except Refusal:
            line.close()
            raise
        return line


@dataclass(slots=True)
class Line:
    """One live line, as it counts."""

    crowd: Crowd
    address: str
    whose: str
    code: str
    watches: bool = False
    _inside: list[tuple[Turnstile, str]] = field(default_factory=list)

    def enter(self, turnstile: Turnstile, who: str, kind: str) -> None:
        """Count this line; `Refusal` where there are too many."""
        self.need(turnstile.enter(who), kind)
        self._inside.append((turnstile, who))

    def need(self, fine: bool, kind: str) -> None:
        """`Refusal` unless it is fine."""
        if not fine:
            refusal_counts.count(kind)
            raise Refusal("too-fast", _TOO_MANY[kind]())

    def watch(self) -> None:
        """Whoever has this line only watches; `Refusal` where too many do."""
        self.enter(self.crowd.watchers, self.code, "watchers-of-table")
        self.watches = True

    def wish(self) -> bool:
        """May one more message be looked at?"""
        crowd = self.crowd
        fine = crowd.wishes_from.take(self._shared) if self.watches else crowd.wishes.take(self._own)
        if not fine:
            refusal_counts.count("messages")
        return fine

    def hello(self) -> float:
        """In how many seconds the whole page may be asked for: 0 takes it now."""
        hellos, who = (self.crowd.hellos_from, self._shared) if self.watches else (self.crowd.hellos, self._own)
        if hellos.take(who):
            return 0.0
        refusal_counts.count("hellos")
        return max(0.05, hellos.wait(who))

    @property
    def _own(self) -> str:
        return f"{self.whose} {self.code}"

    @property
    def _shared(self) -> str:
        """Whoever watches needs no seat, and can be as many people as they like: they count by their address."""
        return f"{self.address} {self.code}"

    def close(self) -> None:
        """The line is closed; again is no harm."""
        inside, self._inside = self._inside, []
        for turnstile, who in inside:
            turnstile.leave(who)


_TOO_MANY = {
    "sockets-opened": lambda: _(
        "Not so fast: this page was opened too often in a short time. It comes back in a moment."
    ),
    "sockets-of-address": lambda: _("Too many tables are open from your address. Close some of them."),
    "sockets-of-person": lambda: _("You have too many tables open. Close some of them."),
    "sockets-of-person-at-table": lambda: _("You have this table open too often. Close some of its windows."),
    "watchers-of-table": lambda: _("Too many people are watching this table already. Come back a little later."),
}


def crowd_of(socket: WebSocket) -> Crowd:
    """Everybody who has a live line with this application."""
    return cast(Crowd, socket.app.state.crowd)
