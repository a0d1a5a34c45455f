"""Who may not come in, known in memory and read again every few seconds."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
from typing import TYPE_CHECKING

from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import HTTPConnection

from facedown.play import Refusal
from facedown.server.http.client_address import Network, client_ip, inside
from facedown.server.http.refusal_response import PROBES
from facedown.server.i18n import _
from facedown.store import Person
from facedown.store.bans import Ban, bans

if TYPE_CHECKING:
    from facedown.server.table.room_registry import Rooms

#: So often they are read, in seconds.
RELOAD_INTERVAL = 5.0
#: Where a ban is not asked for: whether the server is well is not for the banned to make look bad.
BAN_EXEMPT_PATHS = (*PROBES, "/metrics", "/static/")


class BannedRefusal(Refusal):
    """Somebody is not let in: nothing more is looked up for them."""


class BanList:
    """The bans of a server's database."""

    def __init__(self, rooms: Rooms) -> None:
        self.rooms = rooms
        self._people: dict[int, Ban] = {}
        self._networks: dict[Network, Ban] = {}

    async def reload_forever(self) -> None:
        """Read the bans every few seconds, as long as the server runs."""
        while True:
            await asyncio.sleep(RELOAD_INTERVAL)
            await self.reload()

    async def reload(self) -> None:
        """Read the bans; while the database does not answer, they are as they were before."""
        with contextlib.suppress(SQLAlchemyError):
            found = await self.rooms.store.run(bans, self.rooms.repository.engine, self.rooms.now())
            self._people = {int(one.value): one for one in found if one.kind == "person"}
            self._networks = {ipaddress.ip_network(one.value): one for one in found if one.kind == "address"}

    def refuse_banned_person(self, person: Person) -> None:
        """`Refusal` for a banned person."""
        if person.id in self._people:
            self._refuse(self._people[person.id])

    def refuse_banned_address(self, address: str) -> None:
        """`Refusal` for a banned address."""
        for network, ban in self._networks.items():
            if inside(address, [network]):
                self._refuse(ban)

    def _refuse(self, ban: Ban) -> None:
        if ban.until is None or ban.until > self.rooms.now():
            raise BannedRefusal("forbidden", _("The operator of this server has banned you."))


def ban_list_of(request: HTTPConnection) -> BanList:
    """The bans of the application."""
    found: BanList = request.app.state.banned
    return found


async def require_unbanned_address(request: HTTPConnection) -> None:
    """`Refusal` for a request from an address that is banned; known to all handlers that come after it."""
    if request.scope["type"] == "http" and not request.url.path.startswith(BAN_EXEMPT_PATHS):
        ban_list_of(request).refuse_banned_address(client_ip(request.scope))
