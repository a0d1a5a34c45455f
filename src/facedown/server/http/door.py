"""Who may come in: open connections, counted by address and overall, and who goes first when there is no more room."""

from __future__ import annotations

from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from facedown.server.http.addresses import inside, network_of, networks
from facedown.server.process import refusal_counts
from facedown.server.process.clock import SYSTEM_CLOCK, Clock
from facedown.server.process.rate_limit import Turnstile
from facedown.server.process.settings import ServerSettings

#: Of what the system lets a process have open, so much is kept for the database, files and other servers.
RESERVE = 128
#: So many who find no room are told so; beyond that they are not even heard.
TOLD = 64
#: Who has asked for nothing after so many seconds makes room for others.
HALF_OPEN = 2.0


class Guest(Protocol):
    """An open connection."""

    def make_room(self) -> None:
        """Close: somebody else needs the room."""


@dataclass(slots=True)
class Slot:
    """The place of one connection."""

    address: str
    """Empty for a proxy, which has as many as it likes."""
    turned_away: str = ""
    """Why it is not let in; it is only told so."""


class Door:
    """The open connections of a process."""

    def __init__(self, settings: ServerSettings, clock: Clock = SYSTEM_CLOCK) -> None:
        self.settings = settings
        self.clock = clock
        self.most = min(settings.connections, room_of_system())
        self.proxies = networks(settings.proxies)
        self._slots: dict[Guest, Slot] = {}
        self._addresses = Turnstile(settings.connections_of_address)
        self._told = 0
        self._idle: OrderedDict[Guest, None] = OrderedDict()
        self._silent: OrderedDict[Guest, float] = OrderedDict()

    def __len__(self) -> int:
        """How many are in."""
        return len(self._slots) - self._told

    def enter(self, guest: Guest, host: str) -> Slot | None:
        """A connection was opened: its place, or none where it is to be closed at once."""
        address = "" if not host or inside(host, self.proxies) else network_of(host)
        if address and not self._addresses.enter(address):
            return self._turn_away(guest, "connections-of-address")
        if len(self) >= self.most and not self._make_room():
            if address:
                self._addresses.leave(address)
            return self._turn_away(guest, "connections")
        slot = self._slots[guest] = Slot(address)
        self._silent[guest] = self.clock.monotonic()
        return slot

    def _turn_away(self, guest: Guest, why: str) -> Slot | None:
        refusal_counts.count(why)
        if self._told >= TOLD:
            return None
        self._told += 1
        slot = self._slots[guest] = Slot("", why)
        return slot

    def _make_room(self) -> bool:
        """Close a connection over which nothing is asked, or one that has not said yet what it wants."""
        guest = next(iter(self._idle), None)
        if guest is None:
            guest, since = next(iter(self._silent.items()), (None, 0.0))
            if guest is None or self.clock.monotonic() - since < HALF_OPEN:
                return False
        refusal_counts.count("made-room")
        self.leave(guest)
        guest.make_room()
        return True

    def asks(self, guest: Guest) -> None:
        """It has sent a whole request."""
        self._silent.pop(guest, None)
        self._idle.pop(guest, None)

    def begins(self, guest: Guest) -> None:
        """It has begun to send one more."""
        if guest in self._slots and self._idle.pop(guest, 0) is None:
            self._silent[guest] = self.clock.monotonic()

    def rests(self, guest: Guest) -> None:
        """It has been answered, and asks for nothing now."""
        if guest in self._slots:
            self._silent.pop(guest, None)
            self._idle[guest] = None

    def pass_on(self, guest: Guest, to: Guest) -> None:
        """The same connection speaks another protocol from now on."""
        self.asks(guest)
        if (slot := self._slots.pop(guest, None)) is not None:
            self._slots[to] = slot

    def leave(self, guest: Guest) -> None:
        """A connection was closed; again is no harm."""
        self.asks(guest)
        slot = self._slots.pop(guest, None)
        if slot is None:
            return
        if slot.turned_away:
            self._told -= 1
        elif slot.address:
            self._addresses.leave(slot.address)


def room_of_system() -> int:
    """How many connections the system lets this process have, after asking it for as many as it gives."""
    try:
        import resource
    except ImportError:  # Windows knows no such limit.
        return 1 << 30
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        # Some systems name more than they give.
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
            soft = hard
    return 1 << 30 if soft == resource.RLIM_INFINITY else max(16, soft - RESERVE)
