"""Bans of persons and networks: kept in memory and reloaded from the database every few seconds."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
from typing import TYPE_CHECKING

from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import HTTPConnection

from facedown.play import Refusal
from facedown.server.http.client_address import Network, client_ip, is_in_networks
from facedown.server.http.refusal_response import PROBES
from facedown.server.i18n import _
from facedown.store import Person
from facedown.store.bans import Ban, bans_in_force

if TYPE_CHECKING:
    from facedown.server.table.room_registry import Rooms

#: Seconds between two reads of the bans from the database.
RELOAD_INTERVAL = 5.0
#: Paths that banned addresses may still request: health checks and metrics, which must not fail because their sender is
#: banned, and static files, which the error page for a banned visitor needs.
BAN_EXEMPT_PATHS = (*PROBES, "/metrics", "/static/")


class BannedRefusal(Refusal):
    """Refusal of a banned person or address. Its error page is made without a database lookup of the visitor."""


class BanList:
    """The bans of persons and networks, as last read from the database."""

    def __init__(self, rooms: Rooms) -> None:
        self.rooms = rooms
        self._people: dict[int, Ban] = {}
        self._networks: dict[Network, Ban] = {}

    async def reload_forever(self) -> None:
        """Read the bans every `RELOAD_INTERVAL` seconds until the server stops."""
        while True:
            await asyncio.sleep(RELOAD_INTERVAL)
            await self.reload()

    async def reload(self) -> None:
        """Read the bans from the database. If that fails, keep the bans from the last successful read."""
        with contextlib.suppress(SQLAlchemyError):
            found = await self.rooms.store.run(bans_in_force, self.rooms.repository.engine, self.rooms.now())
            self._people = {int(one.value): one for one in found if one.kind == "person"}
            self._networks = {ipaddress.ip_network(one.value): one for one in found if one.kind == "address"}

    def refuse_banned_person(self, person: Person) -> None:
        """Raise `BannedRefusal` if this person is banned."""
        if person.id in self._people:
            self._refuse_if_active(self._people[person.id])

    def refuse_banned_address(self, address: str) -> None:
        """Raise `BannedRefusal` if this IP address is in a banned network."""
        for network, ban in self._networks.items():
            if is_in_networks(address, [network]):
                self._refuse_if_active(ban)

    def _refuse_if_active(self, ban: Ban) -> None:
        if ban.until is None or ban.until > self.rooms.now():
            raise BannedRefusal("forbidden", _("The operator of this server has banned you."))


def ban_list_of(request: HTTPConnection) -> BanList:
    """Return the ban list of the application that handles this request."""
    found: BanList = request.app.state.banned
    return found


async def require_unbanned_address(request: HTTPConnection) -> None:
    """Raise `BannedRefusal` for a request from a banned address. FastAPI calls this before every HTTP route."""
    if request.scope["type"] == "http" and not request.url.path.startswith(BAN_EXEMPT_PATHS):
        ban_list_of(request).refuse_banned_address(client_ip(request.scope))
